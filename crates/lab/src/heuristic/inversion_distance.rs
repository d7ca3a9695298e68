//! Inversion distance.

use puzzle::{Goal, Tray};

use super::{Heuristic, Term, ending};
use crate::position::{Position, Slide};

/// Lower bounds of the vertical and of the horizontal moves, from pairs of tiles in the wrong
/// order.
///
/// When the tiles are read row by row, a horizontal move does not change their order. A vertical
/// move takes one tile past n others, where n is the width of the tray minus 1; it changes the
/// number of pairs in the wrong order by n, n - 2, n - 4, ... The number of these pairs divided by
/// n is therefore a lower bound of the number of vertical moves. Reading column by column gives a
/// lower bound of the number of horizontal moves.
#[derive(Clone, Debug)]
pub struct InversionDistance {
    /// The reading row by row, then the reading column by column.
    readings: [Reading; 2],
}

/// An order in which the cells are read.
#[derive(Clone, Debug)]
struct Reading {
    /// Index of each cell in the order.
    places: Box<[u8]>,
    /// The cell at each index of the order.
    cells: Box<[u8]>,
    /// Number of other tiles that a tile passes in a move from line to line.
    passed: u32,
    /// Direction of the moves from line to line, as a word.
    moves: &'static str,
    /// Name of the reading order.
    name: &'static str,
}

impl InversionDistance {
    /// The heuristic of a tray, with its two reading orders.
    #[must_use]
    pub fn new(tray: Tray) -> Self {
        let by_rows: Vec<u8> = tray.iter().map(|cell| cell.index() as u8).collect();
        let by_columns = tray
            .iter()
            .map(|cell| (tray.column(cell) * tray.height() + tray.row(cell)) as u8);
        InversionDistance {
            readings: [
                Reading::new(by_rows, tray.width(), "vertical", "row by row"),
                Reading::new(
                    by_columns.collect(),
                    tray.height(),
                    "horizontal",
                    "column by column",
                ),
            ],
        }
    }
}

impl Reading {
    fn new(places: Vec<u8>, line: usize, moves: &'static str, name: &'static str) -> Self {
        let mut cells = vec![0; places.len()];
        for (cell, &place) in (0_u8..=u8::MAX).zip(&places) {
            cells[usize::from(place)] = cell;
        }
        Reading {
            places: places.into(),
            cells: cells.into(),
            passed: line as u32 - 1,
            moves,
            name,
        }
    }

    /// Number of pairs of tiles in the wrong order.
    fn inversions(&self, position: &Position) -> u32 {
        let cells = self.cells.iter();
        let pieces = cells.map(|&cell| position.pieces()[usize::from(cell)]);
        let tiles = pieces.filter(|&piece| piece != position.goal_blank());
        let wanted: Vec<u8> = tiles.map(|tile| self.places[usize::from(tile)]).collect();
        let behind = |at: usize| {
            let later = wanted[at..].iter();
            later.filter(|&&other| other < wanted[at]).count()
        };
        (0..wanted.len()).map(|at| behind(at) as u32).sum()
    }

    /// Returns [`Self::inversions`] after the move `slide`; `before` is the number before the move.
    /// The move must lead to another line.
    #[inline]
    fn after(&self, before: u32, position: &Position, slide: Slide) -> u32 {
        let place = |cell: u8| self.places[usize::from(cell)];
        let (from, to, own) = (place(slide.from), place(slide.to), place(slide.tile));
        let between = usize::from(from.min(to)) + 1..usize::from(from.max(to));
        let (mut smaller, mut others) = (0_u32, 0_u32);
        for &cell in &self.cells[between] {
            let other = position.pieces()[usize::from(cell)];
            smaller += u32::from(place(other) < own);
            others += 1;
        }
        // A move to a later place removes one inversion per smaller tile that it passes, and adds
        // one per other tile.
        match to > from {
            true => before + others - 2 * smaller,
            false => before + 2 * smaller - others,
        }
    }

    /// Minimum number of moves from line to line that a position with `inversions` inversions
    /// needs.
    #[inline]
    fn fewest_moves(&self, inversions: u32) -> u32 {
        if self.passed == 0 {
            return 0;
        }
        let moves = inversions.div_ceil(self.passed);
        // Each move past an odd number of tiles changes the parity of the number of inversions.
        match self.passed % 2 == 1 && (moves ^ inversions) & 1 == 1 {
            true => moves + 1,
            false => moves,
        }
    }
}

impl Heuristic for InversionDistance {
    /// For each reading order, the number of pairs of tiles in the wrong order.
    type Carried = [u32; 2];

    fn name(&self) -> String {
        "inversion-distance".to_owned()
    }

    fn source(&self) -> &'static str {
        "K. Takahashi, a solver of the 15-puzzle (in Japanese), 2001"
    }

    fn carry(&self, position: &Position) -> [u32; 2] {
        let readings = self.readings.each_ref();
        readings.map(|reading| reading.inversions(position))
    }

    #[inline]
    fn follow(&self, before: &[u32; 2], after: &mut [u32; 2], position: &Position, slide: Slide) {
        let [rows, columns] = &self.readings;
        let width = rows.passed + 1;
        let row = |cell: u8| u32::from(cell) / width;
        *after = *before;
        match row(slide.from) == row(slide.to) {
            true => after[1] = columns.after(before[1], position, slide),
            false => after[0] = rows.after(before[0], position, slide),
        }
    }

    #[inline]
    fn value(&self, carried: &[u32; 2]) -> u32 {
        let [rows, columns] = &self.readings;
        rows.fewest_moves(carried[0]) + columns.fewest_moves(carried[1])
    }

    fn explain(&self, position: &Position, _goal: &Goal) -> Vec<Term> {
        let term = |reading: &Reading| {
            let inversions = reading.inversions(position);
            let value = reading.fewest_moves(inversions);
            Term {
                words: format!(
                    "read {}, {inversions} pair{} of tiles in the wrong order: at least {value} {} \
                     move{}",
                    reading.name,
                    ending(inversions),
                    reading.moves,
                    ending(value),
                ),
                tiles: Vec::new(),
                value,
            }
        };
        self.readings.iter().map(term).collect()
    }
}
