//! Cancellation tokens, and callbacks for events.

use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;
use std::thread;

use ::session::{Cancel, Control, Event};

use crate::error::guard_quietly;
use crate::input::{c_string, to_json};

/// A cancellation token. Cancelling it stops the calls that use it. One token may be passed to any
/// number of calls, at once or in sequence. Once cancelled it stays cancelled.
#[derive(Debug)]
pub struct stp_cancel(Cancel);

/// Receives the events of a call: the progress of builds and searches, better solutions of an
/// anytime search, and warnings. docs/c.md lists them. A search reports its progress about a
/// thousand times per second. If the callback returns 0, the call continues; any other number stops
/// it, and the callback receives no further events.
///
/// `event` is a JSON object, valid until the callback returns. The callback runs on the thread that
/// made the call, before the call returns. It must not throw an exception, leave by longjmp, or free
/// an argument of the call. It may make other calls, also with the same session; but while tables
/// are opened or built, the same session opens no others.
pub type stp_on_event =
    Option<unsafe extern "C" fn(event: *const c_char, user_data: *mut c_void) -> c_int>;

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
/// the last steps of a build, and strategic solutions (a few milliseconds for 20x20).
///
/// A call whose token is cancelled before it returns, and that solves boards or opens tables,
/// returns STP_CANCELLED. Calls for lists return STP_OK if all boards are answered.
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

/// The argument of the caller's callbacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UserData(pub(crate) *mut c_void);

// SAFETY: the pointer is only passed to callbacks, on the thread where the caller supplied it: see
// `control`.
unsafe impl Send for UserData {}
// SAFETY: as for `Send`.
unsafe impl Sync for UserData {}

impl UserData {
    /// Takes `self`, so that closures capture the whole struct, which is `Send`.
    pub(crate) fn pointer(self) -> *mut c_void {
        self.0
    }
}

/// The token and the listener of one call. The token is linked to the caller's.
///
/// # Safety
/// `cancel` is null or a token that is not freed. `on_event` accepts `user_data`, until the call
/// returns.
pub(crate) unsafe fn control(
    on_event: stp_on_event,
    user_data: *mut c_void,
    cancel: *const stp_cancel,
) -> Control<Event> {
    // SAFETY: the caller promises that `cancel` is null or valid.
    let cancel = unsafe { cancel.as_ref() };
    let cancel = cancel.map_or_else(Cancel::default, |cancel| cancel.0.child());
    let Some(call) = on_event else {
        return Control::stopped_by(&cancel);
    };
    let (token, here, user_data) = (cancel.clone(), thread::current().id(), UserData(user_data));
    let listener = move |event: &Event| {
        if token.is_cancelled() || thread::current().id() != here {
            return;
        }
        let event = c_string(to_json(event));
        // SAFETY: the caller promises that the callback accepts `user_data`, and this is the thread
        // of the call.
        if unsafe { call(event.as_ptr(), user_data.pointer()) } != 0 {
            token.cancel();
        }
    };
    Control::new(cancel, Some(Arc::new(listener)))
}
