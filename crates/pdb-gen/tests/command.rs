//! `pdb-gen` as its users run it: arguments in; exit code, lines and files out.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

// ---- running the program ----

/// How a run ended. `code` is `None` after a signal.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

/// No run here takes longer than this, even on a slow machine: whatever does hangs.
const PATIENCE: Duration = Duration::from_secs(120);

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pdb-gen"));
    clean(&mut command);
    command
}

/// Nothing of the user's own settings or tables is met.
fn clean(command: &mut Command) {
    command
        .env_remove("PDB_TABLES")
        .env_remove("XDG_DATA_HOME")
        .env("HOME", "/nonexistent-home")
        .stdin(Stdio::null());
}

fn start(command: &mut Command) -> Child {
    let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    pipes.spawn().unwrap()
}

fn finish(mut child: Child) -> Run {
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
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the program did not end: {}", err.join().unwrap());
        }
        thread::sleep(Duration::from_millis(2));
    };
    let (out, err) = (out.join().unwrap(), err.join().unwrap());
    assert!(!err.contains("panicked"), "{err}");
    let code = status.code();
    Run { code, out, err }
}

fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    finish(start(command().args(arguments)))
}

/// Runs words parted by spaces, with `--tables`.
fn pdb_gen(tables: &Path, words: &str) -> Run {
    let arguments = words.split_whitespace();
    finish(start(command().args(arguments).arg("--tables").arg(tables)))
}

impl Run {
    /// Done, with nothing to complain about.
    #[track_caller]
    fn succeeds(self) -> String {
        assert_eq!(
            (self.code, self.err.as_str()),
            (Some(0), ""),
            "{}",
            self.out
        );
        self.out
    }

    /// Ended with this exit code and nothing but one line, on standard error, after the program's name.
    #[track_caller]
    fn fails(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.starts_with("pdb-gen: "), "{}", self.err);
        self.err
    }

    /// Refused by the parser of arguments: exit code 2, and the first line on standard error says why.
    #[track_caller]
    fn fails_as_usage(self) -> String {
        assert_eq!(self.code, Some(2), "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        let line = self.err.lines().next().unwrap_or_default().to_owned();
        let named = line.starts_with("error: ") || line.starts_with("pdb-gen: ");
        assert!(named && line.len() > 20, "{}", self.err);
        line
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// All files of a directory, sorted, hidden ones too.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Names and sums of all files.
fn sums(directory: &Path) -> Vec<(String, [u8; 32])> {
    let sum = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, Sha256::digest(fs::read(path).unwrap()).into())
    };
    files(directory).into_iter().map(sum).collect()
}

/// The only file of a directory.
#[track_caller]
fn only_file(directory: &Path) -> PathBuf {
    let files = files(directory);
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

/// Builds one table and returns its bytes.
fn table(words: &str) -> Vec<u8> {
    let folder = folder();
    pdb_gen(folder.path(), words).succeeds();
    fs::read(only_file(folder.path())).unwrap()
}

/// `info --json` of a directory: one object a file.
fn info(directory: &Path) -> Vec<Value> {
    let run = run(["info", "--json", "--tables", directory.to_str().unwrap()]);
    let objects = run.succeeds();
    let lines = objects.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn verify(files: &[PathBuf]) -> Run {
    finish(start(command().arg("verify").args(files)))
}

/// Writes many variants of a file into a folder and asserts that `verify` refuses every one of them by name.
#[track_caller]
fn all_are_refused(variants: impl IntoIterator<Item = (String, Vec<u8>)>) -> String {
    let folder = folder();
    let mut reasons = String::new();
    let mut all = variants.into_iter().peekable();
    while all.peek().is_some() {
        let mut paths = Vec::new();
        for (name, bytes) in all.by_ref().take(512) {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            paths.push(path);
        }
        let run = verify(&paths);
        assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
        assert_eq!(run.out, "", "these were proved");
        let lines: Vec<&str> = run.err.lines().collect();
        assert_eq!(lines.len(), paths.len(), "{}", run.err);
        for (line, path) in lines.iter().zip(&paths) {
            let start = format!("pdb-gen: {}: ", path.display());
            assert!(line.starts_with(&start), "{line}");
        }
        reasons.push_str(&run.err);
        for path in paths {
            fs::remove_file(path).unwrap();
        }
    }
    reasons
}

// ---- building ----

#[test]
fn builds_into_a_directory_that_is_not_there_and_keeps_what_is() {
    let folder = folder();
    let tables = folder.path().join("a/b c/d");
    let first = pdb_gen(&tables, "--partition 6-6-3").succeeds();
    let files = files(&tables);
    assert_eq!(files.len(), 3);
    assert_eq!(first.lines().count(), 3);
    for (path, line) in files.iter().zip({
        let mut lines: Vec<&str> = first.lines().collect();
        lines.sort_unstable();
        lines
    }) {
        assert!(line.starts_with("wrote"), "{line}");
        assert!(line.contains(path.to_str().unwrap()), "{line}");
    }
    let length = |path: &PathBuf| fs::metadata(path).unwrap().len();
    let together: u64 = files.iter().map(length).sum();
    assert!(together <= 3 << 20, "{together} bytes");

    let built = sums(&tables);
    let modified = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let times: Vec<_> = files.iter().map(modified).collect();
    let second = pdb_gen(&tables, "--partition 6-6-3").succeeds();
    assert_eq!(second.lines().count(), 3);
    assert!(second.lines().all(|l| l.starts_with("kept")), "{second}");
    assert_eq!(times, files.iter().map(modified).collect::<Vec<_>>());

    let forced = pdb_gen(&tables, "--partition 6-6-3 --force").succeeds();
    assert!(forced.lines().all(|l| l.starts_with("wrote")), "{forced}");
    assert_eq!(sums(&tables), built);
    assert_ne!(times, files.iter().map(modified).collect::<Vec<_>>());
    assert_eq!(verify(&files).succeeds().matches("proved").count(), 3);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for words in [
        "--partition 6-6-3",
        "--tiles 1,2,3,5,6 --kind blank-compressed",
        "--tiles 1,2,3,5,6 --encoding u8",
        "--tiles 1,2,5 --kind full",
        "--tiles 1,2,5,6 --zstd 3",
        "--size 5x3 --partition 5-5-4",
    ] {
        let built = [1, 2, 5].map(|threads| {
            let folder = folder();
            pdb_gen(folder.path(), &format!("{words} --threads {threads}")).succeeds();
            sums(folder.path())
        });
        assert!(!built[0].is_empty());
        assert!(built[0] == built[1] && built[1] == built[2], "{words}");
    }
}

#[test]
fn quiet_says_nothing_and_json_says_one_object_a_table() {
    let folder = folder();
    assert_eq!(
        pdb_gen(folder.path(), "--size 3x3 --partition 5-3 --quiet").succeeds(),
        ""
    );
    assert_eq!(files(folder.path()).len(), 2);
    let objects = pdb_gen(folder.path(), "--size 3x3 --partition 5-3 --json").succeeds();
    assert_eq!(objects.lines().count(), 2);
    for line in objects.lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["tray"], "3x3");
        assert!(Path::new(object["file"].as_str().unwrap()).is_file());
    }
}

#[test]
fn the_directory_is_the_options_or_the_variables_or_the_users() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let build = |set: &mut dyn FnMut(&mut Command)| {
        let mut command = command();
        command.args(["--size", "2x2"]);
        set(&mut command);
        finish(start(&mut command)).succeeds();
    };
    build(&mut |c| {
        c.env("PDB_TABLES", at("variable"));
    });
    only_file(&at("variable"));
    build(&mut |c| {
        c.env("PDB_TABLES", at("other"))
            .arg("--tables")
            .arg(at("option"));
    });
    only_file(&at("option"));
    assert!(!at("other").exists());
    if cfg!(target_os = "linux") {
        build(&mut |c| {
            c.env("HOME", at("home"));
        });
        let users = only_file(&at("home/.local/share"));
        only_file(&users);
        build(&mut |c| {
            c.env("XDG_DATA_HOME", at("data"));
        });
        only_file(&only_file(&at("data")));
    }
}

#[test]
fn info_of_the_fringe_has_the_fields_of_the_contract() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --partition fringe").succeeds();
    let objects = info(folder.path());
    assert_eq!(objects.len(), 1);
    let table = &objects[0];
    assert_eq!(table["tray"], "3x3");
    assert_eq!(table["goal"], serde_json::json!([8]));
    assert_eq!(table["tiles"], serde_json::json!([0, 1, 2, 3, 6]));
    assert_eq!(table["kind"], "full");
    assert_eq!(table["encoding"], "u8");
    assert_eq!(table["entries"], 60_480);
    assert_eq!(table["reached"], 60_480);
    let bytes = fs::read(only_file(folder.path())).unwrap();
    let payload = &bytes[4096..];
    assert_eq!(payload.len(), 60_480);
    assert_eq!(table["sha256"], hex(&Sha256::digest(payload)));
    let count = |value: usize| payload.iter().filter(|&&b| usize::from(b) == value).count();
    let max = table["max"].as_u64().unwrap() as usize;
    let counted: Vec<usize> = (0..=max).map(count).collect();
    assert_eq!(table["histogram"], serde_json::json!(counted));
    assert_eq!(counted.iter().sum::<usize>(), 60_480);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn all_eight_tiles_of_the_3x3_reach_half_the_entries_at_the_known_distances() {
    let widths = include_str!("../../../data/suites/widths_3x3.txt");
    let known: Vec<u64> = widths
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap())
        .collect();
    for words in [
        "",
        "--encoding u8",
        "--kind full",
        "--kind blank-compressed",
    ] {
        let folder = folder();
        pdb_gen(folder.path(), &format!("--size 3x3 --partition 8 {words}")).succeeds();
        let table = &info(folder.path())[0];
        assert_eq!(table["entries"], 362_880, "{words}");
        assert_eq!(table["reached"], 181_440, "{words}");
        assert_eq!(table["max"], 31, "{words}");
        assert_eq!(table["histogram"], serde_json::json!(known), "{words}");
        verify(&files(folder.path())).succeeds();
    }
}

#[test]
fn every_kind_encoding_and_layer_is_built_described_and_proved() {
    let folder = folder();
    for (words, kind, encoding, ending) in [
        ("", "zero-aware", "one-bit", ".pdb"),
        ("--encoding one-bit", "zero-aware", "one-bit", ".pdb"),
        ("--encoding u8", "zero-aware", "u8", ".pdb"),
        ("--kind blank-compressed", "blank-compressed", "u8", ".pdb"),
        ("--kind full", "full", "u8", ".pdb"),
        ("--zstd", "zero-aware", "one-bit", ".pdb.zst"),
        ("--zstd 1 --encoding u8", "zero-aware", "u8", ".pdb.zst"),
        ("--zstd=22 --kind full", "full", "u8", ".pdb.zst"),
    ] {
        let tables = folder.path().join(words.replace(' ', "_"));
        pdb_gen(&tables, &format!("--size 4x3 --tiles 1,2,5,6,9 {words}")).succeeds();
        let file = only_file(&tables);
        assert!(file.to_str().unwrap().ends_with(ending), "{file:?}");
        let table = &info(&tables)[0];
        assert_eq!(
            (&table["kind"], &table["encoding"]),
            (&kind.into(), &encoding.into())
        );
        assert_eq!(table["tray"], "4x3");
        assert_eq!(table["tiles"].as_array().unwrap().len(), 5);
        assert_eq!(table["entries"], table["reached"]);
        let sum: u64 = table["histogram"]
            .as_array()
            .unwrap()
            .iter()
            .map(|count| count.as_u64().unwrap())
            .sum();
        assert_eq!(table["reached"], sum);
        // Both lists of files: named, and by the directory.
        verify(std::slice::from_ref(&file)).succeeds();
        let all = pdb_gen(&tables, "verify").succeeds();
        assert!(
            all.contains("proved") && all.contains(file.to_str().unwrap()),
            "{all}"
        );
    }
}

#[test]
fn compressed_tables_are_smaller_and_hold_the_same_payload() {
    let folder = folder();
    let (plain, compressed) = (
        folder.path().join("plain"),
        folder.path().join("compressed"),
    );
    pdb_gen(&plain, "--tiles 1,2,3,4,5,6 --encoding u8").succeeds();
    pdb_gen(&compressed, "--tiles 1,2,3,4,5,6 --encoding u8 --zstd 3").succeeds();
    assert_eq!(info(&plain)[0]["sha256"], info(&compressed)[0]["sha256"]);
    let length = |at: &Path| fs::metadata(only_file(at)).unwrap().len();
    assert!(length(&compressed) < length(&plain) / 2);
    verify(&[only_file(&compressed)]).succeeds();
    let again = pdb_gen(&compressed, "--tiles 1,2,3,4,5,6 --encoding u8 --zstd 3").succeeds();
    assert!(again.starts_with("kept"), "{again}");
}

#[test]
fn lists_pictures_and_names_of_one_partition_are_one_set_of_files() {
    let folder = folder();
    let named = folder.path().join("named");
    pdb_gen(&named, "--size 3x3 --partition 5-3+fringe").succeeds();
    assert_eq!(files(&named).len(), 3);
    let picture = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../data/partitions/3x3-5-3.txt"
    );
    let same = pdb_gen(&named, &format!("--size 3x3 --partition {picture}")).succeeds();
    assert!(same.lines().all(|line| line.starts_with("kept")), "{same}");
    // With the blank last the picture is turned: its parts are 1 2 3 | 4 5 6 7 8.
    let same = pdb_gen(&named, "--size 3x3 --partition 1,2,3/4,5,6,7,8").succeeds();
    assert!(same.lines().all(|line| line.starts_with("kept")), "{same}");
    // Numbers in lists are those on the goal's tiles.
    let goal = ["--size", "3x3", "--goal", "8 7 6/5 4 3/2 1 0"];
    let list = ["--partition", "8,7,6/5,4,3,2,1", "--tables"];
    let same = run(goal
        .into_iter()
        .chain(list)
        .chain([named.to_str().unwrap()]))
    .succeeds();
    assert!(same.lines().all(|line| line.starts_with("kept")), "{same}");
    assert_eq!(files(&named).len(), 3);
}

#[test]
fn a_damaged_file_is_built_again_and_said_so() {
    let folder = folder();
    let words = "--size 3x3 --tiles 1,2,3,4,5,6";
    pdb_gen(folder.path(), words).succeeds();
    let file = only_file(folder.path());
    let sound = fs::read(&file).unwrap();
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        bytes
    };
    let mut other_version = sound.clone();
    other_version[8] = 2;
    sign(&mut other_version);
    for (what, bytes) in [
        ("header", flipped(40)),
        ("payload", flipped(5000)),
        ("truncated", sound[..sound.len() - 1].to_vec()),
        ("only a header", sound[..4096].to_vec()),
        ("extended", [&sound[..], b"\n"].concat()),
        ("empty", Vec::new()),
        ("foreign", b"not a table at all\n".to_vec()),
        ("version", other_version),
        ("another table", table("--size 3x3 --tiles 1,2,3,4,5,7")),
    ] {
        fs::write(&file, &bytes).unwrap();
        let run = pdb_gen(folder.path(), words);
        assert_eq!(run.code, Some(0), "{what}: {}", run.err);
        assert!(run.out.starts_with("wrote"), "{what}: {}", run.out);
        assert_eq!(run.err.lines().count(), 1, "{what}: {}", run.err);
        assert!(
            run.err.contains(file.to_str().unwrap()),
            "{what}: {}",
            run.err
        );
        assert!(fs::read(&file).unwrap() == sound, "{what}");
    }
    only_file(folder.path());
}

/// A name that ends in `.u8.pdb` is a promise too.
#[test]
fn a_file_of_another_encoding_under_the_name_is_built_again() {
    let folder = folder();
    let words = "--size 3x3 --tiles 1,2,3,4 --encoding u8";
    pdb_gen(folder.path(), words).succeeds();
    let file = only_file(folder.path());
    let sound = fs::read(&file).unwrap();
    fs::write(&file, table("--size 3x3 --tiles 1,2,3,4")).unwrap();
    let run = pdb_gen(folder.path(), words);
    assert_eq!(run.code, Some(0));
    assert!(
        fs::read(&file).unwrap() == sound,
        "kept a one-bit table: {}",
        run.out
    );
}

// ---- proving ----

/// Makes the header's own sum right.
fn sign(bytes: &mut [u8]) {
    let sum = Sha256::digest(&bytes[..4064]);
    bytes[4064..4096].copy_from_slice(&sum);
}

/// A copy whose payload was changed and whose sums, and for byte tables the histogram with all that follows from it,
/// were made right again: nothing but the truth of the entries is wrong.
fn forged(table: &[u8], change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut bytes = table.to_vec();
    change(&mut bytes[4096..]);
    let is_one_bit = bytes[19] == 1;
    if !is_one_bit {
        let mut counts = [0_u64; 256];
        for &byte in &bytes[4096..] {
            counts[usize::from(byte)] += 1;
        }
        counts[255] = 0;
        let reached: u64 = counts.iter().sum();
        let max = counts.iter().rposition(|&count| count > 0).unwrap();
        bytes[40..48].copy_from_slice(&reached.to_le_bytes());
        bytes[56..60].copy_from_slice(&(max as u32).to_le_bytes());
        for (field, count) in bytes[64..2112].chunks_mut(8).zip(counts) {
            field.copy_from_slice(&count.to_le_bytes());
        }
    }
    let sum = Sha256::digest(&bytes[4096..]);
    bytes[2112..2144].copy_from_slice(&sum);
    sign(&mut bytes);
    bytes
}

#[test]
fn forging_without_a_change_changes_nothing() {
    for words in [
        "",
        "--encoding u8",
        "--kind full",
        "--kind blank-compressed",
    ] {
        let table = table(&format!("--size 3x3 --tiles 1,2,3,4 {words}"));
        assert!(forged(&table, |_| ()) == table, "{words}");
    }
}

#[test]
fn verify_refuses_every_flipped_byte_of_the_header() {
    let table = table("--size 3x3 --tiles 1,2,3,4,5,6");
    all_are_refused((0..4096).map(|at| {
        let mut bytes = table.clone();
        bytes[at] ^= [0x01, 0x80, 0xff][at % 3];
        (format!("{at}.pdb"), bytes)
    }));
}

#[test]
fn verify_refuses_flipped_bits_of_the_payload() {
    for words in [
        "",
        "--encoding u8",
        "--kind full",
        "--kind blank-compressed",
    ] {
        let table = table(&format!("--size 3x3 --tiles 1,2,3,4,5 {words}"));
        let last = table.len() - 1;
        let spread = (4096..last).step_by((last - 4096) / 150).chain([last]);
        all_are_refused(spread.map(|at| {
            let mut bytes = table.clone();
            bytes[at] ^= 1 << (at % 8);
            (format!("{at}.pdb"), bytes)
        }));
    }
}

#[test]
fn verify_refuses_files_that_are_no_whole_tables() {
    let table = table("--tiles 1,2,3,4,5,6");
    let line_ends = |from: &[u8], to: &[u8]| {
        let mut bytes = Vec::new();
        let mut rest = &table[..];
        while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
            bytes.extend_from_slice(&rest[..at]);
            bytes.extend_from_slice(to);
            rest = &rest[at + from.len()..];
        }
        [&bytes[..], rest].concat()
    };
    let cut = |length: usize| table[..length].to_vec();
    let mut variants = vec![
        ("empty.pdb", Vec::new()),
        ("extended.pdb", [&table[..], b"\0"].concat()),
        ("twice.pdb", [&table[..], &table[..]].concat()),
        ("from-dos.pdb", line_ends(b"\r\n", b"\n")),
        ("to-dos.pdb", line_ends(b"\n", b"\r\n")),
        ("text.pdb", b"1 2 3 4\n5 6 7 8\n".repeat(1000)),
        ("zeros.pdb", vec![0; 5000]),
        ("json.pdb", b"{\"tray\":\"4x4\"}\n".to_vec()),
        ("frame-of-nothing.pdb", b"\x28\xb5\x2f\xfd".to_vec()),
        (
            "frame-of-garbage.pdb",
            [b"\x28\xb5\x2f\xfd".as_slice(), &table[..9000]].concat(),
        ),
    ];
    let lengths = [
        1,
        4,
        8,
        9,
        4095,
        4096,
        4097,
        table.len() / 2,
        table.len() - 1,
    ];
    let names = lengths.map(|length| format!("{length}.pdb"));
    variants.extend(
        names
            .iter()
            .zip(lengths)
            .map(|(name, length)| (name.as_str(), cut(length))),
    );
    let variants = variants
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), bytes));
    let reasons = all_are_refused(variants);
    let says = |name: &str, words: &str| {
        let line = reasons.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains(words), "{line}");
    };
    says("/empty.pdb", "empty");
    says("/extended.pdb", "bytes");
    says("/text.pdb", "not a pattern database");
    says("/from-dos.pdb", "text mode");
    says("/to-dos.pdb", "text mode");
}

#[test]
fn verify_refuses_damaged_compressed_files() {
    let table = table("--size 3x3 --tiles 1,2,3,4,5 --zstd 3");
    let mut variants = vec![("extended".to_owned(), [&table[..], b"\0"].concat())];
    for length in (4..table.len())
        .step_by(table.len() / 40)
        .chain([table.len() - 1])
    {
        variants.push((format!("cut-{length}"), table[..length].to_vec()));
    }
    // Inside the blocks; the frame's own header has bits that mean nothing.
    for at in (20..table.len()).step_by(table.len() / 200) {
        let mut bytes = table.clone();
        bytes[at] ^= 1 << (at % 8);
        variants.push((format!("flip-{at}"), bytes));
    }
    all_are_refused(variants);
}

#[test]
fn verify_goes_on_after_a_bad_file_and_proves_the_others() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --partition 5-3+fringe").succeeds();
    let mut files = files(folder.path());
    files.insert(1, folder.path().join("not-there.pdb"));
    let run = verify(&files);
    assert_eq!(run.code, Some(3));
    assert_eq!(run.out.lines().count(), 3);
    assert_eq!(run.err.lines().count(), 1);
    assert!(run.err.contains("not-there.pdb"), "{}", run.err);
}

#[test]
fn verify_refuses_one_wrong_bit_though_every_sum_is_right() {
    let table = table("--size 3x3 --tiles 1,2,3,4,5,6");
    let bits = 8 * (table.len() - 4096);
    let reasons = all_are_refused((0..bits).step_by(bits / 200).chain([bits - 1]).map(|bit| {
        let wrong = forged(&table, |payload| payload[bit / 8] ^= 1 << (bit % 8));
        (format!("{bit}.pdb"), wrong)
    }));
    assert!(!reasons.contains("SHA-256"), "{reasons}");
}

#[test]
fn verify_refuses_wrong_bits_of_a_full_size_table() {
    let table = table("--tiles 1,2,5,6,9,10");
    let bits = 8 * (table.len() - 4096);
    all_are_refused([0, 1, bits / 3, bits - 1].map(|bit| {
        let wrong = forged(&table, |payload| payload[bit / 8] ^= 1 << (bit % 8));
        (format!("{bit}.pdb"), wrong)
    }));
}

#[test]
fn verify_refuses_one_wrong_byte_though_every_sum_is_right() {
    for words in [
        "--tiles 1,2,3,4,5,6 --encoding u8",
        "--tiles 1,2,3,4,5,6 --kind blank-compressed",
        "--tiles 1,2,3,4 --kind full",
        "--partition fringe",
        "--partition 8 --encoding u8",
        "--partition 8 --kind full",
    ] {
        let table = table(&format!("--size 3x3 {words}"));
        let length = table.len() - 4096;
        let reasons = all_are_refused((0..60).map(|index| {
            let at = index * (length - 1) / 59;
            let wrong = forged(&table, |payload| {
                // Plausible by parity where there is a value, a value where there is none, none where there is one.
                payload[at] = match (payload[at], index % 4) {
                    (255, _) => 20,
                    (_, 0) => 255,
                    (0 | 1, _) => payload[at] + 2,
                    (value, 1) => value + 2,
                    (value, 2) => value - 2,
                    (value, _) => value - 1,
                };
            });
            (format!("{at}.pdb"), wrong)
        }));
        assert!(!reasons.contains("SHA-256"), "{words}: {reasons}");
        assert!(
            !reasons.contains("header's histogram"),
            "{words}: {reasons}"
        );
    }
}

#[test]
fn verify_refuses_values_that_are_all_too_small_or_too_large_by_two() {
    for words in ["--encoding u8", "--kind blank-compressed", "--kind full"] {
        let table = table(&format!("--size 3x3 --tiles 1,2,3,4,5 {words}"));
        let shifted = |change: fn(u8) -> u8| {
            forged(&table, |payload| {
                for byte in payload.iter_mut().filter(|byte| **byte != 255) {
                    *byte = change(*byte);
                }
            })
        };
        all_are_refused([
            ("smaller".to_owned(), shifted(|h| h.saturating_sub(2))),
            ("larger".to_owned(), shifted(|h| h + 2)),
            ("no-far".to_owned(), shifted(|h| h.min(12))),
            ("all-zero".to_owned(), shifted(|_| 0)),
            (
                "all-none".to_owned(),
                forged(&table, |payload| payload[1..].fill(255)),
            ),
            (
                "goal-only".to_owned(),
                forged(&table, |payload| {
                    for byte in payload.iter_mut().filter(|byte| **byte != 0) {
                        *byte = 255;
                    }
                }),
            ),
        ]);
    }
}

#[test]
fn verify_refuses_a_false_histogram_of_a_one_bit_table() {
    let table = table("--size 3x3 --tiles 1,2,3,4,5");
    // One entry moved from each value to the next; the total stays.
    all_are_refused((1..15).map(|value| {
        let mut bytes = table.clone();
        for (value, change) in [(value, -1_i64), (value + 1, 1)] {
            let field = &mut bytes[64 + 8 * value..][..8];
            let count = i64::from_le_bytes(field.try_into().unwrap()) + change;
            field.copy_from_slice(&count.to_le_bytes());
        }
        sign(&mut bytes);
        (format!("{value}.pdb"), bytes)
    }));
}

#[test]
fn verify_refuses_a_sound_payload_under_another_tables_header() {
    // Both tables have as many entries: only the truth of the values tells.
    for words in ["", "--encoding u8", "--kind full"] {
        let first = table(&format!("--size 3x3 --tiles 1,2,3 {words}"));
        let second = table(&format!("--size 3x3 --tiles 1,2,4 {words}"));
        assert_eq!(first.len(), second.len());
        let swapped = forged(&first, |payload| payload.copy_from_slice(&second[4096..]));
        all_are_refused([("swapped.pdb".to_owned(), swapped)]);
    }
}

/// docs/format.md: the bits after the last entry are 0, so that one table has one file.
#[test]
fn verify_refuses_set_bits_after_the_last_entry() {
    // Nine entries: seven bits of the second byte hold none.
    let table = table("--size 3x3 --tiles 1");
    assert_eq!(table.len(), 4096 + 2);
    all_are_refused((1..8).map(|bit| {
        let wrong = forged(&table, |payload| payload[1] ^= 1 << bit);
        (format!("{bit}.pdb"), wrong)
    }));
}

// ---- refusing ----

#[test]
fn bad_input_is_refused_in_one_line_that_names_it() {
    let folder = folder();
    let tables = folder.path().join("never");
    let refused = |arguments: &[&str], names: &str| {
        let run = finish(start(
            command().args(arguments).arg("--tables").arg(&tables),
        ));
        let line = run.fails(2);
        assert!(line.contains(names), "{arguments:?}: {line}");
        assert!(!tables.exists(), "{arguments:?}");
    };
    refused(&["--partition", "1,2,3/3,4"], "tile 3");
    refused(&["--partition", "1,2,3/4,5"], "6, 7, 8");
    refused(&["--partition", "1,2,16/3"], "16");
    refused(&["--partition", "1,0/3"], "0 in the list");
    refused(&["--partition", "1,2,x"], "x");
    refused(
        &["--partition", "1,2,99999999999999999999"],
        "99999999999999999999",
    );
    refused(&["--partition", "nonsense"], "nonsense");
    refused(&["--partition", ""], "``");
    refused(&["--partition", "6-6-3+"], "``");
    refused(&["--partition", "6-6-4"], "6-6-4");
    refused(&["--partition", "6-6"], "12");
    refused(&["--partition", "15-0"], "15");
    refused(&["--partition", "13-2"], "13");
    refused(&["--partition", "6-6-3", "--size", "3x3"], "3x3");
    refused(&["--partition", "999999999-16"], "999999999");
    refused(&["--partition", "fringe", "--size", "1x9"], "1x9");
    refused(&["--partition", "6-6-3", "--size", "20x20"], "20x20");
    refused(&["--partition", "manhattan"], "manhattan");
    refused(&["--size", "6x6"], "manhattan");
    refused(&["--tiles", ""], "0 tiles");
    refused(&["--tiles", "1,1"], "tile 1");
    refused(&["--tiles", "16"], "16");
    refused(&["--tiles", "0"], "0 in the list");
    refused(&["--tiles", "one"], "one");
    refused(&["--tiles", "1,2,3,4,5,6,7,8,9,10,11,12,13"], "13");
    refused(&["--goal", "what"], "what");
    refused(&["--goal", "1 2 3 4"], "4");
    refused(&["--goal", "1 2 3/4 5 6/7 8 8"], "tile 8");
    refused(&["--goal", "1 2 3/4 5 6/7 8 0", "--size", "4x4"], "3x3");
    refused(
        &["--kind", "blank-compressed", "--encoding", "one-bit"],
        "one-bit",
    );
    refused(
        &[
            "--partition",
            "fringe",
            "--size",
            "3x3",
            "--encoding",
            "one-bit",
        ],
        "one-bit",
    );
    // Larger than any machine.
    refused(&["--size", "5x5", "--partition", "12-12"], "memory");
}

#[test]
fn parts_whose_sum_overflows_are_refused() {
    let folder = folder();
    for name in [
        "18446744073709551615-16",
        "9223372036854775808-9223372036854775807-16",
    ] {
        let line = pdb_gen(&folder.path().join("never"), &format!("--partition {name}")).fails(2);
        assert!(line.contains("tiles"), "{line}");
    }
}

#[test]
fn nonsense_options_are_refused() {
    for arguments in [
        &["--tiles", "1,2", "--partition", "6-6-3"][..],
        &["--size", "4"],
        &["--size", "0x4"],
        &["--size", "21x2"],
        &["--size", "4x4x4"],
        &["--kind", "zero"],
        &["--encoding", "u16"],
        &["--threads", "0"],
        &["--threads", "many"],
        &["--threads", "-1"],
        &["--zstd", "0"],
        &["--zstd", "23"],
        &["--partition"],
        &["--what"],
        &["build-everything"],
        &["verify", "--what"],
        &["info", "--size", "huge"],
    ] {
        let folder = folder();
        let tables = folder.path().join("never");
        // First, since some of the arguments end in an option without its value.
        let mut command = command();
        command.arg("--tables").arg(&tables).args(arguments);
        finish(start(&mut command)).fails_as_usage();
        assert!(!tables.exists(), "{arguments:?}");
    }
}

#[test]
fn an_unreadable_picture_is_refused() {
    let folder = folder();
    let refused = |name: &str, bytes: &[u8], names: &str| {
        let picture = folder.path().join(name);
        fs::write(&picture, bytes).unwrap();
        let line = pdb_gen(
            &folder.path().join("never"),
            &format!("--partition {}", picture.display()),
        )
        .fails(2);
        assert!(line.contains(name) && line.contains(names), "{line}");
        assert!(!folder.path().join("never").exists());
    };
    refused(
        "sign.txt",
        b". a a a\na a ? a\nb b b b\nb b b b\n",
        "line 2",
    );
    refused(
        "ragged.txt",
        b". a a a\na a a\nb b b b\nb b b b\n",
        "line 2",
    );
    refused(
        "blanks.txt",
        b". a a a\na a . a\nb b b b\nb b b b\n",
        "2 blanks",
    );
    refused(
        "no-blank.txt",
        b"a a a a\na a a a\nb b b b\nb b b b\n",
        "0 blanks",
    );
    refused(
        "order.txt",
        b"order UUUU\n. a a a\na a a a\nb b b b\nb b b b\n",
        "line 1",
    );
    refused("other-size.txt", b". a a\na a b\nb b b\n", "4x4");
    refused("empty.txt", b"", "");
    refused("binary.txt", b"\xff\xfe\0\x01", "");
    let picture = folder.path().join("one-part.txt");
    fs::write(&picture, ". a a a\na a a a\na a a a\na a a a\n").unwrap();
    let words = format!("--partition {}", picture.display());
    let line = pdb_gen(&folder.path().join("never"), &words).fails(2);
    assert!(line.contains("15 tiles"), "{line}");
    let directory = folder.path().display().to_string();
    let line = pdb_gen(
        &folder.path().join("never"),
        &format!("--partition {directory}"),
    )
    .fails(2);
    assert!(line.contains(&directory), "{line}");
}

#[test]
fn missing_files_and_directories_are_bad_tables() {
    let folder = folder();
    let missing = folder.path().join("none.pdb");
    for verb in ["info", "verify"] {
        let line = run([verb, missing.to_str().unwrap()]).fails(3);
        assert!(line.contains("none.pdb"), "{line}");
        let line = run([verb, folder.path().to_str().unwrap()]).fails(3);
        assert!(line.contains(folder.path().to_str().unwrap()), "{line}");
        // A directory with no tables, and none at all.
        let line = pdb_gen(folder.path(), verb).fails(3);
        assert!(line.contains("pdb-gen"), "{line}");
        pdb_gen(&folder.path().join("none"), verb).fails(3);
    }
    assert_eq!(files(folder.path()).len(), 0);
}

/// The first read of a pipe never ends: only files can be tables.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_refused_and_not_waited_for() {
    let folder = folder();
    let pipe = folder.path().join("pipe.pdb");
    let made = Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let mut child = start(command().arg("verify").arg(&pipe));
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(3) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("verify waits for a writer of the pipe");
        }
        thread::sleep(Duration::from_millis(5));
    }
    finish(child).fails(3);
}

// ---- places that cannot be written ----

#[test]
fn a_directory_that_cannot_be_made_is_said_at_once() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    let mut places = vec![file.clone(), file.join("below"), file.join("far/below")];
    if cfg!(target_os = "linux") {
        places.push(PathBuf::from("/proc/tables"));
    }
    for place in places {
        let begun = Instant::now();
        // A build of many seconds is not begun.
        let line = pdb_gen(&place, "--partition 7-8").fails(3);
        assert!(line.contains(place.to_str().unwrap()), "{line}");
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    only_file(folder.path());
}

/// A shell line in a mount namespace of its own, or `None` where the system has none to give.
#[cfg(target_os = "linux")]
fn in_own_mounts(script: &str, at: &Path) -> Option<Run> {
    let shell = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", script, "sh"]);
        command.arg(env!("CARGO_BIN_EXE_pdb-gen")).arg(at);
        clean(&mut command);
        command
    };
    let probe = shell("mount -t tmpfs -o size=1m tmpfs \"$2\"")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        skipped("no mount namespaces here");
        return None;
    }
    Some(finish(start(&mut shell(script))))
}

#[cfg(unix)]
#[expect(clippy::print_stderr, reason = "tells whoever reads the test's output")]
fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_nothing_is_left() {
    let folder = folder();
    let script = "mount -t tmpfs -o size=1m tmpfs \"$2\" || exit 99
        \"$1\" --partition 6-6-3 --tables \"$2/tables\"; code=$?; ls -A \"$2/tables\"; exit $code";
    if let Some(run) = in_own_mounts(script, folder.path()) {
        // The one line is the program's; `ls` found nothing.
        let line = run.fails(3);
        assert!(line.contains(".pdb: No space left"), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_directory_is_an_error() {
    let folder = folder();
    let script = "mount -t tmpfs -o ro tmpfs \"$2\" || exit 99
        \"$1\" --size 3x3 --tables \"$2\"";
    if let Some(run) = in_own_mounts(script, folder.path()) {
        run.fails(3);
    }
}

/// A file size limit ends writing half-way as a full disk does, without any mounts.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_finished_is_removed() {
    for layer in ["", "--zstd 1"] {
        let folder = folder();
        let mut command = Command::new("sh");
        clean(&mut command);
        let script = format!(
            "trap '' XFSZ; ulimit -f 200; exec \"$1\" {layer} --tables \"$2\" --tiles 1,2,3,4,5,6"
        );
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_pdb-gen")]);
        let run = finish(start(command.arg(folder.path())));
        let line = run.fails(3);
        assert!(line.contains(".pdb"), "{line}");
        assert_eq!(files(folder.path()).len(), 0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_or_closed_is_no_panic() {
    let folder = folder();
    pdb_gen(folder.path(), "--size 3x3 --partition 5-3+fringe").succeeds();
    let mut info = command();
    info.arg("info").arg("--tables").arg(folder.path());
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let run = info.stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_ne!(run.status.code(), Some(0));
    assert_eq!(String::from_utf8(run.stderr).unwrap().lines().count(), 1);

    let mut child = start(&mut info);
    drop(child.stdout.take());
    let run = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(run.stderr).unwrap(), "");
}

// ---- at once, and ended early ----

#[test]
fn builders_at_once_in_one_directory_all_succeed_with_whole_files() {
    let (one, many) = (folder(), folder());
    pdb_gen(one.path(), "--partition 6-6-3").succeeds();
    let tables = many.path().join("tables");
    for words in ["", "--force"] {
        let builder = || {
            let mut command = command();
            command.args(["--partition", "6-6-3", "--tables"]);
            start(command.arg(&tables).args(words.split_whitespace()))
        };
        let builders: Vec<Child> = (0..4).map(|_| builder()).collect();
        for builder in builders {
            let said = finish(builder).succeeds();
            assert_eq!(said.lines().count(), 3);
        }
        assert_eq!(sums(&tables), sums(one.path()));
    }
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status().unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_says_so_and_leaves_nothing() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let mut command = command();
    command.args(["--size", "5x5", "--tiles", "1,2,5,6,7,10,11", "--tables"]);
    let child = start(command.arg(&tables));
    let begun = Instant::now();
    while !tables.exists() && begun.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(2));
    }
    // Many seconds of work are left.
    thread::sleep(Duration::from_millis(200));
    signal(&child, "-INT");
    let line = finish(child).fails(130);
    assert!(line.contains("interrupted"), "{line}");
    assert_eq!(files(&tables).len(), 0);
}

#[cfg(unix)]
#[test]
fn a_killed_build_leaves_no_half_file_under_a_tables_name() {
    let folder = folder();
    let words = ["--tiles", "1,2,3,4,5,6", "--encoding", "u8", "--force"];
    let begun = Instant::now();
    pdb_gen(folder.path(), &words.join(" ")).succeeds();
    let time = begun.elapsed();
    let whole = sums(folder.path());
    let table = only_file(folder.path());
    let mut killed = 0;
    for step in 0..10 {
        if step % 2 == 0 {
            fs::remove_file(&table).ok();
        }
        let mut command = command();
        let child = start(command.args(words).arg("--tables").arg(folder.path()));
        // Most of the later ones hit the writing.
        thread::sleep(time * (step + 1) / 10);
        signal(&child, "-KILL");
        let run = finish(child);
        killed += u32::from(run.code.is_none());
        for (name, sum) in sums(folder.path()) {
            let is_table = name.ends_with(".pdb") || name.ends_with(".zst");
            assert!(!is_table || (name, sum) == whole[0], "half a file");
        }
    }
    assert!(killed > 0);
    // What is left disturbs nobody.
    pdb_gen(folder.path(), &words.join(" ")).succeeds();
    let proved = pdb_gen(folder.path(), "verify").succeeds();
    assert_eq!(proved.lines().count(), 1);
    assert_eq!(info(folder.path()).len(), 1);
}
