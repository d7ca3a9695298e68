//! Reader of a text with one board.

use std::str::FromStr;

use super::grid::agreed_size;
use super::list::list;
use super::listed::ListedBoard;
use super::object::Object;
use super::reading;
use crate::board::{Board, BoardError, Read};
use crate::goal::Goal;
use crate::names::printable;
use crate::tray::Tray;

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
    /// Those of [`parse`]; [`BoardError::Text`] if the text has a goal of its own, which a board
    /// cannot hold.
    pub fn parse(text: &str, size: Option<Tray>) -> Result<Self, BoardError> {
        let read = parse(text, size)?;
        if read.goal.is_none() {
            return Ok(read.board);
        }
        let usual = Goal::blank_last(read.board.tray());
        Ok(read.for_goal(&usual)?.board)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// [`Board::parse`] without a size.
    fn from_str(text: &str) -> Read<Self> {
        Board::parse(text, None)
    }
}

impl Goal {
    /// Reads a name of [`Self::NAMES`] (4x4 by default), or a board as in [`Board::parse`].
    ///
    /// # Errors
    /// [`BoardError::Text`] if the text can only be a name, or if its form needs a guess; otherwise
    /// the errors of [`Board::parse`].
    ///
    /// ```
    /// use puzzle::Goal;
    /// let goal = Goal::parse("1 2 3 8 0 4 7 6 5", None)?;
    /// assert_eq!(goal.board().to_string(), "1 2 3/8 0 4/7 6 5");
    /// # Ok::<(), puzzle::BoardError>(())
    /// ```
    pub fn parse(text: &str, size: Option<Tray>) -> Result<Goal, BoardError> {
        let name = text.trim();
        if let Some(named) = Goal::named(name, size.map_or_else(|| Tray::new(4, 4), Ok)?) {
            return Ok(named);
        }
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        match parse(name, size) {
            Ok(ListedBoard { board, notes, .. }) => match notes.first() {
                Some(note) => BoardError::text(format!("{note}: write the goal as {board}")),
                None => Ok(Goal::new(board)),
            },
            Err(_) if name.chars().all(is_name) => BoardError::text(format!(
                "`{}` is neither a goal's name ({}) nor a board",
                printable(name),
                Goal::NAMES.join(", ")
            )),
            Err(error) => Err(error),
        }
    }
}

impl FromStr for Goal {
    type Err = BoardError;

    /// [`Goal::parse`] without a size.
    fn from_str(text: &str) -> Read<Self> {
        Goal::parse(text, None)
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
    of_object(text, size).unwrap_or_else(|| parse_text(text, size))
}

/// [`parse`] without JSON objects.
fn parse_text(text: &str, size: Option<Tray>) -> Read<ListedBoard> {
    let whole = reading::plain(text, size, None);
    if whole.is_ok() || !text.contains('\n') {
        return whole.or_else(|error| reading::guessed(text, size, None, error));
    }
    let texts = list(text, size);
    match &texts[..] {
        [] => reading::plain("", size, None)
            .or_else(|empty| reading::guessed(text, size, None, empty)),
        [one] => match one.parse()? {
            read if (read.id, read.known_length) == (None, None) => Ok(read),
            _ => whole,
        },
        texts => match texts.iter().find_map(|text| text.parse().err()) {
            // The place of an unknown word is its place in the whole text.
            Some(_) if matches!(whole, Err(BoardError::Word(_))) => whole,
            Some(error) => Err(error),
            None => BoardError::text(format!(
                "the text has {} boards, but one was expected",
                texts.len()
            )),
        },
    }
}

/// Reads a text that is a JSON object with the name `board`; `None` for any other text. Of its
/// other names, `size` and `goal` are read.
pub(super) fn of_object(text: &str, size: Option<Tray>) -> Option<Result<ListedBoard, BoardError>> {
    Object::read(text).map(|object| {
        let own: Option<Tray> = object.size.map(|size| size.parse()).transpose()?;
        let mut read = parse_text(&object.board, agreed_size(own, size)?)?;
        if let Some(goal) = object.goal {
            read.goal = Some(Goal::parse(&goal, Some(read.board.tray()))?);
        }
        Ok(read)
    })
}
