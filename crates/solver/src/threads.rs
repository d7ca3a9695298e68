//! Helper threads of a call, and work distribution between them.

mod ordered_map;

#[cfg(feature = "pool")]
pub(crate) use pool::scope;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[cfg(not(feature = "pool"))]
pub(crate) use system::scope;

pub use ordered_map::ordered_map;
pub(crate) use pdb_table::lock;

// Helper threads that can borrow from the calling thread.
//
// With the feature `pool` the helper threads belong to rayon's current pool, for hosts where
// programs cannot start threads, such as WebAssembly. Closures are trait objects, so the code that
// starts a thread is compiled once.

/// Runs `work` on the calling thread and on up to `helpers` other threads. If the system cannot
/// start more threads, the running threads do all the work.
pub(crate) fn run_with_helpers(helpers: usize, work: impl Fn() + Copy + Send) {
    scope(&mut |scope| {
        for _ in 0..helpers {
            if !scope.start(work) {
                break;
            }
        }
        work();
    });
}

/// Calls a function if the thread panics while this value is alive.
pub(crate) struct OnPanic<F: Fn()>(pub(crate) F);

impl<F: Fn()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}

#[cfg(not(feature = "pool"))]
mod system {
    use std::thread;

    /// Scope in which helpers are started; all helpers have ended when [`scope`] returns.
    #[derive(Clone, Copy)]
    pub(crate) struct Scope<'scope, 'env>(&'scope thread::Scope<'scope, 'env>);

    /// Calls `work` once; `work` may start helpers.
    pub(crate) fn scope<'env>(work: &mut dyn for<'s> FnMut(Scope<'s, 'env>)) {
        thread::scope(|scope| work(Scope(scope)));
    }

    impl<'scope> Scope<'scope, '_> {
        /// Starts a helper; returns `false` if the system cannot start another thread.
        pub(crate) fn start(self, help: impl FnOnce() + Send + 'scope) -> bool {
            let help: Box<dyn FnOnce() + Send + 'scope> = Box::new(help);
            thread::Builder::new().spawn_scoped(self.0, help).is_ok()
        }
    }
}

#[cfg(feature = "pool")]
mod pool {
    /// Scope in which helpers are started; all helpers have ended when [`scope`] returns.
    #[derive(Clone, Copy)]
    pub(crate) struct Scope<'a, 'scope>(&'a rayon::Scope<'scope>);

    /// Calls `work` once; `work` may start helpers.
    pub(crate) fn scope<'scope>(work: &mut dyn FnMut(Scope<'_, 'scope>)) {
        rayon::in_place_scope(|scope| work(Scope(scope)));
    }

    impl<'scope> Scope<'_, 'scope> {
        /// Queues a helper. It starts when a thread of the pool becomes free, possibly after all
        /// work is done.
        pub(crate) fn start(self, help: impl FnOnce() + Send + 'scope) -> bool {
            let help: Box<dyn FnOnce() + Send + 'scope> = Box::new(help);
            self.0.spawn(|_| help());
            true
        }
    }
}

/// Runs all tasks on the calling thread and on up to `helpers` other threads. A thread that has
/// finished a task begins the next one.
pub(crate) fn run_all<T: FnOnce() + Send>(tasks: impl Iterator<Item = T> + Send, helpers: usize) {
    let tasks = Mutex::new(tasks);
    run_with_helpers(helpers, || {
        loop {
            let task = lock(&tasks).next();
            let Some(task) = task else { break };
            task();
        }
    });
}

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
    fn each_task_runs_once() {
        for helpers in [0, 1, 5] {
            let mut runs = [0; 20];
            let tasks = runs.iter_mut().map(|run| move || *run += 1);
            run_all(tasks, helpers);
            assert_eq!(runs, [1; 20], "{helpers}");
        }
    }

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
