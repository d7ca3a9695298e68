//! One build of a table into a directory: its lock, its files, and the saving of its state.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use pdb_table::{
    Compression, Control, Encoding, FileError, HEADER_LENGTH, Header, Histogram, TableDirectory,
};
use puzzle::{Metric, TableId, factorial};

use crate::build::{BuildError, Built, build_saving};
use crate::event::BuildEvent;
use crate::forecast::{Calibration, Forecast};
use crate::store::checkpoint::Checkpoint;
use crate::store::error::TableStoreError;
use crate::store::lock::Lock;
use crate::store::room::{check_room, free_disk};
use crate::store::row_file::RowFile;
use crate::store::save_clock::CheckpointPolicy;
use crate::store::unfinished_file::companion;
use crate::sweep::sweep_state::{CheckpointError, CompleteRows, StateSaver, SweepState};

/// Treatment of a checkpoint that an earlier build has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// It is not used, and replaced by the next.
    Never,
    /// It is used if it is sound.
    IfSound,
    /// It is used, and a damaged one is an error.
    Always,
}

/// Building and writing of one table: see the fields of
/// [`TableStore`](crate::TableStore).
pub(crate) struct BuildJob<'a> {
    pub(crate) directory: &'a TableDirectory,
    pub(crate) id: TableId,
    pub(crate) encoding: Encoding,
    pub(crate) compression: Compression,
    pub(crate) checkpoints: CheckpointPolicy,
    pub(crate) resume: Resume,
    pub(crate) early_from: u64,
}

impl BuildJob<'_> {
    pub(crate) fn path(&self) -> PathBuf {
        let is_compressed = self.compression != Compression::None;
        self.directory.file(self.id, self.encoding, is_compressed)
    }

    pub(crate) fn checkpoint(&self) -> PathBuf {
        companion(&self.path(), "checkpoint")
    }

    /// Bytes of the table's file; 0 if it is compressed, since that is not predicted.
    pub(crate) fn bytes(&self) -> u64 {
        match self.compression {
            Compression::None => Forecast::new(self.id, self.encoding, &Calibration::UNIT).file,
            _ => 0,
        }
    }

    /// Takes the table's lock, and says whether it was waited for; `None` if that was cancelled.
    pub(crate) fn lock(
        &self,
        control: &Control<BuildEvent>,
    ) -> Result<Option<(Lock, bool)>, FileError> {
        let path = companion(&self.path(), "lock");
        let mut waits = false;
        let lock = Lock::take(&path, || {
            if !std::mem::replace(&mut waits, true) {
                let name = self.id.name();
                let note = format!("{name} is being built by another process: waiting");
                control.report(&BuildEvent::Note(note));
            }
            control.is_cancelled()
        });
        match lock {
            Ok(lock) => Ok(lock.map(|lock| (lock, waits))),
            // No lock can be made there.
            Err(error) if fs::symlink_metadata(&path).is_err() => {
                Err(FileError::io(&self.path(), error))
            }
            Err(error) => {
                let line = format!("{error}: delete it unless the table is being built");
                Err(FileError::io(&path, io::Error::new(error.kind(), line)))
            }
        }
    }

    /// Builds the table and writes its file. The lock must be held.
    pub(crate) fn run(&self, control: &Control<BuildEvent>) -> Result<Header, TableStoreError> {
        let checkpoint = self.checkpoint();
        if self.resume == Resume::Never && checkpoint.exists() {
            control.report(&BuildEvent::CheckpointIgnored(checkpoint));
        }
        let is_saved = matches!(self.checkpoints, CheckpointPolicy::Every(_));
        if self.id.kind().metric() == Metric::Multi && (is_saved || self.resume == Resume::Always) {
            let name = self.id.name();
            let note = format!("{name} is quickly built: multi-tile tables have no checkpoints");
            control.report(&BuildEvent::Note(note));
        }
        let mut files = self.files(self.resume != Resume::Never);
        let mut built = build_saving(self.id, self.encoding, control, &mut files);
        if let (Err(BuildError::Checkpoint(line)), Resume::IfSound) = (&built, self.resume) {
            control.report(&BuildEvent::Note(format!("building anew: {line}")));
            // Rows of a build that ended badly are not those of the next. Their room is.
            files.rows = None;
            files = self.files(false);
            built = build_saving(self.id, self.encoding, control, &mut files);
        }
        let built = built?;
        // Rows that could not be written early are no reason to fail.
        let write = || match files.rows.take().map(|file| file.finish(&built)) {
            Some(Ok(header)) => Ok(header),
            _ => self.keep(&built),
        };
        let header = write_making_room(write, &mut files.checkpoint, |more| {
            let directory = self.directory.path();
            let free = free_disk(directory).map(|free| free + more);
            check_room(&[self.id], directory, self.bytes(), free, &[])
        })?;
        files.checkpoint.remove();
        Ok(header)
    }

    fn files(&self, resume: bool) -> BuildFiles {
        BuildFiles {
            checkpoint: Checkpoint::new(
                self.checkpoint(),
                self.id,
                self.encoding,
                self.checkpoints,
                resume,
            ),
            rows: self.begin_rows(),
        }
    }

    /// The file of a table that is written while it is built. That it cannot be begun is reported
    /// when the table is written.
    fn begin_rows(&self) -> Option<RowFile> {
        let row_entries = factorial(self.id.tiles().len());
        let bytes = self.bytes();
        let is_early = self.encoding == Encoding::OneBit
            && row_entries % 8 == 0
            && bytes >= self.early_from.saturating_add(HEADER_LENGTH as u64);
        let begin = || RowFile::create(&self.path(), row_entries, bytes);
        is_early.then(begin).flatten()
    }

    pub(crate) fn keep(&self, built: &Built) -> Result<Header, FileError> {
        self.directory.create()?;
        built.write(&self.path(), self.compression)
    }
}

/// Files of a running build.
struct BuildFiles {
    checkpoint: Checkpoint,
    rows: Option<RowFile>,
}

impl StateSaver for BuildFiles {
    fn restore(
        &mut self,
        state: &mut SweepState<'_>,
    ) -> Result<Option<Histogram>, CheckpointError> {
        self.checkpoint.restore(state)
    }

    fn save(
        &mut self,
        state: &mut SweepState<'_>,
        histogram: &Histogram,
        is_stopped: bool,
    ) -> Result<bool, String> {
        if is_stopped {
            // The checkpoint, the last that is done, may need the room.
            self.rows = None;
        }
        self.checkpoint.save(state, histogram, is_stopped)
    }

    fn takes_rows(&self) -> bool {
        self.rows.is_some()
    }

    fn take_rows(&mut self, colour: usize, rows: &CompleteRows<'_>, is_over: &AtomicBool) {
        // After an error the finished table is written anew, and its error counts.
        let file = self.rows.as_mut();
        if file.is_some_and(|file| file.take(colour, rows, is_over).is_err()) {
            self.rows = None;
        }
    }
}

/// Writes a table that is complete in memory. If the disk is full because of its own checkpoint,
/// that is removed and the table written again: all that a checkpoint is for is done. It stays if
/// its bytes would not suffice, which `suffices` refuses.
pub(crate) fn write_making_room(
    mut write: impl FnMut() -> Result<Header, FileError>,
    checkpoint: &mut Checkpoint,
    suffices: impl Fn(u64) -> Result<(), TableStoreError>,
) -> Result<Header, FileError> {
    let error = match write() {
        Err(error) if error.is_disk_full() => error,
        done => return done,
    };
    let length = checkpoint.length();
    let name = checkpoint.path().display().to_string();
    let more = |error: FileError, state: &str| {
        let full = io::ErrorKind::StorageFull;
        let line = format!("{}; {state}", error.kind);
        FileError::io(&error.path, io::Error::new(full, line))
    };
    if length == 0 {
        return Err(error);
    }
    if suffices(length).is_err() {
        return Err(more(error, &format!("the build is saved in {name}")));
    }
    checkpoint.remove();
    let state = format!("the room of {name}, now removed, was not enough");
    write().map_err(|error| more(error, &state))
}

/// Removes the lock of a table that is there after all, and its checkpoint if `all`, unless
/// somebody is building it: a process that is killed once its table has its name leaves them.
pub(crate) fn clear_companions(path: &Path, all: bool) {
    let (lock, checkpoint) = (companion(path, "lock"), companion(path, "checkpoint"));
    let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
    if is_there(&lock) || (all && is_there(&checkpoint)) {
        // Dropped, the lock removes its file.
        let lock = Lock::take(&lock, || true);
        if let (Ok(Some(_lock)), true) = (lock, all) {
            let _ = fs::remove_file(checkpoint);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell as Counter;

    use puzzle::{Cell, TableKind};

    use super::*;
    use crate::build::build;
    use crate::store::table_store::TableStore;

    /// A table of 24 entries.
    fn small() -> TableId {
        let tiles = [0, 1].map(Cell::new).into_iter().collect();
        let blank = [3].map(Cell::new).into_iter().collect();
        TableId::new("2x2".parse().unwrap(), TableKind::FullCost, tiles, blank).unwrap()
    }

    /// Writes a table on a disk that is full `full` times, with `missing` bytes missing. Returns
    /// the error, and whether the checkpoint is still there.
    fn written(full: usize, missing: u64, checkpoint: u64) -> (Result<(), String>, bool) {
        let folder = tempfile::tempdir().unwrap();
        let store = TableStore::new(TableDirectory::new(folder.path()));
        let id = small();
        let built = build(id, Encoding::U8, &Control::default()).unwrap();
        let path = companion(&store.path(id), "checkpoint");
        if checkpoint > 0 {
            fs::write(&path, vec![0; checkpoint as usize]).unwrap();
        }
        let policy = CheckpointPolicy::Auto;
        let mut saver = Checkpoint::new(path.clone(), id, Encoding::U8, policy, true);
        let tried = Counter::new(0);
        let write = || {
            tried.set(tried.get() + 1);
            match tried.get() > full {
                true => store.keep(&built),
                false => Err(FileError::io(&path, io::ErrorKind::StorageFull.into())),
            }
        };
        let needed = store.forecast(id, &Calibration::UNIT).file;
        let suffices = |more| {
            let free = Some(needed - missing + more);
            check_room(&[id], folder.path(), needed, free, &[])
        };
        let done = write_making_room(write, &mut saver, suffices);
        let done = done.map(|_| ()).map_err(|error| error.to_string());
        (done, path.exists())
    }

    #[test]
    fn a_checkpoint_makes_room_only_where_it_is_enough() {
        assert_eq!(written(0, 0, 50), (Ok(()), true));
        assert_eq!(written(1, 50, 50), (Ok(()), false));
        let (refused, is_there) = written(1, 51, 50);
        assert!(refused.unwrap_err().contains("the build is saved in"));
        assert!(is_there);
        let (refused, is_there) = written(2, 50, 50);
        assert!(refused.unwrap_err().contains("now removed, was not enough"));
        assert!(!is_there);
        // Without a checkpoint there is none to name.
        let (refused, _) = written(1, 0, 0);
        let line = refused.unwrap_err();
        assert!(
            !line.contains("is saved in") && !line.contains("removed"),
            "{line}"
        );
    }
}
