//! Errors of texts that do not consist of numbers in rows.

use crate::message::count_of;
use crate::tray::Tray;

/// Error: a text that does not consist of numbers in rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The text is empty.
    #[error("the board is empty: give its numbers in reading order, 0 for the blank")]
    Empty,
    /// A word is neither a number nor a blank.
    #[error(
        "word {position} `{word}` (row {row} column {column}) is neither a tile's number nor a \
         blank: write the blank as 0 or _, as in 1 2 3/4 0 5/6 7 8"
    )]
    Word {
        /// The word, cut to 20 characters.
        word: String,
        /// Position among the words, from 1.
        position: usize,
        /// Row of the word, from 1.
        row: usize,
        /// Column of the word among the words of its row, from 1.
        column: usize,
    },
    /// A tile number that does not fit in 32 bits.
    #[error(
        "word {position} `{word}` is not a tile of a {tray} board (0 to {last})",
        last = tray.last()
    )]
    TooLarge {
        /// The word, cut to 20 characters.
        word: String,
        /// Position among the words, from 1.
        position: usize,
        /// The size of the board.
        tray: Tray,
    },
    /// A closing bracket without an opening bracket.
    #[error("bracket `{bracket}` was never opened")]
    Unopened {
        /// The bracket.
        bracket: char,
    },
    /// An opening bracket without a closing bracket.
    #[error("bracket `{bracket}` is not closed")]
    Unclosed {
        /// The bracket.
        bracket: char,
    },
    /// The rows have different lengths.
    #[error(
        "row {row} has {}, but row {other} has {expected}{}",
        count_of(*found, "number"),
        if found + 1 == *expected { ": one number is missing; write the blank as 0 or _" } else { "" }
    )]
    Ragged {
        /// Number of the row, from 1.
        row: usize,
        /// Length of the row.
        found: usize,
        /// Number of another row, with which it is compared.
        other: usize,
        /// Length of the other row.
        expected: usize,
    },
    /// Rows of a list that do not have the requested size.
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
        /// Requested size.
        tray: Tray,
    },
    /// Rows of a list with too few cells for the highest tile number in them.
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
    /// A number on a line of its own, without the rows that a size or a count needs.
    #[error(
        "{number} on line {line} is read as a size or a count of boards, but no rows of a board \
         follow it"
    )]
    Alone {
        /// Number of the line, from 1.
        line: usize,
        /// The number.
        number: u32,
    },
    /// A line of a list that is valid in two ways: with its first number as an identifier, and with
    /// its first number as a part of the board.
    #[error(
        "the line can be read with and without a leading number: as {without}, and as {with} after \
         its first number"
    )]
    Ambiguous {
        /// The board that begins with the first number.
        without: String,
        /// The board after the first number.
        with: String,
    },
    /// A text that is a board in two ways.
    #[error("the text can be read as {first} and as {second}: write the blank as 0 or _")]
    Readings {
        /// A board.
        first: String,
        /// Another board.
        second: String,
    },
}

fn rows_message(first: usize, last: usize, found: usize) -> String {
    let numbers = count_of(found, "number");
    match first == last {
        true => format!("the row on line {first} has {numbers}"),
        false => format!("the rows on lines {first} to {last} have {numbers}"),
    }
}
