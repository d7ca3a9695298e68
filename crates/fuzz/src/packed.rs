//! Packed tables with correct checksums and arbitrary contents, and their manifests, in a separate
//! file or at the start of a file with the packed tables: unpacking ends, and wrong output is never
//! accepted as a table.

use std::sync::LazyLock;

use pdb_table::bundle::{Manifest, PackedFile, PackedTable};
use pdb_table::{Cancel, Packed, Table, hex, pack, unpack_memory};
use puzzle::{Goal, HeuristicSpec};
use sha2::{Digest as _, Sha256};

use crate::inputs::apply_edits;
use crate::table::{MAX_ENTRIES, TABLES, assert_judged_rightly};
use crate::text::assert_one_line;

/// Positions and lengths in the header, in bytes.
const HEADER_LENGTH_AT: usize = 12;
const FILE_LENGTH: usize = 48;
const MAX: usize = 56;
const FRAMES: usize = 60;
const MODEL_LENGTH: usize = 64;
const FIELDS: usize = 112;
const FRAME: usize = 40;
const SUM: usize = 32;

/// Flags in the second byte of the input.
const UNREPAIRED: u8 = 1;
const WHOLE_FILE: u8 = 2;
const LENGTH_KEPT: u8 = 4;

/// A table and its packed form.
struct Sound {
    table: Vec<u8>,
    packed: Vec<u8>,
}

static PACKED: LazyLock<Vec<Sound>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for file in TABLES.iter() {
        let table = Table::new(file.clone()).expect("a valid table");
        for fixed in [None, Some(1)] {
            if let Ok(packed) = pack(&table, fixed, &(), &Cancel::default()) {
                all.push(Sound {
                    table: file.clone(),
                    packed,
                });
            }
        }
    }
    all
});

/// The first byte selects a packed table, and the second byte contains flags. With the flag
/// `WHOLE_FILE`, the rest of the input is a whole file. Otherwise the rest is a list of changes to
/// the selected packed table.
pub fn packed(bytes: &[u8]) {
    let [choice, how, rest @ ..] = bytes else {
        return;
    };
    let sound = &PACKED[usize::from(*choice) % PACKED.len()];
    let mut file = match how & WHOLE_FILE {
        0 => {
            let mut file = sound.packed.clone();
            let header = number(&file, HEADER_LENGTH_AT, 4);
            // Changes affect the header's fields and the bytes after the header. If bit 3 of `how`
            // is set, they can also affect the rest of the header: the histogram, the model and the
            // index.
            let start = if how & 8 == 0 { header } else { FIELDS };
            apply_edits(&mut file, FIELDS, start, rest);
            file
        }
        _ => rest.to_vec(),
    };
    if how & UNREPAIRED == 0 {
        repair(&mut file, how & LENGTH_KEPT == 0);
    }
    let packed = match Packed::new(&file, file.len() as u64) {
        Ok(packed) => packed,
        Err(error) => return assert_one_line(error),
    };
    let header = packed.header();
    let _ = unpack_memory(&packed, 1);
    if header.entries > MAX_ENTRIES {
        return;
    }
    for entry in [0, header.entries / 2, header.entries - 1] {
        assert!(
            packed.locate(entry).0 < packed.frames().len(),
            "entry {entry} is in no frame"
        );
    }
    for (number, frame) in packed.frames().iter().enumerate() {
        let bytes = &file[frame.bytes.start as usize..frame.bytes.end as usize];
        if let Err(error) = packed.unpack_frame(number, bytes) {
            assert_one_line(error);
        }
    }
    match packed.unpack(&file, &(), &Cancel::default()) {
        Ok(table) => {
            assert_eq!(table.header(), header);
            assert_eq!(table.check_payload(), Ok(()));
            if how & UNREPAIRED != 0 {
                let is_sound = |sound: &Sound| sound.packed == file && sound.table == table.bytes();
                assert!(PACKED.iter().any(is_sound), "a change was not detected");
            }
            assert_judged_rightly(&table);
        }
        Err(error) => assert_one_line(error),
    }
}

/// Corrects the checksums of the header and of the frames that are completely in the file. If
/// `length` is set, also corrects the file length in the header.
fn repair(file: &mut [u8], length: bool) {
    if file.len() < FIELDS + SUM {
        return;
    }
    if length {
        let length = file.len() as u64;
        file[FILE_LENGTH..][..8].copy_from_slice(&length.to_le_bytes());
    }
    let header = number(file, HEADER_LENGTH_AT, 4);
    if header < FIELDS + SUM || header > file.len() {
        return;
    }
    let counts = 8 * (number(file, MAX, 4).min(255) + 1);
    let model = number(file, MODEL_LENGTH, 4).div_ceil(8) * 8;
    let (mut entry, mut start) = (FIELDS + counts + model, header);
    for _ in 0..number(file, FRAMES, 4) {
        if entry + FRAME + SUM > header {
            break;
        }
        let end = start.saturating_add(number(file, entry, 8));
        let Some(frame) = file.get(start..end) else {
            break;
        };
        let sum = Sha256::digest(frame);
        file[entry + 8..][..SUM].copy_from_slice(&sum);
        (entry, start) = (entry + FRAME, end);
    }
    let sum = Sha256::digest(&file[..header - SUM]);
    file[header - SUM..header].copy_from_slice(&sum);
}

/// A little-endian integer of up to eight bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    let mut number = [0; 8];
    number[..length].copy_from_slice(&bytes[at..][..length]);
    usize::try_from(u64::from_le_bytes(number)).unwrap_or(usize::MAX)
}

/// A valid manifest.
static SOUND: LazyLock<Manifest> = LazyLock::new(|| {
    let goal = Goal::blank_last("2x2".parse().expect("a size"));
    let spec = HeuristicSpec::parse("1,2,3", &goal).expect("a partition");
    let is_wanted = |table: &Table<&[u8]>| spec.tables().contains(&table.id());
    let tables = TABLES
        .iter()
        .map(|file| Table::new(&file[..]).expect("a valid table"));
    let table = tables
        .into_iter()
        .find(is_wanted)
        .expect("it is among them");
    let bytes = pack(&table, None, &(), &Cancel::default()).expect("a small table");
    let packed = Packed::new(&bytes, bytes.len() as u64).expect("it was packed");
    let numbers = goal.board().numbers().to_vec();
    let mut manifest = Manifest::new("2x2".to_owned(), numbers, "pdb-gen pack".to_owned());
    manifest.parts = Manifest::parts_of(&goal, spec.partitions(), &spec.tables());
    let file = PackedFile {
        file: "a.pdbz".to_owned(),
        length: bytes.len() as u64,
        sha256: hex(&Sha256::digest(&bytes)),
    };
    let sha256 = hex(&Sha256::digest(table.bytes()));
    manifest.tables = vec![PackedTable::new(&packed, file, "a.pdb".to_owned(), sha256)];
    manifest
});

/// Bit 1 of the first byte selects the meaning of the rest of the input: 0 for the text of a
/// manifest, 1 for changes to a valid manifest.
pub fn manifest(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let mut text = rest.to_vec();
    if choice & 2 == 2 {
        text = SOUND.to_text().into_bytes();
        apply_edits(&mut text, 0, 0, rest);
    }
    match Manifest::from_text(&text) {
        Ok(manifest) => {
            let printed = manifest.to_text();
            let read = Manifest::from_text(printed.as_bytes());
            assert_eq!(read.as_ref(), Ok(&manifest));
            let names = manifest
                .tables
                .iter()
                .flat_map(|table| [&table.packed.file, &table.table.file]);
            for name in names {
                assert!(
                    !name.contains(['/', '\\', ':']) && !name.starts_with('.'),
                    "{name}"
                );
            }
        }
        Err(line) => assert_one_line(&line),
    }
}
