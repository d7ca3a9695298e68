//! Results of solving a board: solutions, or the reason why there are none.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use pdb_table::{Code, codes};
use puzzle::{Direction, MoveError, Tray, Unsolvable, name_variants, write_letters};

use super::Side;
use crate::tables::DamagedTable;

/// Search method that found a solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Method {
    /// IDA*: the solution is a shortest one.
    #[default]
    Search,
    /// Strategic method: places tile by tile, as people do, or uses a beam search with the same
    /// order of steps.
    Strategic,
    /// Beam search: keeps the most promising boards of each layer.
    Beam,
    /// A stretch of a longer solution was replaced with a shorter path.
    Window,
}

name_variants! {
    "method", Method { Search: "search", Strategic: "strategic", Beam: "beam", Window: "window" }
}

/// Event of [`SolveOptions::improved`](crate::SolveOptions::improved): the first solution of a
/// call, or a shorter one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Improvement {
    /// The best solution so far.
    pub solution: Solution,
    /// Time since the call began; 0 if the platform has no clock.
    pub elapsed: Duration,
}

/// A solution, replayed to check that it reaches the goal. Displayed as its length and the
/// directions of its tiles: `31 moves: LDR2U...`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// The single moves of the tiles.
    pub moves: Vec<Direction>,
    /// The solution's length in the solver's metric.
    pub length: u32,
    /// No solution is shorter than this.
    pub lower_bound: u32,
    /// Whether the solution is proved optimal; always true in
    /// [`Mode::Optimal`](crate::Mode::Optimal).
    pub is_optimal: bool,
    /// Method of the solution.
    pub method: Method,
    /// Cost of the search.
    pub stats: SearchStats,
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.length == 1 { "" } else { "s" };
        let moves = write_letters(&self.moves);
        write!(f, "{} move{plural}: {moves}", self.length)
    }
}

/// Solutions of a board: see [`Solver::all_solutions`](crate::Solver::all_solutions).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Solutions {
    /// The length of a shortest solution, in the solver's metric.
    pub length: u32,
    /// Number of solutions with 0, 1, 2, ... moves more than a shortest one.
    pub counts: Vec<u64>,
    /// The listed solutions, as single moves of tiles, sorted by length. Solutions of equal length
    /// are in no fixed order. Each solution was replayed to check that it reaches the goal.
    pub moves: Vec<Vec<Direction>>,
    /// Total cost, including the search for a shortest solution.
    pub stats: SearchStats,
}

/// Cost of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct SearchStats {
    /// Generated nodes, over all iterations, counted as follows:
    ///
    /// - Every child of an expanded node is counted, even if its estimate exceeds the bound. The
    ///   root is not counted.
    /// - Children left out as duplicates ([`SolveOptions::pruning`](crate::SolveOptions::pruning))
    ///   are not counted. [`DuplicatePruning::ParentOnly`](crate::DuplicatePruning::ParentOnly)
    ///   leaves out only the child that undoes the last move; most publications count in this way.
    ///   The multi-tile metric always leaves out moves along the same line as the last move.
    /// - A child is counted when depth-first search reaches it, so children after the solution are
    ///   not counted. There are two exceptions. In a search that a limit stops, and in an iteration
    ///   that several threads share, some children are counted before the search reaches them.
    pub generated: u64,
    /// Expanded nodes: those whose children were generated.
    pub expanded: u64,
    /// The heuristic's value of the board. If the search began at the goal, the value of the
    /// inverse of the board ([`puzzle::State::inverse`]).
    pub h0: u32,
    /// The iterations in order; the counts above are their sums. Empty if the board is the goal.
    pub iterations: Vec<Iteration>,
}

/// One depth-first search within a bound. A search for a shortest solution consists of iterations
/// with growing bounds. To compare the sides, the other side may search some of these bounds, too.
/// [`Solver::all_solutions`](crate::Solver::all_solutions) adds one iteration, with the bound of
/// the longest solutions.
///
/// An iteration is complete if it searched all paths within its bound. Two kinds of iterations are
/// not complete:
///
/// - The last iteration of a search for a shortest solution, if it found one: it ended at this
///   solution, and its bound is the solution's length.
/// - An iteration that was stopped, possibly before its first node. In [`LimitReached`] it is the
///   last one.
///
/// Counts of complete iterations are the same with any number of threads. Counts of an iteration
/// that several threads shared and that ended at a solution can vary between runs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Iteration {
    /// Length limit of the searched paths, in the solver's metric.
    pub bound: u32,
    /// Generated nodes, as in [`SearchStats::generated`].
    #[cfg_attr(feature = "serde", serde(rename = "nodes"))]
    pub generated: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// The side of the search. In JSON it is absent unless it is the goal.
    #[cfg_attr(
        feature = "serde",
        serde(default = "Side::start", skip_serializing_if = "Side::is_start")
    )]
    pub side: Side,
}

impl SearchStats {
    /// The sum of the iterations' costs.
    pub(crate) fn new(h0: u32, iterations: Vec<Iteration>) -> SearchStats {
        SearchStats {
            generated: iterations.iter().map(|iteration| iteration.generated).sum(),
            expanded: iterations.iter().map(|iteration| iteration.expanded).sum(),
            h0,
            iterations,
        }
    }
}

/// Proved bound of a search that a limit stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LimitReached {
    /// No solution is shorter than this, in the solver's metric.
    pub lower_bound: u32,
    /// A shortest solution, if the search for it was finished and only the search for all solutions
    /// was stopped.
    pub shortest: Option<Solution>,
    /// Total cost of all searches.
    pub stats: SearchStats,
}

impl LimitReached {
    pub(crate) fn error(
        lower_bound: u32,
        shortest: Option<Solution>,
        stats: SearchStats,
    ) -> SolveError {
        SolveError::Limit(Box::new(LimitReached {
            lower_bound,
            shortest,
            stats,
        }))
    }
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, bound) = (self.stats.generated, self.lower_bound);
        write!(f, "stopped after {nodes} nodes: ")?;
        match self.shortest {
            None => {
                let moves = if bound == 1 { "move" } else { "moves" };
                write!(f, "no solution is shorter than {bound} {moves}")
            }
            Some(_) => write!(
                f,
                "{bound} moves are proved optimal, but not all solutions were counted"
            ),
        }
    }
}

/// Reason why a record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct RecordError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, and the way out.
    pub reason: String,
}

/// Reason why a board was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The board and the goal have different sizes.
    #[error("the board is {found}, but the goal is {expected}")]
    Size {
        /// The board's size.
        found: Tray,
        /// The goal's size.
        expected: Tray,
    },
    /// The goal cannot be reached.
    #[error("{0}")]
    Unsolvable(Unsolvable),
    /// A limit of the options was reached before the board was solved, or the search was cancelled.
    #[error("{0}")]
    Limit(Box<LimitReached>),
    /// [`Side::Goal`] was requested, but there are no tables for the inverse of the board.
    #[error(
        "{tables} has no tables of the goal with the blank in row {row}, column {column}: add \
         them, or search this board from the other side"
    )]
    NoGoalTables {
        /// The name of the heuristic.
        tables: String,
        /// The row of the board's blank, from 1.
        row: usize,
        /// The column of the board's blank, from 1.
        column: usize,
    },
    /// Solutions longer than a shortest one were requested in the multi-tile metric.
    #[error("solutions longer than a shortest one can be found only in the metric of single moves")]
    LongerSolutions,
    /// The moves to be rated cannot be made on the board.
    #[error(transparent)]
    Moves(#[from] MoveError),
    /// The values of a table contradict each other.
    #[error(transparent)]
    Damaged(#[from] DamagedTable),
    /// The record of the search cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
}

codes! {
    SolveError {
        SolveError::Unsolvable(_) => Code::Unsolvable,
        SolveError::Limit(_) => Code::Limit,
        SolveError::Damaged(_) | SolveError::NoGoalTables { .. } => Code::Table,
        SolveError::Record(_) => Code::Table,
        _ => Code::Input,
    }
}
