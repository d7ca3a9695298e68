//! Numbers and names from the caller.

use std::time::Duration;

use puzzle::board_text::{Note, parse};
use puzzle::{Board, Direction, Goal, Notation, Tray};
use solver::{DuplicatePruning, Mode, Side};

use crate::error::CallError;

/// A number that is neither negative nor NaN.
pub(crate) fn number(value: f64, name: &str) -> Result<f64, CallError> {
    if value >= 0.0 {
        return Ok(value);
    }
    Err(CallError::input(format!(
        "{name} is {value}: expected a number of at least 0"
    )))
}

/// The value that belongs to the constant `number`. The constants number the values from 0.
fn one_of<T: Copy>(what: &str, number: i32, values: &[T]) -> Result<T, CallError> {
    let found = usize::try_from(number)
        .ok()
        .and_then(|number| values.get(number));
    found.copied().ok_or_else(|| {
        let last = values.len() - 1;
        CallError::input(format!(
            "{what} is {number}: expected a number from 0 to {last}"
        ))
    })
}

pub(crate) fn mode(number: i32) -> Result<Mode, CallError> {
    one_of(
        "mode",
        number,
        &[Mode::Optimal, Mode::Strategic, Mode::Anytime],
    )
}

pub(crate) fn notation(number: i32) -> Result<Notation, CallError> {
    one_of(
        "notation",
        number,
        &[Notation::Tile, Notation::Blank, Notation::Numbers],
    )
}

pub(crate) fn pruning(number: i32) -> Result<DuplicatePruning, CallError> {
    let values = [DuplicatePruning::Automaton, DuplicatePruning::ParentOnly];
    one_of("pruning", number, &values)
}

pub(crate) fn side(number: i32) -> Result<Side, CallError> {
    one_of("side", number, &[Side::Auto, Side::Start, Side::Goal])
}

/// Parses a goal; `None` means `blank-last`.
pub(crate) fn read_goal(goal: Option<&str>, size: Option<Tray>) -> Result<Goal, CallError> {
    let goal = Goal::parse(goal.unwrap_or("blank-last"), size);
    goal.map_err(|error| CallError::input(format!("goal: {error}")))
}

/// Parses a board, and adds the guesses about its form to `notes`. A goal that the text states must
/// be `goal`; `None` means `blank-last`.
pub(crate) fn read_board(
    board: &str,
    size: Option<Tray>,
    goal: Option<&Goal>,
    notes: &mut Vec<Note>,
) -> Result<Board, CallError> {
    let read = parse(board, size).map_err(CallError::input)?;
    notes.extend(&read.notes);
    let usual = Goal::blank_last(read.board.tray());
    let read = read.for_goal(goal.unwrap_or(&usual));
    Ok(read.map_err(CallError::input)?.board)
}

/// Parses moves that start on a board.
pub(crate) fn read_moves(board: &Board, moves: &str) -> Result<Vec<Direction>, CallError> {
    let moves = board.read_moves(moves, Notation::guess(moves));
    moves.map_err(CallError::input)
}

/// Parses an optional size.
pub(crate) fn read_size(size: Option<&str>) -> Result<Option<Tray>, CallError> {
    size.map(|size| size.parse().map_err(CallError::input))
        .transpose()
}

/// A time in seconds; `None` for 0, and for times so long that they never end in practice.
pub(crate) fn seconds(value: f64, name: &str) -> Result<Option<Duration>, CallError> {
    /// Three hundred years. Longer times are treated as endless.
    const MOST: f64 = 1e10;
    let value = number(value, name)?;
    Ok((value > 0.0 && value < MOST).then(|| Duration::from_secs_f64(value)))
}

/// A whole number; 0 means absent.
pub(crate) fn unless_zero(value: u64) -> Option<u64> {
    (value > 0).then_some(value)
}

/// A number of threads; 0 means `all`. Rejects more than `MOST` threads, because they would exhaust
/// the system.
pub(crate) fn threads(number: u32, all: impl FnOnce() -> usize) -> Result<usize, CallError> {
    const MOST: u32 = 4096;
    match number {
        0 => Ok(all()),
        1..=MOST => Ok(number as usize),
        _ => Err(CallError::input(format!(
            "threads is {number}: expected at most {MOST}, or 0 for all cores"
        ))),
    }
}
