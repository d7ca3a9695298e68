//! Sessions: the questions of the contract, and calls that need a session's open solvers.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};

use numpy::PyArray1;
use pdb_gen::free_memory;
use pdb_table::bundle::{Bundle, Manifest, SingleFile};
use pdb_table::lock;
use puzzle::{Goal, Tray, board_text};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyTuple};
use serde_json::{Map, Value as Json, json};
use session::request::{Open, Probe, ReadGoal, Solve, Subject};
use session::{
    BoardText, Control, Failure, Fields, Limits, Opened, Request, Response, Session, Spelling,
};
use solver::{
    OpenOptions, Report, SharedTable, SolveOptions, SolverError, ThreadPermits, number_of_threads,
    ordered_map,
};

use crate::error::CallError;
use crate::job::{Job, PyCancel, Work};
use crate::table::PyTable;
use crate::table_files::{open_table, table_of_bytes, unpack_all};
use crate::table_view::TableView;
use crate::value::{Item, Numbers, board_text_of, fields, to_json, wrong_type};

/// A session of `crates/session`.
#[pyclass(frozen, module = "sliding_tile_pdb._native", name = "Session")]
#[derive(Debug)]
pub(crate) struct PySession(Arc<Session>);

/// Tables that the caller supplies.
enum Input {
    /// A bundle or a table file.
    File(PathBuf),
    /// The bytes of a table file, of a packed table, or of a bundle in a single file.
    Bytes(Vec<u8>),
    Table(SharedTable),
}

fn read(ask: &str, given: &Bound<'_, PyDict>) -> Result<Request, CallError> {
    Ok(Request::read(ask, fields(given)?, Spelling::Snake)?)
}

/// The request for the tables of these fields.
pub(crate) fn read_open(given: &Bound<'_, PyDict>) -> Result<Open, CallError> {
    Ok(Open::from_fields(fields(given)?, Spelling::Snake)?)
}

fn written(response: &Response) -> String {
    serde_json::to_string(response).unwrap_or_default()
}

/// The open solver of a request.
pub(crate) fn opened(
    session: &Session,
    request: &Open,
    work: &Work,
) -> Result<Arc<Opened>, CallError> {
    let goal = request.place.goal()?;
    Ok(session.open_solver(&goal, &request.tables, &work.control())?)
}

impl PySession {
    pub(crate) fn session(&self) -> Arc<Session> {
        Arc::clone(&self.0)
    }
}

/// The JSON answer of a job, as a Python text.
fn text(py: Python<'_>, json: String) -> PyResult<Py<PyAny>> {
    Ok(json.into_pyobject(py)?.into_any().unbind())
}

#[pymethods]
impl PySession {
    #[new]
    #[pyo3(signature = (directory = None, threads = 0))]
    fn new(directory: Option<PathBuf>, threads: usize) -> PySession {
        let mut limits = Limits::default();
        limits.threads = 0;
        // A solver is used for many boards, which justifies a longer build.
        limits.build_time = [4.0, 4.0];
        limits.open_memory = u64::MAX;
        limits.lab_memory = [1 << 30, free_memory().unwrap_or(u64::MAX)];
        let mut session = Session::new(limits, Spelling::Snake);
        let sources = directory.map_or_else(OpenOptions::in_memory, OpenOptions::new);
        session.sources = sources
            .load_from(Some(OpenOptions::LOAD_FROM))
            .threads(threads);
        PySession(Arc::new(session))
    }

    /// The answer, as JSON, of a question that takes no time.
    fn now(&self, ask: &str, given: &Bound<'_, PyDict>) -> Result<String, CallError> {
        let answer = self.0.call(&read(ask, given)?, &Control::default())?;
        Ok(written(&answer))
    }

    /// Starts to answer a question.
    fn start(
        &self,
        ask: &str,
        given: &Bound<'_, PyDict>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Job> {
        let (request, session) = (read(ask, given)?, self.session());
        let work = move |work: &Work| Ok(written(&session.call(&request, &work.control())?));
        Job::start(cancel, work, text)
    }

    /// Starts to solve the boards that `send` adds to the job; each event is a report.
    fn solve_many(
        &self,
        given: &Bound<'_, PyDict>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Job> {
        given.set_item("board", "")?;
        let request =
            Solve::from_fields(fields(given)?, Spelling::Snake).map_err(CallError::from)?;
        let (session, (sender, receiver)) = (self.session(), mpsc::channel::<Item>());
        // Wrong options are errors of the call, not of each board.
        session
            .question(&request, &Control::default())
            .map_err(CallError::from)?;
        let work = move |work: &Work| {
            let control = work.control();
            let quiet = Control::stopped_by(&work.cancel);
            let mut question = session.question(&request, &quiet)?;
            // When no boards are left to start, idle threads help with the running searches.
            let permits = Arc::new(ThreadPermits::default());
            question.options.permits = Some(Arc::clone(&permits));
            let threads = number_of_threads(question.options.threads);
            let mode = question.options.mode;
            let answer = |board: &str| {
                let Subject { size, goal, .. } = request.subject.clone();
                let board = BoardText::from(board);
                let (read, goal) = session.subject(&Subject { board, size, goal })?;
                session.answer(&read, &goal, &request.tables, &question, &control)
            };
            let solve = |item| {
                let (board, message) = match item {
                    Item::Wrong(text, message) => (text, message),
                    Item::Board(board) => match answer(&board).or_else(Failure::into_report) {
                        Ok(report) => return report,
                        Err(failure) => (board, failure.message),
                    },
                };
                let mut report = Report::error(message).with_mode(mode);
                report.board = Some(board);
                report
            };
            let items = receiver
                .into_iter()
                .take_while(|_| !work.cancel.is_cancelled());
            let solve = |item| serde_json::to_string(&solve(item)).unwrap_or_default();
            ordered_map(items, threads, &permits, solve, |_, report| {
                work.send(report);
            });
            Ok(())
        };
        let job = Job::start(cancel, work, |py, ()| Ok(py.None()))?;
        *lock(&job.input) = Some(sender);
        Ok(job)
    }

    /// Adds tables: tables, paths of bundles and files, or bytes. Returns the goal, the kind and
    /// the partitions of a bundle, as JSON.
    fn give(
        &self,
        given: &Bound<'_, PyAny>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Job> {
        let mut inputs = Vec::new();
        for input in given.try_iter()? {
            let input = input?;
            inputs.push(if let Ok(table) = input.cast::<PyTable>() {
                Input::Table(table.get().table.clone())
            } else if let Some(bytes) = read_bytes(&input)? {
                Input::Bytes(bytes)
            } else {
                let path = input.extract::<PathBuf>();
                let expected = "tables is a path, bytes, or a list of Table objects and bytes";
                Input::File(path.map_err(|_| wrong_type(expected, &input))?)
            });
        }
        let session = self.session();
        let work = move |work: &Work| {
            let mut found = HashSet::new();
            let mut manifest = Json::Null;
            for input in inputs {
                let (tables, own) = tables_of(input, work)?;
                for table in tables {
                    let id = table.id();
                    if !found.insert(id) {
                        return Err(CallError::table(SolverError::GivenTwice(id.name())));
                    }
                    session.give(table);
                }
                if let Some(own) = own {
                    manifest = json!({
                        "goal": own.goal,
                        "size": own.tray,
                        "kind": own.tables.first().map(|table| &table.table.kind),
                        "parts": own.partitions(),
                    });
                }
            }
            Ok(manifest.to_string())
        };
        Job::start(cancel, work, text)
    }

    /// The tables of an open solver, in the orientation of its goal.
    fn tables<'py>(
        &self,
        py: Python<'py>,
        given: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let request = read_open(given)?;
        let goal = request.place.goal().map_err(CallError::from)?;
        let opened = self
            .0
            .open_solver(&goal, &request.tables, &Control::default());
        let opened = opened.map_err(CallError::from)?;
        let tables = opened.tables.iter().map(|table| {
            let view = TableView::of_spec(&goal, opened.solver.spec(), table.id());
            let directory = self.0.sources.directory.as_ref();
            let file = directory.and_then(|directory| directory.file_of(table.id()));
            Py::new(
                py,
                PyTable::new(table.clone(), view, file.map(|(_, file)| file)),
            )
        });
        PyTuple::new(py, tables.collect::<PyResult<Vec<_>>>()?)
    }

    /// The heuristic's value for a board, in two microseconds.
    fn estimate(&self, given: &Bound<'_, PyDict>) -> Result<u32, CallError> {
        let Probe { subject, tables } = Probe::from_fields(fields(given)?, Spelling::Snake)?;
        let (read, goal) = self.0.subject(&subject)?;
        let opened = self.0.open_solver(&goal, &tables, &Control::default())?;
        let value = opened.solver.estimate(&read.board);
        Ok(value.map_err(|error| Failure::of_error(&goal, &read.board, error))?)
    }

    /// The heuristic's values for the boards of a contiguous array of `uint16`.
    fn estimates(
        &self,
        given: &Bound<'_, PyDict>,
        boards: &Bound<'_, PyAny>,
        cells: usize,
        threads: usize,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Job> {
        let (request, session) = (read_open(given)?, self.session());
        let boards = Numbers::<u16>::of(boards)?;
        let work = move |work: &Work| {
            let opened = opened(&session, &request, work)?;
            let options = SolveOptions::default()
                .threads(threads)
                .cancel(&work.cancel);
            let mut values = vec![0_u16; boards.get().len() / cells];
            opened
                .solver
                .estimates(boards.get(), &mut values, &options)?;
            Ok(values)
        };
        Job::start(cancel, work, |py, values: Vec<u16>| {
            Ok(PyArray1::from_vec(py, values).into_any().unbind())
        })
    }

    /// Closes all solvers.
    fn close(&self) {
        self.0.close();
    }
}

/// The tables of an input, and the manifest of a bundle.
fn tables_of(input: Input, work: &Work) -> Result<(Vec<SharedTable>, Option<Manifest>), CallError> {
    let cancel = &work.cancel;
    Ok(match input {
        Input::Table(table) => (vec![table], None),
        Input::Bytes(bytes) if SingleFile::is_single(&bytes) => {
            let bundle = SingleFile::new(&bytes)?;
            let packed = bundle.packed.into_iter();
            let tables = packed.map(|packed| table_of_bytes(packed, cancel));
            (tables.collect::<Result<_, _>>()?, Some(bundle.manifest))
        }
        Input::Bytes(bytes) => (vec![table_of_bytes(bytes, cancel)?], None),
        Input::File(path) => match Bundle::find(&path)? {
            Some(bundle) => (unpack_all(&bundle, work)?, bundle.manifest().cloned()),
            None => (vec![open_table(&path, true, cancel)?], None),
        },
    })
}

/// The bytes of `bytes`, `bytearray` or a memory view; `None` for other objects.
pub(crate) fn read_bytes(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if !data.is_instance_of::<PyBytes>()
        && !data.is_instance_of::<PyByteArray>()
        && !data.is_instance_of::<PyMemoryView>()
    {
        return Ok(None);
    }
    let bytes = data.py().get_type::<PyBytes>().call1((data,))?;
    Ok(Some(bytes.cast::<PyBytes>()?.as_bytes().to_vec()))
}

/// A board as a text, its numbers of columns and rows, and the guesses about its form. The
/// text must not state a goal other than the usual one.
#[pyfunction]
#[pyo3(signature = (board, size))]
pub(crate) fn read_board(
    board: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
) -> Result<(String, usize, usize, Vec<String>), CallError> {
    let text = board_text_of(board)?;
    let tray = match size {
        Some(_) => Some(read_goal(size, None)?.tray()),
        None => None,
    };
    let read = board_text::parse(&text, tray).map_err(CallError::input)?;
    let usual = Goal::blank_last(read.board.tray());
    let read = read.for_goal(&usual).map_err(CallError::input)?;
    let tray = read.board.tray();
    let notes = read.notes.iter().map(ToString::to_string).collect();
    Ok((read.board.to_string(), tray.width(), tray.height(), notes))
}

/// The numbers of a board of this size.
pub(crate) fn board_numbers(board: &Bound<'_, PyAny>, tray: Tray) -> Result<Vec<u16>, CallError> {
    let text = board_text_of(board)?;
    let read = board_text::parse(&text, Some(tray)).map_err(CallError::input)?;
    Ok(read.board.numbers().to_vec())
}

/// A goal; by default the usual one of the size.
pub(crate) fn read_goal(
    size: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
) -> Result<Goal, CallError> {
    let mut place = Map::new();
    for (name, value) in [("size", size), ("goal", goal)] {
        if let Some(value) = value {
            place.insert(name.to_owned(), to_json(name, value)?);
        }
    }
    Ok(ReadGoal::from_fields(place, Spelling::Snake)?
        .place
        .goal()?)
}

/// A board, and the length of its shortest solutions, if it is known.
type KnownBoard = (String, Option<u32>);

/// A suite's goal and its boards.
#[pyfunction]
pub(crate) fn suite(name: &str) -> Result<(String, Vec<KnownBoard>), CallError> {
    let set = lab::BoardSet::suite(name).map_err(CallError::input)?;
    let boards = set
        .boards
        .iter()
        .map(|known| (known.board.to_string(), known.length));
    Ok((set.goal.to_string(), boards.collect()))
}

/// Names of all suites.
///
/// >>> from sliding_tile_pdb import suites
/// >>> "felner1000" in suites()
/// True
#[pyfunction]
pub(crate) fn suites() -> Vec<&'static str> {
    lab::BoardSet::suite_names().collect()
}
