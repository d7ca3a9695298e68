//! Boards, as Python sees them.

use puzzle::{Board, Direction, Drawing, Goal, Notation, Unsolvable, write_letters};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use serde::Serialize;

use crate::arguments::{named, read_board, read_cell_size, read_goal, read_size};
use crate::failure::{Failure, OrRaise as _};
use crate::parameters::parameter;
use crate::results::{object, to_json};

/// An arrangement of numbered tiles and a blank. Cannot be changed; can be a key of a dict.
///
/// The board is any text that `solver` reads (rows parted by slashes or line breaks, lists,
/// drawings), its numbers in reading order or in rows, 0 for the blank, an array of numpy, or a
/// board. The size is that of the rows, else `size`, else the square with so many cells.
///
#[doc = parameter!(board)]
#[doc = parameter!(board_size)]
///
/// >>> from sliding_tile_pdb import Board
/// >>> board = Board("1 2 3/4 0 6/7 5 8")
/// >>> board == Board([[1, 2, 3], [4, 0, 6], [7, 5, 8]]) == Board((1, 2, 3, 4, 0, 6, 7, 5, 8))
/// True
/// >>> board.size, board.numbers
/// ('3x3', (1, 2, 3, 4, 0, 6, 7, 5, 8))
/// >>> print(board.apply("UL"))
/// 1 2 3/4 5 6/7 8 0
/// >>> Board("1 2 3/4 5 6/8 7 0").solvability().swap
/// (7, 8)
/// >>> Board("1 2 3/4 5 5/7 8 0")
/// Traceback (most recent call last):
/// sliding_tile_pdb.InputError: tile 5 at row 2 column 2 stands again at row 2 column 3; tile 6
/// is missing
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Board")]
#[derive(Debug)]
pub(crate) struct PyBoard {
    board: Board,
}

impl PyBoard {
    pub(crate) fn new(board: Board) -> PyBoard {
        PyBoard { board }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }
}

/// The notation asked for, else the one that moves are most likely in.
pub(crate) fn notation_of(
    py: Python<'_>,
    notation: Option<&str>,
    moves: &str,
) -> PyResult<Notation> {
    match notation {
        Some(name) => named(py, name),
        None => Ok(Notation::guess(moves)),
    }
}

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
}

/// How a board is drawn.
fn drawing(board: &Board, goal: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> PyResult<Drawing> {
    Ok(Drawing::new(&read_goal(py, goal, Some(board.tray()))?))
}

/// A board's picture: with moves one that plays them.
fn svg(
    board: &Board,
    drawing: &Drawing,
    moves: Option<(&str, Notation)>,
) -> Result<String, Failure> {
    let Some((text, notation)) = moves else {
        return Ok(drawing.svg(board));
    };
    let moves = board.read_moves(text, notation).map_err(Failure::input)?;
    drawing.animated_svg(board, &moves).map_err(Failure::input)
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (board, size = None))]
    fn of(board: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        Ok(PyBoard::new(read_board(board, read_size(size)?)?))
    }

    /// The numbers in reading order, 0 for the blank.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.board.numbers())
    }

    /// Columns x rows, such as `4x4`.
    #[getter]
    fn size(&self) -> String {
        self.board.tray().to_string()
    }

    /// The number of columns.
    #[getter]
    fn columns(&self) -> usize {
        self.board.tray().width()
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.board.tray().height()
    }

    /// The board after these moves: letters for the way the tile goes (`U2RD`), for the way the
    /// blank goes with the notation `blank`, or numbers of tiles.
    ///
    #[doc = parameter!(moves)]
    #[doc = parameter!(notation)]
    ///
    /// >>> from sliding_tile_pdb import Board
    /// >>> Board("1 2 3/4 0 6/7 5 8").apply("5 8")
    /// Board('1 2 3/4 5 6/7 8 0')
    #[pyo3(signature = (moves, notation = None))]
    fn apply(&self, py: Python<'_>, moves: &str, notation: Option<&str>) -> PyResult<PyBoard> {
        let read = self
            .board
            .read_moves(moves, notation_of(py, notation, moves)?);
        let played = read.and_then(|moves| self.board.play(&moves));
        played
            .map(PyBoard::new)
            .map_err(Failure::input)
            .or_raise(py)
    }

    /// The boards that are one move away, by the letter of the move.
    ///
    /// >>> from sliding_tile_pdb import Board
    /// >>> Board("1 2 3/4 5 6/7 8 0").neighbours()
    /// {'D': Board('1 2 3/4 5 0/7 8 6'), 'R': Board('1 2 3/4 5 6/7 0 8')}
    fn neighbours<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let neighbours = PyDict::new(py);
        for direction in Direction::ALL {
            if let Ok(board) = self.board.play(&[direction]) {
                let letter = write_letters(&[direction]);
                neighbours.set_item(letter, Py::new(py, PyBoard::new(board))?)?;
            }
        }
        Ok(neighbours)
    }

    /// Moves of this board in another notation.
    ///
    #[doc = parameter!(moves)]
    #[doc = parameter!(to)]
    #[doc = parameter!(notation)]
    ///
    /// >>> from sliding_tile_pdb import Board
    /// >>> Board("1 2 3/4 0 6/7 5 8").convert("UL", "numbers")
    /// '5 8'
    #[pyo3(signature = (moves, to, notation = None))]
    fn convert(
        &self,
        py: Python<'_>,
        moves: &str,
        to: &str,
        notation: Option<&str>,
    ) -> PyResult<String> {
        let read = self
            .board
            .read_moves(moves, notation_of(py, notation, moves)?);
        let to = named(py, to)?;
        let written = read.and_then(|moves| self.board.write_moves(&moves, to));
        written.map_err(Failure::input).or_raise(py)
    }

    /// Whether the goal can be reached; if not why, and which swap would repair it.
    #[pyo3(signature = (goal = None))]
    fn solvability(&self, py: Python<'_>, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        let goal = read_goal(py, goal, Some(self.board.tray()))?;
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
            message: reason.map(|reason| reason.describe(&goal)),
            swap: reason.and_then(|reason| reason.swap_numbers(&goal)),
            is_odd,
            blank_distance,
        };
        object(py, "Solvability", &to_json(&found).or_raise(py)?)
    }

    /// Whether the goal can be reached.
    #[pyo3(signature = (goal = None))]
    fn is_solvable(&self, py: Python<'_>, goal: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let goal = read_goal(py, goal, Some(self.board.tray()))?;
        Ok(self.unsolvable(&goal).is_none())
    }

    /// A new array of shape (rows, columns), of uint8 up to 256 cells and else of uint16.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tray = self.board.tray();
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
            return Err(Failure::input("a board has no array of its own to share")).or_raise(py);
        }
        let array = self.to_numpy(py)?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// The board drawn with characters; with `ansi` in colours for terminals.
    ///
    #[doc = parameter!(ansi)]
    #[doc = parameter!(goal)]
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
    fn text(
        &self,
        py: Python<'_>,
        ansi: bool,
        goal: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        Ok(drawing(&self.board, goal, py)?.text(&self.board, ansi))
    }

    /// The board as an SVG picture; with moves one that plays them.
    ///
    #[doc = parameter!(moves)]
    #[doc = parameter!(notation)]
    #[doc = parameter!(goal)]
    #[doc = parameter!(cell_size)]
    #[pyo3(signature = (moves = None, *, notation = None, goal = None, cell_size = 64))]
    fn svg(
        &self,
        py: Python<'_>,
        moves: Option<&str>,
        notation: Option<&str>,
        goal: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = read_cell_size)] cell_size: u64,
    ) -> PyResult<String> {
        let mut drawing = drawing(&self.board, goal, py)?;
        if !(16..=512).contains(&cell_size) {
            let message = format!("cell_size is {cell_size}: expected 16 to 512 pixels");
            return Err(Failure::input(message)).or_raise(py);
        }
        drawing.cell_size = cell_size as u32;
        let moves = match moves {
            Some(moves) => Some((moves, notation_of(py, notation, moves)?)),
            None => None,
        };
        svg(&self.board, &drawing, moves).or_raise(py)
    }

    fn _repr_svg_(&self) -> String {
        Drawing::new(&Goal::blank_last(self.board.tray())).svg(&self.board)
    }

    fn __str__(&self) -> String {
        self.board.to_string()
    }

    fn __repr__(&self) -> String {
        let tray = self.board.tray();
        match tray.height() {
            // Rows would not show the size.
            1 => format!("Board('{}', '{tray}')", self.board),
            _ => format!("Board('{}')", self.board),
        }
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> Py<PyAny> {
        let other = other.cast::<PyBoard>();
        let other = other.as_ref().map(|other| &other.get().board).ok();
        equality(py, other.map(|other| *other == self.board), op)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.board)
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
    /// Why the goal, which is of the board's size, cannot be reached.
    fn unsolvable(&self, goal: &Goal) -> Option<Unsolvable> {
        goal.state(&self.board)?.check_solvable().err()
    }
}

/// What `==` and `!=` answer where it is known whether both are equal; other comparisons do not
/// exist.
pub(crate) fn equality(py: Python<'_>, is_equal: Option<bool>, op: CompareOp) -> Py<PyAny> {
    let answer = match (is_equal, op) {
        (Some(is_equal), CompareOp::Eq) => is_equal,
        (Some(is_equal), CompareOp::Ne) => !is_equal,
        _ => return py.NotImplemented(),
    };
    pyo3::types::PyBool::new(py, answer)
        .to_owned()
        .into_any()
        .unbind()
}

/// The same for equal values in one process.
pub(crate) fn hash_of(value: &impl std::hash::Hash) -> u64 {
    use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}
