//! A lock for each table, so that two builders do not do the same work and write the same
//! checkpoint.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pdb_table::{LockAttempt, try_lock};

/// Held while a table is built; the system releases it when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    /// `None` where files cannot be locked.
    file: Option<File>,
    path: PathBuf,
}

/// Time between two attempts to take a lock that is held elsewhere.
const INTERVAL: Duration = Duration::from_millis(100);

impl Lock {
    /// Takes the lock of this path. While it is held elsewhere `gives_up` is asked now and then; if
    /// it returns `true` the result is `None`.
    ///
    /// # Errors
    /// The file cannot be opened or created.
    pub fn take(path: &Path, mut gives_up: impl FnMut() -> bool) -> io::Result<Option<Lock>> {
        let held = |file| {
            let path = path.to_owned();
            Ok(Some(Lock { file, path }))
        };
        loop {
            let file = open(path)?;
            match try_lock(&file, path) {
                LockAttempt::Taken => return held(Some(file)),
                // The holder before has removed the file in between.
                LockAttempt::Gone => {}
                LockAttempt::Busy => {
                    if gives_up() {
                        return Ok(None);
                    }
                    std::thread::sleep(INTERVAL);
                }
                // Without locks too, files are whole or not there.
                LockAttempt::Unsupported => return held(None),
            }
        }
    }
}

/// Opens or creates the file of a lock.
fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe would wait for a reader, and a link leads elsewhere.
    if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("it exists and is not a file"));
    }
    let mut options = File::options();
    let opened = options.create(true).truncate(false).write(true).open(path);
    opened.or_else(|error| match error.kind() {
        // Another user's, who was killed or is at work: it is locked just as well.
        io::ErrorKind::PermissionDenied => File::open(path).map_err(|_| error),
        _ => Err(error),
    })
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

#[cfg(test)]
#[cfg(unix)]
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

    #[test]
    fn only_files_are_locks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.lock");
        let target = folder.path().join("target");
        std::os::unix::fs::symlink(&target, &path).unwrap();
        assert!(Lock::take(&path, || true).is_err());
        assert!(!target.exists());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(Lock::take(&path, || true).is_err());
    }

    /// The file may be read but not written: a killed build of another user left it.
    #[test]
    fn a_lock_that_cannot_be_written_is_taken() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.lock");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let lock = Lock::take(&path, || true).unwrap();
        assert!(lock.is_some() && Lock::take(&path, || true).unwrap().is_none());
        drop(lock);
        assert!(!path.exists());
    }
}
