//! A checkpoint file that is written to the disk while the build continues.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// A file whose name ends in `.new` until it is complete and on the disk. The writer holds a lock,
/// so no other process uses either name.
#[derive(Debug)]
pub struct UnfinishedFile {
    file: File,
    path: PathBuf,
}

impl UnfinishedFile {
    /// Creates the file; `path` is its final path.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn create(path: &Path) -> io::Result<Self> {
        let unfinished = UnfinishedFile::name(path);
        // An existing file of this name is removed and not opened, because it may be a link or a
        // pipe.
        let _ = fs::remove_file(&unfinished);
        Ok(UnfinishedFile {
            file: File::create_new(unfinished)?,
            path: path.to_owned(),
        })
    }

    /// Name of the file until it is complete.
    #[must_use]
    pub fn name(path: &Path) -> PathBuf {
        companion(path, "new")
    }

    /// The file, for writing.
    pub fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Removes the file.
    pub fn discard(self) {
        let _ = fs::remove_file(UnfinishedFile::name(&self.path));
    }

    /// Syncs the file to the disk and renames it, on a separate thread.
    #[must_use]
    pub fn publish(self) -> JoinHandle<io::Result<()>> {
        std::thread::spawn(move || {
            let unfinished = UnfinishedFile::name(&self.path);
            let synced = self.file.sync_all();
            let done = synced.and_then(|()| fs::rename(unfinished, &self.path));
            if done.is_err() {
                self.discard();
            }
            done
        })
    }
}

/// Appends a file name extension: `path.ending`.
pub(crate) fn companion(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}
