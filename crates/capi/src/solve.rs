//! Solving boards.

use std::ffi::{c_char, c_void};
use std::mem::offset_of;

use puzzle::board_text::Note;
use puzzle::{Board, Notation};
use solver::{Answer, Cancel, GivenOptions, Mode, Question, SolveError, SolveOptions, Within};

use crate::callback::{UserData, progress_listener, stp_on_improved, stp_on_progress};
use crate::cancel::{stp_cancel, token_of_call};
use crate::code::{
    STP_CANCELLED, STP_ERROR, STP_IMPROVED, STP_LIMIT, STP_OK, STP_TABLE, STP_UNSOLVABLE, stp_code,
};
use crate::error::{CallError, guarded, stp_error};
use crate::input::{Options, Place, options, pointee, text};
use crate::report::{OwnedReport, stp_report};
use crate::solver::stp_solver;
use crate::values::{self, mode, notation, pruning, seconds, side, unless_zero};

/// Options of solving. Set all bytes to zero, then set `struct_size`, then the options: zero is the
/// default of every option. NULL instead of the struct means the defaults. Later versions may add
/// members at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_solve_options {
    /// sizeof(stp_solve_options), which tells the library the caller's version.
    pub struct_size: usize,
    /// STP_MODE_OPTIMAL, STP_MODE_STRATEGIC or STP_MODE_ANYTIME.
    pub mode: i32,
    /// Notation of moves: STP_NOTATION_TILE, STP_NOTATION_BLANK or STP_NOTATION_NUMBERS.
    pub notation: i32,
    /// Number of threads for a board, or for all boards of a list together. 0 means the solver's
    /// default. With several threads the length of an optimal solution is the same, but node counts
    /// and the chosen solution can vary.
    pub threads: u32,
    /// If not 0, the solution is short rather than easy to follow. Must be zero unless the mode is
    /// STP_MODE_STRATEGIC.
    pub short_solution: i32,
    /// If not 0, the JSON text of the solution contains its steps. Must be zero unless the mode is
    /// STP_MODE_STRATEGIC. Must also be zero if `short_solution` is not 0, because short solutions
    /// have no steps.
    pub explain: i32,
    /// Pruning of duplicate paths: STP_PRUNING_AUTOMATON or STP_PRUNING_PARENT.
    pub pruning: i32,
    /// Maximum time per board, in seconds. INFINITY means no limit. 0 means 10 s for an anytime
    /// search with neither `max_nodes` nor `within`, else no limit.
    pub max_time: f64,
    /// Maximum number of generated nodes per board. 0 means no limit.
    pub max_nodes: u64,
    /// Maximum memory of an anytime search in bytes, not counting the tables. 0 means 1 GiB. Must
    /// be zero in the other modes.
    pub max_memory: u64,
    /// Seed for the random choices of an anytime search. Must be zero in the other modes.
    pub seed: u64,
    /// An anytime search ends when its solution exceeds the proved bound by at most this fraction:
    /// 0.05 for 5 %. With 0 it ends only when its solution is proved optimal. Must be zero in the
    /// other modes.
    pub within: f64,
    /// Token with which another thread can stop the call, or NULL. Must stay valid until the call
    /// returns.
    pub cancel: *const stp_cancel,
    /// Callback that receives the progress of the search, or NULL. Not called for lists.
    pub on_progress: stp_on_progress,
    /// Callback that receives better solutions of an anytime search, or NULL. Not called for lists.
    pub on_improved: stp_on_improved,
    /// Passed to the callbacks.
    pub user_data: *mut c_void,
    /// The direction of the search: STP_SIDE_AUTO, STP_SIDE_START or STP_SIDE_GOAL. Must be zero in
    /// the strategic mode.
    pub side: i32,
}

// SAFETY: numbers, pointers and optional functions are all valid as zeros, and the first member is
// the size.
unsafe impl Options for stp_solve_options {
    const NAME: &'static str = "stp_solve_options";
    const SMALLEST: usize = offset_of!(stp_solve_options, user_data) + size_of::<*mut c_void>();
}

/// The options of one call.
pub(crate) struct Call {
    /// The limits, threads, token and progress, which apply in every mode.
    pub(crate) options: SolveOptions,
    pub(crate) cancel: Cancel,
    given: GivenOptions,
    notation: Notation,
    /// Whether the caller explicitly requested no time limit.
    is_endless: bool,
    on_improved: stp_on_improved,
    user_data: UserData,
}

impl Call {
    /// Reads the caller's options. If `threads` is 0, the number of threads is that of `solver`.
    ///
    /// # Safety
    /// As for [`options`]; token and callbacks are valid until the call returns.
    pub(crate) unsafe fn new(
        given: *const stp_solve_options,
        solver: &stp_solver,
    ) -> Result<Call, CallError> {
        // SAFETY: the caller promises that the options are NULL or valid.
        let given = unsafe { options(given) }?;
        // SAFETY: the caller promises that the token is NULL or valid.
        let cancel = unsafe { token_of_call(given.cancel) };
        let user_data = UserData(given.user_data);
        let threads = values::threads(given.threads, || solver.threads)?;
        let mut options = SolveOptions::default()
            .pruning(pruning(given.pruning)?)
            .side(side(given.side)?)
            // Hints and ratings read the seed and the memory limit from `options`, other searches
            // from `Call::given`.
            .seed(given.seed)
            .threads(threads)
            .cancel(&cancel);
        options.max_time = seconds(given.max_time, "max_time")?;
        options.max_nodes = unless_zero(given.max_nodes);
        options.max_memory = unless_zero(given.max_memory);
        // With `Within::MAX` any solution is accepted, so larger fractions, including INFINITY, are
        // reduced to it.
        let within = values::number(given.within, "within")?.min(Within::MAX.into());
        if let Some(call) = given.on_progress {
            options = options.progress(progress_listener(call, user_data, cancel.clone()));
        }
        Ok(Call {
            is_endless: given.max_time > 0.0 && options.max_time.is_none(),
            given: GivenOptions {
                mode: mode(given.mode)?,
                short: given.short_solution != 0,
                explain: given.explain != 0,
                within: (within > 0.0).then_some(Within::Share(within)),
                max_memory: options.max_memory,
                seed: unless_zero(given.seed),
                side: options.side,
                ..GivenOptions::default()
            },
            options,
            cancel,
            notation: notation(given.notation)?,
            on_improved: given.on_improved,
            user_data,
        })
    }

    /// Converts the options into the [`Question`] for each board.
    ///
    /// Errors: options that contradict each other or do not suit the mode.
    pub(crate) fn question(&self, solver: &stp_solver) -> Result<Question, CallError> {
        let mut question = self.checked(solver, &self.given)?;
        if self.is_endless {
            question.options.max_time = None;
        }
        let Some(call) = self.on_improved else {
            return Ok(question);
        };
        let (cancel, user_data) = (self.cancel.clone(), self.user_data);
        Ok(question.improved(move |better: &Answer| {
            let report = OwnedReport::new(STP_IMPROVED, better.clone());
            // SAFETY: the caller promises that the callback accepts `user_data`. The search calls
            // this closure on the thread that started the search.
            if unsafe { call(report.as_c(), user_data.pointer()) } != 0 {
                cancel.cancel();
            }
        }))
    }

    fn checked(&self, solver: &stp_solver, given: &GivenOptions) -> Result<Question, CallError> {
        let question = given.question(solver.solver.metric(), self.options.clone());
        let name = |option| match option {
            "short" => "short_solution",
            option => option,
        };
        let question = question.map_err(|error| CallError::input(error.describe(name)))?;
        Ok(question.notation(self.notation))
    }

    /// Answers a question about a board.
    pub(crate) fn answer(
        &self,
        solver: &stp_solver,
        board: &Board,
        notes: &[Note],
        question: &Question,
    ) -> Box<OwnedReport> {
        let mut answer = solver.solver.answer(board, question);
        answer.report = answer.report.with_notes(notes);
        let may_be_better =
            question.options.mode == Mode::Anytime && answer.report.proved == Some(false);
        let code = match &answer.error {
            Some(error) => self.code_of(error),
            // A stopped anytime search can still have a solution.
            None if may_be_better && self.cancel.is_cancelled() => STP_CANCELLED,
            None => STP_OK,
        };
        OwnedReport::new(code, answer)
    }

    pub(crate) fn code_of(&self, error: &SolveError) -> stp_code {
        match error {
            SolveError::Unsolvable(_) => STP_UNSOLVABLE,
            SolveError::Limit(_) if self.cancel.is_cancelled() => STP_CANCELLED,
            SolveError::Limit(_) => STP_LIMIT,
            SolveError::Damaged(_) => STP_TABLE,
            _ => STP_ERROR,
        }
    }
}

/// Solves a board; by default finds a shortest solution. With STP_OK the report contains the
/// solution. With STP_UNSOLVABLE, STP_LIMIT and STP_CANCELLED the report contains the reason and
/// the proved bound. With other codes `*report` is NULL.
///
/// The caller frees the report with stp_report_free. `board` is a text in any usual form, such as
/// "1 2 3/4 5 6/7 0 8". The text and the options are used until the call returns. `options` and
/// `error` may be NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_solve(
    solver: *const stp_solver,
    board: *const c_char,
    options: *const stp_solve_options,
    report: *mut *mut stp_report,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (report, solver, board, call) = unsafe {
            let report = Place::new(report, std::ptr::null_mut(), "report")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.read(text(board, "board")?, notes)?;
            (report, solver, board, Call::new(options, solver)?)
        };
        let question = call.question(solver)?;
        hand_over(report, call.answer(solver, &board, notes, &question))?;
    })
}

/// Finds all solutions with at most `within` moves more than a shortest one. The report contains
/// the numbers of solutions in `count` and `counts`, and the moves of the first `most` solutions in
/// `solutions`, which is NULL if `most` is 0. `moves` and `letters` always contain the first
/// solution. The mode of the search is always STP_MODE_OPTIMAL.
///
/// For codes, ownership and threads see stp_solver_solve.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_all_solutions(
    solver: *const stp_solver,
    board: *const c_char,
    within: u32,
    most: usize,
    options: *const stp_solve_options,
    report: *mut *mut stp_report,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (report, solver, board, call) = unsafe {
            let report = Place::new(report, std::ptr::null_mut(), "report")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.read(text(board, "board")?, notes)?;
            (report, solver, board, Call::new(options, solver)?)
        };
        // Rejects options that do not suit the requested mode. The search itself ignores that mode:
        // it is always optimal.
        call.question(solver)?;
        let given = GivenOptions {
            all: true,
            count: most == 0,
            most: (most > 0).then_some(most),
            within: (within > 0).then_some(Within::Moves(within)),
            side: call.options.side,
            ..GivenOptions::default()
        };
        let question = call.checked(solver, &given)?;
        hand_over(report, call.answer(solver, &board, notes, &question))?;
    })
}

/// Returns a report to the caller. With STP_ERROR and STP_TABLE the caller receives only the error.
fn hand_over(to: Place<*mut stp_report>, report: Box<OwnedReport>) -> Result<(), CallError> {
    let code = report.code();
    let error = match report.message() {
        // The report of an anytime search that was stopped has no message.
        "" => CallError::new(code, "cancelled"),
        message => CallError::new(code, message),
    };
    if !matches!(code, STP_ERROR | STP_TABLE) {
        to.put(report.into_c());
    }
    if code == STP_OK { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests {
    use std::ptr::{null, null_mut};
    use std::time::Duration;

    use super::*;
    use crate::open::stp_solver_open;
    use crate::solver::stp_solver_free;

    #[test]
    fn only_unlimited_anytime_searches_get_ten_seconds() {
        let mut solver = null_mut();
        // SAFETY: the result is written to a variable of this test.
        let code = unsafe { stp_solver_open(null(), &raw mut solver, null_mut()) };
        assert_eq!(code, STP_OK);
        let max_time = |mode, max_time, is_ending| {
            // SAFETY: all-zero bytes are valid for numbers, pointers and optional functions.
            let mut given: stp_solve_options = unsafe { std::mem::zeroed() };
            given.struct_size = size_of::<stp_solve_options>();
            (given.mode, given.max_time) = (mode, max_time);
            // SAFETY: this test owns options and solver.
            let (call, solver) = unsafe { (Call::new(&raw const given, &*solver), &*solver) };
            let call = call.unwrap();
            match is_ending {
                true => call.question(solver).unwrap().options.max_time,
                false => call.options.max_time,
            }
        };
        let anytime = crate::code::STP_MODE_ANYTIME;
        assert_eq!(max_time(anytime, 0.0, true), Some(Duration::from_secs(10)));
        assert_eq!(max_time(anytime, f64::INFINITY, true), None);
        assert_eq!(max_time(anytime, 3.0, true), Some(Duration::from_secs(3)));
        // Hints, ratings and the counting of solutions have no default limit.
        assert_eq!(max_time(anytime, 0.0, false), None);
        assert_eq!(max_time(crate::code::STP_MODE_OPTIMAL, 0.0, true), None);
        // SAFETY: the solver is freed once.
        unsafe { stp_solver_free(solver) };
    }
}
