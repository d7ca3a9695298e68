//! Arrays and lists of many boards.

use numpy::{Element, PyArray1, PyArrayMethods as _};
use puzzle::Tray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyMemoryView, PySlice, PyString};

use crate::arguments::read_board;
use crate::call_error::CallError;
use crate::classes::PyBoard;

/// The numbers of many boards, one board after the other, as unchecked bytes.
pub(crate) enum BoardArray {
    /// An array of the caller.
    Array {
        /// Keeps the numbers alive.
        _array: Py<PyArray1<u8>>,
        start: *const u8,
        length: usize,
    },
    /// Numbers read from a list, or copied from an array of another type.
    Copy(Vec<u8>),
}

// SAFETY: the array lives as long as this value, and references to Python objects may be dropped on
// any thread.
#[allow(unsafe_code, reason = "an array of another thread's")]
unsafe impl Send for BoardArray {}
// SAFETY: only shared slices are exposed.
#[allow(unsafe_code, reason = "an array of another thread's")]
unsafe impl Sync for BoardArray {}

impl BoardArray {
    /// The numbers.
    #[allow(unsafe_code, reason = "reads the memory of the caller's array")]
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            BoardArray::Copy(numbers) => numbers,
            BoardArray::Array { start, length, .. } => {
                // SAFETY: the array is contiguous, has `length` bytes and is kept alive. If another
                // thread changes it meanwhile, results can be wrong, but each look-up checks the
                // numbers that it has read and indexes within bounds.
                unsafe { std::slice::from_raw_parts(*start, *length) }
            }
        }
    }
}

/// Number of rows that are converted between two checks for signals. Their conversion takes a few
/// milliseconds.
const ROWS_AT_ONCE: usize = 1 << 16;

/// Converts an array of whole numbers to a NumPy array, and checks that its shape fits boards of
/// size `tray`. Returns `None` if `boards` is not an array of numbers; the caller then reads
/// `boards` as a list.
fn read_array<'py>(boards: &Bound<'py, PyAny>, tray: Tray) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = boards.py();
    let boards = &array_of(boards)?;
    if !boards.hasattr("dtype")? || !boards.hasattr("shape")? {
        return Ok(None);
    }
    let array = py.import("numpy")?.call_method1("asarray", (boards,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    // Arrays of texts and other objects are read as lists, and so is an untyped empty array.
    if matches!(&kind[..], "O" | "U" | "T") || shape == [0] {
        return Ok(None);
    }
    if kind != "u" && kind != "i" {
        let name = array.getattr("dtype")?.str()?;
        return Err(PyTypeError::new_err(format!(
            "an array of boards needs whole numbers, best uint8, not {name}"
        )));
    }
    let (cells, columns, rows) = (tray.cells(), tray.width(), tray.height());
    let fits = match shape[..] {
        [_, found] => found == cells,
        [_, found_rows, found_columns] => (found_rows, found_columns) == (rows, columns),
        _ => false,
    };
    if !fits {
        let found = array.getattr("shape")?.str()?;
        return Err(CallError::input(format!(
            "an array of {tray} boards has the shape (n, {cells}) or (n, {rows}, {columns}), not \
             {found}"
        ))
        .into());
    }
    Ok(Some(array))
}

/// Copies an array's numbers in parts, so that Ctrl-C can interrupt the copying.
fn copied<T: Element + Copy>(
    array: &Bound<'_, PyAny>,
    tray: Tray,
    dtype: &str,
) -> PyResult<Vec<T>> {
    let (py, cells) = (array.py(), tray.cells());
    let numpy = py.import("numpy")?;
    let options = PyDict::new(py);
    options.set_item("dtype", dtype)?;
    let rows = array.len()?;
    let mut numbers: Vec<T> = Vec::with_capacity(rows * cells);
    for first in (0..rows).step_by(ROWS_AT_ONCE) {
        py.check_signals()?;
        let until = rows.min(first + ROWS_AT_ONCE);
        let piece = array.get_item(PySlice::new(py, first as isize, until as isize, 1))?;
        // Detects numbers that the conversion would truncate.
        let least = piece.call_method0("min")?.call_method0("item")?;
        let largest = piece.call_method0("max")?.call_method0("item")?;
        if least.lt(0)? || largest.ge(cells)? {
            let odd = if least.lt(0)? { least } else { largest };
            return Err(CallError::input(format!(
                "{odd} in the array is not a tile of a {tray} board (0 to {})",
                cells - 1
            ))
            .into());
        }
        let piece = numpy.call_method("ascontiguousarray", (piece,), Some(&options))?;
        let piece = piece.call_method1("reshape", (-1,))?;
        let piece = piece.cast_into::<PyArray1<T>>()?;
        numbers.extend_from_slice(piece.readonly().as_slice()?);
    }
    Ok(numbers)
}

/// The numbers of many boards, one board after the other. If `boards` is an array, numbers out of
/// range are rejected, but repeated numbers are not.
pub(crate) fn read_numbers(boards: &Bound<'_, PyAny>, tray: Tray) -> PyResult<Vec<u16>> {
    if let Some(array) = read_array(boards, tray)? {
        return copied(&array, tray, "uint16");
    }
    let mut numbers = Vec::new();
    for board in each(boards)? {
        numbers.extend_from_slice(read_board(&board?, Some(tray))?.numbers());
    }
    Ok(numbers)
}

/// Boards as bytes, for trays that are small enough for tables. The numbers of a contiguous `uint8`
/// array are not checked. In other arrays, numbers out of range are rejected, but repeated numbers
/// are not.
pub(crate) fn read_boards_array(boards: &Bound<'_, PyAny>, tray: Tray) -> PyResult<BoardArray> {
    if let Some(array) = read_array(boards, tray)? {
        let is_bytes = array.getattr("dtype")?.str()? == "uint8";
        let is_contiguous: bool = array.getattr("flags")?.getattr("c_contiguous")?.extract()?;
        if !is_bytes || !is_contiguous {
            return copied(&array, tray, "uint8").map(BoardArray::Copy);
        }
        let array = array.call_method1("reshape", (-1,))?;
        let array = array.cast_into::<PyArray1<u8>>()?;
        return Ok(BoardArray::Array {
            start: array.data().cast_const(),
            length: array.len()?,
            _array: array.unbind(),
        });
    }
    let mut numbers = Vec::new();
    for board in each(boards)? {
        let board = read_board(&board?, Some(tray))?;
        numbers.extend(board.numbers().iter().map(|&number| number as u8));
    }
    Ok(BoardArray::Copy(numbers))
}

/// Imports numpy, and raises an error if numpy is missing. Without this call, the first use of a
/// missing numpy would panic.
pub(crate) fn need_numpy(py: Python<'_>) -> PyResult<()> {
    py.import("numpy")?.getattr("ndarray").map(drop)
}

/// Extracts the array from a memory view, or from a data frame or series such as those of pandas.
/// Returns other objects unchanged.
fn array_of<'py>(boards: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if boards.is_instance_of::<PyMemoryView>() {
        return boards
            .py()
            .import("numpy")?
            .call_method1("asarray", (boards,));
    }
    match boards.cast::<PyBoard>().is_err() && boards.hasattr("to_numpy")? {
        true => boards.call_method0("to_numpy"),
        false => Ok(boards.clone()),
    }
}

/// An iterator over a list of boards. A text is rejected, because it is one board.
pub(crate) fn iterator<'py>(boards: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if boards.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "expected boards, an array or a list of them, not one text: put it into a list",
        ));
    }
    array_of(boards)?.try_iter()
}

/// The items of a list of boards. The list can be long or infinite; Ctrl-C can interrupt the
/// iteration.
pub(crate) fn each<'py>(
    boards: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>> + use<'py>> {
    /// Number of items between two checks for signals. Reading them takes a millisecond or less.
    const BETWEEN_LOOKS: usize = 1000;
    let py = boards.py();
    let items = iterator(boards)?.enumerate();
    Ok(items.map(move |(number, item)| {
        if number % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 {
            py.check_signals()?;
        }
        item
    }))
}
