//! The limits of one search, and its status.

use std::sync::atomic::{AtomicBool, Ordering};

use pdb_table::{Cancel, Progress};

use super::record::SearchRecord;
use super::search_request::Side;
use crate::machine::Instant;
use crate::threads::ThreadPermits;

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
