//! Threads: runs closures in parallel if the feature `parallel` is enabled.

use std::ops::Range;
use std::sync::atomic::AtomicBool;
#[cfg(feature = "file")]
use std::sync::atomic::Ordering;

use pdb_table::Executor;

#[cfg(feature = "parallel")]
pub(crate) use rayon::join;

/// Runs `main` on the calling thread and `side` on a thread of the pool. `main` need not be `Send`.
#[cfg(feature = "parallel")]
pub(crate) fn alongside<A: Send, B>(
    side: impl FnOnce() -> A + Send,
    main: impl FnOnce() -> B,
) -> (Option<A>, B) {
    let mut done = None;
    let result = rayon::in_place_scope(|scope| {
        scope.spawn(|_| done = Some(side()));
        main()
    });
    (done, result)
}

#[cfg(not(feature = "parallel"))]
pub(crate) fn alongside<A, B>(
    side: impl FnOnce() -> A,
    main: impl FnOnce() -> B,
) -> (Option<A>, B) {
    (Some(side()), main())
}

#[cfg(not(feature = "parallel"))]
pub(crate) fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}

/// Runs `main` on the calling thread and `side` on a separate thread. The flag that `side` receives
/// is set when `main` has ended; `side` must then return soon.
#[cfg(feature = "file")]
pub(crate) fn beside<B>(side: impl FnOnce(&AtomicBool) + Send, main: impl FnOnce() -> B) -> B {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| side(&is_over));
        let result = main();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

/// Runs only `main`. Without the feature `file`, there is nothing to write while `main` runs.
#[cfg(not(feature = "file"))]
pub(crate) fn beside<B>(_: impl FnOnce(&AtomicBool) + Send, main: impl FnOnce() -> B) -> B {
    main()
}

/// Executor on all threads of rayon's current pool, or on one thread without the feature
/// `parallel`.
#[derive(Clone, Copy, Default, Debug)]
pub struct RayonExecutor;

impl Executor for RayonExecutor {
    fn map<T: Send>(&self, jobs: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
        map_range(0..jobs, &job)
    }

    fn threads(&self) -> usize {
        #[cfg(feature = "parallel")]
        let threads = rayon::current_num_threads();
        #[cfg(not(feature = "parallel"))]
        let threads = 1;
        threads
    }
}

/// Runs a job for each number of a range; results are in the order of the range.
pub(crate) fn map_range<T: Send>(jobs: Range<usize>, job: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    match jobs.len() {
        0 => Vec::new(),
        1 => vec![job(jobs.start)],
        count => {
            let middle = jobs.start + count / 2;
            let (mut first, second) = join(
                || map_range(jobs.start..middle, job),
                || map_range(middle..jobs.end, job),
            );
            first.extend(second);
            first
        }
    }
}

/// Divides groups, and the elements written for them, into parallel tasks. `start` returns the
/// index of a group's first element.
pub(crate) fn each_task<T: Send>(
    groups: Range<usize>,
    written: &mut [T],
    start: &(impl Fn(usize) -> usize + Sync),
    task: &(impl Fn(Range<usize>, &mut [T]) + Sync),
) {
    /// Largest number of groups per task.
    const GROUPS: usize = 1024;
    if groups.len() <= GROUPS {
        return task(groups, written);
    }
    let middle = usize::midpoint(groups.start, groups.end);
    let (first, second) = written.split_at_mut(start(middle) - start(groups.start));
    join(
        || each_task(groups.start..middle, first, start, task),
        || each_task(middle..groups.end, second, start, task),
    );
}
