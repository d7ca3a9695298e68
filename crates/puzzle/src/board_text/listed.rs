//! A line of a list: a board, with an optional identifier before it and optional columns after it.

use super::grid::{Grid, agreed_size};
use super::reading::Note;
use crate::board::{Board, BoardError, Read};
use crate::goal::Goal;
use crate::tray::Tray;

/// A line of a list of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBoard {
    /// The board.
    pub board: Board,
    /// The number before the board, if any.
    pub id: Option<u32>,
    /// The first number after the board; by convention the optimal length.
    pub known_length: Option<u32>,
    /// The goal that the text itself states, if any.
    pub goal: Option<Goal>,
    /// The guesses of the reader about the form of the text.
    pub notes: Vec<Note>,
}

impl ListedBoard {
    /// The board for a caller with this goal.
    ///
    /// # Errors
    /// If the text states another goal.
    pub fn for_goal(self, goal: &Goal) -> Result<Self, BoardError> {
        match &self.goal {
            Some(own) if own != goal => BoardError::text(format!(
                "the text states its own goal, {own}: give the board and the goal apart"
            )),
            _ => Ok(self),
        }
    }
}

impl From<Board> for ListedBoard {
    /// A board without an identifier or a known length.
    fn from(board: Board) -> Self {
        ListedBoard {
            board,
            id: None,
            known_length: None,
            goal: None,
            notes: Vec::new(),
        }
    }
}

pub(super) fn read_listed(grid: &Grid, size: Option<Tray>, leading_id: bool) -> Read<ListedBoard> {
    match (&grid.rows[..], size) {
        ([width, middle @ .., last], _) if !leading_id => {
            // A plain board or a board with further columns on its last row, such as `1 2/3 0 4`,
            // then a board with an identifier.
            let has_columns = last > width && middle.iter().all(|length| length == width);
            let plain = || {
                if !has_columns {
                    return Ok(grid.board(size)?.into());
                }
                let shown = Tray::new(*width, grid.rows.len())?;
                agreed_size(Some(shown), size)?;
                read_after(grid, shown, 0)
            };
            plain().or_else(|error| read_listed(grid, size, true).map_err(|_| error))
        }
        (_, Some(tray)) => read_columns(grid, tray, leading_id),
        ([width, _, ..], None) => {
            // The first row contains the identifier, and the last row contains any further columns.
            let tray = Tray::new(width.saturating_sub(1), grid.rows.len())?;
            read_columns(grid, tray, leading_id)
        }
        _ => read_square(grid, leading_id),
    }
}

/// An invalid line without a size is assumed to be the largest square board that fits if fewer than
/// this many numbers remain. The error then refers to that board.
const MANY_COLUMNS: usize = 5;

/// Reads a line without a size as the largest square board that its numbers form, with an
/// identifier and further columns if present.
fn read_square(grid: &Grid, leading_id: bool) -> Read<ListedBoard> {
    let given = grid.numbers.len() - usize::from(leading_id);
    let largest = given.isqrt().min(Tray::MAX_SIDE);
    let read = |side| read_columns(grid, Tray::new(side, side)?, leading_id);
    let error = match read(largest) {
        Err(error) if !matches!(error, BoardError::Ambiguous(_)) => error,
        read => return read,
    };
    let mut smaller = (4..largest).rev().filter_map(|side| read(side).ok());
    let is_likely = largest > 1 && given - largest * largest < MANY_COLUMNS;
    smaller.next().ok_or_else(|| match is_likely {
        true => error,
        false => grid.not_square(given),
    })
}

/// Reads a board of this size. An identifier may precede the board, and further columns may follow
/// it.
fn read_columns(grid: &Grid, tray: Tray, leading_id: bool) -> Read<ListedBoard> {
    if leading_id {
        return read_after(grid, tray, 1);
    }
    match (read_after(grid, tray, 0), read_after(grid, tray, 1)) {
        (Ok(without), Ok(with)) => Err(BoardError::Ambiguous(format!(
            "the line can be read with and without a leading number: as {}, and as {} after its \
             first number",
            without.board, with.board
        ))),
        (Err(_), Ok(with)) => Ok(with),
        (without, _) => without,
    }
}

/// A board after `skip` numbers, with the numbers before and after it.
fn read_after(grid: &Grid, tray: Tray, skip: usize) -> Read<ListedBoard> {
    let (end, found) = (skip + tray.cells(), grid.numbers.len() - skip);
    // An identifier is a number. A mark after the board says that its length is unknown.
    if found < tray.cells() || (skip == 1 && grid.marks.first() == Some(&0)) {
        return Err(BoardError::Count { found, tray });
    }
    let known_length = grid.numbers.get(end).copied();
    Ok(ListedBoard {
        id: (skip == 1).then(|| grid.numbers[0]),
        known_length: known_length.filter(|_| !grid.marks.contains(&end)),
        ..grid.board_at(skip, tray)?.into()
    })
}
