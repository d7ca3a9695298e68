//! Values of Python as JSON, and arrays of boards.

use std::fmt::Display;
use std::str::FromStr;

use numpy::{Element, PyArray1, PyArrayMethods as _};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString,
    PyTuple,
};
use serde_json::{Map, Number, Value as Json, json};

use crate::board::PyBoard;
use crate::error::CallError;

/// Maximum number of items of an iterator, which can be infinite.
const MAX_ITEMS: usize = 1 << 20;
/// Maximum depth of lists, which can contain themselves.
const MAX_DEPTH: usize = 8;

/// A TypeError with the wording of Python's own functions.
pub(crate) fn wrong_type(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    match found.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("{expected}, not {name}")),
        Err(error) => error,
    }
}

/// Parses a name, such as a kind or an encoding.
pub(crate) fn named<T: FromStr<Err: Display>>(name: &str) -> Result<T, CallError> {
    name.parse().map_err(CallError::input)
}

/// The value of the option `name` as JSON.
pub(crate) fn to_json(name: &str, value: &Bound<'_, PyAny>) -> Result<Json, CallError> {
    convert(name, value, 0)
}

fn convert(name: &str, value: &Bound<'_, PyAny>, depth: usize) -> Result<Json, CallError> {
    let refused = |hint: &str| {
        let expected =
            format!("{name} is a text, a number, or numbers in reading order or in rows{hint}");
        Err(wrong_type(&expected, value).into())
    };
    if value.is_none() {
        return Ok(Json::Null);
    }
    if let Ok(text) = value.cast::<PyString>() {
        // Invalid Unicode becomes a character that is invalid in boards.
        let text = text.to_string_lossy();
        // In a list, an empty text is the blank.
        return Ok(match depth > 0 && text.trim().is_empty() {
            true => Json::Null,
            false => Json::String(text.into_owned()),
        });
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Json::Bool(flag.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        if let Ok(number) = value.extract::<u64>() {
            return Ok(number.into());
        }
        let number = value.extract::<i64>();
        return number
            .map(Json::from)
            .map_err(|_| CallError::input(format_args!("{name}: a number is out of range")));
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        let number = number.value();
        return match Number::from_f64(number.clamp(f64::MIN, f64::MAX)) {
            Some(number) => Ok(Json::Number(number)),
            // Tables of other packages contain NaN where a value is missing.
            None if depth > 0 => Ok(Json::Null),
            None => Err(CallError::input(format_args!("{name} is not a number"))),
        };
    }
    if let ("size" | "sizes", Ok((columns, rows))) = (name, value.extract::<(u64, u64)>()) {
        return Ok(Json::String(format!("{columns}x{rows}")));
    }
    if depth > MAX_DEPTH {
        return Err(CallError::input(format_args!(
            "{name}: the lists are nested too deeply"
        )));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let key = key.str()?.to_string_lossy().into_owned();
            Ok::<_, CallError>((key, convert(name, &value, depth + 1)?))
        };
        let is_board = matches!(name, "board" | "boards" | "goal");
        return match is_board {
            true => refused(""),
            false => dict
                .iter()
                .map(entry)
                .collect::<Result<Map<_, _>, _>>()
                .map(Json::Object),
        };
    }
    if !value.is_instance_of::<PyList>() && !value.is_instance_of::<PyTuple>() {
        if let Ok(board) = value.cast::<PyBoard>() {
            let board = &board.get().0;
            let (text, tray) = (board.to_string(), board.tray());
            // The text of a single row would be read as a square.
            return Ok(Json::String(match tray.height() {
                1 => json!({ "board": text, "size": tray.to_string() }).to_string(),
                _ => text,
            }));
        }
        // Arrays and scalars of numpy, memory views and `array.array` have the method `tolist`.
        if let Ok(list) = value.getattr("tolist") {
            return convert(name, &list.call0()?, depth);
        }
        // Iterating over a data frame yields the names of its columns, not its numbers.
        if value.hasattr("to_numpy")? {
            return refused(" (frame.to_numpy() has them)");
        }
        let is_bytes = value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>();
        let is_unordered = value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>();
        if is_bytes || is_unordered {
            return refused("");
        }
    }
    let items = match value.try_iter() {
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => return refused(""),
        items => items?,
    };
    let mut list = Vec::new();
    for item in items {
        if list.len() == MAX_ITEMS {
            return Err(CallError::input(format_args!(
                "{name}: the list is too long"
            )));
        }
        list.push(convert(name, &item?, depth + 1)?);
    }
    Ok(Json::Array(list))
}

/// The fields of a request.
pub(crate) fn fields(fields: &Bound<'_, PyDict>) -> Result<Map<String, Json>, CallError> {
    let field = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name: String = name.extract()?;
        let value = to_json(&name, &value)?;
        Ok((name, value))
    };
    fields.iter().map(field).collect()
}

/// The numbers of the caller's contiguous array.
pub(crate) struct Numbers<N> {
    start: *const N,
    length: usize,
    /// Keeps the numbers alive.
    _array: Py<PyArray1<N>>,
}

// SAFETY: the array lives as long as this value, only shared slices are exposed, and references to
// Python objects may be dropped on any thread.
#[allow(unsafe_code, reason = "an array of another thread's")]
unsafe impl<N: Sync> Send for Numbers<N> {}

impl<N: Element> Numbers<N> {
    pub(crate) fn of(array: &Bound<'_, PyAny>) -> PyResult<Numbers<N>> {
        let array = array.cast::<PyArray1<N>>()?;
        Ok(Numbers {
            start: array.data().cast_const(),
            length: array.len()?,
            _array: array.clone().unbind(),
        })
    }

    /// The numbers.
    #[allow(unsafe_code, reason = "reads the memory of the caller's array")]
    pub(crate) fn get(&self) -> &[N] {
        // SAFETY: the array is contiguous, has `length` numbers and is kept alive. If another
        // thread changes it meanwhile, results can be wrong, but each look-up checks the numbers
        // that it has read and indexes within bounds.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

/// An item of the caller's list of boards.
pub(crate) enum Item {
    Board(String),
    /// A text for something that is not a board, and the reason.
    Wrong(String, String),
}

/// The text of a board; a list is kept as its JSON text.
pub(crate) fn board_text_of(board: &Bound<'_, PyAny>) -> Result<String, CallError> {
    Ok(match to_json("board", board)? {
        Json::String(text) => text,
        list => list.to_string(),
    })
}
