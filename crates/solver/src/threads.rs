//! Helper threads of a call, and work distribution between them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

pub(crate) use pdb_table::lock;
#[cfg(feature = "pool")]
pub(crate) use pool::scope;
#[cfg(not(feature = "pool"))]
pub(crate) use system::scope;

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

/// Maximum number of items that are being processed or wait for the delivery of earlier results.
const WINDOW: usize = 1024;

/// Results that wait until all earlier results are delivered.
struct Output<R, F> {
    delivered: usize,
    ready: BTreeMap<usize, R>,
    deliver: F,
    is_over: bool,
}

/// Calls `work` for each item, on several threads. Calls `deliver` with the number (from 0) and the
/// result of each item, in the order of the items. The input may be endless. Threads without an
/// item are added to `permits`, so that they can help long searches.
///
/// A panic in `work` or `deliver` ends all threads after their current items and then continues in
/// the caller.
///
/// ```
/// let permits = solver::ThreadPermits::default();
/// let mut squares = Vec::new();
/// solver::ordered_map(1..=4, 2, &permits, |n| n * n, |_, square| squares.push(square));
/// assert_eq!(squares, [1, 4, 9, 16]);
/// ```
pub fn ordered_map<T, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    threads: usize,
    permits: &ThreadPermits,
    work: impl Fn(T) -> R + Sync,
    deliver: impl FnMut(usize, R) + Send,
) {
    let items = items.into_iter().fuse();
    let workers = threads.min(items.size_hint().1.unwrap_or(WINDOW)).max(1);
    let input = Mutex::new(items.enumerate());
    let output = Mutex::new(Output {
        delivered: 0,
        ready: BTreeMap::new(),
        deliver,
        is_over: false,
    });
    let moved = Condvar::new();
    let run = || {
        // Without this guard, after a panic the other threads would wait for ever for this thread's
        // result.
        let _panics = OnPanic(|| {
            lock(&output).is_over = true;
            moved.notify_all();
        });
        while !lock(&output).is_over {
            let Some((index, item)) = lock(&input).next() else {
                permits.add(1);
                return;
            };
            let is_ahead =
                |output: &mut Output<_, _>| index >= output.delivered + WINDOW && !output.is_over;
            drop(
                moved
                    .wait_while(lock(&output), is_ahead)
                    .unwrap_or_else(PoisonError::into_inner),
            );
            let result = work(item);
            let output = &mut *lock(&output);
            output.ready.insert(index, result);
            while let Some(result) = output.ready.remove(&output.delivered) {
                (output.deliver)(output.delivered, result);
                output.delivered += 1;
            }
            moved.notify_all();
        }
    };
    permits.add(threads.saturating_sub(workers));
    run_with_helpers(workers - 1, run);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

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

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        for threads in [0, 1, 2, 7] {
            let permits = ThreadPermits::default();
            let mut expected = 0;
            let work = |n: usize| (0..n % 50).fold(n, |sum, _| std::hint::black_box(sum));
            ordered_map(0..5000, threads, &permits, work, |index, n| {
                assert_eq!((index, n), (expected, expected));
                expected += 1;
            });
            assert_eq!(expected, 5000);
            // Finally all permits are available again.
            let free = std::iter::from_fn(|| permits.take().map(std::mem::forget));
            assert_eq!(free.count(), threads.max(1));
        }
    }

    #[test]
    fn a_panic_ends_all_threads() {
        let permits = ThreadPermits::default();
        let work = |n: usize| assert_ne!(n, 5, "an item that fails");
        let run = || ordered_map(0.., 3, &permits, work, |_, ()| {});
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
