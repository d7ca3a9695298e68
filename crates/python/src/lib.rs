//! The extension module of the Python package `sliding-tile-pdb`: the library's facade for Python.
//!
//! | subject | module |
//! | --- | --- |
//! | arguments, their documentation | `arguments`, `boards_array`, `options`, `parameters` |
//! | boards, goals, random boards | `classes`, `board`, `goal`, `rules` |
//! | tables: one, many, look-ups | `table`, `table_view`, `table_files`, `tables`, `lookup` |
//! | solvers and their tables | `table_request`, `table_input`, `open_solver`, `solver` |
//! | iterators of reports: many boards, anytime search | `solved_boards`, `anytime` |
//! | state of such an iterator, shared by threads | `iterator_state` |
//! | textbook heuristics and searches | `laboratory` |
//! | long calls: Ctrl-C, tokens, progress | `call`, `cancel`, `progress` |
//! | results and errors | `results`, `call_error` |
//!
//! The Python side of the package contains the classes of results and errors, the functions that
//! cache solvers, and the types.

#[macro_use]
mod parameters;

mod anytime;
mod arguments;
mod board;
mod boards_array;
mod call;
mod call_error;
mod cancel;
mod classes;
mod goal;
mod iterator_state;
mod laboratory;
mod lookup;
mod open_solver;
mod options;
mod progress;
mod results;
mod rules;
mod solved_boards;
mod solver;
mod table;
mod table_files;
mod table_input;
mod table_request;
mod table_view;
mod tables;

use std::sync::OnceLock;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// Rejects the import by a second interpreter of the process, because the stored classes belong to
/// the first interpreter.
#[allow(unsafe_code, reason = "asks the interpreter for its number")]
fn only_in_one_interpreter() -> PyResult<()> {
    static FIRST: OnceLock<i64> = OnceLock::new();
    // SAFETY: the thread is attached to the interpreter that imports the module.
    let own = unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) };
    match *FIRST.get_or_init(|| own) == own {
        true => Ok(()),
        false => Err(PyImportError::new_err(
            "sliding_tile_pdb can be imported by only one interpreter per process",
        )),
    }
}

/// The module `sliding_tile_pdb._native`.
#[pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::anytime::Anytime;
    #[pymodule_export]
    use crate::cancel::PyCancel;
    #[pymodule_export]
    use crate::classes::{PyBoard, PyGoal};
    #[pymodule_export]
    use crate::laboratory::{compare, explain, heuristics};
    #[pymodule_export]
    use crate::rules::{invert, read_board, read_boards, scramble, suite, suites};
    #[pymodule_export]
    use crate::solved_boards::SolvedBoards;
    #[pymodule_export]
    use crate::solver::PySolver;
    #[pymodule_export]
    use crate::table::PyTable;
    #[pymodule_export]
    use crate::tables::{build, pack, unpack, verify};
    use pyo3::prelude::*;

    use crate::only_in_one_interpreter;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        only_in_one_interpreter()?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
