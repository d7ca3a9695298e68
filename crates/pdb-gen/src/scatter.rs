//! Carrying the set bits of one row to another: the inner loop of the sweep.
//!
//! A row is k! bits. Moving the element at reading position i to position j re-indexes the row by a fixed
//! permutation that leaves ranks alone outside the Lehmer digits between i and j. With a and b the smaller and larger
//! of the two, bits move within blocks of (k-a)! and in runs of (k-1-b)!. Three ways follow:
//! the identity is a plain OR of words; long runs are moved as runs; everything else goes bit by bit through a table
//! of at most 8! places, however large the row.

use puzzle::{Reindex, factorial};

/// The words that bit strings are made of: as wide as the machine's, since bitvec keeps no wider ones.
pub(crate) type Word = usize;
/// Bits of a word.
pub(crate) const WORD_BITS: usize = Word::BITS as usize;

/// Largest number of tiles whose permutations are re-indexed by one table.
const TABLE_TILES: usize = 8;
/// Runs of at least this many bits are moved as runs.
const LONG_RUN: usize = 24;

/// The re-indexing of rows of k tiles for all pairs of positions up to the tray's longest jump.
pub(crate) struct Scatter {
    tiles: usize,
    shifts: Vec<Shift>,
}

enum Shift {
    /// No move of the tray does this.
    None,
    Identity,
    /// Target of each bit within blocks of whole words, or of the whole row.
    Table(Box<[u16]>),
    /// Target of each run of `length` bits, in bits.
    Runs {
        length: usize,
        targets: Box<[u32]>,
    },
}

impl Scatter {
    pub(crate) fn new(tiles: usize, jump: usize) -> Self {
        let reindex = Reindex::new(tiles, jump);
        let table_tiles = tiles.min(TABLE_TILES);
        let table_reindex = Reindex::new(table_tiles, jump);
        // Positions of the last `table_tiles` elements, as positions of a permutation of their own.
        let skipped = tiles - table_tiles;
        let shift = |from: usize, to: usize| {
            let (a, b) = (from.min(to), from.max(to));
            let run = factorial(tiles - 1 - b) as usize;
            if a == b {
                Shift::Identity
            } else if b - a > jump {
                Shift::None
            } else if a < skipped || run >= LONG_RUN {
                let starts = (0..factorial(tiles)).step_by(run);
                Shift::Runs {
                    length: run,
                    targets: starts.map(|rank| reindex.apply(from, to, rank)).collect(),
                }
            } else {
                let (from, to) = (from - skipped, to - skipped);
                let ranks = 0..factorial(table_tiles);
                let target = |rank| table_reindex.apply(from, to, rank) as u16;
                Shift::Table(ranks.map(target).collect())
            }
        };
        let pairs = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        Scatter {
            tiles,
            shifts: pairs.map(|(from, to)| shift(from, to)).collect(),
        }
    }

    /// ORs the bits of `source`, re-indexed, into `target`. Both are whole rows.
    #[inline]
    pub(crate) fn or_into(&self, from: u8, to: u8, source: &[Word], target: &mut [Word]) {
        match &self.shifts[usize::from(from) * self.tiles + usize::from(to)] {
            Shift::None => debug_assert!(false, "the row graph has a move that the tray has not"),
            Shift::Identity => {
                for (target, source) in target.iter_mut().zip(source) {
                    *target |= source;
                }
            }
            Shift::Table(table) => {
                let words = table.len().div_ceil(WORD_BITS);
                for (source, target) in source.chunks(words).zip(target.chunks_mut(words)) {
                    or_bits(table, source, target);
                }
            }
            Shift::Runs { length, targets } => or_runs(*length, targets, source, target),
        }
    }

    /// Where the entry of rank `rank` goes; `rank` when the pair is no move of the tray.
    pub(crate) fn target(&self, from: u8, to: u8, rank: usize) -> usize {
        match &self.shifts[usize::from(from) * self.tiles + usize::from(to)] {
            Shift::None | Shift::Identity => rank,
            Shift::Table(table) => {
                let inner = rank % table.len();
                rank - inner + usize::from(table[inner])
            }
            Shift::Runs { length, targets } => targets[rank / length] as usize + rank % length,
        }
    }
}

#[inline]
fn or_bits(table: &[u16], source: &[Word], target: &mut [Word]) {
    for (&word, places) in source.iter().zip(table.chunks(WORD_BITS)) {
        let mut bits = word;
        while bits != 0 {
            let place = usize::from(places[bits.trailing_zeros() as usize]);
            target[place / WORD_BITS] |= 1 << (place % WORD_BITS);
            bits &= bits - 1;
        }
    }
}

#[inline]
fn or_runs(length: usize, targets: &[u32], source: &[Word], target: &mut [Word]) {
    for (run, &place) in targets.iter().enumerate() {
        let mut start = run * length;
        let mut place = place as usize;
        let end = start + length;
        while start < end {
            let count = (end - start).min(WORD_BITS);
            let bits = read_bits(source, start, count);
            if bits != 0 {
                or_word(target, place, bits);
            }
            start += count;
            place += count;
        }
    }
}

/// `count` bits (1 to [`WORD_BITS`]) from bit `start`.
#[inline]
fn read_bits(words: &[Word], start: usize, count: usize) -> Word {
    let (word, shift) = (start / WORD_BITS, start % WORD_BITS);
    let mut bits = words[word] >> shift;
    if shift + count > WORD_BITS {
        bits |= words[word + 1] << (WORD_BITS - shift);
    }
    bits & (Word::MAX >> (WORD_BITS - count))
}

/// ORs bits in from bit `place` on.
#[inline]
fn or_word(words: &mut [Word], place: usize, bits: Word) {
    let (word, shift) = (place / WORD_BITS, place % WORD_BITS);
    words[word] |= bits << shift;
    if shift > 0 && bits >> (WORD_BITS - shift) != 0 {
        words[word + 1] |= bits >> (WORD_BITS - shift);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair and every bit for up to 7 tiles, a spread of bits beyond.
    #[test]
    fn bits_go_where_the_ranks_go() {
        for tiles in 1..=10 {
            let jump = 4.min(tiles);
            let (scatter, reindex) = (Scatter::new(tiles, jump), Reindex::new(tiles, jump));
            let entries = factorial(tiles) as usize;
            let words = entries.div_ceil(WORD_BITS);
            let step = if tiles <= 7 { 3 } else { 7919 };
            for from in 0..tiles {
                for to in (0..tiles).filter(|to| from.abs_diff(*to) <= jump) {
                    let mut source = vec![0; words];
                    let mut expected = vec![0; words];
                    for rank in (from..entries).step_by(step) {
                        source[rank / WORD_BITS] |= 1 << (rank % WORD_BITS);
                        let place = reindex.apply(from, to, rank as u32) as usize;
                        expected[place / WORD_BITS] |= 1 << (place % WORD_BITS);
                        assert_eq!(scatter.target(from as u8, to as u8, rank), place);
                    }
                    let mut target = vec![0; words];
                    scatter.or_into(from as u8, to as u8, &source, &mut target);
                    assert!(target == expected, "{tiles} tiles, {from} to {to}");
                }
            }
        }
    }
}
