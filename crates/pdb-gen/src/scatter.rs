//! Carrying the set bits of one row to another: the inner loop of the sweep.
//!
//! A row is k! bits. Moving the element at reading position i to position j re-indexes the row by a
//! fixed permutation that leaves ranks alone outside the Lehmer digits between i and j. With a and
//! b the smaller and larger of the two, bits move within blocks of (k-a)! and in runs of (k-1-b)!.
//! Let c = k-5, the position from which on the last five elements stand. Every re-indexing is made
//! of two that touch whole bytes only:
//!
//! - among the positions up to c, runs of 24 bits (three bytes) or multiples of them move as they
//!   are;
//! - among the positions from c on, bits move within blocks of 120 (15 bytes), all blocks alike:
//!   each byte of a block looks up where its bits go.
//!
//! A move across c is the one after the other, since moving an element from a to c and then from c
//! to b is moving it from a to b. Bit by bit instead, the sweep of eight tiles takes twice the time
//! (docs/experiments.md).

use std::ops::BitOrAssign;

use puzzle::{Reindex, factorial};

/// The words that bit strings are made of. Bit e of a row is bit e mod 8 of its byte e / 8.
pub(crate) type Word = u64;
/// Bits of a word.
pub(crate) const WORD_BITS: usize = Word::BITS as usize;

#[cfg(target_endian = "big")]
compile_error!("rows are looked at as words and as bytes, which takes a little-endian machine");

/// Tiles whose permutations fill one block.
const BLOCK_TILES: usize = 5;
/// Bits of a block.
const BLOCK: usize = 120;
/// Bytes of a block.
const BLOCK_BYTES: usize = BLOCK / 8;
/// Bytes of the shortest run.
const SHORT_RUN: usize = 3;
/// If fewer than one bit in this many is set, a block's bits are carried one by one.
const SPARSE: usize = 20;

/// The re-indexing of rows of k tiles for all pairs of positions up to the tray's longest jump.
pub(crate) struct Scatter {
    tiles: usize,
    shifts: Vec<BitMove>,
    runs: Vec<Runs>,
    blocks: Vec<Blocks>,
}

#[derive(Clone, Copy)]
enum BitMove {
    /// No move of the tray does this.
    None,
    Identity,
    Runs(usize),
    Blocks(usize),
    RunsThenBlocks(usize, usize),
    BlocksThenRuns(usize, usize),
}

/// A re-indexing that moves runs of bytes.
struct Runs {
    bytes: usize,
    /// Where each run goes, in bytes.
    targets: Box<[u32]>,
}

/// A re-indexing within blocks, or within the whole row if that is smaller.
struct Blocks {
    /// The target of each bit of a block.
    by_bit: Box<[u128]>,
    /// The targets of the bits of each byte of a block, by (byte's place, byte).
    by_byte: Box<[u128]>,
}

impl Scatter {
    pub(crate) fn new(tiles: usize, jump: usize) -> Self {
        let reindex = Reindex::new(tiles, jump);
        let cut = tiles.saturating_sub(BLOCK_TILES);
        let mut scatter = Scatter {
            tiles,
            shifts: vec![BitMove::None; tiles * tiles],
            runs: Vec::new(),
            blocks: Vec::new(),
        };
        // Pairs on one side of the cut first: the others are made of them.
        for from in 0..tiles {
            for to in (0..tiles).filter(|to| from.abs_diff(*to) <= jump) {
                let shift = if from == to {
                    BitMove::Identity
                } else if from.max(to) <= cut {
                    scatter.runs.push(Runs::new(&reindex, tiles, from, to));
                    BitMove::Runs(scatter.runs.len() - 1)
                } else if from.min(to) >= cut {
                    scatter.blocks.push(Blocks::new(&reindex, tiles, from, to));
                    BitMove::Blocks(scatter.blocks.len() - 1)
                } else {
                    continue;
                };
                scatter.shifts[from * tiles + to] = shift;
            }
        }
        for from in 0..tiles {
            for to in (0..tiles).filter(|to| from.abs_diff(*to) <= jump) {
                let (first, second) = (scatter.shift(from, cut), scatter.shift(cut, to));
                let shift = match (scatter.shift(from, to), first, second) {
                    (BitMove::None, BitMove::Runs(runs), BitMove::Blocks(blocks)) => {
                        BitMove::RunsThenBlocks(runs, blocks)
                    }
                    (BitMove::None, BitMove::Blocks(blocks), BitMove::Runs(runs)) => {
                        BitMove::BlocksThenRuns(blocks, runs)
                    }
                    _ => continue,
                };
                scatter.shifts[from * tiles + to] = shift;
            }
        }
        scatter
    }

    #[inline]
    fn shift(&self, from: usize, to: usize) -> BitMove {
        self.shifts[from * self.tiles + to]
    }

    /// ORs the bits of `source`, re-indexed, into `target`. Both are whole rows; `set` is the
    /// number of set bits of the source, and `scratch` a row of zeros, which it is again
    /// afterwards.
    #[inline]
    pub(crate) fn or_into(
        &self,
        (from, to): (u8, u8),
        source: &[Word],
        set: u32,
        target: &mut [Word],
        scratch: &mut [Word],
    ) {
        let is_sparse = set as usize * SPARSE < source.len() * WORD_BITS;
        let bytes = bytemuck::cast_slice(source);
        match self.shift(from.into(), to.into()) {
            BitMove::None => debug_assert!(false, "the row graph has a move that the tray has not"),
            BitMove::Identity => or(target, source),
            BitMove::Runs(runs) => {
                self.runs[runs].or_into(bytes, bytemuck::cast_slice_mut(target));
            }
            BitMove::Blocks(blocks) => {
                self.blocks[blocks].or_into(bytes, is_sparse, bytemuck::cast_slice_mut(target));
            }
            BitMove::RunsThenBlocks(runs, blocks) => {
                let between: &mut [u8] = bytemuck::cast_slice_mut(scratch);
                self.runs[runs].or_into(bytes, between);
                self.blocks[blocks].or_into(between, is_sparse, bytemuck::cast_slice_mut(target));
                between.fill(0);
            }
            BitMove::BlocksThenRuns(blocks, runs) => {
                let between: &mut [u8] = bytemuck::cast_slice_mut(scratch);
                self.blocks[blocks].or_into(bytes, is_sparse, between);
                self.runs[runs].or_into(between, bytemuck::cast_slice_mut(target));
                between.fill(0);
            }
        }
    }
}

/// ORs elements into others, as far as both go.
#[inline]
pub(crate) fn or<T: Copy + BitOrAssign>(target: &mut [T], source: &[T]) {
    for (target, source) in target.iter_mut().zip(source) {
        *target |= *source;
    }
}

impl Runs {
    fn new(reindex: &Reindex, tiles: usize, from: usize, to: usize) -> Self {
        let run = factorial(tiles - 1 - from.max(to)) as usize;
        let starts = (0..factorial(tiles)).step_by(run);
        Runs {
            bytes: run / 8,
            targets: starts
                .map(|rank| reindex.apply(from, to, rank) / 8)
                .collect(),
        }
    }

    #[inline]
    fn or_into(&self, source: &[u8], target: &mut [u8]) {
        let places = self.targets.iter().map(|&place| place as usize);
        if self.bytes == SHORT_RUN {
            // Four bytes at a time, the last of which belongs to the next run. Rows with runs are
            // 96 bytes and more.
            let last = source.len().min(target.len()) - 4;
            for (start, place) in (0..).step_by(SHORT_RUN).zip(places) {
                let run = read_four(source, start, last);
                if run != 0 {
                    let at = place.min(last);
                    let shifted = run << ((place - at) * 8);
                    let window = &mut target[at..at + 4];
                    let old = u32::from_le_bytes([window[0], window[1], window[2], window[3]]);
                    window.copy_from_slice(&(old | shifted).to_le_bytes());
                }
            }
        } else {
            for (source, place) in source.chunks_exact(self.bytes).zip(places) {
                or(&mut target[place..place + self.bytes], source);
            }
        }
    }
}

/// Three bytes from `start` on, read as part of four that begin no later than `last`.
#[inline]
fn read_four(bytes: &[u8], start: usize, last: usize) -> u32 {
    let at = start.min(last);
    let window = &bytes[at..at + 4];
    let word = u32::from_le_bytes([window[0], window[1], window[2], window[3]]);
    word >> ((start - at) * 8) & 0xff_ffff
}

impl Blocks {
    fn new(reindex: &Reindex, tiles: usize, from: usize, to: usize) -> Self {
        // Blocks are alike, so the first says what happens in each.
        let length = factorial(tiles).min(BLOCK as u32);
        let by_bit: Box<[u128]> = (0..length)
            .map(|rank| 1 << reindex.apply(from, to, rank))
            .collect();
        let by_byte = (0..BLOCK_BYTES * 256)
            .map(|index| {
                let (byte, bits) = (index / 256, index % 256);
                let targets = by_bit.iter().skip(byte * 8).take(8).enumerate();
                targets
                    .filter(|(bit, _)| bits >> bit & 1 != 0)
                    .fold(0, |all, (_, target)| all | target)
            })
            .collect();
        Blocks { by_bit, by_byte }
    }

    #[inline]
    fn or_into(&self, source: &[u8], is_sparse: bool, target: &mut [u8]) {
        if source.len() < 16 {
            // Up to four tiles: one word.
            for (byte, &bits) in source.iter().enumerate().take(SHORT_RUN) {
                let carried = self.by_byte[byte * 256 + usize::from(bits)].to_le_bytes();
                or(target, &carried);
            }
        } else if is_sparse {
            self.each_block(source, target, |block| {
                let (mut bits, mut carried) = (block, 0);
                while bits != 0 {
                    carried |= self.by_bit[bits.trailing_zeros() as usize];
                    bits &= bits - 1;
                }
                carried
            });
        } else {
            self.each_block(source, target, |block| {
                let bytes = block.to_le_bytes();
                let bytes = bytes[..BLOCK_BYTES].iter();
                let tables = self.by_byte.chunks_exact(256);
                tables
                    .zip(bytes)
                    .fold(0, |all, (table, &byte)| all | table[usize::from(byte)])
            });
        }
    }

    #[inline(always)]
    fn each_block(&self, source: &[u8], target: &mut [u8], carry: impl Fn(u128) -> u128) {
        /// A block is read as part of 16 bytes.
        const WINDOW: usize = 16;
        let last = source.len().min(target.len()) - WINDOW;
        let blocks = source.len() / BLOCK_BYTES;
        for start in (0..blocks * BLOCK_BYTES).step_by(BLOCK_BYTES) {
            let at = start.min(last);
            let shift = (start - at) * 8;
            let mut window = [0; WINDOW];
            window.copy_from_slice(&source[at..at + WINDOW]);
            let block = u128::from_le_bytes(window) >> shift & ((1 << BLOCK) - 1);
            if block != 0 {
                let carried = carry(block) << shift;
                let place = &mut target[at..at + WINDOW];
                window.copy_from_slice(place);
                let all = u128::from_le_bytes(window) | carried;
                place.copy_from_slice(&all.to_le_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair and every bit for up to 7 tiles, a spread of bits beyond; few bits and many.
    #[test]
    fn bits_go_where_the_ranks_go() {
        for tiles in 1..=10 {
            let jump = 4.min(tiles);
            let (scatter, reindex) = (Scatter::new(tiles, jump), Reindex::new(tiles, jump));
            let entries = factorial(tiles) as usize;
            let words = entries.div_ceil(WORD_BITS);
            let mut scratch = vec![0; words];
            let steps = if tiles <= 7 { [3, 1] } else { [7919, 11] };
            for (from, step) in (0..tiles).flat_map(|from| steps.map(|step| (from, step))) {
                for to in (0..tiles).filter(|to| from.abs_diff(*to) <= jump) {
                    let mut source = vec![0; words];
                    let mut expected = vec![0; words];
                    for rank in (from..entries).step_by(step) {
                        source[rank / WORD_BITS] |= 1 << (rank % WORD_BITS);
                        let place = reindex.apply(from, to, rank as u32) as usize;
                        expected[place / WORD_BITS] |= 1 << (place % WORD_BITS);
                    }
                    let set = source.iter().map(|word: &Word| word.count_ones()).sum();
                    let mut target = vec![0; words];
                    let pair = (from as u8, to as u8);
                    scatter.or_into(pair, &source, set, &mut target, &mut scratch);
                    assert!(target == expected, "{tiles} tiles, {from} to {to}");
                    assert!(scratch.iter().all(|&word| word == 0));
                }
            }
        }
    }
}
