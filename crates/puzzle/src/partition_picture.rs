//! Partitions drawn as text: a letter or digit per cell names the part, and `.` is the blank.

use std::fmt;

use crate::cell_set::CellSet;
use crate::message::join;
use crate::message::printable_sign;
use crate::move_order::{MoveOrder, MoveOrderError};
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

/// Error: a picture that cannot be read. Line numbers start at 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionPictureError {
    /// A character that is neither a part nor the blank.
    #[error("line {line}: `{sign}` is not a part (a letter or digit) or the blank (.)")]
    Sign {
        /// Line number.
        line: usize,
        /// The invalid character.
        sign: char,
    },
    /// A row with more or fewer cells than the first row of its picture.
    #[error("line {line}: {found} cells, but the picture's first row has {expected}")]
    Ragged {
        /// Line number.
        line: usize,
        /// Cells found.
        found: usize,
        /// Cells of the first row.
        expected: usize,
    },
    /// The picture does not have exactly one blank.
    #[error("the picture that ends at line {line} has {found} blanks (.) instead of one")]
    Blanks {
        /// Line number.
        line: usize,
        /// Blanks found.
        found: usize,
    },
    /// An order that is not a permutation of the four letters.
    #[error("line {line}: order `{text}` is not the letters U, D, L and R in some order")]
    Order {
        /// Line number.
        line: usize,
        /// The invalid order.
        text: String,
    },
    /// Tables do not support the size of the picture.
    #[error(
        "the picture that ends at line {line} is {width} cells wide and {height} high, which no \
         table can have"
    )]
    Size {
        /// Line number.
        line: usize,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The text has no picture.
    #[error("no picture found")]
    Empty,
}

impl PartitionPicture {
    /// Reads all pictures of a text. Blank lines separate them, `#` begins a comment line, and
    /// `order ULRD` sets the move order of the pictures that follow.
    pub fn parse_all(text: &str) -> Result<Vec<PartitionPicture>, PartitionPictureError> {
        let mut pictures = Vec::new();
        let mut order = None;
        let mut rows: Vec<Vec<char>> = Vec::new();
        let lines = text.lines().chain([""]);
        for (index, line) in lines.enumerate() {
            let (line, number) = (line.trim(), index + 1);
            if line.starts_with('#') {
                continue;
            }
            if let Some(letters) = line.strip_prefix("order ") {
                let read = letters.parse().map_err(|MoveOrderError(text)| {
                    let line = number;
                    PartitionPictureError::Order { line, text }
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
                let (line, sign) = (number, printable_sign(sign));
                return Err(PartitionPictureError::Sign { line, sign });
            }
            let expected = rows.first().map_or(row.len(), Vec::len);
            if row.len() != expected {
                return Err(PartitionPictureError::Ragged {
                    line: number,
                    found: row.len(),
                    expected,
                });
            }
            rows.push(row);
        }
        if pictures.is_empty() {
            return Err(PartitionPictureError::Empty);
        }
        Ok(pictures)
    }

    fn from_rows(
        rows: &[Vec<char>],
        order: Option<[Direction; 4]>,
        line: usize,
    ) -> Result<PartitionPicture, PartitionPictureError> {
        let (width, height) = (rows[0].len(), rows.len());
        let tray = Tray::new(width, height).ok();
        let tray = tray.filter(|&tray| Pattern::check_tray(tray).is_ok());
        let tray = tray.ok_or(PartitionPictureError::Size {
            line,
            width,
            height,
        })?;
        let mut signs: Vec<(char, CellSet)> = Vec::new();
        for (cell, &sign) in tray.iter().zip(rows.iter().flatten()) {
            match signs.iter_mut().find(|(known, _)| *known == sign) {
                Some((_, cells)) => *cells = cells.with(cell),
                None => signs.push((sign, CellSet::EMPTY.with(cell))),
            }
        }
        let blanks = signs.iter().find(|(sign, _)| *sign == '.');
        let blanks = blanks.map_or(CellSet::EMPTY, |&(_, cells)| cells);
        let (Some(blank), 1) = (blanks.lowest(), blanks.len()) else {
            let found = blanks.len();
            return Err(PartitionPictureError::Blanks { line, found });
        };
        signs.retain(|(sign, _)| *sign != '.');
        Ok(PartitionPicture {
            tray,
            blank,
            parts: signs.into_iter().map(|(_, cells)| cells).collect(),
            order,
        })
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
