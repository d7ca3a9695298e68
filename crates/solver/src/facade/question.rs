//! Questions about boards, and answers that need no search.

use std::sync::Arc;

use pdb_table::{Cancel, Progress};
use puzzle::{Board, Goal, Notation};

use super::answer::Answer;
use super::report::Report;
use crate::calls::{Improvement, Mode, Side, SolveOptions, check_board};

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
    pub(super) fn options_for(&self, board: &Board, tables: &str) -> SolveOptions {
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
    pub(super) fn completed(&self, mut answer: Answer, tables: &str) -> Answer {
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
