//! The limits of one search, its status, and threads that help it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pdb_table::{Cancel, Progress};

use crate::clock::Instant;

/// Limits of one search and its connections to the world; by default none.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limits<'a> {
    /// The most nodes to generate.
    pub(crate) nodes: Option<u64>,
    /// When the search must stop. The clock is read only if it must.
    pub(crate) deadline: Option<Instant>,
    /// Stops the search from anywhere.
    pub(crate) cancel: Option<&'a Cancel>,
    /// Listens to the search.
    pub(crate) progress: Option<&'a dyn Progress<SearchStatus>>,
    /// Threads that may help when the search takes long.
    pub(crate) permits: Option<&'a ThreadPermits>,
    /// What is proved already: no solution is shorter.
    pub(crate) from: u32,
    /// Solutions of this length or longer are not wanted: the search ends when no shorter one is
    /// possible.
    pub(crate) until: Option<u32>,
    /// Whether another thread has ended this search.
    pub(crate) ended: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// Whether a search for paths up to this bound could only find solutions that are not wanted.
    pub(crate) fn is_too_long(&self, bound: u32) -> bool {
        self.until.is_some_and(|until| bound >= until)
    }

    /// Whether the search must stop here, by any limit. Reports to whoever listens.
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

/// Where a search stands.
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
    /// Where all solutions are searched for: the length of the longest.
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

/// Threads that searches may use besides their own. Searches of several boards can share them: a
/// thread that has nothing to do is added, and searches that take long are helped.
#[derive(Default, Debug)]
pub struct ThreadPermits {
    spare: AtomicUsize,
}

impl ThreadPermits {
    /// This many threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        ThreadPermits {
            spare: AtomicUsize::new(threads),
        }
    }

    /// Adds threads.
    pub fn add(&self, threads: usize) {
        self.spare.fetch_add(threads, Ordering::Relaxed);
    }

    /// Takes as many threads as there are, up to `most`.
    pub(crate) fn take_up_to(&self, most: usize) -> Vec<Permit<'_>> {
        std::iter::from_fn(|| self.take()).take(most).collect()
    }

    /// Takes one thread, if there is one.
    pub(crate) fn take(&self) -> Option<Permit<'_>> {
        let less = |spare: usize| spare.checked_sub(1);
        let taken = self
            .spare
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.is_ok().then(|| Permit(self))
    }
}

/// A thread to use, which is given back when dropped, whatever happens.
pub(crate) struct Permit<'a>(&'a ThreadPermits);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_permits_as_threads() {
        let permits = ThreadPermits::new(0);
        assert!(permits.take().is_none());
        assert!(permits.take().is_none());
        permits.add(1);
        let permit = permits.take();
        assert!(permit.is_some());
        assert!(permits.take().is_none());
        drop(permit);
        assert!(permits.take().is_some());
    }
}
