//! Compatibility: the stored tables of format version 1 can still be read and proved, and building
//! them again produces the same bytes.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use pdb_gen::{build, verify};
use pdb_table::{Control, TableFile};
use puzzle::{Cell, Goal, HeuristicSpec, Tray};
use sha2::{Digest, Sha256};

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(path)
}

#[test]
fn golden_files_are_readable_and_reproducible() {
    let mut files = 0;
    for entry in fs::read_dir(data("golden/format-1")).unwrap() {
        let path = entry.unwrap().path();
        let table = TableFile::open(&path).unwrap();
        verify(&table, &Control::default()).unwrap();
        let built = build(table.id(), table.header().encoding, &Control::default()).unwrap();
        assert!(
            built.into_table().bytes() == table.bytes(),
            "{}",
            path.display()
        );
        files += 1;
    }
    assert_eq!(files, 5);
}

/// Published checksums of the standard tables. The large tables of the partition `7-8` are checked
/// only by `scripts/check/tables.sh`.
#[test]
fn standard_tables_have_their_published_checksums() {
    let list = fs::read_to_string(data("tables.sha256")).unwrap();
    let sums: HashMap<&str, &str> = list
        .lines()
        .map(|line| {
            line.split_once("  ")
                .map(|(sum, name)| (name, sum))
                .unwrap()
        })
        .collect();
    let mut checked = 0;
    for (size, partition, blank) in [
        ("2x2", "3", 3),
        ("3x3", "8", 8),
        ("3x3", "5-3", 8),
        ("3x3", "fringe", 8),
        ("4x4", "6-6-3", 15),
        ("4x4", "6-6-3", 1),
        ("4x4", "6-6-3", 5),
    ] {
        let tray: Tray = size.parse().unwrap();
        let goal = Goal::with_blank(tray, Cell::new(blank));
        let plan = HeuristicSpec::parse(partition, &goal).unwrap();
        for id in plan.tables() {
            let encoding = pdb_table::Encoding::default_for(id.kind());
            let table = build(id, encoding, &Control::default())
                .unwrap()
                .into_table();
            let sum: String = Sha256::digest(table.bytes())
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let name = format!("{}.pdb", id.name());
            assert_eq!(sums.get(name.as_str()), Some(&sum.as_str()), "{name}");
            checked += 1;
        }
    }
    assert!(checked >= 15, "{checked}");
}
