//! The class `Solver`.

use std::sync::Arc;

use numpy::PyArray1;
use puzzle::{Board, CellSet, Metric, TableKind};
use pyo3::exceptions::{PyRuntimeWarning, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use solver::{AllSolutions, GivenOptions, Question, Report, SolveOptions, Within};

use crate::anytime::Anytime;
use crate::arguments::{
    Moves, Whole, length_of, named, read_board_for, read_max_memory, read_max_nodes, read_most,
    read_notation, read_partition, read_seed, read_size_or_goal, read_threads, read_within, warn,
};
use crate::boards_array::{iterator, need_numpy, read_boards_array, read_numbers};
use crate::call::{Caller, on_threads};
use crate::call_error::CallError;
use crate::cancel::PyCancel;
use crate::classes::PyGoal;
use crate::open_solver::OpenSolver;
use crate::options::{
    question, question_of_mode, search_caller, search_options, with_improvements,
};
use crate::progress::Stage;
use crate::results::{object, report_object, to_json};
use crate::solved_boards::SolvedBoards;
use crate::table::tables_of_spec;
use crate::table_files::verify_tables;
use crate::table_input::TableSource;
use crate::table_request::{TablePlan, TableRequest};

/// Solves boards for one goal with one set of tables. Several threads can use it at once.
///
/// The first argument is the size, 4x4 by default, or a `Goal`. `partition` divides the tiles, as
/// `--partition` does: `6-6-3`, a preset such as `best`, or lists of tiles. The default partition
/// depends on the size. If building the tables of the default partition would take too much time or
/// memory, a partition of smaller parts is used, and `reason` explains why. `metric` is `single` or
/// `multi`.
///
/// `tables` is the source of the tables. By default the tables are built in memory. If `tables` is
/// a directory, existing tables are opened there, and missing tables are built and stored there.
/// `max_build_time` limits the estimated time to build missing tables. If `tables` is a bundle, a
/// table file, bytes or `Table` objects, no tables are built. A bundle made by `pack` also
/// determines goal and partition.
///
#[doc = parameters!(
    size, partition, goal, metric, kind, solver_tables, max_build_time, threads, progress, cancel
)]
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
pub(crate) struct PySolver(pub(crate) Arc<OpenSolver>);

impl PySolver {
    fn board(&self, board: &Bound<'_, PyAny>) -> PyResult<Board> {
        Ok(read_board_for(board, self.0.solver.goal())?.board)
    }

    /// The report of a board's answer. `improved` receives the reports of better solutions.
    fn answer(
        &self,
        py: Python<'_>,
        board: Board,
        mut question: Question,
        improved: Option<Py<PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let caller = search_caller(&mut question.options, progress, cancel)?;
        let (opened, token) = (Arc::clone(&self.0), caller.control.cancel.clone());
        let context = opened.context(question.notation);
        let on_event = |py: Python<'_>, report: Report| {
            if let Some(improved) = &improved {
                improved.call1(py, (report_object(py, &report, &context)?,))?;
            }
            Ok(())
        };
        let own = context.clone();
        let report = caller.run_with_events(py, on_event, move |events| {
            let question = with_improvements(question, events);
            let answer = opened.solver.answer(&board, &question);
            CallError::unless_solved(answer, own, token.is_cancelled())
        })?;
        report_object(py, &report, &context)
    }
}

#[pymethods]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
impl PySolver {
    #[new]
    #[pyo3(signature = (
        size = None, partition = None, *, goal = None, metric = "single", kind = None,
        tables = None, max_build_time = None, threads = 0, progress = None, cancel = None
    ))]
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
        let (goal, size) = read_size_or_goal(size, goal)?;
        let kind = kind.map(named::<TableKind>).transpose()?;
        let mut metric: Metric = named(metric)?;
        if let Some(kind) = kind.filter(|kind| kind.metric() != metric) {
            // The metric multi has its own table kind.
            if metric == Metric::Multi {
                let message = format!("{kind} tables do not count in the metric multi");
                return Err(CallError::input(message).into());
            }
            metric = kind.metric();
        }
        // NaN is also rejected, because the range `0.0..` does not match it.
        if let Some(time) = max_build_time.filter(|time| !matches!(time, 0.0..)) {
            let message = format!("max_build_time is {time}: expected at least 0 seconds");
            return Err(CallError::input(message).into());
        }
        let request = TableRequest {
            goal,
            size,
            metric,
            kind,
            partition,
            max_build_time,
        };
        // The caller's tables determine goal and partition.
        let (plan, inputs) = match TableSource::read(tables)? {
            TableSource::Built(directory) => {
                let plan = py.detach(|| request.plan(directory.as_deref(), &[]));
                (Some(plan?), Vec::new())
            }
            TableSource::Inputs(inputs) => (None, inputs),
        };
        let total = plan.as_ref().map(TablePlan::entries);
        let caller = Caller::new(cancel).listening(progress, Stage::BUILD, total)?;
        let opened = caller.run(py, move |control| {
            on_threads(threads, || match plan {
                Some(plan) => plan.open(control),
                None => request.open_inputs(inputs, control),
            })
        })?;
        warn::<PyRuntimeWarning>(py, &opened.warnings)?;
        Ok(PySolver(Arc::new(opened)))
    }

    /// The goal.
    #[getter]
    fn goal(&self) -> PyGoal {
        PyGoal(self.0.solver.goal().clone())
    }

    /// Columns x rows, such as `4x4`.
    #[getter]
    fn size(&self) -> String {
        self.0.solver.goal().tray().to_string()
    }

    /// The definition of one move: `single` or `multi`.
    #[getter]
    fn metric(&self) -> &'static str {
        self.0.solver.metric().name()
    }

    /// The name of the partition in use.
    #[getter]
    fn partition(&self) -> &str {
        self.0.solver.spec().name()
    }

    /// The reason for not using the default tables for the solver's size: building them costs too
    /// much time or memory. None if the default tables are used, or if the caller requested tables.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// The tables, in the orientation of the solver's goal. They share the solver's memory.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let OpenSolver { solver, tables, .. } = &*self.0;
        let tables = tables_of_spec(solver.goal(), solver.spec(), tables);
        let tables: PyResult<Vec<_>> = tables.map(|table| Py::new(py, table)).collect();
        PyTuple::new(py, tables?)
    }

    /// Solves a board; by default finds a proved shortest solution.
    ///
    /// `mode` is `optimal`, `strategic` or `anytime`. `strategic` finds a solution immediately, by
    /// a method that people can follow. `short` requests fewer moves. `explain` adds the steps to
    /// the report. `anytime` finds a solution immediately and improves it. The search ends at a
    /// limit, or when the solution exceeds the proved bound by at most the fraction `within`.
    /// `improved` receives each better report. Raises UnsolvableError, LimitError or CancelledError
    /// with the board's report, InputError for an invalid board or invalid options, and TableError
    /// for a damaged table.
    ///
    #[doc = parameters!(
        board, mode, max_time, max_nodes, anytime_memory, threads, side, notation, short, explain,
        within, anytime_seed, improved, progress, cancel
    )]
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
        threads = 0, side = "auto", notation = "tile", short = false, explain = false,
        within = None, seed = 0, improved = None, progress = None, cancel = None
    ))]
    fn solve(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        mode: &str,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_max_memory)] max_memory: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        side: &str,
        notation: &str,
        short: bool,
        explain: bool,
        within: Option<f64>,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        improved: Option<Py<PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let (board, metric) = (self.board(board)?, self.0.solver.metric());
        let question = question_of_mode(
            metric, mode, max_time, max_nodes, max_memory, threads, side, notation, short, explain,
            within, seed,
        )?;
        self.answer(py, board, question, improved, progress, cancel)
    }

    /// Finds a solution immediately, then shorter ones. Returns an iterator of reports; the last
    /// report has the status `solved`. Without a limit the search ends after ten seconds.
    ///
    #[doc = parameters!(
        board, max_time, max_nodes, anytime_memory, threads, side, notation, within, anytime_seed,
        cancel
    )]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> reports = list(Solver("3x3").anytime("8 6 7/2 5 4/3 0 1", max_time=5))
    /// >>> reports[0].status, reports[-1].status, reports[-1].length, reports[-1].proved
    /// ('improved', 'solved', 31, True)
    #[pyo3(signature = (
        board, *, max_time = None, max_nodes = None, max_memory = None, threads = 0,
        side = "auto", notation = "tile", within = None, seed = 0, cancel = None
    ))]
    fn anytime(
        &self,
        board: &Bound<'_, PyAny>,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_max_memory)] max_memory: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        side: &str,
        notation: &str,
        within: Option<f64>,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Anytime> {
        let (board, metric) = (self.board(board)?, self.0.solver.metric());
        let mut question = question_of_mode(
            metric, "anytime", max_time, max_nodes, max_memory, threads, side, notation, false,
            false, within, seed,
        )?;
        let caller = search_caller(&mut question.options, None, cancel)?;
        let anytime = Anytime::start(caller, Arc::clone(&self.0), question, board);
        Ok(anytime?)
    }

    /// Solves boards on all cores. Returns an iterator of reports, in the order of the boards.
    ///
    /// The solver reads up to 1024 boards before it returns their reports, so a generator of boards
    /// must not wait for a report. Limits apply to each board. If a board is invalid or has no
    /// solution, its report contains the reason. `progress` counts boards.
    ///
    #[doc = parameters!(
        boards, mode, max_time, max_nodes, anytime_memory, threads, side, notation, short, explain,
        within, anytime_seed, progress, cancel
    )]
    ///
    /// >>> from sliding_tile_pdb import Solver, scramble
    /// >>> reports = Solver("3x3").solve_many(scramble("3x3", number=100, seed=1))
    /// >>> sum(report.length for report in reports) / 100
    /// 21.74
    #[pyo3(signature = (
        boards, *, mode = "optimal", max_time = None, max_nodes = None, max_memory = None,
        threads = 0, side = "auto", notation = "tile", short = false, explain = false,
        within = None, seed = 0, progress = None, cancel = None
    ))]
    fn solve_many(
        &self,
        boards: &Bound<'_, PyAny>,
        mode: &str,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_max_memory)] max_memory: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        side: &str,
        notation: &str,
        short: bool,
        explain: bool,
        within: Option<f64>,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<SolvedBoards> {
        let metric = self.0.solver.metric();
        // Arguments are checked before a progress bar is created.
        let mut question = question_of_mode(
            metric, mode, max_time, max_nodes, max_memory, threads, side, notation, short, explain,
            within, seed,
        )?;
        let (total, boards) = (length_of(boards)?, iterator(boards)?);
        let caller = Caller::new(cancel).listening(progress, Stage::BOARDS, total)?;
        question.options.cancel = caller.control.cancel.clone();
        SolvedBoards::start(caller, Arc::clone(&self.0), question, &boards)
    }

    /// Finds all shortest solutions, and solutions with up to `within` moves more. At most `most`
    /// solutions are listed; with `count`, the solutions are only counted.
    ///
    #[doc = parameters!(
        board, extra_moves, most, count, max_time, max_nodes, threads, side, notation, progress,
        cancel
    )]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> report = Solver("3x3").all_solutions("8 6 7/2 5 4/3 0 1", within=2, most=3)
    /// >>> report.count, report.counts, len(report.solutions)
    /// (40, (40, 0, 207), 3)
    #[pyo3(signature = (
        board, *, within = 0, most = 1000, count = false, max_time = None,
        max_nodes = None, threads = 0, side = "auto", notation = "tile", progress = None,
        cancel = None
    ))]
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
        side: &str,
        notation: &str,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let board = self.board(board)?;
        let options = search_options(max_time, max_nodes, threads, side)?;
        let given = GivenOptions {
            all: true,
            count,
            within: (within > 0).then(|| Within::Moves(u32::try_from(within).unwrap_or(u32::MAX))),
            // An explicit default cannot be distinguished from an absent argument.
            most: (most != AllSolutions::MOST as u64).then(|| Whole(most).index()),
            side: options.side,
            ..GivenOptions::default()
        };
        let question = question(&given, self.0.solver.metric(), options, notation)?;
        self.answer(py, board, question, None, progress, cancel)
    }

    /// The distance to the goal, and the best moves. If a limit is reached, the distance and the
    /// moves are the best that the search found.
    ///
    #[doc = parameters!(board, max_time, max_nodes, threads, side, progress, cancel)]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> hint = Solver("3x3").hint("8 6 7/2 5 4/3 0 1")
    /// >>> hint.distance, [move.moves for move in hint.moves]
    /// (31, ['L', 'D', 'R'])
    #[pyo3(signature = (
        board, *, max_time = None, max_nodes = None, threads = 0, side = "auto",
        progress = None, cancel = None
    ))]
    fn hint(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        side: &str,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let board = self.board(board)?;
        let mut options = search_options(max_time, max_nodes, threads, side)?;
        let caller = search_caller(&mut options, progress, cancel)?;
        let opened = Arc::clone(&self.0);
        let json = caller.run(py, move |control| {
            let hint = opened.solver.hint(&board, &options);
            let advice = opened.advice(&board, None, hint, control.cancel.is_cancelled())?;
            Ok(to_json(&advice)?)
        })?;
        object(py, "Hint", &json)
    }

    /// Rates the moves of a game.
    ///
    #[doc = parameters!(
        board, moves, notation, max_time, max_nodes, threads, side, progress, cancel
    )]
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> rating = Solver("3x3").rate("1 2 3/4 0 6/7 5 8", "LRUL")
    /// >>> rating.credit, [step.lost for step in rating.steps], rating.steps[0].better.moves
    /// (75.0, [2, 0, 0, 0], 'U')
    #[pyo3(signature = (
        board, moves, *, notation = None, max_time = None, max_nodes = None, threads = 0,
        side = "auto", progress = None, cancel = None
    ))]
    fn rate(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        moves: Moves,
        notation: Option<&str>,
        max_time: Option<f64>,
        #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        side: &str,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<Py<PyAny>> {
        let board = self.board(board)?;
        let Moves(text) = moves;
        let made = board.read_moves(&text, read_notation(notation, &text)?);
        let made = made.and_then(|made| board.play(&made).map(|_| made));
        let made = made.map_err(CallError::input)?;
        let mut options = search_options(max_time, max_nodes, threads, side)?;
        let caller = search_caller(&mut options, progress, cancel)?;
        let opened = Arc::clone(&self.0);
        let json = caller.run(py, move |control| {
            let rating = opened.solver.rate(&board, &made, &options);
            let advice =
                opened.advice(&board, Some(&text), rating, control.cancel.is_cancelled())?;
            Ok(to_json(&advice)?)
        })?;
        object(py, "Rating", &json)
    }

    /// The table entries and values for a board, without a search.
    ///
    /// >>> from sliding_tile_pdb import Solver
    /// >>> probe = Solver("3x3", "1,2,3,4/5,6,7,8").probe("2 8 3/0 6 4/7 1 5")
    /// >>> probe.estimate, [[part.value for part in view.parts] for view in probe.views]
    /// (17, [[6, 9], [10, 7]])
    fn probe(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let (board, opened) = (self.board(board)?, &self.0);
        let found = py.detach(|| {
            let probe = opened.solver.probe(&board);
            let mut advice = opened.advice(&board, None, probe, false)?;
            // The field `found` already contains the board.
            advice.board = None;
            Ok::<_, CallError>(to_json(&advice)?)
        });
        let files = PyDict::new(py);
        for (table, path) in &opened.tables {
            if let Some(path) = path {
                files.set_item(table.id().name(), path.display().to_string())?;
            }
        }
        let make = py.import("sliding_tile_pdb._results")?.getattr("_probe")?;
        Ok(make.call1((found?, files))?.unbind())
    }

    /// The heuristic's value for a board, a lower bound of the solution length.
    fn estimate(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<u32> {
        let (board, opened) = (self.board(board)?, &self.0);
        let value = py.detach(|| match opened.solver.estimate(&board) {
            // The call takes two microseconds. Creating the complete advice would slow it down.
            Ok(value) => Ok(value),
            failed => opened
                .advice(&board, None, failed, false)
                .map(|advice| advice.found),
        });
        Ok(value?)
    }

    /// The heuristic's values for many boards, which must all be solvable.
    ///
    /// With 6-6-3 in the metric `single`, and at least 4,000 boards, the time per board is about 1
    /// microsecond with one-bit tables, and about 0.25 microseconds with byte tables. Raises
    /// InputError at the first invalid board.
    ///
    #[doc = parameters!(boards, threads, cancel)]
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
        let tray = self.0.solver.goal().tray();
        need_numpy(py)?;
        let caller = Caller::new(cancel);
        let options = SolveOptions::default()
            .threads(threads)
            .cancel(&caller.control.cancel);
        let opened = Arc::clone(&self.0);
        let values = if tray.cells() <= CellSet::MAX_CELLS {
            let boards = read_boards_array(boards, tray)?;
            caller.run(py, move |_| opened.estimates(boards.bytes(), &options))?
        } else {
            let boards = read_numbers(boards, tray)?;
            caller.run(py, move |_| opened.estimates(&boards, &options))?
        };
        Ok(PyArray1::from_vec(py, values))
    }

    /// Proves every entry of every table by the moves of the puzzle, or raises TableError.
    ///
    #[doc = parameters!(threads, progress, cancel)]
    #[pyo3(signature = (*, threads = 0, progress = None, cancel = None))]
    fn verify(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = read_threads)] threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
        cancel: Option<&Bound<'_, PyCancel>>,
    ) -> PyResult<()> {
        let tables = self.0.tables.iter().map(|(table, _)| table.clone());
        verify_tables(py, tables.collect(), threads, progress, cancel)
    }

    /// # Errors
    /// Always.
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a Solver cannot be pickled: create one per process, for example in the initializer of \
             multiprocessing.Pool; solvers with tables in one directory share memory",
        ))
    }

    fn __repr__(&self) -> String {
        let solver = &self.0.solver;
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
