//! Damaged files: `verify` rejects them, and a build replaces them.

use std::fs;

use super::run::{build_small_tables, pdb_gen, verify};
use super::selection::{all_are_refused, forged, sign, table};
use crate::file::{files, folder, only_file};

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
