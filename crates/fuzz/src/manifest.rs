//! Manifests of packed tables: in a separate file, or at the start of a file that also contains the
//! packed tables.

use std::sync::LazyLock;

use pdb_table::bundle::{Manifest, PackedTable, SingleFile};
use pdb_table::{Cancel, Packed, Table, hex, pack};
use puzzle::{Goal, HeuristicSpec};
use sha2::{Digest as _, Sha256};

use crate::edits;
use crate::reference::TABLES;
use crate::text::assert_one_line;

/// The first bytes of a single file, before the manifest's length and checksum.
const SINGLE_MAGIC: [u8; 8] = *b"\x89PDS\r\n\x1a\n";

/// A packed table and its manifest.
pub(crate) static SOUND: LazyLock<(Vec<u8>, Manifest)> = LazyLock::new(|| {
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
    let place = pdb_table::bundle::FileRange {
        file: "a.pdbz".to_owned(),
        offset: 0,
        length: bytes.len() as u64,
        sha256: hex(&Sha256::digest(&bytes)),
    };
    let sha256 = hex(&Sha256::digest(table.bytes()));
    manifest.tables = vec![PackedTable::new(&packed, place, "a.pdb".to_owned(), sha256)];
    (bytes, manifest)
});

/// Bit 0 of the first byte selects the place of the manifest: 0 for a separate file, 1 for a single
/// file that contains the manifest and then a packed table. Bit 1 selects the meaning of the rest
/// of the input: 0 for the text of a manifest, 1 for changes to a valid manifest.
pub fn body(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let is_single = choice & 1 == 1;
    let mut text = rest.to_vec();
    if choice & 2 == 2 {
        text = SOUND.1.to_text().into_bytes();
        edits::apply(&mut text, 0, 0, rest);
    }
    let text = &text[..];
    let read = Manifest::from_text(text, is_single);
    match &read {
        Ok(manifest) => {
            let printed = manifest.to_text();
            assert_eq!(
                Manifest::from_text(printed.as_bytes(), is_single).as_ref(),
                Ok(manifest)
            );
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
        Err(line) => assert_one_line(line),
    }
    let packed = &SOUND.0;
    let length = (text.len() as u64).to_le_bytes();
    let sum = Sha256::digest(text);
    let file = [&SINGLE_MAGIC[..], &length, &sum, text, packed].concat();
    match SingleFile::new(&file) {
        Ok(single) => {
            assert!(SingleFile::is_single(&file));
            assert_eq!(Ok(&single.manifest), read.as_ref());
            assert_eq!(
                single.packed.concat(),
                *packed,
                "bytes that belong to no table"
            );
        }
        Err(error) => assert_one_line(error),
    }
}
