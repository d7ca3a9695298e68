//! Moves the set bits of one row to another: the inner loop of the sweep.
//!
//! A row has k! bits. Moving the element at reading position i to position j re-indexes the row by
//! a fixed permutation, which changes only the Lehmer digits between i and j. Let a and b be the
//! smaller and the larger of i and j: bits move within stretches of (k-a)! bits, in whole runs of
//! (k-1-b)! bits. Let c = k-5, the first position of the last five elements, whose 5! = 120
//! permutations form a block of 15 bytes. There are two kinds of steps:
//!
//! - among the positions up to c, runs of 24 bits (three bytes) or whole blocks move unchanged;
//! - among the positions from c on, bits move within their blocks, in every block in the same way.
//!   A lookup table contains the targets of each byte's bits.
//!
//! A move with a < c < b takes both steps: the first moves the element from i to c, the second from
//! c to j. A sweep of eight tiles would take twice as long if bits were moved one by one
//! (docs/experiments.md). The target is written block after block; each block fetches its bits from
//! the source.

use std::ops::BitOrAssign;

use puzzle::{Reindex, factorial};

/// Machine word of a row's bit string. Bit e of a row is bit e mod 8 of its byte e / 8.
pub(crate) type Word = u64;
pub(crate) const WORD_BITS: usize = Word::BITS as usize;

#[cfg(target_endian = "big")]
compile_error!(
    "big-endian machines are not supported: rows are accessed both as words and as bytes"
);

/// Number of tiles whose permutations fill one block.
const BLOCK_TILES: usize = 5;
const BLOCK: usize = 120;
const BLOCK_BYTES: usize = BLOCK / 8;
/// Bytes of a run of 4! bits. A move among the positions up to c (see the module documentation)
/// moves whole runs. A move among the last four positions moves bits within their runs only.
const RUN_BYTES: usize = 3;
const RUNS: usize = BLOCK_BYTES / RUN_BYTES;
/// If fewer than 1 in `SPARSE` bits of a row is set, the bits of each block are moved one by one.
const SPARSE: u64 = 20;
/// If a row has fewer than 1 set bit per `FEW` words, the row is scanned once and its set bits are
/// moved one by one.
const FEW: u64 = 24;

/// Number of words of a bit row. At least one byte at the end is padding, since blocks and runs are
/// read together with the byte after them.
pub(crate) fn words_of_row(entries: usize) -> usize {
    (entries + 8).div_ceil(WORD_BITS)
}

/// Re-indexes rows of k tiles. `moves` contains one re-indexing per pair of positions in reading
/// order: the position of the moved tile before the move, and the one after it.
pub(crate) struct Scatter {
    tiles: usize,
    reindex: Reindex,
    moves: Vec<BitMove>,
    runs: Vec<Runs>,
    blocks: Vec<Blocks>,
}

#[derive(Clone, Copy)]
enum BitMove {
    /// No move of the tray has these positions.
    None,
    Identity,
    Runs(usize),
    Blocks(usize),
    RunsThenBlocks(usize, usize),
    BlocksThenRuns(usize, usize),
}

/// A re-indexing that moves whole runs or whole blocks. The arrays contain their byte offsets in
/// the source, in the order of the target.
enum Runs {
    Short(Box<[[u32; RUNS]]>),
    WholeBlocks(Box<[u32]>),
}

/// A re-indexing within blocks, or within the whole row if the row is shorter than a block.
struct Blocks {
    /// Target of each bit of a block.
    by_bit: Box<[[u64; 2]]>,
    /// Targets of the bits of a byte, by the byte's position in the block and the byte's value.
    by_byte: Box<[[[u64; 2]; 256]; BLOCK_BYTES]>,
    /// Like `by_byte`, but for the bytes of a run instead of a block. `None` if bits move between
    /// runs, or if the row is shorter than a block. This table is a twentieth of the size of
    /// `by_byte` and stays in the fastest cache.
    by_run_byte: Option<Box<[[u32; 256]; RUN_BYTES]>>,
}

impl Scatter {
    pub(crate) fn new(tiles: usize, jump: usize) -> Self {
        let reindex = Reindex::new(tiles, jump);
        let cut = tiles.saturating_sub(BLOCK_TILES);
        let mut moves = vec![BitMove::None; tiles * tiles];
        let (mut runs, mut blocks) = (Vec::new(), Vec::new());
        let pairs = || (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let pairs = || pairs().filter(|(from, to)| from.abs_diff(*to) <= jump);
        // The first loop builds the moves that do not cross position `cut`. The second loop
        // composes every other move from two of these: one to `cut`, and one from `cut`.
        for (from, to) in pairs() {
            moves[from * tiles + to] = if from == to {
                BitMove::Identity
            } else if from.max(to) <= cut {
                runs.push(Runs::new(&reindex, tiles, from, to));
                BitMove::Runs(runs.len() - 1)
            } else if from.min(to) >= cut {
                blocks.push(Blocks::new(&reindex, tiles, from, to));
                BitMove::Blocks(blocks.len() - 1)
            } else {
                continue;
            };
        }
        for (from, to) in pairs() {
            let ways = [(from, to), (from, cut), (cut, to)];
            let [whole, first, second] = ways.map(|(from, to)| moves[from * tiles + to]);
            moves[from * tiles + to] = match (whole, first, second) {
                (BitMove::None, BitMove::Runs(runs), BitMove::Blocks(blocks)) => {
                    BitMove::RunsThenBlocks(runs, blocks)
                }
                (BitMove::None, BitMove::Blocks(blocks), BitMove::Runs(runs)) => {
                    BitMove::BlocksThenRuns(blocks, runs)
                }
                _ => continue,
            };
        }
        Scatter {
            tiles,
            reindex,
            moves,
            runs,
            blocks,
        }
    }

    /// Re-indexes the bits of `source` and ORs them into `target`. Both are whole rows. `set` is
    /// the number of set bits in the source; `scratch` is a row that is overwritten.
    #[inline]
    pub(crate) fn or_into(
        &self,
        (from, to): (u8, u8),
        source: PlanePair<'_>,
        set: u32,
        target: &mut [Word],
        scratch: &mut [Word],
    ) {
        let is_sparse = u64::from(set) * SPARSE < (target.len() * WORD_BITS) as u64;
        let bit_move = self.moves[usize::from(from) * self.tiles + usize::from(to)];
        if let BitMove::Identity = bit_move {
            for (index, target) in target.iter_mut().enumerate() {
                *target |= source.word(index);
            }
            return;
        }
        if u64::from(set) * FEW < target.len() as u64 {
            return self.or_few((from, to), source, set, target);
        }
        let target: &mut [u8] = bytemuck::cast_slice_mut(target);
        match bit_move {
            BitMove::None => debug_assert!(
                false,
                "the row graph has a move that is not a move of the tray"
            ),
            BitMove::Identity => {}
            BitMove::Runs(runs) => self.runs[runs].or_into(source, target),
            BitMove::Blocks(blocks) => self.blocks[blocks].or_into(source, is_sparse, target),
            BitMove::RunsThenBlocks(runs, blocks) => {
                let between: &mut [u8] = bytemuck::cast_slice_mut(scratch);
                between.fill(0);
                self.runs[runs].or_into(source, between);
                self.blocks[blocks].or_into(
                    PlanePair::of_one(bytemuck::cast_slice(between)),
                    is_sparse,
                    target,
                );
            }
            BitMove::BlocksThenRuns(blocks, runs) => {
                let between: &mut [u8] = bytemuck::cast_slice_mut(scratch);
                between.fill(0);
                self.blocks[blocks].or_into(source, is_sparse, between);
                self.runs[runs].or_into(PlanePair::of_one(bytemuck::cast_slice(between)), target);
            }
        }
    }

    /// Re-indexes the few bits of `source` one by one, and ORs them into `target`.
    fn or_few(&self, (from, to): (u8, u8), source: PlanePair<'_>, set: u32, target: &mut [Word]) {
        let mut left = set;
        for index in 0..target.len() {
            let mut bits = source.word(index);
            while bits != 0 {
                let rank = (index * WORD_BITS) as u32 + bits.trailing_zeros();
                let place = self.reindex.apply(from.into(), to.into(), rank) as usize;
                target[place / WORD_BITS] |= 1 << (place % WORD_BITS);
                bits &= bits - 1;
                left -= 1;
            }
            if left == 0 {
                break;
            }
        }
    }
}

/// The two planes of a row. Bits set in both are its frontier. The frontier is not stored: the
/// planes are ANDed whenever it is read, because a copy of the frontier would cost a tenth of the
/// sweep's time.
#[derive(Clone, Copy)]
pub(crate) struct PlanePair<'a>(pub(crate) &'a [Word], pub(crate) &'a [Word]);

impl<'a> PlanePair<'a> {
    /// A pair in which both planes are the same bit row. Reading the row twice is cheap. Without
    /// such pairs, all loops would need a second version for single rows.
    pub(crate) fn of_one(bits: &'a [Word]) -> Self {
        PlanePair(bits, bits)
    }

    #[inline(always)]
    fn word(self, index: usize) -> Word {
        self.0[index] & self.1[index]
    }

    /// The block at byte `at`.
    #[inline(always)]
    fn block(self, at: usize) -> [u64; 2] {
        let read = |bits: &[Word]| -> [u64; 2] {
            bytemuck::pod_read_unaligned(&bytemuck::cast_slice(bits)[at..at + 16])
        };
        let ([low, high], [other_low, other_high]) = (read(self.0), read(self.1));
        let own = (1 << (BLOCK - 64)) - 1;
        [low & other_low, high & other_high & own]
    }

    /// The run at byte `at`.
    #[inline(always)]
    fn run(self, at: u32) -> u64 {
        let at = at as usize;
        let read = |bits: &[Word]| -> u32 {
            bytemuck::pod_read_unaligned(&bytemuck::cast_slice(bits)[at..at + 4])
        };
        u64::from(read(self.0) & read(self.1) & 0xff_ffff)
    }
}

/// ORs `source` into `target`, up to the shorter length.
#[inline]
pub(crate) fn or<T: Copy + BitOrAssign>(target: &mut [T], source: &[T]) {
    for (target, source) in target.iter_mut().zip(source) {
        *target |= *source;
    }
}

/// ORs blocks into the blocks of a row, in order. Each block is read and written together with the
/// byte after it, which stays unchanged. The next block is read before the current one is written:
/// a processor stalls when it reads memory that it has just partly written.
#[inline(always)]
fn or_blocks(target: &mut [u8], blocks: impl Iterator<Item = [u64; 2]>) {
    let read = |target: &[u8], at: usize| -> [u64; 2] {
        match target.get(at..at + 16) {
            Some(bytes) => bytemuck::pod_read_unaligned(bytes),
            None => [0; 2],
        }
    };
    let mut next = read(target, 0);
    for (index, block) in blocks.enumerate() {
        let at = index * BLOCK_BYTES;
        let here = std::mem::replace(&mut next, read(target, at + BLOCK_BYTES));
        if block != [0; 2] {
            let all = [here[0] | block[0], here[1] | block[1]];
            target[at..at + 16].copy_from_slice(bytemuck::cast_slice(&all));
        }
    }
}

/// Joins runs into a block.
#[inline(always)]
fn join_runs(runs: [u64; RUNS]) -> [u64; 2] {
    let low = runs[0] | runs[1] << 24 | runs[2] << 48;
    [low, runs[2] >> 16 | runs[3] << 8 | runs[4] << 32]
}

impl Runs {
    fn new(reindex: &Reindex, tiles: usize, from: usize, to: usize) -> Self {
        let run = factorial(tiles - 1 - from.max(to)) as usize;
        let unit = run.min(BLOCK);
        let mut sources = vec![0; factorial(tiles) as usize / unit];
        for rank in (0..factorial(tiles)).step_by(unit) {
            let place = reindex.apply(from, to, rank) as usize / unit;
            sources[place] = rank / 8;
        }
        match unit == BLOCK {
            true => Runs::WholeBlocks(sources.into()),
            false => {
                let block = |runs: &[u32]| std::array::from_fn(|run| runs[run]);
                Runs::Short(sources.chunks_exact(RUNS).map(block).collect())
            }
        }
    }

    #[inline]
    fn or_into(&self, source: PlanePair<'_>, target: &mut [u8]) {
        match self {
            Runs::Short(sources) => {
                let block = |runs: &[u32; RUNS]| join_runs(runs.map(|at| source.run(at)));
                or_blocks(target, sources.iter().map(block));
            }
            Runs::WholeBlocks(sources) => {
                or_blocks(target, sources.iter().map(|&at| source.block(at as usize)));
            }
        }
    }
}

impl Blocks {
    fn new(reindex: &Reindex, tiles: usize, from: usize, to: usize) -> Self {
        // The re-indexing is the same in all blocks, so only the first block is computed.
        let length = factorial(tiles).min(BLOCK as u32);
        let by_bit: Box<[[u64; 2]]> = (0..length)
            .map(|rank| 1_u128 << reindex.apply(from, to, rank))
            .map(|bit| [bit as u64, (bit >> 64) as u64])
            .collect();
        let mut by_byte = Box::new([[[0; 2]; 256]; BLOCK_BYTES]);
        for (byte, table) in by_byte.iter_mut().enumerate() {
            let targets = by_bit.iter().skip(byte * 8).take(8).enumerate();
            for (bits, all) in table.iter_mut().enumerate() {
                let set = targets.clone().filter(|(bit, _)| bits >> bit & 1 != 0);
                *all = set.fold([0; 2], |all, (_, target)| both_or(all, *target));
            }
        }
        let stays = from.min(to) + BLOCK_TILES > tiles && length as usize == BLOCK;
        let by_run_byte = stays.then(|| {
            // The re-indexing is the same in all runs, so only the first run of the first block is
            // computed.
            let bytes = |byte: usize| std::array::from_fn(|bits| by_byte[byte][bits][0] as u32);
            Box::new(std::array::from_fn(bytes))
        });
        Blocks {
            by_bit,
            by_byte,
            by_run_byte,
        }
    }

    #[inline]
    fn or_into(&self, source: PlanePair<'_>, is_sparse: bool, target: &mut [u8]) {
        if target.len() < 16 {
            // With up to four tiles, the row is one word.
            let bytes = source.run(0).to_le_bytes();
            for (byte, bits) in bytes.into_iter().take(RUN_BYTES).enumerate() {
                let carried = self.by_byte[byte][usize::from(bits)];
                or(target, bytemuck::cast_slice(&carried));
            }
            return;
        }
        let ends = (BLOCK_BYTES..target.len()).step_by(BLOCK_BYTES);
        let blocks = ends.map(|end| source.block(end - BLOCK_BYTES));
        if is_sparse {
            let (low, high) = self.by_bit.split_at(64);
            let carry =
                |block: [u64; 2]| both_or(carry_bits(block[0], low), carry_bits(block[1], high));
            or_blocks(target, blocks.map(carry));
        } else if let Some(tables) = &self.by_run_byte {
            let carry = |block: [u64; 2]| {
                let bytes = bytemuck::cast::<_, [u8; 16]>(block);
                join_runs(std::array::from_fn(|run| {
                    let bytes = bytes[run * RUN_BYTES..].iter();
                    let pairs = tables.iter().zip(bytes);
                    let carried =
                        pairs.fold(0, |all, (table, &byte)| all | table[usize::from(byte)]);
                    u64::from(carried)
                }))
            };
            or_blocks(target, blocks.map(carry));
        } else {
            let carry = |block: [u64; 2]| {
                let bytes = bytemuck::cast::<_, [u8; 16]>(block);
                let mut carried = [0; 2];
                for (table, byte) in self.by_byte.iter().zip(bytes) {
                    carried = both_or(carried, table[usize::from(byte)]);
                }
                carried
            };
            or_blocks(target, blocks.map(carry));
        }
    }
}

/// Re-indexes half a block: ORs the targets of its set bits.
#[inline(always)]
fn carry_bits(mut bits: u64, targets: &[[u64; 2]]) -> [u64; 2] {
    let mut carried = [0; 2];
    while bits != 0 {
        carried = both_or(carried, targets[bits.trailing_zeros() as usize]);
        bits &= bits - 1;
    }
    carried
}

/// ORs two blocks.
#[inline(always)]
fn both_or(one: [u64; 2], other: [u64; 2]) -> [u64; 2] {
    [one[0] | other[0], one[1] | other[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests every pair of positions, with few and with many set bits. With up to 7 tiles, nearly
    /// all bits are tested; with more, a sample.
    #[test]
    fn bits_move_as_their_ranks_do() {
        for tiles in 1..=10 {
            let jump = 4.min(tiles);
            let (scatter, reindex) = (Scatter::new(tiles, jump), Reindex::new(tiles, jump));
            let entries = factorial(tiles) as usize;
            let words = words_of_row(entries);
            let mut scratch = vec![0; words];
            let steps = if tiles <= 7 { [3, 1] } else { [7919, 11] };
            for (from, step) in (0..tiles).flat_map(|from| steps.map(|step| (from, step))) {
                for to in (0..tiles).filter(|to| from.abs_diff(*to) <= jump) {
                    // Bits set in only one plane must be ignored. Bits already set in `target` must
                    // remain.
                    let (mut ones, mut zeros) = (vec![0; words], vec![0; words]);
                    let mut target = vec![0; words];
                    for rank in 0..entries {
                        let bit: Word = 1 << (rank % WORD_BITS);
                        match rank * 31 % 7 {
                            0 => ones[rank / WORD_BITS] |= bit,
                            1 => zeros[rank / WORD_BITS] |= bit,
                            2 => target[rank / WORD_BITS] |= bit,
                            _ => {}
                        }
                    }
                    let mut expected = target.clone();
                    let mut set = 0;
                    for rank in (from..entries).step_by(step) {
                        let bit = 1 << (rank % WORD_BITS);
                        ones[rank / WORD_BITS] |= bit;
                        zeros[rank / WORD_BITS] |= bit;
                        let place = reindex.apply(from, to, rank as u32) as usize;
                        expected[place / WORD_BITS] |= 1 << (place % WORD_BITS);
                        set += 1;
                    }
                    let (pair, both) = ((from as u8, to as u8), PlanePair(&ones, &zeros));
                    scatter.or_into(pair, both, set, &mut target, &mut scratch);
                    assert!(target == expected, "{tiles} tiles, {from} to {to}");
                }
            }
        }
    }
}
