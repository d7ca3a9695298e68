//! Main loop of the working thread, which processes the tables one after another.

use std::time::Instant;

use command::Failure;
use puzzle::TableId;

use crate::job::Task;
use crate::levels::sweep_all;
use crate::output::Output;
use crate::peer::Peer;
use crate::report::{Report, TableResult};
use crate::saver::Saver;
use crate::verify::verify;

/// Runs the job.
pub(crate) fn work(peer: &mut Peer<'_>) -> Result<(), Failure> {
    let Peer { cluster, job, .. } = *peer;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads);
    let pool = pool.use_current_thread().build_global();
    pool.map_err(|error| Failure::input(format!("cannot start threads: {error}")))?;
    for (index, &id) in job.tables.iter().enumerate() {
        cluster.set_saved(false);
        let result = match job.task {
            Task::Build => build(peer, id)?,
            Task::Verify => verify(peer, id)?,
        };
        if index + 1 == job.tables.len() {
            // The other processes no longer need this process. `finish` is called before printing,
            // because printing may block.
            cluster.finish();
        }
        if cluster.me == 0 {
            result.print(job);
        }
    }
    Ok(())
}

fn build(peer: &mut Peer<'_>, id: TableId) -> Result<TableResult, Failure> {
    let Peer { cluster, job, .. } = *peer;
    let start = (Instant::now(), cluster.received(), cluster.sent());
    let Some(output) = Output::begin(peer, id)? else {
        return Ok(TableResult::kept(job, id));
    };
    let mut saver = Saver::new(cluster, job, id);
    let sweep = sweep_all(peer, id, Some(&mut saver))?;
    let path = output.finish(peer, &sweep)?;
    saver.remove();
    let all = peer.net.gather(&Report::new(start, &sweep, cluster))?;
    Ok(TableResult::written(job, &path, &sweep, &all))
}
