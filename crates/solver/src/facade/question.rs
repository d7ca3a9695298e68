//! Questions about boards, and what needs no search to answer them.

use std::sync::Arc;

use pdb_table::Progress;
use puzzle::{Board, Goal, Notation};

use super::answer::Answer;
use super::report::Report;
use crate::calls::{Improvement, SolveOptions, check_board, setters};

/// Question about a board: options of solving, and contents of the answer. By default the moves of
/// a shortest solution. [`GivenOptions::question`](crate::GivenOptions::question) makes a checked
/// one.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Question {
    /// The mode, limits and threads of the search. [`Self::improved`] receives better solutions
    /// instead of the options' own listener.
    pub options: SolveOptions,
    /// Notation of moves.
    pub notation: Notation,
    /// All solutions are wanted, not one. For [`Mode::Optimal`](crate::Mode::Optimal).
    pub all: Option<AllSolutions>,
    /// The steps of the solution are wanted. For [`Mode::Strategic`](crate::Mode::Strategic).
    pub explain: bool,
    /// Of [`Mode::Anytime`](crate::Mode::Anytime): receives each better solution, with the status
    /// [`Status::Improved`](crate::Status::Improved), on the thread that began the search.
    pub improved: Option<Arc<dyn Progress<Answer>>>,
}

/// Which of a board's solutions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AllSolutions {
    /// Those with at most this number of additional moves, counted by length; `None` for the
    /// shortest ones alone.
    pub within: Option<u32>,
    /// Number that is written down; 0 if they are only counted.
    pub most: usize,
}

impl AllSolutions {
    /// Number that is written down by default.
    pub const MOST: usize = 1000;
}

impl Question {
    /// A question with these options for the search.
    #[must_use]
    pub fn new(options: SolveOptions) -> Question {
        Question {
            options,
            ..Question::default()
        }
    }

    setters! {
        /// With moves in this notation.
        notation(notation: Notation) => notation = notation;
        /// With a listener to better solutions.
        improved(listener: impl Progress<Answer> + 'static) => improved = Some(Arc::new(listener));
    }
}

impl Question {
    /// The answer about a board that cannot be solved, which takes no tables and no search; `None`
    /// if it can.
    #[must_use]
    pub fn refusal(&self, goal: &Goal, board: &Board) -> Option<Answer> {
        let error = check_board(goal, board).err()?;
        Some(self.completed(Answer::of_error(goal, board, error, self.notation), ""))
    }

    /// The options of a search for this board; the question's listener receives better
    /// solutions.
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

    /// Adds to an answer what every answer to this question has.
    pub(super) fn completed(&self, mut answer: Answer, tables: &str) -> Answer {
        let report = &mut answer.report;
        report.mode = Some(self.options.mode);
        // Without a search no table was asked.
        if report.nodes.is_some() {
            report.threads = Some(self.options.max_threads());
            report.tables = Some(tables.to_owned());
        }
        answer
    }
}
