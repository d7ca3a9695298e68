//! Errors of calls, and their conversion to exceptions.

use std::fmt::Display;
use std::io;
use std::path::Path;

use pdb_gen::{BuildError, TableStoreError, TooLarge, VerifyError};
use pdb_table::bundle::BundleError;
use pdb_table::{FileError, FileErrorKind, PackError, ReadError, TableError};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use session::{Code, Failure};
use solver::EstimatesError;

/// Error of a call.
#[derive(Debug)]
pub(crate) enum CallError {
    Failure(Box<Failure>),
    /// An exception raised by the caller's objects, or a system's error.
    Python(PyErr),
}

impl CallError {
    pub(crate) fn new(code: Code, message: impl Display) -> CallError {
        Failure::new(code, message).into()
    }

    /// An argument is invalid or impossible.
    pub(crate) fn input(message: impl Display) -> CallError {
        Failure::input(message).into()
    }

    /// A table is damaged, missing, or not the required table.
    pub(crate) fn table(message: impl Display) -> CallError {
        CallError::new(Code::Table, message)
    }

    /// An error of the system for a file. The error number selects subclasses of OSError, such as
    /// FileNotFoundError.
    pub(crate) fn system(path: &Path, error: &io::Error) -> CallError {
        let (path, text) = (path.display().to_string(), error.to_string());
        CallError::Python(match error.raw_os_error() {
            Some(number) => {
                let end = text.rfind(" (os error").unwrap_or(text.len());
                PyOSError::new_err((number, text[..end].to_owned(), path))
            }
            None => PyOSError::new_err(format!("{path}: {text}")),
        })
    }

    fn into_exception(self, py: Python<'_>) -> PyResult<PyErr> {
        Ok(match self {
            CallError::Python(error) => error,
            CallError::Failure(failure) => {
                let json = serde_json::to_string(&failure).unwrap_or_default();
                let make = py
                    .import("sliding_tile_pdb._results")?
                    .getattr("error_of")?;
                PyErr::from_value(make.call1((json,))?)
            }
        })
    }
}

impl From<CallError> for PyErr {
    /// Creates the exception, with the calling thread attached to the interpreter.
    fn from(error: CallError) -> PyErr {
        Python::attach(|py| error.into_exception(py).unwrap_or_else(|error| error))
    }
}

impl From<PyErr> for CallError {
    fn from(error: PyErr) -> CallError {
        CallError::Python(error)
    }
}

impl From<Failure> for CallError {
    fn from(failure: Failure) -> CallError {
        CallError::Failure(Box::new(match failure.code {
            Code::Cancelled if failure.report.is_none() => Failure::cancelled(),
            _ => failure,
        }))
    }
}

impl From<FileError> for CallError {
    fn from(error: FileError) -> CallError {
        match error.kind {
            FileErrorKind::Io(io) => CallError::system(&error.path, &io),
            _ => CallError::table(error),
        }
    }
}

/// Errors of the libraries: their pattern for a file's error, if any, and their code.
macro_rules! errors {
    ($($error:ident $(($file:path))? => $code:expr;)*) => {$(
        impl From<$error> for CallError {
            fn from(error: $error) -> CallError {
                match error {
                    $($file(error) => error.into(),)?
                    #[allow(clippy::redundant_closure_call, reason = "a code or a method")]
                    error => CallError::new($code(&error), error),
                }
            }
        }
    )*};
}

errors! {
    BuildError => BuildError::code;
    BundleError(BundleError::File) => BundleError::code;
    EstimatesError => EstimatesError::code;
    PackError => PackError::code;
    ReadError => ReadError::code;
    TableError => |_: &TableError| Code::Table;
    TableStoreError(TableStoreError::File) => TableStoreError::code;
    TooLarge => |_: &TooLarge| Code::Memory;
    VerifyError => VerifyError::code;
}
