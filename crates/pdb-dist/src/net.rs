//! Messages between the working threads of the processes, through timely.
//!
//! All processes go through the same stages. In a stage they exchange the blocks of a level, or
//! each process sends one message to all processes. A timestamp contains the stage and a step
//! within the stage. A process begins a new step after each megabyte sent. Timely has no flow
//! control, so a process pauses until the other processes have received the blocks that it sent
//! [`WINDOW`] steps earlier. Per process, at most four megabytes and the blocks of one slice are in
//! transit. When all processes have reached a stage, all packets of earlier stages have been
//! received.

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

/// Timely workers per process: one for the work, one for heartbeats.
pub(crate) const WORKERS: usize = 2;

/// Bytes that a process sends per step.
const STEP_BYTES: usize = 1 << 20;
/// Maximum number of steps whose blocks are in transit.
const WINDOW: u64 = 4;
/// Number of bits of a timestamp that contain the step.
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

/// The working thread's connection to the working threads of the other processes.
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

/// Creates a dataflow that delivers packets to their receiving workers. A worker calls `take` for
/// each packet. All workers of all processes must create the same dataflows in the same order.
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

/// Registers the heartbeat worker in the dataflow of packets. The heartbeat worker sends no
/// packets.
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

    /// Whether the window has room for more blocks.
    pub(crate) fn may_send(&self) -> bool {
        let oldest = self.stage << STEP_BITS | self.step.saturating_sub(WINDOW - 1);
        self.step < WINDOW || !self.probe.less_than(&oldest)
    }

    /// Ends the stage: this process sends nothing more in it.
    pub(crate) fn end_stage(&mut self) {
        self.stage += 1;
        (self.step, self.step_bytes) = (0, 0);
        self.input.advance_to(self.stage << STEP_BITS);
    }

    /// Whether all processes have reached this stage and all earlier packets have been received.
    pub(crate) fn is_stage_begun(&self) -> bool {
        !self.probe.less_than(&(self.stage << STEP_BITS))
    }

    /// Runs timely, or waits briefly for an event.
    pub(crate) fn wait(&mut self) {
        self.worker.step_or_park(Some(WAIT));
    }

    pub(crate) fn next_block(&mut self) -> Option<Packet> {
        self.inbox.borrow_mut().blocks.pop_front()
    }

    /// Sends a message to all processes. Returns the messages of all processes, by process number.
    ///
    /// # Errors
    /// A message is missing or unreadable. This would be a defect of the program.
    pub(crate) fn gather<T: Serialize + DeserializeOwned>(
        &mut self,
        word: &T,
    ) -> Result<Vec<T>, Failure> {
        let stage = self.stage;
        // Messages consist of numbers and strings, so JSON encoding does not fail.
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
        // A process that is ahead may have sent its next message already.
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
            let line = || format!("cannot read the message of process {process}");
            word.ok_or_else(|| Failure::table(line()))
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_limits_blocks_in_transit() {
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
                // Blocks of the last `WINDOW` - 1 steps may still be in transit.
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
            // A new stage starts with an empty window.
            assert!(net.may_send());
            assert_eq!(net.gather(&7).unwrap(), [7]);
        });
    }
}
