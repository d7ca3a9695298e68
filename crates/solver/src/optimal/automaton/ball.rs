//! Graph of the arrangements that a few moves reach from a start cell of the blank.

use puzzle::{Cell, Direction, Tray};

use super::NODES_PER_CHECK;

/// All arrangements within a number of moves from a start, numbered in the order of their distance.
pub(super) struct Ball {
    /// For each arrangement and each move of [`Direction::ALL`], the number of the next
    /// arrangement. Arrangements at the maximum distance are not included.
    pub(super) next: Vec<[u32; 4]>,
    /// For each arrangement: true if two shortest paths to it have different last moves, or if the
    /// value is true for a neighbour one move farther from the start. If false, no minimal
    /// forbidden string begins with the least string to this arrangement, except the string that
    /// undoes a single move.
    pub(super) matters: Vec<bool>,
}

/// Marks a move that leaves the tray.
pub(super) const OFF: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

impl Ball {
    pub(super) fn new(
        tray: Tray,
        start: Cell,
        depth: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let targets: Vec<[Option<Cell>; 4]> = tray
            .iter()
            .map(|cell| Direction::ALL.map(|direction| tray.step(cell, direction)))
            .collect();
        let slots = slots(tray, start);
        let slot = |cell: Cell| slots[cell.index()];
        let inside = tray.iter().map(slot).filter(|&slot| slot < NO_SLOT);
        let start_key = inside.fold(0, |key, slot| key | u128::from(slot) << (5 * slot));
        let mut next = vec![[UNKNOWN; 4]];
        let mut matters = vec![false];
        // Of the arrangements at one distance: their keys, and the cells of the blank.
        let (mut keys, mut blanks) = (vec![start_key], vec![start]);
        for length in 1..=depth {
            let first = matters.len() - keys.len();
            // A move changes the distance by one, and the moves back have been stored already. So
            // only the arrangements at the new distance must be told apart.
            let mut farther = Numbering::new(matters.len() as u32);
            let mut blanks_farther = Vec::new();
            for (at, (&key, &blank)) in keys.iter().zip(&blanks).enumerate() {
                let id = first + at;
                if id % NODES_PER_CHECK == 0 && is_over() {
                    return None;
                }
                for direction in 0..4 {
                    if next[id][direction] != UNKNOWN {
                        continue;
                    }
                    let Some(target) = targets[blank.index()][direction] else {
                        next[id][direction] = OFF;
                        continue;
                    };
                    let (from, to) = (5 * slot(blank), 5 * slot(target));
                    let change = (key >> to & 31) ^ u128::from(slot(start));
                    let after = farther.number(key ^ change << from ^ change << to);
                    next[id][direction] = after;
                    let after = after as usize;
                    if after < matters.len() {
                        matters[after] = true;
                    } else {
                        blanks_farther.push(target);
                        matters.push(false);
                        if length < depth {
                            next.push([UNKNOWN; 4]);
                        }
                    }
                    if length < depth {
                        // Opposite directions differ in the lowest bit of their number.
                        next[after][direction ^ 1] = id as u32;
                    }
                }
            }
            (keys, blanks) = (farther.keys, blanks_farther);
        }
        for (id, next) in next.iter().enumerate().rev() {
            let mut farther = next.iter().filter(|&&n| n != OFF && n as usize > id);
            matters[id] |= farther.any(|&n| matters[n as usize]);
        }
        next.shrink_to_fit();
        matters.shrink_to_fit();
        Some(Ball { next, matters })
    }
}

/// Largest number of cells whose pieces fit in a key, with five bits per piece.
pub(super) const PACKED_CELLS: usize = 25;
const NO_SLOT: u32 = 31;

/// Position of each cell's five bits in a key. On trays of more than [`PACKED_CELLS`] cells the
/// depth is 2, so only the 5x5 cells around the start need a position.
fn slots(tray: Tray, start: Cell) -> Vec<u32> {
    if tray.cells() <= PACKED_CELLS {
        return (0..tray.cells() as u32).collect();
    }
    let slot = |cell: Cell| {
        let column = (tray.column(cell) + 2).checked_sub(tray.column(start));
        let row = (tray.row(cell) + 2).checked_sub(tray.row(start));
        match (column, row) {
            (Some(column @ 0..5), Some(row @ 0..5)) => (5 * row + column) as u32,
            _ => NO_SLOT,
        }
    };
    tray.iter().map(slot).collect()
}

/// Numbers keys in the order of their first occurrence, from `first` on. A hash table with open
/// addressing stores the numbers.
struct Numbering {
    first: u32,
    keys: Vec<u128>,
    /// For each bucket, the index of its key in `keys`, or [`OFF`] if the bucket is empty. A key's
    /// hash selects the bucket. The number of buckets is a power of two; at most half are occupied.
    buckets: Vec<u32>,
}

impl Numbering {
    fn new(first: u32) -> Self {
        Numbering {
            first,
            keys: Vec::new(),
            buckets: vec![OFF; 1 << 8],
        }
    }

    fn number(&mut self, key: u128) -> u32 {
        if 2 * self.keys.len() >= self.buckets.len() {
            self.buckets = vec![OFF; 4 * self.buckets.len()];
            for number in 0..self.keys.len() {
                let bucket = self.bucket(self.keys[number]);
                self.buckets[bucket] = number as u32;
            }
        }
        let bucket = self.bucket(key);
        if self.buckets[bucket] == OFF {
            self.buckets[bucket] = self.keys.len() as u32;
            self.keys.push(key);
        }
        self.first + self.buckets[bucket]
    }

    /// Position of the key, or of the free bucket for it.
    #[inline(always)]
    fn bucket(&self, key: u128) -> usize {
        // Fibonacci hashing (Knuth), applied twice, so that both halves of the key affect the upper
        // bits.
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
        let mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mut bucket = (mixed >> (64 - self.buckets.len().trailing_zeros())) as usize;
        loop {
            let number = self.buckets[bucket];
            if number == OFF || self.keys[number as usize] == key {
                return bucket;
            }
            bucket = (bucket + 1) & (self.buckets.len() - 1);
        }
    }
}
