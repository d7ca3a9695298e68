//! The solver struct.

use std::ffi::{CString, c_char};
use std::ptr::null_mut;

use puzzle::board_text::Note;
use puzzle::{Board, CellSet};
use serde::Serialize;
use solver::Solver;

use crate::code::stp_code;
use crate::error::{CallError, guard_quietly, guarded, stp_error};
use crate::input::{Place, pointee};
use crate::text::{give, to_json};
use crate::values::read_board;

/// A goal and its tables, ready to solve boards.
#[derive(Debug)]
pub struct stp_solver {
    pub(crate) solver: Solver,
    /// Name of the partition, for C.
    pub(crate) partition: CString,
    /// Default number of threads of calls.
    pub(crate) threads: usize,
    /// Messages for the user about tables that could not be stored.
    pub(crate) warnings: Vec<String>,
    /// Explains why the library chose other tables than the default ones. `None` if it chose the
    /// default ones, or if the caller requested tables.
    pub(crate) reason: Option<String>,
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

/// The name of the solver's partition, such as "6-6-3". Returns NULL for NULL.
///
/// The text belongs to the solver and is valid as long as the solver. May be called from any
/// thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_partition(solver: *const stp_solver) -> *const c_char {
    // SAFETY: the caller passes NULL or a live solver.
    let solver = unsafe { solver.as_ref() };
    solver.map_or(std::ptr::null(), |solver| solver.partition.as_ptr())
}

/// Description of a solver, as JSON: `size`, `goal`, `metric`, `partition`, `threads` and `tables`.
/// `tables` is an array of objects with `table`, `kind`, `entries` and `tiles`. `tiles` lists the
/// tile numbers of each pattern of the table. If tables could not be stored in the directory,
/// `warnings` is an array of texts with the reasons; the next call builds these tables again. If
/// the library chose smaller tables than the default ones, or no tables, `reason` is a text that
/// explains why.
///
/// The caller frees the text with stp_string_free; after a failure `*json` is NULL. `error` may be
/// NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_info(
    solver: *const stp_solver,
    json: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
        let (json, solver) = unsafe {
            let json = Place::new(json, null_mut(), "json")?;
            (json, pointee(solver, "solver")?)
        };
        give(json, solver.info()?);
    })
}

impl stp_solver {
    /// Parses a board of the solver's goal.
    pub(crate) fn read(&self, board: &str, notes: &mut Vec<Note>) -> Result<Board, CallError> {
        let goal = self.solver.goal();
        read_board(board, Some(goal.tray()), Some(goal), notes)
    }

    fn info(&self) -> Result<String, CallError> {
        let goal = self.solver.goal();
        let spec = self.solver.spec();
        let tables = spec.tables().into_iter().map(|id| {
            let served = spec.patterns();
            let served = served.filter(|(pattern, kind)| pattern.table(*kind).0 == id);
            let numbers = |cells: CellSet| cells.iter().map(|cell| goal.number_at(cell)).collect();
            TableInfo {
                table: id.name(),
                kind: id.kind().name(),
                entries: id.entries(),
                tiles: served
                    .map(|(pattern, _)| numbers(pattern.tiles()))
                    .collect(),
            }
        });
        to_json(&SolverInfo {
            size: goal.tray().to_string(),
            goal: goal.board().to_string(),
            metric: self.solver.metric().name(),
            partition: spec.name(),
            threads: self.threads,
            tables: tables.collect(),
            warnings: &self.warnings,
            reason: self.reason.as_deref(),
        })
    }
}

/// Description of a solver.
#[derive(Serialize)]
struct SolverInfo<'a> {
    size: String,
    goal: String,
    metric: &'static str,
    partition: &'a str,
    threads: usize,
    tables: Vec<TableInfo>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct TableInfo {
    table: String,
    kind: &'static str,
    entries: u64,
    tiles: Vec<Vec<u16>>,
}
