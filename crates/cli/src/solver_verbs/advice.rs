//! Advice for `hint` and `rate`: the request and its JSON object.

use std::time::Duration;

use command::words::with_fields;
use command::{Failure, SharedArgs, print_line};
use puzzle::{Board, Goal};
use serde_json::Value;
use solver::{Mode, SolveError, SolveOptions, Solver};

use crate::answer::{can_be_solved, outcome, print_unsolved};
use crate::opener::Opener;
use crate::search::SearchArgs;

/// A hint or a rating, and the heuristic used for it.
pub(crate) struct AdviceResult<T> {
    pub(crate) found: T,
    /// The name of the heuristic.
    tables: String,
    pub(crate) shared: SharedArgs,
}

/// Requests advice on a board. `max_time` is the default time limit for large boards. If there is
/// no advice, prints the reason and returns `None`.
pub(crate) fn ask<T>(
    shared: SharedArgs,
    search: &SearchArgs,
    (goal, board): (&Goal, &Board),
    max_time: Duration,
    ask: impl FnOnce(&Solver, &SolveOptions) -> Result<T, SolveError>,
) -> Result<Option<AdviceResult<T>>, Failure> {
    if !can_be_solved(&shared, goal, board)? {
        return Ok(None);
    }
    let opener = Opener::new(Mode::Anytime, shared, search.open.clone(), false)?;
    let opener = opener.with_side(search.side);
    let solver = opener.open(goal)?;
    let options = search.advice_options(board.tray(), max_time);
    let options = options.threads(opener.shared.thread_count());
    let options = options.progress(opener.status_line.watch(None));
    match outcome(ask(&solver, &options))? {
        Ok(found) => Ok(Some(AdviceResult {
            found,
            tables: solver.spec().name().to_owned(),
            shared: opener.shared,
        })),
        Err(error) => {
            print_unsolved(&opener.shared, goal, board, error);
            Ok(None)
        }
    }
}

impl<T> AdviceResult<T> {
    /// Prints an object: the request, the answer, and the name of the heuristic.
    pub(crate) fn print_object(&self, request: Value, mut answer: Value) {
        answer["tables"] = self.tables.as_str().into();
        print_line(with_fields(request, answer));
    }
}
