//! Reader of one board: the plain form first, then the forms that need a guess.

use std::fmt;

use super::clean;
use super::forms::{self, Guess};
use super::grid::{Grid, agreed_size};
use super::lexer::is_bar;
use super::listed::{ListedBoard, read_listed};
use crate::board::{BoardError, Read};
use crate::tray::{Cell, Tray};

/// Maximum length of a text in a form that needs a guess, in bytes. The largest board fits.
const MAX_LENGTH: usize = 1 << 14;

/// Whether an identifier before the board and further columns after it are accepted, as in
/// [`parse_listed`], and then whether the identifier is required.
pub(super) type Columns = Option<bool>;

/// Reads one line of a list. A line that shows rows, or has exactly one number per cell, is a
/// board. A longer line has an identifier before the board, further columns after the board, or
/// both; with `leading_id`, an identifier is required.
///
/// If neither `size` nor rows determine the size, it is the largest square that fits the line. If
/// the numbers of that square are not a board, smaller squares are tried, down to 4x4, because a
/// line may have many further columns.
///
/// # Errors
/// [`BoardError::Ambiguous`] if, without `leading_id`, the line is valid both with and without an
/// identifier; the errors of [`Board::parse`](crate::Board::parse).
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
    read(line, size, Some(leading_id))
}

/// Reads the text of one board, which may have several lines.
pub(super) fn read(text: &str, size: Option<Tray>, columns: Columns) -> Read<ListedBoard> {
    plain(text, size, columns).or_else(|error| guessed(text, size, columns, error))
}

/// Reads a text in the plain form.
pub(super) fn plain(text: &str, size: Option<Tray>, columns: Columns) -> Read<ListedBoard> {
    of_grid(&Grid::read(text)?, size, columns)
}

fn of_grid(grid: &Grid, size: Option<Tray>, columns: Columns) -> Read<ListedBoard> {
    let mut read = match columns {
        None => grid.board(size)?.into(),
        Some(leading_id) => read_listed(grid, size, leading_id)?,
    };
    if grid.is_column && read.board.tray().width() > 1 {
        read.notes.push(Note::Column(read.board.tray()));
    }
    Ok(read)
}

/// Reads a text whose plain form has an error. If several forms are possible, they must give the
/// same board. If none is, the error is that of the plain form, or that of the plain spelling if
/// it has no unknown word.
pub(super) fn guessed(
    text: &str,
    size: Option<Tray>,
    columns: Columns,
    error: BoardError,
) -> Read<ListedBoard> {
    if matches!(error, BoardError::Ambiguous(_)) || text.len() > MAX_LENGTH {
        return Err(error);
    }
    let Some((tray, rest)) = sized(text) else {
        return in_any_form(text, size, columns, error);
    };
    let size = agreed_size(Some(tray), size)?;
    let read = plain(rest, size, None);
    let mut read = read.or_else(|error| in_any_form(rest, size, None, error))?;
    read.notes.insert(0, Note::Size(tray));
    Ok(read)
}

/// [`guessed`] for a text without a size before the board.
fn in_any_form(
    text: &str,
    size: Option<Tray>,
    columns: Columns,
    error: BoardError,
) -> Read<ListedBoard> {
    let spelt = [clean::plain(text), clean::plain(&clean::uncommented(text))];
    let spelt: Vec<Grid> = spelt.iter().flat_map(|text| Grid::read(text)).collect();
    let mut errors = spelt
        .iter()
        .filter_map(|grid| of_grid(grid, size, columns).err());
    let best = errors
        .next()
        .filter(|_| matches!(error, BoardError::Word(_)));
    let plain: Vec<Grid> = Grid::read(text).into_iter().chain(spelt).collect();
    let mut found = None;
    let mut unchanged = plain.iter().map(|grid| (grid.clone(), None));
    add_readings(&mut found, &mut unchanged, size, columns)?;
    if columns != Some(true) {
        let renumbered = [forms::from_zero, highest].into_iter();
        let renumbered = renumbered.flat_map(|renumber| plain.iter().filter_map(renumber));
        let mut guesses = forms::guesses(text).into_iter().chain(renumbered);
        add_readings(&mut found, &mut guesses, size, None)?;
        let left_out = plain.iter().find_map(left_out);
        let left_out = left_out.filter(|_| found.is_none() && !has_outer_bar(text));
        add_readings(&mut found, &mut left_out.into_iter(), size, None)?;
    }
    found.ok_or_else(|| best.unwrap_or(error))
}

/// Adds the board of the guesses that are a board. They must be the board that was already found.
fn add_readings(
    found: &mut Option<ListedBoard>,
    guesses: &mut dyn Iterator<Item = Guess>,
    size: Option<Tray>,
    columns: Columns,
) -> Read<()> {
    for (grid, note) in guesses {
        let Ok(mut read) = of_grid(&grid, size, columns) else {
            continue;
        };
        read.notes.extend(note);
        let first = &found.get_or_insert_with(|| read.clone()).board;
        if *first != read.board {
            return BoardError::text(format!(
                "the text can be read as {first} and as {}: write the blank as 0 or _",
                read.board
            ));
        }
    }
    Ok(())
}

/// A size before the board, and the text after it: `4x4: 1 2 ...`, or width, height and one text
/// without spaces, such as `3,3,12345678_`.
pub(super) fn sized(text: &str) -> Option<(Tray, &str)> {
    let text = Some(text.trim()).filter(|text| text.len() <= MAX_LENGTH)?;
    let separator = |c: char| c.is_whitespace() || c == ',' || c == ':' || c == ';';
    let (first, rest) = text.split_once(separator)?;
    if let Ok(tray) = first.parse::<Tray>() {
        return Some((tray, rest.trim_start_matches([':', '=', ' '])));
    }
    let (second, rest) = rest.trim_start().split_once(separator)?;
    let tray = Tray::new(first.parse().ok()?, second.parse().ok()?).ok()?;
    let tray = Some(tray).filter(|tray| tray.width().min(tray.height()) > 1)?;
    let numbers = || Grid::read(rest).map(|grid| grid.board(Some(tray)).is_ok());
    let rest = rest.trim();
    let is_word = rest.chars().count() == tray.cells() && !rest.contains(char::is_whitespace);
    (is_word || numbers() == Ok(true)).then_some((tray, rest))
}

/// Numbers from 1 on without 0: the highest is the blank.
fn highest(grid: &Grid) -> Option<Guess> {
    let mut grid = grid.clone();
    let count = grid.numbers.len() as u32;
    let blank = grid.numbers.iter().position(|&number| number == count)?;
    grid.numbers[blank] = 0;
    Some((grid, Some(Note::Highest(count))))
}

/// Rows of which the last is one number short: its end is the blank.
fn left_out(grid: &Grid) -> Option<Guess> {
    let mut grid = grid.clone();
    let width = *grid.rows.first()?;
    *grid.rows.last_mut().filter(|last| **last + 1 == width)? = width;
    grid.push(None);
    Some((grid, Some(Note::LeftOut)))
}

/// Whether the last row has as many bars as the others, so that one of them stands beside an empty
/// cell.
fn has_outer_bar(text: &str) -> bool {
    let rows = forms::row_lines(text);
    let bars = |row: Option<&&str>| row.map_or(0, |row| row.matches(is_bar).count());
    bars(rows.last()) > 0 && bars(rows.last()) == bars(rows.first())
}

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
