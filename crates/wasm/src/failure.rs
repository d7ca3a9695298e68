//! What fails, as the host sees it.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};
use solver::{Report, Status};

use crate::host;

/// Why a call has no answer: a JSON object with `code` and `message`, and for boards without an
/// answer the fields of their report.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure(Value);

impl Failure {
    /// Something that was asked for is wrong or not possible.
    pub fn input(message: impl fmt::Display) -> Failure {
        Failure::new("error", message)
    }

    /// A table is damaged, or another one.
    pub fn table(message: impl fmt::Display) -> Failure {
        Failure::new("table", message)
    }

    /// More memory than there is.
    pub fn memory(message: impl fmt::Display) -> Failure {
        Failure::new("memory", message)
    }

    /// The caller wants no answer any more.
    pub fn cancelled() -> Failure {
        Failure::new("cancelled", "cancelled")
    }

    fn new(code: &str, message: impl fmt::Display) -> Failure {
        Failure(json!({ "code": code, "message": message.to_string() }))
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
    pub fn of_report(report: &Report) -> Failure {
        let code = match report.status {
            _ if host::is_cancelled() => "cancelled",
            Status::Unsolvable => "unsolvable",
            Status::Limit => "limit",
            _ => "error",
        };
        let mut object = json!(report);
        object["code"] = code.into();
        Failure(object)
    }

    /// The code.
    pub fn code(&self) -> &str {
        self.0["code"].as_str().unwrap_or_default()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An answer as JSON.
///
/// # Errors
/// None on what this crate answers: strings, numbers and lists of them.
pub fn to_json(answer: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(answer).map_err(Failure::input)
}

/// A request from JSON.
///
/// # Errors
/// It is not what the call takes.
pub fn from_json<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::input(format!("options: {error}")))
}
