//! The limits of a search.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use pdb_table::Cancel;

use super::Iteration;
use crate::clock::Instant;

/// The limits of a search. By default there are none.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Approximate maximum number of generated nodes.
    pub max_nodes: Option<u64>,
    /// Maximum memory of all stored nodes and their index, in bytes.
    pub max_memory: Option<u64>,
    /// Maximum time.
    pub max_time: Option<Duration>,
    /// Token that stops the search.
    pub cancel: Cancel,
    /// Receives the progress of the search.
    pub listener: Option<Listener>,
}

/// The progress of a running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Time since the search began.
    pub elapsed: Duration,
    /// [`Counts::generated`](super::Counts::generated) so far.
    pub generated: u64,
    /// The bound of the current depth-first search of IDA*; 0 for other searches.
    pub bound: u32,
    /// The depth-first search of IDA* that has just ended, if any.
    pub ended: Option<Iteration>,
}

/// A function that receives the progress of a search: at intervals of [`NODES_PER_CHECK`] nodes,
/// and after each depth-first search of IDA*.
#[derive(Clone)]
pub struct Listener(Arc<dyn Fn(&Progress) + Send + Sync>);

impl Listener {
    /// A listener that calls this function.
    pub fn new(function: impl Fn(&Progress) + Send + Sync + 'static) -> Listener {
        Listener(Arc::new(function))
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// The limit that stopped a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::max_nodes`].
    Nodes,
    /// [`Limits::max_memory`].
    Memory,
    /// [`Limits::max_time`].
    Time,
    /// [`Limits::cancel`].
    Cancelled,
    /// All reachable boards were visited: there is no solution.
    Exhausted,
}

impl Limit {
    /// Fails if `bytes` exceed `max_bytes`.
    pub(crate) fn check_memory(bytes: u64, max_bytes: u64) -> Result<(), Limit> {
        match bytes <= max_bytes {
            true => Ok(()),
            false => Err(Limit::Memory),
        }
    }

    /// The limit's name: `nodes`, `memory`, `time`, `cancelled` or `exhausted`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Limit::Nodes => "nodes",
            Limit::Memory => "memory",
            Limit::Time => "time",
            Limit::Cancelled => "cancelled",
            Limit::Exhausted => "exhausted",
        }
    }
}

/// Compares a search with its limits; reads the clock at intervals.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    limits: &'a Limits,
    /// Start time; set only with a time limit or a listener.
    begun: Option<Instant>,
    /// The bound of the current depth-first search of IDA*.
    pub(crate) bound: u32,
    max_nodes: u64,
    /// Number of generated nodes at which the clock is read next.
    next: u64,
}

/// Generated nodes between two readings of the clock.
pub const NODES_PER_CHECK: u64 = 1 << 14;

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Watch {
            limits,
            begun: (limits.max_time.is_some() || limits.listener.is_some()).then(Instant::now),
            bound: 0,
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
            next: 0,
        }
    }

    /// Fails with the limit reached after this number of generated nodes, if any.
    #[inline]
    pub(crate) fn check(&mut self, generated: u64) -> Result<(), Limit> {
        match generated >= self.next {
            true => self.look(generated).map_or(Ok(()), Err),
            false => Ok(()),
        }
    }

    #[cold]
    fn look(&mut self, generated: u64) -> Option<Limit> {
        self.next = self.max_nodes.min(generated + NODES_PER_CHECK);
        self.report(generated, None);
        if generated >= self.max_nodes {
            return Some(Limit::Nodes);
        }
        if self.limits.cancel.is_cancelled() {
            return Some(Limit::Cancelled);
        }
        let (begun, max) = self.begun.zip(self.limits.max_time)?;
        (begun.elapsed() >= max).then_some(Limit::Time)
    }

    /// Reports the progress. `ended` is the depth-first search of IDA* that has just ended, if any.
    pub(crate) fn report(&self, generated: u64, ended: Option<Iteration>) {
        if let Some((Listener(function), begun)) = self.limits.listener.as_ref().zip(self.begun) {
            function(&Progress {
                elapsed: begun.elapsed(),
                generated,
                bound: self.bound,
                ended,
            });
        }
    }

    /// Maximum memory of the nodes, in bytes.
    pub(crate) fn max_memory(&self) -> u64 {
        self.limits.max_memory.unwrap_or(u64::MAX)
    }
}
