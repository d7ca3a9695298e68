//! The extension module of the Python package `sliding-tile-pdb`.
//!
//! | subject | module |
//! | --- | --- |
//! | questions of the contract, many boards, estimates | `session` |
//! | boards and goals | `board` |
//! | tables: one, many, look-ups | `table`, `tables`, `lookup` |
//! | long calls: threads, progress, tokens | `job` |
//! | values of Python, errors | `value`, `error` |
//!
//! The Python side of the package contains boards, goals, solvers, results, and the loop that waits
//! for long calls.

mod board;
mod error;
mod job;
mod lookup;
mod session;
mod table;
mod tables;
mod value;

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
    use crate::board::{PyBoard, goal_board};
    #[pymodule_export]
    use crate::job::{Job, PyCancel};
    #[pymodule_export]
    use crate::session::{PyOpened, PySession, suite, suites};
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
