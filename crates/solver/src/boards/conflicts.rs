//! Linear conflicts of a board's tiles (Hansson, Mayer and Yung 1992). Two tiles conflict if both
//! are in the line of their goal cells, but in the reverse order. One of the two has to leave the
//! line.
//!
//! The sum counts all pairs in conflict. It is not a lower bound, because one tile that leaves the
//! line can resolve several conflicts. But the sum is fast to update: a horizontal move changes
//! only conflicts in the goal column of the moved tile, a vertical move only conflicts in its goal
//! row. Beam searches use the sum as a score.

use puzzle::Tray;

/// Size of the tray, with the column and the row of each cell.
#[derive(Clone, Debug)]
pub(crate) struct Conflicts {
    width: usize,
    height: usize,
    columns: Vec<u16>,
    rows: Vec<u16>,
}

impl Conflicts {
    pub(crate) fn new(tray: Tray) -> Self {
        Conflicts {
            width: tray.width(),
            height: tray.height(),
            columns: tray.iter().map(|cell| tray.column(cell) as u16).collect(),
            rows: tray.iter().map(|cell| tray.row(cell) as u16).collect(),
        }
    }

    /// Change of the weighted number of a tile's conflicts when the tile moves to a neighbouring
    /// cell. A negative change wraps around. `tile` is a goal cell. `cell_of` returns the cell of
    /// another tile, and `weight` the weight of a conflict with that tile: 0 for the tile itself
    /// and for the blank.
    #[inline(always)]
    pub(crate) fn change(
        &self,
        tile: usize,
        from: usize,
        to: usize,
        cell_of: impl Fn(usize) -> usize,
        weight: impl Fn(usize) -> u32,
    ) -> u32 {
        let (columns, rows) = (&self.columns[..], &self.rows[..]);
        let column = usize::from(columns[tile]);
        // A horizontal move keeps the order of the tiles in the row, so it changes only conflicts
        // in columns. A vertical move changes only conflicts in rows.
        let (line_of, first, stride, cells) = if rows[from] == rows[to] {
            (columns, column, self.width, self.height)
        } else {
            (rows, tile - column, 1, self.width)
        };
        let own = line_of[tile];
        let at = match (line_of[from] == own, line_of[to] == own) {
            (_, true) => to,
            (true, _) => from,
            _ => return 0,
        };
        let mut sum = 0_u32;
        for place in 0..cells {
            let other = first + place * stride;
            let cell = cell_of(other);
            let is_conflict = line_of[cell] == own && (other < tile) != (cell < at);
            sum += if is_conflict { weight(other) } else { 0 };
        }
        if at == to { sum } else { sum.wrapping_neg() }
    }
}

#[cfg(test)]
mod tests {
    use puzzle::{Cell, Direction, State};

    use super::*;

    /// Number of pairs of tiles in conflict, computed from all pairs.
    fn conflicts(tray: Tray, blank: usize, cell_of: &[usize]) -> u32 {
        let place = |cell: usize| (tray.column(Cell::new(cell)), tray.row(Cell::new(cell)));
        let mut count = 0;
        for a in (0..cell_of.len()).filter(|&a| a != blank) {
            for b in (0..a).filter(|&b| b != blank) {
                let [(ac, ar), (bc, br)] = [a, b].map(place);
                let [(ax, ay), (bx, by)] = [cell_of[a], cell_of[b]].map(place);
                count += u32::from(ar == br && ay == ar && by == ar && (ac < bc) != (ax < bx));
                count += u32::from(ac == bc && ax == ac && bx == ac && (ar < br) != (ay < by));
            }
        }
        count
    }

    #[test]
    fn changes_add_up_to_the_conflicts_of_every_board_of_a_walk() {
        for (size, blank) in [("2x2", 0), ("3x3", 8), ("5x4", 7), ("4x7", 27), ("1x6", 2)] {
            let tray: Tray = size.parse().unwrap();
            let conflicting = Conflicts::new(tray);
            let mut state = State::goal(tray, Cell::new(blank));
            let (mut sum, mut number, mut seen) = (0_u32, 1, 0);
            for _ in 0..5000 {
                number = crate::boards::mix(number);
                let pieces = state.pieces().iter().map(|piece| piece.index());
                let mut cell_of = vec![0; tray.cells()];
                pieces
                    .enumerate()
                    .for_each(|(cell, piece)| cell_of[piece] = cell);
                let expected = conflicts(tray, blank, &cell_of);
                assert_eq!(sum, expected, "{size}");
                seen = seen.max(expected);
                let hole = state.blank().index();
                if state.slide(Direction::ALL[(number % 4) as usize]) {
                    let from = state.blank().index();
                    let tile = state.pieces()[hole].index();
                    let weight = |other: usize| u32::from(other != tile && other != blank);
                    let change = conflicting.change(tile, from, hole, |tile| cell_of[tile], weight);
                    sum = sum.wrapping_add(change);
                }
            }
            assert!(seen > 1 || tray.cells() < 9, "{size}: {seen}");
        }
    }
}
