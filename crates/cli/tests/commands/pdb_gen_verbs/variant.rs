//! Wrong variants of valid tables, which `verify` must reject.

use std::fs;

use sha2::{Digest, Sha256};

use crate::file::{folder, only_file};
use crate::pdb_gen_verbs::run::{pdb_gen, verify};

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
