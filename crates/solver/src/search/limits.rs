//! What a search may take, and who hears of it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Limits of a search and its connections to the world; by default none.
///
/// A search that reaches a limit, or is cancelled, stops within some milliseconds and says what it has proved.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// The most nodes to generate; some dozens more are, since nodes are expanded many at a time. A search with such a limit
    /// stays on one thread, so that it stops at the same node always.
    pub nodes: Option<u64>,
    /// Cancels the search from another thread.
    pub cancel: Option<&'a Cancel>,
    /// Hears of the search, and may stop it.
    pub progress: Option<&'a dyn Progress>,
    /// Threads that may help when the search takes long. Not used in the multi-tile metric, see `MultiSolver::with_threads`.
    pub crew: Option<&'a ThreadPermits>,
}

impl Limits<'_> {
    /// Whether the search must stop here, by any limit. Tells whoever listens.
    pub(crate) fn is_over(&self, standing: &SearchStatus) -> bool {
        let is_cancelled = self.cancel.is_some_and(Cancel::is_cancelled);
        let broken = self.progress.map(|progress| progress.standing(standing));
        let is_broken = broken.is_some_and(|flow| flow.is_break());
        let is_exhausted = self.nodes.is_some_and(|most| standing.generated >= most);
        is_cancelled || is_broken || is_exhausted
    }
}

/// Cancels searches: a token whose clones all mean the same.
///
/// ```
/// use std::{thread, time::Duration};
/// use puzzle::{Board, Goal, TableKind, HeuristicSpec};
/// use solver::{Cancel, Limits, SolveError, Solver};
///
/// let goal = Goal::blank_last("4x4".parse()?);
/// let solver = Solver::build(goal.clone(), HeuristicSpec::parse("manhattan", &goal)?)?;
/// let board = Board::parse("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1", None)?; // 80 moves: hours with Manhattan distance
/// let cancel = Cancel::default();
/// let token = cancel.clone();
/// thread::spawn(move || {
///     thread::sleep(Duration::from_millis(20));
///     token.cancel();
/// });
/// let limits = Limits { cancel: Some(&cancel), ..Limits::default() };
/// let Err(SolveError::Limit(effort)) = solver.solve_within(&board, limits) else { panic!() };
/// assert!(effort.bound >= 60); // what is proved so far
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels all searches that have this token or a clone of it, now and later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where a search stands.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchStatus {
    /// The iteration's bound: no solution is shorter.
    pub bound: u32,
    /// Nodes generated so far, in all iterations.
    pub generated: u64,
    /// Of these, in this iteration.
    pub in_iteration: u64,
    /// Nodes of the last iteration and of the one before, 0 where there was none.
    pub last: [u64; 2],
    /// Threads at work.
    pub threads: usize,
}

impl SearchStatus {
    /// Nodes that this iteration is likely to have if no solution is found in it: the last one's, times by how much that exceeded the one
    /// before. `None` in the first two iterations.
    #[must_use]
    pub fn expected(&self) -> Option<u64> {
        let [last, before] = self.last;
        let growth = (before > 0).then(|| last as f64 / before as f64)?;
        Some((last as f64 * growth) as u64)
    }
}

/// Hears of a search.
pub trait Progress: Sync {
    /// Called by the thread that began the search, at the beginning of each iteration and then about a thousand times a second. `Break` stops
    /// the search.
    fn standing(&self, standing: &SearchStatus) -> ControlFlow<()>;
}

/// Nobody listens.
impl Progress for () {
    fn standing(&self, _: &SearchStatus) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Threads that searches may use besides their own. Searches of several boards can share a crew: who has nothing to do
/// joins it, and searches that take long are helped.
#[derive(Default, Debug)]
pub struct ThreadPermits {
    spare: AtomicUsize,
}

impl ThreadPermits {
    /// A crew of this many threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        ThreadPermits {
            spare: AtomicUsize::new(threads),
        }
    }

    /// This many threads more.
    pub fn join(&self, threads: usize) {
        self.spare.fetch_add(threads, Ordering::Relaxed);
    }

    /// Takes one thread, if there is one.
    pub(super) fn take(&self) -> Option<Permit<'_>> {
        let less = |spare: usize| spare.checked_sub(1);
        let taken = self
            .spare
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.is_ok().then(|| Permit(self))
    }
}

/// A thread of a crew, which goes back to it in the end, whatever happens.
pub(super) struct Permit<'a>(&'a ThreadPermits);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.join(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crew_has_as_many_hands_as_it_was_given() {
        let crew = ThreadPermits::new(0);
        assert!(crew.take().is_none());
        assert!(crew.take().is_none());
        crew.join(1);
        let hand = crew.take();
        assert!(hand.is_some());
        assert!(crew.take().is_none());
        drop(hand);
        assert!(crew.take().is_some());
    }
}
