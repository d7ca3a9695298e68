//! Runs a command and checks how it ended; names and checksums of the files in a directory.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// Result of a finished command. `code` is `None` if a signal ended the command.
pub(crate) struct Run {
    /// The command's name.
    program: &'static str,
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Only a hanging program takes this long, even on a busy machine.
pub(crate) const HANG_LIMIT: Duration = Duration::from_secs(600);

/// Waits for an event. Returns false if it does not happen within [`HANG_LIMIT`].
pub(crate) fn happens(mut event: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while !event() {
        if begun.elapsed() > HANG_LIMIT {
            return false;
        }
        thread::sleep(Duration::from_millis(2));
    }
    true
}

/// Isolates a run from the user's settings and tables.
pub(crate) fn clean(command: &mut Command) {
    command
        .env_remove("PDB_TABLES")
        .env_remove("XDG_DATA_HOME")
        .env("HOME", "/nonexistent-home")
        .stdin(Stdio::null());
}

/// A program that is killed at the end of the test, even if the test fails.
pub(crate) struct Process(Child);

#[cfg(unix)]
impl Process {
    /// Sends a signal, such as `-INT`.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }
}

impl From<Child> for Process {
    fn from(child: Child) -> Self {
        Process(child)
    }
}

impl Deref for Process {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Process {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The program may already have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn start(command: &mut Command) -> Process {
    let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Process(pipes.spawn().unwrap())
}

/// Waits for a program's end. Kills the program if it hangs.
pub(crate) fn finish(program: &'static str, mut child: Process) -> Run {
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
    let has_ended = happens(|| child.try_wait().unwrap().is_some());
    // Without this, the output of a hanging program would not end.
    child.kill().unwrap();
    let code = child.wait().unwrap().code();
    let (out, err) = (out.join().unwrap(), err.join().unwrap());
    assert!(has_ended, "the program did not end: {err}");
    assert!(!err.contains("panicked"), "{err}");
    Run {
        program,
        code,
        out,
        err,
    }
}

impl Run {
    /// Asserts exit code 0 and no errors.
    #[track_caller]
    pub(crate) fn succeeds(self) -> String {
        assert_eq!(
            (self.code, self.err.as_str()),
            (Some(0), ""),
            "{}",
            self.out
        );
        self.out
    }

    /// Asserts this exit code and a single line on standard error. Returns the line without the
    /// command's name.
    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(
            self.err.starts_with(&format!("{}: ", self.program)),
            "{}",
            self.err
        );
        self.err
    }

    /// Asserts that the argument parser rejected the run: exit code 2, one line on standard error.
    #[track_caller]
    pub(crate) fn fails_as_usage(self) -> String {
        assert_eq!(self.out, "");
        let line = self.fails(2);
        assert!(line.len() > 20, "{line}");
        line
    }

    /// Asserts that all boards are solved, and that standard error contains only messages about
    /// built tables. Returns standard output.
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

    /// Asserts this exit code. Returns the objects of `--json`.
    #[track_caller]
    pub(crate) fn objects(&self, code: i32) -> Vec<Value> {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Returns the only object of `--json`.
    #[track_caller]
    pub(crate) fn object(&self, code: i32) -> Value {
        let mut objects = self.objects(code);
        assert_eq!(objects.len(), 1, "{}", self.out);
        objects.remove(0)
    }
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// All files of a directory, sorted, including hidden ones.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Writes a file after removing the old one: some file systems wait for the disk when a file is
/// overwritten.
pub(crate) fn write_anew(path: &Path, bytes: impl AsRef<[u8]>) {
    if path.exists() {
        fs::remove_file(path).unwrap();
    }
    fs::write(path, bytes).unwrap();
}

/// Names and checksums of all files.
pub(crate) fn sums(directory: &Path) -> Vec<(String, [u8; 32])> {
    let sum = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, Sha256::digest(fs::read(path).unwrap()).into())
    };
    files(directory).into_iter().map(sum).collect()
}

/// The only file of a directory.
#[track_caller]
pub(crate) fn only_file(directory: &Path) -> PathBuf {
    let files = files(directory);
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}
