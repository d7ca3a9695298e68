//! A board's answer: what the threads of searches do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use puzzle::{Board, Goal};
use solver::{Answer, Cancel, Mode, Report, SearchStatus, SolveError, Status};

use crate::app::App;
use crate::problem::Problem;
use crate::queue::Queue;
use crate::request::SolveSettings;
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

/// A board's report, and why its tables are not the usual ones.
pub(crate) struct BoardAnswer {
    pub(crate) report: Report,
    pub(crate) reason: Option<String>,
}

/// The least memory that an anytime search is begun with, in bytes.
const LEAST_MEMORY: u64 = 8 << 20;

/// Solves a board. Boards without a solution and searches that reach a limit have one
/// too.
///
/// # Errors
/// What was asked for makes no sense for the board, a table is damaged, or the search was
/// cancelled, unless it has found a solution.
pub(crate) fn solve(
    app: &App,
    board: &Board,
    settings: &SolveSettings,
    cancel: &Cancel,
    listeners: Listeners,
) -> Result<BoardAnswer, Problem> {
    let (solvers, puzzle) = (&app.solvers, &settings.puzzle);
    let goal = puzzle.goal(Some(board.tray()))?;
    if let Some(refusal) = settings.question.refusal(&goal, board) {
        return Ok(BoardAnswer {
            report: reported(refusal)?,
            reason: None,
        });
    }
    let opened = match settings.mode() {
        Mode::Strategic => solvers.without_tables(&goal, puzzle.metric, cancel)?,
        mode => {
            let before = || match (mode, &listeners.improved) {
                (Mode::Anytime, Some(hear)) => {
                    report_first(solvers, &goal, board, settings, cancel, &**hear)
                }
                _ => Ok(()),
            };
            let partition = puzzle.partition.as_deref();
            solvers.open_after(before, &goal, puzzle.metric, partition, cancel)?
        }
    };
    let mut question = settings.question.clone();
    question.options = question.options.cancel(cancel);
    if settings.is_large() {
        solvers.memory.check(LEAST_MEMORY)?;
        let share = solvers.memory.bytes() / Queue::max_large(app.config.worker_count()) as u64;
        let max_memory = settings.max_memory.min(share.max(LEAST_MEMORY));
        question.options = question.options.max_memory(max_memory);
    }
    let begun = Instant::now();
    if let Some(hear) = listeners.progress {
        let hear = move |status: &SearchStatus| hear(status, begun.elapsed());
        question.options = question.options.progress(hear);
    }
    if let Some(hear) = listeners.improved {
        question = question.improved(move |better: &Answer| hear(better.report.clone()));
    }
    let report = reported(opened.solver.answer(board, &question))?;
    app.metrics
        .board(report.nodes.unwrap_or(0), begun.elapsed());
    if cancel.is_cancelled() && report.moves.is_none() {
        return Err(Problem::cancelled());
    }
    Ok(BoardAnswer {
        report,
        reason: opened.reason.clone(),
    })
}

/// Reports the first solution of an anytime search, which needs no tables, before those of the
/// search are opened or built.
fn report_first(
    solvers: &Solvers,
    goal: &Goal,
    board: &Board,
    settings: &SolveSettings,
    cancel: &Cancel,
    hear: &dyn Fn(Report),
) -> Result<(), Problem> {
    let opened = solvers.without_tables(goal, settings.puzzle.metric, cancel)?;
    let mut question = settings.question.clone();
    question.options = question.options.mode(Mode::Strategic).cancel(cancel);
    let mut report = opened.solver.answer(board, &question).report;
    if report.status == Status::Solved {
        (report.status, report.mode) = (Status::Improved, Some(settings.mode()));
        hear(report.with_time(Duration::ZERO));
    }
    Ok(())
}

/// The report of an answer, unless that is about the request or the tables.
pub(crate) fn reported(answer: Answer) -> Result<Report, Problem> {
    match answer.error {
        None | Some(SolveError::Unsolvable(_) | SolveError::Limit(_)) => Ok(answer.report),
        Some(error @ SolveError::Damaged(_)) => Err(Problem::damaged(error)),
        Some(error) => Err(Problem::input(error)),
    }
}
