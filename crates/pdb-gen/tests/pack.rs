//! Packed tables unpack to the bytes of the original table, as a whole and frame by frame. All
//! other input is rejected.
#![allow(clippy::unwrap_used)]

use pdb_gen::{RayonExecutor, build};
use pdb_table::{
    Cancel, Control, Encoding, Executor, Header, PackError, PackMethod, Packed, Table,
};
use proptest::prelude::*;
use puzzle::{Cell, CellSet, Goal, HeuristicSpec, Pattern, TableId, TableKind, Tray};
use sha2::{Digest, Sha256};

fn pack(
    table: &Table<Vec<u8>>,
    fixed: Option<usize>,
    executor: &impl Executor,
) -> Result<Vec<u8>, PackError> {
    pdb_table::pack(table, fixed, executor, &Cancel::default())
}

fn table(id: TableId, encoding: Encoding) -> Table<Vec<u8>> {
    build(id, encoding, &Control::default())
        .unwrap()
        .into_table()
}

fn unpack(bytes: &[u8]) -> Result<Table<Vec<u8>>, PackError> {
    Packed::new(bytes, bytes.len() as u64)?.unpack(bytes, &(), &Cancel::default())
}

/// Packs and unpacks a table. Also unpacks each frame alone, and compares every entry of the table
/// with its copy in a frame.
fn round_trip(table: &Table<Vec<u8>>, fixed: Option<usize>) -> Vec<u8> {
    let bytes = pack(table, fixed, &()).unwrap();
    let packed = Packed::new(&bytes, bytes.len() as u64).unwrap();
    assert_eq!(packed.header(), table.header());
    assert!(unpack(&bytes).unwrap().bytes() == table.bytes());
    let frames: Vec<Vec<u8>> = (0..packed.frames().len())
        .map(|frame| {
            let place = packed.frames()[frame].bytes.clone();
            let bytes = &bytes[place.start as usize..place.end as usize];
            packed.unpack_frame(frame, bytes).unwrap()
        })
        .collect();
    for entry in 0..table.header().entries {
        let (frame, at) = packed.locate(entry);
        let encoding = table.header().encoding;
        let expected = encoding.read(table.payload(), entry);
        assert!(expected.is_some());
        assert_eq!(encoding.read(&frames[frame], at), expected);
    }
    bytes
}

/// Tests every pattern of small trays in every kind and encoding, including tables in which half of
/// the entries are unreachable.
#[test]
fn all_tables_of_small_trays_unpack_unchanged() {
    for (width, height, most) in [(2, 2, 3), (3, 2, 5), (2, 4, 3), (3, 3, 3)] {
        let tray = Tray::new(width, height).unwrap();
        for tiles in 1..1 << tray.cells() {
            let tiles = CellSet::from_bits(tiles);
            let blank = CellSet::all(tray).difference(tiles).iter().last();
            let Some(blank) = blank.filter(|_| tiles.len() <= most) else {
                continue;
            };
            for kind in TableKind::ALL {
                let (id, _) = Pattern::new(tray, tiles, blank).unwrap().table(kind);
                for encoding in Encoding::all_for(kind) {
                    let packed = round_trip(&table(id, encoding), None);
                    let method = Packed::new(&packed, packed.len() as u64).unwrap().method();
                    let predicted = method == PackMethod::Predicted { fixed: 0 };
                    // A blank-compressed table with two free cells may be packed as bytes: its
                    // entries can combine a reachable and an unreachable region, and such values
                    // cannot be predicted.
                    assert!(
                        predicted
                            || kind == TableKind::MultiTile
                            || kind == TableKind::BlankCompressed
                                && tiles.len() + 2 == tray.cells()
                    );
                }
            }
        }
    }
}

#[test]
fn larger_tables_unpack_unchanged_with_every_frame_size() {
    let cases = [
        ("3x3", "1,2,3,4,5"),
        ("3x3", "1,2,4,5,7,8"),
        ("3x3", "1,2,3,4,5,6,7"),
        ("3x3", "1,2,3,4,5,6,7,8"),
        ("2x5", "1,2,3,4,7,8"),
        ("5x2", "1,2,3,6,7"),
    ];
    for (size, tiles) in cases {
        let goal = Goal::blank_last(size.parse().unwrap());
        let tiles: CellSet = HeuristicSpec::parse_tiles(tiles, &goal)
            .unwrap()
            .into_iter()
            .collect();
        for kind in TableKind::ALL {
            let pattern = Pattern::new(goal.tray(), tiles, goal.blank()).unwrap();
            let (id, _) = pattern.table(kind);
            for encoding in Encoding::all_for(kind) {
                let table = table(id, encoding);
                let most = PackMethod::max_fixed(tiles.len());
                let count = if cfg!(feature = "long-tests") { 3 } else { 2 };
                for fixed in (0..=most).take(count) {
                    let bytes = round_trip(&table, Some(fixed));
                    let same = pack(&table, Some(fixed), &RayonExecutor).unwrap();
                    assert!(bytes == same, "not the same bytes on all cores");
                }
                // Multi-tile tables are packed as bytes and ignore `fixed`.
                if kind != TableKind::MultiTile {
                    let error = pack(&table, Some(most + 1), &()).unwrap_err();
                    assert!(matches!(error, PackError::Fixed { .. }), "{error}");
                }
            }
        }
    }
}

/// Exact sizes for the 6-6-3 tables of the 15-puzzle. Both encodings of a table pack to the same
/// size.
#[test]
fn packed_tables_of_the_15_puzzle_have_the_exact_sizes() {
    let goal = Goal::blank_last("4x4".parse().unwrap());
    let sizes = [
        (TableKind::ZeroAware, [294_598, 282_916, 1_050]),
        (TableKind::BlankCompressed, [188_738, 206_006, 1_070]),
    ];
    for (kind, expected) in sizes {
        let plan = HeuristicSpec::builder(&goal)
            .kind(kind)
            .parse("6-6-3")
            .unwrap();
        for (id, expected) in plan.tables().into_iter().zip(expected) {
            // The packed size is the same for every encoding of the table, because the decoded
            // values are packed.
            let takes_both = kind == TableKind::ZeroAware || cfg!(feature = "long-tests");
            for encoding in Encoding::all_for(kind).take(if takes_both { 2 } else { 1 }) {
                let table = table(id, encoding);
                let bytes = pack(&table, None, &RayonExecutor).unwrap();
                assert_eq!(bytes.len(), expected, "{}", id.name());
                let packed = Packed::new(&bytes, bytes.len() as u64).unwrap();
                let unpacked = packed.unpack(&bytes, &RayonExecutor, &Cancel::default());
                assert!(unpacked.unwrap().bytes() == table.bytes());
            }
        }
    }
}

/// A table with impossible values and matching checksums is packed as bytes and unpacks unchanged.
#[test]
fn tables_with_impossible_values_unpack_unchanged() {
    let id = small_pattern(TableKind::ZeroAware);
    let sound = table(id, Encoding::U8);
    let mut payload = sound.payload().to_vec();
    payload[100] = 77;
    payload[101] = 255;
    let header = Header::of_bytes(id, &payload);
    let wrong = Table::new([&header.encode()[..], &payload].concat()).unwrap();
    let bytes = round_trip(&wrong, None);
    assert_eq!(
        Packed::new(&bytes, bytes.len() as u64).unwrap().method(),
        PackMethod::Bytes
    );

    let sound = table(id, Encoding::OneBit);
    for at in [0, 40, sound.payload().len() - 1] {
        let mut payload = sound.payload().to_vec();
        payload[at] ^= 4;
        let header = Header {
            payload_sha256: Sha256::digest(&payload).into(),
            ..sound.header().clone()
        };
        let wrong = Table::new([&header.encode()[..], &payload].concat()).unwrap();
        round_trip(&wrong, None);
    }
}

fn small_pattern(kind: TableKind) -> TableId {
    let tray = Tray::new(3, 3).unwrap();
    let pattern = Pattern::new(tray, CellSet::from_bits(0b1_1011), Cell::new(8)).unwrap();
    pattern.table(kind).0
}

fn small() -> Vec<u8> {
    let id = small_pattern(TableKind::ZeroAware);
    pack(&table(id, Encoding::OneBit), Some(0), &()).unwrap()
}

/// Compatibility: these bytes must not change without a new format version.
#[test]
fn the_bytes_are_pinned() {
    let sum = Sha256::digest(small());
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        sum,
        "ba5f3c796300d347a51fd22ae92cc696b718587a7d653b6a1acd1983c2957684"
    );
}

#[test]
fn changed_and_truncated_packed_files_are_rejected() {
    let sound = small();
    for at in 0..sound.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] ^= flip;
            assert!(unpack(&bytes).is_err(), "byte {at}");
        }
        assert!(unpack(&sound[..at]).is_err(), "cut to {at}");
    }
    assert!(unpack(&[&sound[..], b"\0"].concat()).is_err());
}

/// Recomputes the checksums of header and frames.
fn sign(bytes: &mut [u8]) {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let Some(sum_start) = length.checked_sub(32).filter(|_| length <= bytes.len()) else {
        return;
    };
    let mut header = bytes.to_vec();
    let frames = u32::from_le_bytes(bytes[60..64].try_into().unwrap()) as usize;
    if frames == 1 && sum_start > 40 {
        header[sum_start - 32..sum_start].copy_from_slice(&Sha256::digest(&bytes[length..]));
    }
    let sum = Sha256::digest(&header[..sum_start]);
    header[sum_start..length].copy_from_slice(&sum);
    bytes.copy_from_slice(&header);
}

/// Files with a changed byte and recomputed checksums of header and frames are rejected or unpack
/// to the original payload, because the checksum of the payload is not recomputed.
#[test]
fn changes_with_matching_checksums_are_rejected_or_harmless() {
    let sound = small();
    let original = unpack(&sound).unwrap();
    for at in 0..sound.len() {
        for flip in [0x01, 0x10, 0x80, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] ^= flip;
            sign(&mut bytes);
            if let Ok(found) = unpack(&bytes) {
                assert!(found.payload() == original.payload(), "byte {at}");
            }
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_cause_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(unpack(&bytes).is_err());
    }

    #[test]
    fn random_frames_cause_no_panic(
        frame in prop::collection::vec(any::<u8>(), 8..400),
        model in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
        kind in 0..3_usize,
    ) {
        let sound = pack(&table(small_pattern(TableKind::ALL[kind]), Encoding::U8), None, &()).unwrap();
        let length = Packed::header_length(&sound).unwrap();
        let mut bytes = sound[..length].to_vec();
        for (at, value) in model {
            let at = 112 + at.index(length - 112 - 72);
            bytes[at] = value;
        }
        bytes.extend(&frame);
        let whole = bytes.len() as u64;
        bytes[48..56].copy_from_slice(&whole.to_le_bytes());
        let place = length - 72;
        bytes[place..place + 8].copy_from_slice(&(frame.len() as u64).to_le_bytes());
        sign(&mut bytes);
        let _ = unpack(&bytes);
    }
}
