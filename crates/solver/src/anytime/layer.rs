//! A layer: its nodes, and their children, partitioned by hash and without duplicates.

use puzzle::Tray;

use crate::boards::mix;

/// A board in a layer of a beam search.
#[derive(Clone, Copy)]
pub(crate) struct BeamNode<B, const P: usize> {
    /// The tile on each cell, named by its goal cell.
    pub(crate) board: B,
    pub(crate) values: [u8; P],
    /// The sum of the random numbers ([`Keys::of`]) of all pieces on their cells.
    pub(crate) hash: u64,
    /// Smaller is more promising. Only differences matter.
    pub(crate) score: u16,
    pub(crate) blank: u16,
    /// One bit per direction of the blank that leads back to a node of the previous layer.
    pub(crate) back: u8,
}

/// A node's neighbour one move away, before it becomes a node.
#[derive(Clone, Copy)]
pub(crate) struct BeamChild {
    /// Index of its parent among the nodes that are expanded together.
    pub(crate) parent: u16,
    /// The tile that moves, by goal cell.
    pub(crate) tile: u16,
    /// The tile's old cell, which becomes the blank's cell.
    pub(crate) from: u16,
    /// The tile's new cell.
    pub(crate) hole: u16,
    /// The direction in which the blank moves.
    pub(crate) direction: u8,
    /// One bit per view, set if the view's value is larger than at the parent.
    pub(crate) change: u8,
    /// Smaller is more promising.
    pub(crate) score: u16,
    /// Lower bound on the remaining moves; 0 only at the goal.
    pub(crate) bound: u16,
}

/// A child before selection, in 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    pub(crate) hash: u64,
    /// Index of its parent in the layer.
    pub(crate) parent: u32,
    pub(crate) score: u16,
    /// The direction in which the blank moved.
    pub(crate) direction: u8,
    /// The high bits contain [`BeamChild::change`]; the four low bits contain the directions that
    /// lead back to a parent. If a child is found on two paths, only the first path is kept, but
    /// the directions that lead back along either path are stored.
    pub(crate) change_and_back: u8,
}

/// A random number for each piece on each cell. The wrapping sum of a board's numbers is its hash.
/// The probability that two boards of a search have the same hash is one in millions. If it
/// happens, the beam loses one of the two boards.
pub(crate) struct Keys {
    seed: u64,
    /// Random numbers, indexed by piece and cell. Empty on trays whose numbers would not fit the
    /// first-level cache.
    known: Vec<u64>,
}

/// Largest number of cells of a tray whose random numbers are stored; a power of two.
const KNOWN_CELLS: usize = 64;

impl Keys {
    pub(crate) fn new(seed: u64, tray: Tray) -> Self {
        let mut keys = Keys {
            seed: mix(seed),
            known: Vec::new(),
        };
        if tray.cells() <= KNOWN_CELLS {
            let all = (0..KNOWN_CELLS as u16)
                .flat_map(|piece| (0..KNOWN_CELLS as u16).map(move |cell| (piece, cell)));
            keys.known = all.map(|(piece, cell)| keys.make(piece, cell)).collect();
        }
        keys
    }

    fn make(&self, piece: u16, cell: u16) -> u64 {
        mix(self.seed ^ (u64::from(piece) << 16 | u64::from(cell)))
    }

    /// The random number of a piece on a cell.
    #[inline(always)]
    pub(crate) fn of(&self, piece: u16, cell: u16) -> u64 {
        let index = usize::from(piece) * KNOWN_CELLS + usize::from(cell);
        match self.known.get(index) {
            Some(&key) => key,
            None => self.make(piece, cell),
        }
    }
}

/// Hash table of record numbers, with open addressing; it fits the second-level cache.
#[derive(Default)]
pub(crate) struct Duplicates {
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Duplicates {
    /// Keeps the record of each hash that has the best score, and the first of those with equal
    /// scores.
    pub(crate) fn remove<'a>(
        &mut self,
        records: impl Iterator<Item = &'a [Record]>,
        into: &mut Vec<Record>,
        count: usize,
    ) {
        into.clear();
        into.reserve(count);
        let size = (2 * count).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize(size, FREE);
        // The low bits of a hash select its slot, because all records of a partition have the same
        // high bits.
        let mask = size - 1;
        for record in records.flatten() {
            let mut slot = record.hash as usize & mask;
            loop {
                let found = self.slots[slot];
                if found == FREE {
                    self.slots[slot] = into.len() as u32;
                    into.push(*record);
                    break;
                }
                let known = &mut into[found as usize];
                if known.hash == record.hash {
                    let back = (known.change_and_back | record.change_and_back) & 15;
                    if record.score < known.score {
                        *known = *record;
                    }
                    known.change_and_back |= back;
                    break;
                }
                slot = (slot + 1) & mask;
            }
        }
    }
}
