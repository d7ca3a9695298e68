//! Killed, interrupted and resumed builds, and concurrent builds of the same table.

use std::fs;
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::io::Read as _;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
#[cfg(unix)]
use std::sync::LazyLock;
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use fs4::fs_std::FileExt as _;
use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::pdb_gen_verbs::run::clean;
use crate::pdb_gen_verbs::run::{FORMS, pdb_gen};
#[cfg(unix)]
use crate::pdb_gen_verbs::run::{Process, Run, command_at, finish, happens, start};
#[cfg(unix)]
use crate::run::files;
use crate::run::{folder, only_file};

/// A build of this table takes a few tenths of a second with one thread, and writes checkpoints of
/// about 10 MB.
#[cfg(unix)]
const WORDS: &str = "--size 5x4 --tiles 1,2,3,6,7,8 --threads 1";
const SMALL: &str = "--size 3x3 --tiles 1,2,3,4";

/// Expected result of an interrupted build of a table.
struct Whole {
    name: String,
    bytes: Vec<u8>,
    /// Duration of the build.
    #[cfg(unix)]
    time: Duration,
}

impl Whole {
    fn new(words: &str) -> Self {
        let folder = folder();
        #[cfg(unix)]
        let begun = Instant::now();
        pdb_gen(folder.path(), words).succeeds();
        #[cfg(unix)]
        let time = begun.elapsed();
        let file = only_file(folder.path());
        Whole {
            name: file.file_name().unwrap().to_str().unwrap().to_owned(),
            bytes: fs::read(file).unwrap(),
            #[cfg(unix)]
            time,
        }
    }

    /// Asserts that the correct table is the only file in the directory.
    #[track_caller]
    fn is_alone_in(&self, directory: &Path) {
        let file = only_file(directory);
        assert_eq!(file, directory.join(&self.name));
        assert!(fs::read(file).unwrap() == self.bytes);
    }
}

/// The table of [`WORDS`].
#[cfg(unix)]
static WHOLE: LazyLock<Whole> = LazyLock::new(|| Whole::new(WORDS));

#[cfg(unix)]
fn begin(tables: &Path, words: &str) -> Process {
    start(&mut command_at(tables, words.split_whitespace()))
}

/// Waits until a condition is true, for at most `most`.
#[cfg(unix)]
fn wait(most: Duration, mut until: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !until() && begun.elapsed() < most {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Small pseudo-random numbers, the same in every run.
#[cfg(unix)]
struct Moments(u64);

#[cfg(unix)]
impl Moments {
    /// A random duration of at most `time`.
    fn within(&mut self, time: Duration) -> Duration {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        time.mul_f64((self.0 >> 40) as f64 / f64::from(1 << 24))
    }
}

#[cfg(unix)]
#[test]
fn a_build_killed_at_several_moments_and_resumed_gives_the_same_bytes() {
    let folder = folder();
    let words = format!("{WORDS} --checkpoint 0 --resume");
    let mut moments = Moments(1);
    let mut time = WHOLE.time;
    let (mut killed, mut resumed) = (0, 0);
    let kills = if crate::IS_LONG { 10 } else { 5 };
    while killed < kills || resumed < 3 {
        let mut child = begin(folder.path(), &words);
        wait(moments.within(time), || child.try_wait().unwrap().is_some());
        child.kill().unwrap();
        let run = finish(child);
        resumed += u32::from(run.err.contains("resuming after level"));
        // The duration of a build depends on other work on the machine, so the time before the kill
        // is adjusted.
        if run.code.is_none() {
            killed += 1;
            time = time.mul_f64(1.1);
        } else {
            assert_eq!(run.code, Some(0), "{}", run.err);
            time = time.mul_f64(0.7);
        }
        let table = folder.path().join(&WHOLE.name);
        if table.exists() {
            // A file with a table's name is complete, even if the build was killed.
            assert!(fs::read(&table).unwrap() == WHOLE.bytes);
            fs::remove_file(table).unwrap();
        }
    }
    let run = finish(begin(folder.path(), &words));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(fs::read(folder.path().join(&WHOLE.name)).unwrap() == WHOLE.bytes);
    // A build killed while writing the table may leave its unfinished file, and nothing else.
    for path in files(folder.path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(
            name == WHOLE.name || name.starts_with(".unfinished-"),
            "{name}"
        );
    }
}

/// Starts and interrupts builds until the interrupt ends one of them. On a busy machine the signal
/// can arrive after the end of the build.
#[cfg(unix)]
fn interrupted(tables: &Path, words: &str, table: &str, after: Duration) -> Run {
    let lock = tables.join(format!("{table}.lock"));
    for _ in 0..20 {
        let mut child = begin(tables, words);
        assert!(happens(
            || lock.exists() || child.try_wait().unwrap().is_some()
        ));
        thread::sleep(after);
        if child.try_wait().unwrap().is_none() {
            child.signal("-INT");
        }
        let run = finish(child);
        if run.code != Some(0) {
            return run;
        }
        fs::remove_file(tables.join(table)).unwrap();
    }
    panic!("never interrupted while at work");
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_is_saved_and_resumes_to_the_same_bytes() {
    let folder = folder();
    let words = format!("{WORDS} --checkpoint 1000");
    let moment = Duration::from_millis(40);
    let run = interrupted(folder.path(), &words, &WHOLE.name, moment);
    let line = run.fails(130);
    let level = line.split("saved at level ").nth(1).unwrap();
    let level = level.split([',', ';']).next().unwrap();
    assert!(line.contains("--resume"), "{line}");
    let checkpoint = only_file(folder.path());
    assert!(checkpoint.to_str().unwrap().ends_with(".checkpoint"));

    let run = pdb_gen(folder.path(), &format!("{words} --resume"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.err, format!("pdb-gen: resuming after level {level}\n"));
    assert!(run.out.starts_with("wrote"), "{}", run.out);
    WHOLE.is_alone_in(folder.path());
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_is_not_saved_if_off_or_too_short() {
    for option in ["--checkpoint off", ""] {
        let folder = folder();
        let words = format!("{WORDS} {option}");
        let moment = Duration::from_millis(30);
        let line = interrupted(folder.path(), &words, &WHOLE.name, moment).fails(130);
        assert!(line.contains("was not written"), "{line}");
        assert_eq!(files(folder.path()).len(), 0);
    }
}

#[test]
fn bad_checkpoint_intervals_are_rejected() {
    let folder = folder();
    let tables = folder.path().join("tables");
    for value in ["", "-1", "x", "10x", "1e400", "Off", "on", "1h30"] {
        let words = format!("{SMALL} --checkpoint={value}");
        pdb_gen(&tables, &words).fails_as_usage();
        assert!(!tables.exists());
    }
    pdb_gen(
        &tables,
        &format!("{SMALL} --checkpoint 10000000000000000000"),
    )
    .succeeds();
}

/// Builds of multi-tile tables have no checkpoints. If the options request checkpoints, the build
/// prints one line per table; otherwise it prints none.
#[test]
fn multi_tile_tables_report_missing_checkpoints() {
    for (options, lines) in [
        ("--checkpoint 0", 1),
        ("--resume", 1),
        ("", 0),
        ("--checkpoint off", 0),
    ] {
        let folder = folder();
        let words = format!("--size 3x3 --tiles 1,2,3 --kind runs {options}");
        let run = pdb_gen(folder.path(), &words);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(run.err.lines().count(), lines, "{}", run.err);
        assert!(
            lines == 0 || run.err.contains("no checkpoint for"),
            "{}",
            run.err
        );
        only_file(folder.path());
    }
}

/// With a checkpoint at each level, all tables are the same as without checkpoints.
#[test]
fn checkpoints_do_not_change_the_table() {
    for form in FORMS {
        let words = format!("--size 4x3 --tiles 1,2,5,6 {form}");
        let whole = Whole::new(&words);
        let folder = folder();
        pdb_gen(folder.path(), &format!("{words} --checkpoint 0")).succeeds();
        whole.is_alone_in(folder.path());
    }
}

/// A directory that contains only the checkpoint of a table.
fn checkpoint_alone(whole: &Whole, bytes: &[u8]) -> TempDir {
    let folder = folder();
    let name = format!("{}.checkpoint", whole.name);
    fs::write(folder.path().join(name), bytes).unwrap();
    folder
}

#[test]
fn unusable_checkpoints_are_reported_and_kept() {
    let whole = Whole::new(SMALL);
    for bytes in [&b""[..], b"not a checkpoint\n", &whole.bytes] {
        let folder = checkpoint_alone(&whole, bytes);
        let line = pdb_gen(folder.path(), &format!("{SMALL} --resume")).fails(3);
        let left = only_file(folder.path());
        assert!(line.contains(left.to_str().unwrap()), "{line}");
        assert!(line.contains("without --resume"), "{line}");
        assert!(fs::read(left).unwrap() == bytes);
        // Runs the command that the line recommends.
        let run = pdb_gen(folder.path(), SMALL);
        assert_eq!(run.code, Some(0));
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        assert!(run.err.contains("starting again"), "{}", run.err);
        whole.is_alone_in(folder.path());
    }
}

/// The program does not allocate the length that a damaged checkpoint claims. The memory limit
/// makes such an allocation fail.
#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_that_claims_gigabytes_allocates_none() {
    let whole = Whole::new(SMALL);
    let folder = checkpoint_alone(&whole, &[0xff; 100]);
    let mut command = Command::new("sh");
    clean(&mut command);
    let script =
        format!("ulimit -v 2000000; exec \"$1\" {SMALL} --threads 1 --resume --tables \"$2\"");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_pdb-gen")]);
    let line = finish(start(command.arg(folder.path()))).fails(3);
    assert!(line.contains("damaged checkpoint"), "{line}");
}

/// Locks a table in a new directory, as another process would. Returns the directory and the lock.
#[cfg(unix)]
fn locked(whole: &Whole) -> (TempDir, File) {
    let folder = folder();
    let lock = File::create(folder.path().join(format!("{}.lock", whole.name))).unwrap();
    assert!(lock.try_lock_exclusive().unwrap());
    (folder, lock)
}

/// Starts a build of a locked table. Asserts that the build prints a message and waits.
#[cfg(unix)]
fn waiting(directory: &Path, words: &str) -> Process {
    let mut child = begin(directory, words);
    let mut line = Vec::new();
    let stream = child.stderr.as_mut().unwrap();
    let mut byte = [0];
    while !line.ends_with(b"\n") && stream.read(&mut byte).unwrap() > 0 {
        line.push(byte[0]);
    }
    let line = String::from_utf8(line).unwrap();
    assert!(line.starts_with("pdb-gen: "), "{line}");
    assert!(line.contains("being built by another process"), "{line}");
    // The build polls the lock about three times in this period. `finish` reads further output.
    thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it did not wait");
    child
}

#[cfg(unix)]
#[test]
fn a_waiting_builder_builds_if_the_other_fails() {
    let whole = Whole::new(SMALL);
    for force in ["", " --force"] {
        let (folder, lock) = locked(&whole);
        let old = usize::from(!force.is_empty());
        if old > 0 {
            fs::write(folder.path().join(&whole.name), &whole.bytes).unwrap();
        }
        let child = waiting(folder.path(), &format!("{SMALL}{force}"));
        assert_eq!(files(folder.path()).len(), 1 + old, "it began");
        drop(lock);
        let said = finish(child).succeeds();
        assert!(said.starts_with("wrote"), "{said}");
        whole.is_alone_in(folder.path());
    }
}

#[cfg(unix)]
#[test]
fn a_waiting_builder_keeps_the_table_of_the_other() {
    let whole = Whole::new(SMALL);
    for force in ["", " --force"] {
        let (folder, lock) = locked(&whole);
        let child = waiting(folder.path(), &format!("{SMALL}{force}"));
        fs::write(folder.path().join(&whole.name), &whole.bytes).unwrap();
        drop(lock);
        let said = finish(child).succeeds();
        assert!(said.starts_with("kept"), "{said}");
        whole.is_alone_in(folder.path());
    }
}

#[cfg(unix)]
#[test]
fn a_waiting_builder_can_be_interrupted() {
    let whole = Whole::new(SMALL);
    let (folder, lock) = locked(&whole);
    let child = waiting(folder.path(), SMALL);
    child.signal("-INT");
    let line = finish(child).fails(130);
    assert!(line.contains("interrupted"), "{line}");
    // The other process still holds its lock.
    only_file(folder.path());
    drop(lock);
}

/// After a crash of the machine or a kill of the process, the lock file remains, but no process
/// holds the lock.
#[test]
fn stale_lock_files_are_ignored() {
    let whole = Whole::new(SMALL);
    let folder = folder();
    fs::write(folder.path().join(format!("{}.lock", whole.name)), "").unwrap();
    pdb_gen(folder.path(), SMALL).succeeds();
    whole.is_alone_in(folder.path());
}

#[cfg(unix)]
#[test]
fn two_builders_of_one_table_do_the_work_once() {
    let folder = folder();
    let builders =
        [0, 1].map(|_| begin(folder.path(), &format!("{WORDS} --checkpoint 0 --resume")));
    let runs = builders.map(finish);
    for run in &runs {
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let wrote = runs.iter().filter(|run| run.out.starts_with("wrote"));
    assert_eq!(wrote.count(), 1, "{} {}", runs[0].out, runs[1].out);
    WHOLE.is_alone_in(folder.path());
}
