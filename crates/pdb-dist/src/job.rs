//! The job of a process.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use command::Failure;
use pdb_gen::{CheckpointPolicy, PartSweep};
use pdb_table::{Header, Histogram, TableDirectory};
use puzzle::TableId;

use crate::cluster::Cluster;
use crate::levels::sweep_all;
use crate::net::Net;
use crate::output::Output;
use crate::report::{Report, TableResult};
use crate::saver::Saver;
use crate::verify::verify;

/// Task of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Build missing tables.
    Build,
    /// Sweep existing tables again and compare the results with them.
    Verify,
}

/// The task, common to all processes, and the settings of this process.
#[derive(Clone, Debug)]
pub struct Job {
    /// The task.
    pub task: Task,
    /// The tables, in order.
    pub tables: Vec<TableId>,
    /// Directory of the tables: the same for all processes unless `parts` is set.
    pub directory: TableDirectory,
    /// Whether each process writes its part of each table to its own directory.
    pub parts: bool,
    /// Whether existing tables are built again.
    pub force: bool,
    /// Whether the build resumes from the last level that all processes have saved.
    pub resume: bool,
    /// Times at which the build is saved. Process 0 decides for all processes.
    pub save: CheckpointPolicy,
    /// Directory of the checkpoints.
    pub checkpoints: PathBuf,
    /// Number of threads of this process.
    pub threads: usize,
    /// Whether to suppress progress, notes and text results. Errors and JSON results are printed.
    pub quiet: bool,
    /// Whether results are printed as JSON.
    pub json: bool,
}

/// A process of a build: its connection to the working threads of the other processes, the state
/// shared by its threads, and the job.
pub(crate) struct Peer<'a> {
    pub(crate) net: Net<'a>,
    pub(crate) cluster: &'a Cluster,
    pub(crate) job: &'a Job,
}

/// Sweep of a table.
pub(crate) struct TableSweep {
    /// This process's part.
    pub(crate) part: PartSweep,
    /// Number of entries at each distance, over all parts.
    pub(crate) histogram: Histogram,
    /// Idle time of the process.
    pub(crate) waited: Duration,
}

impl TableSweep {
    /// Header of the table, for a payload with this SHA-256.
    pub(crate) fn header(&self, payload_sha256: [u8; 32]) -> Header {
        self.part.header(&self.histogram, payload_sha256)
    }
}

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
