//! Errors of calls, and their conversion to exceptions.

use std::fmt;
use std::path::Path;

use pdb_gen::{BuildError, TableStoreError, TooLarge, VerifyError};
use pdb_table::bundle::BundleError;
use pdb_table::{FileError, FileErrorKind, PackError, ReadError, TableError};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use solver::{Answer, OpenError, Report, SolveError, SolverError};

use crate::results::{Context, report_object};

/// Kinds of errors, each a class of `_errors.py`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Input,
    Unsolvable,
    Limit,
    Cancelled,
    Table,
    Memory,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Kind::Input => "InputError",
            Kind::Unsolvable => "UnsolvableError",
            Kind::Limit => "LimitError",
            Kind::Cancelled => "CancelledError",
            Kind::Table => "TableError",
            Kind::Memory => "TooLargeError",
        }
    }
}

/// Error of a call.
#[derive(Debug)]
pub(crate) enum CallError {
    /// A one-line message.
    Message(Kind, String),
    /// A report with the reason why there is no answer.
    Report(Kind, Box<(Report, Context)>),
    /// The path of a file, and the system's error for it.
    System(String, std::io::Error),
    /// An exception raised by the caller's objects.
    Python(PyErr),
}

impl CallError {
    /// An argument is invalid or impossible.
    pub(crate) fn input(message: impl fmt::Display) -> CallError {
        CallError::Message(Kind::Input, message.to_string())
    }

    /// A table is damaged, missing, or not the required table.
    pub(crate) fn table(message: impl fmt::Display) -> CallError {
        CallError::Message(Kind::Table, message.to_string())
    }

    /// More memory is needed than is available.
    pub(crate) fn memory(message: impl fmt::Display) -> CallError {
        CallError::Message(Kind::Memory, message.to_string())
    }

    /// The caller cancelled the call.
    pub(crate) fn cancelled() -> CallError {
        CallError::Message(Kind::Cancelled, "cancelled".to_owned())
    }

    /// An error of the system.
    pub(crate) fn system(path: &Path, error: std::io::Error) -> CallError {
        CallError::System(path.display().to_string(), error)
    }

    /// The report of an answer, or an error if the board was not solved or the call was cancelled.
    pub(crate) fn unless_solved(
        answer: Answer,
        context: Context,
        is_cancelled: bool,
    ) -> Result<Report, CallError> {
        match answer.error {
            None if !is_cancelled => Ok(answer.report),
            error => Err(CallError::of_report(
                answer.report,
                error.filter(|_| !is_cancelled),
                context,
            )),
        }
    }

    /// Creates the error of a call without an answer. `error` is the reason, or `None` if the
    /// caller cancelled the call. The created error contains `report`, except if a table is
    /// damaged.
    pub(crate) fn of_report(
        report: Report,
        error: Option<SolveError>,
        context: Context,
    ) -> CallError {
        let kind = match error {
            None => Kind::Cancelled,
            Some(SolveError::Damaged(error)) => return CallError::table(error),
            Some(SolveError::Unsolvable(_)) => Kind::Unsolvable,
            Some(SolveError::Limit(_)) => Kind::Limit,
            Some(_) => Kind::Input,
        };
        CallError::Report(kind, Box::new((report, context)))
    }

    fn into_exception(self, py: Python<'_>) -> PyResult<PyErr> {
        Ok(match self {
            CallError::Python(error) => error,
            CallError::Message(kind, message) => exception(py, kind, &message, py.None())?,
            CallError::Report(kind, report) => {
                let (report, context) = *report;
                let message = match kind {
                    Kind::Cancelled => "cancelled".to_owned(),
                    _ => report.message.clone().unwrap_or_default(),
                };
                exception(py, kind, &message, report_object(py, &report, &context)?)?
            }
            // The error number selects subclasses such as FileNotFoundError.
            CallError::System(path, error) => match error.raw_os_error() {
                Some(number) => {
                    let text = error.to_string();
                    let end = text.rfind(" (os error").unwrap_or(text.len());
                    PyOSError::new_err((number, text[..end].to_owned(), path))
                }
                None => PyOSError::new_err(format!("{path}: {error}")),
            },
        })
    }
}

/// An exception of this package.
fn exception(py: Python<'_>, kind: Kind, message: &str, report: Py<PyAny>) -> PyResult<PyErr> {
    let classes = py.import("sliding_tile_pdb._errors")?;
    let class = classes.getattr(kind.class())?;
    Ok(PyErr::from_value(class.call1((message, report))?))
}

impl From<CallError> for PyErr {
    /// Creates the exception, with the calling thread attached to the interpreter.
    fn from(error: CallError) -> PyErr {
        Python::attach(|py| error.into_exception(py).unwrap_or_else(|error| error))
    }
}

/// Converts errors of the libraries and of Python into [`CallError`]s.
macro_rules! conversions {
    ($($of:ty: $error:ident => $made:expr;)*) => {
        $(impl From<$of> for CallError {
            fn from($error: $of) -> CallError {
                $made
            }
        })*
    };
}

conversions! {
    PyErr: error => CallError::Python(error);
    TableError: error => CallError::table(error);
    TooLarge: error => CallError::memory(error);
    FileError: error => match error.kind {
        FileErrorKind::Io(io) => CallError::system(&error.path, io),
        _ => CallError::table(error),
    };
    BuildError: error => match error {
        BuildError::Cancelled { .. } => CallError::cancelled(),
        error => CallError::input(error),
    };
    VerifyError: error => match error {
        VerifyError::Cancelled => CallError::cancelled(),
        error => CallError::table(error),
    };
    PackError: error => match error {
        PackError::Cancelled => CallError::cancelled(),
        PackError::Fixed { .. } => CallError::input(error),
        error => CallError::table(error),
    };
    BundleError: error => match error {
        BundleError::File(error) => error.into(),
        BundleError::Pack { error, path } => match error {
            error @ (PackError::Cancelled | PackError::Fixed { .. }) => error.into(),
            error => CallError::table(format!("{path}: {error}")),
        },
        BundleError::Read(error) => error.into(),
        error => CallError::table(error),
    };
    ReadError: error => match error {
        ReadError::TooLarge { .. } => CallError::memory(error),
        ReadError::Cancelled => CallError::cancelled(),
        error => CallError::table(error),
    };
    SolverError: error => match error {
        SolverError::Build(error) => error.into(),
        SolverError::Views(_) | SolverError::OtherGoal => CallError::input(error),
        error => CallError::table(error),
    };
    TableStoreError: error => match error {
        TableStoreError::Build(error) => error.into(),
        TableStoreError::File(error) => error.into(),
        TableStoreError::TooLarge(error) => error.into(),
        error => CallError::table(error),
    };
    OpenError: error => match error {
        OpenError::Solver(error) => error.into(),
        OpenError::Cancelled => CallError::cancelled(),
        OpenError::TooLarge(error) => error.into(),
        OpenError::Damaged(error) => match error.kind {
            FileErrorKind::Io(_) => error.into(),
            _ => CallError::table(format!(
                "{error}; delete the file, or try: build(..., force=True)"
            )),
        },
        error => CallError::table(error),
    };
}
