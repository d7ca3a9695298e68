//! Boards: numbered tiles and a blank on a tray.

use std::fmt;

use crate::names::{count_of, join};
use crate::tray::{Cell, Tray, TrayError};

/// A complete arrangement: each number from 0 (the blank) to N-1 is on exactly one cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    tray: Tray,
    numbers: Box<[u16]>,
}

/// Error: numbers or a text that are not a valid board. Most faults of a text only have a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The text is not a board: its message.
    #[error("{0}")]
    Text(String),
    /// A word is neither a number nor a blank.
    #[error("{0}")]
    Word(String),
    /// A line of a list that is valid in two ways: with its first number as an identifier, and with
    /// its first number as a part of the board.
    #[error("{0}")]
    Ambiguous(String),
    /// Numbers that fill no board, in a text that does not state its size.
    #[error("{0}")]
    NoSize(String),
    /// The size that the rows show is not supported.
    #[error(transparent)]
    Tray(#[from] TrayError),
    /// The size that the rows show differs from the requested size.
    #[error("the rows make a {found} board, but {expected} was expected")]
    Size {
        /// Size that the rows show.
        found: Tray,
        /// Requested size.
        expected: Tray,
    },
    /// Too few or too many numbers.
    #[error("{} found, but a {tray} board has {}", count_of(*found, "number"), tray.cells())]
    Count {
        /// Numbers found.
        found: usize,
        /// Size for which the numbers were read.
        tray: Tray,
    },
    /// All numbers that are too large, repeated or missing.
    #[error("{}", tiles_message(*tray, too_large, repeated, missing))]
    Tiles {
        /// The size of the board.
        tray: Tray,
        /// Numbers too large for this size, with their cells.
        too_large: Vec<(u32, Cell)>,
        /// Repeated numbers: the number, its first cell, the cell where it is repeated.
        repeated: Vec<(u16, Cell, Cell)>,
        /// Missing numbers.
        missing: Vec<u16>,
    },
}

/// Result of reading a board, or what is known of one.
pub(crate) type Read<T> = Result<T, BoardError>;

impl BoardError {
    /// An error without further data.
    pub(crate) fn text<T>(message: impl Into<String>) -> Result<T, BoardError> {
        Err(BoardError::Text(message.into()))
    }
}

fn tiles_message(
    tray: Tray,
    too_large: &[(u32, Cell)],
    repeated: &[(u16, Cell, Cell)],
    missing: &[u16],
) -> String {
    /// The first items of a list, and the number of the remaining items.
    fn first<T>(things: &[T], separator: &str, text: impl Fn(&T) -> String) -> String {
        let (named, more) = things.split_at(things.len().min(3));
        let named = join(named.iter().map(text), separator);
        match more.len() {
            0 => named,
            more => format!("{named} and {more} more"),
        }
    }
    let place = |cell| {
        let (row, column) = (tray.row(cell) + 1, tray.column(cell) + 1);
        format!("row {row} column {column}")
    };
    let name = |number| match number {
        0 => "the blank (0)".to_owned(),
        tile => format!("tile {tile}"),
    };
    let too_large = first(too_large, "; ", |&(number, cell)| {
        let (at, last) = (place(cell), tray.last());
        format!("{number} at {at} is not a tile of a {tray} board (0 to {last})")
    });
    let repeated = first(repeated, "; ", |&(number, first, again)| {
        let (name, first, again) = (name(number), place(first), place(again));
        format!("{name} at {first} is repeated at {again}")
    });
    let missing = match missing {
        [] => String::new(),
        [tile] => format!("{} is missing", name(*tile)),
        tiles => format!("{} are missing", first(tiles, ", ", |&tile| name(tile))),
    };
    let parts = [too_large, repeated, missing];
    join(parts.iter().filter(|part| !part.is_empty()), "; ")
}

impl Board {
    /// Checks that `numbers`, in reading order with 0 for the blank, form a board of this size.
    ///
    /// # Errors
    /// [`BoardError::Count`] or [`BoardError::Tiles`]; the latter lists all faults.
    pub fn new(tray: Tray, numbers: &[u32]) -> Result<Self, BoardError> {
        let cells = tray.cells();
        if numbers.len() != cells {
            let found = numbers.len();
            return Err(BoardError::Count { found, tray });
        }
        let mut first_at: Vec<Option<Cell>> = vec![None; cells];
        let (mut too_large, mut repeated) = (Vec::new(), Vec::new());
        for (cell, &number) in tray.iter().zip(numbers) {
            match first_at.get_mut(number as usize) {
                None => too_large.push((number, cell)),
                Some(Some(first)) => repeated.push((number as u16, *first, cell)),
                Some(free) => *free = Some(cell),
            }
        }
        if too_large.is_empty() && repeated.is_empty() {
            let numbers = numbers.iter().map(|&number| number as u16).collect();
            return Ok(Board { tray, numbers });
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

    /// The board's size.
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// The numbers in reading order, 0 for the blank.
    #[must_use]
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// The cell of a number; `None` if no tile of this size has the number.
    #[must_use]
    pub fn find(&self, number: u16) -> Option<Cell> {
        let cell = self.numbers.iter().position(|&found| found == number);
        cell.map(Cell::new)
    }

    pub(crate) fn blank(&self) -> Cell {
        self.find(0).unwrap_or(self.tray.last())
    }

    pub(crate) fn swap(&mut self, a: Cell, b: Cell) {
        self.numbers.swap(a.index(), b.index());
    }
}

impl fmt::Display for Board {
    /// Rows separated by slashes, as in `1 2 3/4 5 6/7 8 0`. The size of a one-row board is not
    /// shown.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn message(size: &str, numbers: &[u32]) -> String {
        let tray = size.parse().unwrap();
        Board::new(tray, numbers).unwrap_err().to_string()
    }

    #[test]
    fn errors_list_all_faults() {
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
             is repeated at row 1 column 3; the blank (0) at row 1 column 1 is repeated at row 2 \
             column 2; tile 3, tile 4, tile 5 are missing"
        );
        assert!(message("2x2", &[1, 1, 2, 3]).ends_with("; the blank (0) is missing"));
    }

    #[test]
    fn errors_name_the_first_three_faults_of_a_kind() {
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
        let third = "tile 1 at row 1 column 1 is repeated at row 2 column 1 and 1 more; tile 2, ";
        assert!(repeated.contains(third), "{repeated}");
        // A number that is too large does not count towards the three repeated numbers.
        let both = message("3x2", &[9, 1, 1, 1, 1, 1]);
        assert!(
            both.starts_with("9 at row 1 column 1 is not a tile of a 3x2 board (0 to 5); tile 1")
        );
        assert!(
            both.contains("is repeated at row 2 column 2 and 1 more; "),
            "{both}"
        );
    }

    #[test]
    fn boards_are_searched_swapped_and_written() {
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
