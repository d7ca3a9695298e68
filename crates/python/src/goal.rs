//! Goals, as Python sees them.

use puzzle::{Drawing, Goal};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::arguments::{read_goal, read_size};
use crate::board::{PyBoard, equality, hash_of};
use crate::parameters::parameter;

/// The arrangement to reach: `blank-last`, `blank-first`, or any board.
///
#[doc = parameter!(goal)]
#[doc = parameter!(size)]
///
/// >>> from sliding_tile_pdb import Goal
/// >>> Goal("blank-first", "3x3")
/// Goal('0 1 2/3 4 5/6 7 8')
/// >>> Goal("1 2 3/8 0 4/7 6 5").size
/// '3x3'
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Goal")]
#[derive(Debug)]
pub(crate) struct PyGoal {
    goal: Goal,
}

impl PyGoal {
    pub(crate) fn new(goal: Goal) -> PyGoal {
        PyGoal { goal }
    }

    pub(crate) fn goal(&self) -> &Goal {
        &self.goal
    }
}

#[pymethods]
impl PyGoal {
    #[new]
    #[pyo3(signature = (goal = None, size = None))]
    fn of(
        py: Python<'_>,
        goal: Option<&Bound<'_, PyAny>>,
        size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGoal> {
        Ok(PyGoal::new(read_goal(py, goal, read_size(size)?)?))
    }

    /// The goal as a board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard::new(self.goal.board().clone())
    }

    /// The numbers in reading order, 0 for the blank.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.goal.board().numbers())
    }

    /// Columns x rows, such as `4x4`.
    #[getter]
    fn size(&self) -> String {
        self.goal.tray().to_string()
    }

    /// The number of columns.
    #[getter]
    fn columns(&self) -> usize {
        self.goal.tray().width()
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.goal.tray().height()
    }

    fn _repr_svg_(&self) -> String {
        Drawing::new(&self.goal).svg(self.goal.board())
    }

    fn __str__(&self) -> String {
        self.goal.to_string()
    }

    fn __repr__(&self) -> String {
        let tray = self.goal.tray();
        match tray.height() {
            1 => format!("Goal('{}', '{tray}')", self.goal),
            _ => format!("Goal('{}')", self.goal),
        }
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> Py<PyAny> {
        let other = other.cast::<PyGoal>();
        let other = other.as_ref().map(|other| &other.get().goal).ok();
        equality(py, other.map(|other| *other == self.goal), op)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.goal)
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
