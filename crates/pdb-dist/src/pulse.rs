//! Signs of life: a worker of its own in each process tells all others every second that the
//! process lives, and why it ends if it fails; and it ends the process when a partner fails or is
//! silent. It does nothing else, so a process may take as long as it likes for its work.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use command::Failure;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::Input;
use timely::dataflow::operators::generic::operator::Operator;
use timely::worker::Worker;

use crate::cluster::{Cluster, Origin, end};
use crate::net::WORKERS;
use crate::packet::{Kind, Packet};

/// Time between two signs of life.
const TICK: Duration = Duration::from_secs(1);
/// How long a partner may be silent.
const SILENCE: Duration = Duration::from_secs(6);
/// A look at everything.
const LOOK: Duration = Duration::from_millis(100);
/// A process that has not looked for so long was stopped itself: it cannot tell who was silent.
const OWN_STOP: Duration = Duration::from_secs(3);
/// How long the others' signs of the same loss, and the own line's way to them, may take.
const LAST_WORDS: Duration = Duration::from_millis(500);

type Handle = InputHandle<u64, CapacityContainerBuilder<Vec<Packet>>>;

/// Makes the dataflow of signs of life; all workers of all processes do so.
fn dataflow(worker: &mut Worker) -> (Handle, Rc<RefCell<Option<Failure>>>) {
    let told = Rc::new(RefCell::new(None));
    let slot = Rc::clone(&told);
    let mut input = Handle::new();
    worker.dataflow(|scope| {
        let exchange = Exchange::new(|packet: &Packet| packet.worker() as u64);
        let packets = scope.input_from(&mut input);
        packets.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(exchange, "signs", |_, _| {
            move |packets, _| {
                packets.for_each(|_, packets: &mut Vec<Packet>| {
                    for packet in packets.drain(..) {
                        if packet.kind() == Some(Kind::End) {
                            let words = serde_json::from_slice::<(u8, String)>(packet.content());
                            let failure = words.map(|(exit, line)| Failure::new(exit, line));
                            let mut slot = slot.borrow_mut();
                            *slot = slot.take().or(failure.ok());
                        }
                    }
                });
            }
        });
    });
    (input, told)
}

/// The part of a worker that works.
pub(crate) fn stand_by(worker: &mut Worker) {
    let (input, _) = dataflow(worker);
    input.close();
}

/// Beats until the process has finished, or ends it.
pub(crate) fn beat(worker: &mut Worker, cluster: &Cluster) {
    let (mut input, told) = dataflow(worker);
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
        if let Some(failure) = told.borrow_mut().take() {
            cluster.fail(failure, Origin::There);
        }
        if let Some((process, silent)) = cluster.most_silent() {
            if silent > SILENCE {
                let how = format!("has been silent for {} s", SILENCE.as_secs());
                cluster.lost(process, &how);
            }
        }
        let Some((failure, origin)) = cluster.failure() else {
            continue;
        };
        if origin != Origin::There {
            let mut line = failure.message().to_owned();
            if origin == Origin::Here {
                line = format!("{}: {line}", cluster.name(cluster.me));
            }
            let content = serde_json::to_vec(&(failure.exit(), line)).unwrap_or_default();
            say(worker, Kind::End, &content);
            let begin = Instant::now();
            while begin.elapsed() < LAST_WORDS {
                worker.step_or_park(Some(LOOK / 10));
            }
        }
        end(&failure);
    }
}
