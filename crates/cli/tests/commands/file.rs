//! The files of a directory, by name and by sum.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

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

/// Names and sums of all files.
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
