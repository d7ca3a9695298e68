//! Advice on a board: hints, ratings, table values and estimates.

use std::ffi::c_char;
use std::ptr::null_mut;

use puzzle::Board;
use solver::{Advice, EstimatesError, SolveError};

use crate::code::{STP_CANCELLED, STP_ERROR, stp_code};
use crate::error::{CallError, guarded, stp_error};
use crate::input::{self, Place, pointee};
use crate::solve::{Call, stp_solve_options};
use crate::solver::stp_solver;
use crate::text::{give, to_json};
use crate::values::read_moves;

/// The distance to the goal and the best moves, as the JSON text that `solver hint --json` prints.
/// Of the options only the limits, threads, token and progress apply; the mode has no effect.
/// Without limits the distance is proved, which takes as long as solving the board.
///
/// The caller frees the text with stp_string_free; after a failure `*json` is NULL. `options` and
/// `error` may be NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_hint(
    solver: *const stp_solver,
    board: *const c_char,
    options: *const stp_solve_options,
    json: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (json, solver, board, call) = unsafe {
            let json = Place::new(json, null_mut(), "json")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.read(input::text(board, "board")?, notes)?;
            (json, solver, board, Call::new(options, solver)?)
        };
        let found = solver.solver.hint(&board, &call.options);
        give(json, to_json(&advice(solver, &board, None, &call, found)?)?);
    })
}

/// Rates moves from a board, as the JSON text that `solver rate --json` prints. The moves are
/// letters for the direction of the tile, such as "U2RD", or the numbers of the tiles.
///
/// For options, ownership and threads see stp_solver_hint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_rate(
    solver: *const stp_solver,
    board: *const c_char,
    moves: *const c_char,
    options: *const stp_solve_options,
    json: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (json, solver, board, text, call) = unsafe {
            let json = Place::new(json, null_mut(), "json")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.read(input::text(board, "board")?, notes)?;
            let moves = input::text(moves, "moves")?;
            (json, solver, board, moves, Call::new(options, solver)?)
        };
        let moves = read_moves(&board, text)?;
        let found = solver.solver.rate(&board, &moves, &call.options);
        let rating = advice(solver, &board, Some(text), &call, found)?;
        give(json, to_json(&rating)?);
    })
}

/// The table values of a board, entry by entry, as the JSON text that `solver probe --json` prints,
/// without the field `file`. Takes a few microseconds per pattern.
///
/// The caller frees the text with stp_string_free; after a failure `*json` is NULL. `error` may be
/// NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_probe(
    solver: *const stp_solver,
    board: *const c_char,
    json: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (json, solver, board, call) = unsafe {
            let json = Place::new(json, null_mut(), "json")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.read(input::text(board, "board")?, notes)?;
            (json, solver, board, Call::new(std::ptr::null(), solver)?)
        };
        let mut probe = advice(solver, &board, None, &call, solver.solver.probe(&board))?;
        // `Probe` has a field `board`, which the JSON text would otherwise contain twice.
        probe.board = None;
        give(json, to_json(&probe)?);
    })
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
    guarded!(error, notes, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (estimate, solver, board, call) = unsafe {
            let estimate = Place::new(estimate, 0, "estimate")?;
            let solver = pointee(solver, "solver")?;
            let board = solver.read(input::text(board, "board")?, notes)?;
            let call = Call::new(std::ptr::null(), solver)?;
            (estimate, solver, board, call)
        };
        let found = advice(solver, &board, None, &call, solver.solver.estimate(&board))?;
        estimate.put(found.found);
    })
}

/// The heuristic's values for many boards, which must all be solvable. In the metric "single" and
/// on trays of up to 64 cells this takes about a microsecond per board. With one-bit tables, this
/// speed needs additional data. The first call with at least one board per ten rows of the tables
/// (4,000 boards for 6-6-3) computes this data, and the solver keeps it.
///
/// `numbers` contains the boards' numbers in reading order, 0 for the blank, one board after the
/// other: in total `count` times the number of cells. `estimates` has room for `count` values.
/// After a failure the values of `estimates` are unspecified, and the message names the first wrong
/// board, counted from 0. Of the options only the threads and the token apply; `options` and
/// `error` may be NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_estimates(
    solver: *const stp_solver,
    numbers: *const u16,
    count: usize,
    options: *const stp_solve_options,
    estimates: *mut u16,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (solver, call) = unsafe {
            let solver = pointee(solver, "solver")?;
            (solver, Call::new(options, solver)?)
        };
        let cells = solver.solver.goal().tray().cells();
        // SAFETY: both arrays have the size that the caller promises.
        let (numbers, estimates) = unsafe {
            let numbers = input::array(numbers, count.saturating_mul(cells), "numbers")?;
            (numbers, input::zeroed_array(estimates, count, "estimates")?)
        };
        let done = solver.solver.estimates(numbers, estimates, &call.options);
        done.map_err(|error| {
            let code = match &error {
                EstimatesError::Board { error, .. } => call.code_of(error),
                EstimatesError::Cancelled => STP_CANCELLED,
                _ => STP_ERROR,
            };
            CallError::new(code, error)
        })?;
    })
}

/// The advice on a board, or an error if the call was cancelled.
fn advice<T>(
    solver: &stp_solver,
    board: &Board,
    moves: Option<&str>,
    call: &Call,
    found: Result<T, SolveError>,
) -> Result<Advice<T>, CallError> {
    let advice = solver.solver.advice(board, moves, found);
    let advice = advice.map_err(|answer| {
        let code = answer.error.map_or(STP_ERROR, |error| call.code_of(&error));
        CallError::new(code, answer.report.message.unwrap_or_default())
    })?;
    match call.cancel.is_cancelled() {
        true => Err(CallError::cancelled()),
        false => Ok(advice),
    }
}
