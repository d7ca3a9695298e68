//! Runs one process of a job: connects it to the other processes, runs timely's workers, and ends
//! the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use command::Failure;
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::worker::Worker;

use crate::cluster::{Cluster, Origin, end, wait_for_end};
use crate::connect::connect;
use crate::handshake::Hello;
use crate::job::Job;
use crate::job::Peer;
use crate::job::work;
use crate::net::{Net, WORKERS};
use crate::wire::Wire;
use crate::{heartbeat, net};

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
