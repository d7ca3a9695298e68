//! Lock file per table. It keeps two processes from building the same table and writing the same
//! checkpoint.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pdb_table::{LockAttempt, try_lock};

/// Lock of a table, held while the table is built. The system releases the lock when the process
/// ends, even if the process is killed.
#[derive(Debug)]
pub struct Lock {
    /// `None` if the file system does not support locks.
    file: Option<File>,
    path: PathBuf,
}

/// Time between two attempts to take a busy lock.
const INTERVAL: Duration = Duration::from_millis(100);

impl Lock {
    /// Takes the lock of this path. While another process holds it, calls `gives_up` at intervals;
    /// returns `None` as soon as `gives_up` returns `true`.
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
                // The previous holder has removed the file meanwhile.
                LockAttempt::Gone => {}
                LockAttempt::Busy => {
                    if gives_up() {
                        return Ok(None);
                    }
                    std::thread::sleep(INTERVAL);
                }
                // The build continues without a lock. Table files stay intact, because they are
                // written atomically.
                LockAttempt::Unsupported => return held(None),
            }
        }
    }
}

/// Opens or creates a lock file.
fn open(path: &Path) -> io::Result<File> {
    // Only a regular file is opened: opening a pipe would block, and a link may point to another
    // file.
    if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("it exists and is not a file"));
    }
    let mut options = File::options();
    let opened = options.create(true).truncate(false).write(true).open(path);
    opened.or_else(|error| match error.kind() {
        // The file belongs to a process of another user. It can still be locked.
        io::ErrorKind::PermissionDenied => File::open(path).map_err(|_| error),
        _ => Err(error),
    })
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file is removed while the lock is held. A process that has opened it meanwhile finds
        // it removed and tries again.
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

    /// The threads lock and unlock without pause, so a thread sometimes locks a file that another
    /// thread has just removed.
    #[test]
    fn a_lock_has_one_holder_and_leaves_no_file() {
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
    fn links_and_directories_are_rejected() {
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

    /// The file is read-only: a killed build of another user has left it.
    #[test]
    fn a_read_only_lock_file_is_locked() {
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
