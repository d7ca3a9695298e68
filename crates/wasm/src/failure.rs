//! What fails, as the host sees it.

use std::fmt;

#[cfg(feature = "engine")]
use pdb_table::{ReadError, size};
use serde::Serialize;
#[cfg(feature = "engine")]
use solver::{OpenError, Report, SolverError, Status};

#[cfg(feature = "engine")]
use crate::host;

/// Why a call has no answer: a JSON object with `code` and `message`, and for boards without an
/// answer the fields of their report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure(String);

#[derive(Serialize)]
struct Reason<'a> {
    code: &'static str,
    message: &'a str,
}

#[cfg(feature = "engine")]
#[derive(Serialize)]
struct ReportBody<'a> {
    code: &'static str,
    #[serde(flatten)]
    report: &'a Report,
}

impl Failure {
    /// Something that was asked for is wrong or not possible.
    pub fn input(message: impl fmt::Display) -> Failure {
        Failure::new("error", &message.to_string())
    }

    fn new(code: &'static str, message: &str) -> Failure {
        // Texts can always be written as JSON.
        Failure(serde_json::to_string(&Reason { code, message }).unwrap_or_default())
    }
}

#[cfg(feature = "engine")]
impl Failure {
    /// A table is damaged, or another one.
    pub fn table(message: impl fmt::Display) -> Failure {
        Failure::new("table", &message.to_string())
    }

    /// More memory than there is.
    pub fn memory(message: impl fmt::Display) -> Failure {
        Failure::new("memory", &message.to_string())
    }

    /// The caller wants no answer any more.
    #[must_use]
    pub fn cancelled() -> Failure {
        Failure::new("cancelled", "cancelled")
    }

    /// A report, if it is no answer: the board is unsolvable, a limit was reached, or the call was
    /// cancelled.
    ///
    /// # Errors
    /// The failure, if it is one.
    pub fn unless_solved(report: Report) -> Result<Report, Failure> {
        match report.status {
            Status::Solved if !host::is_cancelled() => Ok(report),
            _ => Err(Failure::of_report(&report)),
        }
    }

    /// A report that is no answer.
    #[must_use]
    pub fn of_report(report: &Report) -> Failure {
        let code = match report.status {
            _ if host::is_cancelled() => "cancelled",
            Status::Unsolvable => "unsolvable",
            Status::Limit => "limit",
            _ => "error",
        };
        Failure(serde_json::to_string(&ReportBody { code, report }).unwrap_or_default())
    }
}

#[cfg(feature = "engine")]
impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::Cancelled => Failure::cancelled(),
            ReadError::TooLarge { .. } => Failure::memory(error),
            error => Failure::table(error),
        }
    }
}

#[cfg(feature = "engine")]
impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        match error {
            SolverError::NotGiven { .. } | SolverError::NotNeeded { .. } => Failure::table(error),
            error => Failure::input(error),
        }
    }
}

#[cfg(feature = "engine")]
impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        match error {
            OpenError::Cancelled => Failure::cancelled(),
            // What there is, is a limit of WebAssembly.
            OpenError::TooLarge(error) => Failure::memory(format_args!(
                "the tables of {} need {} of memory, and {} are the most here: choose smaller parts",
                error.name,
                size(error.needed),
                size(error.free)
            )),
            OpenError::Solver(error) => error.into(),
            error => Failure::input(error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An answer as JSON.
///
/// # Errors
/// None on what this crate answers: strings, numbers and lists of them.
pub fn to_json(answer: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(answer).map_err(Failure::input)
}
