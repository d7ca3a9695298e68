//! Checkpoints: the state of a sweep in a file, from which an interrupted build resumes.
//!
//! A checkpoint is written between two levels. Rows not reached yet are omitted; rows that are
//! complete and settled are stored as their plane of ones only. The file is written with `.new`
//! appended to its name. A separate thread syncs it to the disk and renames it while the sweep
//! continues, so a crash at any time leaves a complete checkpoint: the new one or the previous one.
//! The process holds the table's lock, so no other process uses these names.
//!
//! The file's content (see [`ChecksumWriter`]) is the state per colour class (half): the numbers of
//! frontier and visited entries of every row, followed by the records and bit strings of the rows
//! that have entries. A checkpoint can be read only by the version that wrote it.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pdb_table::{AtomicFile, Encoding, FileError, Histogram, UncachedFile, open_regular, size};
use puzzle::TableId;
use serde::{Deserialize, Serialize};

use crate::store::checksum_stream::{ChecksumReader, ChecksumWriter};
use crate::store::free_memory::free_disk;
use crate::store::row_file::UnfinishedFile;
use crate::store::save_clock::{CheckpointPolicy, SaveClock};
use crate::sweep::sweep_state::{CheckpointError, StateSaver, SweepState};

const MAGIC: [u8; 8] = *b"\x89PDC\r\n\x1a\n";
const VERSION: u32 = 3;

#[derive(Serialize, Deserialize)]
struct CheckpointFields {
    version: u32,
    /// Name of the table.
    table: String,
    /// Name of the encoding.
    encoding: String,
    /// Time spent on the build so far, in milliseconds.
    milliseconds: u64,
    /// Number of entries found at each distance.
    counts: Vec<u64>,
}

/// Checkpoint file of one table's build.
pub(crate) struct Checkpoint {
    path: PathBuf,
    table: String,
    encoding: Encoding,
    clock: SaveClock,
    resume: bool,
    /// Whether saving has failed. After a failure, the build is saved only on cancellation.
    failed: bool,
    syncing: Option<JoinHandle<io::Result<()>>>,
}

impl Checkpoint {
    /// Checkpoint at `path` for the build of this table. An existing file is restored if `resume`
    /// is set.
    pub(crate) fn new(
        path: PathBuf,
        id: TableId,
        encoding: Encoding,
        policy: CheckpointPolicy,
        resume: bool,
    ) -> Self {
        Checkpoint {
            path,
            table: id.name(),
            encoding,
            clock: SaveClock::start(policy),
            resume,
            failed: false,
            syncing: None,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file. Called when the table is complete on disk or in memory.
    pub(crate) fn remove(&mut self) {
        // Errors are ignored: a leftover checkpoint does no harm.
        let _ = self.wait();
        let _ = fs::remove_file(UnfinishedFile::name(&self.path));
        let _ = fs::remove_file(&self.path);
    }

    /// Length of the file in bytes, after pending writes; 0 if the file does not exist.
    pub(crate) fn length(&mut self) -> u64 {
        let _ = self.wait();
        file_length(&self.path)
    }

    fn is_syncing(&self) -> bool {
        let thread = self.syncing.as_ref();
        thread.is_some_and(|thread| !thread.is_finished())
    }

    /// Waits until the previous checkpoint is on the disk.
    fn wait(&mut self) -> Result<(), FileError> {
        match self.syncing.take().map(JoinHandle::join) {
            None | Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(error))) => Err(self.failure(error)),
            Some(Err(_)) => Err(self.failure(io::Error::other("syncing failed"))),
        }
    }

    fn failure(&self, error: io::Error) -> FileError {
        FileError::io(&self.path, error)
    }

    /// Writes a checkpoint; gives up after `limit` and returns `false`.
    fn write(
        &mut self,
        state: &mut SweepState<'_>,
        histogram: &Histogram,
        limit: Duration,
    ) -> Result<bool, FileError> {
        let begin = Instant::now();
        self.wait()?;
        let bytes = state.bytes();
        let free = free_disk(AtomicFile::directory(&self.path));
        if let Some(free) = free.filter(|&free| free < bytes) {
            let line = format!(
                "not enough disk space: it needs {}, {} are free",
                size(bytes),
                size(free)
            );
            let full = io::Error::new(io::ErrorKind::StorageFull, line);
            return Err(self.failure(full));
        }
        let mut file = UnfinishedFile::create(&self.path).map_err(|error| self.failure(error))?;
        let elapsed = self.clock.elapsed().as_millis();
        let fields = CheckpointFields {
            version: VERSION,
            table: self.table.clone(),
            encoding: self.encoding.name().to_owned(),
            milliseconds: elapsed.try_into().unwrap_or(u64::MAX),
            counts: histogram.counts().to_vec(),
        };
        let mut written = 0;
        let done = write_state(file.file_mut(), &fields, state, |length| {
            written += length as u64;
            begin.elapsed() <= limit
        });
        self.clock.wrote(written, begin);
        match done {
            Ok(true) => self.syncing = Some(file.publish()),
            _ => file.discard(),
        }
        done.map_err(|error| self.failure(error))
    }

    fn read(
        &mut self,
        file: File,
        state: &mut SweepState<'_>,
    ) -> Result<Histogram, CheckpointError> {
        let unsound = |why: &str| io::Error::other(why.to_owned());
        let read = || -> io::Result<(CheckpointFields, Histogram)> {
            let (mut from, fields): (_, CheckpointFields) = ChecksumReader::open(file, MAGIC)?;
            if fields.version != VERSION {
                return Err(unsound("not a checkpoint of this version"));
            }
            if fields.table != self.table || fields.encoding != self.encoding.name() {
                return Err(unsound("a checkpoint of another table"));
            }
            let visited = state.restore(|piece| from.read_exact(piece))?;
            from.finish()?;
            let counts = fields.counts.iter();
            let counted = counts.fold(0, |sum: u64, &count| sum.saturating_add(count));
            // The goal is always visited.
            let is_counted = counted == visited && counted > 0;
            if !is_counted || fields.counts.len() > usize::from(u8::MAX) {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let mut histogram = Histogram::default();
            for (value, &count) in (0..=u8::MAX).zip(&fields.counts) {
                histogram.add(value, count);
            }
            Ok((fields, histogram))
        };
        let (fields, histogram) = read().map_err(|error| {
            let error = match error.kind() {
                io::ErrorKind::Other => error,
                _ => unsound("damaged checkpoint"),
            };
            CheckpointError::Unusable(self.failure(error).to_string())
        })?;
        self.clock.go_on(Duration::from_millis(fields.milliseconds));
        Ok(histogram)
    }
}

impl Drop for Checkpoint {
    /// Waits until the previous checkpoint is on the disk. The table's lock is released only
    /// afterwards, because the next holder of the lock writes files of the same names.
    fn drop(&mut self) {
        let _ = self.wait();
    }
}

impl StateSaver for Checkpoint {
    fn restore(
        &mut self,
        state: &mut SweepState<'_>,
    ) -> Result<Option<Histogram>, CheckpointError> {
        // An unfinished file of a killed process is never read.
        let _ = fs::remove_file(UnfinishedFile::name(&self.path));
        if !self.resume {
            return Ok(None);
        }
        let not_a_file = || io::Error::other("it exists and is not a file");
        let opened = open_regular(&self.path).and_then(|file| file.ok_or_else(not_a_file));
        match opened {
            Ok(file) => self.read(file, state).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CheckpointError::File(self.failure(error).to_string())),
        }
    }

    fn save(
        &mut self,
        state: &mut SweepState<'_>,
        histogram: &Histogram,
        is_stopped: bool,
    ) -> Result<bool, String> {
        if is_stopped {
            if !self.clock.is_due_when_stopped() {
                return Ok(false);
            }
            let written = self.write(state, histogram, Duration::MAX);
            let saved = written.and_then(|saved| self.wait().map(|()| saved));
            return saved.map_err(|error| format!("cannot save the build: {error}"));
        }
        if self.failed {
            return Ok(false);
        }
        let Some(limit) = self.clock.due(self.is_syncing(), || state.bytes()) else {
            return Ok(false);
        };
        self.write(state, histogram, limit).map_err(|error| {
            self.failed = true;
            format!("the build continues without checkpoints: {error}")
        })
    }
}

/// Disk space of a checkpoint, including its unfinished file, in bytes.
pub(crate) fn disk_taken(checkpoint: &Path) -> u64 {
    file_length(checkpoint) + file_length(&UnfinishedFile::name(checkpoint))
}

fn file_length(path: &Path) -> u64 {
    let metadata = fs::symlink_metadata(path).ok();
    let metadata = metadata.filter(fs::Metadata::is_file);
    metadata.map_or(0, |metadata| metadata.len())
}

/// Writes the file. Calls `go_on` with the length of each piece; stops and returns `false` as soon
/// as `go_on` returns `false`.
fn write_state(
    file: &mut File,
    fields: &CheckpointFields,
    state: &mut SweepState<'_>,
    mut go_on: impl FnMut(usize) -> bool,
) -> io::Result<bool> {
    let mut to = ChecksumWriter::new(UncachedFile::new(file), MAGIC, fields)?;
    let mut goes_on = true;
    state.save(|piece| {
        if goes_on {
            to.write_all(piece)?;
            goes_on = go_on(piece.len());
        }
        Ok(())
    })?;
    to.finish()?;
    Ok(goes_on)
}

#[cfg(test)]
mod tests {
    use pdb_table::Control;
    use puzzle::{Cell, CellSet, Pattern, TableKind};

    use super::*;
    use crate::build::build_saving;
    use crate::store::save_clock::FIRST_RATE;

    fn small(kind: TableKind) -> TableId {
        let tiles = CellSet::EMPTY.with(Cell::new(0));
        let pattern = Pattern::new("2x2".parse().unwrap(), tiles, Cell::new(3));
        pattern.unwrap().table(kind).0
    }

    /// Writes with a time limit of zero.
    struct ImpatientSaver(Checkpoint);

    impl StateSaver for ImpatientSaver {
        fn save(
            &mut self,
            state: &mut SweepState<'_>,
            histogram: &Histogram,
            _: bool,
        ) -> Result<bool, String> {
            let written = self.0.write(state, histogram, Duration::ZERO);
            assert!(!written.unwrap());
            assert_eq!(self.0.clock.rate, FIRST_RATE);
            Ok(false)
        }
    }

    /// The attempt to write ends after the first piece, which is too short for measuring the write
    /// speed.
    #[test]
    fn an_attempt_that_wrote_nothing_does_not_change_the_rate() {
        let folder = tempfile::tempdir().unwrap();
        let (path, id) = (
            folder.path().join("checkpoint"),
            small(TableKind::BlankCompressed),
        );
        let mut it = Checkpoint::new(path, id, Encoding::U8, CheckpointPolicy::Auto, false);
        it.clock.go_on(Duration::from_secs(1000));
        build_saving(
            id,
            Encoding::U8,
            &Control::default(),
            &mut ImpatientSaver(it),
        )
        .unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
