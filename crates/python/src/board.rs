//! Boards and goals: the class that `Board` and `Goal` of `_board.py` extend.

use std::ffi::CString;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use puzzle::board_text::{self, ListedBoard};
use puzzle::{Board, Goal, Tray};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::Map;
use session::request::ReadGoal;
use session::{Fields, MovesText, Spelling};

use crate::error::CallError;
use crate::value::{board_text_of, named, to_json};

/// Numbered tiles and a blank on a tray.
#[pyclass(
    frozen,
    subclass,
    module = "sliding_tile_pdb._native",
    name = "Arrangement"
)]
#[derive(Debug)]
pub(crate) struct PyBoard(pub(crate) Board);

#[pymethods]
impl PyBoard {
    /// Guesses about the form of the text are warnings. The text must not state a goal other than
    /// the usual one.
    #[new]
    #[pyo3(signature = (board, size = None))]
    fn new(board: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        let size = match size {
            Some(_) => Some(read_goal(size, None)?.tray()),
            None => None,
        };
        let mut read = read_board(board, size)?;
        if read.goal.is_some() {
            let usual = Goal::blank_last(read.board.tray());
            read = read.for_goal(&usual).map_err(CallError::input)?;
        }
        for note in &read.notes {
            let category = board.py().get_type::<PyUserWarning>();
            PyErr::warn(board.py(), &category, &CString::new(note.to_string())?, 1)?;
        }
        Ok(PyBoard(read.board))
    }

    /// The numbers in reading order, 0 for the blank.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.numbers())
    }

    /// Number of columns.
    #[getter]
    fn columns(&self) -> usize {
        self.0.tray().width()
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.0.tray().height()
    }

    /// Columns x rows, such as `4x4`.
    #[getter]
    fn size(&self) -> String {
        self.0.tray().to_string()
    }

    /// The board after moves.
    fn _after<'py>(
        this: &Bound<'py, Self>,
        moves: String,
        notation: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let notation = notation.map(named).transpose()?;
        let played = MovesText(moves).read(&this.get().0, notation);
        let (_, board) = played.map_err(CallError::from)?;
        this.get_type().call1((PyBoard(board),))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __eq__(this: &Bound<'_, Self>, other: &Bound<'_, Self>) -> bool {
        this.get_type().is(other.get_type()) && this.get().0 == other.get().0
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

/// A board of the caller.
pub(crate) fn read_board(
    board: &Bound<'_, PyAny>,
    size: Option<Tray>,
) -> Result<ListedBoard, CallError> {
    if let Ok(own) = board.cast::<PyBoard>() {
        let own = &own.get().0;
        if size.is_none_or(|size| size == own.tray()) {
            return Ok(own.clone().into());
        }
    }
    board_text::parse(&board_text_of(board)?, size).map_err(CallError::input)
}

/// A goal; by default the usual one of the size.
pub(crate) fn read_goal(
    size: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
) -> Result<Goal, CallError> {
    let mut place = Map::new();
    for (name, value) in [("size", size), ("goal", goal)] {
        if let Some(value) = value {
            place.insert(name.to_owned(), to_json(name, value)?);
        }
    }
    let question = ReadGoal::from_fields(place, Spelling::Snake)?;
    Ok(question.place.goal()?)
}

/// The board of a goal.
#[pyfunction]
#[pyo3(signature = (goal, size))]
pub(crate) fn goal_board(
    goal: Option<&Bound<'_, PyAny>>,
    size: Option<&Bound<'_, PyAny>>,
) -> Result<PyBoard, CallError> {
    Ok(PyBoard(read_goal(size, goal)?.board().clone()))
}
