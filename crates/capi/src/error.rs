//! Codes and errors of calls, and the boundary that stops panics.

use std::any::Any;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ::session::Failure;
use pdb_table::Code;

/// The result of a call, or the outcome of a board: one of STP_OK, STP_ERROR and so on. Later
/// versions may add codes.
pub type stp_code = i32;

/// The call succeeded.
pub const STP_OK: stp_code = 0;
/// The input is invalid: a board, a goal, moves, an option, a null pointer.
pub const STP_ERROR: stp_code = 1;
/// The goal cannot be reached from this board.
pub const STP_UNSOLVABLE: stp_code = 2;
/// A limit of time or nodes was reached.
pub const STP_LIMIT: stp_code = 3;
/// The call was stopped by a token or a callback.
pub const STP_CANCELLED: stp_code = 4;
/// A table is missing, damaged, or not the expected one.
pub const STP_TABLE: stp_code = 5;
/// There is not enough memory, or a thread could not be started.
pub const STP_MEMORY: stp_code = 6;
/// The library has a defect. The arguments of the call are unchanged.
pub const STP_DEFECT: stp_code = 7;

/// Size of a message in bytes, including the final NUL.
pub const STP_MESSAGE_SIZE: usize = 1020;

/// Error of a call. The caller provides a variable of this type. The variable needs no
/// initialisation and is not freed. The size of the struct never changes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_error {
    /// The code that the call returned.
    pub code: stp_code,
    /// One line for people, in UTF-8, with a final NUL; empty after STP_OK. Texts may change in any
    /// version.
    pub message: [c_char; STP_MESSAGE_SIZE],
}

/// The number of a code. The constants have the order of [`Code::ALL`].
pub(crate) fn number(code: Code) -> stp_code {
    code as stp_code + 1
}

/// Runs a call and returns its code. Also writes the code and the message to `error` if `error` is
/// not null. A panic ends here and becomes STP_DEFECT.
///
/// # Safety
/// `error` is null or can be written.
pub(crate) unsafe fn guard(
    error: *mut stp_error,
    call: impl FnOnce() -> Result<(), Failure>,
) -> stp_code {
    // Unwind safety: after a panic, all state that the call was changing is either dropped or
    // complete.
    let (code, message) = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => (STP_OK, String::new()),
        Ok(Err(failure)) => (number(failure.code), failure.message),
        Err(panic) => (STP_DEFECT, defect(panic)),
    };
    if !error.is_null() {
        // SAFETY: the caller of this function promises that `error` can be written. The message is
        // written byte by byte, and no reference is made to bytes that may be uninitialised.
        unsafe { write_error(error, code, &message) };
    }
    code
}

/// Runs a call that returns neither a code nor an error. A panic ends only this call.
pub(crate) fn guard_quietly(call: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(call)) {
        drop(defect(panic));
    }
}

/// The message for a panic. The panic value is dropped here. If its destructor panics, the value of
/// the second panic is leaked.
fn defect(panic: Box<dyn Any + Send>) -> String {
    let text = match panic.downcast_ref::<&str>() {
        Some(text) => (*text).to_owned(),
        None => panic.downcast_ref().cloned().unwrap_or_default(),
    };
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
    format!("the library failed ({text}). This is a defect, please report it")
}

/// A message as one line for any terminal: `?` replaces control characters, U+2028 and U+2029.
/// A message can quote such characters from the input of the caller.
pub(crate) fn one_line(message: &str) -> String {
    let is_bare = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    message.replace(is_bare, "?")
}

/// Writes a code and a message; a message that is too long is cut at a character boundary.
///
/// # Safety
/// `error` can be written.
unsafe fn write_error(error: *mut stp_error, code: stp_code, message: &str) {
    const CUT: &str = "...";
    let message = one_line(message);
    let most = STP_MESSAGE_SIZE - 1;
    let mut end = message.len();
    if end > most {
        end = most - CUT.len();
        while !message.is_char_boundary(end) {
            end -= 1;
        }
    }
    let cut = if end < message.len() { CUT } else { "" };
    let bytes = message.as_bytes()[..end].iter().chain(cut.as_bytes());
    // SAFETY: the caller promises that the whole struct can be written. At most `most` bytes of the
    // message and the NUL are written.
    unsafe {
        (&raw mut (*error).code).write(code);
        let start = (&raw mut (*error).message).cast::<u8>();
        let mut length = 0;
        for &byte in bytes {
            start.add(length).write(byte);
            length += 1;
        }
        start.add(length).write(0);
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    fn ended(call: impl FnOnce() -> Result<(), Failure>) -> (stp_code, String) {
        let mut error = stp_error {
            code: -1,
            message: [1; STP_MESSAGE_SIZE],
        };
        // SAFETY: this function owns the error.
        let code = unsafe { guard(&raw mut error, call) };
        assert_eq!(code, error.code);
        // SAFETY: every message ends with a NUL.
        let message = unsafe { CStr::from_ptr(error.message.as_ptr()) };
        (code, message.to_str().unwrap().to_owned())
    }

    #[test]
    fn panics_do_not_cross_the_boundary() {
        let (code, message) = ended(|| panic!("number {}", 7));
        assert_eq!(code, STP_DEFECT);
        assert!(message.contains("number 7"), "{message}");
        // SAFETY: `error` may be null.
        let code = unsafe { guard(std::ptr::null_mut(), || panic!("again")) };
        assert_eq!(code, STP_DEFECT);
        guard_quietly(|| panic!("unheard"));
    }

    #[test]
    fn panicking_panic_values_do_not_cross_the_boundary() {
        struct Thorn;
        impl Drop for Thorn {
            fn drop(&mut self) {
                panic!("thorn");
            }
        }
        // If the call did not stop the panic, the panic value would arrive here. It must not be
        // dropped here either, because dropping it panics.
        let ended = catch_unwind(|| ended(|| std::panic::panic_any(Thorn)).0);
        match ended {
            Ok(code) => assert_eq!(code, STP_DEFECT),
            Err(thorn) => {
                std::mem::forget(thorn);
                panic!("the panic crossed the boundary");
            }
        }
    }

    #[test]
    fn constants_have_the_order_of_the_codes() {
        let numbers = Code::ALL.map(number);
        let constants = [
            STP_ERROR,
            STP_UNSOLVABLE,
            STP_LIMIT,
            STP_CANCELLED,
            STP_TABLE,
            STP_MEMORY,
        ];
        assert_eq!(numbers, constants);
        assert_eq!(number(Code::Unsolvable), STP_UNSOLVABLE);
        assert_eq!(number(Code::Memory), STP_MEMORY);
    }

    #[test]
    fn success_has_no_message() {
        assert_eq!(ended(|| Ok(())), (STP_OK, String::new()));
    }

    #[test]
    fn long_messages_are_cut_between_characters() {
        for shift in 0..4 {
            let long = "x".repeat(shift) + &"\u{1f9e9}".repeat(400);
            let (_, message) = ended(|| Err(Failure::input(&long)));
            let kept = message.strip_suffix("...").unwrap();
            assert!(long.starts_with(kept));
            assert!(message.len() < STP_MESSAGE_SIZE && message.len() > STP_MESSAGE_SIZE - 8);
        }
        let full = "y".repeat(STP_MESSAGE_SIZE - 1);
        assert_eq!(ended(|| Err(Failure::input(&full))), (STP_ERROR, full));
    }

    #[test]
    fn messages_have_no_control_characters() {
        let given = "a\0b\nc\x1b[1m\u{9b}d\u{2028}é";
        let line = ended(|| Err(Failure::new(Code::Table, given))).1;
        assert_eq!(line, "a?b?c?[1m?d?é");
        assert_eq!(ended(|| panic!("1\n2")).1.lines().count(), 1);
    }
}
