//! Disk space for tables.

use std::path::{Path, PathBuf};

use puzzle::TableId;

use crate::store::error::TableStoreError;

/// Free disk space for a directory in bytes, if the system reports it. The directory need not
/// exist.
#[must_use]
pub fn free_disk(directory: &Path) -> Option<u64> {
    fs4::available_space(nearest_directory(directory)).ok()
}

/// The path itself if it is an existing directory, otherwise its nearest existing ancestor
/// directory.
pub(crate) fn nearest_directory(path: &Path) -> &Path {
    let there = path.ancestors().find(|path| path.is_dir());
    there.unwrap_or(Path::new("."))
}

/// Rejects tables that together need more bytes than are free. The bytes of `checkpoints` count as
/// free.
pub(crate) fn check_room(
    tables: &[TableId],
    directory: &Path,
    needed: u64,
    free: Option<u64>,
    checkpoints: &[(PathBuf, u64)],
) -> Result<(), TableStoreError> {
    let taken: u64 = checkpoints.iter().map(|(_, taken)| taken).sum();
    match free.filter(|free| needed > free.saturating_add(taken)) {
        None => Ok(()),
        Some(free) => Err(TableStoreError::DiskFull {
            name: match tables {
                [id] => id.name(),
                _ => format!("the {} tables", tables.len()),
            },
            directory: directory.to_owned(),
            needed,
            free,
            checkpoints: checkpoints.to_vec(),
        }),
    }
}
