//! The input and the result of a search.

use puzzle::Direction;

use super::counts::Counts;
use super::limit::Limit;
use crate::heuristic::AnyHeuristic;
use crate::position::Position;

/// Input of a search: a solvable board and the heuristics.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The board.
    pub start: &'a Position,
    /// The heuristic of the goal.
    pub heuristic: &'a dyn AnyHeuristic,
    /// The heuristic of the backward search, created for a goal whose blank is on the cell
    /// `start.blank()`. Only bidirectional search uses it; with `None` the backward heuristic is 0.
    pub backward: Option<&'a dyn AnyHeuristic>,
    /// The order in which the blank's moves are tried.
    pub order: [Direction; 4],
}

/// Result of a search, and its cost.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchRun {
    /// The moves of the tiles, or the limit reached.
    pub outcome: Result<Vec<Direction>, Limit>,
    /// Node counts.
    pub counts: Counts,
}

/// Result and node counts of a search. The result contains the blank's cells from the start to the
/// goal, or the limit that stopped the search.
pub(crate) type Outcome = (Result<Vec<u8>, Limit>, Counts);
