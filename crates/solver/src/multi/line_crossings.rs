//! The heuristic without tables: the number of tiles that must cross each line between two rows or
//! columns.
//!
//! The blank crosses such a line alternately in both directions. Each time, one tile crosses the
//! line in the opposite direction. A run crosses a line at most once, so it changes the number of
//! tiles on the wrong side by at most one. Runs alternate between the axes, so v vertical runs
//! imply at least 2 v - 1 runs in total, and 2 v if the next run must be horizontal.

use puzzle::{Direction, State, Tray};

use super::search::StartNode;
use super::{AbstractState, Axis, MultiHeuristic};
use crate::tables::DamagedTable;

/// The lines between rows, then the lines between columns. Each line is a part of the heuristic.
pub(super) struct LineCrossings {
    tray: Tray,
}

/// The value of the heuristic for a state.
pub(crate) fn line_crossing_bound(state: &State) -> u32 {
    let root = StartNode::root(&LineCrossings::new(state.tray()), state);
    root.map_or(0, |root| root.estimate() as u32)
}

impl LineCrossings {
    pub(super) fn new(tray: Tray) -> Self {
        LineCrossings { tray }
    }

    /// The axis of the moves that cross a line, and the first row or column behind the line.
    #[inline(always)]
    fn line(&self, part: usize) -> (Axis, usize) {
        let rows = self.tray.height() - 1;
        match part < rows {
            true => (Axis::Vertical, part + 1),
            false => (Axis::Horizontal, part - rows + 1),
        }
    }

    #[inline(always)]
    fn coordinate(&self, axis: Axis, cell: usize) -> usize {
        match axis {
            Axis::Vertical => cell / self.tray.width(),
            Axis::Horizontal => cell % self.tray.width(),
        }
    }
}

impl MultiHeuristic for LineCrossings {
    fn parts(&self) -> usize {
        self.tray.height() + self.tray.width() - 2
    }

    /// Stores the blank's row or column on the tray in the field `row`.
    fn roots(&self, state: &State) -> Result<Vec<AbstractState>, DamagedTable> {
        let root = |part| {
            let (axis, behind) = self.line(part);
            let is_behind = |cell: usize| self.coordinate(axis, cell) >= behind;
            let pieces = state.pieces().iter().enumerate();
            let tiles = pieces.filter(|&(_, &piece)| piece != state.goal_blank());
            let wrong = tiles.filter(|&(cell, piece)| is_behind(cell) != is_behind(piece.index()));
            AbstractState {
                row: self.coordinate(axis, state.blank().index()) as u32,
                rank: 0,
                h: wrong.count() as i32,
            }
        };
        Ok((0..self.parts()).map(root).collect())
    }

    #[inline(always)]
    fn step(
        &self,
        part: usize,
        state: AbstractState,
        blank: Direction,
        tile: u16,
    ) -> AbstractState {
        let (axis, behind) = self.line(part);
        if Axis::of(blank) != axis {
            return state;
        }
        let from = state.row as usize;
        let to = match blank {
            Direction::Up | Direction::Left => from - 1,
            Direction::Down | Direction::Right => from + 1,
        };
        let mut h = state.h;
        if from.max(to) == behind {
            // The tile moves to the blank's old cell.
            let belongs_behind = self.coordinate(axis, tile.into()) >= behind;
            h += if belongs_behind == (from >= behind) {
                -1
            } else {
                1
            };
        }
        AbstractState {
            row: to as u32,
            rank: 0,
            h,
        }
    }

    #[inline(always)]
    fn read(&self, _: usize, state: AbstractState, _: i32) -> i32 {
        state.h
    }

    #[inline(always)]
    fn bound(&self, part: usize, h: i32, last: Option<Axis>) -> i32 {
        let (axis, _) = self.line(part);
        match last == Some(axis) {
            _ if h == 0 => 0,
            true => 2 * h,
            false => 2 * h - 1,
        }
    }
}
