//! Recorders of the entries that a sweep finds: they store values in addition to the planes, or
//! compare the entries with a table.

use pdb_table::{Encoding, Table};
use puzzle::Ranking;

use crate::sweep::kernel::{Mismatch, NewEntries, RecordResult, Recorder};
use crate::sweep::scatter::{WORD_BITS, Word, words_of_row};

/// Indices of the set bits of a row.
fn ones(words: &[Word]) -> impl Iterator<Item = usize> {
    ones_of(words.iter().copied())
}

/// Indices of the set bits of words.
pub(crate) fn ones_of(words: impl Iterator<Item = Word>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(index, word)| {
        let mut bits = word;
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros() as usize;
            (bits != 0).then(|| {
                bits &= bits - 1;
                index * WORD_BITS + bit
            })
        })
    })
}

/// Recorder of one-bit tables. It records nothing: after the sweep, the plane `ones` is the
/// payload.
pub(crate) struct PlanesAlone;

impl Recorder for PlanesAlone {
    type Element = u8;

    fn sizes(&self) -> (usize, usize) {
        (0, 0)
    }

    #[inline]
    fn record(&self, _: &NewEntries<'_>, _: &mut [u8], _: &mut [u8]) -> RecordResult {
        Ok(())
    }
}

/// Records (distance mod 3) + 1 in two bits, row by row; 0 means not found. Each element contains
/// eight entries, in file order.
pub(crate) struct Codes {
    pub(crate) entries: usize,
}

/// For each byte, its bits spread over 16 bits: bit i moves to bit 2 i.
const SPREAD: [u16; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= ((byte >> bit & 1) << (2 * bit)) as u16;
            bit += 1;
        }
        byte += 1;
    }
    spread
};

impl Recorder for Codes {
    type Element = u16;

    fn sizes(&self) -> (usize, usize) {
        (self.entries.div_ceil(8), 0)
    }

    fn record(&self, found: &NewEntries<'_>, recorded: &mut [u16], _: &mut [u16]) -> RecordResult {
        // Multiplying the spread bits by the code puts the code into the bit pair of each entry
        // found. Each pair is written once, so an OR is enough.
        let code = u16::from(found.level % 3 + 1);
        for (&word, codes) in found.entries.iter().zip(recorded.chunks_mut(8)) {
            if word != 0 {
                for (byte, codes) in word.to_le_bytes().into_iter().zip(codes) {
                    *codes |= SPREAD[usize::from(byte)] * code;
                }
            }
        }
        Ok(())
    }
}

/// Records distance + 1 in a byte, row by row; 0 means not found.
pub(crate) struct Bytes {
    pub(crate) entries: usize,
}

impl Recorder for Bytes {
    type Element = u8;

    fn sizes(&self) -> (usize, usize) {
        (self.entries, 0)
    }

    fn record(&self, found: &NewEntries<'_>, recorded: &mut [u8], _: &mut [u8]) -> RecordResult {
        for entry in ones(found.entries) {
            recorded[entry] = found.level + 1;
        }
        Ok(())
    }
}

/// Recorder of blank-compressed tables. For each permutation of the tiles in each shape, records
/// one byte: 1 plus the smallest distance over the shape's rows.
pub(crate) struct Minimum {
    pub(crate) entries: usize,
}

impl Recorder for Minimum {
    type Element = u8;

    fn sizes(&self) -> (usize, usize) {
        (0, self.entries)
    }

    fn record(&self, found: &NewEntries<'_>, _: &mut [u8], recorded: &mut [u8]) -> RecordResult {
        for entry in ones(found.entries) {
            // Levels ascend, so the first distance found is the smallest.
            if recorded[entry] == 0 {
                recorded[entry] = found.level + 1;
            }
        }
        Ok(())
    }
}

/// Compares entries found at a level with a table. `entries` contains the entries' numbers relative
/// to entry `first`.
#[inline]
fn compare(
    table: &Table<&[u8]>,
    first: u64,
    level: u8,
    entries: impl Iterator<Item = usize>,
) -> RecordResult {
    for entry in entries.map(|rank| first + rank as u64) {
        let expected = Some(level);
        if !table.entry_matches(entry, expected) {
            return Err(Mismatch { entry, expected });
        }
    }
    Ok(())
}

/// Compares the entries found with a table that has the same rows as the sweep.
pub(crate) struct CompareRows<'a> {
    pub(crate) table: &'a Table<&'a [u8]>,
    pub(crate) entries: usize,
}

impl Recorder for CompareRows<'_> {
    type Element = u8;

    fn sizes(&self) -> (usize, usize) {
        (0, 0)
    }

    fn record(&self, found: &NewEntries<'_>, _: &mut [u8], _: &mut [u8]) -> RecordResult {
        let first = found.row as u64 * self.entries as u64;
        if self.table.header().encoding == Encoding::OneBit && self.entries % 8 == 0 {
            // Rows of four or more tiles start at byte boundaries, so they are compared word by
            // word.
            let start = (first / 8) as usize;
            let bytes = self.table.payload().get(start..start + self.entries / 8);
            let chunks = bytes.unwrap_or_default().chunks_exact(size_of::<Word>());
            let rest = chunks.remainder();
            let mut last = [0; size_of::<Word>()];
            last[..rest.len()].copy_from_slice(rest);
            let words = chunks.chain([&last[..]]);
            let words = words.map(bytemuck::pod_read_unaligned::<Word>);
            let expected_word = if found.level & 2 != 0 { Word::MAX } else { 0 };
            let wrong = |(new, word): (&Word, Word)| new & (word ^ expected_word);
            // The loop has no branch per word, because errors are very rare.
            let pairs = found.entries.iter().zip(words);
            if pairs.fold(0, |all, pair| all | wrong(pair)) == 0 {
                return Ok(());
            }
        }
        compare(self.table, first, found.level, ones(found.entries))
    }
}

/// Compares the smallest distance over the rows of each shape with a blank-compressed table.
pub(crate) struct CompareMinimum<'a> {
    pub(crate) table: &'a Table<&'a [u8]>,
    /// Numbering of the sweep's rows.
    pub(crate) ranking: &'a Ranking,
}

impl Recorder for CompareMinimum<'_> {
    /// One bit per entry of a shape, set if the entry was reached.
    type Element = Word;

    fn sizes(&self) -> (usize, usize) {
        (0, words_of_row(self.ranking.row_entries()))
    }

    fn record(&self, found: &NewEntries<'_>, _: &mut [Word], met: &mut [Word]) -> RecordResult {
        let shape = self.ranking.row_shape_index(found.row);
        let first = (shape * self.ranking.row_entries()) as u64;
        let unmet = found.entries.iter().zip(met).map(|(&new, met)| {
            let unmet = new & !*met;
            *met |= new;
            unmet
        });
        compare(self.table, first, found.level, ones_of(unmet))
    }
}
