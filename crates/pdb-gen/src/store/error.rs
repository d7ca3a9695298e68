//! Why a table is not built or not written.

use std::path::PathBuf;

use pdb_table::{FileError, size};

use crate::build::BuildError;
use crate::too_large::TooLarge;

/// Why a table is not there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableStoreError {
    /// The table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A file or the directory could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The table is larger than the machine.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Tables do not fit the disk.
    #[error(
        "{name} takes {} of disk, and {} are free in {}{}: make room",
        size(*needed), size(*free), directory.display(), describe(checkpoints)
    )]
    DiskFull {
        /// The table, or how many there are.
        name: String,
        /// Directory of the new file.
        directory: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes free, without the checkpoints.
        free: u64,
        /// Checkpoints of these tables, which make room for them, and the bytes of each. They may
        /// be deleted.
        checkpoints: Vec<(PathBuf, u64)>,
    },
}

/// Space that checkpoints add to the free space.
fn describe(checkpoints: &[(PathBuf, u64)]) -> String {
    let bytes = checkpoints.iter().map(|(_, bytes)| bytes).sum();
    let which = match checkpoints {
        [] => return String::new(),
        [(path, _)] => format!("the checkpoint {} is", path.display()),
        [_, ..] => format!("the {} checkpoints there are", checkpoints.len()),
    };
    format!(", and {} more if {which} deleted", size(bytes))
}
