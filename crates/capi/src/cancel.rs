//! Cancellation of calls.

use solver::Cancel;

use crate::error::guard_quietly;

/// A cancellation token. Cancelling it stops the calls that use it. One token may be passed to any
/// number of calls, at once or in sequence. Once cancelled it stays cancelled.
#[derive(Debug)]
pub struct stp_cancel(Cancel);

/// Creates a token.
///
/// The caller frees it with stp_cancel_free. The result is never NULL. May be called from any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn stp_cancel_new() -> *mut stp_cancel {
    Box::into_raw(Box::new(stp_cancel(Cancel::default())))
}

/// Stops all calls with this token, present and future. Does nothing with NULL.
///
/// A search, a build, a check of a table, or a wait for a build of another process ends within a
/// few milliseconds. The following steps are not interrupted, and the call ends after them: loading
/// a file into memory and copying tables of the caller (about 0.1 s per GB), decompressing a file,
/// the last steps of a build, and strategic solutions (a few milliseconds for 20x20). If a token or
/// max_time stops the search for a short strategic solution, the result is the longer solution that
/// was found first.
///
/// stp_solver_open, stp_solver_hint and stp_solver_rate return STP_CANCELLED if the token is
/// cancelled at any time before they return. stp_solver_solve still answers boards that need no
/// search, such as the goal. Calls for lists return STP_OK if all boards are answered.
///
/// May be called from any thread, during any call except stp_cancel_free, and from a signal
/// handler, because it only stores one number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_cancel_cancel(cancel: *const stp_cancel) {
    // SAFETY: the caller passes NULL or a token that is not freed.
    if let Some(cancel) = unsafe { cancel.as_ref() } {
        cancel.0.cancel();
    }
}

/// Returns 1 if the token is cancelled, else 0. Returns 0 for NULL.
///
/// May be called from any thread, during any call except stp_cancel_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_cancel_is_cancelled(cancel: *const stp_cancel) -> i32 {
    // SAFETY: the caller passes NULL or a token that is not freed.
    let cancel = unsafe { cancel.as_ref() };
    cancel.is_some_and(|cancel| cancel.0.is_cancelled()).into()
}

/// Frees a token; does nothing with NULL.
///
/// No other call may use the token at the same time or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_cancel_free(cancel: *mut stp_cancel) {
    if !cancel.is_null() {
        // SAFETY: the caller passes a result of `stp_cancel_new`, once.
        guard_quietly(|| drop(unsafe { Box::from_raw(cancel) }));
    }
}

/// A token for one call, linked to the caller's token if there is one.
///
/// # Safety
/// `cancel` is null or a token that is not freed.
pub(crate) unsafe fn token_of_call(cancel: *const stp_cancel) -> Cancel {
    // SAFETY: the caller promises that `cancel` is null or valid.
    let cancel = unsafe { cancel.as_ref() };
    cancel.map_or_else(Cancel::default, |cancel| cancel.0.child())
}
