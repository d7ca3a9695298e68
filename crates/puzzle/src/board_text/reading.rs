//! Reader of one board: the plain form first, then the forms that need a guess.

use super::clean;
use super::error::TextError;
use super::forms::{self, Guess};
use super::grid::Grid;
use super::lexer::is_bar;
use super::listed::{ListedBoard, read_listed};
use super::note::Note;
use crate::board::BoardError;
use crate::tray::Tray;

/// Maximum length of a text in a form that needs a guess, in bytes. The largest board fits.
const MAX_LENGTH: usize = 1 << 14;

/// What may stand beside the numbers of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Columns {
    /// Nothing.
    None,
    /// An identifier before the board and further columns after it, as in
    /// [`parse_listed`].
    Optional,
    /// The same; the identifier is required.
    Id,
}

/// Reads one line of a list. A line that shows rows, or has exactly one number per cell, is a
/// board. A longer line has an identifier before the board, further columns after the board, or
/// both; with `leading_id`, an identifier is required.
///
/// If neither `size` nor rows determine the size, it is the largest square that fits the line. If
/// the numbers of that square are not a board, smaller squares are tried, down to 4x4, because a
/// line may have many further columns.
///
/// # Errors
/// [`TextError::Ambiguous`] if, without `leading_id`, the line is valid both with and without an
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
    let columns = if leading_id {
        Columns::Id
    } else {
        Columns::Optional
    };
    read(line, size, columns)
}

/// Reads the text of one board, which may have several lines.
pub(super) fn read(
    text: &str,
    size: Option<Tray>,
    columns: Columns,
) -> Result<ListedBoard, BoardError> {
    plain(text, size, columns).or_else(|error| guessed(text, size, columns, error))
}

/// Reads a text in the plain form.
pub(super) fn plain(
    text: &str,
    size: Option<Tray>,
    columns: Columns,
) -> Result<ListedBoard, BoardError> {
    of_grid(&Grid::read(text)?, size, columns)
}

fn of_grid(grid: &Grid, size: Option<Tray>, columns: Columns) -> Result<ListedBoard, BoardError> {
    let mut read = match columns {
        Columns::None => grid.board(size)?.into(),
        _ => read_listed(grid, size, columns == Columns::Id)?,
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
) -> Result<ListedBoard, BoardError> {
    let is_ambiguous = matches!(error, BoardError::Text(TextError::Ambiguous { .. }));
    if is_ambiguous || text.len() > MAX_LENGTH {
        return Err(error);
    }
    if let Some((tray, rest)) = sized(text) {
        if let Some(expected) = size.filter(|&size| size != tray) {
            let found = tray;
            return Err(BoardError::Size { found, expected });
        }
        let read = plain(rest, Some(tray), Columns::None);
        let mut read = read.or_else(|error| in_any_form(rest, Some(tray), Columns::None, error));
        if let Ok(read) = &mut read {
            read.notes.insert(0, Note::Size(tray));
        }
        return read;
    }
    in_any_form(text, size, columns, error)
}

/// [`guessed`] for a text without a size before the board.
fn in_any_form(
    text: &str,
    size: Option<Tray>,
    columns: Columns,
    error: BoardError,
) -> Result<ListedBoard, BoardError> {
    let spelt = clean::plain(text);
    let uncommented = clean::plain(&clean::uncommented(text));
    let plain: Vec<_> = [text, &spelt, &uncommented].map(Grid::read).into();
    let is_word = is_word(&error);
    let spelt = plain[1..]
        .iter()
        .filter_map(|grid| Some(of_grid(grid.as_ref().ok()?, size, columns)));
    let best = spelt.filter_map(Result::err).find(|_| is_word);
    let grids: Vec<&Grid> = plain.iter().flatten().collect();
    let mut found: Option<ListedBoard> = None;
    let add = |found: &mut Option<ListedBoard>, grid: &Grid, note: Option<Note>, columns| {
        let Ok(mut read) = of_grid(grid, size, columns) else {
            return Ok(());
        };
        read.notes.extend(note);
        let first = &found.get_or_insert_with(|| read.clone()).board;
        match *first == read.board {
            true => Ok(()),
            false => Err(TextError::Readings {
                first: first.to_string(),
                second: read.board.to_string(),
            }),
        }
    };
    for grid in &grids {
        add(&mut found, grid, None, columns)?;
    }
    if columns == Columns::Id {
        return found.ok_or_else(|| best.unwrap_or(error));
    }
    for (grid, note) in forms::guesses(text) {
        add(&mut found, &grid, note, Columns::None)?;
        let marked = from_zero(&grid).filter(|_| note == Some(Note::Digits));
        if let Some((grid, renumbered)) = marked {
            add(&mut found, &grid, renumbered, Columns::None)?;
        }
    }
    for renumber in [from_zero, highest] {
        for (grid, note) in grids.iter().filter_map(|grid| renumber(grid)) {
            add(&mut found, &grid, note, Columns::None)?;
        }
    }
    let left_out = grids.iter().find_map(|grid| left_out(grid));
    if let Some((grid, note)) = left_out.filter(|_| found.is_none() && !has_outer_bar(text)) {
        add(&mut found, &grid, note, Columns::None)?;
    }
    found.ok_or_else(|| best.unwrap_or(error))
}

/// Whether an error is an unknown word.
pub(super) fn is_word(error: &BoardError) -> bool {
    matches!(error, BoardError::Text(TextError::Word { .. }))
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

/// Tiles that are numbered from 0, beside one mark of the blank.
fn from_zero(grid: &Grid) -> Option<Guess> {
    let [blank] = grid.marks[..] else {
        return None;
    };
    let mut grid = grid.clone();
    for (at, number) in grid.numbers.iter_mut().enumerate() {
        *number = if at == blank {
            0
        } else {
            number.saturating_add(1)
        };
    }
    Some((grid, Some(Note::FromZero)))
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
