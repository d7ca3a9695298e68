//! Existing files: which of them verbs use, what `verify` rejects, and what a build replaces.

use std::fs;

use fs4::fs_std::FileExt as _;
use sha2::{Digest, Sha256};

use crate::pdb_gen_verbs::run::{build_small_tables, command_at, finish, pdb_gen, start, verify};
use crate::run::{files, folder, only_file};

#[test]
fn damaged_files_are_rebuilt_with_a_message() {
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

/// A table whose file name ends in `.u8.pdb` must have the encoding `u8`.
#[test]
fn files_with_a_wrong_encoding_are_rebuilt() {
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

#[test]
fn verify_rejects_incomplete_tables() {
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
fn verify_continues_after_a_bad_file() {
    let folder = folder();
    build_small_tables(folder.path());
    let mut files = files(folder.path());
    files.insert(1, folder.path().join("not-there.pdb"));
    let run = verify(&files);
    assert_eq!(run.code, Some(3));
    assert_eq!(run.out.lines().count(), 3);
    assert_eq!(run.err.lines().count(), 1);
    assert!(run.err.contains("not-there.pdb"), "{}", run.err);
}

/// Changes one bit of the payload, and corrects the checksums.
fn wrong_bit(table: &[u8], bit: usize) -> (String, Vec<u8>) {
    let wrong = forged(table, |payload| payload[bit / 8] ^= 1 << (bit % 8));
    (format!("{bit}.pdb"), wrong)
}

#[test]
fn verify_rejects_one_wrong_bit_with_correct_sums() {
    let table = table("--size 3x3 --tiles 1,2,3,4,5,6");
    let bits = 8 * (table.len() - 4096);
    let spread = (0..bits).step_by(bits / 200).chain([bits - 1]);
    let reasons = all_are_refused(spread.map(|bit| wrong_bit(&table, bit)));
    assert!(!reasons.contains("SHA-256"), "{reasons}");
}

#[test]
fn verify_rejects_values_all_wrong_by_two() {
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
fn verify_rejects_a_payload_under_another_header() {
    // Both tables have the same number of entries: only the values differ.
    for words in ["", "--encoding u8", "--kind full"] {
        let first = table(&format!("--size 3x3 --tiles 1,2,3 {words}"));
        let second = table(&format!("--size 3x3 --tiles 1,2,4 {words}"));
        assert_eq!(first.len(), second.len());
        let swapped = forged(&first, |payload| payload.copy_from_slice(&second[4096..]));
        all_are_refused([("swapped.pdb".to_owned(), swapped)]);
    }
}

/// docs/format.md: the bits after the last entry are 0, so that a table has only one valid file.
#[test]
fn verify_rejects_set_bits_after_the_last_entry() {
    // Nine entries: seven bits of the second byte are unused.
    let table = table("--size 3x3 --tiles 1");
    assert_eq!(table.len(), 4096 + 2);
    all_are_refused((1..8).map(|bit| {
        let wrong = forged(&table, |payload| payload[1] ^= 1 << bit);
        (format!("{bit}.pdb"), wrong)
    }));
}

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
    assert!(line.contains("pdb-gen list --tables "), "{line}");
    let line = pdb_gen(tables, "info .").fails(3);
    assert_eq!(
        line,
        "pdb-gen: .: not a table but a directory; try: --tables .\n"
    );
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
