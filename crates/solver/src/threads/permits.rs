//! Threads that searches share.

use std::sync::atomic::{AtomicUsize, Ordering};

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
