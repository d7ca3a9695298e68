//! Linear conflict.

use puzzle::{Cell, Goal, Tray};

use super::manhattan::Manhattan;
use super::{Heuristic, Term, listed};
use crate::position::{Position, Slide};

/// Manhattan distance, plus two moves for each tile that must leave a line and return.
///
/// If tiles are in the line of their goal cells, but in the wrong order, some of them must leave
/// the line and return. The minimum number of tiles that leave is the number of tiles minus the
/// length of the longest subsequence in the right order. A count of conflicting pairs would
/// overestimate if three tiles conflict.
///
/// The heuristic is consistent: a move across a line takes one tile out of the line or into the
/// line, so the number of tiles that must leave changes by at most one. If this number changes,
/// Manhattan distance changes in the opposite direction.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    /// The rows, then the columns.
    axes: [Lines; 2],
}

/// The lines in one direction.
#[derive(Clone, Debug)]
struct Lines {
    /// Name of a line.
    name: &'static str,
    /// The line of each cell.
    line_of: Box<[u8]>,
    /// Index of each cell in its line.
    place_of: Box<[u8]>,
    /// The cells, line by line.
    cells: Box<[u8]>,
    length: usize,
    /// For short lines: minimum number of tiles that must leave the line, indexed by the line's
    /// contents. The index has one digit per cell: 0 if the cell contains no tile of this line,
    /// otherwise 1 more than the tile's goal index. With this table, a search generates three times
    /// as many nodes per second as without it.
    leavers: Box<[u8]>,
    powers: Box<[u32]>,
}

/// Maximum length of lines with a table; a table for this length has 7^6 entries.
const MAX_TABLE_LENGTH: usize = 6;

impl LinearConflict {
    /// The lines of a tray. Takes O(cells^2) time.
    #[must_use]
    pub fn new(tray: Tray) -> Self {
        let rows = tray.iter().map(|cell| (tray.row(cell), tray.column(cell)));
        let columns = tray.iter().map(|cell| (tray.column(cell), tray.row(cell)));
        LinearConflict {
            manhattan: Manhattan::new(tray),
            axes: [
                Lines::new("row", tray.width(), &rows.collect::<Vec<_>>()),
                Lines::new("column", tray.height(), &columns.collect::<Vec<_>>()),
            ],
        }
    }

    /// Each line with its axis.
    fn lines(&self) -> impl Iterator<Item = (&Lines, u8)> {
        let lines = |axis: &Lines| (axis.cells.len() / axis.length) as u8;
        self.axes
            .iter()
            .flat_map(move |axis| (0..lines(axis)).map(move |line| (axis, line)))
    }
}

impl Lines {
    /// `places` lists, for each cell, its line and its index in this line.
    fn new(name: &'static str, length: usize, places: &[(usize, usize)]) -> Self {
        let mut cells = vec![0; places.len()];
        for (cell, (line, place)) in (0_u8..=u8::MAX).zip(places) {
            cells[line * length + place] = cell;
        }
        let radix = length as u32 + 1;
        let powers: Vec<u32> = match length <= MAX_TABLE_LENGTH {
            true => (0..length as u32).map(|place| radix.pow(place)).collect(),
            false => Vec::new(),
        };
        let codes = powers.last().map_or(0, |last| last * radix);
        let leavers = (0..codes).map(|code| {
            let digits = powers.iter().map(|power| (code / power % radix) as u8);
            // A code with the same tile twice occurs on no board; its value is never read.
            fewest_removed(digits.filter(|&digit| digit > 0)) as u8
        });
        Lines {
            name,
            line_of: places.iter().map(|(line, _)| *line as u8).collect(),
            place_of: places.iter().map(|(_, place)| *place as u8).collect(),
            cells: cells.into(),
            length,
            leavers: leavers.collect(),
            powers: powers.into(),
        }
    }

    fn cells(&self, line: u8) -> &[u8] {
        &self.cells[usize::from(line) * self.length..][..self.length]
    }

    /// The line's own tiles, in their current order.
    fn own_tiles(&self, position: &Position, line: u8) -> impl Iterator<Item = u8> {
        let pieces = self.cells(line).iter();
        let pieces = pieces.map(|&cell| position.pieces()[usize::from(cell)]);
        pieces.filter(move |&piece| {
            piece != position.goal_blank() && self.line_of[usize::from(piece)] == line
        })
    }

    /// Number of a line's own tiles that must leave the line.
    fn leavers(&self, position: &Position, line: u8) -> u32 {
        let tiles = self.own_tiles(position, line);
        fewest_removed(tiles.map(|tile| self.place_of[usize::from(tile)]))
    }

    /// Compares two contents of `tile`'s goal line: with `tile` on the cell `at`, and without
    /// `tile`. Returns the increase in the number of tiles that must leave the line. The cell `at`
    /// contains `tile` or the blank.
    #[inline]
    fn more_leavers(&self, position: &Position, tile: u8, at: u8) -> u32 {
        let place = |piece: u8| self.place_of[usize::from(piece)];
        let line = self.line_of[usize::from(tile)];
        if self.leavers.is_empty() {
            return self.more_leavers_of_long_line(position, tile, at);
        }
        let (mut code, blank) = (0, position.goal_blank());
        for (&cell, power) in self.cells(line).iter().zip(&self.powers) {
            let piece = position.pieces()[usize::from(cell)];
            let is_own = self.line_of[usize::from(piece)] == line && piece != blank && cell != at;
            code += if is_own {
                (u32::from(place(piece)) + 1) * power
            } else {
                0
            };
        }
        let with = code + (u32::from(place(tile)) + 1) * self.powers[usize::from(place(at))];
        u32::from(self.leavers[with as usize]) - u32::from(self.leavers[code as usize])
    }

    /// [`Self::more_leavers`] without a table.
    fn more_leavers_of_long_line(&self, position: &Position, tile: u8, at: u8) -> u32 {
        let line = self.line_of[usize::from(tile)];
        let place = |piece: u8| self.place_of[usize::from(piece)];
        let without = self.own_tiles(position, line).filter(|&own| own != tile);
        let cells = self.cells(line).iter().map(|&cell| match cell == at {
            true => tile,
            false => position.pieces()[usize::from(cell)],
        });
        let is_own = |piece: &u8| {
            *piece != position.goal_blank() && self.line_of[usize::from(*piece)] == line
        };
        let with = cells.filter(is_own);
        fewest_removed(with.map(place)) - fewest_removed(without.map(place))
    }
}

/// Minimum number of elements to remove so that the rest of a sequence increases. This is the
/// length of the sequence minus the length of its longest increasing subsequence. The function
/// takes O(n^2) time, fast enough for lines of at most 256 cells.
fn fewest_removed(sequence: impl Iterator<Item = u8>) -> u32 {
    // tails[l] is the smallest end of an increasing subsequence of l + 1 elements.
    let (mut tails, mut length) = (Vec::new(), 0);
    for element in sequence {
        match tails.iter_mut().find(|tail| **tail > element) {
            Some(tail) => *tail = element,
            None => tails.push(element),
        }
        length += 1;
    }
    length - tails.len() as u32
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

    fn carry(&self, position: &Position) -> u32 {
        let leavers = self
            .lines()
            .map(|(axis, line)| axis.leavers(position, line));
        self.manhattan.sum(position) + 2 * leavers.sum::<u32>()
    }

    #[inline]
    fn follow(&self, before: &u32, after: &mut u32, position: &Position, slide: Slide) {
        let line = |axis: &Lines, cell: u8| axis.line_of[usize::from(cell)];
        let [rows, columns] = &self.axes;
        // A move within a row changes only the tile's column, and a move within a column changes
        // only its row.
        let axis = match line(columns, slide.from) == line(columns, slide.to) {
            true => rows,
            false => columns,
        };
        let own = line(axis, slide.tile);
        let mut value = self.manhattan.after(*before, slide);
        if own == line(axis, slide.from) {
            value -= 2 * axis.more_leavers(position, slide.tile, slide.from);
        } else if own == line(axis, slide.to) {
            value += 2 * axis.more_leavers(position, slide.tile, slide.to);
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
        let conflict = |(axis, line): (&Lines, u8)| {
            let leavers = axis.leavers(position, line);
            let own: Vec<u8> = axis.own_tiles(position, line).collect();
            // Tiles that are behind a larger tile or before a smaller one.
            let conflicting = own.iter().enumerate().filter(|&(at, tile)| {
                own[..at].iter().any(|before| before > tile)
                    || own[at..].iter().any(|behind| behind < tile)
            });
            let number = |(_, &tile): (usize, &u8)| goal.number_at(Cell::new(tile.into()));
            let tiles: Vec<u16> = conflicting.map(number).collect();
            let (last, others) = tiles.split_last().filter(|_| leavers > 0)?;
            let number = match leavers {
                1 => "one".to_owned(),
                more => more.to_string(),
            };
            Some(Term {
                words: format!(
                    "{} {}: tiles {} and {last} are in the wrong order, so {number} of them must \
                     leave the {}",
                    axis.name,
                    line + 1,
                    listed(others),
                    axis.name,
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

    /// Computes [`fewest_removed`] by a trial of all subsets.
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
    fn the_minimum_is_removed_from_lines_of_five_in_any_order() {
        let mut removed = [0; 5];
        for number in 0..5_u32.pow(5) {
            let sequence: [u8; 5] =
                std::array::from_fn(|at| (number / 5_u32.pow(at as u32) % 5) as u8);
            if (0..5).any(|tile| !sequence.contains(&tile)) {
                continue;
            }
            // A line with tiles of other lines gives a shorter sequence.
            for length in 0..=5 {
                let found = fewest_removed(sequence[..length].iter().copied());
                assert_eq!(
                    found,
                    by_all_subsets(&sequence[..length]),
                    "{sequence:?} {length}"
                );
            }
            removed[by_all_subsets(&sequence) as usize] += 1;
        }
        // Number of permutations of 5 elements, by the length of the longest increasing
        // subsequence: 5, 4, 3, 2, 1.
        assert_eq!(removed, [1, 16, 61, 41, 1]);
    }
}
