//! A checkpoint's file that is brought to the disk while the build goes on.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// A file that has another name, `.new` at its end, until it is complete and on the disk. The
/// writer holds a lock, so that no other process uses either name.
#[derive(Debug)]
pub struct UnfinishedFile {
    file: File,
    path: PathBuf,
}

impl UnfinishedFile {
    /// Begins a file that will have this path.
    ///
    /// # Errors
    /// Those of the system.
    pub fn create(path: &Path) -> io::Result<Self> {
        let unfinished = UnfinishedFile::name(path);
        // Whatever has the name is not opened: it may be a link to another file, or a pipe.
        let _ = fs::remove_file(&unfinished);
        Ok(UnfinishedFile {
            file: File::create_new(unfinished)?,
            path: path.to_owned(),
        })
    }

    /// The name until the file is whole.
    #[must_use]
    pub fn name(path: &Path) -> PathBuf {
        companion(path, "new")
    }

    /// The file, to write to.
    pub fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Removes it.
    pub fn discard(self) {
        let _ = fs::remove_file(UnfinishedFile::name(&self.path));
    }

    /// Brings it to the disk and gives it its name, on a thread of its own.
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

/// The file with this ending that belongs to another file.
pub(crate) fn companion(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}
