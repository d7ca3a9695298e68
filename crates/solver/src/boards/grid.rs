//! The tray as a graph whose nodes are cell numbers.

use puzzle::{Cell, Direction, Tray};

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
