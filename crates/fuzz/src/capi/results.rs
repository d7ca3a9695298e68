//! Checks the results of calls. Each result must be complete and match the call's code; it is then
//! freed.

use std::ffi::{CStr, c_char, c_int, c_void};

use slidingtilepdb::*;

/// The error of a call. It is initialised with arbitrary bytes, like an uninitialised C variable.
pub(super) struct Failure(pub(super) stp_error);

impl Failure {
    pub(super) fn new() -> Failure {
        let message = [0x55; STP_MESSAGE_SIZE];
        Failure(stp_error { code: 77, message })
    }

    /// Checks that the error matches the code of the call.
    #[track_caller]
    pub(super) fn check(&self, code: stp_code) {
        assert_eq!(self.0.code, code);
        assert!((STP_OK..STP_DEFECT).contains(&code), "{code}");
        assert!(self.0.message.contains(&0), "a message without a NUL");
        // SAFETY: the message has a NUL.
        let message = unsafe { CStr::from_ptr(self.0.message.as_ptr()) };
        let message = message.to_str().expect("messages are UTF-8");
        // After a success, a message is a note about a guess.
        assert!(code == STP_OK || !message.is_empty(), "{code}");
        assert!(!message.contains(char::is_control), "{message:?}");
    }
}

/// Checks and frees a text returned by a call.
#[track_caller]
pub(super) fn take_text(code: stp_code, text: *mut c_char) {
    assert_eq!(code == STP_OK, !text.is_null());
    if !text.is_null() {
        // SAFETY: the library returned this text. It ends with a NUL and is freed once.
        unsafe {
            CStr::from_ptr(text).to_str().expect("texts are UTF-8");
            stp_string_free(text);
        }
    }
}

/// Checks and frees a board returned by a call.
#[track_caller]
pub(super) fn take_board(code: stp_code, board: *mut stp_board) {
    assert_eq!(code == STP_OK, !board.is_null());
    if !board.is_null() {
        // SAFETY: the library returned this board. It is freed once and not used afterwards.
        unsafe {
            let given = &*board;
            assert_eq!(given.cells, given.columns as usize * given.rows as usize);
            let numbers = std::slice::from_raw_parts(given.numbers, given.cells);
            assert!(numbers.contains(&0));
            CStr::from_ptr(given.text)
                .to_str()
                .expect("texts are UTF-8");
            stp_board_free(board);
        }
    }
}

/// Reads all fields of a report.
pub(super) fn check_report(report: *const stp_report) {
    // SAFETY: the library returned this report, and it is not freed yet.
    unsafe {
        let given = &*report;
        for text in [
            given.board,
            given.moves,
            given.letters,
            given.tables,
            given.message,
        ] {
            if !text.is_null() {
                CStr::from_ptr(text).to_str().expect("texts are UTF-8");
            }
        }
        if !given.letters.is_null() {
            assert_eq!(
                CStr::from_ptr(given.letters).count_bytes(),
                given.letter_count
            );
        }
        if !given.counts.is_null() {
            let counts = std::slice::from_raw_parts(given.counts, given.counts_length);
            assert_eq!(counts.first().copied().unwrap_or(0), given.count);
        }
        if !given.solutions.is_null() {
            let solutions = std::slice::from_raw_parts(given.solutions, given.solution_count);
            for &solution in solutions {
                CStr::from_ptr(solution).to_str().expect("texts are UTF-8");
            }
        }
        let json = stp_report_json(report);
        let json = CStr::from_ptr(json).to_str().expect("texts are UTF-8");
        serde_json::from_str::<serde_json::Value>(json).expect("an object of JSON");
    }
}

/// Reads, copies and frees a report returned by a call.
pub(super) fn take_report(code: stp_code, report: *mut stp_report) {
    let has_report = [STP_OK, STP_UNSOLVABLE, STP_LIMIT, STP_CANCELLED].contains(&code);
    assert_eq!(has_report, !report.is_null());
    if !report.is_null() {
        check_report(report);
        // SAFETY: the report and its copy are each freed once, and the report is freed first.
        unsafe {
            let copy = stp_report_copy(report);
            stp_report_free(report);
            check_report(copy);
            stp_report_free(copy);
        }
    }
}

pub(super) unsafe extern "C" fn on_report(
    _: usize,
    report: *const stp_report,
    user_data: *mut c_void,
) -> c_int {
    check_report(report);
    answer(user_data)
}

pub(super) unsafe extern "C" fn on_progress(
    _: *const stp_search_status,
    user_data: *mut c_void,
) -> c_int {
    answer(user_data)
}

/// The return value of a callback: the number at `user_data`, or 0 if `user_data` is null.
pub(super) fn answer(user_data: *mut c_void) -> c_int {
    // SAFETY: `user_data` is null or points to a number of the caller.
    unsafe { user_data.cast::<c_int>().as_ref() }.map_or(0, |answer| *answer)
}
