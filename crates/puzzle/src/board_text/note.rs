//! Notes about guesses of the reader.

use std::fmt;

use crate::tray::{Cell, Tray};

/// A guess that the reader made about the form of a text. A text that needs no guess has no note.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Note {
    /// Numbers before the board are its size.
    Size(Tray),
    /// A number before the boards is their count.
    Count(u32),
    /// Two numbers before the board are its number of tiles and the cell of the goal's blank.
    GoalBlank(Cell),
    /// Each line is one number of a board that is not a single column.
    Column(Tray),
    /// Each character is a cell: a digit, a letter from `a` = 10, or the blank.
    Digits,
    /// Each character is a cell: a letter from `a` = 1, or the blank.
    Letters,
    /// An empty place is the blank; its row and column are counted from 1.
    Gap {
        /// Row of the blank.
        row: usize,
        /// Column of the blank.
        column: usize,
    },
    /// The last row is one number short, and the blank is its last cell.
    LeftOut,
    /// There is no 0, and the highest number is the blank.
    Highest(u32),
    /// Tiles are numbered from 0, and the blank has a mark.
    FromZero,
}

impl fmt::Display for Note {
    /// A sentence without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Note::Size(tray) => {
                format!("the numbers before the board are read as its size {tray}")
            }
            Note::Count(count) => {
                format!("the number {count} before the boards is read as their count")
            }
            Note::GoalBlank(cell) => format!(
                "the numbers before the board are read as its number of tiles and the goal's blank \
                 cell {cell}, counted from 0"
            ),
            Note::Column(tray) => format!("one number per line is read as a {tray} board"),
            Note::Digits => "each character is read as a cell".into(),
            Note::Letters => "each letter is read as a tile, a as tile 1".into(),
            Note::Gap { row, column } => {
                format!("the gap at row {row} column {column} is read as the blank")
            }
            Note::LeftOut => {
                "the last row is one number short, and its last cell is read as the blank".into()
            }
            Note::Highest(number) => format!("{number}, the highest number, is read as the blank"),
            Note::FromZero => "the tiles are numbered from 0, so 1 is added to each".into(),
        };
        f.write_str(&text)
    }
}
