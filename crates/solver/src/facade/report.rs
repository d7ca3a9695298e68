//! The result for a board as one object, the same for every frontend.

use std::fmt;
use std::time::Duration;

use puzzle::board_text::Note;
use puzzle::{Board, Direction, Goal, Metric, Notation};

use crate::calls::{
    Improvement, Iteration, Method, Mode, SearchStats, Solution, Solutions, SolveError, setters,
};
use crate::strategic::{self, WrittenStep};

/// Outcome of solving a board: the object that `solver --json` prints. Fields that do not apply are
/// `None`, and absent in JSON.
///
/// ```
/// use puzzle::{Board, Goal, HeuristicSpec};
/// use solver::{Question, Solver, Status};
///
/// let board = Board::parse("1 2 3/4 5 6/7 0 8", None)?;
/// let goal = Goal::blank_last(board.tray());
/// let spec = HeuristicSpec::parse("manhattan", &goal)?;
/// let solver = Solver::build(goal, spec)?;
/// let report = solver.answer(&board, &Question::default()).report;
/// assert_eq!((report.status, report.moves.as_deref()), (Status::Solved, Some("L")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Report {
    /// The board, in rows; after a reading error, the input text.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub board: Option<String>,
    /// The outcome.
    pub status: Status,
    /// The requested kind of answer.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mode: Option<Mode>,
    /// Number of moves of the solution, in the requested metric.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub length: Option<u32>,
    /// Whether it is proved that no solution is shorter.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub proved: Option<bool>,
    /// The method that found the solution.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub method: Option<Method>,
    /// The moves, in the requested notation.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub moves: Option<String>,
    /// The steps of a strategic solution, if requested.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub steps: Option<Vec<WrittenStep>>,
    /// Number of shortest solutions.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub count: Option<u64>,
    /// With `within`: numbers of solutions with 0, 1, 2, ... more moves than a shortest one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub counts: Option<Vec<u64>>,
    /// The moves of the listed solutions, shorter ones first; equal lengths are in no fixed order.
    /// `moves` is the first one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub solutions: Option<Vec<String>>,
    /// Generated nodes of all searches: every child of an expanded node, before its estimate is
    /// checked.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub nodes: Option<u64>,
    /// Expanded nodes.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub expanded: Option<u64>,
    /// Time of the search in milliseconds; present whenever `nodes` is.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub ms: Option<f64>,
    /// Value of the heuristic for the board, or for its inverse if the search began there.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub h0: Option<u32>,
    /// Proved lower bound: no solution is shorter.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub bound: Option<u32>,
    /// The iterations of IDA*. In the mode `optimal`, `nodes` and `expanded` are their sums.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub iterations: Option<Vec<Iteration>>,
    /// Maximum number of threads of the search. With several threads, node counts can vary between
    /// searches.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub threads: Option<usize>,
    /// Name of the partition whose tables were used, such as `6-6-3`; present whenever `nodes` is.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub tables: Option<String>,
    /// The numbers of two tiles, the smaller first, whose swap makes an unsolvable board solvable.
    /// Absent if no single swap does, as on some boards of one line.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub swap: Option<[u16; 2]>,
    /// Names of other goals that an unsolvable board can reach.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub reachable_goals: Vec<String>,
    /// Guesses of the reader about the form of the board's text, one sentence each.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub notes: Vec<String>,
    /// A better way to get such an answer, after a long search or a short method that found nothing
    /// shorter than the plain one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub suggestion: Option<String>,
    /// Line number of the board in a list, from 1.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub line: Option<usize>,
    /// Reason why there is no solution, or why the search ended.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub message: Option<String>,
}

/// Outcome of solving a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Status {
    /// Solved as requested.
    Solved,
    /// A better solution was found, and the search continues.
    Improved,
    /// The goal cannot be reached.
    Unsolvable,
    /// Stopped by a limit.
    Limit,
    /// Failed with an error.
    #[default]
    Error,
}

/// A sentence about tables with which hard boards need far fewer nodes than with the tables of a
/// partition, if the difference is worth their size.
#[must_use]
pub fn better_tables(partition: &str) -> Option<&'static str> {
    // The 80-move board of Rosetta Code takes 225 million nodes with 6-6-3, and 5.8 million with
    // 7-8.
    let sentence = "hard boards need 20 to 40 times fewer nodes with the partition 7-8";
    (partition == "6-6-3").then_some(sentence)
}

impl Report {
    /// The solution of a board.
    pub(crate) fn solved(board: &Board, solution: &Solution, notation: Notation) -> Report {
        Report::of(board).with_solution(board, solution, notation)
    }

    /// The report of all solutions of a board. Also sets `count`, `counts` and `solutions`.
    pub(crate) fn all_solutions(board: &Board, found: &Solutions, notation: Notation) -> Report {
        let written = |moves: &Vec<Direction>| board.write_moves(moves, notation).ok();
        let solutions: Vec<String> = found.moves.iter().filter_map(written).collect();
        Report {
            status: Status::Solved,
            length: Some(found.length),
            proved: Some(true),
            method: Some(Method::Search),
            moves: solutions.first().cloned(),
            count: found.counts.first().copied(),
            counts: Some(found.counts.clone()),
            solutions: Some(solutions),
            ..Report::of(board).with_stats(&found.stats, found.length)
        }
    }

    /// The report of a better solution while a search of [`Mode::Anytime`] continues, with the time
    /// since the search began.
    pub(crate) fn improved(board: &Board, improvement: &Improvement, notation: Notation) -> Report {
        let report = Report::solved(board, &improvement.solution, notation);
        Report {
            status: Status::Improved,
            mode: Some(Mode::Anytime),
            ..report.with_time(improvement.elapsed)
        }
    }

    /// The reason why a board has no answer, with a solution if one is known.
    #[must_use]
    pub fn failure(goal: &Goal, board: &Board, error: &SolveError, notation: Notation) -> Report {
        let mut report = Report::of(board);
        report.message = Some(error.to_string());
        match error {
            SolveError::Unsolvable(why) => Report {
                status: Status::Unsolvable,
                message: Some(why.describe(goal, board)),
                reachable_goals: goal
                    .reachable_names(board)
                    .iter()
                    .map(|&name| name.into())
                    .collect(),
                swap: why.swap_numbers(goal),
                ..report
            },
            SolveError::Limit(limit) => {
                if let Some(shortest) = &limit.shortest {
                    report = report.with_solution(board, shortest, notation);
                }
                Report {
                    status: Status::Limit,
                    ..report.with_stats(&limit.stats, limit.lower_bound)
                }
            }
            _ => report,
        }
    }

    /// An error of the input or of a table.
    #[must_use]
    pub fn error(message: impl fmt::Display) -> Report {
        Report {
            message: Some(message.to_string()),
            ..Report::default()
        }
    }

    setters! {
        /// Adds the requested mode.
        with_mode(mode: Mode) => mode = Some(mode);
        /// Adds the solving time.
        with_time(time: Duration) => ms = Some((time.as_secs_f64() * 1e6).round() / 1e3);
        /// Adds the board's line number in a list, from 1.
        with_line(line: usize) => line = Some(line);
        /// Adds the guesses of the reader about the form of the board's text.
        with_notes(notes: &[Note]) => notes = notes.iter().map(Note::to_string).collect();
    }

    /// Adds the steps of the human method, if this method solves the board. The lengths of the
    /// steps are in `metric`.
    pub(crate) fn with_strategic_steps(
        self,
        goal: &Goal,
        metric: Metric,
        board: &Board,
        notation: Notation,
    ) -> Report {
        let state = goal.state(board);
        let found = state.and_then(|state| strategic::explain(goal, &state));
        let steps = found.and_then(|found| found.write(board, metric, notation).ok());
        Report {
            steps: steps.or(self.steps),
            ..self
        }
    }

    /// Turns the report into an error if it contradicts `known`, the length that a list states for
    /// its board. In optimal mode `known` must equal the solution's length, in other modes it must
    /// not be below the proved bound.
    #[must_use]
    pub fn compared_with(self, known: Option<u32>) -> Report {
        let (Some(known), Some(found)) = (known, self.length) else {
            return self;
        };
        let message = match self.bound {
            _ if self.mode == Some(Mode::Optimal) && known != found => {
                format!("solved in {found} moves, but the line says {known}")
            }
            Some(bound) if self.mode != Some(Mode::Optimal) && known < bound => {
                format!("no solution is shorter than {bound} moves, but the line says {known}")
            }
            _ => return self,
        };
        Report {
            status: Status::Error,
            message: Some(message),
            ..self
        }
    }

    fn of(board: &Board) -> Report {
        Report {
            board: Some(board.to_string()),
            ..Report::default()
        }
    }

    fn with_stats(self, stats: &SearchStats, bound: u32) -> Report {
        Report {
            nodes: Some(stats.generated),
            expanded: Some(stats.expanded),
            h0: Some(stats.h0),
            bound: Some(bound),
            iterations: Some(stats.iterations.clone()),
            ..self
        }
    }

    fn with_solution(self, board: &Board, solution: &Solution, notation: Notation) -> Report {
        Report {
            status: Status::Solved,
            length: Some(solution.length),
            proved: Some(solution.is_optimal),
            method: Some(solution.method),
            moves: board.write_moves(&solution.moves, notation).ok(),
            ..self.with_stats(&solution.stats, solution.lower_bound)
        }
    }
}
