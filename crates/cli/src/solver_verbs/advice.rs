//! What `hint` and `rate` have in common: how advice is asked for, and its object.

use std::time::Duration;

use command::{Failure, SharedArgs, print_line};
use puzzle::{Board, Goal};
use serde_json::Value;
use solver::{Mode, SolveError, SolveOptions, Solver};

use crate::answer::{can_be_solved, outcome, print_unsolved};
use crate::opener::Opener;
use crate::search::SearchArgs;

/// Advice, and what it rests on.
pub(crate) struct Advice<T> {
    pub(crate) found: T,
    /// The name of the heuristic.
    tables: String,
    pub(crate) shared: SharedArgs,
}

/// Asks for advice on a board; boards that are too large to prove most of get `max_time` where no
/// limit was given. `None` after saying why there is none.
pub(crate) fn ask<T>(
    shared: SharedArgs,
    search: &SearchArgs,
    (goal, board): (&Goal, &Board),
    max_time: Duration,
    ask: impl FnOnce(&Solver, &SolveOptions) -> Result<T, SolveError>,
) -> Result<Option<Advice<T>>, Failure> {
    if !can_be_solved(&shared, goal, board)? {
        return Ok(None);
    }
    let opener = Opener::for_mode(Mode::Anytime, shared, search.open.clone(), false)?;
    let solver = opener.open(board.tray())?;
    let options = search.advice_options(board.tray(), max_time);
    let options = options.threads(opener.shared.thread_count());
    let options = options.progress(opener.status_line.watch(None));
    match outcome(ask(&solver, &options))? {
        Ok(found) => Ok(Some(Advice {
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

impl<T> Advice<T> {
    /// Prints an object: what was asked, what was found, and the name of the heuristic.
    pub(crate) fn print_object(&self, mut asked: Value, mut found: Value) {
        found["tables"] = self.tables.as_str().into();
        if let (Some(asked), Some(found)) = (asked.as_object_mut(), found.as_object_mut()) {
            asked.append(found);
        }
        print_line(asked);
    }
}
