//! Names and checksums of the files in a directory.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

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
