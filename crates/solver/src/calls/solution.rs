//! Results of solving a board: solutions, or the reason why there are none.

use std::fmt;
use std::time::Duration;

use puzzle::{Direction, MoveError, Tray, Unsolvable, name_variants, write_letters};

use super::search_request::Side;
use crate::tables::DamagedTable;

/// Method of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Method {
    /// By IDA*: it is a shortest one.
    #[default]
    Search,
    /// Tile by tile, as people do it, or by a quick search that follows the same order.
    Strategic,
    /// By beam search: layer by layer, keeping the most promising boards of each.
    Beam,
    /// By replacing a stretch of a longer solution with a shorter way.
    Window,
}

name_variants! {
    "method", Method { Search: "search", Strategic: "strategic", Beam: "beam", Window: "window" }
}

/// A solution that is shorter than those before, or has a better proved bound: the event of
/// [`SolveOptions::improved`](crate::SolveOptions::improved).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Improvement {
    /// The best solution so far.
    pub solution: Solution,
    /// Time since the call; 0 where there is no clock.
    pub elapsed: Duration,
}

/// A solution, replayed and found to reach the goal. Displayed as its length and the directions of
/// its tiles: `31 moves: LDR2U...`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// The single moves of the tiles.
    pub moves: Vec<Direction>,
    /// Its length in the solver's metric.
    pub length: u32,
    /// No solution is shorter than this.
    pub lower_bound: u32,
    /// Whether no solution is shorter: always, in [`Mode::Optimal`](crate::Mode::Optimal).
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
    /// The length of a shortest one, in the solver's metric.
    pub length: u32,
    /// Number of solutions with 0, 1, 2, ... more moves.
    pub counts: Vec<u64>,
    /// The single moves of the tiles of the first ones: shorter ones first, equally long ones in no
    /// fixed order. Each was replayed and found to reach the goal.
    pub moves: Vec<Vec<Direction>>,
    /// Cost of finding them, including the search for a shortest one.
    pub stats: SearchStats,
}

/// Cost of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct SearchStats {
    /// Generated nodes, over all iterations. What the word means in this project:
    ///
    /// - Every child of an expanded node is generated, pruned or not; the root is not.
    /// - Children that are left out as duplicates are not made and not counted:
    ///   [`SolveOptions::pruning`](crate::SolveOptions::pruning) says which. With
    ///   [`DuplicatePruning::ParentOnly`](crate::DuplicatePruning::ParentOnly), the way of counting
    ///   of most publications, it is the child that undoes the last move; in the multi-tile metric,
    ///   always, those of moves along the same line as the last.
    /// - A child counts when depth-first search comes to it, so not after the solution. Where a
    ///   limit stops a search, or several threads share an iteration, some count too early.
    pub generated: u64,
    /// Expanded nodes: those whose children were generated.
    pub expanded: u64,
    /// The heuristic's value of the board, or of the board seen from its goal where the search
    /// began there.
    pub h0: u32,
    /// The iterations in order, whose sums the counts above are. None where the board is the goal.
    pub iterations: Vec<Iteration>,
}

/// One depth-first search within a bound. A search for a shortest solution has iterations with
/// growing bounds, the first ones perhaps from either side;
/// [`Solver::all_solutions`](crate::Solver::all_solutions) has one more at the end, with the bound
/// of the longest solutions.
///
/// All iterations but the last went through everything within their bounds. In a [`Solution`] the
/// last one ended at the solution, whose length is its bound; in [`LimitReached`] it was stopped,
/// perhaps before its first node. In [`Solutions`] the last one is whole and the one before, if
/// there is one, ended at a shortest solution.
///
/// Counts of whole iterations are the same with any number of threads. Those of one that several
/// threads shared and that ended at a solution vary from search to search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Iteration {
    /// The longest paths that were looked at, in the solver's metric.
    pub bound: u32,
    /// Nodes generated in it, see [`SearchStats::generated`]; `nodes` when serialised.
    #[cfg_attr(feature = "serde", serde(rename = "nodes"))]
    pub generated: u64,
    /// Nodes expanded in it.
    pub expanded: u64,
    /// The side that it was searched from; when serialised only if that is the goal.
    #[cfg_attr(
        feature = "serde",
        serde(default = "Side::start", skip_serializing_if = "Side::is_start")
    )]
    pub side: Side,
}

impl SearchStats {
    /// The costs of iterations together.
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
    /// A shortest solution, where only the search for all others was stopped.
    pub shortest: Option<Solution>,
    /// Cost of all searches.
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

/// A board that was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The board is of another size than the goal.
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
    /// The options' limits were reached first, or the search was cancelled.
    #[error("{0}")]
    Limit(Box<LimitReached>),
    /// [`Side::Goal`] was asked for, and there are no tables for the board seen from its goal.
    #[error(
        "{tables} has no tables of the goal whose blank is in row {row}, column {column}, which a \
         search of this board from its goal needs: add them, or search it from the other side"
    )]
    NoGoalTables {
        /// The name of the heuristic.
        tables: String,
        /// The row of the board's blank, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
    },
    /// Solutions longer than a shortest one were asked for in the multi-tile metric.
    #[error("solutions longer than a shortest one are found in the metric of single moves only")]
    LongerSolutions,
    /// Moves that are to be rated cannot be made.
    #[error(transparent)]
    Moves(#[from] MoveError),
    /// A table is not what its own values imply.
    #[error(transparent)]
    Damaged(#[from] DamagedTable),
}
