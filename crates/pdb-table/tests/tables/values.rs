//! Reading, decoding, packing and unpacking, compared with a reference search. Packed bytes are
//! compared with the checksums in packed-sums.txt.

use std::path::Path;

use crate::statistics::{PATTERNS, UNREACHABLE, id, table, values};
use pdb_table::{
    Cancel, Encoding, HEADER_LENGTH, Header, PackError, PackMethod, Packed, ReadError, Table,
    TableError, TableFile, TableReader, decode_one_bit, hex, pack, pack_memory, unpack_memory,
};
use puzzle::{Reindex, TableKind};
use sha2::{Digest, Sha256};

#[test]
fn golden_files_equal_the_reference_search() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden/format-1");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = TableFile::open(&entry.unwrap().path()).unwrap();
        let (id, encoding) = (file.id(), file.header().encoding);
        let expected = table(id, encoding, &values(id));
        assert_eq!(file.header(), expected.header());
        assert!(file.bytes() == expected.bytes(), "{}", id.name());
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn every_entry_is_read_correctly_in_every_encoding() {
    for (size, tiles) in PATTERNS {
        for kind in TableKind::ALL {
            let id = id(size, tiles, kind);
            let values = values(id);
            for encoding in Encoding::all_for(kind) {
                let table = table(id, encoding, &values);
                table.check_payload().unwrap();
                let end = values.len() as u64;
                for (entry, &value) in (0..).zip(&values) {
                    let reached = Some(value).filter(|&value| value != UNREACHABLE);
                    assert!(table.entry_matches(entry, reached));
                    let other = reached.map_or(Some(2), |value| Some(value + 2));
                    let same = encoding != Encoding::U8 && reached.is_none();
                    assert_eq!(
                        table.entry_matches(entry, other),
                        same && encoding.stored(other) == 0
                    );
                    match encoding {
                        Encoding::U8 => {
                            assert_eq!(table.byte(entry), Some(value));
                            assert_eq!(table.value(entry), reached);
                        }
                        Encoding::OneBit => {
                            let bit = reached.is_some_and(|value| value & 2 != 0);
                            assert_eq!(table.bit(entry), Some(bit));
                        }
                        Encoding::Mod3 => {
                            let code = reached.map_or(0, |value| value % 3 + 1);
                            assert_eq!(table.mod3_code(entry), Some(code));
                        }
                    }
                }
                assert_eq!(encoding.read(table.payload(), end + 8), None);
            }
        }
    }
}

#[test]
fn bits_lead_down_to_the_goal() {
    for (size, tiles) in PATTERNS {
        let id = id(size, tiles, TableKind::ZeroAware);
        let values = values(id);
        let bits = table(id, Encoding::OneBit, &values);
        let ranking = bits.ranking().unwrap();
        let reindex = Reindex::for_tray(id.tray(), ranking.tiles());
        for (entry, &value) in values.iter().enumerate() {
            let (row, rank) = (entry / ranking.row_entries(), entry % ranking.row_entries());
            let found = bits.value_by_descent(&ranking, &reindex, row, rank as u32);
            assert_eq!(found, (value != UNREACHABLE).then_some(value), "{entry}");
        }
        let decoded = decode_one_bit(&bits, &Cancel::default()).unwrap();
        assert!(decoded.bytes() == table(id, Encoding::U8, &values).bytes());
        // A wrong bit is detected even with a correct checksum.
        let mut payload = bits.payload().to_vec();
        let reached = values
            .iter()
            .rposition(|&value| value != UNREACHABLE)
            .unwrap();
        payload[reached / 8] ^= 1 << (reached % 8);
        let header = Header {
            payload_sha256: Sha256::digest(&payload).into(),
            ..bits.header().clone()
        };
        let wrong = Table::new([header.encode(), payload].concat()).unwrap();
        let error = decode_one_bit(&wrong, &Cancel::default()).unwrap_err();
        assert!(matches!(
            error,
            PackError::Table(TableError::PayloadSum | TableError::Histogram)
        ));
        let cancel = Cancel::default();
        cancel.cancel();
        assert!(matches!(
            decode_one_bit(&bits, &cancel),
            Err(PackError::Cancelled)
        ));
    }
    let bytes = table(
        id("3x3", &[0], TableKind::ZeroAware),
        Encoding::U8,
        &[0; 36],
    );
    assert!(decode_one_bit(&bytes, &Cancel::default()).is_err());
}

/// Packs a table, unpacks it as a whole and frame by frame, and returns the packed bytes.
fn packed(table: &Table<Vec<u8>>, fixed: Option<usize>) -> Vec<u8> {
    let cancel = Cancel::default();
    let bytes = pack(table, fixed, &(), &cancel).unwrap();
    let packed = Packed::new(&bytes, bytes.len() as u64).unwrap();
    assert_eq!(packed.header(), table.header());
    assert_eq!(packed.file_length(), bytes.len() as u64);
    let unpacked = packed.unpack(&bytes, &(), &cancel).unwrap();
    assert!(unpacked.bytes() == table.bytes());
    let encoding = table.header().encoding;
    let frames: Vec<Vec<u8>> = packed
        .frames()
        .iter()
        .enumerate()
        .map(|(frame, entry)| {
            let range = entry.bytes.start as usize..entry.bytes.end as usize;
            packed.unpack_frame(frame, &bytes[range]).unwrap()
        })
        .collect();
    for entry in 0..table.header().entries {
        let (frame, at) = packed.locate(entry);
        let found = encoding.read(&frames[frame], at);
        assert_eq!(found, encoding.read(table.payload(), entry));
    }
    bytes
}

#[test]
fn packed_bytes_are_pinned() {
    let mut lines = String::new();
    for (size, tiles) in PATTERNS {
        for kind in TableKind::ALL {
            let id = id(size, tiles, kind);
            let values = values(id);
            for encoding in Encoding::all_for(kind) {
                let table = table(id, encoding, &values);
                let max = PackMethod::max_fixed(tiles.len());
                for fixed in [None, Some(0), Some(max)] {
                    let bytes = packed(&table, fixed);
                    let sum = hex(&Sha256::digest(&bytes)[..6]);
                    let fixed = fixed.map_or("-".to_owned(), |fixed| fixed.to_string());
                    lines += &format!("{} {encoding} {fixed} {} {sum}\n", id.name(), bytes.len());
                }
            }
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables/packed-sums.txt");
    if std::env::var_os("PDB_TABLE_WRITE_SUMS").is_some() {
        std::fs::write(&path, &lines).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), lines);
}

#[test]
fn unpredictable_values_are_packed_as_bytes() {
    let id = id("3x3", &[1, 3, 4, 7], TableKind::ZeroAware);
    let entries = values(id).len();
    let noise: Vec<u8> = (0..entries as u32)
        .map(|entry| (entry.wrapping_mul(2_654_435_761) >> 24) as u8 % 200)
        .collect();
    let table = table(id, Encoding::U8, &noise);
    let bytes = packed(&table, None);
    let packed = Packed::new(&bytes, bytes.len() as u64).unwrap();
    assert_eq!(packed.method(), PackMethod::Bytes);
    assert_eq!(packed.frames().len(), 1);
}

#[test]
fn damaged_packed_files_are_rejected() {
    let id = id("3x3", &[0, 1, 2], TableKind::ZeroAware);
    let table = table(id, Encoding::OneBit, &values(id));
    let whole = packed(&table, None);
    let length = Packed::header_length(&whole).unwrap();
    assert!(Packed::is_packed(&whole) && !Packed::is_packed(table.bytes()));
    let read = |bytes: &[u8]| {
        let packed = Packed::new(bytes, bytes.len() as u64)?;
        packed.unpack(bytes, &(), &Cancel::default())
    };
    for at in (0..whole.len()).step_by(3) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        assert!(read(&damaged).is_err(), "byte {at}");
        assert!(read(&whole[..at]).is_err(), "{at} bytes");
    }
    assert!(matches!(read(&[]), Err(PackError::CutShort)));
    assert!(matches!(read(b"GIF89a"), Err(PackError::NotPacked)));
    assert!(matches!(read(&whole[..10]), Err(PackError::CutShort)));
    for text in [&b"\x89PDZ\n\x1a\n"[..], b"\x89PDZ\r\r\n"] {
        assert!(matches!(read(text), Err(PackError::TextModeCopy)));
    }
    let longer = [&whole[..], b"x"].concat();
    assert!(matches!(read(&longer), Err(PackError::Length { .. })));
    // Each byte of the header is changed in turn, and the checksum is corrected. The file is
    // rejected, or unpacks to the same payload. A changed histogram of a one-bit table is not
    // detected, because the table's bits do not contain the values.
    for at in 8..length - 32 {
        for flip in [1, 0x80] {
            let mut other = whole.clone();
            other[at] ^= flip;
            let sum = Sha256::digest(&other[..length - 32]);
            other[length - 32..length].copy_from_slice(&sum);
            if let Ok(found) = read(&other) {
                assert!(found.payload() == table.payload(), "byte {at}");
            }
        }
    }
}

#[test]
fn memory_of_packing_is_predicted() {
    let id = id("3x3", &[1, 3, 4, 7], TableKind::ZeroAware);
    let values = values(id);
    let (bytes, bits) = (
        table(id, Encoding::U8, &values),
        table(id, Encoding::OneBit, &values),
    );
    let entries = values.len() as u64;
    // Packing needs four bytes per entry of each frame in progress. For a one-bit table it also
    // needs one byte per entry of the table, to store the values.
    assert_eq!(pack_memory(bytes.header(), None, 1), 4 * entries);
    assert_eq!(pack_memory(bits.header(), None, 4), 5 * entries);
    assert!(PackMethod::max_fixed(4) == 0 && PackMethod::max_fixed(6) == 2);
    let packed_of = |table: &Table<Vec<u8>>| {
        let bytes = packed(table, None);
        (
            Packed::new(&bytes, bytes.len() as u64).unwrap(),
            bytes.len() as u64,
        )
    };
    for (table, values) in [(&bytes, 0), (&bits, entries)] {
        let (packed, length) = packed_of(table);
        let least = length + 2 * (table.bytes().len() - HEADER_LENGTH) as u64 + values;
        let memory = unpack_memory(&packed, 2);
        assert!(
            (least..least + (1 << 20)).contains(&memory),
            "{memory} {least}"
        );
        assert_eq!(unpack_memory(&packed, 1), memory);
    }
}

#[test]
fn tables_are_read_from_bytes_in_every_form() {
    for encoding in [Encoding::U8, Encoding::OneBit] {
        let id = id("3x3", &[0, 1, 2], TableKind::ZeroAware);
        let table = table(id, encoding, &values(id));
        let plain = table.bytes().to_vec();
        let frame = zstd::encode_all(&plain[..], 3).unwrap();
        let read = |bytes: &[u8], memory: Option<u64>, cancel: &Cancel| {
            let reader = TableReader::new(bytes)?;
            assert_eq!(reader.header(), table.header());
            reader.read(memory, &(), cancel)
        };
        let go_on = Cancel::default();
        for bytes in [plain.clone(), packed(&table, None), frame] {
            let shared = read(&bytes, None, &go_on).unwrap();
            assert!(shared.bytes() == plain && shared.clone().bytes() == plain);
            let refused = read(&bytes, Some(table.payload().len() as u64 - 1), &go_on);
            assert!(matches!(refused, Err(ReadError::TooLarge { .. })));
            let cancel = Cancel::default();
            cancel.cancel();
            let refused = read(&bytes, None, &cancel);
            assert!(matches!(refused, Err(ReadError::Cancelled)), "{refused:?}");
            // Each damage is detected by the SHA-256 of the header, a frame or the payload.
            for at in (0..bytes.len()).step_by(1 + bytes.len() / 40) {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0x40;
                let read =
                    TableReader::new(damaged).and_then(|reader| reader.read(None, &(), &go_on));
                assert!(read.is_err(), "{encoding}: byte {at} of {}", bytes.len());
            }
        }
    }
    assert!(matches!(
        TableReader::new(&b""[..]),
        Err(ReadError::Table(_))
    ));
    assert!(matches!(
        TableReader::new(&b"GIF89a"[..]),
        Err(ReadError::Table(_))
    ));
}
