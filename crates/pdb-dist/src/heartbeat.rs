//! Heartbeats: a separate worker in each process sends a message to all other processes every
//! second. If its process fails, the worker sends the reason. When a partner fails or is silent,
//! the worker ends its own process. The working thread is independent of this worker and may block
//! for any time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use command::Failure;
use timely::worker::Worker;

use crate::cluster::{Cluster, Origin, end};
use crate::net::{Kind, Packet, WORKERS, dataflow};

/// Time between two heartbeats.
const TICK: Duration = Duration::from_secs(1);
/// Silence after which a partner is considered lost.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(6);
/// Time between two checks of the partners.
const LOOK: Duration = Duration::from_millis(100);
/// If at least this time passes between two checks, this process itself was stopped. The silence of
/// its partners is then ignored.
const OWN_STOP: Duration = Duration::from_secs(3);
/// Time between a failure and the end of the process. In this time, the processes exchange messages
/// about the failure.
const FAILURE_TIME: Duration = Duration::from_millis(500);

/// Registers the thread that builds tables in the dataflow of heartbeats. This thread sends no
/// heartbeats.
pub(crate) fn stand_by(worker: &mut Worker) {
    dataflow(worker, "signs", None, |_| {}).close();
}

/// Sends heartbeats until the process has finished. Ends the process on a failure.
pub(crate) fn beat(worker: &mut Worker, cluster: &Arc<Cluster>) {
    let receiver = Arc::clone(cluster);
    let mut input = dataflow(worker, "signs", None, move |packet| {
        if packet.kind() == Some(Kind::End) {
            if let Ok((exit, line)) = serde_json::from_slice::<(u8, String)>(packet.content()) {
                receiver.fail(Failure::new(exit, line), Origin::There);
            }
        }
    });
    let mut time = 0;
    let mut say = |worker: &mut Worker, kind, content: &[u8]| {
        for process in (0..cluster.processes()).filter(|&process| process != cluster.me) {
            let to = process * WORKERS + WORKERS - 1;
            input.send(Packet::new(to, cluster.me, kind, content.to_vec()));
        }
        time += 1;
        input.advance_to(time);
        worker.step();
    };
    cluster.hear_all();
    let mut last_tick: Option<Instant> = None;
    let mut last_look = Instant::now();
    while !cluster.is_finished() {
        worker.step_or_park(Some(LOOK));
        if last_look.elapsed() > OWN_STOP {
            cluster.hear_all();
        }
        last_look = Instant::now();
        if last_tick.is_none_or(|tick| tick.elapsed() >= TICK) {
            last_tick = Some(Instant::now());
            say(worker, Kind::Tick, &[]);
        }
        let silent = cluster.most_silent();
        if let Some((process, _)) = silent.filter(|(_, time)| *time > HEARTBEAT_TIMEOUT) {
            let how = format!("has been silent for {} s", HEARTBEAT_TIMEOUT.as_secs());
            cluster.lost(process, &how);
        }
        let Some((failure, origin)) = cluster.failure.get() else {
            continue;
        };
        if *origin != Origin::There {
            let line = match origin {
                Origin::Here => format!("{}: {}", cluster.name(cluster.me), failure.message()),
                _ => failure.message().to_owned(),
            };
            let content = serde_json::to_vec(&(failure.exit(), line)).unwrap_or_default();
            say(worker, Kind::End, &content);
            let begin = Instant::now();
            while begin.elapsed() < FAILURE_TIME {
                worker.step_or_park(Some(LOOK / 10));
            }
        }
        end(failure);
    }
}
