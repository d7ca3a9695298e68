//! Methods of the class `Goal`.

use puzzle::Drawing;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::arguments::{read_goal, read_size};
use crate::classes::{PyBoard, PyGoal, repr};

#[pymethods]
impl PyGoal {
    #[new]
    #[pyo3(signature = (goal = None, size = None))]
    fn of(goal: Option<&Bound<'_, PyAny>>, size: Option<&Bound<'_, PyAny>>) -> PyResult<PyGoal> {
        Ok(PyGoal(read_goal(goal, read_size(size)?)?))
    }

    /// The goal as a board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.0.board().clone())
    }

    /// The numbers in reading order, 0 for the blank.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.board().numbers())
    }

    /// Columns x rows, such as `4x4`.
    #[getter]
    fn size(&self) -> String {
        self.0.tray().to_string()
    }

    /// The number of columns.
    #[getter]
    fn columns(&self) -> usize {
        self.0.tray().width()
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.0.tray().height()
    }

    fn _repr_svg_(&self) -> String {
        Drawing::new(&self.0).svg(self.0.board())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        repr("Goal", self.0.board())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String, String))> {
        let class = py.get_type::<PyGoal>();
        Ok((class, (self.__str__(), self.size())))
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (_memo))]
    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyDict>) -> Py<Self> {
        this
    }
}
