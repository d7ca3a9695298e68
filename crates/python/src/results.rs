//! Converts results of the libraries to objects of the classes in `_results.py`, by way of JSON.
//!
//! The thread that computes the answer writes JSON without the interpreter's lock; Python's own
//! parser then creates the objects in a few microseconds.

use puzzle::{Goal, Notation};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use serde::Serialize;
use solver::Report;

use crate::classes::PyGoal;

/// Data that are needed to draw a report and are not part of it.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// The goal determines the tray and the colours of the tiles.
    pub(crate) goal: Goal,
    /// Notation of the moves.
    pub(crate) notation: Notation,
}

/// Serialises a result as JSON.
///
/// # Errors
/// JSON cannot represent the result. This does not happen for results of the libraries, which
/// consist of strings, numbers and lists.
pub(crate) fn to_json(result: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(result).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Creates instances of a class of `_results.py`: one instance from a JSON object, or a list of
/// instances from a JSON array.
pub(crate) fn object(py: Python<'_>, class: &str, json: &str) -> PyResult<Py<PyAny>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = MAKE.import(py, "sliding_tile_pdb._results", "_of_json")?;
    Ok(make.call1((class, json))?.unbind())
}

/// Creates Python's built-in objects, such as dicts and lists, from JSON.
pub(crate) fn plain(py: Python<'_>, json: &str) -> PyResult<Py<PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let loads = LOADS.import(py, "json", "loads")?;
    Ok(loads.call1((json,))?.unbind())
}

/// Creates a board's report.
pub(crate) fn report_object(
    py: Python<'_>,
    report: &Report,
    context: &Context,
) -> PyResult<Py<PyAny>> {
    let goal = Bound::new(py, PyGoal(context.goal.clone()))?;
    report_of_json(py, &to_json(report)?, goal.as_any(), context.notation)
}

/// Creates a board's report from its JSON.
pub(crate) fn report_of_json(
    py: Python<'_>,
    json: &str,
    goal: &Bound<'_, PyAny>,
    notation: Notation,
) -> PyResult<Py<PyAny>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = MAKE.import(py, "sliding_tile_pdb._results", "_report")?;
    let notation = PyString::intern(py, notation.name());
    Ok(make.call1((json, goal, notation))?.unbind())
}
