//! Locks on named files. The operating system releases them when the process ends for any reason.

use std::fs::{self, File};
use std::path::Path;

use fs4::fs_std::FileExt as _;

/// Outcome of an attempt to lock a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockAttempt {
    /// The file is locked until it is closed.
    Taken,
    /// Another process holds the lock.
    Busy,
    /// The file is locked, but its path does not name it any more: the file was renamed, replaced
    /// or removed before it was locked. The lock protects nothing.
    Gone,
    /// The file system does not support locks, like some network file systems.
    Unsupported,
}

/// Tries to lock an open file exclusively. `path` is the path it was opened at.
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

/// On systems other than Unix, an open file keeps its name.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}
