//! Checkpoints of builds. With a damaged checkpoint, the build returns an error, or ignores the
//! checkpoint and starts from the beginning. A changed checkpoint with a correct checksum leads to
//! an error, the correct table, or a table that the proof rejects.

use std::fs;
use std::hash::Hasher as _;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use pdb_gen::{BuildError, BuildEvent, CheckpointPolicy, Resume, TableStore, TableStoreError};
use pdb_table::{Cancel, Control, Encoding, Table, TableDirectory};
use puzzle::{TableId, TableKind};
use tempfile::TempDir;
use twox_hash::XxHash3_64;

use crate::inputs::apply_edits;
use crate::table;
use crate::text::assert_one_line;

/// Flags in the second byte of the input.
const UNREPAIRED: u8 = 1;
const WHOLE_FILE: u8 = 2;
const IF_SOUND: u8 = 4;

const SUM: usize = 8;

/// A build that was stopped at a level.
struct StoppedBuild {
    id: TableId,
    encoding: Encoding,
    checkpoint: Vec<u8>,
}

static STOPPED: LazyLock<Vec<StoppedBuild>> = LazyLock::new(|| {
    let forms = [
        (TableKind::ZeroAware, Encoding::OneBit),
        (TableKind::ZeroAware, Encoding::U8),
        (TableKind::FullCost, Encoding::U8),
        (TableKind::BlankCompressed, Encoding::U8),
    ];
    let mut all = Vec::new();
    for (kind, encoding) in forms {
        for (size, tiles, blank, level) in [("3x2", &[0, 1, 3][..], 5, 4), ("3x3", &[0, 4], 8, 6)] {
            let id = table::table_id(size, tiles, blank, kind);
            all.push(stopped(id, encoding, level));
        }
    }
    all
});

fn stopped(id: TableId, encoding: Encoding, level: u8) -> StoppedBuild {
    let folder = folder();
    let cancel = Cancel::default();
    let token = cancel.clone();
    let listener = move |event: &BuildEvent| {
        if matches!(event, BuildEvent::Level(report) if report.level >= level) {
            token.cancel();
        }
    };
    let store = TableStore {
        checkpoints: CheckpointPolicy::Every(Duration::from_secs(3600)),
        resume: Resume::Never,
        ..store(folder.path(), encoding)
    };
    let control = Control::new(cancel, Some(std::sync::Arc::new(listener)));
    let ended = store.ensure(id, false, &control);
    assert!(ended.is_err(), "the build of {id} was not stopped");
    let checkpoint = fs::read(path(&store, id)).expect("a stopped build is saved");
    StoppedBuild {
        id,
        encoding,
        checkpoint,
    }
}

/// A temporary folder. It is in memory if the system has `/dev/shm`.
fn folder() -> TempDir {
    let in_memory = tempfile::tempdir_in("/dev/shm");
    in_memory.unwrap_or_else(|_| tempfile::tempdir().expect("a folder can be made"))
}

fn store(folder: &Path, encoding: Encoding) -> TableStore {
    let mut store = TableStore::new(TableDirectory::new(folder));
    store.encoding = Some(encoding);
    store
}

fn path(store: &TableStore, id: TableId) -> std::path::PathBuf {
    let mut path = store.path(id).into_os_string();
    path.push(".checkpoint");
    path.into()
}

/// The first byte selects a valid checkpoint, and the second byte contains flags. With the flag
/// `WHOLE_FILE`, the rest of the input is a whole file. Otherwise the rest is a list of changes to
/// the selected checkpoint.
pub fn checkpoint(bytes: &[u8]) {
    let [choice, how, rest @ ..] = bytes else {
        return;
    };
    let sound = &STOPPED[usize::from(*choice) % STOPPED.len()];
    let mut file = match how & WHOLE_FILE {
        0 => {
            let mut file = sound.checkpoint.clone();
            // The length of the fields follows the magic.
            let length = file[8..].first_chunk().expect("the length of the fields");
            let fields = 12 + u32::from_le_bytes(*length) as usize;
            apply_edits(&mut file, fields, fields, rest);
            file
        }
        _ => rest.to_vec(),
    };
    let is_repaired = how & UNREPAIRED == 0 && file.len() >= SUM;
    if is_repaired {
        let end = file.len() - SUM;
        let mut sum = XxHash3_64::new();
        sum.write(&file[..end]);
        file[end..].copy_from_slice(&sum.finish().to_le_bytes());
    }
    let is_sound = file == sound.checkpoint;
    let folder = folder();
    let store = TableStore {
        checkpoints: CheckpointPolicy::Off,
        resume: if how & IF_SOUND == 0 {
            Resume::Always
        } else {
            Resume::IfSound
        },
        ..store(folder.path(), sound.encoding)
    };
    let checkpoint = path(&store, sound.id);
    fs::write(&checkpoint, &file).expect("the folder can be written");
    match store.ensure(sound.id, false, &Control::default()) {
        Ok(_) => {
            let table = fs::read(store.path(sound.id)).expect("the table is there");
            assert!(!checkpoint.exists(), "the checkpoint is left behind");
            let table = Table::new(table).expect("a table was written");
            let fresh = table::fresh(sound.id, sound.encoding).expect("it is small");
            let is_right = fresh.as_slice() == table.bytes();
            let must_be = is_sound || !is_repaired;
            assert!(is_right || !must_be, "a wrong table of {}", sound.id);
            assert!(
                is_sound || is_repaired || how & IF_SOUND != 0,
                "damage was not detected"
            );
            table::assert_judged_rightly(&table);
        }
        Err(error) => {
            assert_one_line(&error);
            assert!(!is_sound, "{error}");
            assert!(how & IF_SOUND == 0 || is_repaired, "{error}");
            let is_refused = matches!(
                error,
                TableStoreError::Build(BuildError::Checkpoint(_) | BuildError::TooFar)
            );
            assert!(is_refused, "{error:?}");
            assert!(
                fs::read(&checkpoint).is_ok_and(|kept| kept == file),
                "the checkpoint must not be changed"
            );
        }
    }
}
