//! Atomic files: they appear complete or not at all.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use fs4::fs_std::FileExt as _;

use crate::file::FileError;

/// A file that is written under a temporary name in the same directory. [`Self::finish`] syncs the
/// file and renames it; dropping the value earlier removes the file. The next writer in the
/// directory removes the leftovers of a killed process.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    temporary: tempfile::NamedTempFile,
}

impl AtomicFile {
    /// Creates the temporary file; [`Self::finish`] renames it to `path`.
    ///
    /// # Errors
    /// [`FileError`] if the directory is not writable, or `path` exists and is not a file.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let io = |error| FileError::io(path, error);
        // `finish` would replace a device file at `path` with the renamed temporary file.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io(io::Error::other("it exists and is not a file")));
        }
        Ok(AtomicFile {
            temporary: temporary_in(AtomicFile::directory(path)).map_err(io)?,
            path: path.to_owned(),
        })
    }

    /// The directory of a file; for a bare name, the current directory.
    #[must_use]
    pub fn directory(path: &Path) -> &Path {
        let directory = path.parent();
        let directory = directory.filter(|directory| !directory.as_os_str().is_empty());
        directory.unwrap_or(Path::new("."))
    }

    /// The open temporary file.
    pub fn file_mut(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// Whether the file is on a file system in memory, where it uses memory that a build may need.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        #[cfg(target_os = "linux")]
        {
            const TMPFS: u64 = 0x0102_1994;
            const RAMFS: u64 = 0x8584_58f6;
            let system = rustix::fs::fstatfs(self.temporary.as_file());
            system.is_ok_and(|system| {
                // The field's integer type depends on the platform.
                let magic = system.f_type as u64 & 0xffff_ffff;
                magic == TMPFS || magic == RAMFS
            })
        }
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Reserves disk space for `bytes` bytes, if the system supports it.
    pub fn reserve(&mut self, bytes: u64) -> Result<(), FileError> {
        #[cfg(target_os = "linux")]
        {
            let flags = rustix::fs::FallocateFlags::KEEP_SIZE;
            let taken = rustix::fs::fallocate(self.temporary.as_file(), flags, 0, bytes);
            let taken = taken.map_err(|error| FileError::io(&self.path, error.into()));
            if taken.as_ref().is_err_and(FileError::is_disk_full) {
                return taken;
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = bytes;
        Ok(())
    }

    /// Writes a file that consists of these parts.
    pub fn write(path: &Path, parts: &[&[u8]]) -> Result<(), FileError> {
        let mut whole = AtomicFile::create(path)?;
        whole.append(parts)?;
        whole.finish()
    }

    /// Appends the parts and syncs them. An existing file at the path stays until [`Self::finish`].
    pub fn append(&mut self, parts: &[&[u8]]) -> Result<(), FileError> {
        let file = self.temporary.as_file_mut();
        let written = parts.iter().try_for_each(|part| file.write_all(part));
        let synced = written.and_then(|()| file.sync_all());
        synced.map_err(|error| FileError::io(&self.path, error))
    }

    /// Temporary path of the file, for other processes that write parts of it.
    #[must_use]
    pub fn temporary_path(&self) -> &Path {
        self.temporary.path()
    }

    /// Final path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the file to the disk and renames it to its final path.
    pub fn finish(self) -> Result<(), FileError> {
        let path = self.path.clone();
        let io = |error| FileError::io(&path, error);
        self.temporary.as_file().sync_all().map_err(io)?;
        self.rename()?;
        sync_directory(AtomicFile::directory(&path)).map_err(io)
    }

    /// Renames the file without syncing it, for data whose loss in a crash of the machine is
    /// acceptable.
    pub(crate) fn rename(self) -> Result<(), FileError> {
        let AtomicFile { path, temporary } = self;
        let renamed = temporary.persist(&path);
        renamed.map_err(|error| FileError::io(&path, error.error))?;
        Ok(())
    }
}

/// Prefix and suffix of the names of unfinished files.
const TEMPORARY: (&str, &str) = (".unfinished-", ".tmp");

/// Whether a name is that of an unfinished [`AtomicFile`], as left by a crash.
#[must_use]
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let middle = name.strip_prefix(TEMPORARY.0);
    let middle = middle.and_then(|name| name.strip_suffix(TEMPORARY.1));
    middle.is_some_and(|text| text.len() == 6 && text.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Removes abandoned temporary files, then creates a new one. The new file is locked while it is
/// open.
fn temporary_in(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    remove_abandoned(directory);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    // The closure opens the file itself, because errors of `builder` would name the temporary file.
    builder.make_in(directory, |path| {
        let mut options = File::options();
        let file = options.read(true).write(true).create_new(true).open(path)?;
        match try_lock(&file, path) {
            LockAttempt::Taken | LockAttempt::Unsupported => Ok(file),
            // Another process removed the file before it was locked: try another name.
            LockAttempt::Busy | LockAttempt::Gone => Err(io::ErrorKind::AlreadyExists.into()),
        }
    })
}

/// Removes the unfinished files of a directory that are not locked. Removes none if the file system
/// does not support locks.
pub(crate) fn remove_abandoned(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        // Links are not followed.
        if !is_temporary(&entry.file_name()) || !entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            continue;
        }
        let path = entry.path();
        let Ok(file) = File::open(&path) else {
            continue;
        };
        if try_lock(&file, &path) == LockAttempt::Taken {
            // Another process may have removed the file first.
            let _ = fs::remove_file(path);
        }
    }
}

fn sync_directory(directory: &Path) -> io::Result<()> {
    // On Windows, directories cannot be opened. No sync is needed there, because renames are
    // durable.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    let _ = directory;
    Ok(())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> usize {
        fs::read_dir(directory).unwrap().count()
    }

    #[test]
    fn writers_remove_abandoned_files_but_not_files_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut first = AtomicFile::create(&at("first")).unwrap();
        for name in [".unfinished-aB3xYz.tmp", "notes.tmp", ".unfinished-notes"] {
            fs::write(at(name), "left").unwrap();
        }
        fs::create_dir(at(".unfinished-folder.tmp")).unwrap();
        let second = AtomicFile::create(&at("second")).unwrap();
        assert!(!at(".unfinished-aB3xYz.tmp").exists());
        // Five names are left: `notes.tmp`, `.unfinished-notes`, the folder, and the temporary
        // files of `first` and `second`.
        assert_eq!(names(folder.path()), 5);
        second.finish().unwrap();
        first.append(&[b"whole"]).unwrap();
        first.finish().unwrap();
        assert_eq!(fs::read(at("first")).unwrap(), b"whole");
        assert_eq!(names(folder.path()), 5);
    }

    /// Each writer constantly removes abandoned files.
    #[test]
    fn concurrent_writers_do_not_remove_each_others_files() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = folder.path().join(writer.to_string());
                scope.spawn(move || {
                    for round in 0..100 {
                        let text = format!("{writer} {round}");
                        AtomicFile::write(&path, &[text.as_bytes()]).unwrap();
                        assert_eq!(fs::read_to_string(&path).unwrap(), text);
                    }
                });
            }
        });
        assert_eq!(names(folder.path()), 4);
    }

    #[test]
    fn errors_name_the_final_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/out");
        let error = AtomicFile::create(&path).unwrap_err().to_string();
        assert!(
            error.contains("none/out: ") && !error.contains("unfinished"),
            "{error}"
        );
        assert!(!error.contains("at path"), "{error}");
    }
}
