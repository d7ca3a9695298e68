//! Partitions drawn as text: a letter or digit per cell names the part, and `.` is the blank.

use std::fmt;

use crate::cell_set::CellSet;
use crate::move_order::{MoveOrder, MoveOrderError};
use crate::names::{join, printable_sign};
use crate::partition::PartitionError;
use crate::pattern::Pattern;
use crate::symmetry::Symmetry;
use crate::tray::{Cell, Direction, Tray};

/// One drawn partition.
///
/// ```text
/// # the blank's goal is the first cell; its moves are tried up, left, right, down
/// order ULRD
/// . a b b
/// a a b b
/// a a b b
/// a c c c
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartitionPicture {
    /// The tray.
    pub tray: Tray,
    /// The blank's goal cell.
    pub blank: Cell,
    /// The parts, in order of first appearance.
    pub parts: Vec<CellSet>,
    /// The order in which the blank's moves are tried, if the file has one.
    pub order: Option<[Direction; 4]>,
}

impl PartitionPicture {
    /// Reads all pictures of a text. Blank lines separate them, `#` begins a comment line, and
    /// `order ULRD` sets the move order of the pictures that follow.
    ///
    /// # Errors
    /// The text has no picture, or a wrong one: the message names the line, from 1.
    pub fn parse_all(text: &str) -> Result<Vec<PartitionPicture>, PartitionError> {
        let mut pictures = Vec::new();
        let mut order = None;
        let mut rows: Vec<Vec<char>> = Vec::new();
        for (number, line) in (1..).zip(text.lines().chain([""])) {
            let line = line.trim();
            if line.starts_with('#') {
                continue;
            }
            if let Some(letters) = line.strip_prefix("order ") {
                let read = letters.parse().map_err(|MoveOrderError(text)| {
                    let message = "is not the letters U, D, L and R in some order";
                    PartitionError::Other(format!("line {number}: order `{text}` {message}"))
                });
                order = Some(MoveOrder::directions(read?));
                continue;
            }
            if line.is_empty() {
                if !rows.is_empty() {
                    pictures.push(PartitionPicture::from_rows(&rows, order, number - 1)?);
                    rows.clear();
                }
                continue;
            }
            let row: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
            let wrong = |c: &&char| !(c.is_alphanumeric() || **c == '.');
            if let Some(&sign) = row.iter().find(wrong) {
                return PartitionError::other(format!(
                    "line {number}: `{}` is not a part (a letter or digit) or the blank (.)",
                    printable_sign(sign)
                ));
            }
            let (found, expected) = (row.len(), rows.first().map_or(row.len(), Vec::len));
            if found != expected {
                return PartitionError::other(format!(
                    "line {number}: {found} cells, but the picture's first row has {expected}"
                ));
            }
            rows.push(row);
        }
        match pictures.is_empty() {
            true => PartitionError::other("no picture found"),
            false => Ok(pictures),
        }
    }

    /// The picture with these rows, which ends at this line.
    fn from_rows(
        rows: &[Vec<char>],
        order: Option<[Direction; 4]>,
        line: usize,
    ) -> Result<PartitionPicture, PartitionError> {
        let (width, height) = (rows[0].len(), rows.len());
        let tray = Tray::new(width, height).ok();
        let Some(tray) = tray.filter(|&tray| Pattern::check_tray(tray).is_ok()) else {
            return PartitionError::other(format!(
                "the picture that ends at line {line} is {width} cells wide and {height} high, \
                 which no table can have"
            ));
        };
        let mut signs: Vec<(char, CellSet)> = vec![('.', CellSet::EMPTY)];
        for (cell, &sign) in tray.iter().zip(rows.iter().flatten()) {
            match signs.iter_mut().find(|(known, _)| *known == sign) {
                Some((_, cells)) => *cells = cells.with(cell),
                None => signs.push((sign, CellSet::EMPTY.with(cell))),
            }
        }
        let mut parts = signs.into_iter().map(|(_, cells)| cells);
        let blanks = parts.next().unwrap_or_default();
        match (blanks.lowest(), blanks.len()) {
            (Some(blank), 1) => Ok(PartitionPicture {
                tray,
                blank,
                parts: parts.collect(),
                order,
            }),
            (_, found) => PartitionError::other(format!(
                "the picture that ends at line {line} has {found} blanks (.) instead of one"
            )),
        }
    }

    /// The character of a part in written pictures. The first parts have letters, and further parts
    /// have digits and Greek letters. There are enough characters for one part per tile.
    #[must_use]
    pub fn sign(part: usize) -> char {
        let mut signs = ('a'..='z')
            .chain('A'..='Z')
            .chain('0'..='9')
            .chain('α'..='ω');
        signs.nth(part).unwrap_or('ω')
    }

    /// The image under a symmetry that maps the tray onto itself.
    #[must_use]
    pub fn map(&self, symmetry: Symmetry) -> PartitionPicture {
        let parts = self.parts.iter().map(|part| part.map(symmetry, self.tray));
        PartitionPicture {
            tray: self.tray,
            blank: symmetry.map(self.tray, self.blank),
            parts: parts.collect(),
            order: self.order.map(|o| o.map(|d| symmetry.map_direction(d))),
        }
    }
}

impl fmt::Display for PartitionPicture {
    /// The picture as [`PartitionPicture::parse_all`] reads it: the order, if any, and the rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(order) = self.order {
            let letters: String = order.map(Direction::letter).iter().collect();
            writeln!(f, "order {letters}")?;
        }
        for row in 0..self.tray.height() {
            let sign = |column| {
                let cell = self.tray.cell(column, row);
                let part = self.parts.iter().position(|part| part.contains(cell));
                part.map_or('.', Self::sign)
            };
            let signs = (0..self.tray.width()).map(sign);
            writeln!(f, "{}", join(signs, " "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_read() {
        let text = "# two\n. a\nb b\n\norder DLRU\naab\n bb.\n";
        let pictures = PartitionPicture::parse_all(text).unwrap();
        assert_eq!(pictures.len(), 2);
        assert_eq!(pictures[0].tray.to_string(), "2x2");
        assert_eq!(pictures[0].order, None);
        assert_eq!(pictures[1].blank, Cell::new(5));
        assert_eq!(pictures[1].parts[0].bits(), 0b011);
        assert_eq!(pictures[1].order.unwrap()[0], Direction::Down);
    }

    #[test]
    fn pictures_are_written_as_they_are_read() {
        let text = "order RULD\n. a b b\na a b b\na a b b\na c c c\n";
        let picture = PartitionPicture::parse_all(text).unwrap().remove(0);
        assert_eq!(picture.to_string(), text);
    }

    #[test]
    fn parts_of_one_tile_have_distinct_characters() {
        let tray = Tray::new(8, 8).unwrap();
        let parts = tray.iter().skip(1).map(|cell| CellSet::EMPTY.with(cell));
        let picture = PartitionPicture {
            tray,
            blank: Cell::new(0),
            parts: parts.collect(),
            order: None,
        };
        let read = PartitionPicture::parse_all(&picture.to_string()).unwrap();
        assert_eq!(read, [picture]);
    }

    #[test]
    fn bad_pictures_name_the_line() {
        let error = |text| PartitionPicture::parse_all(text).unwrap_err().to_string();
        assert!(error(". a\nb").contains("line 2: 1 cells"));
        assert!(error(". a\nb ?").contains("line 2: `?`"));
        assert!(error("a a\nb b").contains("0 blanks"));
        assert!(error("order UDLL\n. a\nb b").contains("line 1: order"));
        assert!(error(". a a").contains("3 cells wide and 1 high"));
        assert!(error("# nothing").contains("no picture"));
    }
}
