//! Lists of boards.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use ::session::{Code, Control, Event, Failure};
use puzzle::Board;
use puzzle::board_text::ListedBoard;
use solver::{Mode, ThreadPermits, ordered_map};

use crate::call::{UserData, control, stp_cancel};
use crate::error::{STP_CANCELLED, guard, stp_code, stp_error};
use crate::input::{array, pointee, text};
use crate::report::{OwnedReport, stp_report};
use crate::solver::stp_solver;

/// Receives the report of each board of a list, in the order of the list. Boards are numbered from
/// 0. If the callback returns 0, the list continues; any other number ends it.
///
/// The report is valid until the callback returns and must not be freed; stp_report_copy keeps it.
/// While the callback runs, other threads solve the next boards, at most a few hundred. For the
/// other rules see stp_on_event.
pub type stp_on_report = Option<
    unsafe extern "C" fn(number: usize, report: *const stp_report, user_data: *mut c_void) -> c_int,
>;

/// Capacity of the channel of reports.
const QUEUE: usize = 64;

/// Solves a list of boards on all threads of the solver's options, and calls `on_report` for each
/// board, with its number and its report, in the order of the list. An error of one board is stored
/// in the report of this board. The other boards are still solved, and the call still returns
/// STP_OK. The limits of the options apply to each board. If the call is cancelled, only the boards
/// in progress are still reported, and the call returns STP_CANCELLED.
///
/// `boards` contains `count` texts, which are used until the call returns. `on_report` runs on the
/// thread that made the call and must not be NULL; it receives `user_data`. `cancel` and `error` may
/// be NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_solve_list(
    solver: *const stp_solver,
    boards: *const *const c_char,
    count: usize,
    on_report: stp_on_report,
    user_data: *mut c_void,
    cancel: *const stp_cancel,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements; each board is null or a text.
    unsafe {
        guard(error, || {
            let solver = pointee(solver, "solver")?;
            let boards = array(boards, count, "boards")?.iter();
            let boards: Vec<_> = boards.map(|&board| text(board, "board")).collect();
            let read = |number: usize| solver.read(boards[number].clone()?);
            let control = control(None, null_mut(), cancel);
            list(solver, count, read, on_report, user_data, &control)
        })
    }
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
    on_report: stp_on_report,
    user_data: *mut c_void,
    cancel: *const stp_cancel,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements; the array has the size that the
    // caller promises.
    unsafe {
        guard(error, || {
            let solver = pointee(solver, "solver")?;
            let tray = solver.goal.tray();
            let cells = tray.cells();
            let numbers = array(numbers, count.saturating_mul(cells), "numbers")?;
            let read = |number: usize| {
                let numbers = numbers[number * cells..][..cells].iter();
                let wide: Vec<u32> = numbers.copied().map(u32::from).collect();
                let board = Board::new(tray, &wide).map_err(Failure::input)?;
                Ok(ListedBoard::from(board))
            };
            let control = control(None, null_mut(), cancel);
            list(solver, count, read, on_report, user_data, &control)
        })
    }
}

/// Solves `count` boards and reports them in order. `read` returns the board with a given number.
fn list(
    solver: &stp_solver,
    count: usize,
    read: impl Fn(usize) -> Result<ListedBoard, Failure> + Sync,
    on_report: stp_on_report,
    user_data: *mut c_void,
    control: &Control<Event>,
) -> Result<(), Failure> {
    let Some(on_report) = on_report else {
        return Err(Failure::input("on_report is NULL: expected a function"));
    };
    let (cancel, permits) = (&control.cancel, Arc::new(ThreadPermits::default()));
    let mut question = solver.question(control)?;
    let workers = match question.mode() {
        // Anytime searches benefit from more threads, so the boards are solved one after the other,
        // each by all threads.
        Mode::Anytime => 1,
        _ => {
            question.options = question.options.permits(&permits);
            question.threads()
        }
    };
    let solve = |number| match read(number) {
        Ok(read) => solver.answer(&read, &question),
        Err(failure) => OwnedReport::new(Err(failure), None),
    };
    let work = |reports: SyncSender<(usize, Arc<OwnedReport>)>| {
        let boards = (0..count).take_while(|_| !cancel.is_cancelled());
        let deliver = |number, report| {
            // Sending fails only if the calling thread has panicked. The report is not needed then.
            let _ = reports.send((number, report));
        };
        ordered_map(boards, workers, &permits, solve, deliver);
    };
    let (mut is_ended, mut answered, user_data) = (false, 0, UserData(user_data));
    pumped(work, |(number, report)| {
        if is_ended {
            return;
        }
        // SAFETY: the report is alive. The caller supplied the callback and `user_data`, and this
        // is the thread of the call.
        let (code, answer) = unsafe {
            let report = report.as_c();
            (
                (*report).code,
                on_report(number, report, user_data.pointer()),
            )
        };
        answered += usize::from(code != STP_CANCELLED);
        if answer != 0 {
            is_ended = true;
            cancel.cancel();
        }
    })?;
    // A token that is cancelled after all boards are answered does not change the result.
    match answered < count {
        true => Err(Failure::cancelled()),
        false => Ok(()),
    }
}

/// Runs `work` on a new thread, and calls `hear` on the calling thread for each message that `work`
/// sends. Sending blocks while the channel is full.
///
/// # Errors
/// A thread cannot be started.
fn pumped<E: Send, R: Send>(
    work: impl FnOnce(SyncSender<E>) -> R + Send,
    hear: impl FnMut(E),
) -> Result<R, Failure> {
    let (sender, receiver) = sync_channel(QUEUE);
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().spawn_scoped(scope, move || work(sender));
        let worker = worker.map_err(|error| {
            Failure::new(Code::Memory, format_args!("cannot start a thread: {error}"))
        })?;
        receiver.into_iter().for_each(hear);
        let ended = worker.join();
        ended.map_err(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::*;
    use crate::error::STP_DEFECT;

    #[test]
    fn messages_arrive_on_the_calling_thread() {
        let here = thread::current().id();
        let mut heard = Vec::new();
        let send = |sender: SyncSender<usize>| {
            (0..1000).for_each(|number| sender.send(number).unwrap());
            thread::current().id()
        };
        let hear = |number| {
            assert_eq!(thread::current().id(), here);
            heard.push(number);
        };
        assert_ne!(pumped(send, hear).unwrap(), here);
        assert!(heard.into_iter().eq(0..1000));
    }

    #[test]
    fn worker_panics_do_not_cross_the_boundary() {
        let ended = || pumped(|_: SyncSender<()>| panic!("there"), |()| ());
        // SAFETY: `error` may be null.
        let code = unsafe { guard(null_mut(), ended) };
        assert_eq!(code, STP_DEFECT);
    }

    #[test]
    fn a_panicking_listener_ends_the_work() {
        let send = |sender: SyncSender<u32>| while sender.send(1).is_ok() {};
        let run = || pumped(send, |_| panic!("here"));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
