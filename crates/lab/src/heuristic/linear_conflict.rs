//! Linear conflict.

use puzzle::{Cell, Goal, Tray};

use super::{Heuristic, Manhattan, Term};
use crate::position::{Position, Slide};

/// Manhattan distance, and two moves more for each tile that has to leave a line and come back.
///
/// Tiles that stand in the line of their goal cells, but in another order, cannot all reach these
/// along the line. The fewest that have to leave it are all but a longest run of them in the right
/// order. Counting pairs instead says too much where three tiles conflict.
///
/// Consistent: a move across a line takes one tile out of it or brings one in, so the tiles that
/// must leave change by one at most, and by that only as Manhattan distance changes the other way.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    width: u8,
    height: u8,
    columns: Box<[u8]>,
    rows: Box<[u8]>,
}

/// A row or a column of the tray.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Row(u8),
    Column(u8),
}

/// The longest line that is looked at without asking for memory.
const SHORT: usize = 16;

impl LinearConflict {
    /// The lines of a tray. O(cells^2).
    #[must_use]
    pub fn new(tray: Tray) -> Self {
        LinearConflict {
            manhattan: Manhattan::new(tray),
            width: tray.width() as u8,
            height: tray.height() as u8,
            columns: tray.iter().map(|cell| tray.column(cell) as u8).collect(),
            rows: tray.iter().map(|cell| tray.row(cell) as u8).collect(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = Line> {
        let rows = (0..self.height).map(Line::Row);
        rows.chain((0..self.width).map(Line::Column))
    }

    /// The first cell of a line, the step to the next, and how many there are.
    #[inline]
    fn cells(&self, line: Line) -> (usize, usize, usize) {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        match line {
            Line::Row(row) => (usize::from(row) * width, 1, width),
            Line::Column(column) => (column.into(), width, height),
        }
    }

    /// The places in the line where its own tiles want to be, in the order in which they stand.
    /// `skipped` is a cell taken for empty, `extra` a tile taken for standing on a cell.
    #[inline]
    fn wanted(
        &self,
        position: &Position,
        line: Line,
        skipped: Option<u8>,
        extra: Option<(u8, u8)>,
    ) -> impl Iterator<Item = u8> {
        let (first, step, length) = self.cells(line);
        let (pieces, blank) = (position.pieces(), position.goal_blank());
        (0..length).filter_map(move |place| {
            let cell = first + place * step;
            let piece = match extra {
                Some((tile, at)) if usize::from(at) == cell => tile,
                _ if skipped.map(usize::from) == Some(cell) => blank,
                _ => pieces[cell],
            };
            let (column, row) = (
                self.columns[usize::from(piece)],
                self.rows[usize::from(piece)],
            );
            let place = match line {
                Line::Row(own) => (row == own).then_some(column),
                Line::Column(own) => (column == own).then_some(row),
            };
            place.filter(|_| piece != blank)
        })
    }

    /// How many of a line's own tiles must leave it.
    fn leavers(&self, position: &Position, line: Line) -> u32 {
        self.fewest_removed(line, self.wanted(position, line, None, None))
    }

    #[inline]
    fn fewest_removed(&self, line: Line, places: impl Iterator<Item = u8>) -> u32 {
        match self.cells(line).2 <= SHORT {
            true => fewest_removed(&mut [0; SHORT], places),
            false => fewest_removed(&mut [0; 256], places),
        }
    }

    /// By how much the tiles that must leave a line become more with a tile on a cell than
    /// without it.
    #[inline]
    fn more_leavers(&self, position: &Position, line: Line, (tile, at): (u8, u8)) -> u32 {
        let without = self.wanted(position, line, Some(at), None);
        let with = self.wanted(position, line, None, Some((tile, at)));
        self.fewest_removed(line, with) - self.fewest_removed(line, without)
    }
}

/// The length of a sequence without that of its longest increasing subsequence: O(n^2), and faster
/// than anything else on lines of a tray. `tails` has room for the sequence.
#[inline]
fn fewest_removed(tails: &mut [u8], sequence: impl Iterator<Item = u8>) -> u32 {
    // tails[l] is the least end of an increasing subsequence of l + 1 elements.
    let (mut longest, mut length) = (0, 0);
    for element in sequence {
        let at = tails[..longest].iter().position(|&tail| tail > element);
        let at = at.unwrap_or(longest);
        tails[at] = element;
        longest = longest.max(at + 1);
        length += 1;
    }
    length - longest as u32
}

impl Heuristic for LinearConflict {
    type Carried = u32;

    fn name(&self) -> String {
        "linear-conflict".to_owned()
    }

    fn source(&self) -> &'static str {
        "O. Hansson, A. Mayer and M. Yung, Criticizing solutions to relaxed models yields powerful \
         admissible heuristics, 1992"
    }

    fn is_consistent(&self) -> bool {
        true
    }

    fn carry(&self, position: &Position) -> u32 {
        let leavers = self.lines().map(|line| self.leavers(position, line));
        self.manhattan.sum(position) + 2 * leavers.sum::<u32>()
    }

    #[inline]
    fn follow(&self, before: &u32, after: &mut u32, position: &Position, slide: Slide) {
        let place = |places: &[u8], cell: u8| places[usize::from(cell)];
        // A move along a line passes no tile of it: only lines across it count.
        let is_vertical = place(&self.columns, slide.from) == place(&self.columns, slide.to);
        let lines = if is_vertical {
            &self.rows
        } else {
            &self.columns
        };
        let line = |index: u8| match is_vertical {
            true => Line::Row(index),
            false => Line::Column(index),
        };
        let own = place(lines, slide.tile);
        let mut value = self.manhattan.after(*before, slide);
        if own == place(lines, slide.from) {
            value -= 2 * self.more_leavers(position, line(own), (slide.tile, slide.from));
        } else if own == place(lines, slide.to) {
            value += 2 * self.more_leavers(position, line(own), (slide.tile, slide.to));
        }
        *after = value;
    }

    #[inline]
    fn value(&self, carried: &u32) -> u32 {
        *carried
    }

    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term> {
        let manhattan = Term {
            words: "Manhattan distance".to_owned(),
            tiles: Vec::new(),
            value: self.manhattan.sum(position),
        };
        let conflict = |line: Line| {
            let leavers = self.leavers(position, line);
            let (first, step, length) = self.cells(line);
            let cells = (0..length).map(|place| first + place * step);
            let pieces = cells.map(|cell| position.pieces()[cell]);
            let is_own = |&piece: &u8| {
                let piece_line = match line {
                    Line::Row(_) => Line::Row(self.rows[usize::from(piece)]),
                    Line::Column(_) => Line::Column(self.columns[usize::from(piece)]),
                };
                piece_line == line && piece != position.goal_blank()
            };
            let own: Vec<u8> = pieces.filter(is_own).collect();
            // Those that have another before them which belongs behind, or the other way round.
            let conflicting = own.iter().enumerate().filter(|&(at, tile)| {
                own[..at].iter().any(|before| before > tile)
                    || own[at..].iter().any(|behind| behind < tile)
            });
            let number = |(_, &tile): (usize, &u8)| goal.number_at(Cell::new(tile.into()));
            let tiles: Vec<u16> = conflicting.map(number).collect();
            let (name, index) = match line {
                Line::Row(row) => ("row", row + 1),
                Line::Column(column) => ("column", column + 1),
            };
            let listed: Vec<String> = tiles.iter().map(u16::to_string).collect();
            (leavers > 0).then(|| Term {
                words: format!(
                    "{name} {index}: {} stand in the wrong order, {leavers} must leave",
                    listed.join(", ")
                ),
                tiles,
                value: 2 * leavers,
            })
        };
        let conflicts = self.lines().filter_map(conflict);
        std::iter::once(manhattan).chain(conflicts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fewest elements without which a sequence increases, by trying all subsets.
    fn by_all_subsets(sequence: &[u8]) -> u32 {
        let increases = |kept: &u32| {
            let kept = (0..sequence.len()).filter(|at| kept >> at & 1 == 1);
            kept.map(|at| sequence[at]).is_sorted()
        };
        let subsets = (0..1 << sequence.len()).filter(increases);
        let longest = subsets.map(u32::count_ones).max().unwrap_or(0);
        sequence.len() as u32 - longest
    }

    #[test]
    fn the_fewest_tiles_leave_a_line_of_five_in_any_order() {
        let mut removed = [0; 5];
        for number in 0..5_u32.pow(5) {
            let sequence: [u8; 5] =
                std::array::from_fn(|at| (number / 5_u32.pow(at as u32) % 5) as u8);
            if (0..5).any(|tile| !sequence.contains(&tile)) {
                continue;
            }
            // Those of other lines are left out.
            for length in 0..=5 {
                let found = fewest_removed(&mut [0; SHORT], sequence[..length].iter().copied());
                assert_eq!(
                    found,
                    by_all_subsets(&sequence[..length]),
                    "{sequence:?} {length}"
                );
            }
            removed[by_all_subsets(&sequence) as usize] += 1;
        }
        // Permutations of 5 by the length of their longest increasing subsequence.
        assert_eq!(removed, [1, 16, 61, 41, 1]);
    }
}
