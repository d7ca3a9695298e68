//! Sessions: the questions of the contract, and calls that need a session's open solvers.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};

use numpy::PyArray1;
use pdb_gen::free_memory;
use pdb_table::bundle::{Bundle, Manifest};
use pdb_table::{TableDirectory, lock};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyTuple};
use serde_json::{Value as Json, json};
use session::request::{Open, Solve, Subject};
use session::{
    BoardText, Control, Failure, Fields, Limits, Opened, Request, Response, Session, Spelling,
};
use solver::{
    OpenOptions, Report, SharedTable, SolveOptions, SolverError, ThreadPermits, ordered_map,
};

use crate::board::read_board;
use crate::error::CallError;
use crate::job::{Job, PyCancel, Work};
use crate::lookup::TableView;
use crate::table::PyTable;
use crate::tables::{open_table, table_of_bytes, unpack_all};
use crate::value::{Item, Numbers, fields, wrong_type};

/// A session of `crates/session`.
#[pyclass(frozen, module = "sliding_tile_pdb._native", name = "Session")]
#[derive(Debug)]
pub(crate) struct PySession(Arc<Session>);

/// Tables that the caller supplies.
enum Input {
    /// A bundle or a table file.
    File(PathBuf),
    /// The bytes of a table file or of a packed table.
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
            question.options = question.options.permits(&permits);
            let threads = question.threads();
            let mode = question.mode();
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

    /// The open solver of a question.
    fn opened(&self, given: &Bound<'_, PyDict>) -> Result<PyOpened, CallError> {
        let request = read_open(given)?;
        let goal = request.place.goal()?;
        let opened = self
            .0
            .open_solver(&goal, &request.tables, &Control::default())?;
        Ok(PyOpened(opened, self.0.sources.directory.clone()))
    }

    /// Closes all solvers.
    fn close(&self) {
        self.0.close();
    }
}

/// An open solver: its tables and estimates.
#[pyclass(frozen, module = "sliding_tile_pdb._native", name = "Opened")]
pub(crate) struct PyOpened(pub(crate) Arc<Opened>, Option<TableDirectory>);

#[pymethods]
impl PyOpened {
    /// The tables, in the orientation of the goal.
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let tables = self.0.tables.iter().map(|table| {
            let view = TableView::of_spec(self.0.solver.goal(), self.0.solver.spec(), table.id());
            let file = self
                .1
                .as_ref()
                .and_then(|directory| directory.file_of(table.id()));
            let path = file.map(|(_, path)| path);
            Py::new(py, PyTable::new(table.clone(), view, path))
        });
        PyTuple::new(py, tables.collect::<PyResult<Vec<_>>>()?)
    }

    /// The heuristic's value for a board.
    fn estimate(&self, board: &Bound<'_, PyAny>) -> Result<u32, CallError> {
        let goal = self.0.solver.goal();
        let read = read_board(board, Some(goal.tray()))?;
        let board = read.for_goal(goal).map_err(CallError::input)?.board;
        let value = self.0.solver.estimate(&board);
        Ok(value.map_err(|error| Failure::of_error(goal, &board, error))?)
    }

    /// The heuristic's values for the boards of a contiguous array of `uint16`.
    fn estimates(
        &self,
        boards: &Bound<'_, PyAny>,
        threads: usize,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Job> {
        let (opened, boards) = (Arc::clone(&self.0), Numbers::<u16>::of(boards)?);
        let work = move |work: &Work| {
            let options = SolveOptions::default()
                .threads(threads)
                .cancel(&work.cancel);
            let (solver, boards) = (&opened.solver, boards.get());
            let mut values = vec![0_u16; boards.len() / solver.goal().tray().cells()];
            solver.estimates(boards, &mut values, &options)?;
            Ok(values)
        };
        Job::start(cancel, work, |py, values: Vec<u16>| {
            Ok(PyArray1::from_vec(py, values).into_any().unbind())
        })
    }
}

/// The tables of an input, and the manifest of a bundle.
fn tables_of(input: Input, work: &Work) -> Result<(Vec<SharedTable>, Option<Manifest>), CallError> {
    let cancel = &work.cancel;
    Ok(match input {
        Input::Table(table) => (vec![table], None),
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
