//! The only `unsafe` code of this crate maps files: the bytes of a mapping must not change while
//! the mapping exists, even if the file is replaced or removed. scripts/check/memory.sh runs all
//! tests named `tiny` under memory checkers.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use pdb_table::{Compression, HEADER_LENGTH, Header, TableFile, write_table};
use puzzle::{Cell, CellSet, Pattern, Ranking, TableId, TableKind, Tray};

/// Writes a well-formed table with arbitrary values and returns its bytes.
fn write(path: &Path, compression: Compression, factor: u64) -> Vec<u8> {
    let tray = Tray::new(3, 2).unwrap();
    let pattern = Pattern::new(tray, CellSet::from_bits(0b110), Cell::new(0)).unwrap();
    let id: TableId = pattern.table(TableKind::ZeroAware).0;
    let entries = Ranking::new(tray, 2, TableKind::ZeroAware).entries();
    let payload: Vec<u8> = (0..entries)
        .map(|entry| (entry * factor % 11) as u8)
        .collect();
    let write = |to: &mut dyn std::io::Write| to.write_all(&payload);
    let header = write_table(path, compression, write, |_| Header::of_bytes(id, &payload));
    [header.unwrap().encode(), payload].concat()
}

#[test]
fn tiny_mappings_stay_when_their_file_is_replaced_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.pdb");
    let first = write(&path, Compression::None, 3);
    let open = TableFile::open(&path).unwrap();
    assert_eq!(open.bytes(), first);
    let second = write(&path, Compression::None, 5);
    assert_ne!(first, second);
    let replaced = TableFile::open(&path).unwrap();
    assert_eq!((open.bytes(), replaced.bytes()), (&first[..], &second[..]));
    std::fs::remove_file(&path).unwrap();
    assert_eq!((open.bytes(), replaced.bytes()), (&first[..], &second[..]));
    // A mapping remains valid after another one is dropped.
    drop(replaced);
    assert_eq!(open.bytes()[HEADER_LENGTH..], first[HEADER_LENGTH..]);
    open.check_payload().unwrap();
}

#[test]
fn tiny_files_are_loaded_and_inflated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.pdb");
    let bytes = write(&path, Compression::None, 3);
    assert_eq!(TableFile::open_loading(&path, 0).unwrap().bytes(), bytes);
    let bytes = write(&path, Compression::Zstd(1), 7);
    assert_eq!(TableFile::open(&path).unwrap().bytes(), bytes);
}
