//! Room on the disk for tables, and the checkpoints that may make some.

use std::io;
use std::path::{Path, PathBuf};

use pdb_table::{FileError, Header, size};

use crate::store::checkpoint::Checkpoint;
use crate::store::table_store::TableStoreError;

/// Bytes free where a directory is, or will be, if the system reports it.
#[must_use]
pub fn free_disk(directory: &Path) -> Option<u64> {
    let mut there = directory.ancestors().filter(|path| path.is_dir());
    fs4::available_space(there.next().unwrap_or(Path::new("."))).ok()
}

/// What checkpoints add to the room that is free.
pub(crate) fn describe(checkpoints: &[(PathBuf, u64)]) -> String {
    let bytes = checkpoints.iter().map(|(_, bytes)| bytes).sum();
    match checkpoints {
        [] => String::new(),
        [(path, _)] => format!(
            ", and {} more if the checkpoint {} is deleted",
            size(bytes),
            path.display()
        ),
        [_, ..] => format!(
            ", and {} more if the {} checkpoints there are deleted",
            size(bytes),
            checkpoints.len()
        ),
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
    write().map_err(|error| {
        more(
            error,
            &format!("the room of {name}, now removed, was not enough"),
        )
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell as Counter;
    use std::fs;

    use pdb_table::{Control, Encoding, TableDirectory};

    use super::*;
    use crate::build::build;
    use crate::forecast::Calibration;
    use crate::store::save_clock::CheckpointPolicy;
    use crate::store::table_store::tests::small;
    use crate::store::table_store::{TableStore, companion};

    /// Writes a table where the disk is full `full` times, and so many bytes are missing. Returns
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
        let suffices = |more| store.check_room(&[id], Some(needed - missing + more), &[]);
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
