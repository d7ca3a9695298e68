//! Reference tables: valid tables, built once, and fresh builds to compare files with.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use pdb_gen::build;
use pdb_table::{Control, Encoding, Table};
use puzzle::{Cell, CellSet, Pattern, TableId, TableKind, Tray};

/// Largest number of entries of tables that are built for comparison.
pub const MAX_ENTRIES: u64 = 20_000;
/// Largest number of builds that are kept.
const KEPT: usize = 256;

/// The committed files of an earlier format version.
const GOLDEN: [&[u8]; 4] = [
    include_bytes!("../../../data/golden/format-1/3x3-blank-compressed-0.1.2-blank3.pdb"),
    include_bytes!("../../../data/golden/format-1/3x3-full-0.1.2-blank6.pdb"),
    include_bytes!("../../../data/golden/format-1/3x3-zero-aware-0.1.2-blank3.pdb"),
    include_bytes!("../../../data/golden/format-1/3x3-zero-aware-0.1.2-blank3.u8.pdb"),
];

/// The table of a pattern. `tiles` contains the goal cells of the pattern's tiles, and `blank` is
/// the blank's goal cell.
#[must_use]
pub fn table_id(size: &str, tiles: &[usize], blank: usize, kind: TableKind) -> TableId {
    let tray: Tray = size.parse().expect("a size");
    let tiles: CellSet = tiles.iter().map(|&cell| Cell::new(cell)).collect();
    let pattern = Pattern::new(tray, tiles, Cell::new(blank)).expect("a pattern");
    pattern.table(kind).0
}

/// Valid table files: tables of every kind in every encoding, and the files in `GOLDEN`.
pub static TABLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut files: Vec<Vec<u8>> = GOLDEN.iter().map(|file| file.to_vec()).collect();
    for kind in TableKind::ALL {
        for encoding in Encoding::all_for(kind) {
            for (size, tiles, blank) in [("2x2", &[0, 1, 2][..], 3), ("3x2", &[0, 1, 3], 5)] {
                files.push(built(table_id(size, tiles, blank, kind), encoding));
            }
        }
    }
    files
});

fn built(id: TableId, encoding: Encoding) -> Vec<u8> {
    let table = build(id, encoding, &Control::default()).expect("a small table");
    table.into_table().bytes().to_vec()
}

/// Files by table and encoding.
type Built = HashMap<(TableId, Encoding), Arc<Vec<u8>>>;

/// The bytes of a fresh build; `None` if the table is too large for comparison.
#[must_use]
pub fn fresh(id: TableId, encoding: Encoding) -> Option<Arc<Vec<u8>>> {
    static BUILT: LazyLock<Mutex<Built>> = LazyLock::new(Mutex::default);
    if id.entries() > MAX_ENTRIES {
        return None;
    }
    let mut all = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= KEPT {
        all.clear();
    }
    let file = all.entry((id, encoding));
    Some(Arc::clone(
        file.or_insert_with(|| Arc::new(built(id, encoding))),
    ))
}

/// Checks that `verify` accepts a table if and only if it equals a fresh build.
pub fn assert_judged_rightly<D: AsRef<[u8]> + Sync>(table: &Table<D>) {
    let header = table.header();
    if header.entries > MAX_ENTRIES {
        return;
    }
    let verdict = pdb_gen::verify(table, &Control::default());
    if let Err(error) = &verdict {
        crate::text::assert_one_line(error);
    }
    if let Some(fresh) = fresh(header.id, header.encoding) {
        let is_right = fresh.as_slice() == table.bytes();
        assert_eq!(verdict.is_ok(), is_right, "{}: {verdict:?}", header.id);
    }
}
