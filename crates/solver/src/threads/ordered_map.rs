//! Parallel map over a list, with results in input order and in bounded memory for any length of
//! the input.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use super::{OnPanic, ThreadPermits, run_with_helpers};
use pdb_table::lock;

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
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

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
