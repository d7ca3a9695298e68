//! Boards as plain numbers, and the paths and sets of boards that searches store.

mod conflicts;
pub(crate) mod neighbour_pairs;
mod packed_board;
mod packed_trail;

use puzzle::{Cell, Direction, Tray};

pub(crate) use conflicts::Conflicts;
pub(crate) use neighbour_pairs::{LEARNED, NeighbourPairs, PAIR_UNIT, PairWeights, TileStep};
pub(crate) use packed_board::PackedBoard;
pub(crate) use packed_trail::{PackedTrail, blank_moves, tile_moves};

/// Hash of a number (splitmix64, Steele, Lea & Flood 2014).
#[inline(always)]
pub(crate) fn mix(x: u64) -> u64 {
    finish(x.wrapping_add(GAMMA))
}

/// Last step of [`mix`]: every result bit depends on all input bits.
#[inline(always)]
pub(crate) fn finish(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The fractional part of the golden ratio, times 2^64.
pub(crate) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A set that keeps the last hash stored in each slot; the number of slots is a power of two.
#[derive(Default, Debug)]
pub(crate) struct HashSlots(Vec<u64>);

impl HashSlots {
    /// Empties the set and resizes it to at least this many slots.
    pub(crate) fn reset(&mut self, slots: usize) {
        self.0.clear();
        self.0.resize(slots.next_power_of_two(), 0);
    }

    /// The slot of a hash. Call [`Self::reset`] first.
    #[inline(always)]
    pub(crate) fn slot(&mut self, hash: u64) -> &mut u64 {
        let mask = self.0.len() - 1;
        &mut self.0[hash as usize & mask]
    }
}

/// Marks a missing cell.
pub(crate) const NO_CELL: u16 = u16::MAX;

/// A tray and the neighbours of its cells.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) tray: Tray,
    neighbours: Vec<[u16; 4]>,
}

impl Grid {
    pub(crate) fn new(tray: Tray) -> Grid {
        let step = |cell, direction| {
            let next = tray.step(cell, direction);
            next.map_or(NO_CELL, |next| next.index() as u16)
        };
        let neighbours = |cell| Direction::ALL.map(|direction| step(cell, direction));
        let neighbours = tray.iter().map(neighbours).collect();
        Grid { tray, neighbours }
    }

    pub(crate) fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// The neighbours of a cell in the order of [`Direction::ALL`]; [`NO_CELL`] at the frame.
    #[inline(always)]
    pub(crate) fn neighbours(&self, cell: usize) -> &[u16; 4] {
        &self.neighbours[cell]
    }

    /// The neighbour in one direction.
    #[inline]
    pub(crate) fn step(&self, cell: usize, direction: Direction) -> Option<usize> {
        let next = self.neighbours(cell)[direction as usize];
        (next != NO_CELL).then_some(usize::from(next))
    }

    /// Manhattan distance between two cells.
    #[inline]
    pub(crate) fn distance(&self, a: usize, b: usize) -> usize {
        self.tray.distance(Cell::new(a), Cell::new(b))
    }
}
