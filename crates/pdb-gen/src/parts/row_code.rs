//! Encodes bit rows for sending: as bits or as positions of the set bits, whichever is shorter.
//!
//! An encoded row starts with a number: twice the difference from the previous row number, plus 1
//! if positions follow. The number is followed by the bits, or by the number of positions and one
//! byte per position. The byte is the number of zeros before this position, counted from the
//! previous position or from the start of the row. A byte of 255 stands for 255 zeros, and the next
//! byte continues the count. Numbers are sequences of bytes with seven bits each, lowest first; the
//! top bit is set in all bytes except the last.

use crate::sweep::scatter::{WORD_BITS, Word};

/// A byte with this value stands for 255 zeros and no set bit. A byte with a smaller value n stands
/// for n zeros and the set bit after them.
const SKIP: usize = 255;

fn put_number(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

fn take_number(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// An encoded row, which can be sent to several parts.
#[derive(Default)]
pub(crate) struct RowCode {
    /// Whether `bytes` contains positions.
    pub(crate) is_positions: bool,
    bytes: Vec<u8>,
}

impl RowCode {
    /// Encodes a row of `entries` bits, of which `set` are set.
    pub(crate) fn encode(&mut self, row: &[Word], entries: usize, set: u32) {
        self.bytes.clear();
        let length = entries.div_ceil(8);
        self.is_positions = (set as usize) < length && self.put_positions(row, length, set);
        if !self.is_positions {
            self.bytes.clear();
            let bits: &[u8] = bytemuck::cast_slice(row);
            self.bytes.extend_from_slice(&bits[..length]);
        }
    }

    /// Encodes a row as the positions of its set bits. Returns false if the positions need `limit`
    /// bytes or more.
    fn put_positions(&mut self, row: &[Word], limit: usize, set: u32) -> bool {
        put_number(u64::from(set), &mut self.bytes);
        let mut next = 0;
        for (index, &word) in row.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let position = index * WORD_BITS + bits.trailing_zeros() as usize;
                let mut gap = position - next;
                while gap >= SKIP {
                    self.bytes.push(SKIP as u8);
                    gap -= SKIP;
                }
                self.bytes.push(gap as u8);
                next = position + 1;
                bits &= bits - 1;
            }
            if self.bytes.len() >= limit {
                return false;
            }
        }
        true
    }

    /// Appends the row to a block. `step` is the difference from the previous row number.
    pub(crate) fn append(&self, step: u32, block: &mut Vec<u8>) {
        put_number(u64::from(step) << 1 | u64::from(self.is_positions), block);
        block.extend_from_slice(&self.bytes);
    }
}

/// Minimum number of entries for an estimate: if a row of this size arrives as bits, the receiver
/// does not count its set bits, but assumes one per byte. Sparser rows are usually sent as
/// positions.
const MANY: usize = 720;

/// Decodes the next row of a block into `row`. Returns the difference from the previous row number
/// and the approximate number of set bits, or `None` if the bytes are not a row of `entries` bits.
pub(crate) fn take_row(block: &mut &[u8], entries: usize, row: &mut [Word]) -> Option<(u32, u32)> {
    let start = take_number(block)?;
    let step = u32::try_from(start >> 1).ok()?;
    if start & 1 == 0 {
        // The row's bits may end inside the last word, so this word is cleared first.
        *row.last_mut()? = 0;
        let (bits, rest) = block.split_at_checked(entries.div_ceil(8))?;
        *block = rest;
        bytemuck::cast_slice_mut(row)[..bits.len()].copy_from_slice(bits);
        let is_clean = entries % 8 == 0 || bits.last()? >> (entries % 8) == 0;
        let set = match entries < MANY {
            true => row.iter().map(|word| word.count_ones()).sum(),
            false => bits.len() as u32,
        };
        return is_clean.then_some((step, set));
    }
    row.fill(0);
    let set = take_number(block)?;
    let mut next = 0;
    for _ in 0..set {
        loop {
            let (&gap, rest) = block.split_first()?;
            *block = rest;
            next += usize::from(gap);
            if usize::from(gap) != SKIP {
                break;
            }
        }
        if next >= entries {
            return None;
        }
        row[next / WORD_BITS] |= 1 << (next % WORD_BITS);
        next += 1;
    }
    Some((step, set as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_reverses_both_encodings() {
        let mut random = 1_u64;
        let mut code = RowCode::default();
        let mut forms = [0, 0];
        for entries in [24_usize, 120, 720, 5040] {
            let words = entries.div_ceil(WORD_BITS);
            for density in [1, 3, 10, 60, 400, 3000] {
                let mut block = Vec::new();
                let mut rows = Vec::new();
                for step in [0, 1, 5, 1000, 1 << 30] {
                    let mut row = vec![0; words];
                    for position in 0..entries {
                        random = random
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1);
                        if random >> 33 & 0xfff < 4096 / density {
                            row[position / WORD_BITS] |= 1 << (position % WORD_BITS);
                        }
                    }
                    let set: u32 = row.iter().map(|word: &Word| word.count_ones()).sum();
                    code.encode(&row, entries, set);
                    forms[usize::from(code.is_positions)] += 1;
                    assert!(code.bytes.len() <= entries / 8);
                    code.append(step, &mut block);
                    rows.push((step, set, row));
                }
                let mut rest = &block[..];
                let mut found = vec![Word::MAX; words];
                for (step, set, row) in rows {
                    let (found_step, about) = take_row(&mut rest, entries, &mut found).unwrap();
                    assert_eq!(found_step, step);
                    assert!(
                        about == set || (entries >= MANY && about <= set + 8),
                        "{about} {set}"
                    );
                    assert_eq!(found, row);
                }
                assert!(rest.is_empty());
                // If the block is truncated, its last row is rejected.
                let mut rest = &block[..block.len() - 1];
                let rows = std::iter::from_fn(|| take_row(&mut rest, entries, &mut found));
                assert_eq!(rows.count(), 4);
            }
        }
        assert!(forms[0] > 20 && forms[1] > 20, "{forms:?}");
    }
}
