//! The job of a process: connects it to the other processes, runs timely's workers, builds or proves
//! the tables, and ends the process.
//!
//! To prove a table file, the processes sweep the table again. Each process then compares the rows
//! that it has swept with the same rows in the file.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use command::Failure;
use pdb_gen::{CheckpointPolicy, PartSweep, VerifyError};
use pdb_table::{Encoding, Header, Histogram, TableDirectory, TableFile, hex};
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use serde_json::json;
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::worker::Worker;

use crate::cluster::{Cluster, Origin, end, wait_for_end};
use crate::connect::{Wire, connect};
use crate::handshake::Hello;
use crate::levels::sweep_all;
use crate::net::{Net, WORKERS};
use crate::output::Output;
use crate::saver::Saver;
use crate::terminal::{Report, TableResult};
use crate::{heartbeat, net};

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

/// Result of one process.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct ProofWord {
    /// The first wrong entry of the process's rows.
    wrong: Option<u64>,
    /// The correct bit of that entry.
    bit: bool,
}

/// Proves the table file, which each process reads from its tables directory.
pub(crate) fn verify(peer: &mut Peer<'_>, id: TableId) -> Result<TableResult, Failure> {
    let start = Instant::now();
    let cluster = peer.cluster;
    let path = peer.job.directory.file(id, Encoding::OneBit, false);
    let name = path.display();
    let table = TableFile::open(&path).map_err(Failure::table)?;
    let header = table.header().clone();
    let wrong = |error: VerifyError| Failure::table(format!("{name}: {error}"));
    let damaged = |error| wrong(VerifyError::Table(error));
    table.check_id(id).map_err(damaged)?;
    if header.encoding != Encoding::OneBit {
        let encoding = header.encoding;
        return Err(Failure::input(format!(
            "{name}: cannot prove {encoding} tables in parts, only one-bit tables: use pdb-gen \
             verify"
        )));
    }
    table.expect_entries(id.entries()).map_err(damaged)?;
    let sums = peer.net.gather(&hex(&header.payload_sha256))?;
    if let Some(other) = sums.iter().position(|sum| *sum != sums[cluster.me]) {
        return Err(Failure::input(format!(
            "{name} differs from the file of {}: use the same tables directory for all processes",
            cluster.name(other)
        )));
    }
    let sweep = sweep_all(peer, id, None)?;
    let all = peer.net.gather(&compare(&sweep, table.payload()))?;
    let all = all
        .into_iter()
        .filter_map(|word| Some((word.wrong?, word.bit)));
    if let Some((entry, bit)) = all.min() {
        let bit = u8::from(bit);
        return Err(Failure::table(format!(
            "{name}: entry {entry} is wrong: its bit should be {bit}"
        )));
    }
    if sweep.histogram != header.histogram {
        return Err(wrong(VerifyError::Histogram));
    }
    // Process 0 alone checks the checksum.
    if cluster.me == 0 {
        table.check_payload().map_err(damaged)?;
    }
    peer.net.gather(&())?;
    let (entries, seconds) = (header.entries, start.elapsed().as_secs_f64());
    let object = json!({
        "table": id.name(), "file": name.to_string(), "proved": true, "entries": entries,
        "seconds": seconds,
    });
    let line = format!("{name}: proved, {entries} entries, {seconds:.2} s");
    Ok(TableResult { object, line })
}

/// Compares the part's rows with a table's payload.
fn compare(sweep: &TableSweep, payload: &[u8]) -> ProofWord {
    let mut word = ProofWord::default();
    // The closure returns an error only to end the comparison at the first difference.
    let _ = sweep.part.each_row(|at, row| {
        let found = &payload[at as usize..][..row.len()];
        if found == row {
            return Ok(());
        }
        let mut pairs = row.iter().zip(found);
        let index = pairs.position(|(right, found)| right != found);
        let index = index.unwrap_or_default();
        let bit = (row[index] ^ found[index]).trailing_zeros();
        word.wrong = Some((at + index as u64) * 8 + u64::from(bit));
        word.bit = row[index] >> bit & 1 != 0;
        Err(())
    });
    word
}

/// Time for partners to close their connections at the end.
const PARTING: Duration = Duration::from_secs(5);
/// Time limit for printing the last results.
const PRINTING: Duration = Duration::from_secs(60);
/// Whether all results are printed, so that the process may end.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// Runs a job together with other processes. `hosts` are the addresses of all processes, including
/// this one. If a failure occurs after all processes are connected, the function does not return:
/// it prints a message and ends the process with an exit code.
///
/// # Errors
/// A failure occurred before all processes were connected.
pub fn run(hosts: Vec<String>, me: usize, job: Job, wait: Duration) -> Result<(), Failure> {
    let hello = Hello::new(&job, me, hosts.len());
    let cluster = Arc::new(Cluster::new(me, hosts));
    let wires = connect(&cluster, hello, wait)?;
    catch_panics(&cluster);
    cluster.hear_all();
    let failed = |error: String| Failure::table(format!("cannot start: {error}"));
    let (builders, others) = builders(wires, me).map_err(failed)?;
    let config = WorkerConfig::default().idle_spin(Duration::ZERO);
    let workers =
        timely::execute::execute_from(builders, others, config, move |worker| {
            match worker.index() % WORKERS {
                0 => work_on(worker, &cluster, &job),
                _ => {
                    net::stand_by(worker);
                    heartbeat::beat(worker, &cluster);
                }
            }
        });
    workers.map_err(failed)?.join();
    Ok(())
}

/// Creates the builders of this process's timely workers, which communicate over `wires`.
fn builders(
    wires: Vec<Option<Wire>>,
    me: usize,
) -> Result<(Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>), String> {
    if wires.len() == 1 {
        return timely::CommunicationConfig::Process(WORKERS).try_build();
    }
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(WORKERS, hooks.refill.clone(), None);
    let made = initialize_networking_from_sockets(inner, wires, me, WORKERS, hooks);
    let (builders, guard) = made.map_err(|error| error.to_string())?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp);
    Ok((builders.collect(), Box::new(guard)))
}

fn work_on(worker: &mut Worker, cluster: &Cluster, job: &Job) {
    let net = Net::new(worker, cluster);
    heartbeat::stand_by(net.worker);
    match work(&mut Peer { net, cluster, job }) {
        Ok(()) => {
            cluster.finish();
            PRINTED.store(true, Ordering::SeqCst);
            std::thread::spawn(|| {
                std::thread::sleep(PARTING);
                std::process::exit(0);
            });
        }
        Err(failure) => {
            cluster.fail(failure, Origin::Here);
            // The heartbeat worker informs the other processes and ends this process.
            wait_for_end();
        }
    }
}

/// Ends the process with one message if timely or any other code panics.
fn catch_panics(cluster: &Arc<Cluster>) {
    let cluster = Arc::clone(cluster);
    std::panic::set_hook(Box::new(move |panic| {
        if cluster.is_finished() {
            // The build is finished, so this panic is not a failure: timely panics if a partner
            // closes its connection early.
            let begin = Instant::now();
            while !PRINTED.load(Ordering::SeqCst) && begin.elapsed() < PRINTING {
                std::thread::sleep(Duration::from_millis(10));
            }
            if PRINTED.load(Ordering::SeqCst) {
                std::process::exit(0);
            }
        }
        // If the cause of the panic is a lost partner, the loss is detected within this time.
        std::thread::sleep(Duration::from_millis(200));
        if let Some((failure, _)) = cluster.failure.get() {
            end(failure);
        }
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("no message");
        let place = panic.location().map(|place| format!(" at {place}"));
        let place = place.unwrap_or_default();
        let line = format!("defect{place}: {message}; please report it");
        end(&Failure::table(line));
    }));
}
