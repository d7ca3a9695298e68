//! A directory of tables: compares the tables that a heuristic needs with those in the directory,
//! and builds the missing ones into it.

mod build_job;
mod checkpoint;
mod checksum_stream;
pub(crate) mod free_memory;
mod lock;
mod row_file;
mod save_clock;

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use pdb_table::{
    Code, Compression, Control, Encoding, FileError, Header, TableDirectory, TableFile, codes, size,
};
use puzzle::TableId;

use crate::build::{BuildError, Built, build};
use crate::event::BuildEvent;
use crate::forecast::{Calibration, Forecast, TooLarge};
pub use build_job::Resume;
use build_job::{BuildJob, clear_companions};
use checkpoint::disk_taken;
pub use checksum_stream::{ChecksumReader, ChecksumStream, ChecksumWriter, is_damage};
use free_memory::check_room;
pub use free_memory::{free_disk, free_memory};
pub use lock::Lock;
pub use row_file::UnfinishedFile;
pub use save_clock::{CheckpointPolicy, SaveClock};

/// A tables directory, with options for building and writing tables.
#[derive(Clone, Debug)]
pub struct TableStore {
    /// Directory of the tables.
    pub directory: TableDirectory,
    /// Encoding of new tables; `None` for the default of each kind.
    pub encoding: Option<Encoding>,
    /// Compression of new files.
    pub compression: Compression,
    /// Memory limit of a build, in bytes; `None` if unknown.
    pub memory: Option<u64>,
    /// Times at which builds are saved.
    pub checkpoints: CheckpointPolicy,
    /// Whether a build resumes from its checkpoint.
    pub resume: Resume,
    /// Minimum payload size, in bytes, of one-bit tables that are written during the build. Each of
    /// their rows is written as soon as it is complete. Compressed files, and files on file systems
    /// in memory (tmpfs), are always written after the build.
    pub early_from: u64,
}

/// Default of [`TableStore::early_from`]. Writing a payload of this size takes seconds.
const EARLY_FROM: u64 = 1 << 30;

/// Outcome of [`TableStore::ensure`].
#[derive(Debug)]
pub enum EnsureOutcome {
    /// A valid file exists.
    Found,
    /// A new file was written.
    Written {
        /// Error of the damaged or outdated file that was replaced.
        replaced: Option<FileError>,
    },
}

/// Result of [`TableStore::build_or_wait`].
#[derive(Debug)]
pub enum NewTable {
    /// Another process built the table meanwhile.
    Found(TableFile),
    /// This process built the table.
    Built {
        /// The table.
        built: Built,
        /// Whether the table could be written to the directory.
        kept: Result<(), FileError>,
    },
}

impl TableStore {
    /// A store in this directory, with default encodings and without compression.
    #[must_use]
    pub fn new(directory: TableDirectory) -> Self {
        TableStore {
            directory,
            encoding: None,
            compression: Compression::None,
            memory: None,
            checkpoints: CheckpointPolicy::Auto,
            resume: Resume::Never,
            early_from: EARLY_FROM,
        }
    }

    /// Path of a table's file.
    #[must_use]
    pub fn path(&self, id: TableId) -> PathBuf {
        self.job(id).path()
    }

    fn job(&self, id: TableId) -> BuildJob<'_> {
        BuildJob {
            directory: &self.directory,
            id,
            encoding: self.encoding_for(id),
            compression: self.compression,
            checkpoints: self.checkpoints,
            resume: self.resume,
            early_from: self.early_from,
        }
    }

    fn encoding_for(&self, id: TableId) -> Encoding {
        let usual = Encoding::default_for(id.kind());
        self.encoding.unwrap_or(usual)
    }

    /// Builds a table and writes its file. Does nothing if a valid file exists, unless `force` is
    /// set.
    ///
    /// # Errors
    /// [`TableStoreError`]. No incomplete file remains.
    pub fn ensure(
        &self,
        id: TableId,
        force: bool,
        control: &Control<BuildEvent>,
    ) -> Result<(StoredTable, EnsureOutcome), TableStoreError> {
        let job = self.job(id);
        let path = job.path();
        if let Ok(found) = self.find(id, force) {
            clear_companions(&path, true);
            return Ok((found, EnsureOutcome::Found));
        }
        self.check_memory(id)?;
        // The directory is created before the build, so that an unwritable directory is reported
        // immediately.
        self.directory.create()?;
        let written = || fs::metadata(&path).and_then(|file| file.modified()).ok();
        let before = written();
        let Some(_lock) = job.lock(control)? else {
            return Err(BuildError::Cancelled { saved: None }.into());
        };
        // A file that another process has written during a wait for the lock is accepted even with
        // `force`.
        let replaced = match self.find(id, force && written() == before) {
            Ok(found) => return Ok((found, EnsureOutcome::Found)),
            Err(replaced) => replaced,
        };
        // The disk space is checked only after the wait, because another process that builds this
        // table reserves the table's disk space during the wait.
        self.check_disk(&[id])?;
        let header = job.run(control)?;
        Ok((
            StoredTable { path, header },
            EnsureOutcome::Written { replaced },
        ))
    }

    /// Builds a table in memory and tries to write its file. If another process is building the
    /// table, waits and opens its file. The build time is not checked: the caller decides whether
    /// the build would take too long.
    ///
    /// # Errors
    /// [`TableStoreError`]. A table that cannot be written is not an error.
    pub fn build_or_wait(
        &self,
        id: TableId,
        control: &Control<BuildEvent>,
    ) -> Result<NewTable, TableStoreError> {
        self.check_memory(id)?;
        // If the lock file cannot be created, the table is built without a lock. In this case the
        // table cannot be written either, and no other process builds it in this directory.
        let locked = self.directory.create().ok();
        let job = self.job(id);
        let locked = locked.and_then(|()| job.lock(control).ok());
        if let Some(None) = locked {
            return Err(BuildError::Cancelled { saved: None }.into());
        }
        if let Some(table) = self.directory.find(id)? {
            return Ok(NewTable::Found(table));
        }
        let built = build(id, job.encoding, control)?;
        let kept = job.keep(&built).map(|_| ());
        if kept.is_ok() {
            // The checkpoint is a leftover of an interrupted build: this process holds the lock, so
            // no other build is running.
            let _ = fs::remove_file(job.checkpoint());
        }
        Ok(NewTable::Built { built, kept })
    }

    /// Removes stale lock files next to a table's existing files. A process that is killed just
    /// after it has renamed its table leaves such a lock. Checkpoints and the locks of running
    /// builds stay.
    pub fn clear_locks(&self, id: TableId) {
        let paths = self.directory.candidates(id).map(|(_, path)| path);
        for path in paths.filter(|path| path.is_file()) {
            clear_companions(&path, false);
        }
    }

    /// Whether a file name is that of a lock or a checkpoint. These files exist next to a table
    /// during its build, and remain after an interrupted build.
    #[must_use]
    pub fn is_companion(name: &OsStr) -> bool {
        let name = name.to_string_lossy();
        let endings = [".lock", ".checkpoint", ".checkpoint.new"];
        let mut tables = endings
            .iter()
            .filter_map(|ending| name.strip_suffix(ending));
        tables.any(|table| table.ends_with(".pdb") || table.ends_with(".pdb.zst"))
    }

    /// Opens the existing table. Returns `Err(Some(error))` if the file is invalid, and `Err(None)`
    /// if there is no file or `force` is set.
    fn find(&self, id: TableId, force: bool) -> Result<StoredTable, Option<FileError>> {
        if force {
            return Err(None);
        }
        let path = self.path(id);
        match self.directory.open(id, self.encoding_for(id), &path) {
            Ok(table) => {
                let header = table.header().clone();
                Ok(StoredTable { path, header })
            }
            Err(error) => Err((!error.is_missing()).then_some(error)),
        }
    }

    /// Rejects tables whose files together exceed the free disk space. The space of these tables'
    /// checkpoints counts as free, since the checkpoints are removed if necessary. Compressed files
    /// are not checked, since their size is not known. If the system does not report the free
    /// space, nothing is checked, and writing may fail.
    ///
    /// # Errors
    /// [`TableStoreError::DiskFull`].
    pub fn check_disk(&self, tables: &[TableId]) -> Result<(), TableStoreError> {
        let checkpoints = tables.iter().map(|&id| {
            let path = self.job(id).checkpoint();
            let taken = disk_taken(&path);
            (path, taken)
        });
        let checkpoints: Vec<_> = checkpoints.filter(|(_, taken)| *taken > 0).collect();
        let bytes = tables.iter().map(|&id| self.job(id).bytes());
        let needed = bytes.fold(0, u64::saturating_add);
        let directory = self.directory.path();
        check_room(tables, directory, needed, self.free_disk(), &checkpoints)
    }

    /// Rejects a table whose build exceeds the memory limit.
    ///
    /// # Errors
    /// [`TableStoreError::TooLarge`].
    pub fn check_memory(&self, id: TableId) -> Result<(), TableStoreError> {
        Ok(TooLarge::check(id, self.encoding_for(id), self.memory)?)
    }

    /// Speed for forecasts of these missing tables. It is measured unless the tables are small: see
    /// [`Calibration::for_tables`].
    #[must_use]
    pub fn calibrate(&self, missing: &[TableId]) -> Calibration {
        let tables = missing.iter().map(|&id| (id, self.encoding_for(id)));
        Calibration::for_tables(&tables.collect::<Vec<_>>(), self.directory.path())
    }

    /// Forecast of building a table.
    #[must_use]
    pub fn forecast(&self, id: TableId, calibration: &Calibration) -> Forecast {
        Forecast::new(id, self.encoding_for(id), calibration)
    }

    /// Whether the table has a file with a valid header. The payload is not read.
    #[must_use]
    pub fn has(&self, id: TableId) -> bool {
        let table = TableFile::open(&self.path(id));
        table.is_ok_and(|table| {
            table.check_id(id).is_ok() && table.header().encoding == self.encoding_for(id)
        })
    }

    /// Free disk space of the directory in bytes, if the system reports it. The directory need not
    /// exist.
    #[must_use]
    pub fn free_disk(&self) -> Option<u64> {
        free_disk(self.directory.path())
    }

    /// Writes a finished table to its file.
    ///
    /// # Errors
    /// [`FileError`]. No incomplete file remains.
    pub fn keep(&self, built: &Built) -> Result<Header, FileError> {
        self.job(built.id()).keep(built)
    }
}

/// A table's file and its header.
#[derive(Debug)]
pub struct StoredTable {
    /// The file.
    pub path: PathBuf,
    /// The header.
    pub header: Header,
}

/// Error of [`TableStore::ensure`](crate::TableStore::ensure).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableStoreError {
    /// The table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A file or the directory could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The build needs more memory than is free.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The tables need more disk space than is free.
    #[error(
        "not enough disk space in {}: {name} needs {}, {} are free{}",
        directory.display(), size(*needed), size(*free), describe(checkpoints)
    )]
    DiskFull {
        /// Name of the table, or a text such as `the 3 tables`.
        name: String,
        /// Directory of the new files.
        directory: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes free, not counting the bytes of `checkpoints`.
        free: u64,
        /// Path and bytes of each checkpoint of these tables. The checkpoints may be deleted to
        /// free space.
        checkpoints: Vec<(PathBuf, u64)>,
    },
}

codes! {
    TableStoreError {
        TableStoreError::Build(error) => error.code(),
        TableStoreError::TooLarge(_) => Code::Memory,
        _ => Code::Table,
    }
}

/// Describes the space that deleting checkpoints would free.
fn describe(checkpoints: &[(PathBuf, u64)]) -> String {
    let bytes = checkpoints.iter().map(|(_, bytes)| bytes).sum();
    let which = match checkpoints {
        [] => return String::new(),
        [(path, _)] => format!("the checkpoint {} is", path.display()),
        [_, ..] => format!("the {} checkpoints are", checkpoints.len()),
    };
    format!(", and {} more if {which} deleted", size(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::row_file::companion;
    use pdb_table::{Cancel, Control};
    use puzzle::{Cell, Pattern, TableKind};
    use std::sync::{Arc, Mutex};

    /// A table of 24 entries.
    pub(super) fn small() -> TableId {
        let tiles = [0, 1].map(Cell::new).into_iter().collect();
        let blank = [3].map(Cell::new).into_iter().collect();
        TableId::new("2x2".parse().unwrap(), TableKind::FullCost, tiles, blank).unwrap()
    }

    #[test]
    fn checkpoints_count_as_free_disk_space() {
        let folder = tempfile::tempdir().unwrap();
        let store = TableStore::new(TableDirectory::new(folder.path()));
        let id = small();
        let needed = store.forecast(id, &Calibration::UNIT).file;
        let checkpoint = companion(&store.path(id), "checkpoint");
        let checkpoints = [(checkpoint.clone(), 100)];
        let check_all = |tables: &[_], free, checkpoints: &[_]| {
            let needed = needed * tables.len() as u64;
            check_room(tables, folder.path(), needed, free, checkpoints)
        };
        let check = |free, checkpoints: &[_]| check_all(&[id], Some(free), checkpoints);
        check(needed, &[]).unwrap();
        check(needed - 100, &checkpoints).unwrap();
        let refused = check(needed - 101, &checkpoints).unwrap_err().to_string();
        let line = format!(
            ", and 100 B more if the checkpoint {} is deleted",
            checkpoint.display()
        );
        assert!(refused.contains(&line), "{refused}");
        let refused = check(needed - 1, &[]).unwrap_err().to_string();
        assert!(!refused.contains("checkpoint"), "{refused}");
        assert!(check_all(&[id, id], Some(2 * needed - 1), &[]).is_err());
        assert!(check_all(&[id], None, &[]).is_ok());
        // `disk_taken` counts the checkpoint and its unfinished file, but not a directory of that
        // name.
        assert_eq!(disk_taken(&checkpoint), 0);
        fs::write(&checkpoint, [0; 30]).unwrap();
        fs::write(companion(&checkpoint, "new"), [0; 12]).unwrap();
        assert_eq!(disk_taken(&checkpoint), 42);
        fs::remove_file(&checkpoint).unwrap();
        fs::create_dir(&checkpoint).unwrap();
        assert_eq!(disk_taken(&checkpoint), 12);
    }

    #[test]
    fn concurrent_builders_build_a_table_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = TableStore::new(TableDirectory::new(folder.path().join("tables")));
        let tray = "3x3".parse().unwrap();
        let tiles = (0..6).map(Cell::new).collect();
        let pattern = Pattern::new(tray, tiles, Cell::new(8)).unwrap();
        let id = pattern.table(TableKind::ZeroAware).0;
        let obtain = || store.build_or_wait(id, &Control::default()).unwrap();
        let tables: Vec<NewTable> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(obtain)).collect();
            let tables = threads.into_iter().map(|thread| thread.join().unwrap());
            tables.collect()
        });
        let built = |table: &&NewTable| matches!(table, NewTable::Built { kept: Ok(()), .. });
        assert_eq!(tables.iter().filter(built).count(), 1);
        assert_eq!(fs::read_dir(store.directory.path()).unwrap().count(), 1);
    }

    /// Calls [`TableStore::ensure`]; returns the outcome and all events except levels.
    fn ensured(
        store: &TableStore,
        control: &Control<BuildEvent>,
    ) -> (EnsureOutcome, Vec<BuildEvent>) {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&heard);
        let listener = move |event: &BuildEvent| {
            if !matches!(event, BuildEvent::Level(_)) {
                all.lock().unwrap().push(event.clone());
            }
        };
        let control = Control::new(control.cancel.clone(), Some(Arc::new(listener)));
        let done = store.ensure(small(), false, &control).unwrap().1;
        let heard = heard.lock().unwrap().clone();
        (done, heard)
    }

    #[test]
    fn a_new_table_names_the_file_it_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let store = TableStore::new(TableDirectory::new(folder.path()));
        let path = store.path(small());
        let first = ensured(&store, &Control::default());
        assert!(matches!(first.0, EnsureOutcome::Written { replaced: None }));
        assert_eq!(first.1, []);
        assert!(matches!(
            ensured(&store, &Control::default()).0,
            EnsureOutcome::Found
        ));
        fs::write(&path, "no table").unwrap();
        let checkpoint = companion(&path, "checkpoint");
        fs::write(&checkpoint, "of a build before").unwrap();
        let second = ensured(&store, &Control::default());
        let replaced = matches!(&second.0, EnsureOutcome::Written { replaced: Some(error) }
            if error.path == path && !error.is_missing());
        assert!(replaced, "{second:?}");
        assert_eq!(second.1, [BuildEvent::CheckpointIgnored(checkpoint)]);
    }

    #[test]
    fn waiting_for_another_process_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = TableStore::new(TableDirectory::new(folder.path()));
        let lock = companion(&store.path(small()), "lock");
        let held = Lock::take(&lock, || true).unwrap();
        assert!(held.is_some());
        // The wait checks for cancellation immediately and after each interval. It ends at the
        // fourth check.
        let asked = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&asked);
        let listener = move |event: &BuildEvent| all.lock().unwrap().push(event.clone());
        let cancel = Cancel::asking(|| {
            use std::sync::atomic::{AtomicUsize, Ordering};
            static ASKED: AtomicUsize = AtomicUsize::new(0);
            ASKED.fetch_add(1, Ordering::Relaxed) >= 3
        });
        let control = Control::new(cancel, Some(Arc::new(listener)));
        let refused = store.ensure(small(), false, &control).unwrap_err();
        let cancelled = BuildError::Cancelled { saved: None };
        assert!(matches!(refused, TableStoreError::Build(error) if error == cancelled));
        let line = format!(
            "{} is being built by another process: waiting",
            small().name()
        );
        assert_eq!(*asked.lock().unwrap(), [BuildEvent::Note(line)]);
    }

    /// Uses a table that is larger than any disk.
    #[test]
    fn a_full_disk_error_lists_existing_checkpoints() {
        let folder = tempfile::tempdir().unwrap();
        let store = TableStore::new(TableDirectory::new(folder.path()));
        let tray = "5x5".parse().unwrap();
        let pattern = Pattern::new(tray, (0..12).map(Cell::new).collect(), Cell::new(24));
        let id = pattern.unwrap().table(TableKind::FullCost).0;
        let checkpoints = || match store.check_disk(&[id, small()]) {
            Err(TableStoreError::DiskFull { checkpoints, .. }) => checkpoints,
            other => panic!("{other:?}"),
        };
        assert_eq!(checkpoints(), []);
        let checkpoint = companion(&store.path(id), "checkpoint");
        fs::write(&checkpoint, [0; 30]).unwrap();
        assert_eq!(checkpoints(), [(checkpoint, 30)]);
        store.check_disk(&[small()]).unwrap();
    }
}
