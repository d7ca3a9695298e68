//! Cancelling calls from another thread.

use pyo3::prelude::*;
use solver::Cancel;

/// Cancels calls from another thread: each call with this object as `cancel` raises CancelledError.
///
/// >>> from sliding_tile_pdb import Cancel, CancelledError, Solver
/// >>> cancel = Cancel()
/// >>> cancel.cancel()
/// >>> try:
/// ...     Solver("3x3").solve("8 6 7/2 5 4/3 0 1", cancel=cancel)
/// ... except CancelledError as error:
/// ...     print(error)
/// cancelled
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Cancel")]
#[derive(Debug, Default)]
pub(crate) struct PyCancel(pub(crate) Cancel);

#[pymethods]
impl PyCancel {
    #[new]
    fn new() -> PyCancel {
        PyCancel::default()
    }

    /// Cancels all calls with this object, present and future. May be called from any thread.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether `cancel` has been called.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn __repr__(&self) -> &'static str {
        match self.0.is_cancelled() {
            true => "<Cancel: cancelled>",
            false => "<Cancel>",
        }
    }
}
