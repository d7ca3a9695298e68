//! Results of solving boards.

use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Arc, OnceLock};

use ::session::Failure;
use puzzle::Direction;
use solver::Report;

use crate::error::{STP_OK, guard_quietly, number, one_line, stp_code};
use crate::input::{c_string, to_json};

/// The result of solving one board. The library allocates and frees reports, so later versions may
/// add members at the end. A report never changes, so any number of threads may read it at once. It
/// owns everything that it points to. stp_report_json has further fields.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_report {
    /// The outcome: STP_OK, STP_UNSOLVABLE, STP_LIMIT or STP_CANCELLED; in lists also STP_ERROR and
    /// STP_TABLE.
    pub code: stp_code,
    /// 1 if the solution is proved to be shortest, else 0.
    pub proved: i32,
    /// Length of the solution in the solver's metric; -1 if there is none.
    pub length: i32,
    /// Proved lower bound of the length; -1 if nothing is proved.
    pub bound: i32,
    /// Generated nodes.
    pub nodes: u64,
    /// Milliseconds of the search of this board alone.
    pub ms: f64,
    /// The moves of the solution in the requested notation. Empty if the board is the goal; NULL if
    /// there is no solution.
    pub moves: *const c_char,
    /// The solution as moves of single tiles: one letter (U, D, L or R) per move, for the direction
    /// of the tile. NULL if there is no solution. In the metric "multi" a move can slide several
    /// tiles, so there can be more letters than `length`.
    pub letters: *const c_char,
    /// Why there is no solution, or why the search ended; NULL after success.
    pub message: *const c_char,
    /// For the library.
    pub data: *const c_void,
}

/// A report and its data. The pointers of the public struct point to the data, which neither moves
/// nor changes as long as the report lives.
#[repr(C)]
pub(crate) struct OwnedReport {
    /// Must be the first member, so that a pointer to it is also a pointer to the whole struct.
    public: stp_report,
    outcome: Result<Report, Failure>,
    _texts: [Option<CString>; 3],
    json: OnceLock<CString>,
}

// SAFETY: the pointers are to heap memory that the report owns and that never changes.
unsafe impl Send for OwnedReport {}
// SAFETY: as for `Send`. Only `json` is written later, and its `OnceLock` synchronises the threads.
unsafe impl Sync for OwnedReport {}

impl OwnedReport {
    /// Converts an outcome for C. `moves` are those of the solution.
    pub(crate) fn new(
        outcome: Result<Report, Failure>,
        moves: Option<Vec<Direction>>,
    ) -> Arc<OwnedReport> {
        let (report, failure) = match &outcome {
            Ok(report) => (Some(report), None),
            Err(failure) => (failure.report.as_deref(), Some(failure)),
        };
        let solution = report.filter(|report| report.length.is_some());
        // The bytes of a CString are on the heap, so they stay in place when the CString moves.
        let texts = [
            solution
                .and_then(|report| report.moves.as_deref())
                .map(c_string),
            moves.map(|moves| {
                let letters = moves.iter().map(|direction| direction.letter() as u8);
                c_string(letters.collect::<Vec<u8>>())
            }),
            failure.map(|failure| c_string(one_line(&failure.message))),
        ];
        let [moves, letters, message] = texts
            .each_ref()
            .map(|text| text.as_ref().map_or(null(), |text| text.as_ptr()));
        let small = |number: Option<u32>| {
            number.map_or(-1, |number| i32::try_from(number).unwrap_or(i32::MAX))
        };
        let public = stp_report {
            code: failure.map_or(STP_OK, |failure| number(failure.code)),
            proved: report
                .and_then(|report| report.proved)
                .unwrap_or(false)
                .into(),
            length: small(report.and_then(|report| report.length)),
            bound: small(report.and_then(|report| report.bound)),
            nodes: report.and_then(|report| report.nodes).unwrap_or(0),
            ms: report.and_then(|report| report.ms).unwrap_or(0.0),
            moves,
            letters,
            message,
            data: null(),
        };
        let mut owned = Arc::new(OwnedReport {
            public,
            outcome,
            _texts: texts,
            json: OnceLock::new(),
        });
        let data = Arc::as_ptr(&owned).cast();
        if let Some(owned) = Arc::get_mut(&mut owned) {
            owned.public.data = data;
        }
        owned
    }

    /// The report, or why there is none.
    pub(crate) fn outcome(&self) -> &Result<Report, Failure> {
        &self.outcome
    }

    /// The report as C reads it, for callbacks.
    pub(crate) fn as_c(self: &Arc<Self>) -> *const stp_report {
        Arc::as_ptr(self).cast()
    }

    /// The report for a caller, who frees it.
    pub(crate) fn into_c(self: Arc<Self>) -> *mut stp_report {
        Arc::into_raw(self).cast_mut().cast()
    }
}

/// The complete report of a struct; null for NULL.
///
/// # Safety
/// `report` is null, or a report that is not freed.
unsafe fn whole(report: *const stp_report) -> *const OwnedReport {
    // SAFETY: as the caller promises.
    unsafe { report.as_ref() }.map_or(null(), |report| report.data.cast())
}

/// The report as the JSON text that stp_call answers, see docs/json.md. Returns NULL if `report` is
/// NULL or if a defect of the library stops the call.
///
/// The text belongs to the report and is valid as long as the report. It is created at the first
/// request. May be called from several threads at once for one report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_report_json(report: *const stp_report) -> *const c_char {
    let mut json = null();
    guard_quietly(|| {
        // SAFETY: the caller's pointers meet the header's requirements.
        if let Some(report) = unsafe { whole(report).as_ref() } {
            let write = || c_string(report.outcome.as_ref().map_or_else(to_json, to_json));
            json = report.json.get_or_init(write).as_ptr();
        }
    });
    json
}

/// Keeps a report, for example of a callback: returns a report with the same contents, which the
/// caller frees with stp_report_free. Returns NULL if `report` is NULL.
///
/// May be called from any thread. Copies no memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_report_copy(report: *const stp_report) -> *mut stp_report {
    // SAFETY: the caller passes NULL or a report that is not freed.
    let report = unsafe { whole(report) };
    if report.is_null() {
        return null_mut();
    }
    // SAFETY: `data` of a report is the pointer of its `Arc`.
    unsafe { Arc::increment_strong_count(report) };
    report.cast_mut().cast()
}

/// Frees a report and everything that it points to; does nothing with NULL.
///
/// Free each report once, except the reports that callbacks receive. May be called from any thread,
/// while no other thread uses the report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_report_free(report: *mut stp_report) {
    // SAFETY: the caller passes NULL or a report that is not freed.
    let report = unsafe { whole(report) };
    if !report.is_null() {
        // SAFETY: the caller passes a result of `into_c` or of `stp_report_copy`, once.
        guard_quietly(|| drop(unsafe { Arc::from_raw(report) }));
    }
}
