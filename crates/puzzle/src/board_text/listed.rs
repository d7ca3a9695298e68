//! A line of a list: a board, with an optional identifier before it and optional columns after it.

use super::error::TextError;
use super::grid::Grid;
use super::note::Note;
use crate::board::{Board, BoardError};
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
    /// [`BoardError::OwnGoal`] if the text states another goal.
    pub fn for_goal(self, goal: &Goal) -> Result<Self, BoardError> {
        match &self.goal {
            Some(own) if own != goal => Err(BoardError::OwnGoal(own.board().clone())),
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

pub(super) fn read_listed(
    grid: &Grid,
    size: Option<Tray>,
    leading_id: bool,
) -> Result<ListedBoard, BoardError> {
    if grid.rows.len() > 1 && !leading_id {
        // Tries a plain board or a board with further columns on its last row, then a board with an
        // identifier.
        let plain = || grid.board(size).map(ListedBoard::from);
        let first = rows_with_columns(grid, size).and_then(|found| found.map_or_else(plain, Ok));
        return first.or_else(|error| read_listed(grid, size, true).map_err(|_| error));
    }
    match (grid.rows.len(), size) {
        (_, Some(tray)) => read_columns(grid, tray, leading_id),
        (1, None) => read_square(grid, leading_id),
        (rows, None) => {
            // The first row contains the identifier, and the last row contains any further columns.
            let width = grid.rows[0].saturating_sub(1);
            read_columns(grid, Tray::new(width, rows)?, leading_id)
        }
    }
}

/// An invalid line without a size is assumed to be the largest square board that fits if fewer than
/// this many numbers remain. The error then refers to that board.
const MANY_COLUMNS: usize = 5;

/// Reads a line without a size as the largest square board that its numbers form, with an
/// identifier and further columns if present.
fn read_square(grid: &Grid, leading_id: bool) -> Result<ListedBoard, BoardError> {
    let found = grid.numbers.len();
    let given = found - usize::from(leading_id).min(found);
    let largest = given.isqrt().min(Tray::MAX_SIDE);
    let not_square = grid.not_square(given);
    let Ok(tray) = Tray::new(largest, largest) else {
        return Err(not_square);
    };
    let error = match read_columns(grid, tray, leading_id) {
        Err(error) if !matches!(error, BoardError::Text(TextError::Ambiguous { .. })) => error,
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

/// Reads a board of this size. An identifier may precede the board, and further columns may follow
/// it.
fn read_columns(grid: &Grid, tray: Tray, leading_id: bool) -> Result<ListedBoard, BoardError> {
    let found = grid.numbers.len();
    let read = |skip| read_after(grid, tray, skip);
    let too_short = || BoardError::Count {
        found: found - usize::from(leading_id).min(found),
        tray,
    };
    if leading_id {
        return read(1)?.ok_or_else(too_short);
    }
    match (read(0), read(1)) {
        (Ok(Some(without)), Ok(Some(with))) => Err(BoardError::Text(TextError::Ambiguous {
            without: without.board.to_string(),
            with: with.board.to_string(),
        })),
        (Err(_), Ok(Some(with_id))) => Ok(with_id),
        (first, _) => first?.ok_or_else(too_short),
    }
}

/// A board after `skip` numbers, with the numbers before and after it; `None` if the text has too
/// few numbers.
fn read_after(grid: &Grid, tray: Tray, skip: usize) -> Result<Option<ListedBoard>, BoardError> {
    let end = skip + tray.cells();
    // An identifier is a number. A mark after the board says that its length is unknown.
    if end > grid.numbers.len() || (skip == 1 && grid.marks.first() == Some(&0)) {
        return Ok(None);
    }
    Ok(Some(ListedBoard {
        id: (skip == 1).then(|| grid.numbers[0]),
        known_length: grid
            .numbers
            .get(end)
            .copied()
            .filter(|_| !grid.marks.contains(&end)),
        ..grid.board_at(skip, tray)?.into()
    }))
}

/// Reads a board that is written in rows and has further columns after its last row, such as
/// `1 2/3 0 4`.
fn rows_with_columns(grid: &Grid, size: Option<Tray>) -> Result<Option<ListedBoard>, BoardError> {
    let [width, ref middle @ .., last] = grid.rows[..] else {
        return Ok(None);
    };
    if last <= width || middle.iter().any(|&length| length != width) {
        return Ok(None);
    }
    let found = Tray::new(width, grid.rows.len())?;
    match size {
        Some(expected) if expected != found => Err(BoardError::Size { found, expected }),
        _ => read_after(grid, found, 0),
    }
}
