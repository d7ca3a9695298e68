//! Request and outcome of a search in either metric.

use puzzle::{Direction, name_variants};

use super::solution::Iteration;

/// Which paths a search of single moves leaves out because others lead to the same arrangements.
/// Written and read by its name: `automaton` or `parent`.
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
    /// Strings of up to 12 moves that lead where a string that is not longer leads too (Taylor &
    /// Korf 1993). A quarter to two fifths fewer nodes than with `parent`.
    #[default]
    Automaton,
    /// Only those that undo the last move: the way of counting nodes in most publications.
    ParentOnly,
}

name_variants! {
    "pruning", DuplicatePruning { Automaton: "automaton", ParentOnly: "parent" }
}

/// The end of a board that a search begins at. Written and read by its name: `auto`, `start` or
/// `goal`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Side {
    /// Both while that costs little, then at each bound the side that is expected to need fewer
    /// nodes; the start where there are no tables for the other side.
    #[default]
    Auto,
    /// The board.
    Start,
    /// The board seen from its goal: [`puzzle::State::inverse`].
    /// [`SolveError::NoGoalTables`](crate::SolveError::NoGoalTables) where there are no tables for
    /// it.
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

/// Goal of a search.
#[derive(Clone, Copy)]
pub(crate) enum Request {
    /// A shortest solution.
    Shortest(DuplicatePruning),
    /// All solutions of up to `length` moves, and the moves of the first `most` of them by length,
    /// then depth-first.
    UpTo {
        /// The longest.
        length: u32,
        /// Proved bound: no solution is shorter.
        shortest: u32,
        /// The most to keep.
        most: usize,
    },
}

impl Request {
    /// The length of the longest solution wanted, where all are.
    pub(crate) fn longest(self) -> Option<u32> {
        match self {
            Request::Shortest(_) => None,
            Request::UpTo { length, .. } => Some(length),
        }
    }
}

/// End of a search, and its cost.
pub(crate) struct SearchOutcome {
    /// Whether it came to its end.
    pub(crate) is_finished: bool,
    /// The moves of the tiles of the solutions found.
    pub(crate) solutions: Vec<Vec<Direction>>,
    /// The side that they were found from.
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
    /// Counts since an earlier state of the same count.
    pub(crate) fn since(self, before: NodeCount) -> NodeCount {
        NodeCount {
            generated: self.generated - before.generated,
            expanded: self.expanded - before.expanded,
        }
    }

    /// As the cost of an iteration with a bound.
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
