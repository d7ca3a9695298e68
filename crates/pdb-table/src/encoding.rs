//! Encodings: conversion between values and the bytes of a payload.

use puzzle::{TableKind, name_variants};

/// The encoding of an entry's value h. Files store the encoding's number; file names use the
/// encoding's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Encoding {
    /// One byte per entry: the value h, or 255 for an unreachable entry.
    U8,
    /// One bit per entry: bit 1 of the value h, or 0 for an unreachable entry. Entry e is stored in
    /// bit e % 8 of byte e / 8. This bit is sufficient for a search that tracks h, because values
    /// of zero-aware tables change by one with every move (Clausecker & Reinefeld 2019, section 4).
    OneBit,
    /// Two bits per entry: 1 + (h mod 3), or 0 for an unreachable entry. Entry e is stored in bits
    /// 2 (e % 4) and 2 (e % 4) + 1 of byte e / 4. These bits are sufficient for a search that
    /// tracks h, because values in the multi-tile metric change by at most one with every move.
    Mod3,
}

/// The byte of an unreachable entry: no position of the puzzle has this entry.
pub(crate) const UNREACHABLE: u8 = u8::MAX;

name_variants! { "encoding", Encoding { U8: "u8", OneBit: "one-bit", Mod3: "mod-3" } }

impl Encoding {
    /// The default encoding for tables of a kind.
    #[must_use]
    pub const fn default_for(kind: TableKind) -> Self {
        match kind {
            TableKind::ZeroAware => Encoding::OneBit,
            TableKind::BlankCompressed | TableKind::FullCost => Encoding::U8,
            TableKind::MultiTile => Encoding::Mod3,
        }
    }

    /// Whether tables of this kind can have this encoding.
    #[must_use]
    pub const fn suits(self, kind: TableKind) -> bool {
        match self {
            Encoding::U8 => true,
            Encoding::OneBit => matches!(kind, TableKind::ZeroAware),
            Encoding::Mod3 => matches!(kind, TableKind::MultiTile),
        }
    }

    /// The encodings that are possible for a kind, the default first.
    pub fn all_for(kind: TableKind) -> impl Iterator<Item = Encoding> {
        let default = Encoding::default_for(kind);
        // Of the other encodings, those of less than a byte per entry come first.
        let others = Encoding::ALL.into_iter().rev();
        let others = others.filter(move |&other| other != default && other.suits(kind));
        [default].into_iter().chain(others)
    }

    /// Bits per entry: 1, 2 or 8.
    #[must_use]
    pub const fn entry_bits(self) -> u32 {
        match self {
            Encoding::U8 => 8,
            Encoding::OneBit => 1,
            Encoding::Mod3 => 2,
        }
    }

    /// Entries per byte.
    #[must_use]
    pub const fn entries_per_byte(self) -> u64 {
        (8 / self.entry_bits()) as u64
    }

    /// Length of a payload with this number of entries, in bytes.
    #[must_use]
    pub const fn payload_length(self, entries: u64) -> u64 {
        entries.div_ceil(self.entries_per_byte())
    }

    /// The stored bits of a value, or of an unreachable entry (`None`).
    #[inline]
    #[must_use]
    pub const fn stored(self, value: Option<u8>) -> u8 {
        match (self, value) {
            (Encoding::U8, None) => UNREACHABLE,
            (Encoding::U8, Some(h)) => h,
            (Encoding::OneBit, Some(h)) => h >> 1 & 1,
            (Encoding::Mod3, Some(h)) => 1 + h % 3,
            (Encoding::OneBit | Encoding::Mod3, None) => 0,
        }
    }

    /// The stored bits of an entry; `None` past the end of the payload.
    #[inline]
    #[must_use]
    pub fn read(self, payload: &[u8], entry: u64) -> Option<u8> {
        #[inline]
        fn bits<const BITS: u32>(payload: &[u8], entry: u64) -> Option<u8> {
            // The bit number of an entry may exceed a u64, so it is never computed: the entry's
            // number is divided by the number of entries per byte.
            let per_byte = u64::from(8 / BITS);
            let byte = payload.get(usize::try_from(entry / per_byte).ok()?)?;
            let at = entry % per_byte * u64::from(BITS);
            Some(byte >> at & (u8::MAX >> (8 - BITS)))
        }
        match self {
            Encoding::U8 => bits::<8>(payload, entry),
            Encoding::OneBit => bits::<1>(payload, entry),
            Encoding::Mod3 => bits::<2>(payload, entry),
        }
    }

    /// Whether the padding of a payload, the bits after the last entry, is 0. `entries` is the
    /// number of entries.
    pub(crate) fn is_padded_with_zeros(self, payload: &[u8], entries: u64) -> bool {
        let mut padding = entries..payload.len() as u64 * self.entries_per_byte();
        padding.all(|entry| self.read(payload, entry) == Some(0))
    }

    /// Encodes the values as a payload. May move the contents out of `values`, to avoid a copy.
    /// Takes O(entries) time.
    #[cfg(feature = "pack")]
    pub(crate) fn encode(self, values: &mut Vec<u8>) -> Vec<u8> {
        match self {
            Encoding::U8 => std::mem::take(values),
            Encoding::OneBit => to_bits(values),
            Encoding::Mod3 => {
                let stored = |&value: &u8| self.stored((value != UNREACHABLE).then_some(value));
                let join = |byte, value| byte << self.entry_bits() | stored(value);
                let bytes = values.chunks(self.entries_per_byte() as usize);
                let bytes = bytes.map(|values| values.iter().rev().fold(0, join));
                bytes.collect()
            }
        }
    }
}

/// The payload of a one-bit table. Each byte contains the bits of eight values: bit 1 of the value,
/// or 0 for an unreachable entry.
#[cfg(feature = "pack")]
pub(crate) fn to_bits(values: &[u8]) -> Vec<u8> {
    let bit = |value: u8| u8::from(value & 2 != 0 && value != UNREACHABLE);
    let byte = |eight: &[u8]| {
        let mut bits = [0; 8];
        for (to, &value) in bits.iter_mut().zip(eight) {
            *to = bit(value);
        }
        gather_bits(bits)
    };
    let eights = values.chunks_exact(8);
    let rest = eights.remainder();
    let mut bytes: Vec<u8> = eights.map(byte).collect();
    bytes.extend((!rest.is_empty()).then(|| byte(rest)));
    bytes
}

/// Packs eight bytes, each 0 or 1: byte i becomes bit i.
#[cfg(feature = "pack")]
pub(crate) fn gather_bits(bits: [u8; 8]) -> u8 {
    // The multiplication copies byte i, which is 0 or 1, to bit 56 + i and to lower bits. No two
    // copies share a bit, so nothing is carried.
    (u64::from_le_bytes(bits).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_reads_what_it_writes() {
        let values: Vec<u8> = (0..61)
            .map(|e| if e % 7 == 3 { UNREACHABLE } else { e })
            .collect();
        for encoding in Encoding::ALL {
            // With 8 bits per entry, the bit numbers of these entries overflow 64 bits.
            for entry in [1 << 61, 1 << 62, 1 << 63, u64::MAX] {
                assert_eq!(encoding.read(&[0; 4], entry), None, "{encoding} {entry}");
            }
            let payload = encoding.encode(&mut values.clone());
            let entries = values.len() as u64;
            assert_eq!(payload.len() as u64, encoding.payload_length(entries));
            assert!(encoding.is_padded_with_zeros(&payload, entries));
            for (entry, &value) in (0..).zip(&values) {
                let stored = encoding.stored((value != UNREACHABLE).then_some(value));
                assert_eq!(encoding.read(&payload, entry), Some(stored), "{encoding}");
            }
            let end = payload.len() as u64 * encoding.entries_per_byte();
            assert_eq!(encoding.read(&payload, end), None);
        }
    }
}
