//! Options and listeners of a search.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pdb_table::{Cancel, Progress};
use puzzle::name_variants;

use super::solution::Improvement;
use super::{DuplicatePruning, SearchStatus, Side};
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Mode {
    /// A proved shortest solution, or none.
    #[default]
    Optimal,
    /// An immediate solution by a method that people can follow, for any tray and without tables.
    /// The solution is several times as long as a shortest one.
    Strategic,
    /// An immediate solution, then shorter ones until one is proved optimal or close enough to the
    /// proved lower bound, or a limit is reached.
    Anytime,
}

name_variants! {
    "mode", Mode { Optimal: "optimal", Strategic: "strategic", Anytime: "anytime" }
}

/// Options of a search. The default is a shortest solution, without limits, on one thread.
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
/// assert!(limit.lower_bound >= 60); // the bound proved so far
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct SolveOptions {
    pub(crate) mode: Mode,
    pub(crate) short: bool,
    pub(crate) within: Option<f64>,
    pub(crate) max_memory: Option<u64>,
    pub(crate) seed: u64,
    pub(crate) improved: Option<Arc<dyn Progress<Improvement>>>,
    pub(crate) max_nodes: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) cancel: Cancel,
    pub(crate) progress: Option<Arc<dyn Progress<SearchStatus>>>,
    /// By default 1; 0 stands for all cores.
    pub(crate) threads: Option<usize>,
    pub(crate) permits: Option<Arc<ThreadPermits>>,
    pub(crate) pruning: DuplicatePruning,
    pub(crate) side: Side,
    pub(crate) at_least: Option<u32>,
    pub(crate) record: Option<PathBuf>,
    pub(crate) recheck: Option<u32>,
}

impl SolveOptions {
    /// Time limit that [`Self::or_anytime_limit`] sets.
    pub const ANYTIME_LIMIT: Duration = Duration::from_secs(10);

    setters! {
        /// Sets the kind of answer.
        mode(mode: Mode) => mode = mode;
        /// For [`Mode::Strategic`]: requests a short solution instead of one that is easy to follow.
        /// The search takes up to 0.1 s on 10x10 trays, up to 2 s on 20x20. If the call is cancelled
        /// or its time is over before such a solution is found, the result is the longer solution
        /// of [`strategic::explain`].
        ///
        /// [`strategic::explain`]: crate::strategic::explain
        short(is_short: bool) => short = is_short;
        /// For [`Mode::Anytime`]: ends the search when its solution exceeds the proved lower bound
        /// by at most this share of the bound, such as 0.05 for 5 %.
        within(share: impl Into<Option<f64>>) => within = share.into();
        /// For [`Mode::Anytime`]: limits the memory per board besides the tables, in bytes. The
        /// default is 1 GiB.
        max_memory(bytes: impl Into<Option<u64>>) => max_memory = bytes.into();
        /// For [`Mode::Anytime`]: sets the seed that breaks ties. The same seed, board and
        /// `max_nodes` produce the same solution with any number of threads.
        seed(seed: u64) => seed = seed;
        /// For [`Mode::Anytime`]: reports each better solution to this listener, which is called on
        /// the thread that began the search.
        improved(listener: impl Progress<Improvement> + 'static)
            => improved = Some(Arc::new(listener));
        /// Limits the nodes generated for a board
        /// ([`SearchStats::generated`](crate::SearchStats::generated)). The search stops within a
        /// few dozen nodes of this limit. A search for a shortest solution with this limit uses one
        /// thread, so it always stops at the same node.
        max_nodes(nodes: impl Into<Option<u64>>) => max_nodes = nodes.into();
        /// Limits the time for a board. Bare WebAssembly has a clock only with the feature `web`.
        max_time(time: impl Into<Option<Duration>>) => max_time = time.into();
        /// Stops searches when this token is cancelled, which another thread can do.
        cancel(cancel: &Cancel) => cancel = cancel.clone();
        /// Reports the status to this listener, which is called on the thread that began the
        /// search: at the beginning of each iteration, then about a thousand times per second.
        progress(progress: impl Progress<SearchStatus> + 'static)
            => progress = Some(Arc::new(progress));
        /// Searches one board with this many threads, 0 for all cores; in
        /// [`Solver::solve_list`](crate::Solver::solve_list), all boards together. With several
        /// threads lengths stay the same, but node counts and the chosen shortest solution can vary.
        threads(threads: usize) => threads = Some(threads);
        /// Uses helper threads from these permits, which several searches can share, instead of
        /// `threads`. [`Solver::solve_list`](crate::Solver::solve_list) ignores the permits, because
        /// its threads help one another.
        permits(permits: &Arc<ThreadPermits>) => permits = Some(Arc::clone(permits));
        /// Sets the kind of duplicate paths that a search prunes. Affects node counts, not lengths
        /// or solutions. Has no effect in the multi-tile metric.
        pruning(pruning: DuplicatePruning) => pruning = pruning;
        /// Sets the side from which searches begin. Affects node counts and the chosen shortest
        /// solution, not lengths.
        side(side: Side) => side = side;
        /// For [`Mode::Optimal`]: ends the search with [`SolveError::Limit`] when it has proved that
        /// every solution has at least this number of moves.
        ///
        /// [`SolveError::Limit`]: crate::SolveError::Limit
        at_least(moves: impl Into<Option<u32>>) => at_least = moves.into();
        /// For [`Mode::Optimal`] in the metric of single moves, with the feature `file`: records the
        /// finished parts of a long search in this file, some hundred bytes per million nodes. A
        /// search with the same board, tables and version skips these parts, so a search that was
        /// killed at any moment goes on. All searches of a record begin at the start. With one
        /// thread, length and node counts are those of a search that was never killed. Use a file
        /// for one search at a time.
        record(path: impl Into<Option<PathBuf>>) => record = path.into();
        /// With [`Self::record`]: searches every part whose number is a multiple of `every` again
        /// if the record contains it. The search ends with [`SolveError::Record`] if its nodes
        /// differ from those of the record.
        ///
        /// [`SolveError::Record`]: crate::SolveError::Record
        recheck(every: impl Into<Option<u32>>) => recheck = every.into();
    }

    /// Sets the time limit [`Self::ANYTIME_LIMIT`] if an anytime search has no other limit. Set
    /// other limits before this call.
    #[must_use]
    pub fn or_anytime_limit(mut self) -> Self {
        let is_limited = self.max_nodes.is_some() || self.within.is_some();
        if self.mode == Mode::Anytime && !is_limited {
            self.max_time = self.max_time.or(Some(Self::ANYTIME_LIMIT));
        }
        self
    }

    /// Sets the memory limit to half of the free memory, if neither memory nor nodes are limited
    /// and the system reports the free memory. Call this after the tables are open.
    #[must_use]
    #[cfg_attr(not(feature = "file"), allow(unused_mut))]
    pub fn or_free_memory(mut self) -> Self {
        #[cfg(feature = "file")]
        if self.max_memory.is_none() && self.max_nodes.is_none() {
            self.max_memory = pdb_gen::free_memory().map(|free| free / 2);
        }
        self
    }

    pub(crate) fn thread_count(&self) -> usize {
        number_of_threads(self.threads.unwrap_or(1))
    }

    /// Maximum number of threads that search one board. It is 1 in two cases: for strategic answers
    /// and for a shortest solution with a node limit.
    #[must_use]
    pub fn max_threads(&self) -> usize {
        match (self.mode, self.max_nodes) {
            (Mode::Optimal, Some(_)) | (Mode::Strategic, _) => 1,
            _ => self.thread_count(),
        }
    }
}

/// Resolves a number of threads: 0 stands for all cores. The cores are counted once per process,
/// because on Linux counting takes longer than solving an easy board.
#[must_use]
pub fn number_of_threads(threads: usize) -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    match threads {
        0 => *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from)),
        number => number,
    }
}
