//! Boards as people write them: numbered tiles and a blank on a tray.

use std::fmt;
use std::str::FromStr;

use crate::board_text::{Grid, TextError};
use crate::names::join;
use crate::{Cell, Tray, TrayError};

/// A full arrangement: every number from 0 (the blank) to N-1 stands on exactly one cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    tray: Tray,
    numbers: Box<[u16]>,
}

/// Numbers or a text that are no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The text could not be read as numbers in rows.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The rows make a tray that is not supported.
    #[error(transparent)]
    Tray(#[from] TrayError),
    /// The rows of the text make another size than the one asked for.
    #[error("the rows make a {found} board, but {expected} was expected")]
    Size {
        /// Size that the rows show.
        found: Tray,
        /// Size asked for.
        expected: Tray,
    },
    /// Too few or too many numbers.
    #[error(
        "{found} number{s} found, but a {tray} board has {expected}",
        s = if *found == 1 { "" } else { "s" },
        expected = tray.cells()
    )]
    Count {
        /// Numbers found.
        found: usize,
        /// The size they were read for.
        tray: Tray,
    },
    /// Neither a size nor rows, and no square has so many cells.
    #[error(
        "{found} number{s} without rows {are} no square board: 9 make a 3x3, 16 a 4x4",
        s = if *found == 1 { "" } else { "s" },
        are = if *found == 1 { "makes" } else { "make" }
    )]
    NotSquare {
        /// Numbers found.
        found: usize,
    },
    /// A goal that is no name of one and no board.
    #[error("`{0}` is neither blank-last, blank-first nor a board")]
    GoalName(String),
    /// Numbers that are too large, repeated or missing: all of them.
    #[error("{}", tiles_message(*tray, too_large, repeated, missing))]
    Tiles {
        /// The size of the board.
        tray: Tray,
        /// Numbers no tile of this size has, with their cells.
        too_large: Vec<(u32, Cell)>,
        /// Numbers met before: number, first cell, cell where it is met again.
        repeated: Vec<(u16, Cell, Cell)>,
        /// Numbers that stand nowhere.
        missing: Vec<u16>,
    },
}

fn place(tray: Tray, cell: Cell) -> String {
    format!(
        "row {} column {}",
        tray.row(cell) + 1,
        tray.column(cell) + 1
    )
}

fn tiles_message(
    tray: Tray,
    too_large: &[(u32, Cell)],
    repeated: &[(u16, Cell, Cell)],
    missing: &[u16],
) -> String {
    let last = tray.cells() - 1;
    let name = |n: u16| {
        if n == 0 {
            "the blank (0)".to_owned()
        } else {
            format!("tile {n}")
        }
    };
    // The rest of a long list says no more.
    const MAX_NAMED: usize = 3;
    let more = |count: usize| match count.saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let mut parts = Vec::new();
    for &(number, cell) in too_large.iter().take(MAX_NAMED) {
        let at = place(tray, cell);
        parts.push(format!(
            "{number} at {at} is not a tile of a {tray} board (0 to {last})"
        ));
    }
    if let Some(last) = parts.last_mut() {
        last.push_str(&more(too_large.len()));
    }
    let before = parts.len();
    for &(number, first, again) in repeated.iter().take(MAX_NAMED) {
        parts.push(format!(
            "{} at {} stands again at {}",
            name(number),
            place(tray, first),
            place(tray, again)
        ));
    }
    if let Some(last) = parts[before..].last_mut() {
        last.push_str(&more(repeated.len()));
    }
    if !missing.is_empty() {
        let names = join(missing.iter().take(MAX_NAMED).map(|&n| name(n)), ", ");
        let verb = if missing.len() == 1 { "is" } else { "are" };
        parts.push(format!("{names}{} {verb} missing", more(missing.len())));
    }
    parts.join("; ")
}

impl Board {
    /// Checks that `numbers`, in reading order with 0 for the blank, are a board of this size.
    ///
    /// # Errors
    /// [`BoardError::Count`] or [`BoardError::Tiles`]; the latter lists everything that is wrong.
    pub fn new(tray: Tray, numbers: &[u32]) -> Result<Self, BoardError> {
        let cells = tray.cells();
        if numbers.len() != cells {
            return Err(BoardError::Count {
                found: numbers.len(),
                tray,
            });
        }
        let mut first_at: Vec<Option<Cell>> = vec![None; cells];
        let mut checked = Vec::with_capacity(cells);
        let (mut too_large, mut repeated) = (Vec::new(), Vec::new());
        for (cell, &number) in tray.iter().zip(numbers) {
            match first_at.get_mut(number as usize) {
                None => too_large.push((number, cell)),
                Some(Some(first)) => repeated.push((number as u16, *first, cell)),
                Some(free) => *free = Some(cell),
            }
            checked.push(number as u16);
        }
        if too_large.is_empty() && repeated.is_empty() {
            return Ok(Board {
                tray,
                numbers: checked.into(),
            });
        }
        let missing = (0..cells as u16)
            .filter(|&n| first_at[usize::from(n)].is_none())
            .collect();
        Err(BoardError::Tiles {
            tray,
            too_large,
            repeated,
            missing,
        })
    }

    /// Reads a board from any of the notations of [`crate::board_text`]. The size is `size`, else
    /// the one that the text's rows show, else the square with as many cells as there are numbers.
    ///
    /// # Errors
    /// [`BoardError`] names the word, the row or the tile that is wrong.
    ///
    /// ```
    /// use puzzle::Board;
    /// let board = Board::parse("6 4 7/8 5 _/3 2 1", None)?;
    /// assert_eq!(board, Board::parse("[[6,4,7],[8,5,0],[3,2,1]]", None)?);
    /// assert_eq!(board, Board::parse("6,4,7,8,5,0,3,2,1", None)?);
    /// assert_eq!(board.tray().to_string(), "3x3");
    /// # Ok::<(), puzzle::BoardError>(())
    /// ```
    pub fn parse(text: &str, size: Option<Tray>) -> Result<Self, BoardError> {
        Grid::read(text)?.board(size)
    }

    /// The size.
    #[must_use]
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The numbers in reading order, 0 for the blank.
    #[must_use]
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// Where a number stands; `None` if no tile of this size has it.
    #[must_use]
    pub fn find(&self, number: u16) -> Option<Cell> {
        self.numbers
            .iter()
            .position(|&found| found == number)
            .map(Cell::new)
    }

    pub(crate) fn swap(&mut self, a: Cell, b: Cell) {
        self.numbers.swap(a.index(), b.index());
    }
}

impl fmt::Display for Board {
    /// Rows parted by slashes, as in `1 2 3/4 5 6/7 8 0`. A board of one row shows no size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, number) in self.tray.iter().zip(&self.numbers) {
            let sign = match (self.tray.column(cell), cell.index()) {
                (_, 0) => "",
                (0, _) => "/",
                _ => " ",
            };
            write!(f, "{sign}{number}")?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// [`Board::parse`] without a size.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        Board::parse(text, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(size: &str, numbers: &[u32]) -> String {
        let tray = size.parse().unwrap();
        Board::new(tray, numbers).unwrap_err().to_string()
    }

    #[test]
    fn everything_that_is_wrong_is_named() {
        assert_eq!(
            message("2x1", &[0]),
            "1 number found, but a 2x1 board has 2"
        );
        assert_eq!(
            message("2x1", &[]),
            "0 numbers found, but a 2x1 board has 2"
        );
        assert_eq!(
            message("3x2", &[0, 1, 1, 7, 0, 2]),
            "7 at row 2 column 1 is not a tile of a 3x2 board (0 to 5); tile 1 at row 1 column 2 \
             stands again at row 1 column 3; the blank (0) at row 1 column 1 stands again at row 2 \
             column 2; tile 3, tile 4, tile 5 are missing"
        );
        assert!(message("2x2", &[1, 1, 2, 3]).ends_with("; the blank (0) is missing"));
    }

    #[test]
    fn of_long_lists_the_first_three_are_named() {
        let large = message("3x2", &[6, 7, 8, 0, 1, 2]);
        assert!(large.contains("; 8 at row 1 column 3 is not a tile of a 3x2 board (0 to 5); "));
        assert!(
            large.ends_with("; tile 3, tile 4, tile 5 are missing"),
            "{large}"
        );
        let large = message("3x2", &[6, 7, 8, 9, 10, 0]);
        let third = "; 8 at row 1 column 3 is not a tile of a 3x2 board (0 to 5) and 2 more; ";
        assert!(large.contains(third), "{large}");
        assert!(
            large.ends_with("; tile 1, tile 2, tile 3 and 2 more are missing"),
            "{large}"
        );
        let repeated = message("3x2", &[1, 1, 1, 1, 1, 0]);
        let third = "tile 1 at row 1 column 1 stands again at row 2 column 1 and 1 more; tile 2, ";
        assert!(repeated.contains(third), "{repeated}");
        // What is too large has a count of its own.
        let both = message("3x2", &[9, 1, 1, 1, 1, 1]);
        assert!(
            both.starts_with("9 at row 1 column 1 is not a tile of a 3x2 board (0 to 5); tile 1")
        );
        assert!(
            both.contains("stands again at row 2 column 2 and 1 more; "),
            "{both}"
        );
    }

    #[test]
    fn boards_are_found_in_swapped_and_written() {
        let mut board = Board::parse("5 1 2/3 4 0", None).unwrap();
        assert_eq!(board.find(0), Some(Cell::new(5)));
        assert_eq!((board.find(5), board.find(6)), (Some(Cell::new(0)), None));
        assert_eq!(
            (board.tray().to_string(), board.numbers()),
            ("3x2".to_owned(), &[5, 1, 2, 3, 4, 0][..])
        );
        board.swap(Cell::new(5), Cell::new(2));
        assert_eq!(board.to_string(), "5 1 0/3 4 2");
        let row = Board::parse("1 0", "2x1".parse().ok()).unwrap();
        assert_eq!(row.to_string(), "1 0");
        assert_eq!("5 1 0/3 4 2".parse(), Ok(board));
    }
}
