//! Tables directories: files named by their contents.

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use puzzle::TableId;

use crate::atomic_file::{AtomicFile, remove_abandoned};
use crate::control::Cancel;
use crate::encoding::Encoding;
use crate::file::{FileError, TableFile, open_regular};
use crate::header::TableError;

/// A directory of table files. It is created when the first file is written.
#[derive(Clone, Debug)]
pub struct TableDirectory {
    path: PathBuf,
    load_from: u64,
    cancel: Cancel,
}

/// Largest payload that is checked at each opening, in bytes. Larger payloads are checked again
/// only after the file's length or modification time has changed. A note next to the file records
/// the check.
const ALWAYS_CHECKED: u64 = 64 << 20;

impl TableDirectory {
    /// The directory at this path.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        TableDirectory {
            path: path.into(),
            load_from: u64::MAX,
            cancel: Cancel::default(),
        }
    }

    /// Returns the directory with a different way of opening: files of at least `bytes` bytes are
    /// copied into memory, as in [`TableFile::open_loading`].
    #[must_use]
    pub fn loading_from(self, bytes: u64) -> Self {
        TableDirectory {
            load_from: bytes,
            ..self
        }
    }

    /// Sets the token that stops payload checks. After cancellation, files are opened unchecked, so
    /// the caller must check the token before it uses an opened file.
    #[must_use]
    pub fn checking_unless(self, cancel: Cancel) -> Self {
        TableDirectory { cancel, ..self }
    }

    /// Path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the directory exists and appears to be writable.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        #[cfg(unix)]
        return rustix::fs::access(&self.path, rustix::fs::Access::WRITE_OK).is_ok();
        #[cfg(not(unix))]
        return self.path.is_dir();
    }

    /// Creates the directory and its parents, and removes the leftovers of killed writers.
    pub fn create(&self) -> Result<(), FileError> {
        fs::create_dir_all(&self.path).map_err(|error| {
            let error = match error.kind() {
                ErrorKind::AlreadyExists => ErrorKind::NotADirectory.into(),
                _ => error,
            };
            FileError::io(&self.path, error)
        })?;
        remove_abandoned(&self.path);
        Ok(())
    }

    /// Path of a table's file. The file's name contains the encoding unless it is the default
    /// encoding of the table's kind.
    #[must_use]
    pub fn file(&self, id: TableId, encoding: Encoding, compressed: bool) -> PathBuf {
        let mut name = id.name();
        if encoding != Encoding::default_for(id.kind()) {
            name.push('.');
            name.push_str(encoding.name());
        }
        name.push_str(if compressed { ".pdb.zst" } else { ".pdb" });
        self.path.join(name)
    }

    /// Opens and checks the first existing file of [`Self::candidates`]; `None` if none exists.
    pub fn find(&self, id: TableId) -> Result<Option<TableFile>, FileError> {
        for (encoding, path) in self.candidates(id) {
            match self.open(id, encoding, &path) {
                Ok(table) => return Ok(Some(table)),
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Possible files of a table. Plain files precede compressed files; in each group, the default
    /// encoding is first.
    pub fn candidates(&self, id: TableId) -> impl Iterator<Item = (Encoding, PathBuf)> {
        let forms = [false, true].into_iter();
        let readable = forms.filter(|compressed| cfg!(feature = "zstd") || !compressed);
        let forms = readable.flat_map(move |compressed| {
            let encodings = Encoding::all_for(id.kind());
            encodings.map(move |encoding| (encoding, compressed))
        });
        forms.map(move |(encoding, compressed)| (encoding, self.file(id, encoding, compressed)))
    }

    /// Encoding and path of a table's file; `None` if no file exists. The encoding is taken from
    /// the file's name; the file's contents are not checked.
    #[must_use]
    pub fn file_of(&self, id: TableId) -> Option<(Encoding, PathBuf)> {
        self.candidates(id).find(|(_, file)| file.is_file())
    }

    /// Number of bytes that [`Self::find`] reads, an estimate from the file's name and length. A
    /// mapped file that is checked only once counts as unread.
    #[must_use]
    pub fn bytes_to_open(&self, id: TableId) -> u64 {
        let Some((encoding, path)) = self.file_of(id) else {
            return 0;
        };
        let length = encoding.payload_length(id.entries());
        let is_plain = path.extension().is_some_and(|extension| extension == "pdb");
        let is_mapped = is_plain && length < self.load_from;
        match is_mapped && length > ALWAYS_CHECKED {
            true => 0,
            false => length,
        }
    }

    /// Opens a file and checks that it contains this table in this encoding. Also checks the
    /// payload's checksum, but not the values.
    ///
    /// # Errors
    /// [`FileError`]; see [`FileError::is_missing`].
    pub fn open(
        &self,
        id: TableId,
        encoding: Encoding,
        path: &Path,
    ) -> Result<TableFile, FileError> {
        let refused = |error| FileError::table(path, error);
        let note = CheckNote::of(path);
        let table = TableFile::open_loading(path, self.load_from)?;
        let wrong = || TableError::WrongTable {
            found: format!("{} values", table.header().encoding),
            expected: encoding.to_string(),
        };
        let is_encoded_so = table.header().encoding == encoding;
        table
            .check_id(id)
            .and_then(|()| is_encoded_so.then_some(()).ok_or_else(wrong))
            .and_then(|()| table.check_entries())
            .map_err(refused)?;
        let payload = table.payload().len() as u64;
        let note = note.filter(|_| payload > ALWAYS_CHECKED);
        if note.as_ref().is_some_and(CheckNote::stands) {
            return Ok(table);
        }
        let checked = table.check_payload_unless(&self.cancel);
        checked.map_err(refused)?;
        if self.cancel.is_cancelled() {
            return Ok(table);
        }
        // The note is written only if the file has not been replaced in the meantime.
        if let Some(note) = note.filter(|note| CheckNote::of(path).as_ref() == Some(note)) {
            // If the note cannot be written, the payload is checked again next time.
            let _ = note.write();
        }
        Ok(table)
    }
}

/// A note that a large file's payload was checked.
#[derive(PartialEq)]
struct CheckNote {
    path: PathBuf,
    text: String,
}

impl CheckNote {
    /// The note for the current state of the file.
    fn of(table: &Path) -> Option<CheckNote> {
        let metadata = fs::metadata(table).ok()?;
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let mut path = table.as_os_str().to_owned();
        path.push(".checked");
        Some(CheckNote {
            path: path.into(),
            text: format!("{} {}\n", metadata.len(), modified.as_nanos()),
        })
    }

    fn stands(&self) -> bool {
        let Ok(Some(file)) = open_regular(&self.path) else {
            return false;
        };
        // Reads one byte more than the text of the note has, to detect a longer file.
        let mut found = Vec::new();
        let read = file
            .take(self.text.len() as u64 + 1)
            .read_to_end(&mut found);
        read.is_ok() && found == self.text.as_bytes()
    }

    /// Writes the note without syncing: if it is lost, the payload is checked again.
    fn write(&self) -> Result<(), FileError> {
        let mut note = AtomicFile::create(&self.path)?;
        let written = note.file_mut().write_all(self.text.as_bytes());
        written.map_err(|error| FileError::io(&self.path, error))?;
        note.rename()
    }
}

#[cfg(test)]
mod tests {
    use puzzle::{Cell, TableKind};

    use super::*;

    #[test]
    fn a_note_is_valid_only_if_it_matches_the_file_exactly() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("a.pdb");
        fs::write(&table, "payload").unwrap();
        let note = CheckNote::of(&table).unwrap();
        assert!(!note.stands());
        note.write().unwrap();
        assert!(note.stands());
        let text = fs::read(&note.path).unwrap();
        for other in [&text[1..], &[&text[..], b"\n"].concat(), b""] {
            fs::write(&note.path, other).unwrap();
            assert!(!note.stands());
        }
        // A directory with the name of the note is neither read nor replaced.
        fs::remove_file(&note.path).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/dev/zero", &note.path).unwrap();
            assert!(!note.stands() && note.write().is_err());
            fs::remove_file(&note.path).unwrap();
        }
        fs::create_dir(&note.path).unwrap();
        assert!(!note.stands() && note.write().is_err());
    }

    /// The files are empty: only their names matter.
    #[test]
    fn mapped_files_that_are_checked_once_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let directory = TableDirectory::new(folder.path());
        let id = |tiles: u8| {
            let tiles = (1..=tiles).map(|tile| Cell::new(tile.into())).collect();
            let tray = "4x4".parse().unwrap();
            let blank = [Cell::new(0)].into_iter().collect();
            TableId::new(tray, TableKind::ZeroAware, tiles, blank).unwrap()
        };
        let bytes = |tiles| {
            let loading = directory.clone().loading_from(1 << 20);
            [&directory, &loading].map(|directory| directory.bytes_to_open(id(tiles)))
        };
        let encoding = Encoding::default_for(TableKind::ZeroAware);
        let [small, large] = [7, 8].map(|tiles| encoding.payload_length(id(tiles).entries()));
        assert!(small < ALWAYS_CHECKED && ALWAYS_CHECKED < large);
        assert_eq!(bytes(8), [0, 0]);
        fs::write(directory.file(id(8), encoding, true), "").unwrap();
        assert_eq!(bytes(8), [large, large]);
        fs::write(directory.file(id(8), encoding, false), "").unwrap();
        assert_eq!(bytes(8), [0, large]);
        fs::write(directory.file(id(7), encoding, false), "").unwrap();
        assert_eq!(bytes(7), [small, small]);
    }
}
