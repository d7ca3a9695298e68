//! The answer for one board, computed on a search thread.

use std::time::{Duration, Instant};

use puzzle::Goal;
use puzzle::board_text::ListedBoard;
use session::request::{Solve, Tables};
use session::{Cancel, Control, Event, Failure, report};
use solver::{Mode, Report, Status};

use crate::app::App;

/// A report, and the reason why its tables are not the default ones.
pub(crate) type ReportAndReason = (Report, Option<String>);

/// Solves a board. Boards without a solution, and searches that reach a limit, also have a report.
/// Errors: the options do not suit the board, the tables cannot be opened, or the search was
/// cancelled before it found a solution.
pub(crate) fn solve(
    app: &App,
    request: &Solve,
    read: &ListedBoard,
    goal: &Goal,
    control: &Control<Event>,
) -> Result<ReportAndReason, Failure> {
    let (session, cancel) = (&app.session, &control.cancel);
    let question = session.question(request, &Control::stopped_by(cancel))?;
    let whole = |answer| report(answer, &read.notes, cancel).or_else(Failure::into_report);
    if let Some(refusal) = question.refusal(goal, &read.board) {
        return Ok((whole(refusal)?, None));
    }
    let is_anytime = question.options.mode == Mode::Anytime;
    if is_anytime && control.has_listener() && !session.is_open(goal, &request.tables) {
        report_first(app, request, read, goal, control)?;
    }
    let opened = session.open_for(&question, goal, &request.tables, control)?;
    // The times in events begin after the tables have been opened.
    let begun = Instant::now();
    let mut question = session.question(request, control)?;
    if is_anytime {
        let share = app.memory_of_search()?;
        let own = question.options.max_memory.unwrap_or(u64::MAX);
        question.options = question.options.max_memory(own.min(share));
    }
    let answer = opened.solver.answer(&read.board, &question);
    let nodes = answer.report.nodes.unwrap_or(0);
    app.metrics.board(nodes, begun.elapsed());
    Ok((whole(answer)?, opened.reason.clone()))
}

/// Reports a first solution, which needs no tables, before the tables of an anytime search are
/// opened.
fn report_first(
    app: &App,
    request: &Solve,
    read: &ListedBoard,
    goal: &Goal,
    control: &Control<Event>,
) -> Result<(), Failure> {
    let silent = Control::stopped_by(&control.cancel);
    let mut question = app.session.question(request, &silent)?;
    question.options = question.options.mode(Mode::Strategic);
    let tables = Tables {
        metric: request.tables.metric,
        ..Tables::default()
    };
    let opened = app.session.open_for(&question, goal, &tables, &silent)?;
    let mut report = opened.solver.answer(&read.board, &question).report;
    if report.status == Status::Solved {
        (report.status, report.mode) = (Status::Improved, Some(Mode::Anytime));
        let report = Box::new(report.with_time(Duration::ZERO));
        control.report(&Event::Improved { report });
    }
    Ok(())
}

/// A control without a listener.
pub(crate) fn silent(cancel: &Cancel) -> Control<Event> {
    Control::stopped_by(cancel)
}
