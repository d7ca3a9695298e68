//! File of a large table, written during the build: each row is written as soon as it is complete,
//! so that fewer bytes remain to be written after the sweep.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use pdb_table::{AtomicFile, FileError, HEADER_LENGTH, Header, UncachedFile};
use sha2::{Digest, Sha256};

use crate::build::Built;
use crate::sweep::sweep_state::CompleteRows;

/// A table file under its temporary name.
pub(crate) struct RowFile {
    whole: AtomicFile,
    /// Bytes per row. Each row starts at a byte boundary.
    row_bytes: usize,
    /// For each row of each colour class, whether the row has been written.
    written: [Vec<bool>; 2],
}

/// Bytes of consecutive rows per write.
const STRETCH: usize = 1 << 20;

impl RowFile {
    /// Creates the file of a table with rows of `row_entries` entries; `row_entries` is a multiple
    /// of 8. Returns `None` on errors and on file systems in memory. Reserves all `bytes` now, so
    /// that checkpoints cannot use this space.
    pub(crate) fn create(path: &Path, row_entries: u32, bytes: u64) -> Option<Self> {
        let mut whole = AtomicFile::create(path).ok()?;
        if whole.is_in_memory() {
            return None;
        }
        whole.reserve(bytes).ok()?;
        Some(RowFile {
            whole,
            row_bytes: row_entries as usize / 8,
            written: [Vec::new(), Vec::new()],
        })
    }

    /// Writes complete rows of a colour class until `is_over` is set, at the end of the current
    /// level. After an error the file is unusable.
    pub(crate) fn take(
        &mut self,
        colour: usize,
        rows: &CompleteRows<'_>,
        is_over: &AtomicBool,
    ) -> io::Result<()> {
        let written = &mut self.written[colour];
        written.resize(rows.state.len(), false);
        // The written pages are kept in the page cache, because other rows in the same pages are
        // written later.
        let mut to = Stretches::new(self.whole.file_mut(), self.row_bytes);
        rows.each(|index, number, row| {
            if is_over.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if !std::mem::replace(&mut written[index], true) {
                to.add(number, row)?;
            }
            Ok(true)
        })?;
        to.flush()
    }

    /// Writes the remaining rows and the header, and renames the file.
    pub(crate) fn finish(mut self, built: &Built) -> Result<Header, FileError> {
        let path = self.whole.path().to_owned();
        let io = |error| FileError::io(&path, error);
        let (row_bytes, written) = (self.row_bytes, &mut self.written);
        let file: &File = self.whole.file_mut();
        let mut next = [0, 0];
        let write_rest = || {
            let mut to = Stretches::new(UncachedFile::of_long_file(file), row_bytes);
            built.rows_in_order().try_for_each(|(part, number, row)| {
                let index = next[part];
                next[part] += 1;
                match written[part].get(index) {
                    Some(true) => Ok(()),
                    _ => to.add(number, row),
                }
            })?;
            to.flush()?;
            to.to.give_up_copies()
        };
        let (rest, sum) = std::thread::scope(|scope| {
            let rest = scope.spawn(write_rest);
            let mut sum = Sha256::new();
            let Ok(()) = built.each_piece(|piece| {
                sum.update(piece);
                Ok::<_, Infallible>(())
            });
            (rest.join(), sum.finalize())
        });
        rest.unwrap_or_else(|_| Err(io::Error::other("the writing thread failed")))
            .map_err(io)?;
        let header = built.header(sum.into());
        let mut to = file;
        to.seek(SeekFrom::Start(0))
            .and_then(|_| to.write_all(&header.encode()))
            .map_err(io)?;
        self.whole.finish()?;
        Ok(header)
    }
}

/// Writes rows at their offsets. Joins consecutive rows into one write.
struct Stretches<W> {
    to: W,
    row_bytes: usize,
    stretch: Vec<u8>,
    /// Number of the row that would continue the stretch.
    next: u32,
}

impl<W: Write + Seek> Stretches<W> {
    fn new(to: W, row_bytes: usize) -> Self {
        Stretches {
            to,
            row_bytes,
            stretch: Vec::with_capacity(STRETCH + row_bytes),
            next: 0,
        }
    }

    /// Adds a row. Bytes of `row` after the first `row_bytes` are ignored.
    fn add(&mut self, number: u32, row: &[u8]) -> io::Result<()> {
        if number != self.next || self.stretch.len() >= STRETCH {
            self.flush()?;
        }
        self.stretch.extend_from_slice(&row[..self.row_bytes]);
        self.next = number + 1;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.stretch.is_empty() {
            return Ok(());
        }
        let end = u64::from(self.next) * self.row_bytes as u64;
        let start = HEADER_LENGTH as u64 + end - self.stretch.len() as u64;
        self.to.seek(SeekFrom::Start(start))?;
        self.to.write_all(&self.stretch)?;
        self.stretch.clear();
        Ok(())
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{build, build_saving};
    use crate::store::TableStore;
    use crate::sweep::sweep_state::StateSaver;
    use pdb_table::{Control, Encoding, TableDirectory};
    use puzzle::{Cell, Pattern, TableId, TableKind};
    use std::fs;

    /// A table whose rows start at byte boundaries.
    fn six_tiles() -> TableId {
        let tiles = [0, 1, 2, 4, 5, 6].map(Cell::new).into_iter().collect();
        let pattern = Pattern::new("4x3".parse().unwrap(), tiles, Cell::new(11));
        pattern.unwrap().table(TableKind::ZeroAware).0
    }

    /// A directory that is not on a file system in memory.
    fn on_disk() -> tempfile::TempDir {
        tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap()
    }

    /// Writes complete rows during the sweep, as a build does, but does not write the remaining
    /// rows.
    struct EarlyRows(RowFile);

    impl StateSaver for EarlyRows {
        fn takes_rows(&self) -> bool {
            true
        }

        fn take_rows(&mut self, colour: usize, rows: &CompleteRows<'_>, _: &AtomicBool) {
            self.0.take(colour, rows, &AtomicBool::new(false)).unwrap();
        }
    }

    #[test]
    fn rows_written_early_and_late_make_the_table() {
        let folder = on_disk();
        let path = folder.path().join("table");
        let expected = build(six_tiles(), Encoding::OneBit, &Control::default()).unwrap();
        let mut early = EarlyRows(RowFile::create(&path, 720, 1 << 20).unwrap());
        let control = Control::default();
        let built = build_saving(six_tiles(), Encoding::OneBit, &control, &mut early).unwrap();
        let count = |written: bool| {
            let all = early.0.written.iter().flatten();
            all.filter(|early| **early == written).count()
        };
        assert!(count(true) > 100 && count(false) > 100, "{}", count(true));
        early.0.finish(&built).unwrap();
        let expected = expected.into_table();
        assert!(fs::read(&path).unwrap() == expected.bytes());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_store_writes_the_same_bytes_early_and_late() {
        let folder = on_disk();
        let bytes = |early_from| {
            let mut store = TableStore::new(TableDirectory::new(folder.path()));
            store.early_from = early_from;
            let ensured = store.ensure(six_tiles(), true, &Control::default());
            fs::read(ensured.unwrap().0.path).unwrap()
        };
        assert!(bytes(0) == bytes(u64::MAX));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
