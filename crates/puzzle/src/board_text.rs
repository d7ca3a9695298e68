//! The ways in which boards are written: numbers parted by spaces, commas, slashes or line breaks,
//! or nested JSON arrays, with `_`, `.` or `x` for the blank; and lines of Korf's lists, where an
//! identifier may stand before the board and known figures after it.

use crate::{Board, BoardError, Tray};

/// A text that is not made of numbers in rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// Nothing to read.
    #[error("the board is empty: give its numbers in reading order, 0 for the blank")]
    Empty,
    /// A word is neither a number nor a sign for the blank.
    #[error("word {position} `{word}` is neither a tile's number nor a blank (0 _ . x)")]
    Word {
        /// The word, cut to 20 characters.
        word: String,
        /// Its place among the words, from 1.
        position: usize,
    },
    /// The rows have different lengths.
    #[error("row {row} has {found} numbers, but row 1 has {expected}")]
    Ragged {
        /// The odd row, from 1.
        row: usize,
        /// Its length.
        found: usize,
        /// The first row's length.
        expected: usize,
    },
    /// Both readings of a list's line, with and without an identifier, are boards.
    #[error("the line can be read with and without a leading number")]
    Ambiguous,
}

/// Numbers read from a text, with the rows that the text shows.
pub(crate) struct Grid {
    pub(crate) numbers: Vec<u32>,
    /// Row lengths; a single one when the text shows no rows.
    rows: Vec<usize>,
}

impl Grid {
    /// The size that the rows show; `None` when there is one row only.
    pub(crate) fn shown_size(&self) -> Result<Option<Tray>, BoardError> {
        if self.rows.len() < 2 {
            return Ok(None);
        }
        let expected = self.rows[0];
        if let Some(odd) = self.rows.iter().position(|&length| length != expected) {
            let (row, found) = (odd + 1, self.rows[odd]);
            return Err(TextError::Ragged {
                row,
                found,
                expected,
            }
            .into());
        }
        Ok(Some(Tray::new(expected, self.rows.len())?))
    }
}

/// The start of a word, fit for a message.
fn printable(word: &str) -> String {
    let sign = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    word.chars().take(20).map(sign).collect()
}

/// Reads numbers and rows. Rows end at slashes and line breaks; in nested arrays, where line breaks
/// mean nothing, at slashes and closing brackets, and what follows the array belongs to the last
/// row as a list's further columns. Empty rows are ignored, numbers too large for 32 bits are kept
/// as the largest.
pub(crate) fn read_numbers(text: &str) -> Result<Grid, TextError> {
    let is_array = text.contains('[');
    let mut numbers = Vec::new();
    let mut rows: Vec<usize> = Vec::new();
    let (mut depth, mut row_start) = (0_usize, 0);
    let is_sign = |c: char| matches!(c, '/' | '[' | ']' | ',') || c.is_whitespace();
    for piece in text.split_inclusive(is_sign) {
        let (word, sign) = match piece.chars().next_back() {
            Some(sign) if is_sign(sign) => (&piece[..piece.len() - sign.len_utf8()], sign),
            _ => (piece, ' '),
        };
        if !word.is_empty() {
            numbers.push(read_number(word, numbers.len() + 1)?);
        }
        let is_end = match sign {
            '[' => {
                depth += 1;
                false
            }
            ']' => {
                depth = depth.saturating_sub(1);
                true
            }
            '\n' | '\r' => !is_array,
            sign => sign == '/',
        };
        if is_end && numbers.len() > row_start {
            rows.push(numbers.len() - row_start);
            row_start = numbers.len();
        }
    }
    let rest = numbers.len() - row_start;
    match rows.last_mut() {
        Some(last) if is_array && depth == 0 => *last += rest,
        _ if rest > 0 => rows.push(rest),
        _ => {}
    }
    if numbers.is_empty() {
        return Err(TextError::Empty);
    }
    Ok(Grid { numbers, rows })
}

fn read_number(word: &str, position: usize) -> Result<u32, TextError> {
    match word {
        "_" | "." | "x" | "X" => Ok(0),
        digits if digits.bytes().all(|b| b.is_ascii_digit()) => {
            Ok(digits.parse().unwrap_or(u32::MAX))
        }
        _ => Err(TextError::Word {
            word: printable(word),
            position,
        }),
    }
}

/// A line of a list of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBoard {
    /// The board.
    pub board: Board,
    /// The number before the board, if there is one.
    pub id: Option<u32>,
    /// The first number after the board, by custom its optimal length.
    pub known_length: Option<u32>,
}

/// Reads one line of a list. `size` is as in [`Board::parse`]. A line that shows rows, or has as
/// many numbers as the tray has cells, is a plain board. A longer one is a board followed by
/// further columns, or an identifier followed by the board and further columns; `leading_id` asks
/// for the second reading.
///
/// # Errors
/// [`TextError::Ambiguous`] when both readings hold and `leading_id` is false, and all of
/// [`Board::parse`]'s.
pub fn parse_listed(
    line: &str,
    size: Option<Tray>,
    leading_id: bool,
) -> Result<ListedBoard, BoardError> {
    let grid = read_numbers(line)?;
    if grid.rows.len() > 1 && !leading_id {
        // A plain board, or one with further columns on its last row; else one with an identifier.
        let plain = |board| ListedBoard {
            board,
            id: None,
            known_length: None,
        };
        let first = rows_with_columns(&grid).unwrap_or_else(|| Board::parse(line, size).map(plain));
        return first.or_else(|error| parse_listed(line, size, true).map_err(|_| error));
    }
    let tray = match (grid.rows.len(), size) {
        (_, Some(tray)) => tray,
        (1, None) => Tray::new(4, 4)?,
        (rows, None) => {
            // The identifier stands in the first row, further columns in the last.
            let width = grid.rows[0].saturating_sub(1);
            Tray::new(width, rows)?
        }
    };
    let numbers = &grid.numbers;
    let read = |skip| read_listed(tray, numbers, skip);
    let too_short = || BoardError::Count {
        found: numbers.len() - usize::from(leading_id).min(numbers.len()),
        tray,
    };
    if leading_id {
        return read(1).unwrap_or_else(|| Err(too_short()));
    }
    match (read(0), read(1)) {
        (None, _) => Err(too_short()),
        (Some(Ok(_)), Some(Ok(_))) => Err(TextError::Ambiguous.into()),
        (Some(Err(_)), Some(Ok(with_id))) => Ok(with_id),
        (Some(first), _) => first,
    }
}

/// A board after `skip` numbers, with the numbers around it; `None` if there are too few.
fn read_listed(
    tray: Tray,
    numbers: &[u32],
    skip: usize,
) -> Option<Result<ListedBoard, BoardError>> {
    let end = skip + tray.cells();
    let board = Board::new(tray, numbers.get(skip..end)?);
    Some(board.map(|board| ListedBoard {
        board,
        id: (skip == 1).then(|| numbers[0]),
        known_length: numbers.get(end).copied(),
    }))
}

/// A board in rows followed by further columns on its last row, such as `1 2/3 0 4`.
fn rows_with_columns(grid: &Grid) -> Option<Result<ListedBoard, BoardError>> {
    let (&last, upper) = grid.rows.split_last()?;
    let &width = upper.first()?;
    if last <= width || upper.iter().any(|&length| length != width) {
        return None;
    }
    let tray = match Tray::new(width, grid.rows.len()) {
        Ok(tray) => tray,
        Err(error) => return Some(Err(error.into())),
    };
    read_listed(tray, &grid.numbers, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_one_line(text: &str) -> String {
        text.replace('\n', if text.contains('[') { " " } else { "/" })
    }

    fn tray(text: &str) -> Option<Tray> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn every_notation_is_one_board() {
        let same = [
            "1 2 3/4 5 6/7 8 0",
            "1 2 3\n4 5 6\n7 8 _\n",
            "1,2,3/4,5,6/7,8,.",
            "[[1,2,3],[4,5,6],[7,8,0]]",
            " [ [1, 2, 3],\n [4, 5, 6],\n [7, 8, x] ]\n",
            "1 2 3 / 4 5 6 / 7 8 X /",
            "[1 2 3/4 5 6/7 8 0]",
            "[\n [\n  1,\n  2,\n  3\n ],\n [4, 5,\n 6],\n [7, 8, 0]\n]\n",
        ];
        let board = Board::new(tray("3x3").unwrap(), &[1, 2, 3, 4, 5, 6, 7, 8, 0]).unwrap();
        for text in same {
            assert_eq!(Board::parse(text, None).as_ref(), Ok(&board), "{text}");
            assert_eq!(
                parse_listed(&on_one_line(text), None, false).unwrap().board,
                board
            );
        }
        for flat in ["1 2 3 4 5 6 7 8 0", "[1,2,3,4,5,6,7,8,0]"] {
            assert_eq!(Board::parse(flat, tray("3x3")).as_ref(), Ok(&board));
        }
    }

    #[test]
    fn errors_name_the_place() {
        let message = |text: &str, size| Board::parse(text, size).unwrap_err().to_string();
        assert!(message("", None).contains("empty"));
        assert!(message("1 2/foo 0", None).contains("word 3 `foo`"));
        assert!(message("1 2/3", None).contains("row 2 has 1 numbers, but row 1 has 2"));
        assert!(message("1 2/3 0", tray("3x3")).contains("2x2 board, but 3x3"));
        assert_eq!(
            message("1 2 3 4 5 6 7 8 0", None),
            "9 numbers found, but a 4x4 board has 16"
        );
        let all = message("1 2 3/4 2 9/7 8 0", None);
        assert_eq!(
            all,
            "9 at row 2 column 3 is not a tile of a 3x3 board (0 to 8); tile 2 at row 1 column 2 \
             stands again at row 2 column 2; tile 5, tile 6 missing"
        );
        assert!(message("1 2/3 -1", None).contains("`-1`"));
        assert!(message("1 2/3 99999999999", None).contains("4294967295"));
    }

    #[test]
    fn lists_may_have_ids_and_lengths() {
        let two = tray("2x2");
        let read = |line, id| parse_listed(line, two, id);
        let found = read("1 2 3 0 7", false).unwrap();
        assert_eq!((found.id, found.known_length), (None, Some(7)));
        let found = read("12 1 2 3 0 7 99", false).unwrap();
        assert_eq!((found.id, found.known_length), (Some(12), Some(7)));
        assert_eq!(read("0 1 2 3 0 7", false), Err(TextError::Ambiguous.into()));
        assert_eq!(read("0 1 2 3 0 7", true).unwrap().known_length, Some(7));
        assert!(read("1 2 3", false).is_err());
        assert!(read("1 2 3 0", true).is_err());
        let found = parse_listed("1 2/3 0 5", None, false).unwrap();
        assert_eq!(found.known_length, Some(5));
        let found = parse_listed("7 1 2/3 0 5", None, true).unwrap();
        assert_eq!((found.id, found.known_length), (Some(7), Some(5)));
        let found = parse_listed("7 1 2/3 0", None, false).unwrap();
        assert_eq!((found.id, found.known_length), (Some(7), None));
        let found = parse_listed("7 1 2/3 0 5", None, false).unwrap();
        assert_eq!((found.id, found.known_length), (Some(7), Some(5)));
        for line in ["[[1,2],[3,0]],5", "[[1,2],[3,0]] 5 6", "[1,2,3,0],5"] {
            assert_eq!(read(line, false).unwrap().known_length, Some(5), "{line}");
        }
        let ragged = parse_listed("1 2 3/4 0", None, false).unwrap_err();
        assert!(
            ragged.to_string().contains("row 2 has 2 numbers"),
            "{ragged}"
        );
    }
}
