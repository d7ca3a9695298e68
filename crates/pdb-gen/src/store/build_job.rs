//! One build of a table into a directory: lock, files, and checkpoints.

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
use crate::store::TableStoreError;
use crate::store::checkpoint::Checkpoint;
use crate::store::free_memory::{check_room, free_disk};
use crate::store::lock::Lock;
use crate::store::row_file::{RowFile, companion};
use crate::store::save_clock::CheckpointPolicy;
use crate::sweep::sweep_state::{CheckpointError, CompleteRows, StateSaver, SweepState};

/// Use of a checkpoint of an earlier build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// Ignore the checkpoint; the next one replaces it.
    Never,
    /// Use the checkpoint if it is valid; otherwise build from the start.
    IfSound,
    /// Use the checkpoint; a damaged checkpoint is an error.
    Always,
}

/// Build of one table. The fields are those of [`TableStore`](crate::TableStore).
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

    /// Size of the table's file in bytes; 0 if it is compressed, since its size is not known.
    pub(crate) fn bytes(&self) -> u64 {
        match self.compression {
            Compression::None => Forecast::new(self.id, self.encoding, &Calibration::UNIT).file,
            _ => 0,
        }
    }

    /// Takes the table's lock. Waits while another process holds it; `None` if the wait was
    /// cancelled.
    pub(crate) fn lock(&self, control: &Control<BuildEvent>) -> Result<Option<Lock>, FileError> {
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
            Ok(lock) => Ok(lock),
            // The lock file cannot be created.
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
            let note = format!("no checkpoint for {name}: multi-tile tables take seconds to build");
            control.report(&BuildEvent::Note(note));
        }
        let mut files = self.files(self.resume != Resume::Never);
        let mut built = build_saving(self.id, self.encoding, control, &mut files);
        if let (Err(BuildError::Checkpoint(line)), Resume::IfSound) = (&built, self.resume) {
            control.report(&BuildEvent::Note(format!(
                "building from the start: {line}"
            )));
            // The new build must not use rows of the failed one. Dropping these rows frees disk
            // space for the new build.
            files.rows = None;
            files = self.files(false);
            built = build_saving(self.id, self.encoding, control, &mut files);
        }
        let built = built?;
        // If writing rows early has failed, write the whole table.
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

    /// File of a table that is written during the build. An error here is ignored: it recurs when
    /// the finished table is written.
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

/// Files of a build in progress.
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
            // Free the disk space of the unfinished table file: the final checkpoint may need it.
            self.rows = None;
        }
        self.checkpoint.save(state, histogram, is_stopped)
    }

    fn takes_rows(&self) -> bool {
        self.rows.is_some()
    }

    fn take_rows(&mut self, colour: usize, rows: &CompleteRows<'_>, is_over: &AtomicBool) {
        // After an error, the whole table is written when it is finished. Only an error of that
        // write is reported.
        let file = self.rows.as_mut();
        if file.is_some_and(|file| file.take(colour, rows, is_over).is_err()) {
            self.rows = None;
        }
    }
}

/// Writes a table that is complete in memory. If the disk is full and removing the table's
/// checkpoint would free enough space, removes the checkpoint and writes the table again.
/// `suffices` receives the length of the checkpoint, and returns an error if it is too small.
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
    let state = format!("{name} was removed, but did not free enough space");
    write().map_err(|error| more(error, &state))
}

/// Removes the stale lock of an existing table. If `all` is set, also removes the table's
/// checkpoint. A process that is killed just after it has renamed its table leaves these files.
/// Files of a running build stay.
pub(crate) fn clear_companions(path: &Path, all: bool) {
    let (lock, checkpoint) = (companion(path, "lock"), companion(path, "checkpoint"));
    let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
    if is_there(&lock) || (all && is_there(&checkpoint)) {
        // Dropping the lock removes its file.
        let lock = Lock::take(&lock, || true);
        if let (Ok(Some(_lock)), true) = (lock, all) {
            let _ = fs::remove_file(checkpoint);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell as Counter;

    use super::*;
    use crate::build::build;
    use crate::store::TableStore;
    use crate::store::tests::small;

    /// Writes a table. The first `full` attempts find the disk full, with `missing` bytes missing.
    /// Returns the result, and whether the checkpoint still exists.
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
    fn a_checkpoint_is_removed_only_if_that_frees_enough_space() {
        assert_eq!(written(0, 0, 50), (Ok(()), true));
        assert_eq!(written(1, 50, 50), (Ok(()), false));
        let (refused, is_there) = written(1, 51, 50);
        assert!(refused.unwrap_err().contains("the build is saved in"));
        assert!(is_there);
        let (refused, is_there) = written(2, 50, 50);
        assert!(
            refused
                .unwrap_err()
                .contains("was removed, but did not free enough space")
        );
        assert!(!is_there);
        // If no checkpoint exists, the message does not mention checkpoints.
        let (refused, _) = written(1, 0, 0);
        let line = refused.unwrap_err();
        assert!(
            !line.contains("is saved in") && !line.contains("removed"),
            "{line}"
        );
    }
}
