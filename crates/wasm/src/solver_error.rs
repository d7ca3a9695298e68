//! Converts errors of tables and of the solver to errors for hosts.

use pdb_table::{ReadError, size};
use serde::Serialize;
use solver::{OpenError, Report, SolverError, Status};

use crate::host;
use crate::json_error::JsonError;

#[derive(Serialize)]
struct ReportBody<'a> {
    code: &'static str,
    #[serde(flatten)]
    report: &'a Report,
}

/// The error for a report without an answer: the board is unsolvable, a limit was reached, or the
/// call was cancelled.
pub(crate) fn report_error(report: &Report) -> JsonError {
    let code = match report.status {
        _ if host::is_cancelled() => "cancelled",
        Status::Unsolvable => "unsolvable",
        Status::Limit => "limit",
        _ => "error",
    };
    JsonError::of_object(&ReportBody { code, report })
}

impl From<ReadError> for JsonError {
    fn from(error: ReadError) -> JsonError {
        match error {
            ReadError::Cancelled => JsonError::cancelled(),
            ReadError::TooLarge { .. } => JsonError::memory(error),
            error => JsonError::table(error),
        }
    }
}

impl From<SolverError> for JsonError {
    fn from(error: SolverError) -> JsonError {
        match error {
            SolverError::NotGiven { .. } | SolverError::NotNeeded { .. } => JsonError::table(error),
            error => JsonError::input(error),
        }
    }
}

impl From<OpenError> for JsonError {
    fn from(error: OpenError) -> JsonError {
        match error {
            OpenError::Cancelled => JsonError::cancelled(),
            // The limit results from the maximum size of WebAssembly's memory.
            OpenError::TooLarge(error) => JsonError::memory(format_args!(
                "the tables of {} need {} of memory, and {} are the most here: choose smaller parts",
                error.name,
                size(error.needed),
                size(error.free)
            )),
            OpenError::Solver(error) => error.into(),
            error => JsonError::input(error),
        }
    }
}
