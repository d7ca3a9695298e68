//! The cells of a tray as plain numbers: which are next to which.

use puzzle::{Direction, Tray};

/// Stands for "no cell".
pub(crate) const NO_CELL: u16 = u16::MAX;

/// The cells next to each cell in the order of [`Direction::ALL`], [`NO_CELL`] at the frame.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours(Vec<[u16; 4]>);

impl Neighbours {
    pub(crate) fn new(tray: Tray) -> Self {
        let step = |cell, direction| {
            let next = tray.step(cell, direction);
            next.map_or(NO_CELL, |next| next.index() as u16)
        };
        let cells = tray.iter();
        let neighbours = cells.map(|cell| Direction::ALL.map(|direction| step(cell, direction)));
        Neighbours(neighbours.collect())
    }

    /// Number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    pub(crate) fn of(&self, cell: u16) -> &[u16; 4] {
        &self.0[usize::from(cell)]
    }
}
