//! Interrupted and resumed builds produce the same bytes, for all kinds of tables and at every
//! level. Unusable checkpoints are rejected.

use std::fs;
use std::hash::Hasher as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pdb_gen::{
    BuildError, BuildEvent, CheckpointError, CheckpointPolicy, EnsureOutcome, Resume, StoredTable,
    TableStore, TableStoreError, build,
};
use pdb_table::{Cancel, Control, Encoding, TableDirectory};
use puzzle::{Cell, Pattern, Ranking, TableId, TableKind, Tray};
use tempfile::TempDir;
use twox_hash::XxHash3_64;

/// Every kind of table that is saved, in every supported encoding.
const FORMS: [(TableKind, Encoding); 4] = [
    (TableKind::ZeroAware, Encoding::OneBit),
    (TableKind::ZeroAware, Encoding::U8),
    (TableKind::FullCost, Encoding::U8),
    (TableKind::BlankCompressed, Encoding::U8),
];

/// Saves on cancellation only.
const WHEN_STOPPED: CheckpointPolicy = CheckpointPolicy::Every(Duration::from_secs(3600));
const AT_EACH_LEVEL: CheckpointPolicy = CheckpointPolicy::Every(Duration::ZERO);

/// Records the events of a build, and cancels it at a level if `stop` is set.
struct Ear {
    control: Control<BuildEvent>,
    heard: Arc<Mutex<(Vec<u8>, Vec<String>)>>,
}

impl Ear {
    fn new(stop: Option<u8>) -> Self {
        let (cancel, heard) = (
            Cancel::default(),
            Arc::<Mutex<(Vec<u8>, Vec<String>)>>::default(),
        );
        let (token, all) = (cancel.clone(), Arc::clone(&heard));
        let listener = move |event: &BuildEvent| {
            let (levels, notes) = &mut *all.lock().unwrap();
            match event {
                BuildEvent::Level(report) => {
                    levels.push(report.level);
                    if stop.is_some_and(|stop| report.level >= stop) {
                        token.cancel();
                    }
                }
                BuildEvent::Note(line) => notes.push(line.clone()),
                event => notes.push(format!("{event:?}")),
            }
        };
        let control = Control::new(cancel, Some(Arc::new(listener)));
        Ear { control, heard }
    }

    fn stopping_at(level: u8) -> Self {
        Ear::new(Some(level))
    }

    fn levels(&self) -> Vec<u8> {
        self.heard.lock().unwrap().0.clone()
    }

    fn notes(&self) -> Vec<String> {
        self.heard.lock().unwrap().1.clone()
    }
}

/// A directory in memory if the system has one, since the tests sync thousands of files.
fn folder() -> TempDir {
    let in_memory = tempfile::tempdir_in("/dev/shm");
    in_memory.unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// One table in a separate directory.
struct Bench {
    folder: TempDir,
    store: TableStore,
    id: TableId,
    /// The expected bytes of the file, from a build without interruption or checkpoints.
    bytes: Vec<u8>,
    last: u8,
}

impl Bench {
    /// `tiles` are goal cells.
    fn new(size: &str, tiles: &[usize], blank: usize, kind: TableKind, encoding: Encoding) -> Self {
        let tray: Tray = size.parse().unwrap();
        let tiles = tiles.iter().map(|&tile| Cell::new(tile)).collect();
        let pattern = Pattern::new(tray, tiles, Cell::new(blank)).unwrap();
        let (id, _) = pattern.table(kind);
        let ear = Ear::new(None);
        let bytes = build(id, encoding, &ear.control).unwrap().into_table();
        let folder = folder();
        let mut store = TableStore::new(TableDirectory::new(folder.path().to_owned()));
        store.encoding = Some(encoding);
        Bench {
            folder,
            store,
            id,
            bytes: bytes.bytes().to_vec(),
            last: *ear.levels().last().unwrap(),
        }
    }

    /// A small table with a checkpoint after half of its levels.
    fn halfway(kind: TableKind, encoding: Encoding) -> Self {
        let bench = Bench::new("3x3", &[0, 4, 5], 8, kind, encoding);
        bench.stop_at(bench.last / 2, WHEN_STOPPED);
        bench
    }

    fn checkpoint(&self) -> PathBuf {
        let mut path = self.store.path(self.id).into_os_string();
        path.push(".checkpoint");
        path.into()
    }

    /// Sorted file names in the directory, without the table's name as prefix.
    fn endings(&self) -> Vec<String> {
        let table = self.store.path(self.id);
        let table = table.file_name().unwrap().to_str().unwrap();
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut endings: Vec<String> = names
            .map(|name| name.strip_prefix(table).unwrap_or(&name).to_owned())
            .collect();
        endings.sort();
        endings
    }

    fn run(
        &self,
        resume: bool,
        saving: CheckpointPolicy,
        ear: &Ear,
    ) -> Result<(StoredTable, EnsureOutcome), TableStoreError> {
        let store = TableStore {
            checkpoints: saving,
            resume: match resume {
                true => Resume::Always,
                false => Resume::Never,
            },
            ..self.store.clone()
        };
        store.ensure(self.id, false, &ear.control)
    }

    /// Builds from the start and cancels at a level.
    #[track_caller]
    fn stop_at(&self, level: u8, saving: CheckpointPolicy) {
        let saved = stopped_at(self.run(false, saving, &Ear::stopping_at(level)));
        assert_eq!(saved, Some(level));
        assert_eq!(self.endings(), [".checkpoint"]);
    }

    /// Resumes after a level, finishes, and checks the table.
    #[track_caller]
    fn finish_from(&self, level: u8, saving: CheckpointPolicy) {
        let ear = Ear::new(None);
        self.run(true, saving, &ear).unwrap();
        assert_eq!(ear.notes(), [format!("resuming after level {level}")]);
        assert!(ear.levels().iter().copied().eq(level + 1..=self.last));
        self.table_is_right();
    }

    /// Checks that the table is correct and that no other file exists.
    #[track_caller]
    fn table_is_right(&self) {
        assert_eq!(self.endings(), [""]);
        let table = fs::read(self.store.path(self.id)).unwrap();
        let (name, encoding) = (self.id.name(), self.store.encoding);
        assert!(table == self.bytes, "{name} {encoding:?}");
    }

    fn remove_table(&self) {
        fs::remove_file(self.store.path(self.id)).unwrap();
    }

    /// Replaces the checkpoint's bytes and asserts that resuming rejects them; returns the error.
    #[track_caller]
    fn refuses(&self, what: &str, checkpoint: &[u8]) -> String {
        // The file is removed first, because some file systems sync when a file is overwritten.
        fs::remove_file(self.checkpoint()).unwrap();
        fs::write(self.checkpoint(), checkpoint).unwrap();
        let ear = Ear::new(None);
        let error = match self.run(true, CheckpointPolicy::Off, &ear) {
            Err(TableStoreError::Build(BuildError::Checkpoint(CheckpointError::Unusable(
                line,
            )))) => line,
            other => panic!("{what}: {other:?}"),
        };
        assert_eq!(error.lines().count(), 1, "{what}: {error}");
        assert!(
            error.contains(self.checkpoint().to_str().unwrap()),
            "{what}: {error}"
        );
        assert!(ear.levels().is_empty(), "{what}: the sweep continued");
        assert_eq!(self.endings(), [".checkpoint"], "{what}");
        // The file must stay unchanged.
        assert!(fs::read(self.checkpoint()).unwrap() == checkpoint, "{what}");
        error
    }
}

/// The level at which a cancelled build was saved.
#[track_caller]
fn stopped_at(run: Result<(StoredTable, EnsureOutcome), TableStoreError>) -> Option<u8> {
    match run {
        Err(TableStoreError::Build(BuildError::Cancelled { saved })) => saved,
        other => panic!("{other:?}"),
    }
}

/// For each of three levels, cancels a new build at this level and resumes it to the end. Then
/// builds once more, with a cancellation and a resumption at every level.
fn survives(size: &str, tiles: &[usize], blank: usize) {
    for (kind, encoding) in FORMS {
        let bench = Bench::new(size, tiles, blank, kind, encoding);
        for level in [1, bench.last / 3, bench.last] {
            bench.stop_at(level, WHEN_STOPPED);
            bench.finish_from(level, CheckpointPolicy::Off);
            bench.remove_table();
        }
        bench.stop_at(1, WHEN_STOPPED);
        for level in 2..=bench.last {
            let ear = Ear::stopping_at(level);
            let saved = stopped_at(bench.run(true, WHEN_STOPPED, &ear));
            assert_eq!(saved, Some(level));
            assert_eq!(ear.levels(), [level]);
            assert_eq!(bench.endings(), [".checkpoint"]);
        }
        bench.finish_from(bench.last, CheckpointPolicy::Off);
    }
}

/// Rows of 2 and 6 bits do not fill bytes, rows of 24 and 120 bits do not fill words.
#[test]
fn builds_of_the_3x3_resume_at_every_level() {
    survives("3x3", &[3], 1);
    survives("3x3", &[1, 5], 8);
    survives("3x3", &[0, 1, 2], 8);
    survives("3x3", &[1, 3, 5, 7], 4);
    survives("3x3", &[0, 1, 2, 3, 6], 8);
}

#[test]
fn builds_of_the_4x3_and_2x4_resume_at_every_level() {
    survives("4x3", &[1, 2, 3], 0);
    survives("4x3", &[4, 5, 6, 7], 11);
    survives("2x4", &[0, 1, 2, 3, 4], 7);
}

#[test]
fn builds_of_the_4x4_resume_at_every_level() {
    survives("4x4", &[0, 1, 4], 15);
    survives("4x4", &[0, 5, 10, 15], 6);
}

/// Rows written during the build are not used for resuming.
#[test]
fn builds_that_write_rows_early_resume_at_every_level() {
    for (size, tiles) in [("3x3", &[0, 1, 2, 3, 6][..]), ("3x2", &[0, 1, 2, 3, 4])] {
        let mut bench = Bench::new(size, tiles, 5, TableKind::ZeroAware, Encoding::OneBit);
        // The directory is on a disk, because rows are not written early on a file system in
        // memory.
        bench.folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        bench.store.directory = TableDirectory::new(bench.folder.path());
        bench.store.early_from = 0;
        for level in 1..=bench.last {
            bench.stop_at(level, WHEN_STOPPED);
            bench.finish_from(level, CheckpointPolicy::Off);
            bench.remove_table();
        }
        bench
            .run(
                false,
                CheckpointPolicy::Every(Duration::ZERO),
                &Ear::new(None),
            )
            .unwrap();
        bench.table_is_right();
    }
}

/// Half of the entries are unreachable, so rows are never complete.
#[test]
fn builds_of_all_tiles_resume_at_every_level() {
    survives("2x2", &[0, 1, 2], 3);
    survives("2x3", &[0, 1, 2, 3, 4], 5);
}

/// Copies the checkpoint file after each level, as a killed build would leave it.
#[test]
fn checkpoints_of_every_level_can_be_resumed() {
    for (kind, encoding) in FORMS {
        let bench = Bench::new("4x4", &[1, 2, 3, 4, 5], 0, kind, encoding);
        let (from, copies) = (bench.checkpoint(), Arc::new(Mutex::new(Vec::new())));
        let all = Arc::clone(&copies);
        let control = Control::listening(move |event: &BuildEvent| {
            if let BuildEvent::Level(report) = event {
                // No file exists before the first checkpoint.
                let copy = fs::read(&from).unwrap_or_default();
                all.lock().unwrap().push((report.level, copy));
            }
        });
        let store = TableStore {
            checkpoints: AT_EACH_LEVEL,
            ..bench.store.clone()
        };
        store.ensure(bench.id, false, &control).unwrap();
        bench.table_is_right();
        let mut taken_up = 0;
        for (level, copy) in copies.lock().unwrap().drain(..).step_by(5) {
            if copy.is_empty() {
                continue;
            }
            bench.remove_table();
            fs::write(bench.checkpoint(), copy).unwrap();
            let ear = Ear::new(None);
            bench.run(true, CheckpointPolicy::Off, &ear).unwrap();
            // The copy is the checkpoint of an earlier level.
            assert!(ear.levels()[0] <= level && ear.notes().len() == 1);
            bench.table_is_right();
            taken_up += 1;
        }
        assert!(taken_up > 3, "{taken_up}");
    }
}

/// An unfinished file of an interrupted write is ignored.
#[test]
fn unfinished_checkpoints_are_ignored() {
    let bench = Bench::halfway(TableKind::ZeroAware, Encoding::OneBit);
    let mut unfinished = bench.checkpoint().into_os_string();
    unfinished.push(".new");
    fs::write(unfinished, "cut off").unwrap();
    bench.finish_from(bench.last / 2, AT_EACH_LEVEL);
}

#[test]
fn resuming_without_a_checkpoint_builds_from_the_start() {
    let bench = Bench::new("3x3", &[0, 1, 2], 8, TableKind::ZeroAware, Encoding::OneBit);
    let ear = Ear::new(None);
    bench.run(true, CheckpointPolicy::Off, &ear).unwrap();
    assert!(ear.notes().is_empty() && ear.levels()[0] == 1);
    bench.table_is_right();
}

#[test]
fn short_builds_and_policy_off_write_no_checkpoint() {
    for saving in [CheckpointPolicy::Off, CheckpointPolicy::Auto] {
        let bench = Bench::new("3x3", &[0, 1, 2], 8, TableKind::ZeroAware, Encoding::OneBit);
        let run = bench.run(false, saving, &Ear::stopping_at(3));
        assert_eq!(stopped_at(run), None);
        assert!(bench.endings().is_empty());
    }
}

#[test]
fn an_ignored_checkpoint_is_reported_and_stays_until_the_table_is_written() {
    let bench = Bench::halfway(TableKind::ZeroAware, Encoding::OneBit);
    let path = bench.checkpoint();
    let old = fs::read(&path).unwrap();
    let says_so = |notes: &[String]| {
        assert_eq!(notes.len(), 1);
        assert!(notes[0].contains("Ignored"), "{}", notes[0]);
        assert!(notes[0].contains(path.to_str().unwrap()), "{}", notes[0]);
    };
    let ear = Ear::stopping_at(2);
    assert_eq!(
        stopped_at(bench.run(false, CheckpointPolicy::Off, &ear)),
        None
    );
    says_so(&ear.notes());
    assert_eq!(ear.levels(), [1, 2]);
    assert!(fs::read(&path).unwrap() == old);
    let ear = Ear::new(None);
    bench.run(false, CheckpointPolicy::Off, &ear).unwrap();
    says_so(&ear.notes());
    assert_eq!(ear.levels()[0], 1);
    bench.table_is_right();
}

/// A checkpoint is kept until its table has been written.
#[test]
fn a_checkpoint_stays_if_its_table_cannot_be_written() {
    let bench = Bench::halfway(TableKind::ZeroAware, Encoding::OneBit);
    let table = bench.store.path(bench.id);
    fs::create_dir(&table).unwrap();
    let run = bench.run(true, AT_EACH_LEVEL, &Ear::new(None));
    assert!(matches!(run, Err(TableStoreError::File(_))), "{run:?}");
    assert_eq!(bench.endings(), ["", ".checkpoint"]);
    fs::remove_dir(table).unwrap();
    bench.finish_from(bench.last, CheckpointPolicy::Off);
}

/// Writing fails because a directory has the name of the unfinished file.
#[test]
fn an_unwritable_checkpoint_is_reported_once_and_the_build_continues() {
    let bench = Bench::new("3x3", &[0, 1, 2], 8, TableKind::ZeroAware, Encoding::OneBit);
    let mut unfinished = bench.checkpoint().into_os_string();
    unfinished.push(".new");
    fs::create_dir(&unfinished).unwrap();
    let ear = Ear::stopping_at(3);
    assert_eq!(stopped_at(bench.run(false, WHEN_STOPPED, &ear)), None);
    assert_eq!(ear.notes().len(), 1);
    assert!(
        ear.notes()[0].contains("cannot save the build"),
        "{:?}",
        ear.notes()
    );
    let ear = Ear::new(None);
    bench.run(false, AT_EACH_LEVEL, &ear).unwrap();
    assert_eq!(ear.notes().len(), 1);
    assert!(
        ear.notes()[0].contains("the build continues"),
        "{:?}",
        ear.notes()
    );
    fs::remove_dir(unfinished).unwrap();
    bench.table_is_right();
}

#[test]
fn checkpoints_with_a_changed_byte_are_rejected() {
    for (kind, encoding) in FORMS {
        let bench = Bench::halfway(kind, encoding);
        let sound = fs::read(bench.checkpoint()).unwrap();
        // Changes all bytes of the smallest checkpoint. In larger checkpoints, changes all fields
        // and a sample of a thousand bytes.
        let step = sound.len() / 1000;
        let rest = (300..sound.len() - 16).step_by(step.max(1));
        for at in (0..300).chain(rest).chain(sound.len() - 16..sound.len()) {
            let mut bytes = sound.clone();
            bytes[at] ^= [0x01, 0x80, 0xff][at % 3];
            bench.refuses(&format!("{kind} {encoding}, byte {at}"), &bytes);
        }
        fs::write(bench.checkpoint(), sound).unwrap();
        bench.finish_from(bench.last / 2, CheckpointPolicy::Off);
    }
}

#[test]
fn truncated_and_extended_checkpoints_are_rejected() {
    for (kind, encoding) in FORMS {
        let bench = Bench::halfway(kind, encoding);
        let sound = fs::read(bench.checkpoint()).unwrap();
        let step = (sound.len() / 500).max(1);
        let lengths = (0..300).chain((300..sound.len() - 16).step_by(step));
        for length in lengths.chain(sound.len() - 16..sound.len()) {
            let what = format!("{kind} {encoding}, {length} bytes");
            bench.refuses(&what, &sound[..length]);
        }
        for more in [&b"\0"[..], b"\n", &sound] {
            bench.refuses("more bytes", &[&sound, more].concat());
        }
    }
}

#[test]
fn files_that_are_not_checkpoints_are_rejected() {
    let bench = Bench::halfway(TableKind::ZeroAware, Encoding::OneBit);
    let sound = fs::read(bench.checkpoint()).unwrap();
    for (what, bytes) in [
        ("text", b"not a checkpoint at all\n".repeat(100)),
        ("zeros", vec![0; 1 << 16]),
        ("ones", vec![0xff; 1 << 16]),
        ("a table", bench.bytes.clone()),
        ("reversed", sound.iter().rev().copied().collect()),
    ] {
        bench.refuses(what, &bytes);
    }
    fs::remove_file(bench.checkpoint()).unwrap();
    fs::create_dir(bench.checkpoint()).unwrap();
    let run = bench.run(true, CheckpointPolicy::Off, &Ear::new(None));
    let refused = matches!(run, Err(TableStoreError::Build(BuildError::Checkpoint(_))));
    assert!(refused, "{run:?}");
}

#[test]
fn checkpoints_of_another_table_are_rejected() {
    let tables: Vec<Bench> = FORMS
        .into_iter()
        .map(|(kind, encoding)| Bench::halfway(kind, encoding))
        .collect();
    let other_tiles = Bench::new("3x3", &[0, 1, 2], 8, TableKind::ZeroAware, Encoding::OneBit);
    other_tiles.stop_at(5, WHEN_STOPPED);
    let all = || tables.iter().chain([&other_tiles]);
    let checkpoints: Vec<Vec<u8>> = all()
        .map(|bench| fs::read(bench.checkpoint()).unwrap())
        .collect();
    for (number, bench) in all().enumerate() {
        for (other, bytes) in checkpoints.iter().enumerate() {
            if other != number {
                let line = bench.refuses("another table's", bytes);
                assert!(line.contains("another table"), "{line}");
            }
        }
    }
}

/// A changed checkpoint with a matching checksum.
fn forged(sound: &[u8], change: &dyn Fn(&mut [u8])) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    let end = bytes.len() - 8;
    change(&mut bytes[..end]);
    let mut sum = XxHash3_64::new();
    sum.write(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.finish().to_le_bytes());
    bytes
}

/// The fields of a checkpoint: they follow the magic and their length.
fn fields_of(checkpoint: &[u8]) -> &[u8] {
    let length = u32::from_le_bytes(checkpoint[8..12].try_into().unwrap());
    &checkpoint[12..][..length as usize]
}

/// A checkpoint in whose fields `from` is replaced, with a matching checksum.
fn with_fields(sound: &[u8], from: &str, to: &str) -> Vec<u8> {
    let fields = fields_of(sound);
    let changed = std::str::from_utf8(fields).unwrap().replacen(from, to, 1);
    assert!(changed.as_bytes() != fields, "{from}");
    let length = (changed.len() as u32).to_le_bytes();
    let rest = &sound[12 + fields.len()..];
    let bytes = [&sound[..8], &length, changed.as_bytes(), rest].concat();
    forged(&bytes, &|_| ())
}

/// The text of a field in the fields.
fn field(checkpoint: &[u8], name: &str) -> String {
    let fields: serde_json::Value = serde_json::from_slice(fields_of(checkpoint)).unwrap();
    format!("\"{name}\":{}", fields[name])
}

/// The build time that a checkpoint stores determines only when the next checkpoint is written.
#[test]
fn builds_resume_from_checkpoints_with_any_time() {
    for (kind, encoding) in FORMS {
        let bench = Bench::halfway(kind, encoding);
        let sound = fs::read(bench.checkpoint()).unwrap();
        let name = "milliseconds";
        let before = field(&sound, name);
        for milliseconds in [7_654_321, 14_999, 15_000, 1 << 30, 1 << 50, u64::MAX] {
            let bytes = with_fields(&sound, &before, &format!("\"{name}\":{milliseconds}"));
            fs::write(bench.checkpoint(), bytes).unwrap();
            bench.finish_from(bench.last / 2, CheckpointPolicy::Auto);
            bench.remove_table();
        }
    }
}

/// The checksums are correct, so that each error is detected by its own check.
#[test]
fn impossible_fields_and_counts_are_rejected() {
    let bench = Bench::halfway(TableKind::ZeroAware, Encoding::OneBit);
    let sound = fs::read(bench.checkpoint()).unwrap();
    let forged = |change: &dyn Fn(&mut [u8])| forged(&sound, change);
    assert!(
        forged(&|_| ()) == sound,
        "the checksum is at the end of the file"
    );
    bench.refuses("magic", &forged(&|bytes| bytes[7] ^= 1));
    let changed = |from: &str, to: &str| with_fields(&sound, from, to);
    let version = field(&sound, "version");
    let line = bench.refuses("version", &changed(&version, "\"version\":99"));
    assert!(line.contains("version"), "{line}");
    let name = bench.id.name();
    bench.refuses("name", &changed(&name, "another"));
    bench.refuses("no text", &forged(&|bytes| bytes[12] = 0xff));
    // Changes the length of the fields to values larger than the fields and than the file.
    for at in 8..12 {
        bench.refuses("length", &forged(&|bytes| bytes[at] = 0xff));
    }
    let states = 12 + fields_of(&sound).len();
    for counts in ["[1]", "[]", "[18446744073709551615,18446744073709551615]"] {
        let counts = format!("\"counts\":{counts}");
        bench.refuses("counts", &changed(&field(&sound, "counts"), &counts));
    }
    // The first row has 6 entries, but its state claims 7 visited entries.
    bench.refuses("more than all", &forged(&|bytes| bytes[states + 4] = 7));
    bench.refuses(
        "frontier above visited",
        &forged(&|bytes| {
            bytes[states..states + 8].copy_from_slice(&[2, 0, 0, 0, 1, 0, 0, 0]);
        }),
    );
    // Makes a state without any entries, not even the goal. For a row without entries, a checkpoint
    // contains only the row state.
    let rows = Ranking::count_entries(bench.id.tray(), 3, TableKind::ZeroAware) / 6;
    let bits = states + 8 * rows as usize;
    let mut nothing = sound[..bits + 8].to_vec();
    nothing[states..].fill(0);
    let nothing = with_fields(&nothing, &field(&nothing, "counts"), "\"counts\":[0]");
    bench.refuses("nothing visited", &nothing);
    // Changes the bits of the first row with entries. Rows have six entries.
    bench.refuses("another entry", &forged(&|bytes| bytes[bits] ^= 1));
    bench.refuses("no entry", &forged(&|bytes| bytes[bits + 1] ^= 1));
}
