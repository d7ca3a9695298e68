//! Sessions, and their answers as JSON.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use ::session::{Request, Session, Spelling};

use crate::call::{control, stp_cancel, stp_on_event};
use crate::error::{guard, guard_quietly, stp_code, stp_error};
use crate::input::{Place, array, c_string, optional_text, options, pointee, text, to_json};

/// Answers questions. A session keeps the tables that its calls open.
#[derive(Debug)]
pub struct stp_session(pub(crate) Arc<Session>);

/// Opens a session.
///
/// `directory` is a directory of tables, which need not exist, or NULL. Missing tables are built and
/// stored there. If the directory cannot be written, the new tables are used from memory, and a
/// warning is reported. Without a directory, tables are built in memory. Files are mapped, so they
/// must not be truncated or overwritten while the session is open; otherwise the system ends the
/// process with SIGBUS. Replacing a file by a new one of the same name, as the library does, is
/// safe.
///
/// `options` is a JSON object with the settings of docs/c.md, such as {"threads": 2}, or NULL.
///
/// The caller frees the session with stp_session_free; after a failure `*session` is NULL. `error`
/// may be NULL. May be called from any thread. Takes a few microseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_session_open(
    directory: *const c_char,
    options: *const c_char,
    session: *mut *mut stp_session,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements.
    unsafe {
        guard(error, || {
            let session = Place::new(session, null_mut(), "session")?;
            let mut settings = self::options(options)?;
            if let Some(directory) = optional_text(directory, "directory")? {
                settings.insert("directory".to_owned(), directory.into());
            }
            let opened = Session::with_settings(settings, Spelling::Snake)?;
            session.put(Box::into_raw(Box::new(stp_session(Arc::new(opened)))));
            Ok(())
        })
    }
}

/// Frees a session; does nothing with NULL.
///
/// No other call may use the session at the same time or later. Its solvers stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_session_free(session: *mut stp_session) {
    if !session.is_null() {
        // SAFETY: the caller passes a result of `stp_session_open`, once.
        guard_quietly(|| drop(unsafe { Box::from_raw(session) }));
    }
}

/// Adds a table to a session: the bytes of its file, which may be packed or compressed with zstd.
/// Every checksum is verified. The bytes are copied. Calls that open tables later use the table
/// instead of building it.
///
/// `bytes` has `length` bytes, which are used until the call returns. `cancel` and `error` may be
/// NULL. May be called from several threads at once with one session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_session_add_table(
    session: *const stp_session,
    bytes: *const u8,
    length: usize,
    cancel: *const stp_cancel,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements.
    unsafe {
        guard(error, || {
            let session = &pointee(session, "session")?.0;
            let bytes = array(bytes, length, "bytes")?;
            session.give_bytes(bytes, &control(None, null_mut(), cancel).cancel)?;
            Ok(())
        })
    }
}

/// Answers a question. `request` is a JSON object: `ask` is the name of the question, and the other
/// fields are its options, such as {"ask": "hint", "board": "1 2 3/4 5 6/7 0 8"}. docs/c.md lists
/// the questions, docs/json.md describes the answers. The first question about the boards of a goal
/// opens its tables, or builds them; the session keeps them for later questions.
///
/// `*answer` is a JSON text: the answer, or after a failure an object with `code`, `message` and, for
/// boards that cannot be solved and for stopped searches, the fields of the board's report. The
/// caller frees it with stp_string_free. It is NULL after STP_DEFECT, and for a null pointer or a
/// `request` that is not UTF-8.
///
/// `on_event` receives `user_data`. `on_event`, `cancel` and `error` may be NULL. The arguments are
/// used until the call returns. May be called from several threads at once with one session; calls
/// that open tables wait for each other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_call(
    session: *const stp_session,
    request: *const c_char,
    on_event: stp_on_event,
    user_data: *mut c_void,
    cancel: *const stp_cancel,
    answer: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements.
    unsafe {
        guard(error, || {
            let answer = Place::new(answer, null_mut(), "answer")?;
            let session = &pointee(session, "session")?.0;
            let request = Request::from_json(text(request, "request")?);
            let control = control(on_event, user_data, cancel);
            let found = request.and_then(|request| session.call(&request, &control));
            let written = found.as_ref().map_or_else(to_json, to_json);
            answer.put(c_string(written).into_raw());
            found.map(drop)
        })
    }
}
