//! Errors of files.

use std::io;
use std::path::{Path, PathBuf};

use crate::header::TableError;

/// Error of reading or writing a file, with its path.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct FileError {
    /// Path of the file.
    pub path: PathBuf,
    /// The kind of error.
    pub kind: FileErrorKind,
}

/// Kinds of file errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// An error of the operating system.
    #[error("{0}")]
    Io(io::Error),
    /// The bytes are not a valid table.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl FileError {
    /// An operating system error for a file.
    #[must_use]
    pub fn io(path: &Path, error: io::Error) -> Self {
        let (path, kind) = (path.to_owned(), FileErrorKind::Io(error));
        FileError { path, kind }
    }

    pub(crate) fn table(path: &Path, error: TableError) -> Self {
        let (path, kind) = (path.to_owned(), FileErrorKind::Table(error));
        FileError { path, kind }
    }

    /// Whether the file does not exist.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        let absent = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        matches!(&self.kind, FileErrorKind::Io(error) if absent.contains(&error.kind()))
    }

    /// Whether the disk or the user's quota is full.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        matches!(&self.kind, FileErrorKind::Io(error) if full.contains(&error.kind()))
    }
}
