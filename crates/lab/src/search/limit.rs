//! The limits of a search.

use std::time::Duration;

use pdb_table::Cancel;

use crate::clock::Instant;

/// The limits of a search. Without any it continues until it is cancelled.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Generated nodes, about.
    pub max_nodes: Option<u64>,
    /// Bytes of all nodes that are kept, and what finds them.
    pub max_memory: Option<u64>,
    /// The time.
    pub max_time: Option<Duration>,
    /// Stops it from anywhere.
    pub cancel: Cancel,
}

/// The limit that ended a search.
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
    /// Every board that can be reached was: there is no solution.
    Exhausted,
}

impl Limit {
    /// Its name: `nodes`, `memory`, `time`, `cancelled` or `exhausted`.
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

/// Compares a search with its limits, the clock at intervals.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    limits: &'a Limits,
    /// Asked only where there is a limit of time.
    begun: Option<Instant>,
    max_nodes: u64,
    /// Generated nodes at which the clock is asked next.
    next: u64,
}

/// Generated nodes from one look at the clock to the next.
const NODES_PER_CHECK: u64 = 1 << 14;

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Watch {
            limits,
            begun: limits.max_time.map(|_| Instant::now()),
            max_nodes: limits.max_nodes.unwrap_or(u64::MAX),
            next: 0,
        }
    }

    /// The limit that is reached after this number of generated nodes.
    #[inline]
    pub(crate) fn check(&mut self, generated: u64) -> Option<Limit> {
        match generated >= self.next {
            true => self.look(generated),
            false => None,
        }
    }

    #[cold]
    fn look(&mut self, generated: u64) -> Option<Limit> {
        self.next = self.max_nodes.min(generated + NODES_PER_CHECK);
        if generated >= self.max_nodes {
            return Some(Limit::Nodes);
        }
        if self.limits.cancel.is_cancelled() {
            return Some(Limit::Cancelled);
        }
        let (begun, max) = self.begun.zip(self.limits.max_time)?;
        (begun.elapsed() >= max).then_some(Limit::Time)
    }

    /// Bytes that nodes may take.
    pub(crate) fn max_memory(&self) -> u64 {
        self.limits.max_memory.unwrap_or(u64::MAX)
    }
}
