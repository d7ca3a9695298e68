//! The ways in which boards are written.
//!
//! Numbers are parted by spaces, tabs, commas or semicolons. Rows are parted by slashes or line
//! breaks, are nested arrays, or stand in a drawn frame (`+--+--+`, `|`, box-drawing characters).
//! The blank is `0`, `_`, `-`, `.` or `x`, or an empty cell between two bars.
//!
//! In lists a board stands on a line, where an identifier may stand before it and known figures
//! after it ([`parse_listed`]), or on several, a row on each: [`ListReader`] tells which lines
//! belong together.

mod grid;
mod lexer;
mod list;

pub(crate) use grid::Grid;
pub use list::{ListReader, ListedText};

use crate::{Board, BoardError, Tray};

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
    #[error(
        "row {row} has {found} number{s}, but row 1 has {expected}",
        s = if *found == 1 { "" } else { "s" }
    )]
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
        "a board of {tray} has {expected} numbers in {height} row{s}, {lines}",
        expected = tray.cells(),
        height = tray.height(),
        s = if tray.height() == 1 { "" } else { "s" },
        lines = rows_message(*first, *last, *found)
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
    let s = if found == 1 { "" } else { "s" };
    if first == last {
        format!("the row on line {first} has {found} number{s}")
    } else {
        format!("the rows on lines {first} to {last} have {found} number{s}")
    }
}

/// The start of a word, fit for a message.
pub(crate) fn printable(word: &str) -> String {
    word.chars().take(20).map(printable_sign).collect()
}

/// A sign that keeps a message on its line and moves no cursor.
pub(crate) fn printable_sign(sign: char) -> char {
    if sign.is_control() { '\u{fffd}' } else { sign }
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

impl From<Board> for ListedBoard {
    /// A board without an identifier or known figures.
    fn from(board: Board) -> Self {
        ListedBoard {
            board,
            id: None,
            known_length: None,
        }
    }
}

/// Reads one line of a list. A line that shows rows, or has as many numbers as the tray has cells,
/// is a plain board. A longer one is a board followed by further columns, or an identifier followed
/// by the board and further columns; `leading_id` asks for the second reading.
///
/// Where neither `size` nor rows tell the size, it is the largest square that the line has room
/// for; where that is no board, the next smaller one down to 4x4 that is, so that many further
/// columns do no harm.
///
/// # Errors
/// [`TextError::Ambiguous`] when both readings hold and `leading_id` is false, and all of
/// [`Board::parse`]'s.
///
/// ```
/// use puzzle::board_text::parse_listed;
/// let listed = parse_listed("17 8 6 7 2 5 4 3 0 1 31", None, false)?;
/// assert_eq!(listed.board.to_string(), "8 6 7/2 5 4/3 0 1");
/// assert_eq!((listed.id, listed.known_length), (Some(17), Some(31)));
/// # Ok::<(), puzzle::BoardError>(())
/// ```
pub fn parse_listed(
    line: &str,
    size: Option<Tray>,
    leading_id: bool,
) -> Result<ListedBoard, BoardError> {
    read_listed(&Grid::read(line)?, size, leading_id)
}

fn read_listed(
    grid: &Grid,
    size: Option<Tray>,
    leading_id: bool,
) -> Result<ListedBoard, BoardError> {
    if grid.rows.len() > 1 && !leading_id {
        // A plain board, or one with further columns on its last row; else one with an identifier.
        let first = rows_with_columns(grid, size)
            .unwrap_or_else(|| grid.board(size).map(ListedBoard::from));
        return first.or_else(|error| read_listed(grid, size, true).map_err(|_| error));
    }
    match (grid.rows.len(), size) {
        (_, Some(tray)) => read_columns(grid, tray, leading_id),
        (1, None) => read_square(grid, leading_id),
        (rows, None) => {
            // The identifier stands in the first row, further columns in the last.
            let width = grid.rows[0].saturating_sub(1);
            read_columns(grid, Tray::new(width, rows)?, leading_id)
        }
    }
}

/// The fewest numbers after a square's worth of them that speak for another size.
const MANY_COLUMNS: usize = 5;

/// Without a size: the largest square that is a board.
fn read_square(grid: &Grid, leading_id: bool) -> Result<ListedBoard, BoardError> {
    let found = grid.numbers.len();
    let given = found - usize::from(leading_id).min(found);
    let largest = given.isqrt().min(Tray::MAX_SIDE);
    let not_square = BoardError::NotSquare { found: given };
    let Ok(tray) = Tray::new(largest, largest) else {
        return Err(not_square);
    };
    let error = match read_columns(grid, tray, leading_id) {
        Err(error) if error != BoardError::from(TextError::Ambiguous) => error,
        read => return read,
    };
    let smaller = (4..largest).rev().filter_map(|side| {
        let tray = Tray::new(side, side).ok()?;
        read_columns(grid, tray, leading_id).ok()
    });
    let is_likely = given - tray.cells() < MANY_COLUMNS;
    let error = if is_likely { error } else { not_square };
    smaller.take(1).next().ok_or(error)
}

/// A board of this size with or without an identifier, then further columns.
fn read_columns(grid: &Grid, tray: Tray, leading_id: bool) -> Result<ListedBoard, BoardError> {
    let found = grid.numbers.len();
    let read = |skip| read_after(grid, tray, skip);
    let too_short = || BoardError::Count {
        found: found - usize::from(leading_id).min(found),
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
fn read_after(grid: &Grid, tray: Tray, skip: usize) -> Option<Result<ListedBoard, BoardError>> {
    let end = skip + tray.cells();
    if end > grid.numbers.len() {
        return None;
    }
    Some(grid.board_at(skip, tray).map(|board| ListedBoard {
        board,
        id: (skip == 1).then(|| grid.numbers[0]),
        known_length: grid.numbers.get(end).copied(),
    }))
}

/// A board in rows followed by further columns on its last row, such as `1 2/3 0 4`.
fn rows_with_columns(grid: &Grid, size: Option<Tray>) -> Option<Result<ListedBoard, BoardError>> {
    let (&last, upper) = grid.rows.split_last()?;
    let &width = upper.first()?;
    if last <= width || upper.iter().any(|&length| length != width) {
        return None;
    }
    let tray = match Tray::new(width, grid.rows.len()) {
        Ok(tray) => tray,
        Err(error) => return Some(Err(error.into())),
    };
    match size {
        Some(expected) if expected != tray => {
            let found = tray;
            Some(Err(BoardError::Size { found, expected }))
        }
        _ => read_after(grid, tray, 0),
    }
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
            "1 2 3\r\n4 5 6\r\n7 8 -\r\n",
            "1\t2\t3\n4\t5\t6\n7\t8\t--",
            "1;2;3\n4;5;6\n7;8;0",
            "1 2 3; 4 5 6; 7 8 0",
            "[1 2 3; 4 5 6; 7 8 0]",
            "((1, 2, 3), (4, 5, 6), (7, 8, 0))",
            "{{1, 2, 3}, {4, 5, 6}, {7, 8, 0}}",
            "[[1 2 3]\n [4 5 6]\n [7 8 0]]",
            "[1, 2, 3]\n[4, 5, 6]\n[7, 8, 0]",
            "+---+---+---+\n| 1 | 2 | 3 |\n+---+---+---+\n| 4 | 5 | 6 |\n+---+---+---+\n\
             | 7 | 8 |   |\n+---+---+---+\n",
            "┌─┬─┬─┐\n│1│2│3│\n├─┼─┼─┤\n│4│5│6│\n├─┼─┼─┤\n│7│8│ │\n└─┴─┴─┘",
            "╔═══════╗\n║ 1 2 3 ║\n║ 4 5 6 ║\n║ 7 8 _ ║\n╚═══════╝",
            "1 | 2 | 3\n--+---+--\n4 | 5 | 6\n--+---+--\n7 | 8 | -",
            "|   |   |   |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 | |",
            "1|2|3/4|5|6/7|8|0",
            "|| 1 | 2 | 3 ||\n|| 4 | 5 | 6 ||\n|| 7 | 8 |   ||",
        ];
        let board = Board::new(tray("3x3").unwrap(), &[1, 2, 3, 4, 5, 6, 7, 8, 0]).unwrap();
        for text in same {
            for size in [None, tray("3x3")] {
                assert_eq!(Board::parse(text, size).as_ref(), Ok(&board), "{text}");
            }
        }
        for text in &same[..8] {
            let line = on_one_line(text);
            assert_eq!(parse_listed(&line, None, false).unwrap().board, board);
        }
        for flat in [
            "1 2 3 4 5 6 7 8 0",
            "[1,2,3,4,5,6,7,8,0]",
            "(1, 2, 3, 4, 5, 6, 7, 8, 0)",
            "1;2;3;4;5;6;7;8;0",
            "1,2,3,4,5,6,7,8,0",
            "[[1,2,3,4,5,6,7,8,0]]",
        ] {
            assert_eq!(Board::parse(flat, None).as_ref(), Ok(&board));
            assert_eq!(Board::parse(flat, tray("3x3")).as_ref(), Ok(&board));
        }
    }

    #[test]
    fn one_row_is_a_square() {
        for side in 2..=Tray::MAX_SIDE {
            let tray = Tray::new(side, side).unwrap();
            let board = crate::Goal::blank_last(tray).board().clone();
            let flat = board.to_string().replace('/', " ");
            assert_eq!(Board::parse(&flat, None).unwrap(), board);
            let with_columns = format!("{flat} 31 1000");
            if side > 2 {
                let listed = parse_listed(&with_columns, None, false).unwrap();
                assert_eq!((listed.board, listed.known_length), (board, Some(31)));
            }
        }
        let message = |text: &str| Board::parse(text, None).unwrap_err().to_string();
        assert_eq!(
            message("1 2 3 4 5 0"),
            "6 numbers without rows make no square board: 9 make a 3x3, 16 a 4x4"
        );
        assert!(message("0").starts_with("1 number without rows makes"));
        assert!(message(&"1 ".repeat(441)).starts_with("441 numbers"));
    }

    #[test]
    fn columns_behind_a_board_do_not_change_its_size() {
        // 24puzzle prints the board, its length, a node count and all the tiles that move.
        let tiles: Vec<u32> = (0..25).rev().collect();
        let columns = vec!["7"; 97].join(",");
        let line = format!(
            "{},0  95     53848738 {columns}",
            crate::names::join(&tiles[..24], ",")
        );
        let listed = parse_listed(&line, None, false).unwrap();
        assert_eq!(
            (listed.board.tray(), listed.known_length),
            (tray("5x5").unwrap(), Some(95))
        );
        // A mistake is named for the size that is meant.
        let message = |line| parse_listed(line, None, false).unwrap_err().to_string();
        assert!(message("1 2 3 4 5 6 7 8 8").contains("tile 8 at row 3 column 2 stands again"));
        assert!(message("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15").starts_with("15 numbers without"));
    }

    #[test]
    fn errors_name_the_place() {
        let message = |text: &str, size| Board::parse(text, size).unwrap_err().to_string();
        assert!(message("", None).contains("empty"));
        assert!(message("1 2/foo 0", None).contains("word 3 `foo`"));
        assert!(message("1 2/3", None).ends_with("row 2 has 1 number, but row 1 has 2"));
        assert!(message("1 2/3 0", tray("3x3")).contains("2x2 board, but 3x3"));
        assert_eq!(
            message("1 2 3 4 5 6 7 8 0", tray("4x4")),
            "9 numbers found, but a 4x4 board has 16"
        );
        let all = message("1 2 3/4 2 9/7 8 0", None);
        assert_eq!(
            all,
            "9 at row 2 column 3 is not a tile of a 3x3 board (0 to 8); tile 2 at row 1 column 2 \
             stands again at row 2 column 2; tile 5, tile 6 are missing"
        );
        assert!(message("1 2/3 -1", None).contains("`-1`"));
        assert_eq!(
            message("1 2/3 99999999999999999999", None),
            "word 4 `99999999999999999999` is not a tile of a 2x2 board (0 to 3)"
        );
        assert_eq!(message("[[1,2],[3,0]", None), "bracket `[` is not closed");
        assert_eq!(
            message("[[1,2],[3,0]]]", None),
            "bracket `]` closes none that is open"
        );
        assert_eq!(
            message("[1 2)", None),
            "bracket `)` closes none that is open"
        );
        assert_eq!(message("+--+--+", None), message("", None));
        assert!(message("| 1 | 2 |\n| 3 | ? |", None).contains("word 4 `?`"));
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
        let three = parse_listed("1 2/3 0 5", tray("3x3"), false).unwrap_err();
        assert!(three.to_string().contains("2x2 board, but 3x3"), "{three}");
        let ragged = parse_listed("1 2 3/4 0", None, false).unwrap_err();
        assert!(
            ragged.to_string().contains("row 2 has 2 numbers"),
            "{ragged}"
        );
    }
}
