//! Reader of one board: the plain form first, then the forms that need a guess.

use std::str::FromStr;

use super::clean;
use super::error::TextError;
use super::forms::{self, Guess};
use super::grid::Grid;
use super::lexer::is_bar;
use super::list::list;
use super::listed::{ListedBoard, read_listed};
use super::note::Note;
use super::object;
use crate::board::{Board, BoardError};
use crate::tray::Tray;

/// Maximum length of the numbers of a board in bytes, with a few separators each.
const MAX_LENGTH: usize = 1 << 12;

/// What may stand beside the numbers of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Columns {
    /// Nothing.
    None,
    /// An identifier before the board and further columns after it, as in
    /// [`parse_listed`](super::parse_listed).
    Optional,
    /// The same; the identifier is required.
    Id,
}

impl Board {
    /// Reads a board in any notation of [`crate::board_text`]. The size is `size` if it is given,
    /// otherwise the size that the rows show, otherwise the square with one cell per number.
    ///
    /// ```
    /// use puzzle::Board;
    /// let board = Board::parse("6 4 7/8 5 _/3 2 1", None)?;
    /// assert_eq!(board, Board::parse("[[6,4,7],[8,5,0],[3,2,1]]", None)?);
    /// assert_eq!(board, Board::parse("6,4,7,8,5,0,3,2,1", None)?);
    /// assert_eq!(board.tray().to_string(), "3x3");
    /// # Ok::<(), puzzle::BoardError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`parse`]; [`BoardError::OwnGoal`] if the text has a goal of its own, which a board
    /// cannot hold.
    pub fn parse(text: &str, size: Option<Tray>) -> Result<Self, BoardError> {
        let read = parse(text, size)?;
        match read
            .goal
            .filter(|goal| *goal != crate::Goal::blank_last(goal.tray()))
        {
            Some(goal) => Err(BoardError::OwnGoal(goal.board().clone())),
            None => Ok(read.board),
        }
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// [`Board::parse`] without a size.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        Board::parse(text, None)
    }
}

/// Reads a text with one board in any notation, with the notes about guesses. A text of several
/// lines is read as a list, so that it is the same board in a file.
///
/// # Errors
/// The text has no board, several, or a board that can be read in two ways.
///
/// ```
/// use puzzle::board_text::{Note, parse};
/// let read = parse("3\n1 2 3\n4 5 6\n7 0 8\n", None)?;
/// assert_eq!(read.board.to_string(), "1 2 3/4 5 6/7 0 8");
/// assert_eq!(read.notes, [Note::Size(read.board.tray())]);
/// # Ok::<(), puzzle::BoardError>(())
/// ```
pub fn parse(text: &str, size: Option<Tray>) -> Result<ListedBoard, BoardError> {
    let text = text.trim_matches(['\u{feff}', '\n', '\r']);
    object::read(text, size).unwrap_or_else(|| parse_text(text, size))
}

/// [`parse`] without JSON objects.
pub(super) fn parse_text(text: &str, size: Option<Tray>) -> Result<ListedBoard, BoardError> {
    let whole = plain(text, size, Columns::None);
    if whole.is_ok() || !text.contains('\n') {
        return whole.or_else(|error| guessed(text, size, Columns::None, error));
    }
    let texts = list(text, size);
    match &texts[..] {
        [] => guessed(text, size, Columns::None, TextError::Empty.into()),
        [one] => one
            .parse()
            .and_then(|read| match (read.id, read.known_length) {
                (None, None) => Ok(read),
                _ => whole,
            }),
        texts => match texts.iter().find_map(|text| text.parse().err()) {
            // The place of an unknown word is its place in the whole text.
            Some(_) if is_word(&whole) => whole,
            Some(error) => Err(error),
            None => Err(BoardError::Several { count: texts.len() }),
        },
    }
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
fn plain(text: &str, size: Option<Tray>, columns: Columns) -> Result<ListedBoard, BoardError> {
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
fn guessed(
    text: &str,
    size: Option<Tray>,
    columns: Columns,
    error: BoardError,
) -> Result<ListedBoard, BoardError> {
    if let BoardError::Text(TextError::Ambiguous { .. }) = error {
        return Err(error);
    }
    if let Some((tray, rest)) = sized(text) {
        if let Some(expected) = size.filter(|&size| size != tray) {
            let found = tray;
            return Err(BoardError::Size { found, expected });
        }
        let mut read = read(rest, Some(tray), Columns::None);
        if let Ok(read) = &mut read {
            read.notes.insert(0, Note::Size(tray));
        }
        return read;
    }
    let spelt = clean::plain(text);
    let uncommented = clean::plain(&clean::uncommented(text));
    let plain: Vec<_> = [text, &spelt, &uncommented].map(Grid::read).into();
    let is_word = is_word(&Err(error.clone()));
    let spelt = plain[1..]
        .iter()
        .filter_map(|grid| Some(of_grid(grid.as_ref().ok()?, size, columns)));
    let best = spelt.filter_map(Result::err).find(|_| is_word);
    let grids: Vec<&Grid> = plain.iter().flatten().collect();
    let mut found: Option<ListedBoard> = None;
    let mut add = |grid: &Grid, note: Option<Note>, columns| {
        let Ok(mut read) = of_grid(grid, size, columns) else {
            return Ok(());
        };
        read.notes.extend(note);
        match &found {
            None => found = Some(read),
            Some(first) if first.board == read.board => {}
            Some(first) => {
                return Err(TextError::Readings {
                    first: Box::new(first.board.clone()),
                    second: Box::new(read.board),
                });
            }
        }
        Ok(())
    };
    for grid in &grids {
        add(grid, None, columns)?;
    }
    if columns == Columns::Id {
        return found.ok_or_else(|| best.unwrap_or(error));
    }
    for (grid, note) in forms::guesses(text) {
        add(&grid, note, Columns::None)?;
        let marked = from_zero(&grid).filter(|_| note == Some(Note::Digits));
        if let Some((grid, renumbered)) = marked {
            add(&grid, renumbered, Columns::None)?;
        }
    }
    for renumber in [from_zero, highest] {
        for (grid, note) in grids.iter().filter_map(|grid| renumber(grid)) {
            add(&grid, note, Columns::None)?;
        }
    }
    if found.is_none() && !has_outer_bar(text) {
        let left_out = grids.iter().find_map(|grid| left_out(grid));
        found = left_out.and_then(|(grid, note)| {
            let mut read = of_grid(&grid, size, Columns::None).ok()?;
            read.notes.extend(note);
            Some(read)
        });
    }
    found.ok_or_else(|| best.unwrap_or(error))
}

fn is_word(read: &Result<ListedBoard, BoardError>) -> bool {
    matches!(read, Err(BoardError::Text(TextError::Word { .. })))
}

/// A size before the board, and the text after it: `4x4: 1 2 ...`, or width, height and one text
/// without spaces, such as `3,3,12345678_`.
pub(super) fn sized(text: &str) -> Option<(Tray, &str)> {
    let text = text.trim();
    let separator = |c: char| c.is_whitespace() || c == ',' || c == ':' || c == ';';
    let (first, rest) = text.split_once(separator)?;
    if let Ok(tray) = first.parse::<Tray>() {
        return Some((tray, rest.trim_start_matches([':', '=', ' '])));
    }
    let (second, rest) = rest.trim_start().split_once(separator)?;
    let tray = Tray::new(first.parse().ok()?, second.parse().ok()?).ok()?;
    let tray = Some(tray).filter(|tray| tray.width().min(tray.height()) > 1)?;
    let numbers = || Grid::read(rest).and_then(|grid| Ok(grid.board(Some(tray)).is_ok()));
    let rest = rest.trim();
    let is_word = rest.chars().count() == tray.cells() && !rest.contains(char::is_whitespace);
    (is_word || (rest.len() < MAX_LENGTH && numbers() == Ok(true))).then_some((tray, rest))
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
