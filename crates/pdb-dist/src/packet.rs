//! Packets: the byte strings that timely's messages carry from process to process.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use twox_hash::XxHash3_64;

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
