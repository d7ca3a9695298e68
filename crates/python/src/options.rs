//! How boards are solved: Python's keywords as the library's options.

use std::sync::Arc;
use std::time::Instant;

use pdb_table::Cancel;
use puzzle::{Board, Notation};
use pyo3::prelude::*;
use solver::{Improvement, Mode, Report, SearchStatus, SolveOptions, Solver, Status};

use crate::arguments::{Whole, named, read_time};
use crate::failure::{Failure, OrRaise as _};
use crate::progress::Counter;

/// Python's keywords for a board, or each of many.
pub(crate) struct Keywords<'a> {
    pub(crate) mode: &'a str,
    pub(crate) max_time: Option<f64>,
    pub(crate) max_nodes: Option<Whole>,
    pub(crate) max_memory: Option<Whole>,
    pub(crate) threads: usize,
    pub(crate) notation: &'a str,
    pub(crate) short: bool,
    pub(crate) explain: bool,
    pub(crate) within: Option<f64>,
    pub(crate) seed: u64,
}

impl Default for Keywords<'_> {
    fn default() -> Self {
        Keywords {
            mode: "optimal",
            max_time: None,
            max_nodes: None,
            max_memory: None,
            threads: 0,
            notation: "tile",
            short: false,
            explain: false,
            within: None,
            seed: 0,
        }
    }
}

/// What is done with a board.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) options: SolveOptions,
    pub(crate) notation: Notation,
    /// Whether strategic answers have their steps.
    explain: bool,
}

impl Task {
    /// Checks keywords.
    pub(crate) fn new(py: Python<'_>, keywords: &Keywords<'_>) -> PyResult<Task> {
        let mode: Mode = named(py, keywords.mode)?;
        let mut options = SolveOptions::default()
            .mode(mode)
            .short(keywords.short)
            .seed(keywords.seed)
            .threads(keywords.threads);
        options.max_time = read_time(py, "max_time", keywords.max_time)?;
        options.max_nodes = Whole::at_least_one(py, "max_nodes", keywords.max_nodes)?;
        options.max_memory = Whole::at_least_one(py, "max_memory", keywords.max_memory)?;
        for (name, is_given, own) in [
            ("short", keywords.short, Mode::Strategic),
            ("explain", keywords.explain, Mode::Strategic),
            ("within", keywords.within.is_some(), Mode::Anytime),
        ] {
            if is_given && mode != own {
                let message = format!("{name} is for the mode {own}, not for {mode}");
                return Err(Failure::input(message)).or_raise(py);
            }
        }
        if let Some(share) = keywords.within {
            // NaN is no share either.
            let is_share = share >= 0.0;
            if !is_share {
                let message = format!("within is {share}: expected a share of at least 0");
                return Err(Failure::input(message)).or_raise(py);
            }
            if mode == Mode::Anytime {
                options.within = Some(share);
            }
        }
        Ok(Task {
            options: options.or_anytime_limit(),
            notation: named(py, keywords.notation)?,
            explain: keywords.explain,
        })
    }

    /// With a token and a counter.
    pub(crate) fn connected(mut self, cancel: &Cancel, counter: &Arc<Counter>) -> Task {
        let counter = Arc::clone(counter);
        self.options = self
            .options
            .cancel(cancel)
            .progress(move |status: &SearchStatus| counter.hear(status));
        self
    }

    /// With someone who hears of better solutions.
    pub(crate) fn improving(
        mut self,
        board: &Board,
        partition: &str,
        hear: impl Fn(Report) + Send + Sync + 'static,
    ) -> Task {
        let (board, notation, name) = (board.clone(), self.notation, partition.to_owned());
        let threads = self.options.max_threads();
        let hear = move |better: &Improvement| {
            let report = Report::improved(&board, better, notation);
            hear(report.with_threads(threads).with_tables(&name));
        };
        self.options = self.options.improved(hear);
        self
    }

    /// Solves a board: its report.
    pub(crate) fn solve(&self, solver: &Solver, partition: &str, board: &Board) -> Report {
        let begun = Instant::now();
        let result = solver.solve_with(board, &self.options);
        let goal = solver.goal();
        let mode = self.options.mode;
        let report = Report::new(goal, board, &result, self.notation).with_mode(mode);
        let report = self.finish(report, partition, begun);
        match self.explain && mode == Mode::Strategic {
            true => report.with_strategic_steps(solver, board, self.notation),
            false => report,
        }
    }

    /// A report with what a call adds.
    pub(crate) fn finish(&self, report: Report, partition: &str, begun: Instant) -> Report {
        let report = match report.nodes {
            Some(_) => report
                .with_time(begun.elapsed())
                .with_threads(self.options.max_threads()),
            None => report,
        };
        match report.status {
            // No table was asked.
            Status::Unsolvable | Status::Error => report,
            _ => report.with_tables(partition),
        }
    }
}
