//! What all boards share: the options, and a solver for each size that is met.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use cli::Failure;
use puzzle::board_text::ListedBoard;
use puzzle::{Board, Notation, Tray};
use solver::{Improvement, Mode, Report, SolveOptions, Solver, Status, check_board};

use crate::all_solutions::AllSolutionsArgs;
use crate::answer::{Answer, print_object};
use crate::board::read_board;
use crate::boards::{Given, Job};
use crate::mode::with_memory;
use crate::opener::{Opener, outcome};

/// Everything that answering takes: the options, and the solvers opened so far.
pub(crate) struct Session {
    pub(crate) opener: Opener,
    pub(crate) notation: Notation,
    pub(crate) all: AllSolutionsArgs,
    /// Whether the steps of solutions are wanted.
    pub(crate) explains: bool,
    pub(crate) options: SolveOptions,
    /// Threads that a search is allowed to use.
    pub(crate) threads: usize,
    /// Whether boards come one a line from a list.
    pub(crate) in_list: bool,
    pub(crate) solvers: Mutex<HashMap<Tray, OpenedSolver>>,
}

type OpenedSolver = Result<Arc<Named>, Failure>;

/// A solver, and the name of its heuristic.
pub(crate) struct Named {
    solver: Solver,
    name: String,
}

impl Session {
    /// Refuses options that no board could be solved with, before any board is read.
    pub(crate) fn check_options(&self) -> Result<(), Failure> {
        // Without a size a goal in one row or a partition may be meant for the sizes that the
        // boards will show.
        let Some(size) = self.opener.shared.known_size() else {
            return Ok(());
        };
        let goal = self.opener.shared.goal(Some(size))?;
        self.opener.shared.spec(&goal)?;
        Ok(())
    }

    /// Answers one board.
    pub(crate) fn answer(&self, job: &Job) -> Answer {
        let mut answer = self.try_answer(job).unwrap_or_else(Answer::from);
        let report = &mut answer.report;
        report.line = job.line;
        report.mode = Some(self.options.mode);
        if report.status == Status::Error && report.board.is_none() {
            let text = match &job.given {
                Given::Argument(text) => Some(text.as_str()),
                Given::Listed(listed) => Some(listed.text()),
                Given::Unreadable(_) => None,
            };
            report.board = text.map(|text| text.trim().chars().take(2000).collect());
        }
        answer
    }

    fn try_answer(&self, job: &Job) -> Result<Answer, Failure> {
        let listed = match &job.given {
            Given::Argument(text) => read_board(text, &self.opener.shared)?.into(),
            Given::Listed(listed) => listed
                .parse()
                .map_err(|error| Failure::input(self.opener.shared.explain(&error)))?,
            Given::Unreadable(reason) => return Err(Failure::input(reason)),
        };
        let ListedBoard {
            board,
            known_length,
            ..
        } = listed;
        let mut report = self.solve(&board, job.line)?;
        if let (Some(known), Some(found)) = (known_length, report.length) {
            let message = match report.bound {
                _ if self.options.mode == Mode::Optimal => (known != found)
                    .then(|| format!("solved in {found} moves, but the line says {known}")),
                // Neither length need be optimal.
                Some(bound) => (known < bound).then(|| {
                    format!("no solution is shorter than {bound} moves, but the line says {known}")
                }),
                None => None,
            };
            if message.is_some() {
                (report.status, report.message) = (Status::Error, message);
            }
        }
        Ok(report.into())
    }

    fn solve(&self, board: &Board, line: Option<usize>) -> Result<Report, Failure> {
        let goal = self.opener.shared.goal(Some(board.tray()))?;
        // Needs no tables.
        if let Err(error) = check_board(&goal, board) {
            let refused = outcome(Err(error))?;
            return Ok(Report::new(&goal, board, &refused, self.notation));
        }
        let named = self.solver(board.tray())?;
        let begun = Instant::now();
        let name = line.map(|line| format!("line {line}"));
        let watch = Arc::new(self.opener.status_line.watch(name));
        let mut options = watch.listen(with_memory(self.options.clone()));
        if self.opener.shared.json {
            options = options.improved(self.print_improved(board, line, &named));
        }
        let report = if self.all.are_wanted() {
            let found = outcome(self.all.solve(&named.solver, board, &options))?;
            let mut report = Report::all_solutions(&goal, board, &found, self.notation);
            self.all.trim(&mut report);
            report
        } else {
            let solution = outcome(named.solver.solve_with(board, &options))?;
            let report = Report::new(&goal, board, &solution, self.notation);
            match self.explains {
                true => report.with_strategic_steps(&named.solver, board, self.notation),
                false => report,
            }
        };
        let report = report.with_threads(self.threads).with_time(begun.elapsed());
        Ok(report.with_tables(&named.name))
    }

    /// Prints better solutions of a board as they are found.
    fn print_improved(
        &self,
        board: &Board,
        line: Option<usize>,
        named: &Named,
    ) -> impl Fn(&Improvement) + Send + Sync + 'static {
        let (board, name) = (board.clone(), named.name.clone());
        let status_line = Arc::clone(&self.opener.status_line);
        let (notation, threads) = (self.notation, self.threads);
        move |improvement| {
            let report = Report::improved(&board, improvement, notation);
            let mut report = report.with_threads(threads).with_tables(&name);
            report.line = line;
            status_line.print(|| print_object(&report));
        }
    }

    /// The solver for boards of this size, opened when the first is met.
    fn solver(&self, tray: Tray) -> OpenedSolver {
        let mut solvers = self.solvers.lock().unwrap_or_else(PoisonError::into_inner);
        let named = |(solver, name)| Arc::new(Named { solver, name });
        let open = || self.opener.open_named(tray).map(named);
        let opened = solvers.entry(tray).or_insert_with(open);
        opened.clone()
    }

    /// Prints an answer.
    pub(crate) fn print(&self, answer: &Answer) {
        self.opener
            .status_line
            .print(|| answer.print(&self.opener.shared, self.in_list));
    }
}
