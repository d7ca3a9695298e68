//! Options and listeners of a search.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pdb_table::{Cancel, Progress};
use puzzle::name_variants;

use super::limits::SearchStatus;
use super::search_request::{DuplicatePruning, Side};
use super::solution::Improvement;
use crate::threads::ThreadPermits;

/// Methods that set options: `name(parameter: type) => field = value;`.
macro_rules! setters {
    ($(
        $(#[$meta:meta])*
        $name:ident($parameter:ident: $type:ty) => $($field:ident).+ = $value:expr;
    )*) => {$(
        $(#[$meta])*
        #[must_use]
        pub fn $name(mut self, $parameter: $type) -> Self {
            self.$($field).+ = $value;
            self
        }
    )*};
}
pub(crate) use setters;

/// Kind of answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Mode {
    /// A proved shortest solution, or none.
    #[default]
    Optimal,
    /// A solution at once, by a method that people can follow, for any tray and without tables.
    /// Several times as long as a shortest one.
    Strategic,
    /// A solution at once, then shorter ones until one is proved optimal or close enough to the
    /// proved lower bound, or a limit is reached.
    Anytime,
}

name_variants! {
    "mode", Mode { Optimal: "optimal", Strategic: "strategic", Anytime: "anytime" }
}

/// Options of solving a board. The default is a shortest solution, without limits, by one thread.
///
/// A search that reaches a limit or is cancelled stops within a few milliseconds and returns the
/// proved bound: [`SolveError::Limit`](crate::SolveError::Limit).
///
/// ```
/// use std::time::Duration;
/// use puzzle::{Board, Goal, HeuristicSpec};
/// use solver::{SolveError, SolveOptions, Solver};
///
/// let goal = Goal::blank_last("4x4".parse()?);
/// let spec = HeuristicSpec::parse("manhattan", &goal)?;
/// let solver = Solver::build(goal, spec)?;
/// // 80 moves: hours with Manhattan distance alone.
/// let board = Board::parse("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1", None)?;
/// let options = SolveOptions::default().max_time(Duration::from_millis(20));
/// let Err(SolveError::Limit(limit)) = solver.solve_with(&board, &options) else { panic!() };
/// assert!(limit.lower_bound >= 60); // what is proved so far
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolveOptions {
    /// Kind of answer.
    pub mode: Mode,
    /// Of [`Mode::Strategic`]: a short solution instead of one that is easy to follow. Takes up to
    /// a tenth of a second on trays of 10x10, up to 2 s on 20x20.
    pub short: bool,
    /// Of [`Mode::Anytime`]: end when a solution is at most this much longer than the proved lower
    /// bound, as a share of the bound: 0.05 for 5 %.
    pub within: Option<f64>,
    /// Of [`Mode::Anytime`]: the most memory to use for a board besides the tables, in bytes; by
    /// default 1 GiB.
    pub max_memory: Option<u64>,
    /// Of [`Mode::Anytime`]: chooses among equals. The same number, board and `max_nodes` give the
    /// same solution with any number of threads.
    pub seed: u64,
    /// Of [`Mode::Anytime`]: listens to shorter solutions, on the thread that began the search.
    pub improved: Option<Arc<dyn Progress<Improvement>>>,
    /// The most nodes to generate ([`SearchStats::generated`](crate::SearchStats::generated)), give
    /// or take some dozens. A search with this limit stays on one thread, so that it always stops
    /// at the same node.
    pub max_nodes: Option<u64>,
    /// The longest time for a board. Bare WebAssembly has a clock only with the feature `web`.
    pub max_time: Option<Duration>,
    /// Stops the search from another thread.
    pub cancel: Cancel,
    /// Listens on the thread that began the search, at the beginning of each iteration and then
    /// about a thousand times a second.
    pub progress: Option<Arc<dyn Progress<SearchStatus>>>,
    /// Threads that search one board, or those of [`Solver::solve_list`](crate::Solver::solve_list)
    /// together. 0 means as many as the machine has cores. With several, lengths stay the same;
    /// node counts, and which shortest solution is found, do not.
    pub threads: usize,
    /// Helper threads shared with other searches, instead of `threads`. Lists do not use them:
    /// their threads help one another.
    pub permits: Option<Arc<ThreadPermits>>,
    /// Which duplicate paths are not searched. Lengths and solutions do not depend on it, node
    /// counts do. The multi-tile metric has one way only.
    pub pruning: DuplicatePruning,
    /// The end of the board that searches begin at. Lengths do not depend on it; node counts, and
    /// which shortest solution is found, do.
    pub side: Side,
}

impl Default for SolveOptions {
    fn default() -> Self {
        SolveOptions {
            mode: Mode::default(),
            short: false,
            within: None,
            max_memory: None,
            seed: 0,
            improved: None,
            max_nodes: None,
            max_time: None,
            cancel: Cancel::default(),
            progress: None,
            threads: 1,
            permits: None,
            pruning: DuplicatePruning::default(),
            side: Side::default(),
        }
    }
}

impl SolveOptions {
    setters! {
        /// Wants this kind of answer.
        mode(mode: Mode) => mode = mode;
    }

    /// The time that [`Self::or_anytime_limit`] gives.
    pub const ANYTIME_LIMIT: Duration = Duration::from_secs(10);

    /// Ends an anytime search that nothing else would end after [`Self::ANYTIME_LIMIT`]. Comes
    /// after other limits, which stay.
    #[must_use]
    pub fn or_anytime_limit(mut self) -> Self {
        let is_limited = self.max_nodes.is_some() || self.within.is_some();
        if self.mode == Mode::Anytime && !is_limited {
            self.max_time = self.max_time.or(Some(Self::ANYTIME_LIMIT));
        }
        self
    }

    setters! {
        /// Requests a short strategic solution. When the call is cancelled or its time is over
        /// before one is found, the solution is the longer one of [`strategic::explain`].
        ///
        /// [`strategic::explain`]: crate::strategic::explain
        short(is_short: bool) => short = is_short;
        /// Ends an anytime search at a solution this close to the proved lower bound, as a share.
        within(share: f64) => within = Some(share);
        /// Limits the memory of an anytime search, in bytes.
        max_memory(bytes: u64) => max_memory = Some(bytes);
        /// Chooses by this number.
        seed(seed: u64) => seed = seed;
        /// Reports each better solution to this listener.
        improved(listener: impl Progress<Improvement> + 'static)
            => improved = Some(Arc::new(listener));
        /// Limits the nodes generated for a board.
        max_nodes(nodes: u64) => max_nodes = Some(nodes);
        /// Limits the time for a board.
        max_time(time: Duration) => max_time = Some(time);
        /// Stops searches by this token.
        cancel(cancel: &Cancel) => cancel = cancel.clone();
        /// Reports to this listener.
        progress(progress: impl Progress<SearchStatus> + 'static)
            => progress = Some(Arc::new(progress));
        /// Searches with this many threads, 0 for all cores.
        threads(threads: usize) => threads = threads;
        /// Takes helper threads from here.
        permits(permits: &Arc<ThreadPermits>) => permits = Some(Arc::clone(permits));
        /// Prunes duplicate paths in this way.
        pruning(pruning: DuplicatePruning) => pruning = pruning;
        /// Searches from this end.
        side(side: Side) => side = side;
    }

    pub(crate) fn thread_count(&self) -> usize {
        number_of_threads(self.threads)
    }

    /// The most threads that search one board: a limit of nodes keeps a search for a shortest
    /// solution on one, and strategic answers take one.
    #[must_use]
    pub fn max_threads(&self) -> usize {
        match (self.mode, self.max_nodes) {
            (Mode::Optimal, Some(_)) | (Mode::Strategic, _) => 1,
            _ => self.thread_count(),
        }
    }
}

/// A number of threads, where 0 stands for all cores, which are counted once per process: on Linux
/// a count takes longer than an easy board.
#[must_use]
pub fn number_of_threads(threads: usize) -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    match threads {
        0 => *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from)),
        number => number,
    }
}
