//! Arguments from Python: boards, goals, sizes, numbers, paths.

use std::ffi::CString;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use puzzle::board_text::{ListedBoard, parse};
use puzzle::{Board, BoardError, Goal, Notation, Tray};
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyException, PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFrozenSet, PyIterator, PyList, PyMemoryView, PySet,
    PyString, PyTuple,
};

use crate::call_error::CallError;
use crate::classes::{PyBoard, PyGoal};

/// Times above this number of seconds mean no limit.
const MAX_SECONDS: f64 = 1e9;

/// Maximum length of the text of a list of numbers, in bytes. The largest board, 20x20, fits.
const MAX_LENGTH: usize = 1 << 14;
/// Maximum number of threads per call.
const MAX_THREADS: u64 = 1024;

/// A TypeError with the wording of Python's own functions.
pub(crate) fn wrong_type(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    match found.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("{expected}, not {name}")),
        Err(error) => error,
    }
}

/// Parses a name, such as a mode or a notation.
pub(crate) fn named<T: FromStr<Err: fmt::Display>>(name: &str) -> Result<T, CallError> {
    name.parse().map_err(CallError::input)
}

/// Moves: a text, or a list of texts or numbers of tiles.
#[derive(Debug)]
pub(crate) struct Moves(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Moves {
    type Error = PyErr;

    fn extract(moves: Borrowed<'_, 'py, PyAny>) -> PyResult<Moves> {
        if let Ok(text) = moves.cast::<PyString>() {
            return Ok(Moves(text.to_cow()?.into_owned()));
        }
        match moves.is_instance_of::<PyList>() || moves.is_instance_of::<PyTuple>() {
            true => Ok(Moves(moves.repr()?.to_string_lossy().into_owned())),
            false => Err(wrong_type("moves are a text or a list of texts", &moves)),
        }
    }
}

/// The requested notation. Without a request, the most likely notation of the moves.
pub(crate) fn read_notation(notation: Option<&str>, moves: &str) -> Result<Notation, CallError> {
    notation.map_or_else(|| Ok(Notation::guess(moves)), named)
}

/// A size, as `"4x4"` or `(4, 4)`.
pub(crate) fn read_size(size: Option<&Bound<'_, PyAny>>) -> Result<Option<Tray>, CallError> {
    let Some(size) = size.filter(|size| !size.is_none()) else {
        return Ok(None);
    };
    if let Ok(text) = size.cast::<PyString>() {
        return named(&text.to_string_lossy()).map(Some);
    }
    let Ok((columns, rows)) = size.extract::<(usize, usize)>() else {
        let expected = "a size is a text such as \"4x4\" or a pair (columns, rows)";
        return Err(wrong_type(expected, size).into());
    };
    Tray::new(columns, rows).map(Some).map_err(CallError::input)
}

/// A board in any form: a board, a text, numbers in reading order or in rows. Returns
/// [`CallError::Python`] if the object does not have a board's type.
pub(crate) fn read_board(board: &Bound<'_, PyAny>, size: Option<Tray>) -> Result<Board, CallError> {
    let listed = read_listed(board, size)?;
    let usual = Goal::blank_last(listed.board.tray());
    Ok(listed.for_goal(&usual).map_err(CallError::input)?.board)
}

/// A board for a goal, which must not state another goal.
pub(crate) fn read_board_for(
    board: &Bound<'_, PyAny>,
    goal: &Goal,
) -> Result<ListedBoard, CallError> {
    let listed = read_listed(board, Some(goal.tray()))?;
    listed.for_goal(goal).map_err(CallError::input)
}

/// [`read_board`], and its goal: `goal` if it is given, otherwise the goal that the text of the
/// board states, otherwise `blank-last`.
pub(crate) fn read_board_and_goal(
    board: &Bound<'_, PyAny>,
    size: Option<Tray>,
    goal: Option<&Bound<'_, PyAny>>,
) -> Result<(Board, Goal), CallError> {
    let listed = read_listed(board, size)?;
    let goal = match &listed.goal {
        Some(own) if goal.is_none() => own.clone(),
        _ => read_goal(goal, Some(listed.board.tray()))?,
    };
    let listed = listed.for_goal(&goal).map_err(CallError::input)?;
    Ok((listed.board, goal))
}

/// A board, and the goal that its text states. Guesses about the form of the text are warnings.
fn read_listed(board: &Bound<'_, PyAny>, size: Option<Tray>) -> Result<ListedBoard, CallError> {
    if let Ok(board) = board.cast::<PyBoard>() {
        return sized(&board.get().0, size).map(ListedBoard::from);
    }
    if let Ok(goal) = board.cast::<PyGoal>() {
        return sized(goal.get().0.board(), size).map(ListedBoard::from);
    }
    let mut text = String::new();
    match board.cast::<PyString>() {
        // Invalid Unicode becomes a character that is invalid in boards.
        Ok(board) => text.push_str(&board.to_string_lossy()),
        Err(_) => write_list(board, 2, &mut text)?,
    }
    let listed = parse(&text, size).map_err(CallError::input)?;
    warn::<PyUserWarning>(board.py(), &listed.notes)?;
    Ok(listed)
}

/// Issues warnings.
///
/// # Errors
/// The user's filters turn warnings into errors.
pub(crate) fn warn<W: PyTypeInfo>(py: Python<'_>, lines: &[impl ToString]) -> PyResult<()> {
    for line in lines {
        let line = CString::new(line.to_string()).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<W>(), &line, 1)?;
    }
    Ok(())
}

/// Writes numbers in reading order or in rows, with at most `depth` brackets around a number.
fn write_list(list: &Bound<'_, PyAny>, depth: usize, text: &mut String) -> Result<(), CallError> {
    let expected = "a board is a text, a Board, or its numbers in reading order or in rows";
    // Arrays and scalars of numpy, memory views and `array.array` have the method `tolist`.
    let listed = match list.hasattr("tolist")? {
        true => list.call_method0("tolist")?,
        false => list.clone(),
    };
    if listed.hasattr("to_numpy")? {
        // Iterating over a data frame yields the names of its columns, not its numbers.
        let expected = format!("{expected} (frame.to_numpy() has them)");
        return Err(wrong_type(&expected, list).into());
    }
    let is_list = depth > 0 && !list.is_instance_of::<PyBytes>() && !is_unordered(list);
    let Some(items) = items_of(&listed)?.filter(|_| is_list) else {
        return Err(wrong_type(expected, list).into());
    };
    text.push('[');
    for item in items {
        let item = item?;
        if item.is_instance_of::<PyString>() || items_of(&item)?.is_none() {
            match item.str()?.to_string_lossy().trim() {
                "" => text.push('_'),
                cell => text.push_str(cell),
            }
        } else {
            write_list(&item, depth - 1, text)?;
        }
        text.push(',');
        // Iterators can be infinite.
        if text.len() > MAX_LENGTH {
            return Err(CallError::input(
                "a board has at most 400 numbers: the largest is 20x20",
            ));
        }
    }
    text.truncate(text.trim_end_matches(',').len());
    text.push(']');
    Ok(())
}

/// Checks the size of a board, if one is required.
fn sized(board: &Board, size: Option<Tray>) -> Result<Board, CallError> {
    let found = board.tray();
    match size.filter(|&expected| expected != found) {
        Some(expected) => Err(CallError::input(BoardError::Size { found, expected })),
        None => Ok(board.clone()),
    }
}

/// Whether an object is a set or a dict. Both can be iterated over, but are not boards.
fn is_unordered(list: &Bound<'_, PyAny>) -> bool {
    list.is_instance_of::<PySet>()
        || list.is_instance_of::<PyFrozenSet>()
        || list.is_instance_of::<PyDict>()
}

/// Iterates over an object; `None` if it is not iterable, such as a number.
fn items_of<'py>(list: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyIterator>>> {
    unless_type_error(list.try_iter(), list.py())
}

/// The value of a call; `None` if the call raised TypeError.
fn unless_type_error<T>(found: PyResult<T>, py: Python<'_>) -> PyResult<Option<T>> {
    match found {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => Ok(None),
        found => found.map(Some),
    }
}

/// The `repr` of an object, or the name of its class if that fails.
pub(crate) fn text_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    match object.repr() {
        Ok(text) => Ok(text.to_string_lossy().into_owned()),
        Err(error) if error.is_instance_of::<PyException>(object.py()) => {
            Ok(format!("<{}>", object.get_type().name()?))
        }
        Err(error) => Err(error),
    }
}

/// Length of a list; `None` for an object without a length, such as a generator.
pub(crate) fn length_of(list: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let length = unless_type_error(list.len(), list.py())?;
    Ok(length.map(|length| length as u64))
}

/// A goal by name or as a board; the default is `blank-last`.
pub(crate) fn read_goal(
    goal: Option<&Bound<'_, PyAny>>,
    size: Option<Tray>,
) -> Result<Goal, CallError> {
    let Some(goal) = goal.filter(|goal| !goal.is_none()) else {
        return usual_goal(size);
    };
    if let Ok(goal) = goal.cast::<PyGoal>() {
        let goal = &goal.get().0;
        sized(goal.board(), size)?;
        return Ok(goal.clone());
    }
    if let Ok(text) = goal.cast::<PyString>() {
        let goal = Goal::parse(&text.to_string_lossy(), size);
        return goal.map_err(|error| CallError::input(format!("goal: {error}")));
    }
    read_board(goal, size).map(Goal::new)
}

/// The default goal of a size.
pub(crate) fn usual_goal(size: Option<Tray>) -> Result<Goal, CallError> {
    Goal::parse("blank-last", size).map_err(CallError::input)
}

/// Reads an optional goal and an optional size. The argument `size` can also be a goal.
pub(crate) fn read_size_or_goal(
    size: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
) -> Result<(Option<Goal>, Option<Tray>), CallError> {
    match size.filter(|size| size.cast::<PyGoal>().is_ok()) {
        Some(_) if goal.is_some() => Err(PyTypeError::new_err("a goal is given twice").into()),
        Some(own) => Ok((Some(read_goal(Some(own), None)?), None)),
        None => {
            let size = read_size(size)?;
            let goal = goal.map(|goal| read_goal(Some(goal), size));
            Ok((goal.transpose()?, size))
        }
    }
}

/// [`read_size_or_goal`], with the default goal of the size if no goal is given.
pub(crate) fn read_size_and_goal(
    size: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
) -> Result<Goal, CallError> {
    match read_size_or_goal(size, goal)? {
        (Some(goal), _) => Ok(goal),
        (None, size) => usual_goal(size),
    }
}

/// A time in seconds, above 0.
pub(crate) fn read_time(name: &str, seconds: Option<f64>) -> Result<Option<Duration>, CallError> {
    match seconds {
        None => Ok(None),
        Some(seconds) if seconds > 0.0 => {
            Ok(Some(Duration::from_secs_f64(seconds.min(MAX_SECONDS))))
        }
        Some(seconds) => Err(CallError::input(format!(
            "{name} is {seconds}: expected more than 0 seconds"
        ))),
    }
}

/// A whole number of at least 0. The caller can also pass a float, such as `1e6`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Whole(pub(crate) u64);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        whole(&number, "a number")
    }
}

/// A whole number; `name` is the parameter.
fn whole(number: &Bound<'_, PyAny>, name: &str) -> PyResult<Whole> {
    if let Ok(whole) = number.extract::<u64>() {
        return Ok(Whole(whole));
    }
    let is_number = number.hasattr("__float__")? && !number.is_instance_of::<PyString>();
    if !is_number {
        return Err(wrong_type("expected a whole number", number));
    }
    let float = number.extract::<f64>().unwrap_or(f64::NAN);
    match float.fract() == 0.0 && (0.0..1.8e19).contains(&float) {
        true => Ok(Whole(float as u64)),
        false => {
            let text = text_of(number)?;
            let message = format!("{name} is {text}: expected a whole number from 0 to 1.8e19");
            Err(CallError::input(message).into())
        }
    }
}

/// Defines parsers of parameters. The first group of parsers rejects None, the second group accepts
/// it. Errors contain the name of the parameter.
macro_rules! whole_parameters {
    ($($reader:ident $name:literal)* ; $($optional:ident $optional_name:literal)*) => {
        $(pub(crate) fn $reader(number: &Bound<'_, PyAny>) -> PyResult<u64> {
            whole(number, $name).map(|Whole(number)| number)
        })*
        $(pub(crate) fn $optional(number: &Bound<'_, PyAny>) -> PyResult<Option<Whole>> {
            match number.is_none() {
                true => Ok(None),
                false => whole(number, $optional_name).map(Some),
            }
        })*
    };
}

whole_parameters! {
    read_seed "seed" read_within "within" read_most "most" read_board_count "number"
    read_cell_size "cell_size" read_tile "a tile";
    read_max_nodes "max_nodes" read_max_memory "max_memory" read_optional_number "number"
    read_moves "moves" read_optional_seed "seed" read_fixed "fixed"
}

/// A number of threads, 0 for all cores.
pub(crate) fn read_threads(number: &Bound<'_, PyAny>) -> PyResult<usize> {
    if number.is_instance_of::<PyBool>() {
        return Err(wrong_type("threads is a whole number", number));
    }
    let threads = whole(number, "threads")?;
    match threads.0 <= MAX_THREADS {
        true => Ok(threads.index()),
        false => {
            let message = format!("threads is {}: expected at most {MAX_THREADS}", threads.0);
            Err(CallError::input(message).into())
        }
    }
}

impl Whole {
    /// The number as an index, at most `usize::MAX`.
    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// A number that must be at least 1.
    pub(crate) fn at_least_one(
        name: &str,
        number: Option<Whole>,
    ) -> Result<Option<u64>, CallError> {
        match number {
            Some(Whole(0)) => Err(CallError::input(format!("{name} must be at least 1"))),
            number => Ok(number.map(|number| number.0)),
        }
    }
}

/// A partition by name or as lists of tiles.
pub(crate) fn read_partition(partition: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if partition.is_none() {
        return Ok(None);
    }
    match partition.cast::<PyString>() {
        Ok(text) => Ok(Some(text.to_string_lossy().into_owned())),
        Err(_) => {
            let expected = "a partition is a text such as \"6-6-3\" or \"1,2,3,4/5,6,7,8\"";
            Err(wrong_type(expected, partition))
        }
    }
}

/// The bytes of `bytes`, `bytearray` or a memory view; `None` for other objects.
pub(crate) fn read_bytes(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(Some(bytes.as_bytes().to_vec()));
    }
    if data.is_instance_of::<PyByteArray>() || data.is_instance_of::<PyMemoryView>() {
        let bytes = data.py().get_type::<PyBytes>().call1((data,))?;
        return Ok(Some(bytes.cast::<PyBytes>()?.as_bytes().to_vec()));
    }
    Ok(None)
}

/// The path of a file or directory: a text, or an object with `__fspath__`.
pub(crate) fn read_path(path: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    path.extract()
}
