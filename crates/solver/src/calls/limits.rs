//! The limits of one search, and its status.

use std::sync::atomic::{AtomicBool, Ordering};

use pdb_table::{Cancel, Progress};

use super::search_request::Side;
use crate::machine::Instant;
use crate::threads::ThreadPermits;

/// Limits of one search and its connections to the world; by default none.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limits<'a> {
    pub(crate) nodes: Option<u64>,
    /// When the search must stop. The clock is read only if it must.
    pub(crate) deadline: Option<Instant>,
    pub(crate) cancel: Option<&'a Cancel>,
    pub(crate) progress: Option<&'a dyn Progress<SearchStatus>>,
    /// Threads that may help when the search takes long.
    pub(crate) permits: Option<&'a ThreadPermits>,
    /// Proved bound at the start: no solution is shorter.
    pub(crate) from: u32,
    /// Solutions of this length or longer are not wanted: the search ends when no shorter one is
    /// possible.
    pub(crate) until: Option<u32>,
    /// Which end of the board is searched from.
    pub(crate) side: Side,
    /// Whether another thread has ended this search.
    pub(crate) ended: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// Whether a search for paths up to this bound could only find solutions that are not wanted.
    pub(crate) fn is_too_long(&self, bound: u32) -> bool {
        self.until.is_some_and(|until| bound >= until)
    }

    /// Whether the search must stop here, by any limit. Reports to the listener.
    pub(crate) fn is_over(&self, status: &SearchStatus) -> bool {
        if let Some(progress) = self.progress {
            progress.report(status);
        }
        self.nodes.is_some_and(|most| status.generated >= most)
            || self.cancel.is_some_and(Cancel::is_cancelled)
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
    /// Nodes generated so far, in all iterations: [`SearchStats::generated`](crate::SearchStats) is
    /// what counts.
    pub generated: u64,
    /// Of these, in this iteration.
    pub in_iteration: u64,
    /// Nodes of the last iteration and of the one before, 0 where there was none.
    pub last: [u64; 2],
    /// Threads at work.
    pub threads: usize,
    /// While all solutions are searched for: the length of the longest.
    pub longest: Option<u32>,
}

impl SearchStatus {
    /// Nodes that this iteration is likely to have if no solution is found in it: the last one's,
    /// times by how much that exceeded the one before. `None` in the first two iterations.
    #[must_use]
    pub fn expected(&self) -> Option<u64> {
        let [last, before] = self.last;
        let growth = (before > 0).then(|| last as f64 / before as f64)?;
        Some((last as f64 * growth) as u64)
    }
}
