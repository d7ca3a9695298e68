//! What fails, as Python sees it.

use std::fmt;
use std::path::Path;

use pdb_gen::{BuildError, TableStoreError, TooLarge, VerifyError};
use pdb_table::bundle::BundleError;
use pdb_table::{FileError, FileErrorKind, PackError, ReadError, TableError};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use solver::{Answer, OpenError, Report, SolveError, SolverError};

use crate::results::{Context, report_object};

/// The kinds of errors that a call has, by the names that all frontends have for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `error`: what was asked for makes no sense.
    Input,
    /// `unsolvable`.
    Unsolvable,
    /// `limit`.
    Limit,
    /// `cancelled`.
    Cancelled,
    /// `table`.
    Table,
    /// `memory`.
    Memory,
}

impl Kind {
    /// The name of the exception's class.
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

/// Why a call has no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// In a line.
    Message(Kind, String),
    /// A board's report, which is no answer.
    Report(Kind, Box<(Report, Context)>),
    /// An error of the system, about a file.
    System(String, std::io::Error),
    /// Raised by what the caller gave.
    Python(PyErr),
}

impl Failure {
    /// Something that was asked for is wrong or not possible.
    pub(crate) fn input(message: impl fmt::Display) -> Failure {
        Failure::Message(Kind::Input, message.to_string())
    }

    /// A table is damaged, missing, or another one.
    pub(crate) fn table(message: impl fmt::Display) -> Failure {
        Failure::Message(Kind::Table, message.to_string())
    }

    /// More memory than there is.
    pub(crate) fn memory(message: impl fmt::Display) -> Failure {
        Failure::Message(Kind::Memory, message.to_string())
    }

    /// The caller wants no answer any more.
    pub(crate) fn cancelled() -> Failure {
        Failure::Message(Kind::Cancelled, "cancelled".to_owned())
    }

    /// A file that cannot be read or written, or is not a sound table.
    pub(crate) fn file(error: FileError) -> Failure {
        match error.kind {
            FileErrorKind::Io(io) => Failure::system(&error.path, io),
            _ => Failure::table(error),
        }
    }

    /// An error of the system.
    pub(crate) fn system(path: &Path, error: std::io::Error) -> Failure {
        Failure::System(path.display().to_string(), error)
    }

    /// The report of an answer of the kind that was asked for, else why there is none.
    pub(crate) fn unless_solved(
        answer: Answer,
        context: Context,
        is_cancelled: bool,
    ) -> Result<Report, Failure> {
        match answer.error {
            None if !is_cancelled => Ok(answer.report),
            error => Err(Failure::of_report(
                answer.report,
                error.filter(|_| !is_cancelled),
                context,
            )),
        }
    }

    /// Why a board's report is no answer: by its error, or without one because the caller cancelled
    /// the call. Damaged tables are no matter of the board.
    pub(crate) fn of_report(
        report: Report,
        error: Option<SolveError>,
        context: Context,
    ) -> Failure {
        let kind = match error {
            None => Kind::Cancelled,
            Some(SolveError::Damaged(error)) => return Failure::table(error),
            Some(SolveError::Unsolvable(_)) => Kind::Unsolvable,
            Some(SolveError::Limit(_)) => Kind::Limit,
            Some(_) => Kind::Input,
        };
        Failure::Report(kind, Box::new((report, context)))
    }

    /// The exception.
    pub(crate) fn into_exception(self, py: Python<'_>) -> PyErr {
        let raised = match self {
            Failure::Python(error) => return error,
            Failure::Message(kind, message) => raise(py, kind, &message, py.None()),
            Failure::Report(kind, report) => {
                let (report, context) = *report;
                let message = match kind {
                    Kind::Cancelled => "cancelled".to_owned(),
                    _ => report.message.clone().unwrap_or_default(),
                };
                report_object(py, &report, &context)
                    .and_then(|report| raise(py, kind, &message, report))
            }
            Failure::System(path, error) => {
                // The system's own number makes it a FileNotFoundError and the like.
                return match error.raw_os_error() {
                    Some(number) => {
                        let text = error.to_string();
                        let end = text.rfind(" (os error").unwrap_or(text.len());
                        PyOSError::new_err((number, text[..end].to_owned(), path))
                    }
                    None => PyOSError::new_err(format!("{path}: {error}")),
                };
            }
        };
        raised.unwrap_or_else(|error| error)
    }
}

/// An exception of this package.
fn raise(py: Python<'_>, kind: Kind, message: &str, report: Py<PyAny>) -> PyResult<PyErr> {
    static CLASSES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let classes = CLASSES.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import("sliding_tile_pdb._errors")?.into_any().unbind())
    })?;
    let class = classes.bind(py).getattr(kind.class())?;
    let class = class.cast_into::<PyType>()?;
    Ok(PyErr::from_value(class.call1((message, report))?))
}

/// What can be turned into an exception where Python is at hand.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Failure> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|failure| failure.into_exception(py))
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::table(error)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::file(error)
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        match error {
            BuildError::Cancelled { .. } => Failure::cancelled(),
            error => Failure::input(error),
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Failure {
        match error {
            VerifyError::Cancelled => Failure::cancelled(),
            error => Failure::table(error),
        }
    }
}

impl From<PackError> for Failure {
    fn from(error: PackError) -> Failure {
        match error {
            PackError::Cancelled => Failure::cancelled(),
            PackError::Fixed { .. } => Failure::input(error),
            error => Failure::table(error),
        }
    }
}

impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Failure {
        match error {
            BundleError::File(error) => Failure::file(error),
            BundleError::Pack { error, path } => match error {
                error @ (PackError::Cancelled | PackError::Fixed { .. }) => error.into(),
                error => Failure::table(format!("{path}: {error}")),
            },
            BundleError::Read(error) => error.into(),
            error => Failure::table(error),
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::TooLarge { .. } => Failure::memory(error),
            ReadError::Cancelled => Failure::cancelled(),
            error => Failure::table(error),
        }
    }
}

impl From<TooLarge> for Failure {
    fn from(error: TooLarge) -> Failure {
        Failure::memory(error)
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        match error {
            SolverError::Build(error) => error.into(),
            SolverError::Views(_) | SolverError::OtherGoal => Failure::input(error),
            error => Failure::table(error),
        }
    }
}

impl From<TableStoreError> for Failure {
    fn from(error: TableStoreError) -> Failure {
        match error {
            TableStoreError::Build(error) => error.into(),
            TableStoreError::File(error) => Failure::file(error),
            TableStoreError::TooLarge(error) => error.into(),
            error => Failure::table(error),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        match error {
            OpenError::Solver(error) => error.into(),
            OpenError::Cancelled => Failure::cancelled(),
            OpenError::TooLarge(error) => error.into(),
            OpenError::Damaged(error) => match error.kind {
                FileErrorKind::Io(_) => Failure::file(error),
                _ => Failure::table(format!(
                    "{error}; delete the file, or build it again with build(..., force=True)"
                )),
            },
            error => Failure::table(error),
        }
    }
}
