//! Error of building or writing a table.

use std::path::PathBuf;

use pdb_table::{Code, FileError, codes, size};

use crate::build::BuildError;
use crate::too_large::TooLarge;

/// Error of [`TableStore::ensure`](crate::TableStore::ensure).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableStoreError {
    /// The table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A file or the directory could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The build needs more memory than is free.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The tables need more disk space than is free.
    #[error(
        "not enough disk space in {}: {name} needs {}, {} are free{}",
        directory.display(), size(*needed), size(*free), describe(checkpoints)
    )]
    DiskFull {
        /// Name of the table, or a text such as `the 3 tables`.
        name: String,
        /// Directory of the new files.
        directory: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes free, not counting the bytes of `checkpoints`.
        free: u64,
        /// Path and bytes of each checkpoint of these tables. The checkpoints may be deleted to
        /// free space.
        checkpoints: Vec<(PathBuf, u64)>,
    },
}

codes! {
    TableStoreError {
        TableStoreError::Build(error) => error.code(),
        TableStoreError::TooLarge(_) => Code::Memory,
        _ => Code::Table,
    }
}

/// Describes the space that deleting checkpoints would free.
fn describe(checkpoints: &[(PathBuf, u64)]) -> String {
    let bytes = checkpoints.iter().map(|(_, bytes)| bytes).sum();
    let which = match checkpoints {
        [] => return String::new(),
        [(path, _)] => format!("the checkpoint {} is", path.display()),
        [_, ..] => format!("the {} checkpoints are", checkpoints.len()),
    };
    format!(", and {} more if {which} deleted", size(bytes))
}
