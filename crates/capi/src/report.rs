//! Results of solving boards.

use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use solver::{Answer, Mode, Report};

use crate::code::{method_number, mode_number, stp_code};
use crate::error::{CallError, guard_quietly, one_line};
use crate::text::{c_string, to_json};

/// The result of solving one board. The library allocates and frees reports, so later versions may
/// add members at the end. A report never changes, so any number of threads may read it at once. It
/// owns everything that it points to.
///
/// Pass a report by its pointer. A copy of the struct by assignment is not a report: it can be read
/// as long as the report lives, but stp_report_json and stp_report_copy return NULL for it, and
/// stp_report_free does nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_report {
    /// The outcome: STP_OK, STP_UNSOLVABLE, STP_LIMIT or STP_CANCELLED; in callbacks also
    /// STP_IMPROVED, and in lists STP_ERROR and STP_TABLE.
    pub code: stp_code,
    /// The requested mode: STP_MODE_OPTIMAL and so on.
    pub mode: i32,
    /// The method of the solution: STP_METHOD_SEARCH and so on.
    pub method: i32,
    /// 1 if the solution is proved to be shortest, else 0.
    pub proved: i32,
    /// Length of the solution in the solver's metric; -1 if there is none.
    pub length: i32,
    /// Proved lower bound of the length; -1 if nothing is proved.
    pub bound: i32,
    /// The heuristic's value for the board; -1 if it was not computed.
    pub h0: i32,
    /// Number of available search threads; 0 if there was no search.
    pub threads: u32,
    /// Generated nodes.
    pub nodes: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Milliseconds of the search of this board alone.
    pub ms: f64,
    /// The board in rows, such as "1 2 3/4 5 6/7 8 0". If a board of a list cannot be parsed, this
    /// is its original text.
    pub board: *const c_char,
    /// The moves of the solution in the requested notation. Empty if the board is the goal; NULL if
    /// there is no solution.
    pub moves: *const c_char,
    /// The solution as moves of single tiles: one letter (U, D, L or R) per move, for the direction
    /// of the tile. NULL if there is no solution. In the metric "multi" a move can slide several
    /// tiles, so `letter_count` can exceed `length`.
    pub letters: *const c_char,
    /// Length of `letters`.
    pub letter_count: usize,
    /// Number of shortest solutions; 0 if it was not requested.
    pub count: u64,
    /// Numbers of solutions with 0, 1, 2, ... moves more than the shortest; NULL if not requested.
    /// The JSON text contains these numbers only if solutions longer than the shortest were
    /// requested.
    pub counts: *const u64,
    /// Length of `counts`.
    pub counts_length: usize,
    /// The moves of the listed solutions, shorter ones first; NULL if not requested.
    pub solutions: *const *const c_char,
    /// Length of `solutions`.
    pub solution_count: usize,
    /// Name of the partition, such as "6-6-3"; NULL if the board was not searched.
    pub tables: *const c_char,
    /// Why there is no solution, or why the search ended; NULL after success.
    pub message: *const c_char,
    /// Two tiles whose swap makes an unsolvable board solvable, the smaller first; 0 and 0 in all
    /// other cases.
    pub swap: [u16; 2],
    /// Reserved: the library uses this value to detect copies of the struct.
    pub reserved: u32,
}

/// A report and its data.
#[repr(C)]
pub(crate) struct OwnedReport {
    /// Must be the first member, so that a pointer to it is also a pointer to the whole struct.
    public: stp_report,
    data: ReportData,
}

/// Data to which the pointers of the public struct point. The data neither moves nor changes as
/// long as the report lives.
struct ReportData {
    report: Report,
    _texts: Vec<CString>,
    _solutions: Vec<*const c_char>,
    _counts: Vec<u64>,
    letters: Option<Vec<u8>>,
    json: OnceLock<CString>,
}

// SAFETY: the pointers are to heap memory that the report owns and that never changes.
unsafe impl Send for OwnedReport {}
// SAFETY: as for `Send`. Only `json` is written later, and its `OnceLock` synchronises the threads.
unsafe impl Sync for OwnedReport {}

impl OwnedReport {
    /// Converts an answer for C.
    pub(crate) fn new(code: stp_code, answer: Answer) -> Box<OwnedReport> {
        let letters = answer.moves.map(|moves| {
            let letters = moves.iter().map(|direction| direction.letter() as u8);
            letters.chain([0]).collect()
        });
        OwnedReport::assemble(code, answer.report, letters)
    }

    /// The report of an unreadable board in a list.
    pub(crate) fn unreadable(mode: Mode, board: String, why: &CallError) -> Box<OwnedReport> {
        let mut report = Report::error(&why.message).with_mode(mode);
        report.board = Some(board);
        OwnedReport::assemble(why.code, report, None)
    }

    fn assemble(code: stp_code, mut report: Report, letters: Option<Vec<u8>>) -> Box<OwnedReport> {
        report.message = report.message.map(|message| one_line(&message));
        let mut texts = Vec::new();
        // The bytes of a CString are on the heap, so they stay in place when the CString moves.
        let mut keep = |text: &str| {
            let text = c_string(text);
            let pointer = text.as_ptr();
            texts.push(text);
            pointer
        };
        let mut keep_some = |text: Option<&String>| text.map_or(null(), |text| keep(text));
        let small = |number: Option<u32>| {
            number.map_or(-1, |number| i32::try_from(number).unwrap_or(i32::MAX))
        };
        let board = keep_some(report.board.as_ref());
        let has_solution = report.length.is_some();
        let moves = keep_some(report.moves.as_ref().filter(|_| has_solution));
        let tables = keep_some(report.tables.as_ref());
        let message = keep_some(report.message.as_ref());
        let written = report.solutions.as_deref().unwrap_or_default();
        let solutions: Vec<*const c_char> = written.iter().map(|text| keep(text)).collect();
        // If only shortest solutions were counted, `counts` repeats the value of `count`; the JSON
        // text contains this number only once.
        let counts = report.counts.clone();
        let counts = counts.unwrap_or_else(|| report.count.into_iter().collect());
        let public = stp_report {
            code,
            mode: mode_number(report.mode),
            method: method_number(report.method),
            proved: report.proved.unwrap_or(false).into(),
            length: small(report.length),
            bound: small(report.bound),
            h0: small(report.h0),
            threads: report.threads.map_or(0, |number| number as u32),
            nodes: report.nodes.unwrap_or(0),
            expanded: report.expanded.unwrap_or(0),
            ms: report.ms.unwrap_or(0.0),
            board,
            moves,
            letters: letters.as_ref().map_or(null(), |text| text.as_ptr().cast()),
            letter_count: letters.as_ref().map_or(0, |text| text.len() - 1),
            count: report.count.unwrap_or(0),
            counts: match counts.is_empty() {
                true => null(),
                false => counts.as_ptr(),
            },
            counts_length: counts.len(),
            solutions: report
                .solutions
                .as_ref()
                .map_or(null(), |_| solutions.as_ptr()),
            solution_count: solutions.len(),
            tables,
            message,
            swap: report.swap.unwrap_or_default(),
            reserved: 0,
        };
        let data = ReportData {
            report,
            _texts: texts,
            _solutions: solutions,
            _counts: counts,
            letters,
            json: OnceLock::new(),
        };
        let mut owned = Box::new(OwnedReport { public, data });
        owned.public.reserved = mark((&raw const *owned).cast());
        owned
    }

    /// A deep copy.
    fn copy(&self) -> Box<OwnedReport> {
        let ReportData {
            report, letters, ..
        } = &self.data;
        OwnedReport::assemble(self.public.code, report.clone(), letters.clone())
    }

    /// The outcome.
    pub(crate) fn code(&self) -> stp_code {
        self.public.code
    }

    /// The message; empty if there is none.
    pub(crate) fn message(&self) -> &str {
        self.data.report.message.as_deref().unwrap_or_default()
    }

    /// The report as C reads it, for callbacks. The pointer gives access to the whole
    /// [`OwnedReport`].
    pub(crate) fn as_c(&self) -> *const stp_report {
        std::ptr::from_ref(self).cast()
    }

    /// The report for a caller, who frees it.
    pub(crate) fn into_c(self: Box<Self>) -> *mut stp_report {
        Box::into_raw(self).cast()
    }

    fn json(&self) -> *const c_char {
        let write = || c_string(to_json(&self.data.report).unwrap_or_default());
        self.data.json.get_or_init(write).as_ptr()
    }
}

/// Mark of a complete report, computed from its address and stored in `reserved`. A copy of the
/// struct has another address, so the mark in the copy is wrong.
fn mark(place: *const stp_report) -> u32 {
    let place = place.addr() as u64;
    // All bits of the address affect the result. Multiplication by an odd factor is invertible, so
    // nearby addresses have different marks.
    ((place ^ (place >> 32)) as u32).wrapping_mul(0x9e37_79b1) ^ 0x5354_5052
}

/// The complete report that begins with this struct; `None` for NULL, and for a copy of the struct.
///
/// # Safety
/// `report` is null, a live report, or a copy of the struct.
unsafe fn whole<'a>(report: *const stp_report) -> Option<&'a OwnedReport> {
    // SAFETY: the caller promises that the whole struct can be read.
    if report.is_null() || unsafe { (*report).reserved } != mark(report) {
        return None;
    }
    // SAFETY: the mark proves that this is the first part of a complete report.
    unsafe { report.cast::<OwnedReport>().as_ref() }
}

/// The report as the JSON text that `solver --json` prints; docs/json.md lists its fields. Returns
/// NULL if `report` is NULL or if a defect of the library stops the call.
///
/// The field `status` of the text does not show that a search was cancelled: after STP_CANCELLED it
/// is "limit", or "solved" if an anytime search has a solution. `code` of the struct distinguishes
/// these cases.
///
/// The text belongs to the report and is valid as long as the report. It is created at the first
/// request. May be called from several threads at once for one report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_report_json(report: *const stp_report) -> *const c_char {
    let mut json = null();
    guard_quietly(|| {
        // SAFETY: the caller's pointers meet the header's requirements.
        if let Some(report) = unsafe { whole(report) } {
            json = report.json();
        }
    });
    json
}

/// A copy of a report, for example of a callback's report. Returns NULL if `report` is NULL or if a
/// defect of the library stops the call.
///
/// The caller frees the copy with stp_report_free. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_report_copy(report: *const stp_report) -> *mut stp_report {
    let mut copy = null_mut();
    guard_quietly(|| {
        // SAFETY: the caller's pointers meet the header's requirements.
        if let Some(report) = unsafe { whole(report) } {
            copy = report.copy().into_c();
        }
    });
    copy
}

/// Frees a report and everything that it points to; does nothing with NULL.
///
/// Free each report once, except the reports that callbacks receive. May be called from any thread,
/// while no other thread uses the report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_report_free(report: *mut stp_report) {
    // SAFETY: the caller passes NULL, or a report that was not freed before.
    if unsafe { whole(report) }.is_some() {
        // SAFETY: the caller owns the report. Clearing its mark makes a second, erroneous free do
        // nothing, as long as the memory has not been reused.
        unsafe { (&raw mut (*report).reserved).write_volatile(!mark(report)) };
        // SAFETY: the caller passes a result of `into_c`, once.
        guard_quietly(|| drop(unsafe { Box::from_raw(report.cast::<OwnedReport>()) }));
    }
}
