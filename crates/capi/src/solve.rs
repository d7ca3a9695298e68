//! Solving boards.

use std::ffi::{c_char, c_void};
use std::mem::offset_of;

use puzzle::{Board, Notation};
use solver::{Answer, Cancel, GivenOptions, Mode, Question, SolveError, SolveOptions, Within};

use crate::callback::{UserData, progress_listener, stp_on_improved, stp_on_progress};
use crate::cancel::{stp_cancel, token_of_call};
use crate::code::{
    STP_CANCELLED, STP_ERROR, STP_IMPROVED, STP_LIMIT, STP_OK, STP_TABLE, STP_UNSOLVABLE, stp_code,
};
use crate::error::{CallError, guarded, stp_error};
use crate::input::{Options, Place, options, pointee};
use crate::report::{OwnedReport, stp_report};
use crate::solver::stp_solver;
use crate::values::{self, mode, notation, pruning, seconds, side, unless_zero};

/// Options of solving. Set all bytes to zero, then `struct_size`, then the options: zero
/// means the default everywhere. NULL instead of the options is the same as zeros. Later versions
/// may add members at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_solve_options {
    /// sizeof(stp_solve_options), by which the library knows what the caller was compiled with.
    pub struct_size: usize,
    /// STP_MODE_OPTIMAL, STP_MODE_STRATEGIC or STP_MODE_ANYTIME.
    pub mode: i32,
    /// Notation of moves: STP_NOTATION_TILE, STP_NOTATION_BLANK or STP_NOTATION_NUMBERS.
    pub notation: i32,
    /// Threads that search a board, or those of a list together; 0: as many as the solver has. With
    /// several, lengths stay the same; node counts, and which shortest solution is found, do not.
    pub threads: u32,
    /// Not 0: a short strategic solution, instead of one that is easy to follow. Zero in the other
    /// modes.
    pub short_solution: i32,
    /// Not 0: the JSON text of a strategic solution has its steps. Zero in the other modes, and
    /// together with `short_solution`, whose solutions have no steps.
    pub explain: i32,
    /// Which duplicate paths are not searched: STP_PRUNING_AUTOMATON or STP_PRUNING_PARENT.
    pub pruning: i32,
    /// The longest time for a board, in seconds; 0: no limit, but 10 s for boards and
    /// lists in the anytime mode that nothing else would end; INFINITY: no limit.
    pub max_time: f64,
    /// The most nodes to generate for a board; 0: no limit.
    pub max_nodes: u64,
    /// Bytes of memory that an anytime search may use besides the tables; 0: 1 GiB. Zero in the
    /// other modes.
    pub max_memory: u64,
    /// Seed for the random choices of an anytime search. Zero in the other
    /// modes.
    pub seed: u64,
    /// An anytime search ends when its solution is at most this much longer than the proved bound,
    /// as a share: 0.05 for 5 %. 0: only when it is proved optimal. Zero in the other modes.
    pub within: f64,
    /// Stops the call from another thread, or NULL. Must stay valid until the call returns.
    pub cancel: *const stp_cancel,
    /// Hears how far the search is, or NULL. Not called for lists.
    pub on_progress: stp_on_progress,
    /// Hears of better solutions of an anytime search, or NULL. Not called for lists.
    pub on_improved: stp_on_improved,
    /// Is passed to the callbacks.
    pub user_data: *mut c_void,
    /// Which end of a board is searched from: STP_SIDE_AUTO, STP_SIDE_START or STP_SIDE_GOAL. Zero
    /// in the strategic mode.
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
    /// The limits, threads, token and progress, which count in every mode.
    pub(crate) options: SolveOptions,
    pub(crate) cancel: Cancel,
    given: GivenOptions,
    notation: Notation,
    /// Whether the caller has asked for time without end, other than by saying nothing.
    is_endless: bool,
    on_improved: stp_on_improved,
    user_data: UserData,
}

impl Call {
    /// The caller's options, applied to this solver.
    ///
    /// # Safety
    /// As for [`options`]; token and callbacks can be used until the call returns.
    pub(crate) unsafe fn new(
        given: *const stp_solve_options,
        solver: &stp_solver,
    ) -> Result<Call, CallError> {
        // SAFETY: the caller promises it.
        let given = unsafe { options(given) }?;
        // SAFETY: the same.
        let cancel = unsafe { token_of_call(given.cancel) };
        let user_data = UserData(given.user_data);
        let threads = values::threads(given.threads, || solver.threads)?;
        let mut options = SolveOptions::default()
            .pruning(pruning(given.pruning)?)
            .side(side(given.side)?)
            // Advice within limits uses it too, and the memory.
            .seed(given.seed)
            .threads(threads)
            .cancel(&cancel);
        options.max_time = seconds(given.max_time, "max_time")?;
        options.max_nodes = unless_zero(given.max_nodes);
        options.max_memory = unless_zero(given.max_memory);
        // Larger shares, INFINITY among them, stay allowed: they accept any solution too.
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

    /// The question that the options ask about each board.
    ///
    /// Options that contradict each other.
    /// Options that do not go together.
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
            // SAFETY: the caller has passed a function of this type with its data, and the search
            // reports to the thread that began it.
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
        question: &Question,
    ) -> Box<OwnedReport> {
        let answer = solver.solver.answer(board, question);
        let may_be_better =
            question.options.mode == Mode::Anytime && answer.report.proved == Some(false);
        let code = match &answer.error {
            Some(error) => self.code_of(error),
            // An anytime search that is stopped has a solution all the same.
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

/// Solves a board: by default finds a shortest solution. With STP_OK the report has it. With
/// STP_UNSOLVABLE, STP_LIMIT and STP_CANCELLED there is a report too, which says why, and what is
/// proved. With other codes `*report` is NULL.
///
/// The caller frees the report by stp_report_free. `board` is a text in any usual form, such as
/// "1 2 3/4 5 6/7 0 8"; it and the options are used until the call returns. `options` and `error`
/// may be NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_solve(
    solver: *const stp_solver,
    board: *const c_char,
    options: *const stp_solve_options,
    report: *mut *mut stp_report,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller passes what the header asks for.
        let (report, solver, board, call) = unsafe {
            let report = Place::new(report, std::ptr::null_mut(), "report")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.board(board)?;
            (report, solver, board, Call::new(options, solver)?)
        };
        let question = call.question(solver)?;
        hand_over(report, call.answer(solver, &board, &question))?;
    })
}

/// Finds all solutions of up to `within` moves more than a shortest one. The report has their
/// numbers in `count` and `counts`, and the moves of the first `most` of them in `solutions`, which
/// is NULL where `most` is 0; `moves` and `letters` are those of the first one all the same. The
/// mode is optimal, whatever the options say.
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
    guarded!(error, {
        // SAFETY: the caller passes what the header asks for.
        let (report, solver, board, call) = unsafe {
            let report = Place::new(report, std::ptr::null_mut(), "report")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.board(board)?;
            (report, solver, board, Call::new(options, solver)?)
        };
        // The options must suit their own mode, although the search has another one.
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
        hand_over(report, call.answer(solver, &board, &question))?;
    })
}

/// Gives the caller a report, unless the call has failed altogether.
fn hand_over(to: Place<*mut stp_report>, report: Box<OwnedReport>) -> Result<(), CallError> {
    let code = report.code();
    let error = match report.message() {
        // Of an anytime search that was stopped.
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
    fn ten_seconds_are_for_anytime_searches_that_nothing_else_ends() {
        let mut solver = null_mut();
        // SAFETY: the place can be written.
        let code = unsafe { stp_solver_open(null(), &raw mut solver, null_mut()) };
        assert_eq!(code, STP_OK);
        let max_time = |mode, max_time, is_ending| {
            // SAFETY: numbers, pointers and optional functions.
            let mut given: stp_solve_options = unsafe { std::mem::zeroed() };
            given.struct_size = size_of::<stp_solve_options>();
            (given.mode, given.max_time) = (mode, max_time);
            // SAFETY: options and solver are this test's own.
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
        // Advice and the counting of solutions.
        assert_eq!(max_time(anytime, 0.0, false), None);
        assert_eq!(max_time(crate::code::STP_MODE_OPTIMAL, 0.0, true), None);
        // SAFETY: freed once.
        unsafe { stp_solver_free(solver) };
    }
}
