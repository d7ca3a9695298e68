//! A lock for each table, so that two builders do not do the same work and write the same checkpoint.

use std::fs::{self, File};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs4::fs_std::FileExt as _;

/// Held while a table is built; the system lets go of it when the process ends, however it ends.
pub(crate) struct Lock {
    /// `None` where files cannot be locked.
    file: Option<File>,
    path: PathBuf,
}

/// How often a lock that somebody else holds is tried.
const INTERVAL: Duration = Duration::from_millis(100);

impl Lock {
    /// Takes the lock of this path. While somebody else holds it `wait` is called now and then, and may give up:
    /// then there is none.
    pub(crate) fn take(
        path: &Path,
        mut wait: impl FnMut() -> ControlFlow<()>,
    ) -> io::Result<Option<Lock>> {
        loop {
            let file = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)?;
            match file.try_lock_exclusive() {
                // The holder before may have removed the file in between: a lock on it is nobody's business.
                Ok(true) if is_at(&file, path) => {
                    let (file, path) = (Some(file), path.to_owned());
                    return Ok(Some(Lock { file, path }));
                }
                Ok(true) => {}
                Ok(false) => {
                    if wait().is_break() {
                        return Ok(None);
                    }
                    std::thread::sleep(INTERVAL);
                }
                // Some network file systems have no locks. Files are whole or not there without them too.
                Err(_) => {
                    let (file, path) = (None, path.to_owned());
                    return Ok(Some(Lock { file, path }));
                }
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is held, so that whoever locks a file of this name finds it still there or tries again.
        if self.file.is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(held), Ok(there)) => identity(held) == identity(there),
        _ => false,
    }
}

/// Elsewhere a file that is open cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
