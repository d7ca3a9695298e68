//! Three subjects: the tables that verbs select, the rejection of options without effect, and the
//! leftovers of builds.

use std::fs;

use fs4::fs_std::FileExt as _;
use sha2::{Digest, Sha256};

use super::run::{build_small_tables, command_at, finish, pdb_gen, start, verify};
use crate::file::{files, folder, only_file};

#[test]
fn verbs_on_files_use_the_selection() {
    let folder = folder();
    let tables = folder.path();
    build_small_tables(tables);
    let lines = |words: &str| pdb_gen(tables, words).succeeds().lines().count();
    assert_eq!(lines("info --json"), 3);
    assert_eq!(lines("info --json --size 3x3 --partition 5-3"), 2);
    assert_eq!(lines("verify --size 3x3 --tiles 1,2,3"), 1);
    assert_eq!(lines("stats --json --size 3x3 --partition fringe"), 1);
    // If no pattern is requested, the options select from all existing tables.
    pdb_gen(tables, "--size 4x3 --tiles 1,2 --encoding u8").succeeds();
    for (words, count) in [
        ("--size 3x3", 3),
        ("--size 3x4", 1),
        ("--kind full", 1),
        ("--kind zero-aware", 3),
        ("--encoding u8", 2),
        ("--encoding u8 --kind full --size 3x3", 1),
    ] {
        for verb in ["info", "list", "verify", "stats"] {
            assert_eq!(lines(&format!("{verb} --json {words}")), count, "{words}");
        }
    }
    let line = pdb_gen(tables, "list --size 5x5").fails(3);
    assert!(line.contains("no such tables in"), "{line}");
    let plan = pdb_gen(tables, "plan --size 3x3 --tiles 1,2,3").succeeds();
    assert!(
        plan.contains("\nnothing to build: all tables are in "),
        "{plan}"
    );
    let line = pdb_gen(tables, "verify --size 3x3 --tiles 1,2").fails(3);
    assert!(line.contains(": 3x3-zero-aware-0.1-"), "{line}");
    let way_out = "; build with pdb-gen --size 3x3 --tiles 1,2 --tables ";
    assert!(line.contains(way_out), "{line}");
    let line = pdb_gen(tables, "info --goal nonsense").fails(2);
    assert!(line.contains("nonsense"), "{line}");
    let line = pdb_gen(tables, "info --size 3x3 x.pdb").fails(2);
    assert!(line.contains("not both"), "{line}");
}

#[test]
fn options_without_effect_are_rejected() {
    let folder = folder();
    for words in [
        "--force verify",
        "--resume plan --tiles 1,2",
        "--checkpoint 3 stats",
        "unpack --partition 7-8 x",
    ] {
        pdb_gen(folder.path(), words).fails(2);
    }
    let line = pdb_gen(folder.path(), "stats --out x.pdf").fails(2);
    assert!(line.contains("unknown extension of --out"), "{line}");
}

/// A process was killed after it renamed its finished table, and before it removed its other files.
#[test]
fn leftovers_beside_a_complete_table_are_removed() {
    let folder = folder();
    let words = "--size 3x3 --tiles 1,2,3";
    pdb_gen(folder.path(), words).succeeds();
    let table = fs::read_dir(folder.path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let mut checkpoint = table.path().into_os_string();
    checkpoint.push(".checkpoint");
    let mut lock = table.path().into_os_string();
    lock.push(".lock");
    for left in [&[&checkpoint, &lock][..], &[&checkpoint], &[&lock]] {
        for path in left {
            fs::write(path, "old").unwrap();
        }
        let said = pdb_gen(folder.path(), words).succeeds();
        assert!(said.starts_with("kept"), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
    // Simulates another process that is rebuilding the table.
    let held = fs::File::create(&lock).unwrap();
    assert!(held.try_lock_exclusive().unwrap());
    fs::write(&checkpoint, "new").unwrap();
    pdb_gen(folder.path(), words).succeeds();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// Readers of a table also remove a stale lock. They keep a checkpoint, because the checkpoint may
/// belong to a build that will replace the table.
#[test]
fn readers_remove_the_lock_of_a_killed_process() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let out = folder.path().join("out");
    let words = "export --size 3x3 --tiles 1,2,3 --format ranked --out";
    let export = || pdb_gen(&tables, [words, out.to_str().unwrap()].join(" ").as_str()).succeeds();
    export();
    let table = only_file(&tables);
    let beside = |ending: &str| format!("{}.{ending}", table.display());
    for ending in ["lock", "checkpoint"] {
        fs::write(beside(ending), "old").unwrap();
    }
    export();
    assert_eq!(files(&tables), [table.clone(), beside("checkpoint").into()]);
}

/// An export uses an existing checkpoint even without `--resume`. If the checkpoint is unusable,
/// the export builds the table from the start and does not fail.
#[test]
fn an_export_ignores_unusable_checkpoints() {
    let folder = folder();
    let words = "export --size 3x3 --tiles 1,2,3 --format ranked --out";
    let out = folder.path().join("out");
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    let checkpoint = tables.join("3x3-zero-aware-0.1.2-blank3.u8.pdb.checkpoint");
    fs::write(&checkpoint, "old").unwrap();
    let words = words.split(' ').map(Into::into).chain([out.clone().into()]);
    let words: Vec<std::ffi::OsString> = words.collect();
    let run = finish(start(&mut command_at(&tables, words)));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("building from the start"), "{}", run.err);
    assert!(out.exists() && !checkpoint.exists());
}

/// Builds one table and returns its bytes.
pub(crate) fn table(words: &str) -> Vec<u8> {
    let folder = folder();
    pdb_gen(folder.path(), words).succeeds();
    fs::read(only_file(folder.path())).unwrap()
}

/// Corrects the header's own checksum.
pub(crate) fn sign(bytes: &mut [u8]) {
    let sum = Sha256::digest(&bytes[..4064]);
    bytes[4064..4096].copy_from_slice(&sum);
}

/// A copy with a changed payload and corrected checksums. For `u8` tables the histogram, and the
/// fields that depend on the histogram, are corrected too. Only the entries are then wrong.
pub(crate) fn forged(table: &[u8], change: impl FnOnce(&mut [u8])) -> Vec<u8> {
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

/// Writes many variants of a file into a folder and asserts that `verify` rejects each of them by
/// name.
#[track_caller]
pub(crate) fn all_are_refused(variants: impl IntoIterator<Item = (String, Vec<u8>)>) -> String {
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
