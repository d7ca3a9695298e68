//! Permits for helper threads, shared between searches.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of threads that searches may use besides their own. Searches of several boards can share
/// the permits: each idle thread adds a permit, and long searches take permits.
#[derive(Default, Debug)]
pub struct ThreadPermits {
    spare: AtomicUsize,
}

impl ThreadPermits {
    /// Permits for this many threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        ThreadPermits {
            spare: AtomicUsize::new(threads),
        }
    }

    /// Adds permits for this many threads.
    pub fn add(&self, threads: usize) {
        self.spare.fetch_add(threads, Ordering::Relaxed);
    }

    /// Takes the available permits, up to `most`.
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

/// Permission to use one thread. The permit is returned when it is dropped, also during a panic.
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
    fn each_thread_has_one_permit() {
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
