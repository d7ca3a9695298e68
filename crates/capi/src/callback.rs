//! Callbacks, and channels from worker threads to the calling thread.

use std::ffi::{c_char, c_int, c_void};
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use solver::{Cancel, SearchStatus};

use crate::error::CallError;
use crate::report::stp_report;

/// Progress of a search. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_search_status {
    /// Proved lower bound of the solution length.
    pub bound: u32,
    /// Number of working threads.
    pub threads: u32,
    /// Nodes generated so far.
    pub nodes: u64,
    /// Milliseconds since the call started.
    pub ms: f64,
}

/// Progress of building a solver's tables. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_build_status {
    /// Name of the table that is being built.
    pub table: *const c_char,
    /// Index of the table, from 0.
    pub number: u32,
    /// Number of tables.
    pub tables: u32,
    /// Completed fraction of the work on all tables, from 0 to 1.
    pub done: f64,
}

/// Receives the progress of a search, about a thousand times per second. If the callback returns 0,
/// the search continues; any other number stops it.
///
/// The status is valid until the callback returns. The callback runs on the thread that made the
/// call, before the call returns. It must not throw an exception, leave by longjmp, or free an
/// argument of the call. It may make other calls, also with the same solver.
pub type stp_on_progress =
    Option<unsafe extern "C" fn(status: *const stp_search_status, user_data: *mut c_void) -> c_int>;

/// Receives the first solution of an anytime search, and each shorter one. If the callback returns
/// 0, the search continues; any other number stops it.
///
/// The report, whose code is STP_IMPROVED, is valid until the callback returns and must not be
/// freed; stp_report_copy makes a permanent copy. For the other rules see stp_on_progress.
pub type stp_on_improved =
    Option<unsafe extern "C" fn(report: *const stp_report, user_data: *mut c_void) -> c_int>;

/// Receives the report of each board of a list, in the order of the list. Boards are numbered from
/// 0. If the callback returns 0, the list continues; any other number ends it.
///
/// The report is valid until the callback returns and must not be freed; stp_report_copy makes a
/// permanent copy. While the callback runs, other threads solve the next boards, at most a few
/// hundred. For the other rules see stp_on_progress.
pub type stp_on_report = Option<
    unsafe extern "C" fn(number: usize, report: *const stp_report, user_data: *mut c_void) -> c_int,
>;

/// Receives the progress of building a solver's tables, a few dozen times per table. If the
/// callback returns 0, the build continues; any other number stops it. The build does not wait for
/// the callback. A slow callback receives the remaining progress after the build, but before the
/// function that builds the tables returns. For the other rules see stp_on_progress.
pub type stp_on_build =
    Option<unsafe extern "C" fn(status: *const stp_build_status, user_data: *mut c_void) -> c_int>;

/// The argument of the caller's callbacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UserData(pub(crate) *mut c_void);

// SAFETY: the pointer is only passed to callbacks, on the thread where the caller supplied it:
// searches report to the thread that started them, and other work reports through `pumped`.
unsafe impl Send for UserData {}
// SAFETY: as for `Send`.
unsafe impl Sync for UserData {}

impl UserData {
    /// Takes `self`, so that closures capture the whole struct, which is `Send`.
    pub(crate) fn pointer(self) -> *mut c_void {
        self.0
    }
}

/// A listener that passes the progress of a search to a callback, and cancels the search if the
/// callback does not return 0.
pub(crate) fn progress_listener(
    call: unsafe extern "C" fn(*const stp_search_status, *mut c_void) -> c_int,
    user_data: UserData,
    cancel: Cancel,
) -> impl Fn(&SearchStatus) + Send + Sync {
    let begun = Instant::now();
    move |status| {
        let status = stp_search_status {
            bound: status.bound,
            threads: u32::try_from(status.threads).unwrap_or(u32::MAX),
            nodes: status.generated,
            ms: begun.elapsed().as_secs_f64() * 1e3,
        };
        // SAFETY: the caller supplied this callback and `user_data` for this search.
        if unsafe { call(&raw const status, user_data.pointer()) } != 0 {
            cancel.cancel();
        }
    }
}

/// Runs `work` on a new thread, and calls `hear` on the calling thread for each message that `work`
/// sends. Sending blocks while the channel is full.
///
/// # Errors
/// A thread cannot be started.
pub(crate) fn pumped<E: Send, R: Send>(
    work: impl FnOnce(SyncSender<E>) -> R + Send,
    hear: impl FnMut(E),
) -> Result<R, CallError> {
    let (sender, receiver) = sync_channel(QUEUE);
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().spawn_scoped(scope, move || work(sender));
        let worker = worker.map_err(no_thread)?;
        receiver.into_iter().for_each(hear);
        let ended = worker.join();
        ended.map_err(|panic| std::panic::resume_unwind(panic))
    })
}

/// Like [`pumped`], but in a rayon pool of `threads` threads. All these threads have ended when
/// this function returns; rayon's own pools do not wait for the end of their threads. The channel
/// is unbounded, so the work should send few messages. A bounded channel could cause a deadlock:
/// the work would wait for the listener while the listener waits for a lock that the work holds.
///
/// # Errors
/// A thread cannot be started.
pub(crate) fn pumped_in_pool<E: Send, R: Send>(
    threads: usize,
    work: impl FnOnce(Sender<E>) -> R + Send,
    hear: impl FnMut(E),
) -> Result<R, CallError> {
    let (sender, receiver) = channel();
    let mut done = None;
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|thread| {
                let run = || thread.run();
                workers.push(std::thread::Builder::new().spawn_scoped(scope, run)?);
                Ok(())
            })
            .build()
            .map_err(no_thread)?;
        pool.in_place_scope(|scope| {
            scope.spawn(|_| done = Some(work(sender)));
            receiver.into_iter().for_each(hear);
        });
        drop(pool);
        for worker in workers {
            // The result is ignored: a panic in the pool continues in the call that started the
            // work.
            let _ = worker.join();
        }
        Ok(())
    })?;
    done.ok_or_else(|| CallError::memory("the work did not finish"))
}

/// Capacity of the channel of [`pumped`], in messages.
const QUEUE: usize = 64;

fn no_thread(error: impl std::fmt::Display) -> CallError {
    CallError::memory(format!("cannot start a thread: {error}"))
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::*;
    use crate::code::STP_DEFECT;
    use crate::error::guard;

    #[test]
    fn messages_arrive_on_the_calling_thread() {
        let here = thread::current().id();
        let mut heard = Vec::new();
        let send = |sender: SyncSender<usize>| {
            (0..1000).for_each(|number| sender.send(number).unwrap());
            thread::current().id()
        };
        let hear = |number| {
            assert_eq!(thread::current().id(), here);
            heard.push(number);
        };
        let there = pumped(send, hear).unwrap();
        assert_ne!(there, here);
        assert!(heard.into_iter().eq(0..1000));
        let mut sum = 0;
        let send = |sender: Sender<usize>| {
            (0..1000).for_each(|number| sender.send(number).unwrap());
            thread::current().id()
        };
        let there = pumped_in_pool(2, send, |number| sum += number).unwrap();
        assert_ne!(there, here);
        assert_eq!(sum, 499_500);
    }

    #[test]
    fn worker_panics_do_not_cross_the_boundary() {
        for call in [0, 1] {
            let ended = || match call {
                0 => pumped(|_: SyncSender<()>| panic!("there"), |()| ()),
                _ => pumped_in_pool(2, |_: Sender<()>| panic!("there"), |()| ()),
            };
            // SAFETY: `error` may be null.
            let code = unsafe { guard(std::ptr::null_mut(), |_| ended()) };
            assert_eq!(code, STP_DEFECT);
        }
    }

    #[test]
    fn a_panicking_listener_ends_the_work() {
        let send = |sender: SyncSender<u32>| while sender.send(1).is_ok() {};
        let run = || pumped(send, |_| panic!("here"));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
