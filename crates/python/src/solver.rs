//! Solvers, as Python sees them.

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;

use puzzle::{Board, CellSet, Metric, Notation};
use pyo3::exceptions::{PyRuntimeWarning, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use solver::{
    Advice, AllSolutions, Cancel, EstimatesError, GivenOptions, Question, Report, SearchStatus,
    SolveError, SolveOptions, Solver, Within,
};

use numpy::PyArray1;

use crate::anytime::Anytime;
use crate::arguments::{
    Whole, length_of, named, read_board, read_bytes, read_goal, read_max_memory, read_max_nodes,
    read_most, read_partition, read_path, read_seed, read_size, read_threads, read_within,
    wrong_type,
};
use crate::board::notation_of;
use crate::boards_array::{each, iterator, need_numpy, read_boards_array, read_numbers};
use crate::call::{Caller, on_threads};
use crate::cancel::PyCancel;
use crate::failure::{Failure, OrRaise as _};
use crate::given::Given;
use crate::goal::PyGoal;
use crate::loader::{Chosen, Loaded, Source, Wanted};
use crate::options::{Keywords, mailing};
use crate::parameters::parameter;
use crate::progress::{Counter, Listener, Stage};
use crate::results::{Context, object, report_object, to_json};
use crate::solved_boards::SolvedBoards;
use crate::table::{PyTable, View, verify_tables};

/// A solver and its tables.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) solver: Solver,
    /// In the order of the specification.
    tables: Vec<Loaded>,
    /// Why these tables and not the size's usual ones.
    reason: Option<String>,
    /// Lines for the user.
    warnings: Vec<String>,
}

impl Engine {
    /// A solver whose tables are these.
    pub(crate) fn new(
        chosen: Chosen,
        tables: Vec<Loaded>,
        warnings: Vec<String>,
    ) -> Result<Engine, Failure> {
        let Chosen {
            goal, spec, reason, ..
        } = chosen;
        let shared: Vec<_> = tables.iter().map(|(table, _)| table.clone()).collect();
        Ok(Engine {
            solver: Solver::of_tables(goal, spec, &shared)?,
            tables,
            reason,
            warnings,
        })
    }

    /// The tables, with the files that they have.
    pub(crate) fn tables(&self) -> &[Loaded] {
        &self.tables
    }

    /// Estimates of boards whose numbers follow each other.
    fn estimates<N: Copy + Into<u16> + Sync>(
        &self,
        boards: &[N],
        options: &SolveOptions,
    ) -> Result<Vec<u16>, Failure> {
        let mut values = vec![0; boards.len() / self.solver.goal().tray().cells()];
        let done = self.solver.estimates(boards, &mut values, options);
        done.map_err(|error| match error {
            EstimatesError::Cancelled => Failure::cancelled(),
            EstimatesError::Board {
                error: SolveError::Damaged(_),
                ..
            } => Failure::table(error),
            error => Failure::input(error),
        })?;
        Ok(values)
    }

    /// What was found out about a board, or why nothing was.
    fn advice<T>(
        &self,
        board: &Board,
        moves: Option<&str>,
        found: Result<T, SolveError>,
        cancel: &Cancel,
    ) -> Result<Advice<T>, Failure> {
        let is_cancelled = cancel.is_cancelled();
        match self.solver.advice(board, moves, found) {
            Ok(_) if is_cancelled => Err(Failure::cancelled()),
            Ok(advice) => Ok(advice),
            Err(answer) => Err(Failure::of_report(
                answer.report,
                answer.error.filter(|_| !is_cancelled),
                self.context(Notation::Tile),
            )),
        }
    }

    /// What a report's picture needs.
    pub(crate) fn context(&self, notation: Notation) -> Context {
        Context {
            goal: self.solver.goal().clone(),
            notation,
        }
    }
}

/// Solves boards for one goal with one set of tables. Can be used by several threads at once.
///
/// The first argument is the size, 4x4 by default, or a `Goal`. `partition` divides the tiles, as
/// `--partition` does: `6-6-3`, a preset such as `best`, lists of tiles; by default it is the
/// size's own, or one of smaller parts, of which `reason` says why. `metric` is `single` or
/// `multi`.
///
/// `tables` says where the tables come from. By default they are built in memory. A directory keeps
/// them: those that are missing are built, if that takes up to `max_build_time` seconds by estimate
/// where that is given. A bundle made by `pack` says goal and partition too. Table files, packed
/// tables, their bytes, and `Table` objects are used as they are.
///
#[doc = parameter!(size)]
#[doc = parameter!(partition)]
#[doc = parameter!(goal)]
#[doc = parameter!(metric)]
#[doc = parameter!(kind)]
#[doc = parameter!(solver_tables)]
#[doc = parameter!(max_build_time)]
#[doc = parameter!(threads)]
#[doc = parameter!(progress)]
#[doc = parameter!(cancel)]
///
/// >>> from sliding_tile_pdb import Solver
/// >>> solver = Solver("4x4", "4-4-4-3")
/// >>> report = solver.solve("5 2 8 4/1 10 3 11/13 6 0 7/9 14 15 12", max_time=10)
/// >>> report.status, report.length, report.tables
/// ('solved', 32, '4-4-4-3')
/// >>> solver.estimate("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15")
/// 1
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Solver")]
#[derive(Debug)]
pub(crate) struct PySolver {
    engine: Arc<Engine>,
}

impl PySolver {
    pub(crate) fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    fn board(&self, board: &Bound<'_, PyAny>) -> PyResult<Board> {
        read_board(board, Some(self.engine.solver.goal().tray()))
    }

    /// Begins a call about one board.
    fn call(
        &self,
        py: Python<'_>,
        keywords: Keywords<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<(Caller, Arc<Engine>, Question)> {
        let mut question = keywords.question(py, self.engine.solver.metric())?;
        let counter = Arc::new(Counter::default());
        let listener = Listener::new(progress, &counter, Stage::SEARCH, None)?;
        let caller = Caller::new(cancel.map(|cancel| cancel.get().token())).listening(listener);
        let count = move |status: &SearchStatus| counter.hear(status);
        question.options = question.options.cancel(&caller.cancel).progress(count);
        Ok((caller, Arc::clone(&self.engine), question))
    }

    /// Advice about a board, in a class of results.
    #[expect(clippy::too_many_arguments, reason = "what all advice has in common")]
    fn advise<T: Serialize + Send + 'static>(
        &self,
        py: Python<'_>,
        class: &str,
        board: Board,
        moves: Option<String>,
        (max_time, max_nodes, threads): (Option<f64>, Option<Whole>, usize),
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
        ask: impl FnOnce(&Solver, &Board, &SolveOptions) -> Result<T, SolveError> + Send + 'static,
    ) -> PyResult<Py<PyAny>> {
        let keywords = Keywords {
            max_time,
            max_nodes,
            threads,
            ..Keywords::default()
        };
        let (caller, engine, question) = self.call(py, keywords, progress, cancel)?;
        let token = caller.cancel.clone();
        let json = caller.run_quietly(py, move || {
            let found = ask(&engine.solver, &board, &question.options);
            to_json(&engine.advice(&board, moves.as_deref(), found, &token)?)
        })?;
        object(py, class, &json)
    }
}

/// Warns the user of what did not stop a call.
///
/// # Errors
/// Where the user's filters make errors of warnings.
fn warn(py: Python<'_>, lines: &[String]) -> PyResult<()> {
    for line in lines {
        let line = CString::new(line.as_str()).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &line, 1)?;
    }
    Ok(())
}

/// Where tables come from, as it was given.
fn read_source(tables: Option<&Bound<'_, PyAny>>) -> PyResult<Source> {
    let Some(tables) = tables.filter(|tables| !tables.is_none()) else {
        return Ok(Source::Built(None));
    };
    let py = tables.py();
    let given = |item: &Bound<'_, PyAny>| -> PyResult<Option<Given>> {
        if let Some(bytes) = read_bytes(item)? {
            return Ok(Some(Given::Bytes(bytes)));
        }
        let Ok(table) = item.cast::<PyTable>() else {
            return Ok(None);
        };
        let table = table.get();
        let file = table.file().map(PathBuf::from);
        Ok(Some(Given::Table((table.table().clone(), file))))
    };
    if let Some(one) = given(tables)? {
        return Ok(Source::Given(vec![one]));
    }
    if let Ok(path) = read_path(tables) {
        return Source::of_path(path).or_raise(tables.py());
    }
    let expected = "tables is a path, bytes, or a list of Table objects and bytes";
    let items = each(tables).map_err(|error| match error.is_instance_of::<PyTypeError>(py) {
        true => wrong_type(expected, tables),
        false => error,
    })?;
    let mut all = Vec::new();
    for item in items {
        let item = item?;
        all.push(given(&item)?.ok_or_else(|| wrong_type(expected, &item))?);
    }
    Ok(Source::Given(all))
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (
        size = None, partition = None, *, goal = None, metric = "single", kind = None,
        tables = None, max_build_time = None, threads = 0, progress = None, cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn of(
        py: Python<'_>,
        size: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = read_partition)] partition: Option<String>,
        goal: Option<&Bound<'_, PyAny>>,
        metric: &str,
        kind: Option<&str>,
        tables: Option<&Bound<'_, PyAny>>,
        max_build_time: Option<f64>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<PySolver> {
        let is_goal = size.is_some_and(|size| size.cast::<PyGoal>().is_ok());
        let (goal, size) = match (is_goal, goal) {
            (true, Some(_)) => return Err(PyTypeError::new_err("a goal is given twice")),
            (true, None) => (Some(read_goal(py, size, None)?), None),
            (false, goal) => {
                let size = read_size(size)?;
                let goal = goal.map(|goal| read_goal(py, Some(goal), size));
                (goal.transpose()?, size)
            }
        };
        let kind = kind
            .map(|kind| named::<puzzle::TableKind>(py, kind))
            .transpose()?;
        let mut asked: Metric = named(py, metric)?;
        if let Some(kind) = kind.filter(|kind| kind.metric() != asked) {
            // The kind of the multi-tile metric says so itself.
            if asked == Metric::Multi {
                let message = format!("{kind} tables do not count in the metric multi");
                return Err(Failure::input(message)).or_raise(py);
            }
            asked = kind.metric();
        }
        let wanted = Wanted {
            goal,
            size,
            metric: asked,
            kind,
            partition,
            max_build_time,
        };
        // NaN is no time either.
        if let Some(time) = max_build_time.filter(|time| !matches!(time, 0.0..)) {
            let message = format!("max_build_time is {time}: expected at least 0 seconds");
            return Err(Failure::input(message)).or_raise(py);
        }
        let counter = Arc::new(Counter::default());
        // Tables that are given say what they are when they are read.
        let (chosen, given) = match read_source(tables)? {
            Source::Built(directory) => {
                let chosen = py.detach(|| wanted.choose(directory.as_deref(), &[]));
                (Some(chosen.or_raise(py)?), Vec::new())
            }
            Source::Given(given) => (None, given),
        };
        let total = chosen.as_ref().map(Chosen::entries);
        let listener = Listener::new(progress, &counter, Stage::BUILD, total)?;
        let caller = Caller::new(cancel.map(|cancel| cancel.get().token())).listening(listener);
        let token = caller.cancel.clone();
        let engine = caller.run_quietly(py, move || {
            on_threads(threads, || match chosen {
                Some(chosen) => chosen.open(&token, &counter),
                None => wanted.take(given, &token, &counter),
            })
        })?;
        warn(py, &engine.warnings)?;
        Ok(PySolver {
            engine: Arc::new(engine),
        })
    }

    /// The goal.
    #[getter]
    fn goal(&self) -> PyGoal {
        PyGoal::new(self.engine.solver.goal().clone())
    }

    /// Columns x rows, such as `4x4`.
    #[getter]
    fn size(&self) -> String {
        self.engine.solver.goal().tray().to_string()
    }

    /// What one move is: `single` or `multi`.
    #[getter]
    fn metric(&self) -> &'static str {
        self.engine.solver.metric().name()
    }

    /// The name of the partition in use.
    #[getter]
    fn partition(&self) -> &str {
        self.engine.solver.spec().name()
    }

    /// Why these tables are used and not the size's usual ones: what building those would take.
    /// None where they are the usual ones, or asked for.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.engine.reason.as_deref()
    }

    /// The tables, as seen from the goal. They share the solver's memory.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (goal, spec) = (self.engine.solver.goal(), self.engine.solver.spec());
        let tables = self.engine.tables.iter().map(|(table, path)| {
            let view = View::of_spec(goal, spec, table.id());
            Py::new(py, PyTable::new(table.clone(), view, path.clone()))
        });
        PyTuple::new(py, tables.collect::<PyResult<Vec<_>>>()?)
    }

    /// Solves a board: a proved shortest solution, unless `mode` says otherwise.
    ///
    /// `mode` is `optimal`, `strategic` (at once, by a method that people can follow; `short` for
    /// fewer moves, `explain` for the steps) or `anytime` (at once, then better until a limit;
    /// `within` ends it at that share above the proved bound, `improved` hears each better report).
    /// Raises UnsolvableError, LimitError or CancelledError, with the board's report; InputError
    /// for a board or options that make no sense, TableError for a damaged table.
    ///
    #[doc = parameter!(board)]
    #[doc = parameter!(mode)]
    #[doc = parameter!(max_time)]
    #[doc = parameter!(max_nodes)]
    #[doc = parameter!(anytime_memory)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(notation)]
    #[doc = parameter!(short)]
    #[doc = parameter!(explain)]
    #[doc = parameter!(within)]
    #[doc = parameter!(anytime_seed)]
    #[doc = parameter!(improved)]
    #[doc = parameter!(progress)]
    #[doc = parameter!(cancel)]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> solver = Solver("3x3")
    /// >>> solver.solve("8 6 7/2 5 4/3 0 1").length
    /// 31
    /// >>> solver.solve("1 2 3/4 0 6/7 5 8", notation="numbers").moves
    /// '5 8'
    /// >>> solver.solve("8 6 7/2 5 4/3 0 1", mode="strategic", explain=True).steps[0].action
    /// 'place'
    #[pyo3(signature = (
        board, *, mode = "optimal", max_time = None, max_nodes = None, max_memory = None,
        threads = 0, notation = "tile", short = false, explain = false, within = None,
        seed = 0, improved = None, progress = None, cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn solve(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        mode: &str,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_max_memory)] max_memory: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        notation: &str,
        short: bool,
        explain: bool,
        within: Option<f64>,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        improved: Option<Py<PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let keywords = Keywords {
            mode,
            max_time,
            max_nodes,
            max_memory,
            threads,
            notation,
            seed,
            given: GivenOptions {
                short,
                explain,
                within: within.map(Within::Share),
                ..GivenOptions::default()
            },
        };
        let board = self.board(board)?;
        let (caller, engine, question) = self.call(py, keywords, progress, cancel)?;
        let (token, context) = (caller.cancel.clone(), engine.context(question.notation));
        let hear = |py: Python<'_>, report: Report| {
            if let Some(improved) = &improved {
                improved.call1(py, (report_object(py, &report, &context)?,))?;
            }
            Ok(())
        };
        let own = context.clone();
        let report = caller.run(py, hear, move |mail| {
            let answer = engine.solver.answer(&board, &mailing(question, mail));
            Failure::unless_solved(answer, own, token.is_cancelled())
        })?;
        report_object(py, &report, &context)
    }

    /// A solution at once, then shorter ones: an iterator of reports, the last of which has the
    /// status `solved`. Ends after ten seconds where no limit is given.
    ///
    #[doc = parameter!(board)]
    #[doc = parameter!(max_time)]
    #[doc = parameter!(max_nodes)]
    #[doc = parameter!(anytime_memory)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(notation)]
    #[doc = parameter!(within)]
    #[doc = parameter!(anytime_seed)]
    #[doc = parameter!(cancel)]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> reports = list(Solver("3x3").anytime("8 6 7/2 5 4/3 0 1", max_time=5))
    /// >>> reports[0].status, reports[-1].status, reports[-1].length, reports[-1].proved
    /// ('improved', 'solved', 31, True)
    #[pyo3(signature = (
        board, *, max_time = None, max_nodes = None, max_memory = None, threads = 0,
        notation = "tile", within = None, seed = 0, cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn anytime(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_max_memory)] max_memory: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        notation: &str,
        within: Option<f64>,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Anytime> {
        let keywords = Keywords {
            mode: "anytime",
            max_time,
            max_nodes,
            max_memory,
            threads,
            notation,
            seed,
            given: GivenOptions {
                within: within.map(Within::Share),
                ..GivenOptions::default()
            },
        };
        let board = self.board(board)?;
        let (caller, engine, question) = self.call(py, keywords, None, cancel)?;
        Anytime::start(caller, engine, question, board).or_raise(py)
    }

    /// Solves boards on all cores: an iterator of reports in the order of the boards.
    ///
    /// Boards are taken as they are needed, at most 1024 ahead; a generator must not wait for
    /// reports. Limits are those of each board. A board without a solution, or that cannot be read,
    /// has a report that says so. `progress` counts boards.
    ///
    #[doc = parameter!(boards)]
    #[doc = parameter!(mode)]
    #[doc = parameter!(max_time)]
    #[doc = parameter!(max_nodes)]
    #[doc = parameter!(anytime_memory)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(notation)]
    #[doc = parameter!(short)]
    #[doc = parameter!(explain)]
    #[doc = parameter!(within)]
    #[doc = parameter!(anytime_seed)]
    #[doc = parameter!(progress)]
    #[doc = parameter!(cancel)]
    ///
    /// >>> from sliding_tile_pdb import Solver, scramble
    /// >>> reports = Solver("3x3").solve_many(scramble("3x3", number=100, seed=1))
    /// >>> sum(report.length for report in reports) / 100
    /// 21.74
    #[pyo3(signature = (
        boards, *, mode = "optimal", max_time = None, max_nodes = None, max_memory = None,
        threads = 0, notation = "tile", short = false, explain = false, within = None,
        seed = 0, progress = None, cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn solve_many(
        &self,
        py: Python<'_>,
        boards: &Bound<'_, PyAny>,
        mode: &str,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_max_memory)] max_memory: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        notation: &str,
        short: bool,
        explain: bool,
        within: Option<f64>,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<SolvedBoards> {
        self._solve_many(
            py, boards, None, mode, max_time, max_nodes, max_memory, threads, notation, short,
            explain, within, seed, progress, cancel,
        )
    }

    /// `solve_many` of boards whose number is known otherwise.
    #[pyo3(signature = (
        boards, total, *, mode = "optimal", max_time = None, max_nodes = None, max_memory = None,
        threads = 0, notation = "tile", short = false, explain = false, within = None,
        seed = 0, progress = None, cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn _solve_many(
        &self,
        py: Python<'_>,
        boards: &Bound<'_, PyAny>,
        total: Option<u64>,
        mode: &str,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_max_memory)] max_memory: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        notation: &str,
        short: bool,
        explain: bool,
        within: Option<f64>,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<SolvedBoards> {
        let keywords = Keywords {
            mode,
            max_time,
            max_nodes,
            max_memory,
            threads,
            notation,
            seed,
            given: GivenOptions {
                short,
                explain,
                within: within.map(Within::Share),
                ..GivenOptions::default()
            },
        };
        // What is refused makes no bar.
        let mut question = keywords.question(py, self.engine.solver.metric())?;
        let total = match total {
            Some(total) => Some(total),
            None => length_of(boards)?,
        };
        let boards = iterator(boards)?;
        let counter = Arc::new(Counter::default());
        let listener = Listener::new(progress, &counter, Stage::BOARDS, total)?;
        let caller = Caller::new(cancel.map(|cancel| cancel.get().token())).listening(listener);
        question.options = question.options.cancel(&caller.cancel);
        let engine = Arc::clone(&self.engine);
        SolvedBoards::start(caller, counter, engine, question, boards).or_raise(py)
    }

    /// All shortest solutions, and those of up to `within` moves more; with `count` only their
    /// number. At most `most` solutions are written down.
    ///
    #[doc = parameter!(board)]
    #[doc = parameter!(extra_moves)]
    #[doc = parameter!(most)]
    #[doc = parameter!(count)]
    #[doc = parameter!(max_time)]
    #[doc = parameter!(max_nodes)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(notation)]
    #[doc = parameter!(progress)]
    #[doc = parameter!(cancel)]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> report = Solver("3x3").all_solutions("8 6 7/2 5 4/3 0 1", within=2, most=3)
    /// >>> report.count, report.counts, len(report.solutions)
    /// (40, (40, 0, 207), 3)
    #[pyo3(signature = (
        board, *, within = 0, most = 1000, count = false, max_time = None,
        max_nodes = None, threads = 0, notation = "tile", progress = None, cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn all_solutions(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = read_within)] within: u64,
        #[pyo3(from_py_with = read_most)] most: u64,
        count: bool,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        notation: &str,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let keywords = Keywords {
            max_time,
            max_nodes,
            threads,
            notation,
            given: GivenOptions {
                all: true,
                count,
                within: (within > 0)
                    .then(|| Within::Moves(u32::try_from(within).unwrap_or(u32::MAX))),
                // The default cannot be told from what is not given.
                most: (most != AllSolutions::MOST as u64).then(|| Whole(most).index()),
                ..GivenOptions::default()
            },
            ..Keywords::default()
        };
        let board = self.board(board)?;
        let (caller, engine, question) = self.call(py, keywords, progress, cancel)?;
        let (token, context) = (caller.cancel.clone(), engine.context(question.notation));
        let own = context.clone();
        let report = caller.run_quietly(py, move || {
            let answer = engine.solver.answer(&board, &question);
            Failure::unless_solved(answer, own, token.is_cancelled())
        })?;
        report_object(py, &report, &context)
    }

    /// How far the goal is, and which moves are good ones; the best known where a limit is short.
    ///
    #[doc = parameter!(board)]
    #[doc = parameter!(max_time)]
    #[doc = parameter!(max_nodes)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(progress)]
    #[doc = parameter!(cancel)]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> hint = Solver("3x3").hint("8 6 7/2 5 4/3 0 1")
    /// >>> hint.distance, [move.moves for move in hint.moves]
    /// (31, ['L', 'D', 'R'])
    #[pyo3(signature = (
        board, *, max_time = None, max_nodes = None, threads = 0, progress = None,
        cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn hint(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let (board, limits) = (self.board(board)?, (max_time, max_nodes, threads));
        self.advise(
            py,
            "Hint",
            board,
            None,
            limits,
            progress,
            cancel,
            Solver::hint,
        )
    }

    /// Judges the moves of a game.
    ///
    #[doc = parameter!(board)]
    #[doc = parameter!(moves)]
    #[doc = parameter!(notation)]
    #[doc = parameter!(max_time)]
    #[doc = parameter!(max_nodes)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(progress)]
    #[doc = parameter!(cancel)]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> rating = Solver("3x3").rate("1 2 3/4 0 6/7 5 8", "LRUL")
    /// >>> rating.credit, [step.lost for step in rating.steps], rating.steps[0].better.moves
    /// (75.0, [2, 0, 0, 0], 'U')
    #[pyo3(signature = (
        board, moves, *, notation = None, max_time = None, max_nodes = None, threads = 0,
        progress = None, cancel = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn rate(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        moves: &str,
        notation: Option<&str>,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let board = self.board(board)?;
        let made = board.read_moves(moves, notation_of(py, notation, moves)?);
        let made = made.and_then(|made| board.play(&made).map(|_| made));
        let made = made.map_err(Failure::input).or_raise(py)?;
        let (limits, text) = ((max_time, max_nodes, threads), Some(moves.to_owned()));
        let ask = move |solver: &Solver, board: &Board, options: &SolveOptions| {
            solver.rate(board, &made, options)
        };
        self.advise(py, "Rating", board, text, limits, progress, cancel, ask)
    }

    /// What the tables say of a board, without a search.
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> probe = Solver("3x3", "1,2,3,4/5,6,7,8").probe("2 8 3/0 6 4/7 1 5")
    /// >>> probe.estimate, [[part.value for part in view.parts] for view in probe.views]
    /// (17, [[6, 9], [10, 7]])
    fn probe(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let (board, engine) = (self.board(board)?, &self.engine);
        let found = py.detach(|| {
            let found = engine.solver.probe(&board);
            let mut advice = engine.advice(&board, None, found, &Cancel::default())?;
            // The probe has it.
            advice.board = None;
            to_json(&advice)
        });
        let files = PyDict::new(py);
        for (table, path) in &engine.tables {
            if let Some(path) = path {
                files.set_item(table.id().name(), path.display().to_string())?;
            }
        }
        let make = py.import("sliding_tile_pdb._results")?.getattr("_probe")?;
        Ok(make.call1((found.or_raise(py)?, files))?.unbind())
    }

    /// The heuristic's value of a board: no solution is shorter.
    fn estimate(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<u32> {
        let (board, engine) = (self.board(board)?, &self.engine);
        let value = py.detach(|| match engine.solver.estimate(&board) {
            // Nothing else of an advice is wanted, and a call takes two microseconds.
            Ok(value) => Ok(value),
            failed => Ok(engine
                .advice(&board, None, failed, &Cancel::default())?
                .found),
        });
        value.or_raise(py)
    }

    /// The heuristic's value for each of many boards, which must all have a solution.
    ///
    /// In single moves a board takes about a microsecond with one-bit tables, from 4,000 boards on
    /// (6-6-3), and a quarter of that with byte tables. Raises InputError at the first board that
    /// is wrong.
    ///
    #[doc = parameter!(boards)]
    #[doc = parameter!(threads)]
    #[doc = parameter!(cancel)]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> Solver("3x3", "manhattan").estimates(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8"])
    /// array([21,  1], dtype=uint16)
    #[pyo3(signature = (boards, *, threads = 0, cancel = None))]
    fn estimates<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let tray = self.engine.solver.goal().tray();
        need_numpy(py)?;
        let caller = Caller::new(cancel.map(|cancel| cancel.get().token()));
        let options = SolveOptions::default()
            .threads(threads)
            .cancel(&caller.cancel);
        let engine = Arc::clone(&self.engine);
        let values = if tray.cells() <= CellSet::MAX_CELLS {
            let boards = read_boards_array(boards, tray)?;
            caller.run_quietly(py, move || engine.estimates(boards.bytes(), &options))?
        } else {
            let boards = read_numbers(boards, tray)?;
            caller.run_quietly(py, move || engine.estimates(&boards, &options))?
        };
        Ok(PyArray1::from_vec(py, values))
    }

    /// Proves every entry of every table by the puzzle's moves, or raises TableError.
    ///
    #[doc = parameter!(threads)]
    #[doc = parameter!(progress)]
    #[doc = parameter!(cancel)]
    #[pyo3(signature = (*, threads = 0, progress = None, cancel = None))]
    fn verify(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<()> {
        let tables = self.engine.tables.iter().map(|(table, _)| table.clone());
        verify_tables(py, tables.collect(), threads, progress, cancel)
    }

    /// # Errors
    /// Always.
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a Solver cannot be pickled: make one in each process, such as by the initializer of \
             multiprocessing.Pool; with tables in a directory they share its memory",
        ))
    }

    fn __repr__(&self) -> String {
        let solver = &self.engine.solver;
        let metric = match solver.metric() {
            Metric::Single => String::new(),
            metric => format!(", metric='{}'", metric.name()),
        };
        format!(
            "<Solver of {} with {}, goal {}{metric}>",
            solver.goal().tray(),
            solver.spec().name(),
            solver.goal()
        )
    }
}
