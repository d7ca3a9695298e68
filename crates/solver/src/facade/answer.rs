//! Complete answers about boards, the same for every frontend.

use puzzle::board_text::Note;
use puzzle::{Board, Direction, Goal, Notation};

use super::report::Report;
use crate::calls::{SolveError, setters};

/// The answer to a [`Question`](crate::Question) about a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The complete answer, as the object that `solver --json` prints.
    pub report: Report,
    /// The report's solution as single moves of tiles, if the report contains a solution.
    pub moves: Option<Vec<Direction>>,
    /// Reason why there is no answer of the requested kind.
    pub error: Option<SolveError>,
}

/// Advice on a board, with the name of its tables.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "{T}"))]
#[non_exhaustive]
pub struct Advice<T> {
    /// The board, in rows.
    pub board: String,
    /// In ratings: the judged moves, as they were given.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub moves: Option<String>,
    /// Name of the partition whose tables were used.
    pub tables: String,
    /// Guesses of the reader about the form of the board's text, one sentence each.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub notes: Vec<String>,
    /// The advice.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub found: T,
}

impl<T> Advice<T> {
    setters! {
        /// Adds the guesses of the reader about the form of the board's text.
        with_notes(notes: &[Note]) => notes = notes.iter().map(Note::to_string).collect();
    }
}

impl Answer {
    /// The answer of a call that failed.
    #[must_use]
    pub fn of_error(goal: &Goal, board: &Board, error: SolveError, notation: Notation) -> Answer {
        Answer {
            report: Report::failure(goal, board, &error, notation),
            moves: match &error {
                SolveError::Limit(limit) => {
                    limit.shortest.as_ref().map(|found| found.moves.clone())
                }
                _ => None,
            },
            error: Some(error),
        }
    }
}
