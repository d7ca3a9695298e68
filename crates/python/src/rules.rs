//! Functions that need no tables: random boards, lists of boards, moves.

use std::collections::HashSet;
use std::fmt::Display;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;

use lab::BoardSet;
use puzzle::board_text::list;
use puzzle::{Board, Goal, Scrambler, Tray, invert_text};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use crate::arguments::{
    Moves, Whole, read_board_and_goal, read_board_count, read_moves, read_notation,
    read_optional_seed, read_path, read_size, read_size_and_goal, warn,
};
use crate::call::{Caller, WorkControl};
use crate::call_error::CallError;
use crate::classes::{PyBoard, PyGoal};

/// Maximum number of random moves of all boards together.
const MAX_MOVES: u64 = 1_000_000_000;
/// Maximum number of boards.
const MAX_BOARDS: u64 = 100_000_000;

/// Random boards. By default all solvable boards are equally likely. With `moves`, each board
/// is reached from the goal by this number of random moves; no move undoes the previous one. The
/// same seed produces the same boards.
///
#[doc = parameters!(size, goal, number, walk, seed)]
///
/// >>> from sliding_tile_pdb import scramble
/// >>> scramble("3x3", number=2, seed=7)
/// [Board('7 6 2/8 1 0/5 3 4'), Board('0 5 3/4 1 2/7 8 6')]
/// >>> scramble("3x3", moves=1, seed=1)[0].is_solvable()
/// True
#[pyfunction]
#[pyo3(signature = (size = None, *, goal = None, number = 1, moves = None, seed = None))]
pub(crate) fn scramble(
    py: Python<'_>,
    size: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = read_board_count)] number: u64,
    #[pyo3(from_py_with = read_moves)] moves: Option<Whole>,
    #[pyo3(from_py_with = read_optional_seed)] seed: Option<Whole>,
) -> PyResult<Vec<PyBoard>> {
    let goal = read_size_and_goal(size, goal)?;
    let each = moves.map_or(0, |moves| moves.0);
    if number > MAX_BOARDS || number.saturating_mul(each) > MAX_MOVES {
        return Err(CallError::input(format!(
            "number is {number} and moves is {each}: expected at most {MAX_BOARDS} boards in one \
             call, and at most {MAX_MOVES} moves together"
        ))
        .into());
    }
    let seed = seed.map_or_else(random_seed, |seed| seed.0);
    let draw = move |control: &WorkControl| {
        let mut scrambler = Scrambler::new(seed);
        let mut boards = Vec::new();
        for _ in 0..number {
            if control.cancel.is_cancelled() {
                return Err(CallError::cancelled());
            }
            let board = match moves {
                None => goal.board_of(&scrambler.draw(goal.tray(), goal.blank())),
                Some(count) => {
                    let moves = scrambler.walk(goal.board(), count.index());
                    goal.board().play(&moves).ok()
                }
            };
            boards.extend(board);
        }
        Ok(boards)
    };
    let boards = Caller::default().run(py, draw)?;
    Ok(boards.into_iter().map(PyBoard).collect())
}

/// A seed that differs each time.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The moves that undo these moves: a solution becomes a scramble.
///
#[doc = parameters!(moves, notation)]
///
/// >>> from sliding_tile_pdb import invert
/// >>> invert("U2RD"), invert("12 8 7")
/// ('ULD2', '7 8 12')
#[pyfunction]
#[pyo3(signature = (moves, notation = None))]
pub(crate) fn invert(moves: Moves, notation: Option<&str>) -> Result<String, CallError> {
    invert_text(&moves.0, read_notation(notation, &moves.0)?).map_err(CallError::input)
}

/// A board and its goal, for the functions of `_solve.py`.
#[pyfunction]
#[pyo3(signature = (board, size, goal))]
pub(crate) fn read_board(
    board: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
) -> Result<(PyBoard, PyGoal), CallError> {
    let (board, goal) = read_board_and_goal(board, read_size(size)?, goal)?;
    Ok((PyBoard(board), PyGoal(goal)))
}

/// Reads a list of boards from a file, in the formats of `solver --file`. A board is on one line,
/// or each of its rows is on a line, or it is a JSON object `{"board": ...}`. If a board is on one line, an identifier before it and known
/// figures after it are ignored. Lines that start with # are comments.
///
#[doc = parameters!(path, size)]
///
/// >>> import os, tempfile
/// >>> from sliding_tile_pdb import read_boards
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     path = os.path.join(directory, "boards.txt")
/// ...     with open(path, "w") as file:
/// ...         _ = file.write("# two boards\n1 2 3/4 0 6/7 5 8\n8 6 7 2 5 4 3 0 1\n")
/// ...     read_boards(path)
/// [Board('1 2 3/4 0 6/7 5 8'), Board('8 6 7/2 5 4/3 0 1')]
#[pyfunction]
#[pyo3(signature = (path, size = None))]
pub(crate) fn read_boards(
    py: Python<'_>,
    path: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyBoard>> {
    let (path, size) = (read_path(path)?, read_size(size)?);
    let (boards, notes) = Caller::default().run(py, move |_| read_list(&path, size))?;
    warn::<PyUserWarning>(py, &notes)?;
    Ok(boards.into_iter().map(PyBoard).collect())
}

/// The boards of a file, and the distinct guesses about their form, each with its first line.
fn read_list(path: &Path, size: Option<Tray>) -> Result<(Vec<Board>, Vec<String>), CallError> {
    let bytes = std::fs::read(path).map_err(|error| CallError::system(path, error))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| CallError::input(format!("{}: not a text", path.display())))?;
    let (mut boards, mut seen, mut notes) = (Vec::new(), HashSet::new(), Vec::new());
    for listed in list(&text, size) {
        let place = |message: &dyn Display| {
            format!(
                "{}: line {}: {message}",
                path.display(),
                listed.first_line()
            )
        };
        let board = listed.parse().and_then(|read| {
            let new = read.notes.iter().filter(|note| seen.insert(**note));
            notes.extend(new.map(|note| place(note)));
            let usual = Goal::blank_last(read.board.tray());
            read.for_goal(&usual)
        });
        boards.push(
            board
                .map_err(|error| CallError::input(place(&error)))?
                .board,
        );
    }
    Ok((boards, notes))
}

/// Loads a suite of boards, such as `korf100`.
///
/// >>> from sliding_tile_pdb import suite
/// >>> korf = suite("korf100")
/// >>> len(korf.boards), korf.lengths[0], korf.goal
/// (100, 57, Goal('0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15'))
#[pyfunction]
pub(crate) fn suite(py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
    let set = BoardSet::suite(name).map_err(CallError::input)?;
    let BoardSet { name, goal, boards } = set;
    let lengths: Vec<Option<u32>> = boards.iter().map(|known| known.length).collect();
    let boards: Vec<_> = boards
        .into_iter()
        .map(|known| PyBoard(known.board))
        .collect();
    let class = py.import("sliding_tile_pdb._results")?.getattr("Suite")?;
    let made = class.call1((name, PyGoal(goal), boards, lengths))?;
    Ok(made.unbind())
}

/// Names of all suites.
///
/// >>> from sliding_tile_pdb import suites
/// >>> "felner1000" in suites()
/// True
#[pyfunction]
pub(crate) fn suites() -> Vec<&'static str> {
    BoardSet::suite_names().collect()
}
