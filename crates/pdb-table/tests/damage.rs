//! Invalid bytes never cause a panic, a wrong length or a large allocation.
#![allow(clippy::unwrap_used)]

use pdb_table::{
    AtomicFile, Compression, Encoding, FileErrorKind, HEADER_LENGTH, Header, Histogram, Table,
    TableDirectory, TableError, TableFile, write_table,
};
use proptest::prelude::*;
use puzzle::{Cell, CellSet, Pattern, TableId, TableKind, Tray};
use sha2::{Digest, Sha256};

/// A well-formed table with arbitrary values, of the tiles 1 and 2 on the 3x3 tray.
fn example() -> (TableId, Vec<u8>) {
    let tray = Tray::new(3, 3).unwrap();
    let pattern = Pattern::new(tray, CellSet::from_bits(0b110), Cell::new(0)).unwrap();
    let (id, _) = pattern.table(TableKind::ZeroAware);
    let entries = puzzle::Ranking::new(tray, 2, TableKind::ZeroAware).entries();
    let payload: Vec<u8> = (0..entries).map(|e| (e % 11) as u8).collect();
    let header = Header::of_bytes(id, &payload);
    (id, [header.encode(), payload].concat())
}

fn with_right_sum(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = Sha256::digest(&bytes[..HEADER_LENGTH - 32]);
    bytes[HEADER_LENGTH - 32..HEADER_LENGTH].copy_from_slice(&sum);
    bytes
}

#[test]
fn valid_tables_are_accepted() {
    let (_, bytes) = example();
    let table = Table::new(bytes).unwrap();
    table.check_payload().unwrap();
    table.ranking().unwrap();
}

#[test]
fn every_wrong_length_is_rejected() {
    let (_, bytes) = example();
    for length in (0..bytes.len()).step_by(13).chain([bytes.len() - 1]) {
        assert!(Table::new(&bytes[..length]).is_err(), "{length} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Table::new(longer), Err(TableError::Length { .. })));
}

#[test]
fn every_flipped_payload_byte_is_found() {
    let (_, bytes) = example();
    for at in HEADER_LENGTH..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let table = Table::new(damaged).unwrap();
        assert_eq!(table.check_payload(), Err(TableError::PayloadSum));
    }
}

#[test]
fn files_of_other_kinds_are_distinguished() {
    let (_, bytes) = example();
    let refused = |bytes: &[u8]| Table::new(bytes.to_vec()).unwrap_err();
    assert_eq!(refused(&[]), TableError::Empty);
    assert_eq!(refused(b"GIF89a..."), TableError::NotATable);
    assert_eq!(refused(&bytes[..5]), TableError::CutShort(5));
    let text: Vec<u8> = bytes.iter().copied().filter(|&b| b != b'\r').collect();
    assert_eq!(refused(&text), TableError::TextModeCopy);
    let mut newer = bytes.clone();
    newer[8] = 3;
    let error = refused(&with_right_sum(newer));
    assert!(matches!(
        error,
        TableError::Version {
            found: 3,
            newest: 2
        }
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..6000)) {
        let _ = Table::new(&bytes[..]);
        let with_magic = [&b"\x89PDB\r\n\x1a\n"[..], &bytes].concat();
        let _ = Table::new(with_magic);
    }

    /// Several bytes of the header are changed, and the header's checksum is corrected. An accepted
    /// header is consistent, and its ranking is no larger than the file.
    #[test]
    fn headers_with_correct_checksums_never_panic(
        changes in proptest::collection::vec((8_usize..2200, any::<u8>()), 1..6)
    ) {
        let (_, mut bytes) = example();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        let length = bytes.len() as u64;
        if let Ok(table) = Table::new(with_right_sum(bytes)) {
            prop_assert_eq!(HEADER_LENGTH as u64 + table.header().payload_length(), length);
            let _ = table.check_payload();
            if let Ok(ranking) = table.ranking() {
                prop_assert_eq!(ranking.entries(), table.header().entries);
                prop_assert!(table.byte(ranking.entries() - 1).is_some());
            }
        }
    }
}

fn write(
    directory: &TableDirectory,
    bytes: &[u8],
    id: TableId,
    compressed: bool,
) -> std::path::PathBuf {
    directory.create().unwrap();
    let layer = if compressed {
        Compression::Zstd(3)
    } else {
        Compression::None
    };
    let path = directory.file(id, Encoding::U8, compressed);
    let header = Header::decode(bytes).unwrap();
    let written = write_table(
        &path,
        layer,
        |to| to.write_all(&bytes[HEADER_LENGTH..]),
        |sum| {
            assert_eq!(sum, header.payload_sha256);
            header.clone()
        },
    );
    written.unwrap();
    path
}

#[test]
fn files_read_back_plain_and_compressed() {
    let (id, bytes) = example();
    let place = tempfile::tempdir().unwrap();
    let directory = TableDirectory::new(place.path().join("a/b"));
    for compressed in [true, false] {
        let path = write(&directory, &bytes, id, compressed);
        let table = directory.open(id, Encoding::U8, &path).unwrap();
        assert_eq!(table.bytes(), bytes);
        assert_eq!(std::fs::read(&path).unwrap() == bytes, !compressed);
    }
    let left = std::fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(left, 2, "no temporary file is left");
}

#[test]
fn damaged_compressed_files_are_rejected() {
    let (id, bytes) = example();
    let place = tempfile::tempdir().unwrap();
    let directory = TableDirectory::new(place.path());
    let path = write(&directory, &bytes, id, true);
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x20;
        std::fs::write(&path, &damaged).unwrap();
        // A frame with a flipped bit can still be valid if its header does not use the bit. Then
        // the output must not change.
        if let Ok(table) = directory.open(id, Encoding::U8, &path) {
            assert_eq!(table.bytes(), bytes, "byte {at}");
        }
        std::fs::write(&path, &whole[..at]).unwrap();
        assert!(
            directory.open(id, Encoding::U8, &path).is_err(),
            "{at} bytes"
        );
    }
}

/// A header with a wrong number of rows is accepted when it is read on its own. The directory
/// compares the number with the table's exact number before it accepts a file.
#[test]
fn a_table_with_too_few_rows_is_rejected_by_name() {
    let (id, _) = example();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("short.pdb");
    let payload = vec![1; 36 * 2];
    let bytes = [Header::of_bytes(id, &payload).encode(), payload].concat();
    std::fs::write(&path, bytes).unwrap();
    assert!(TableFile::open(&path).is_ok());
    let directory = TableDirectory::new(place.path());
    let error = directory
        .open(id, Encoding::U8, &path)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("short.pdb") && error.contains("72 entries"),
        "{error}"
    );
}

/// The file is a zstd frame of a few hundred bytes; the header in it claims a table of gigabytes.
#[test]
fn compressed_files_cannot_claim_more_memory_than_their_size_justifies() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("bomb.pdb.zst");
    let tray = Tray::new(5, 5).unwrap();
    let tiles = CellSet::from_bits(0b1_1111_1110);
    let pattern = Pattern::new(tray, tiles, Cell::new(0)).unwrap();
    let entries = 43_609_104_000;
    let mut values = Histogram::default();
    values.add(0, entries);
    let header = Header {
        id: pattern.table(TableKind::BlankCompressed).0,
        encoding: Encoding::U8,
        entries,
        histogram: values,
        payload_sha256: [0; 32],
    };
    let bytes = [header.encode(), vec![0; 1 << 20]].concat();
    std::fs::write(&path, zstd::encode_all(&bytes[..], 3).unwrap()).unwrap();
    let kind = TableFile::open(&path).unwrap_err().kind;
    let refused = FileErrorKind::Table(TableError::Compressed(String::new()));
    assert_eq!(
        std::mem::discriminant(&kind),
        std::mem::discriminant(&refused)
    );
    assert!(kind.to_string().contains("cannot hold"), "{kind}");
}

#[test]
fn a_failed_write_leaves_nothing() {
    let (id, bytes) = example();
    let place = tempfile::tempdir().unwrap();
    let directory = TableDirectory::new(place.path());
    let path = directory.file(id, Encoding::U8, false);
    let failed = write_table(
        &path,
        Compression::None,
        |_| Err(std::io::Error::other("no space left")),
        |_| Header::decode(&bytes).unwrap(),
    );
    assert!(failed.unwrap_err().to_string().contains("no space left"));
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn another_tables_file_is_rejected() {
    let (id, bytes) = example();
    let place = tempfile::tempdir().unwrap();
    let directory = TableDirectory::new(place.path());
    let path = write(&directory, &bytes, id, false);
    let tiles = CellSet::from_bits(0b1010);
    let pattern = Pattern::new(id.tray(), tiles, id.blank().lowest().unwrap()).unwrap();
    let (other, _) = pattern.table(id.kind());
    let error = directory
        .open(other, Encoding::U8, &path)
        .unwrap_err()
        .to_string();
    assert!(error.contains("was expected here"), "{error}");
}

#[test]
fn leftovers_of_killed_writers_are_removed() {
    let place = tempfile::tempdir().unwrap();
    let directory = TableDirectory::new(place.path());
    let leave = |name: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, "left").unwrap();
        path
    };
    let writing = AtomicFile::create(&place.path().join("file")).unwrap();
    let left = leave(".unfinished-aB3xYz.tmp");
    let others = leave("notes.tmp");
    directory.create().unwrap();
    assert!(!left.exists() && others.exists());
    writing.finish().unwrap();
}
