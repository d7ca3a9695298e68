//! Messages between the working threads of the processes, by timely.
//!
//! Work goes in stages, the same in all processes: a level's blocks, or a word of each process to
//! all. A timestamp is the stage and a step within it. A process begins a step with each megabyte
//! sent, and pauses while blocks of [`WINDOW`] steps before are not taken by all, since timely has
//! no limit: at most four megabytes and a slice's blocks of each process are on their way. Once all
//! have come to a stage, all packets of the ones before have been taken.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use command::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::Input as _;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::probe::Probe;
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::cluster::Cluster;
use crate::packet::{Kind, Packet};

/// Timely workers of a process: one for the work, one for signs of life.
pub(crate) const WORKERS: usize = 2;

/// Bytes that a process sends in one step.
const STEP_BYTES: usize = 1 << 20;
/// Steps that may be on the way.
const WINDOW: u64 = 4;
/// Bits of a timestamp that count steps.
const STEP_BITS: u32 = 32;
/// Longest wait for an event.
const WAIT: Duration = Duration::from_millis(20);

type Input = InputHandle<u64, CapacityContainerBuilder<Vec<Packet>>>;

/// Received messages.
#[derive(Default)]
struct Inbox {
    blocks: VecDeque<Packet>,
    words: Vec<Packet>,
}

/// The working thread's connection to those of the other processes.
pub(crate) struct Net<'a> {
    pub(crate) worker: &'a mut Worker,
    input: Input,
    probe: ProbeHandle<u64>,
    inbox: Rc<RefCell<Inbox>>,
    stage: u64,
    step: u64,
    step_bytes: usize,
    cluster: &'a Cluster,
}

/// Makes a dataflow that brings packets to the workers that they are for, where `take` gets them.
/// All workers of all processes make the same dataflows in the same order.
pub(crate) fn dataflow(
    worker: &mut Worker,
    name: &str,
    probe: Option<&ProbeHandle<u64>>,
    mut take: impl FnMut(Packet) + 'static,
) -> Input {
    let mut input = Input::new();
    worker.dataflow(|scope| {
        let exchange = Exchange::new(|packet: &Packet| packet.worker() as u64);
        let packets = scope.input_from(&mut input);
        let none =
            packets.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(exchange, name, |_, _| {
                move |packets, _| {
                    packets.for_each(|_, packets: &mut Vec<Packet>| {
                        packets.drain(..).for_each(&mut take);
                    });
                }
            });
        if let Some(probe) = probe {
            none.probe_with(probe);
        }
    });
    input
}

/// The part of a worker that only looks for signs of life: it sends nothing here.
pub(crate) fn stand_by(worker: &mut Worker) {
    dataflow(worker, "packets", Some(&ProbeHandle::new()), |_| {}).close();
}

impl<'a> Net<'a> {
    pub(crate) fn new(worker: &'a mut Worker, cluster: &'a Cluster) -> Self {
        let (probe, inbox) = (ProbeHandle::new(), Rc::<RefCell<Inbox>>::default());
        let taken = Rc::clone(&inbox);
        let input = dataflow(worker, "packets", Some(&probe), move |packet| {
            let mut inbox = taken.borrow_mut();
            match packet.kind() {
                Some(Kind::Block | Kind::Packed) => inbox.blocks.push_back(packet),
                _ => inbox.words.push(packet),
            }
        });
        Net {
            worker,
            input,
            probe,
            inbox,
            stage: 0,
            step: 0,
            step_bytes: 0,
            cluster,
        }
    }

    fn put(&mut self, process: usize, kind: Kind, content: Vec<u8>) {
        self.step_bytes += content.len();
        let packet = Packet::new(process * WORKERS, self.cluster.me, kind, content);
        self.input.send(packet);
    }

    pub(crate) fn send(&mut self, process: usize, kind: Kind, block: Vec<u8>) {
        self.put(process, kind, block);
        if self.step_bytes >= STEP_BYTES {
            self.step_bytes = 0;
            self.step += 1;
            self.input.advance_to(self.stage << STEP_BITS | self.step);
        }
    }

    /// Whether little enough is on the way for more to be sent.
    pub(crate) fn may_send(&self) -> bool {
        let oldest = self.stage << STEP_BITS | self.step.saturating_sub(WINDOW - 1);
        self.step < WINDOW || !self.probe.less_than(&oldest)
    }

    /// This process has sent all of the stage.
    pub(crate) fn end_stage(&mut self) {
        self.stage += 1;
        (self.step, self.step_bytes) = (0, 0);
        self.input.advance_to(self.stage << STEP_BITS);
    }

    /// Whether all processes have come to this stage, and everything sent before has been taken.
    pub(crate) fn is_stage_begun(&self) -> bool {
        !self.probe.less_than(&(self.stage << STEP_BITS))
    }

    /// Lets timely work, or waits a little for something to happen.
    pub(crate) fn wait(&mut self) {
        self.worker.step_or_park(Some(WAIT));
    }

    pub(crate) fn next_block(&mut self) -> Option<Packet> {
        self.inbox.borrow_mut().blocks.pop_front()
    }

    /// Sends a word to all processes, and returns the words of all, in their order.
    ///
    /// # Errors
    /// A word is missing or unreadable, which would be a defect.
    pub(crate) fn gather<T: Serialize + DeserializeOwned>(
        &mut self,
        word: &T,
    ) -> Result<Vec<T>, Failure> {
        let stage = self.stage;
        // Words are numbers and texts, which always have a form in JSON.
        let mut content = stage.to_le_bytes().to_vec();
        content.extend(serde_json::to_vec(word).unwrap_or_default());
        for process in 0..self.cluster.processes() {
            self.put(process, Kind::Word, content.clone());
        }
        self.end_stage();
        while !self.is_stage_begun() {
            self.wait();
        }
        let mut all: Vec<Option<T>> = (0..self.cluster.processes()).map(|_| None).collect();
        // A process that is ahead may have said its next word already.
        self.inbox.borrow_mut().words.retain(|packet| {
            let Some((at, text)) = packet.content().split_first_chunk() else {
                return false;
            };
            let is_later = u64::from_le_bytes(*at) != stage;
            let place = all.get_mut(packet.from());
            if let Some(place) = place.filter(|_| !is_later && packet.is_sound()) {
                *place = serde_json::from_slice(text).ok();
            }
            is_later
        });
        let words = all.into_iter().enumerate().map(|(process, word)| {
            let line = || format!("what process {process} says is not understood");
            word.ok_or_else(|| Failure::table(line()))
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_on_the_way_than_the_window() {
        timely::execute_directly(|worker| {
            let cluster = Cluster::new(0, vec!["a:1".to_owned()]);
            let mut net = Net::new(worker, &cluster);
            let mut taken = 0;
            for round in 0..3 {
                for _ in 0..WINDOW {
                    assert!(net.may_send(), "round {round}");
                    net.send(0, Kind::Block, vec![round; STEP_BYTES]);
                }
                assert!(!net.may_send(), "round {round}");
                while !net.may_send() {
                    net.worker.step();
                }
                while !net.inbox.borrow().blocks.is_empty() {
                    let block = net.next_block().unwrap();
                    assert_eq!((block.from(), block.content().len()), (0, STEP_BYTES));
                    taken += 1;
                }
                // All are taken before the window is open again but for its last steps.
                net.worker.step();
            }
            net.end_stage();
            while !net.is_stage_begun() {
                net.wait();
            }
            while net.next_block().is_some() {
                taken += 1;
            }
            assert_eq!(taken, 3 * WINDOW);
            // A new stage has a window of its own.
            assert!(net.may_send());
            assert_eq!(net.gather(&7).unwrap(), [7]);
        });
    }
}
