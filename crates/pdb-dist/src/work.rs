//! What the working thread does: table after table.

use std::time::Instant;

use command::Failure;
use puzzle::TableId;

use crate::job::Task;
use crate::levels::{FinishedSweep, sweep_all};
use crate::output::Output;
use crate::peer::Peer;
use crate::report::{print_kept, print_written};
use crate::saver::Saver;
use crate::verify::verify;

/// Does the job.
pub(crate) fn work(peer: &mut Peer<'_>) -> Result<(), Failure> {
    let job = peer.job;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads);
    let pool = pool.use_current_thread().build_global();
    pool.map_err(|error| Failure::input(format!("cannot start threads: {error}")))?;
    for (index, &id) in job.tables.iter().enumerate() {
        let is_last = index + 1 == job.tables.len();
        peer.cluster.set_saved(false);
        match job.task {
            Task::Build => build(peer, id, is_last)?,
            Task::Verify => verify(peer, id, is_last)?,
        }
    }
    Ok(())
}

fn build(peer: &mut Peer<'_>, id: TableId, is_last: bool) -> Result<(), Failure> {
    let Peer { cluster, job, .. } = *peer;
    let start = (Instant::now(), cluster.traffic());
    let Some(output) = Output::begin(peer, id)? else {
        if is_last {
            cluster.finish();
        }
        if cluster.me == 0 {
            print_kept(job, id);
        }
        return Ok(());
    };
    let mut saver = Saver::new(cluster, job, id);
    let FinishedSweep {
        sweep,
        histogram,
        mut report,
    } = sweep_all(peer, id, Some(&mut saver))?;
    let path = output.finish(peer, &sweep, &histogram)?;
    saver.remove();
    report.finish(start, cluster, &sweep);
    let all = peer.net.gather(&report)?;
    if is_last {
        // Before anything is printed: that may take time, and the others need this one no more.
        cluster.finish();
    }
    if cluster.me == 0 {
        print_written(&all, job, &path, &sweep, &histogram);
    }
    Ok(())
}
