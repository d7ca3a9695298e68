//! Interface for frontends: solvers, questions about boards, and complete answers.

mod estimates;
mod probe;
mod report;
#[cfg(feature = "scramble")]
mod sample;
mod solver;
mod summary;

use pdb_table::{Cancel, Progress};
use puzzle::board_text::Note;
use puzzle::{Board, Direction, Goal, Notation};

use crate::calls::{Improvement, Mode, Side, SolveError, SolveOptions, check_board, setters};

#[cfg(feature = "scramble")]
pub use sample::EstimateSample;
use std::sync::Arc;

pub use estimates::EstimatesError;
pub use probe::{Probe, ProbedPart, ProbedView};
pub use report::{Report, Status, better_tables};
pub use solver::{Solver, SolverError};
pub use summary::{Spread, Summary};

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

/// Question about a board: the options of the search, and the contents of the requested answer. The
/// default asks for the moves of a shortest solution.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Question {
    /// The mode, limits and threads of the search. Better solutions are reported to
    /// [`Self::improved`], not to the options' own listener.
    pub options: SolveOptions,
    /// Notation of moves.
    pub notation: Notation,
    /// Requests all solutions instead of one. For [`Mode::Optimal`](crate::Mode::Optimal).
    pub all: Option<AllSolutions>,
    /// Requests the steps of the solution. For [`Mode::Strategic`](crate::Mode::Strategic).
    pub explain: bool,
    /// For [`Mode::Anytime`](crate::Mode::Anytime): listener that receives an answer with the
    /// status [`Status::Improved`](crate::Status::Improved) for each better solution. It is called
    /// on the thread that began the search.
    pub improved: Option<Arc<dyn Progress<Answer>>>,
}

/// Requested set of a board's solutions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AllSolutions {
    /// Counts, separately for each length, the solutions that exceed a shortest one by at most this
    /// number of moves. `None` counts only the shortest solutions.
    pub within: Option<u32>,
    /// Maximum number of solutions to write; 0 to only count them.
    pub most: usize,
}

impl AllSolutions {
    /// Default maximum number of solutions to write.
    pub const MOST: usize = 1000;
}

impl Question {
    /// A question with these search options.
    #[must_use]
    pub fn new(options: SolveOptions) -> Question {
        Question {
            options,
            ..Question::default()
        }
    }

    /// Kind of answer.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.options.mode
    }

    /// The side from which searches begin.
    #[must_use]
    pub fn side(&self) -> Side {
        self.options.side
    }

    /// The token that stops the searches.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.options.cancel
    }

    /// Number of threads that solve a list of boards together; 0 in the options is resolved.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.options.thread_count()
    }

    /// Returns the answer for a board that cannot be solved, or `None` if the board can be solved.
    /// Needs neither tables nor a search.
    #[must_use]
    pub fn refusal(&self, goal: &Goal, board: &Board) -> Option<Answer> {
        let error = check_board(goal, board).err()?;
        Some(self.completed(Answer::of_error(goal, board, error, self.notation), ""))
    }

    /// The search options for this board, with better solutions passed to the question's listener.
    fn options_for(&self, board: &Board, tables: &str) -> SolveOptions {
        let options = self.options.clone();
        let Some(hear) = self.improved.clone() else {
            return options;
        };
        let (question, board, tables) = (self.clone(), board.clone(), tables.to_owned());
        options.improved(move |better: &Improvement| {
            let answer = Answer {
                report: Report::improved(&board, better, question.notation),
                moves: Some(better.solution.moves.clone()),
                error: None,
            };
            hear.report(&question.completed(answer, &tables));
        })
    }

    /// Adds the fields that every answer to this question has.
    fn completed(&self, mut answer: Answer, tables: &str) -> Answer {
        let report = &mut answer.report;
        report.mode = Some(self.options.mode);
        // If there was no search, no table was used.
        if report.nodes.is_some() {
            report.threads = Some(self.options.max_threads());
            report.tables = Some(tables.to_owned());
        }
        answer
    }
}
