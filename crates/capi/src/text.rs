//! Texts for the caller.

use std::ffi::{CString, c_char};

use serde::Serialize;

use crate::error::{CallError, guard_quietly};
use crate::input::Place;

/// Frees a text that a call returned; does nothing with NULL.
///
/// Free each text once, with this function only. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller passes a result of `give`, once.
        guard_quietly(|| drop(unsafe { CString::from_raw(text) }));
    }
}

/// Converts a text for C. If the text contains a NUL, the result ends there.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> CString {
    let mut bytes = text.into();
    if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        bytes.truncate(end);
    }
    CString::new(bytes).unwrap_or_default()
}

/// Returns a text to the caller, who frees it.
pub(crate) fn give(to: Place<*mut c_char>, text: impl Into<Vec<u8>>) {
    to.put(c_string(text).into_raw());
}

/// Serialises an answer as JSON.
pub(crate) fn to_json(answer: &impl Serialize) -> Result<String, CallError> {
    serde_json::to_string(answer).map_err(CallError::input)
}
