//! What all boards share: the options, and a solver for each size that is met.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use cli::{Failure, SharedArgs, explain, free_memory, interrupted, print_error};
use pdb_table::TableDirectory;
use puzzle::board_text::{ListedBoard, parse_listed};
use puzzle::{Board, HeuristicSpec, Metric, Notation, Tray};
use solver::{
    Control, OpenError, OpenEvent, OpenOptions, Report, SolveError, SolveOptions, Solver, Status,
    check_board,
};

use crate::all_solutions::AllSolutionsArgs;
use crate::answer::Answer;
use crate::boards::Job;
use crate::status_line::StatusLine;

/// The longest that missing tables may take to build, by estimate, before the user is asked to do
/// it.
const MAX_BUILD_SECONDS: f64 = 2.0;
/// The same in the multi-tile metric, whose default tables take at most about 3 s by estimate on
/// one thread.
const MAX_MULTI_BUILD_SECONDS: f64 = 4.0;

/// In a list files of this size are loaded. Smaller tables are found in the processor's caches, and
/// so are their pages.
const LOAD_FROM: u64 = 8 << 20;

/// Everything that answering takes: the options, and the solvers opened so far.
pub(crate) struct Session {
    pub(crate) shared: SharedArgs,
    pub(crate) directory: TableDirectory,
    pub(crate) leading_id: bool,
    pub(crate) notation: Notation,
    pub(crate) all: AllSolutionsArgs,
    pub(crate) options: SolveOptions,
    pub(crate) status_line: Arc<StatusLine>,
    /// Whether boards come one a line from a list.
    pub(crate) in_list: bool,
    pub(crate) solvers: Mutex<HashMap<Tray, OpenedSolver>>,
}

type OpenedSolver = Result<Arc<Solver>, Failure>;

impl Session {
    /// Refuses options that no board could be solved with, before any board is read.
    pub(crate) fn check_options(&self) -> Result<(), Failure> {
        self.all.check(self.shared.metric())?;
        // Without a size a goal in one row or a partition may be meant for the sizes that the
        // boards will show.
        let Some(size) = self.size() else {
            return Ok(());
        };
        let goal = self.shared.goal(Some(size))?;
        self.shared.spec(&goal)?;
        Ok(())
    }

    /// The size that the options fix: `--size`, or that of a goal of its own.
    fn size(&self) -> Option<Tray> {
        let of_goal = || {
            let goal = self
                .shared
                .goal_is_board()
                .then(|| self.shared.goal(None))?;
            Some(goal.ok()?.tray())
        };
        self.shared.size.or_else(of_goal)
    }

    /// Answers one board.
    pub(crate) fn answer(&self, job: &Job) -> Answer {
        let mut answer = self.try_answer(job).unwrap_or_else(Answer::from);
        let report = &mut answer.report;
        if report.status == Status::Error {
            report.line = job.line;
            if report.board.is_none() {
                let text = job.text.as_ref().ok();
                report.board = text.map(|text| text.trim().chars().take(2000).collect());
            }
        }
        answer
    }

    fn try_answer(&self, job: &Job) -> Result<Answer, Failure> {
        let text = job.text.as_ref().map_err(Failure::input)?;
        let size = self.size();
        let listed = if self.in_list {
            parse_listed(text, size, self.leading_id)
        } else {
            Board::parse(text, size).map(|board| ListedBoard {
                board,
                id: None,
                known_length: None,
            })
        };
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !self.in_list && is_number {
            let message =
                format!("the board is a single number, {text}: put the whole board in quotes");
            return Err(Failure::input(message));
        }
        let ListedBoard {
            board,
            known_length,
            ..
        } = listed.map_err(|error| Failure::input(explain(&error)))?;
        let mut report = self.solve(&board, job.line)?;
        match (known_length, report.length) {
            (Some(known), Some(found)) if known != found => {
                let message = format!("solved in {found} moves, but the line says {known}");
                (report.status, report.message) = (Status::Error, Some(message));
            }
            _ => {}
        }
        Ok(report.into())
    }

    fn solve(&self, board: &Board, line: Option<usize>) -> Result<Report, Failure> {
        let goal = self.shared.goal(Some(board.tray()))?;
        // Needs no tables.
        if let Err(error) = check_board(&goal, board) {
            let refused = outcome(Err(error))?;
            return Ok(Report::new(&goal, board, &refused, self.notation));
        }
        let solver = self.solver(board.tray())?;
        let begun = Instant::now();
        let name = line.map(|line| format!("line {line}"));
        let options = self.options.clone().progress(self.status_line.watch(name));
        let report = if self.all.are_wanted() {
            let found = outcome(self.all.solve(&solver, board, &options))?;
            let mut report = Report::all_solutions(&goal, board, &found, self.notation);
            self.all.trim(&mut report);
            report
        } else {
            let solution = outcome(solver.solve_with(board, &options))?;
            Report::new(&goal, board, &solution, self.notation)
        };
        let default = || HeuristicSpec::default_name(solver.metric(), board.tray());
        let tables = self.shared.partition.clone().unwrap_or_else(default);
        Ok(report.with_time(begun.elapsed()).with_tables(tables))
    }

    /// The solver for boards of this size, opened when the first is met.
    fn solver(&self, tray: Tray) -> OpenedSolver {
        let mut solvers = self.solvers.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || self.open(tray).map(Arc::new);
        let opened = solvers.entry(tray).or_insert_with(open);
        opened.clone()
    }

    fn open(&self, tray: Tray) -> Result<Solver, Failure> {
        let goal = self.shared.goal(Some(tray))?;
        let spec = self.shared.spec(&goal)?;
        let command = self.shared.build_command(&goal).to_string();
        let options = OpenOptions::new(self.directory.path())
            .max_build_seconds(match spec.metric() {
                Metric::Single => MAX_BUILD_SECONDS,
                Metric::Multi => MAX_MULTI_BUILD_SECONDS,
            })
            .max_memory(free_memory())
            .threads(self.shared.thread_count())
            .load_from(self.in_list.then_some(LOAD_FROM))
            .control(self.open_control());
        Solver::open(goal, spec, &options).map_err(|error| match error {
            OpenError::Solver(error) if interrupted() => Failure::interrupted(error.to_string()),
            OpenError::Missing(missing) => Failure::table(format!("{missing}: run {command}")),
            OpenError::Damaged(error) => {
                Failure::table(format!("{error}; build it again with {command}"))
            }
            error => Failure::table(error),
        })
    }

    /// Says which tables were built, and ends builds at Ctrl-C.
    fn open_control(&self) -> Control<OpenEvent> {
        if self.shared.quiet {
            return Control::stopped_by(&cli::cancel());
        }
        let status_line = Arc::clone(&self.status_line);
        let directory = self.directory.path().to_owned();
        let listener = move |event: &OpenEvent| {
            let line = match event {
                OpenEvent::Kept(id) => {
                    let (name, path) = (id.name(), directory.display());
                    format!("solver: built {name} and keeps it in {path}")
                }
                OpenEvent::NotKept(id, error) => {
                    let name = id.name();
                    format!("solver: built {name} in memory; it could not be kept: {error}")
                }
                _ => return,
            };
            status_line.print(|| print_error(line));
        };
        Control::new(cli::cancel(), Some(Arc::new(listener)))
    }

    /// Prints an answer.
    pub(crate) fn print(&self, answer: &Answer) {
        self.status_line
            .print(|| answer.print(&self.shared, self.in_list));
    }
}

/// A result to report, unless it is about the input or the tables.
fn outcome<T>(result: Result<T, SolveError>) -> Result<Result<T, SolveError>, Failure> {
    match result {
        Err(error @ SolveError::Damaged(_)) => Err(Failure::table(format!(
            "{error}; find out which with pdb-gen verify, and build it again"
        ))),
        Err(error @ SolveError::Size { .. }) => Err(Failure::input(error)),
        result => Ok(result),
    }
}
