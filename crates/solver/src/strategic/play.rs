//! A position on which moves are played.

use puzzle::{Direction, State};

use crate::boards::Grid;

/// A position and the moves that led to it.
#[derive(Clone, Debug)]
pub(super) struct Play {
    /// The piece on each cell.
    pieces: Vec<u16>,
    /// The cell of each piece.
    cells: Vec<u16>,
    blank: usize,
    pub(super) moves: Vec<Direction>,
}

impl Play {
    pub(super) fn new(state: &State) -> Play {
        let pieces: Vec<u16> = state.pieces().iter().map(|p| p.index() as u16).collect();
        let mut cells = vec![0; pieces.len()];
        for (cell, &piece) in pieces.iter().enumerate() {
            cells[usize::from(piece)] = cell as u16;
        }
        Play {
            pieces,
            cells,
            blank: state.blank().index(),
            moves: Vec::new(),
        }
    }

    /// The cell of a piece.
    #[inline]
    pub(super) fn cell_of(&self, piece: usize) -> usize {
        usize::from(self.cells[piece])
    }

    /// The piece on a cell.
    #[inline]
    pub(super) fn piece_at(&self, cell: usize) -> usize {
        usize::from(self.pieces[cell])
    }

    /// The cell of the blank.
    #[inline]
    pub(super) fn blank(&self) -> usize {
        self.blank
    }

    /// Moves the blank in a direction; does nothing if the blank would leave the tray.
    pub(super) fn go(&mut self, grid: &Grid, blank: Direction) {
        let Some(next) = grid.step(self.blank, blank) else {
            return;
        };
        let (tile, hole) = (self.pieces[next], self.pieces[self.blank]);
        self.pieces.swap(next, self.blank);
        self.cells[usize::from(tile)] = self.blank as u16;
        self.cells[usize::from(hole)] = next as u16;
        self.blank = next;
        self.moves.push(blank.opposite());
    }

    pub(super) fn walk(&mut self, grid: &Grid, path: &[Direction]) {
        for &blank in path {
            self.go(grid, blank);
        }
    }
}
