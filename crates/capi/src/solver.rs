//! Solvers: the boards of one goal, without JSON.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use ::session::request::{Place as GoalPlace, Solve};
use ::session::{Control, Failure, Fields, Opened, Session, Spelling, report};
use puzzle::Goal;
use puzzle::board_text::{ListedBoard, parse};
use solver::Question;

use crate::call::{control, stp_cancel, stp_on_event};
use crate::error::{guard, guard_quietly, stp_code, stp_error};
use crate::input::{Place, array, options, pointee, text, zeroed_array};
use crate::report::{OwnedReport, stp_report};
use crate::session::stp_session;

/// A goal, its tables, and the options of solving its boards.
#[derive(Debug)]
pub struct stp_solver {
    session: Arc<Session>,
    request: Solve,
    pub(crate) goal: Goal,
    opened: Arc<Opened>,
}

impl stp_solver {
    /// Reads a board of the solver's goal.
    pub(crate) fn read(&self, board: &str) -> Result<ListedBoard, Failure> {
        let read = parse(board, Some(self.goal.tray())).map_err(Failure::input)?;
        read.for_goal(&self.goal).map_err(Failure::input)
    }

    /// The question about each board.
    pub(crate) fn question(
        &self,
        control: &Control<::session::Event>,
    ) -> Result<Question, Failure> {
        self.session.question(&self.request, control)
    }

    /// Solves a board.
    pub(crate) fn answer(&self, read: &ListedBoard, question: &Question) -> Arc<OwnedReport> {
        let mut answer = self.opened.solver.answer(&read.board, question);
        let moves = answer.moves.take();
        OwnedReport::new(report(answer, &read.notes, question.cancel()), moves)
    }
}

/// Opens a solver, for many boards of one goal: finds or builds the tables of the goal. Solving a
/// board then takes a few microseconds more than its search.
///
/// `options` is a JSON object with the options of the question `solve` except the board, such as
/// {"size": "3x3", "max_time": 2.5}, or NULL for the default tables of 4x4, which are built in a
/// tenth of a second.
///
/// The caller frees the solver with stp_solver_free; after a failure `*solver` is NULL. For
/// `on_event`, `user_data`, `cancel`, `error` and threads see stp_call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_open(
    session: *const stp_session,
    options: *const c_char,
    on_event: stp_on_event,
    user_data: *mut c_void,
    cancel: *const stp_cancel,
    solver: *mut *mut stp_solver,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements.
    unsafe {
        guard(error, || {
            let solver = Place::new(solver, null_mut(), "solver")?;
            let session = Arc::clone(&pointee(session, "session")?.0);
            let mut fields = self::options(options)?;
            if fields.insert("board".to_owned(), "".into()).is_some() {
                return Err(Failure::input("board is an argument of each call"));
            }
            let request = Solve::from_fields(fields, Spelling::Snake)?;
            let control = control(on_event, user_data, cancel);
            let question = session.question(&request, &control)?;
            let (size, goal) = (request.subject.size, request.subject.goal.clone());
            let goal = GoalPlace { size, goal }.goal()?;
            let opened = session.open_for(&question, &goal, &request.tables, &control)?;
            if control.is_cancelled() {
                return Err(Failure::cancelled());
            }
            solver.put(Box::into_raw(Box::new(stp_solver {
                session,
                request,
                goal,
                opened,
            })));
            Ok(())
        })
    }
}

/// Frees a solver; does nothing with NULL.
///
/// No other call may use the solver at the same time or later. Reports stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_free(solver: *mut stp_solver) {
    if !solver.is_null() {
        // SAFETY: the caller passes a result of `stp_solver_open`, once.
        guard_quietly(|| drop(unsafe { Box::from_raw(solver) }));
    }
}

/// Solves a board. With STP_OK the report contains the solution. With STP_UNSOLVABLE, STP_LIMIT and
/// STP_CANCELLED the report contains the reason and the proved bound. With other codes `*report` is
/// NULL.
///
/// `board` is a text in any usual form, such as "1 2 3/4 5 6/7 0 8". The caller frees the report with
/// stp_report_free. For `on_event`, `user_data`, `cancel` and `error` see stp_call. May be called
/// from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_solve(
    solver: *const stp_solver,
    board: *const c_char,
    on_event: stp_on_event,
    user_data: *mut c_void,
    cancel: *const stp_cancel,
    report: *mut *mut stp_report,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements.
    unsafe {
        guard(error, || {
            let place = Place::new(report, null_mut(), "report")?;
            let solver = pointee(solver, "solver")?;
            let read = solver.read(text(board, "board")?)?;
            let question = solver.question(&control(on_event, user_data, cancel))?;
            let report = solver.answer(&read, &question);
            let failure = report.outcome().as_ref().err().cloned();
            if failure
                .as_ref()
                .is_none_or(|failure| failure.report.is_some())
            {
                place.put(report.into_c());
            }
            failure.map_or(Ok(()), Err)
        })
    }
}

/// The heuristic's value for a board, a lower bound of the solution length. Takes a few
/// microseconds.
///
/// After a failure `*estimate` is 0. `error` may be NULL. May be called from several threads at
/// once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_estimate(
    solver: *const stp_solver,
    board: *const c_char,
    estimate: *mut u32,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements.
    unsafe {
        guard(error, || {
            let estimate = Place::new(estimate, 0, "estimate")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.read(text(board, "board")?)?.board;
            let found = solver.opened.solver.estimate(&board);
            estimate.put(found.map_err(|why| Failure::of_error(&solver.goal, &board, why))?);
            Ok(())
        })
    }
}

/// The heuristic's values for many boards, which must all be solvable. In the metric "single" and
/// on trays of up to 64 cells this takes about a microsecond per board. With one-bit tables, this
/// speed needs additional data. The first call with at least one board per ten rows of the tables
/// (4,000 boards for 6-6-3) computes this data, and the solver keeps it.
///
/// `numbers` contains the boards' numbers in reading order, 0 for the blank, one board after the
/// other: in total `count` times the number of cells. `estimates` has room for `count` values.
/// After a failure the values of `estimates` are unspecified, and the message names the first wrong
/// board, counted from 0. `cancel` and `error` may be NULL. May be called from several threads at
/// once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_estimates(
    solver: *const stp_solver,
    numbers: *const u16,
    count: usize,
    cancel: *const stp_cancel,
    estimates: *mut u16,
    error: *mut stp_error,
) -> stp_code {
    // SAFETY: the caller's pointers meet the header's requirements; both arrays have the size that
    // the caller promises.
    unsafe {
        guard(error, || {
            let solver = pointee(solver, "solver")?;
            let cells = solver.goal.tray().cells();
            let numbers = array(numbers, count.saturating_mul(cells), "numbers")?;
            let estimates = zeroed_array(estimates, count, "estimates")?;
            let options = solver.question(&control(None, null_mut(), cancel))?.options;
            let done = solver.opened.solver.estimates(numbers, estimates, &options);
            done.map_err(|error| Failure::new(error.code(), error))
        })
    }
}
