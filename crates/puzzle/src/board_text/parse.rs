//! Reader of a text with one board, which can be in a JSON object:
//! `{"board": [[1,2],[3,0]], "size": "2x2", "goal": "blank-first"}`.

use std::str::FromStr;

use super::grid::agreed_size;
use super::list::list;
use super::listed::ListedBoard;
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

/// The texts of a JSON object.
pub(super) struct Object {
    pub(super) board: String,
    pub(super) size: Option<String>,
    pub(super) goal: Option<String>,
}

impl Object {
    /// Reads a text that is a JSON object with the name `board`; `None` for any other text.
    pub(super) fn read(text: &str) -> Option<Object> {
        let mut values = if is_object(text) {
            values(text)
        } else {
            Vec::new()
        };
        let mut value = |name| {
            let at = values.iter().position(|(found, _)| found == name)?;
            Some(values.swap_remove(at).1).filter(|value| value != "null")
        };
        Some(Object {
            board: value("board")?,
            size: value("size"),
            goal: value("goal"),
        })
    }
}

/// Whether a text can be a JSON object with a board.
pub(super) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"board\"")
}

/// The names and values of an object. Texts are without their quotation marks, arrays as they are
/// written.
fn values(text: &str) -> Vec<(String, String)> {
    let mut values = Vec::new();
    // The text of an item in UTF-16, of which escapes are units.
    let (mut item, mut name) = (Vec::new(), None);
    let put = |item: &mut Vec<u16>, sign: char| item.extend(sign.encode_utf16(&mut [0; 2]).iter());
    let take = |item: &mut Vec<u16>| {
        let text = String::from_utf16_lossy(&std::mem::take(item));
        text.trim().to_owned()
    };
    let (mut depth, mut in_text) = (0_usize, false);
    let mut signs = text.trim().trim_start_matches('{').chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if depth == 0 => in_text = !in_text,
            '\\' if in_text => match signs.next() {
                Some('n' | 'r') => put(&mut item, '\n'),
                Some('t') => put(&mut item, '\t'),
                Some('u') => {
                    let escape = signs.as_str().split_at_checked(4);
                    let unit = escape.and_then(|(unit, rest)| {
                        signs = rest.chars();
                        u16::from_str_radix(unit, 16).ok()
                    });
                    item.push(unit.unwrap_or(0xfffd));
                }
                other => put(&mut item, other.unwrap_or(' ')),
            },
            ':' if !in_text && depth == 0 => name = Some(take(&mut item)),
            ',' | '}' if !in_text && depth == 0 => {
                // Text after the object, such as a second one, is not an object.
                if sign == '}' && !signs.as_str().trim().is_empty() {
                    return Vec::new();
                }
                let value = take(&mut item);
                values.extend(name.take().map(|name| (name, value)));
            }
            _ => {
                match sign {
                    '"' => in_text = !in_text,
                    '[' | '{' if !in_text => depth += 1,
                    ']' | '}' if !in_text => depth = depth.saturating_sub(1),
                    _ => {}
                }
                put(&mut item, sign);
            }
        }
    }
    values
}
