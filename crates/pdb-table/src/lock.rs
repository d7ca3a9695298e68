//! Locks on files that have a name: the system releases them when a process ends, however it ends.

use std::fs::{self, File};
use std::path::Path;

use fs4::fs_std::FileExt as _;

/// Outcome of an attempt to lock a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockAttempt {
    /// It is locked as long as it is open.
    Taken,
    /// It is locked elsewhere.
    Busy,
    /// It is locked, but another or no file has its name by now: the lock protects nothing.
    Gone,
    /// Files cannot be locked there: some network file systems have no locks.
    Unsupported,
}

/// Tries to lock an open file for this process alone. `path` is where it was opened.
#[must_use]
pub fn try_lock(file: &File, path: &Path) -> LockAttempt {
    match file.try_lock_exclusive() {
        Ok(true) if is_at(file, path) => LockAttempt::Taken,
        Ok(true) => LockAttempt::Gone,
        Ok(false) => LockAttempt::Busy,
        Err(_) => LockAttempt::Unsupported,
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(held), Ok(there)) => identity(held) == identity(there),
        _ => false,
    }
}

/// Elsewhere the name of a file that is open stays taken.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
