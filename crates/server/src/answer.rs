//! A board's answer: what the threads of searches do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pdb_table::Cancel;
use puzzle::{Board, Goal};
use solver::{Improvement, Mode, Report, SearchStatus, SolveError, Status, check_board};

use crate::config::Config;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::queue::Queue;
use crate::request::Asked;
use crate::solvers::Solvers;

/// Listeners of a search. Times count from the begin of the search, after its wait for a thread and
/// the opening of its tables. The first solution of an anytime search is reported before that, with
/// the time 0.
#[derive(Default)]
pub(crate) struct Listeners {
    pub(crate) improved: Option<Arc<dyn Fn(Report) + Send + Sync>>,
    pub(crate) progress: Option<Arc<ProgressListener>>,
}

/// Called with the time since the search began.
pub(crate) type ProgressListener = dyn Fn(&SearchStatus, Duration) + Send + Sync;

/// The least memory that an anytime search is begun with, in bytes.
const LEAST_MEMORY: u64 = 8 << 20;

/// Solves a board: its report. Boards without a solution and searches that reach a limit have one
/// too.
///
/// # Errors
/// What was asked for makes no sense for the board, a table is damaged, or the search was
/// cancelled, unless it has found a solution.
pub(crate) fn solve(
    config: &Config,
    metrics: &Metrics,
    solvers: &Solvers,
    board: &Board,
    asked: &Asked,
    cancel: &Cancel,
    listeners: Listeners,
) -> Result<Report, Problem> {
    let puzzle = &asked.puzzle;
    let goal = puzzle.goal(Some(board.tray()))?;
    if let Err(error) = check_board(&goal, board) {
        let refused = Err(reported(error)?);
        return Ok(Report::new(&goal, board, &refused, asked.notation).with_mode(asked.mode));
    }
    let opened = match asked.mode {
        Mode::Strategic => solvers.without_tables(&goal, puzzle.metric, cancel)?,
        mode => {
            let before = || match (mode, &listeners.improved) {
                (Mode::Anytime, Some(hear)) => {
                    report_first(solvers, &goal, board, asked, cancel, &**hear)
                }
                _ => Ok(()),
            };
            let partition = puzzle.partition.as_deref();
            solvers.open_after(before, &goal, puzzle.metric, partition, cancel)?
        }
    };
    let mut options = asked.options().cancel(cancel);
    if asked.is_large() {
        solvers.memory.check(LEAST_MEMORY)?;
        let share = solvers.memory.bytes() / Queue::max_large(config.worker_count()) as u64;
        options = options.max_memory(asked.max_memory.min(share.max(LEAST_MEMORY)));
    }
    let begun = Instant::now();
    if let Some(hear) = listeners.progress {
        let hear = move |status: &SearchStatus| hear(status, begun.elapsed());
        options.progress = Some(Arc::new(hear));
    }
    if let Some(hear) = listeners.improved {
        let (of, notation, name) = (board.clone(), asked.notation, opened.name.clone());
        let threads = options.max_threads();
        options = options.improved(move |better: &Improvement| {
            let report = Report::improved(&of, better, notation);
            let report = report.with_threads(threads).with_tables(&name);
            hear(report.with_time(begun.elapsed()));
        });
    }
    let report = match asked.all {
        Some(all) => {
            let found = opened
                .solver
                .all_solutions(board, all.within, all.most, &options);
            let found =
                found.map_or_else(|error| reported(error).map(Err), |found| Ok(Ok(found)))?;
            let mut report = Report::all_solutions(&goal, board, &found, asked.notation);
            if all.most == 0 {
                report.solutions = None;
            }
            if all.within == 0 {
                report.counts = None;
            }
            report
        }
        None => {
            let found = opened.solver.solve_with(board, &options);
            let found =
                found.map_or_else(|error| reported(error).map(Err), |found| Ok(Ok(found)))?;
            let report = Report::new(&goal, board, &found, asked.notation);
            match asked.explain {
                true => report.with_strategic_steps(&opened.solver, board, asked.notation),
                false => report,
            }
        }
    };
    let time = begun.elapsed();
    metrics.board(report.nodes.unwrap_or(0), time);
    if cancel.is_cancelled() && report.moves.is_none() {
        return Err(Problem::cancelled());
    }
    let report = report
        .with_mode(asked.mode)
        .with_time(time)
        .with_threads(options.max_threads());
    Ok(report.with_tables(&opened.name))
}

/// Reports the first solution of an anytime search, which needs no tables, before those of the
/// search are opened or built.
fn report_first(
    solvers: &Solvers,
    goal: &Goal,
    board: &Board,
    asked: &Asked,
    cancel: &Cancel,
    hear: &dyn Fn(Report),
) -> Result<(), Problem> {
    let opened = solvers.without_tables(goal, asked.puzzle.metric, cancel)?;
    let options = asked.options().mode(Mode::Strategic).cancel(cancel);
    let found = opened.solver.solve_with(board, &options);
    let mut report = Report::new(goal, board, &found, asked.notation);
    if report.status == Status::Solved {
        report.status = Status::Improved;
        let report = report.with_mode(asked.mode).with_threads(1);
        hear(report.with_tables(&opened.name).with_time(Duration::ZERO));
    }
    Ok(())
}

/// An error that belongs into a report; the others are problems.
pub(crate) fn reported(error: SolveError) -> Result<SolveError, Problem> {
    match error {
        SolveError::Unsolvable(_) | SolveError::Limit(_) => Ok(error),
        SolveError::Damaged(_) => Err(Problem::damaged(error)),
        error => Err(Problem::input(error)),
    }
}
