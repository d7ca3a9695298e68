//! The order in which the human method solves a tray: lines from the outside, then the last cells
//! (2x2, 2x3 or 3x2).

use puzzle::{Cell, Direction, Tray};

/// A row or column at the edge of the remaining cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// The line's cells in the order of solving; at least two.
    pub(super) cells: Vec<usize>,
    /// The direction from the line to the remaining cells.
    pub(super) inward: Direction,
}

/// The lines of a tray in the order of solving, and the block of cells that remains. This block has
/// 2x2, 2x3 or 3x2 cells and contains the blank's goal cell. The tray must have at least two rows
/// and two columns.
pub(super) fn plan(tray: Tray, goal_blank: Cell) -> (Vec<Line>, LastBlock) {
    let (blank_column, blank_row) = (tray.column(goal_blank), tray.row(goal_blank));
    let (mut left, mut right) = (0, tray.width() - 1);
    let (mut top, mut bottom) = (0, tray.height() - 1);
    let mut lines = Vec::new();
    loop {
        let (width, height) = (right - left + 1, bottom - top + 1);
        if width * height <= LastBlock::MAX_CELLS {
            let block = LastBlock {
                origin: tray.cell(left, top).index(),
                width,
                height,
                stride: tray.width(),
            };
            return (lines, block);
        }
        // The shorter lines come first, so that the rest stays nearly square. Of two opposite
        // edges, the one farther from the blank's goal cell is solved, so that the solved edge does
        // not contain the goal cell.
        let (cells, inward): (Vec<Cell>, _) = if height >= width {
            let is_top = blank_row - top >= bottom - blank_row;
            let row = if is_top { top } else { bottom };
            let cells = (left..=right).map(|column| tray.cell(column, row));
            if is_top {
                top += 1;
                (cells.collect(), Direction::Down)
            } else {
                bottom -= 1;
                (cells.collect(), Direction::Up)
            }
        } else {
            let is_left = blank_column - left >= right - blank_column;
            let column = if is_left { left } else { right };
            let cells = (top..=bottom).map(|row| tray.cell(column, row));
            if is_left {
                left += 1;
                (cells.collect(), Direction::Right)
            } else {
                right -= 1;
                (cells.collect(), Direction::Left)
            }
        };
        let cells = cells.into_iter().map(Cell::index).collect();
        lines.push(Line { cells, inward });
    }
}

/// The rectangle of cells that is solved last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LastBlock {
    origin: usize,
    width: usize,
    height: usize,
    stride: usize,
}

impl LastBlock {
    /// Largest number of cells of the rectangle.
    pub(super) const MAX_CELLS: usize = 6;

    /// The rectangle's cells in reading order.
    pub(super) fn cells(self) -> impl Iterator<Item = usize> {
        (0..self.height).flat_map(move |row| {
            let first = self.origin + row * self.stride;
            first..first + self.width
        })
    }
}
