//! Packets, the byte strings that timely's messages carry from process to process, and messages
//! between the working threads of the processes, through timely.
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
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::Input as _;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::probe::Probe;
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;
use twox_hash::XxHash3_64;

use crate::cluster::Cluster;

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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A block of rows, not compressed.
    Block = 0,
    /// A block of rows in a zstd frame.
    Packed = 1,
    /// A process's message in [`Net::gather`](crate::net::Net::gather).
    Word = 2,
    /// A heartbeat.
    Tick = 3,
    /// The failure of the sender, which ends after this message.
    End = 4,
}

/// A packet from one process to another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packet {
    /// The content, followed by receiving worker (2 bytes), sending process (2), kind (1), and the
    /// XXH3 checksum of all preceding bytes (8). These fields follow the content so that the
    /// content need not be copied.
    bytes: Vec<u8>,
}

/// Length of the label, in bytes: receiving worker, sending process, kind.
const LABEL: usize = 5;
/// Length of the checksum, in bytes.
const SUM: usize = 8;

impl Packet {
    pub(crate) fn new(worker: usize, from: usize, kind: Kind, content: Vec<u8>) -> Self {
        let mut bytes = content;
        bytes.extend((worker as u16).to_le_bytes());
        bytes.extend((from as u16).to_le_bytes());
        bytes.push(kind as u8);
        let sum = XxHash3_64::oneshot(&bytes);
        bytes.extend(sum.to_le_bytes());
        Packet { bytes }
    }

    /// Whether the checksum matches. The network's own 16-bit checksums miss about one damaged
    /// packet in ten thousand.
    pub(crate) fn is_sound(&self) -> bool {
        let parts = self.bytes.split_last_chunk::<SUM>();
        parts.is_some_and(|(bytes, sum)| {
            bytes.len() >= LABEL && XxHash3_64::oneshot(bytes).to_le_bytes() == *sum
        })
    }

    fn label(&self) -> [u8; LABEL] {
        let summed = &self.bytes[..self.bytes.len().saturating_sub(SUM)];
        summed.last_chunk().copied().unwrap_or_default()
    }

    pub(crate) fn worker(&self) -> usize {
        let [low, high, ..] = self.label();
        u16::from_le_bytes([low, high]).into()
    }

    pub(crate) fn from(&self) -> usize {
        let [_, _, low, high, _] = self.label();
        u16::from_le_bytes([low, high]).into()
    }

    pub(crate) fn kind(&self) -> Option<Kind> {
        let kinds = [Kind::Block, Kind::Packed, Kind::Word, Kind::Tick, Kind::End];
        let [.., kind] = self.label();
        kinds.get(usize::from(kind)).copied()
    }

    pub(crate) fn content(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().saturating_sub(LABEL + SUM)]
    }
}

// Serialises a packet as one byte string. A derived implementation would process each byte
// separately.
impl Serialize for Packet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.bytes)
    }
}

impl<'de> Deserialize<'de> for Packet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Timely reads from a slice, so the bytes can be borrowed.
        let bytes = <&[u8]>::deserialize(deserializer)?.to_vec();
        Ok(Packet { bytes })
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

    #[test]
    fn every_changed_bit_is_detected() {
        let packet = Packet::new(6, 3, Kind::Packed, b"some rows".to_vec());
        assert!(packet.is_sound());
        assert_eq!((packet.worker(), packet.from()), (6, 3));
        assert_eq!(packet.kind(), Some(Kind::Packed));
        assert_eq!(packet.content(), b"some rows");
        for bit in 0..packet.bytes.len() * 8 {
            let mut damaged = packet.clone();
            damaged.bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(!damaged.is_sound(), "bit {bit}");
        }
        for length in 0..packet.bytes.len() {
            let bytes = packet.bytes[..length].to_vec();
            let short = Packet { bytes };
            assert!(!short.is_sound(), "{length} bytes");
            let _ = (short.worker(), short.from(), short.kind(), short.content());
        }
    }
}
