//! Errors of texts that are not made of numbers in rows.

use crate::message::count_of;
use crate::tray::Tray;

/// A text that is not made of numbers in rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// Nothing to read.
    #[error("the board is empty: give its numbers in reading order, 0 for the blank")]
    Empty,
    /// A word is neither a number nor a sign for the blank.
    #[error("word {position} `{word}` is neither a tile's number nor a blank (0 _ - . x)")]
    Word {
        /// The word, cut to 20 characters.
        word: String,
        /// Its place among the words, from 1.
        position: usize,
    },
    /// A number beyond 32 bits stands for a tile.
    #[error(
        "word {position} `{word}` is not a tile of a {tray} board (0 to {last})",
        last = tray.last()
    )]
    TooLarge {
        /// The word, cut to 20 characters.
        word: String,
        /// Its place among the words, from 1.
        position: usize,
        /// The size of the board.
        tray: Tray,
    },
    /// A closing bracket without its opening one.
    #[error("bracket `{bracket}` closes none that is open")]
    Unopened {
        /// The bracket.
        bracket: char,
    },
    /// An opening bracket without its closing one.
    #[error("bracket `{bracket}` is not closed")]
    Unclosed {
        /// The bracket.
        bracket: char,
    },
    /// The rows have different lengths.
    #[error("row {row} has {}, but row 1 has {expected}", count_of(*found, "number"))]
    Ragged {
        /// The odd row, from 1.
        row: usize,
        /// Its length.
        found: usize,
        /// The first row's length.
        expected: usize,
    },
    /// Rows on lines of a list have another size than the one asked for.
    #[error(
        "a board of {tray} has {} numbers in {}, {}",
        tray.cells(),
        count_of(tray.height(), "row"),
        rows_message(*first, *last, *found)
    )]
    Rows {
        /// First line of the rows, from 1.
        first: usize,
        /// Last line of the rows.
        last: usize,
        /// Numbers found.
        found: usize,
        /// The size asked for.
        tray: Tray,
    },
    /// Rows on lines of a list end before there is a place for every tile.
    #[error("{}: too few for tile {tile}", rows_message(*first, *last, *found))]
    TooFewRows {
        /// First line of the rows, from 1.
        first: usize,
        /// Last line of the rows.
        last: usize,
        /// Numbers found.
        found: usize,
        /// The highest number found.
        tile: u32,
    },
    /// Both readings of a list's line, with and without an identifier, are boards.
    #[error("the line can be read with and without a leading number")]
    Ambiguous,
}

fn rows_message(first: usize, last: usize, found: usize) -> String {
    let numbers = count_of(found, "number");
    match first == last {
        true => format!("the row on line {first} has {numbers}"),
        false => format!("the rows on lines {first} to {last} have {numbers}"),
    }
}
