//! Methods of the class `Board`.

use puzzle::{Direction, Drawing, Goal, Unsolvable, write_letters};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use serde::Serialize;

use crate::arguments::{
    Moves, named, read_board, read_cell_size, read_goal, read_notation, read_size,
};
use crate::call_error::CallError;
use crate::classes::{PyBoard, repr};
use crate::results::{object, to_json};

/// Whether a board can be solved.
#[derive(Serialize)]
struct Solvability {
    solvable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    swap: Option<[u16; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_odd: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blank_distance: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reachable_goals: Option<Vec<&'static str>>,
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (board, size = None))]
    fn of(board: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        Ok(PyBoard(read_board(board, read_size(size)?)?))
    }

    /// The numbers in reading order, 0 for the blank.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.numbers())
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

    /// The board after these moves. Moves are letters for the direction of the tile (`U2RD`),
    /// numbers of tiles, or, with the notation `blank`, letters for the direction of the blank.
    ///
    #[doc = parameters!(moves, notation)]
    ///
    /// >>> from sliding_tile_pdb import Board
    /// >>> Board("1 2 3/4 0 6/7 5 8").apply("5 8")
    /// Board('1 2 3/4 5 6/7 8 0')
    #[pyo3(signature = (moves, notation = None))]
    fn apply(&self, moves: Moves, notation: Option<&str>) -> Result<PyBoard, CallError> {
        let moves = self.read_moves(&moves, notation)?;
        let played = self.0.play(&moves).map_err(CallError::input);
        played.map(PyBoard)
    }

    /// The boards that are one move away, keyed by the letter of the move.
    ///
    /// >>> from sliding_tile_pdb import Board
    /// >>> Board("1 2 3/4 5 6/7 8 0").neighbours()
    /// {'D': Board('1 2 3/4 5 0/7 8 6'), 'R': Board('1 2 3/4 5 6/7 0 8')}
    fn neighbours<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let neighbours = PyDict::new(py);
        for direction in Direction::ALL {
            if let Ok(board) = self.0.play(&[direction]) {
                let letter = write_letters(&[direction]);
                neighbours.set_item(letter, Py::new(py, PyBoard(board))?)?;
            }
        }
        Ok(neighbours)
    }

    /// Converts moves of this board to another notation.
    ///
    #[doc = parameters!(moves, to, notation)]
    ///
    /// >>> from sliding_tile_pdb import Board
    /// >>> Board("1 2 3/4 0 6/7 5 8").convert("UL", "numbers")
    /// '5 8'
    #[pyo3(signature = (moves, to, notation = None))]
    fn convert(&self, moves: Moves, to: &str, notation: Option<&str>) -> Result<String, CallError> {
        let (moves, to) = (self.read_moves(&moves, notation)?, named(to)?);
        self.0.write_moves(&moves, to).map_err(CallError::input)
    }

    /// Whether the goal is reachable; if not, the reason, and a swap that makes it reachable.
    #[pyo3(signature = (goal = None))]
    fn solvability(&self, py: Python<'_>, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let goal = read_goal(goal, Some(self.0.tray()))?;
        let reason = self.unsolvable(&goal);
        let (is_odd, blank_distance) = match reason {
            Some(Unsolvable::Parity {
                odd_arrangement,
                blank_distance,
                ..
            }) => (Some(odd_arrangement), Some(blank_distance)),
            _ => (None, None),
        };
        let found = Solvability {
            solvable: reason.is_none(),
            message: reason.map(|reason| reason.describe(&goal, &self.0)),
            swap: reason.and_then(|reason| reason.swap_numbers(&goal)),
            is_odd,
            blank_distance,
            reachable_goals: reason.map(|_| goal.reachable_names(&self.0)),
        };
        object(py, "Solvability", &to_json(&found)?)
    }

    /// Whether the goal is reachable.
    #[pyo3(signature = (goal = None))]
    fn is_solvable(&self, goal: Option<&Bound<'_, PyAny>>) -> Result<bool, CallError> {
        let goal = read_goal(goal, Some(self.0.tray()))?;
        Ok(self.unsolvable(&goal).is_none())
    }

    /// A new array of shape (rows, columns): uint8 for trays of up to 256 cells, else uint16.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tray = self.0.tray();
        let name = match tray.cells() <= 256 {
            true => "uint8",
            false => "uint16",
        };
        let array = py
            .import("numpy")?
            .call_method1("array", (self.numbers(py)?, name))?;
        array.call_method1("reshape", (tray.height(), tray.width()))
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(CallError::input("a board has no array to share without a copy").into());
        }
        let array = self.to_numpy(py)?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// The board drawn with characters; `ansi` adds colours for terminals.
    ///
    #[doc = parameters!(ansi, goal)]
    ///
    /// >>> from sliding_tile_pdb import Board
    /// >>> print(Board("1 2/0 3").text())
    /// ┌───┬───┐
    /// │ 1 │ 2 │
    /// ├───┼───┤
    /// │   │ 3 │
    /// └───┴───┘
    /// <BLANKLINE>
    #[pyo3(signature = (ansi = false, *, goal = None))]
    fn text(&self, ansi: bool, goal: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.drawing(goal)?.text(&self.0, ansi))
    }

    /// The board as an SVG picture; with moves, an animation.
    ///
    #[doc = parameters!(moves, notation, goal, cell_size)]
    #[pyo3(signature = (moves = None, *, notation = None, goal = None, cell_size = 64))]
    fn svg(
        &self,
        moves: Option<Moves>,
        notation: Option<&str>,
        goal: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = read_cell_size)] cell_size: u64,
    ) -> Result<String, CallError> {
        let mut drawing = self.drawing(goal)?;
        if !(16..=512).contains(&cell_size) {
            let message = format!("cell_size is {cell_size}: expected 16 to 512 pixels");
            return Err(CallError::input(message));
        }
        drawing.cell_size = cell_size as u32;
        let Some(moves) = moves else {
            return Ok(drawing.svg(&self.0));
        };
        let moves = self.read_moves(&moves, notation)?;
        drawing
            .animated_svg(&self.0, &moves)
            .map_err(CallError::input)
    }

    fn _repr_svg_(&self) -> String {
        Drawing::new(&Goal::blank_last(self.0.tray())).svg(&self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        repr("Board", &self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String, String))> {
        let class = py.get_type::<PyBoard>();
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

impl PyBoard {
    /// The reason why the goal, which has the board's size, cannot be reached.
    fn unsolvable(&self, goal: &Goal) -> Option<Unsolvable> {
        goal.state(&self.0)?.check_solvable().err()
    }

    /// Drawing of the board, coloured by a goal.
    fn drawing(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Drawing> {
        Ok(Drawing::new(&read_goal(goal, Some(self.0.tray()))?))
    }

    /// Parses moves that start on the board, in the given or the most likely notation.
    fn read_moves(
        &self,
        moves: &Moves,
        notation: Option<&str>,
    ) -> Result<Vec<Direction>, CallError> {
        let notation = read_notation(notation, &moves.0)?;
        self.0
            .read_moves(&moves.0, notation)
            .map_err(CallError::input)
    }
}
