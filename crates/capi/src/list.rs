//! Lists of boards.

use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use puzzle::Board;
use puzzle::board_text::Note;
use solver::{Mode, ThreadPermits, ordered_map};

use crate::callback::{UserData, pumped, stp_on_report};
use crate::code::{STP_CANCELLED, stp_code};
use crate::error::{CallError, guarded, stp_error};
use crate::input::{self, pointee};
use crate::report::OwnedReport;
use crate::solve::{Call, stp_solve_options};
use crate::solver::stp_solver;

/// Solves a list of boards on all threads of the call, and calls `on_report` for each board, with
/// its number and its report, in the order of the list. An error of one board is stored in the
/// report of this board. The other boards are still solved, and the call still returns STP_OK. The
/// limits of the options apply to each board. If the call is cancelled, only the boards in progress
/// are still reported, and the call returns STP_CANCELLED.
///
/// `boards` contains `count` texts. The texts and the options are used until the call returns.
/// `on_report` runs on the thread that made the call and must not be NULL; it receives `user_data`.
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
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (solver, call, boards) = unsafe {
            let solver = pointee(solver, "solver")?;
            let call = Call::new(options, solver)?;
            (solver, call, input::array(boards, count, "boards")?)
        };
        // SAFETY: the caller promises that each board is NULL or a text.
        let text = |&board: &*const c_char| unsafe { input::text(board, "board") };
        let boards: Vec<_> = boards.iter().map(text).collect();
        let read = |number: usize, notes: &mut Vec<Note>| match &boards[number] {
            Ok(text) => solver
                .read(text, notes)
                .map_err(|error| ((*text).to_owned(), error)),
            Err(error) => Err((String::new(), error.clone())),
        };
        list(solver, &call, count, read, on_report, user_data)?;
    })
}

/// Solves boards given as numbers, like stp_solver_solve_list but without parsing texts.
///
/// `numbers` contains the boards' numbers in reading order, 0 for the blank, one board after the
/// other: in total `count` times the number of cells. For the rest see stp_solver_solve_list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_solve_numbers(
    solver: *const stp_solver,
    numbers: *const u16,
    count: usize,
    options: *const stp_solve_options,
    on_report: stp_on_report,
    user_data: *mut c_void,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (solver, call) = unsafe {
            let solver = pointee(solver, "solver")?;
            (solver, Call::new(options, solver)?)
        };
        let tray = solver.solver.goal().tray();
        let cells = tray.cells();
        // SAFETY: the array has the size that the caller promises.
        let numbers = unsafe { input::array(numbers, count.saturating_mul(cells), "numbers") }?;
        let read = |number: usize, _: &mut Vec<Note>| {
            let numbers = &numbers[number * cells..][..cells];
            let wide: Vec<u32> = numbers.iter().copied().map(u32::from).collect();
            Board::new(tray, &wide).map_err(|error| (format!("{wide:?}"), CallError::input(error)))
        };
        list(solver, &call, count, read, on_report, user_data)?;
    })
}

/// Solves `count` boards and reports them in order. `read` returns the board with a given number,
/// and adds the guesses about its form to a list; or, if the board is invalid, its text and the
/// error.
fn list(
    solver: &stp_solver,
    call: &Call,
    count: usize,
    read: impl Fn(usize, &mut Vec<Note>) -> Result<Board, (String, CallError)> + Sync,
    on_report: stp_on_report,
    user_data: *mut c_void,
) -> Result<(), CallError> {
    let Some(on_report) = on_report else {
        return Err(CallError::input("on_report is NULL: expected a function"));
    };
    let user_data = UserData(user_data);
    let permits = Arc::new(ThreadPermits::default());
    let mut question = call.question(solver)?;
    // The callbacks for progress and improved solutions are not called for lists.
    (question.options.progress, question.improved) = (None, None);
    let mode = question.options.mode;
    let workers = match mode {
        // Anytime searches benefit from more threads, so the boards are solved one after the other,
        // each by all threads.
        Mode::Anytime => 1,
        _ => {
            question.options.permits = Some(Arc::clone(&permits));
            question.options.threads
        }
    };
    let solve = |number| {
        let mut notes = Vec::new();
        match read(number, &mut notes) {
            Ok(board) => call.answer(solver, &board, &notes, &question),
            Err((text, why)) => OwnedReport::unreadable(mode, text, &why),
        }
    };
    let (mut is_ended, mut answered) = (false, 0);
    let work = |reports: SyncSender<(usize, Box<OwnedReport>)>| {
        let boards = (0..count).take_while(|_| !call.cancel.is_cancelled());
        let deliver = |number, report| {
            // Sending fails only if the calling thread has panicked. The report is not needed then.
            let _ = reports.send((number, report));
        };
        ordered_map(boards, workers, &permits, solve, deliver);
    };
    let hear = |(number, report): (usize, Box<OwnedReport>)| {
        if is_ended {
            return;
        }
        answered += usize::from(report.code() != STP_CANCELLED);
        // SAFETY: the caller supplied this callback and `user_data`, and this is the thread of the
        // call.
        if unsafe { on_report(number, report.as_c(), user_data.pointer()) } != 0 {
            is_ended = true;
            call.cancel.cancel();
        }
    };
    pumped(work, hear)?;
    // A token that is cancelled after all boards are answered does not change the result.
    match answered < count {
        true => Err(CallError::cancelled()),
        false => Ok(()),
    }
}
