//! Request and outcome of a search in either metric.

use puzzle::{Direction, name_variants};

use super::solution::Iteration;

/// Paths that a search of single moves skips because other paths lead to the same arrangements.
/// Displayed and parsed by name: `automaton` or `parent`.
///
/// ```
/// use solver::DuplicatePruning;
/// assert_eq!("parent".parse(), Ok(DuplicatePruning::ParentOnly));
/// assert_eq!(DuplicatePruning::default().to_string(), "automaton");
/// let error = "none".parse::<DuplicatePruning>().unwrap_err().to_string();
/// assert_eq!(error, "pruning `none` is not known: automaton or parent");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum DuplicatePruning {
    /// Prunes strings of 8 to 16 moves that lead to the same arrangement as another string that is
    /// not longer (Taylor & Korf 1993). Generates 25 to 40 % fewer nodes than `parent`.
    #[default]
    Automaton,
    /// Prunes only moves that undo the last move. Most publications count nodes in this way.
    ParentOnly,
}

name_variants! {
    "pruning", DuplicatePruning { Automaton: "automaton", ParentOnly: "parent" }
}

/// The side from which a search begins. Displayed and parsed by name: `auto`, `start` or `goal`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Side {
    /// Searches from both sides while iterations are cheap. After that, only the side with the
    /// lower expected cost searches each bound. Without tables for a search from the goal, searches
    /// only from the start.
    #[default]
    Auto,
    /// The board itself.
    Start,
    /// The goal: searches the inverse of the board, [`puzzle::State::inverse`]. The search fails
    /// with [`SolveError::NoGoalTables`](crate::SolveError::NoGoalTables) if there are no tables
    /// for the inverse.
    Goal,
}

#[cfg(feature = "serde")]
impl Side {
    pub(crate) fn start() -> Side {
        Side::Start
    }

    pub(crate) fn is_start(&self) -> bool {
        *self == Side::Start
    }
}

name_variants! {
    "side", Side { Auto: "auto", Start: "start", Goal: "goal" }
}

/// Solutions that a search must find.
#[derive(Clone, Copy)]
pub(crate) enum Request {
    /// A shortest solution.
    Shortest(DuplicatePruning),
    /// Counts all solutions of up to `length` moves, and keeps the moves of the first `most` of
    /// them. Shorter solutions come first; solutions of equal length are in depth-first order.
    UpTo {
        /// Length limit.
        length: u32,
        /// Proved bound: no solution is shorter.
        shortest: u32,
        /// Maximum number of solutions to keep.
        most: usize,
    },
}

impl Request {
    /// Length limit of a request for all solutions.
    pub(crate) fn longest(self) -> Option<u32> {
        match self {
            Request::Shortest(_) => None,
            Request::UpTo { length, .. } => Some(length),
        }
    }
}

/// Outcome of a search, and its cost.
pub(crate) struct SearchOutcome {
    /// Whether the search ended without reaching a limit.
    pub(crate) is_finished: bool,
    /// The tile moves of the solutions.
    pub(crate) solutions: Vec<Vec<Direction>>,
    /// The side from which the solutions were found.
    pub(crate) side: Side,
    /// Number of solutions of each length.
    pub(crate) lengths: Vec<u64>,
    /// No solution is shorter than this.
    pub(crate) bound: u32,
    pub(crate) h0: u32,
    /// Cost of each iteration, including a stopped one.
    pub(crate) iterations: Vec<Iteration>,
}

/// Numbers of nodes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct NodeCount {
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
}

impl NodeCount {
    /// The difference from an earlier value of the same counter.
    pub(crate) fn since(self, before: NodeCount) -> NodeCount {
        NodeCount {
            generated: self.generated - before.generated,
            expanded: self.expanded - before.expanded,
        }
    }

    /// The cost of an iteration with a bound.
    pub(crate) fn of_iteration(self, side: Side, bound: i32) -> Iteration {
        Iteration {
            side,
            bound: bound as u32,
            generated: self.generated,
            expanded: self.expanded,
        }
    }
}

impl std::ops::AddAssign for NodeCount {
    fn add_assign(&mut self, other: NodeCount) {
        self.generated += other.generated;
        self.expanded += other.expanded;
    }
}
