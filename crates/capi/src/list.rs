//! Lists of boards.

use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use solver::{Mode, ThreadPermits, ordered_map};

use crate::callback::{UserData, pumped, stp_on_report};
use crate::code::{STP_CANCELLED, stp_code};
use crate::error::{Failure, guard, stp_error};
use crate::input::{self, pointee};
use crate::open::stp_solver;
use crate::report::{OwnedReport, unreadable};
use crate::solve::{Call, stp_solve_options};

/// Solves a list of boards on all of the call's threads, and calls `on_report` for each with its
/// number and its report, in the order of the list. What is wrong with one board is in its report,
/// and the others go on: the call returns STP_OK when all have a report, and none was cut short.
/// The limits of the options are those of each board. When the call is cancelled the boards in work
/// are reported, and no others, and it returns STP_CANCELLED.
///
/// `boards` has `count` texts, which are used until the call returns, as are the options.
/// `on_report` runs on the thread that made the call and must not be NULL; `user_data` is passed to
/// it.
/// `options` and `error` may be NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_solve_list(
    solver: *const stp_solver,
    boards: *const *const c_char,
    count: usize,
    options: *const stp_solve_options,
    on_report: stp_on_report,
    user_data: *mut c_void,
    error: *mut stp_error,
) -> stp_code {
    let call = || {
        // SAFETY: the caller passes what the header asks for.
        let (solver, call) = unsafe {
            let solver = pointee(solver, "solver")?;
            (solver, Call::new(options, solver)?.ending())
        };
        let Some(on_report) = on_report else {
            return Err(Failure::input("on_report is NULL: expected a function"));
        };
        // SAFETY: there are so many boards.
        let boards = unsafe { read_boards(boards, count) }?;
        let user_data = UserData::new(user_data);
        let threads = call.options.threads;
        let permits = Arc::new(ThreadPermits::default());
        let call = call.for_list(&permits);
        let workers = match call.options.mode {
            Mode::Anytime => 1,
            _ => threads,
        };
        let cancel = call.cancel.clone();
        let (mut is_ended, mut answered) = (false, 0);
        let work = |reports: SyncSender<(usize, Box<OwnedReport>)>| {
            let boards = boards.iter().take_while(|_| !call.cancel.is_cancelled());
            let solve = |board: &Result<&str, Failure>| call.solve_text(solver, board);
            let deliver = |number, report| {
                // The call's thread hears until this one ends.
                let _ = reports.send((number, report));
            };
            ordered_map(boards, workers, &permits, solve, deliver);
        };
        let hear = |(number, report): (usize, Box<OwnedReport>)| {
            if is_ended {
                return;
            }
            answered += usize::from(report.code() != STP_CANCELLED);
            // SAFETY: the caller has passed a function of this type with its data, and this is the
            // thread of the call.
            if unsafe { on_report(number, report.as_c(), user_data.pointer()) } != 0 {
                is_ended = true;
                cancel.cancel();
            }
        };
        pumped(work, hear)?;
        // A list that is answered in full is not cut by a token that comes too late.
        match answered < boards.len() {
            true => Err(Failure::cancelled()),
            false => Ok(()),
        }
    };
    // SAFETY: the caller promises it of `error`.
    unsafe { guard(error, call) }
}

impl Call {
    /// Solves a board of a list.
    fn solve_text(&self, solver: &stp_solver, board: &Result<&str, Failure>) -> Box<OwnedReport> {
        let text = match board {
            Ok(text) => text,
            Err(failure) => return unreadable("", &failure.message),
        };
        match solver.read(text) {
            Ok(board) => self.solve(solver, &board),
            Err(failure) => unreadable(text, &failure.message),
        }
    }
}

/// The texts of a list. A board that is no text has an error of its own.
///
/// # Safety
/// `boards` has `count` texts that end with a NUL, or nulls.
unsafe fn read_boards<'a>(
    boards: *const *const c_char,
    count: usize,
) -> Result<Vec<Result<&'a str, Failure>>, Failure> {
    if count > 0 && boards.is_null() {
        return Err(Failure::input(format!(
            "boards is NULL: expected {count} of them"
        )));
    }
    // SAFETY: the caller promises that there are so many, each a text.
    let board = |number| unsafe { input::text(boards.add(number).read(), "board") };
    Ok((0..count).map(board).collect())
}
