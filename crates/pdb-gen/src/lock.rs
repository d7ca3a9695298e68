//! A lock for each table, so that two builders do not do the same work and write the same
//! checkpoint.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs4::fs_std::FileExt as _;

/// Held while a table is built; the system releases it when the process ends, however it ends.
pub(crate) struct Lock {
    /// `None` where files cannot be locked.
    file: Option<File>,
    path: PathBuf,
}

/// Time between two attempts to take a lock that is held elsewhere.
const INTERVAL: Duration = Duration::from_millis(100);

impl Lock {
    /// Takes the lock of this path. While it is held elsewhere `gives_up` is asked now and then; if
    /// it returns `true` the result is `None`.
    pub(crate) fn take(
        path: &Path,
        mut gives_up: impl FnMut() -> bool,
    ) -> io::Result<Option<Lock>> {
        let held = |file| {
            let path = path.to_owned();
            Ok(Some(Lock { file, path }))
        };
        loop {
            let file = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)?;
            match file.try_lock_exclusive() {
                // The holder before may have removed the file in between: a lock on it protects
                // nothing.
                Ok(true) if is_at(&file, path) => return held(Some(file)),
                Ok(true) => {}
                Ok(false) => {
                    if gives_up() {
                        return Ok(None);
                    }
                    std::thread::sleep(INTERVAL);
                }
                // Some network file systems have no locks. Without them too, files are whole or not
                // there.
                Err(_) => return held(None),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is held, so that a process that locks a file of this name finds it still
        // there or tries again.
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

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Takes and releases without pause, so that locks of removed files occur.
    #[test]
    fn one_at_a_time_holds_the_lock_and_none_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.lock");
        let (holders, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while taken.load(Ordering::SeqCst) < 300 {
                        let lock = Lock::take(&path, || true).unwrap();
                        if let Some(lock) = lock {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            std::thread::yield_now();
                            taken.fetch_add(1, Ordering::SeqCst);
                            holders.fetch_sub(1, Ordering::SeqCst);
                            drop(lock);
                        }
                    }
                });
            }
        });
        assert!(!path.exists());
    }
}
