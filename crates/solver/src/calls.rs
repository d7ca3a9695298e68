//! Requests, limits and results of searches.

mod options;
mod record;
mod solution;

use std::sync::atomic::{AtomicBool, Ordering};

use pdb_table::{Cancel, Progress};
use puzzle::{Board, Direction, Goal, Metric, State, name_variants};

use crate::machine::{HAS_CLOCK, Instant};
use crate::threads::ThreadPermits;

pub(crate) use options::setters;
pub use options::{Mode, SolveOptions, number_of_threads};
pub(crate) use record::{Finished, SearchRecord, TaskKey};
pub use solution::{
    Improvement, Iteration, LimitReached, Method, RecordError, SearchStats, Solution, Solutions,
    SolveError,
};

/// One call with its options, its deadline, and the threads that it may start.
pub(crate) struct Call<'a> {
    pub(crate) options: &'a SolveOptions,
    pub(crate) deadline: Option<Instant>,
    helpers: ThreadPermits,
}

impl<'a> Call<'a> {
    pub(crate) fn begin(options: &'a SolveOptions) -> Self {
        // A time limit beyond the range of the clock has no effect.
        let end = |time| Instant::now().checked_add(time);
        Call {
            options,
            deadline: options.max_time.filter(|_| HAS_CLOCK).and_then(end),
            helpers: ThreadPermits::new(options.thread_count() - 1),
        }
    }

    /// The limits of one search of the call. Earlier searches generated `generated` nodes.
    pub(crate) fn limits(&self, generated: u64) -> Limits<'_> {
        let options = self.options;
        let left = |most: u64| most.saturating_sub(generated);
        Limits {
            nodes: options.max_nodes.map(left),
            deadline: self.deadline,
            cancel: Some(&options.cancel),
            progress: options.progress.as_deref(),
            permits: Some(self.permits()),
            side: options.side,
            ..Limits::default()
        }
    }

    pub(crate) fn permits(&self) -> &ThreadPermits {
        self.options.permits.as_deref().unwrap_or(&self.helpers)
    }

    /// Whether the call must end, because it was cancelled or its time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.options.cancel.is_cancelled() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// Limits and listeners of one search; by default none.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limits<'a> {
    pub(crate) nodes: Option<u64>,
    /// Time at which the search must stop. Without a deadline the clock is never read.
    pub(crate) deadline: Option<Instant>,
    pub(crate) cancel: Option<&'a Cancel>,
    pub(crate) progress: Option<&'a dyn Progress<SearchStatus>>,
    /// Threads that may help a long search.
    pub(crate) permits: Option<&'a ThreadPermits>,
    /// Proved bound at the start: no solution is shorter.
    pub(crate) from: u32,
    /// Upper limit: the search ends when no solution shorter than this length is possible.
    pub(crate) until: Option<u32>,
    /// Side from which the board is searched.
    pub(crate) side: Side,
    /// Record of this search: finished tasks are skipped, and new ones are added.
    pub(crate) record: Option<&'a SearchRecord>,
    /// Whether another thread has ended this search.
    pub(crate) ended: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// Whether a search up to this bound could only find solutions that are too long.
    pub(crate) fn is_too_long(&self, bound: u32) -> bool {
        self.until.is_some_and(|until| bound >= until)
    }

    /// Whether any limit has been reached. Also reports the status to the listener.
    pub(crate) fn is_over(&self, status: &SearchStatus) -> bool {
        if let Some(progress) = self.progress {
            progress.report(status);
        }
        self.nodes.is_some_and(|most| status.generated >= most)
            || self.cancel.is_some_and(Cancel::is_cancelled)
            || self.record.is_some_and(SearchRecord::has_failed)
            || self
                .ended
                .is_some_and(|ended| ended.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// Status of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchStatus {
    /// The iteration's bound: no solution is shorter.
    pub bound: u32,
    /// Nodes generated so far, in all iterations, as defined at
    /// [`SearchStats::generated`](crate::SearchStats).
    pub generated: u64,
    /// Nodes generated in this iteration.
    pub in_iteration: u64,
    /// Nodes of the two previous iterations, the latest first; 0 if there are fewer iterations.
    pub last: [u64; 2],
    /// Number of working threads.
    pub threads: usize,
    /// Maximum length of the requested solutions, in a search for all solutions.
    pub longest: Option<u32>,
}

impl SearchStatus {
    /// Expected nodes of this iteration if it finds no solution: the nodes of the previous
    /// iteration, multiplied by the growth factor between the two previous iterations. `None` in
    /// the first two iterations.
    #[must_use]
    pub fn expected(&self) -> Option<u64> {
        let [last, before] = self.last;
        let growth = (before > 0).then(|| last as f64 / before as f64)?;
        Some((last as f64 * growth) as u64)
    }
}

pub(crate) struct Problem<'a> {
    pub(crate) goal: &'a Goal,
    pub(crate) metric: Metric,
    pub(crate) board: &'a Board,
    /// The board relative to the goal.
    pub(crate) state: State,
}

impl<'a> Problem<'a> {
    /// Checks that the board can be solved.
    pub(crate) fn new(
        goal: &'a Goal,
        metric: Metric,
        board: &'a Board,
    ) -> Result<Self, SolveError> {
        let state = check_board(goal, board)?;
        Ok(Problem {
            goal,
            metric,
            board,
            state,
        })
    }

    /// Whether the moves lead to the goal. Every answer is replayed, so the returned moves solve
    /// the board even if a table is wrong.
    pub(crate) fn is_solved_by(&self, moves: &[Direction]) -> bool {
        let end = self.board.play(moves);
        end.is_ok_and(|end| end == *self.goal.board())
    }

    /// A solution with these moves and this proved lower bound.
    pub(crate) fn solution(
        &self,
        moves: Vec<Direction>,
        method: Method,
        lower_bound: u32,
    ) -> Solution {
        Solution {
            length: self.metric.length(&moves) as u32,
            moves,
            lower_bound,
            is_optimal: false,
            method,
            stats: SearchStats::default(),
        }
    }
}

/// Checks that a board can be solved. Needs no tables. Returns the board relative to the goal.
///
/// # Errors
/// [`SolveError::Size`] and [`SolveError::Unsolvable`].
pub fn check_board(goal: &Goal, board: &Board) -> Result<State, SolveError> {
    let (found, expected) = (board.tray(), goal.tray());
    let state = goal.state(board);
    let state = state.ok_or(SolveError::Size { found, expected })?;
    state.check_solvable().map_err(SolveError::Unsolvable)?;
    Ok(state)
}

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
