//! Runs the program and judges how it ended.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// How a run ended. `code` is `None` after a signal.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// No run here takes longer than this, even on a slow machine: whatever does hangs.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn command(tables: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut command);
    command.arg("--tables").arg(tables);
    command
}

/// Nothing of the user's own settings or tables is met.
pub(crate) fn clean(command: &mut Command) {
    command
        .env_remove("PDB_TABLES")
        .env_remove("XDG_DATA_HOME")
        .env("HOME", "/nonexistent-home")
        .stdin(Stdio::null());
}

pub(crate) fn start(command: &mut Command) -> Child {
    let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    pipes.spawn().unwrap()
}

pub(crate) fn finish(child: Child) -> Run {
    finish_within(child, PATIENCE).expect("the program did not end")
}

/// `None`, and the program killed, when it takes longer.
pub(crate) fn finish_within(mut child: Child, limit: Duration) -> Option<Run> {
    fn reader(mut pipe: impl std::io::Read + Send + 'static) -> thread::JoinHandle<String> {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }
    let (out, err) = (
        reader(child.stdout.take().unwrap()),
        reader(child.stderr.take().unwrap()),
    );
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let (out, err) = (out.join().unwrap(), err.join().unwrap());
    assert!(!err.contains("panicked"), "{err}");
    let code = status.code();
    Some(Run { code, out, err })
}

/// Runs with these arguments and nothing on standard input.
pub(crate) fn solver<A: AsRef<OsStr>>(
    tables: &Path,
    arguments: impl IntoIterator<Item = A>,
) -> Run {
    finish(start(command(tables).args(arguments)))
}

/// Runs with these words as options and a list of boards on standard input.
pub(crate) fn batch(tables: &Path, words: &str, list: impl AsRef<[u8]>) -> Run {
    let mut command = command(tables);
    command.args(words.split_whitespace()).stdin(Stdio::piped());
    let mut child = start(&mut command);
    let mut input = child.stdin.take().unwrap();
    let list = list.as_ref().to_vec();
    // A program that refuses its options reads nothing.
    let writer = thread::spawn(move || input.write_all(&list).ok());
    let run = finish(child);
    writer.join().unwrap();
    run
}

impl Run {
    /// All solved, and nothing said but the answers and perhaps which tables were built.
    #[track_caller]
    pub(crate) fn solves(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        let only_tables = self
            .err
            .lines()
            .all(|line| line.starts_with("solver: built "));
        assert!(only_tables, "{}", self.err);
        self.out
    }

    /// Ended with this exit code and nothing but one line, on standard error, after the program's name.
    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.starts_with("solver: "), "{}", self.err);
        self.err
    }

    /// The objects of `--json`, after this exit code.
    #[track_caller]
    pub(crate) fn objects(&self, code: i32) -> Vec<Value> {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The one object of `--json`.
    #[track_caller]
    pub(crate) fn object(&self, code: i32) -> Value {
        let mut objects = self.objects(code);
        assert_eq!(objects.len(), 1, "{}", self.out);
        objects.remove(0)
    }
}

pub(crate) fn string<'a>(object: &'a Value, field: &str) -> &'a str {
    object[field].as_str().unwrap()
}

pub(crate) fn lengths(objects: &[Value]) -> Vec<u64> {
    objects
        .iter()
        .map(|o| o["length"].as_u64().unwrap())
        .collect()
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// All files of a directory, sorted, hidden ones too.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}
