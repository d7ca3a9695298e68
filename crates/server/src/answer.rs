//! The answer for one board, computed on a search thread.

use std::sync::Arc;
use std::time::{Duration, Instant};

use puzzle::board_text::ListedBoard;
use puzzle::{Board, Goal};
use solver::{Answer, Cancel, Mode, Report, SearchStatus, SolveError, Status};

use crate::app::App;
use crate::event_buffer::EventBuffer;
use crate::problem::Problem;
use crate::queue::Queue;
use crate::request::{Placed, SolveSettings};
use crate::solvers::Solvers;

pub(crate) struct BoardAnswer {
    pub(crate) report: Report,
    /// The reason for smaller tables than the default ones; `None` if no smaller tables were used.
    pub(crate) reason: Option<String>,
}

/// The least memory with which an anytime search starts, in bytes.
const LEAST_MEMORY: u64 = 8 << 20;

/// Solves a board. Boards without a solution, and searches that reach a limit, also yield a report.
/// Errors: the options do not suit the board, a table is damaged, or the search was cancelled
/// before it found a solution.
pub(crate) fn solve(
    app: &App,
    placed: &Placed,
    settings: &SolveSettings,
    cancel: &Cancel,
    events: Option<Arc<EventBuffer>>,
) -> Result<BoardAnswer, Problem> {
    let (solvers, tables) = (&app.solvers, &settings.puzzle.tables);
    let (goal, ListedBoard { board, notes, .. }) = (&placed.goal, &placed.read);
    if let Some(refusal) = settings.question.refusal(goal, board) {
        return Ok(BoardAnswer {
            report: reported(refusal)?.with_notes(notes),
            reason: None,
        });
    }
    let opened = match settings.mode() {
        Mode::Strategic => solvers.without_tables(goal, tables.metric(), cancel)?,
        mode => {
            let before = || match (mode, &events) {
                (Mode::Anytime, Some(events)) => {
                    report_first(solvers, goal, board, settings, cancel, events)
                }
                _ => Ok(()),
            };
            solvers.open_after(before, goal, tables, cancel)?
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
    if let Some(events) = events {
        let progress = Arc::clone(&events);
        let progress = move |status: &SearchStatus| progress.progress(*status, begun.elapsed());
        question.options = question.options.progress(progress);
        question = question.improved(move |better: &Answer| events.improve(&better.report));
    }
    let report = reported(opened.solver.answer(board, &question))?;
    app.metrics
        .board(report.nodes.unwrap_or(0), begun.elapsed());
    if cancel.is_cancelled() && report.moves.is_none() {
        return Err(Problem::cancelled());
    }
    Ok(BoardAnswer {
        report: report.with_notes(notes),
        reason: opened.reason.clone(),
    })
}

/// Reports the first solution of an anytime search before the tables of the search are opened or
/// built. This solution needs no tables.
fn report_first(
    solvers: &Solvers,
    goal: &Goal,
    board: &Board,
    settings: &SolveSettings,
    cancel: &Cancel,
    events: &EventBuffer,
) -> Result<(), Problem> {
    let opened = solvers.without_tables(goal, settings.puzzle.tables.metric(), cancel)?;
    let mut question = settings.question.clone();
    question.options = question.options.mode(Mode::Strategic).cancel(cancel);
    let mut report = opened.solver.answer(board, &question).report;
    if report.status == Status::Solved {
        (report.status, report.mode) = (Status::Improved, Some(settings.mode()));
        events.improve(&report.with_time(Duration::ZERO));
    }
    Ok(())
}

/// The report of an answer. Errors of the request or of the tables are returned as problems.
pub(crate) fn reported(answer: Answer) -> Result<Report, Problem> {
    match answer.error {
        None | Some(SolveError::Unsolvable(_) | SolveError::Limit(_)) => Ok(answer.report),
        Some(error @ SolveError::Damaged(_)) => Err(Problem::damaged(error)),
        Some(error) => Err(Problem::input(error)),
    }
}
