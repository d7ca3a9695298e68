//! Limits of a session's calls, and their defaults.

use std::time::Duration;

use puzzle::Metric;

/// Limits of the calls of a session, and the values of options that a request leaves out.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Most cells of a board.
    pub cells: usize,
    /// Largest time limit that a request can set.
    pub max_time: Option<Duration>,
    /// Time limit of a search if the request sets none.
    pub time: Option<Duration>,
    /// Most threads that a request can set. With [`Self::THREADS`], 0 stands for all cores.
    pub max_threads: usize,
    /// Threads of a search if the request sets none; 0 for [`Self::max_threads`].
    pub threads: usize,
    /// Memory of an anytime search besides the tables, in bytes, if the request sets none; `None`
    /// for half of the memory that is free when the tables are open, or the solver's default if the
    /// request limits the nodes, so that the answer does not depend on the machine.
    pub memory: Option<u64>,
    /// Largest memory of an anytime search that a request can set, in bytes.
    pub max_memory: Option<u64>,
    /// Estimated time to build missing tables, if the request sets none and names no partition.
    pub build_time: [f64; 2],
    /// The same for a request that names its partition.
    pub named_build_time: f64,
    /// Memory of the tables of one solver, in bytes.
    pub table_memory: Option<u64>,
    /// Memory of the tables of all open solvers, in bytes. Solvers that were not used for the
    /// longest time are closed before others are opened; calls can use the tables of closed solvers
    /// up to the same memory again.
    pub open_memory: u64,
    /// Size of all files in the directory of tables, in bytes, beyond which a built table is not
    /// written: for default tables, and for tables that a request names.
    pub disk: Option<[u64; 2]>,
    /// Most open solvers.
    pub solvers: usize,
    /// Most listed solutions that a request can ask for.
    pub solutions: u64,
    /// Most moves of a game to rate.
    pub game: usize,
    /// Most random boards of a call, a few megabytes of text.
    pub boards: u64,
    /// Most random moves of a call, summed over its boards.
    pub walks: u64,
    /// Generated nodes of a search of the laboratory, if the request sets none.
    pub lab_nodes: u64,
    /// Memory of a search of the laboratory if the request sets none, and memory of the tables of
    /// all its heuristics. In bytes.
    pub lab_memory: [u64; 2],
    /// Whether explanations use tables of the session, within its limits of tables, and only
    /// heuristics that take a fraction of a second to build.
    pub lab_shares_tables: bool,
    /// Random boards of a comparison, if the request does not set their number.
    pub lab_boards: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            cells: usize::MAX,
            max_time: None,
            time: None,
            max_threads: Limits::THREADS,
            threads: 1,
            memory: Some(1 << 30),
            max_memory: None,
            build_time: [2.0, 4.0],
            named_build_time: f64::INFINITY,
            table_memory: None,
            open_memory: 4 << 30,
            disk: None,
            solvers: 4,
            solutions: u64::MAX,
            game: 10_000,
            boards: 100_000,
            walks: 10_000_000,
            lab_nodes: 10_000_000,
            lab_memory: [256 << 20, 1 << 30],
            lab_shares_tables: false,
            lab_boards: 100,
        }
    }
}

impl Limits {
    /// More threads would exhaust the system.
    pub const THREADS: usize = 4096;

    /// The limit of the estimated time to build missing tables, in seconds.
    #[must_use]
    pub fn build_seconds(&self, metric: Metric, is_named: bool) -> f64 {
        match (is_named, metric) {
            (true, _) => self.named_build_time,
            (false, Metric::Single) => self.build_time[0],
            (false, Metric::Multi) => self.build_time[1],
        }
    }
}
