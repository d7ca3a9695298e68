//! The children of a layer: kept by parts of their hashes, freed of duplicates, and selected.

use puzzle::Tray;

use crate::boards::mix;

/// A child of a layer, as it is kept until it is selected: 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    pub(crate) hash: u64,
    /// Its parent's number in the layer.
    pub(crate) parent: u32,
    pub(crate) score: u16,
    /// The direction of the blank.
    pub(crate) direction: u8,
    /// The guide's change in the high bits, and the directions that lead back in the low four.
    /// A child met twice keeps the first path and leads back both ways.
    pub(crate) change_and_back: u8,
}

/// Random numbers of pieces on cells. Their wrapping sum over a board's pieces tells boards apart:
/// two boards of a search are taken for one another with a probability of one in some millions,
/// which costs a board of the beam, never a wrong answer.
pub(crate) struct Keys {
    seed: u64,
    /// By piece, then cell, on trays for which this stays in the first-level cache.
    known: Vec<u64>,
}

/// The most cells of a tray whose keys are kept, rounded up to a power of two.
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

    /// The number of a piece on a cell.
    #[inline(always)]
    pub(crate) fn of(&self, piece: u16, cell: u16) -> u64 {
        let index = usize::from(piece) * KNOWN_CELLS + usize::from(cell);
        match self.known.get(index) {
            Some(&key) => key,
            None => self.make(piece, cell),
        }
    }
}

/// Finds records with equal hashes: the number of each by its hash, in a table with open
/// addressing that is small enough for the second-level cache.
#[derive(Default)]
pub(crate) struct Duplicates {
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Duplicates {
    /// Keeps the first of all records with the same hash.
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
        // The low bits: the high ones are the same in all of a partition.
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
                    known.change_and_back |= record.change_and_back & 15;
                    break;
                }
                slot = (slot + 1) & mask;
            }
        }
    }
}
