//! Solves all boards: on all cores, answered in input order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cli::{EXIT_INTERRUPTED, Failure, interrupted};
use solver::{SolveOptions, ThreadPermits, ordered_map};

use crate::Arguments;
use crate::answer::Answer;
use crate::boards::{Boards, Job};
use crate::session::Session;
use crate::status_line::StatusLine;

/// Answers all boards; gives the highest exit code that applies.
pub(crate) fn run(arguments: Arguments) -> Result<u8, Failure> {
    let shared = arguments.shared;
    shared.start_threads()?;
    let threads = shared.thread_count();
    let boards = Boards::new(arguments.boards, arguments.file)?;
    // Threads without a board of their own.
    let permits = Arc::new(ThreadPermits::default());
    let mut options = SolveOptions::default()
        .cancel(&cli::cancel())
        .permits(&permits);
    (options.max_nodes, options.max_time) = (arguments.max_nodes, arguments.max_time);
    let session = Session {
        directory: shared.directory()?,
        status_line: Arc::new(StatusLine::new(!shared.quiet && !shared.json)),
        leading_id: arguments.leading_id,
        notation: arguments.notation,
        all: arguments.all,
        in_list: boards.is_list(),
        options,
        shared,
        solvers: Default::default(),
    };
    session.check_options()?;
    let mut exit = 0;
    let work = |job: Job| (answer_safely(&session, &job), job.active);
    ordered_map(boards, threads, &permits, work, |_, (answer, _active)| {
        exit = exit.max(answer.exit);
        session.print(&answer);
    });
    Ok(if interrupted() {
        EXIT_INTERRUPTED
    } else {
        exit
    })
}

/// A defect must not keep the answers behind it waiting: it becomes an answer itself.
fn answer_safely(session: &Session, job: &Job) -> Answer {
    let answer = catch_unwind(AssertUnwindSafe(|| session.answer(job)));
    answer.unwrap_or_else(|_| {
        Answer::from(Failure::input(
            "the solver failed on this board: this is a defect, please report it",
        ))
    })
}
