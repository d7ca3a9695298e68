//! Tests the Python readers, which are written from docs/format.md and docs/ranking.md alone, on
//! tables that these tests build and pack.
#![allow(clippy::print_stderr)]

use std::path::Path;
use std::process::Command;

/// Runs all tests of a file, or only the named tests.
fn passes(script: &str, names: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = Command::new("python3")
        .arg(script)
        .args(names)
        .env("PDB_GEN", env!("CARGO_BIN_EXE_pdb-gen"))
        .current_dir(root)
        .output();
    let Ok(output) = run else {
        assert!(std::env::var_os("CI").is_none(), "python3 is needed here");
        eprintln!("skipped: python3 is not on this machine");
        return;
    };
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn the_reader_written_from_the_documentation_agrees() {
    passes("scripts/readers/test_read_table.py", &[]);
}

/// Runs the quick tests of the reader. The long set runs all tests of the reader.
#[test]
fn the_reader_written_from_the_documentation_agrees_on_small_tables() {
    let names = [
        "AgainstSearch.test_small_tables",
        "Damage",
        "Command",
        "Documents",
    ];
    let slow = ["Numbers", "Exports"];
    let script = include_str!("../../../../scripts/readers/test_read_table.py");
    let classes = script.lines().filter_map(|line| {
        let class = line.strip_prefix("class ")?;
        class.strip_suffix("(unittest.TestCase):")
    });
    let classes: Vec<&str> = classes.collect();
    let named = names.map(|name| name.split('.').next().unwrap());
    let is_listed = |class: &&str| named.contains(class) || slow.contains(class);
    assert!(
        classes.iter().all(is_listed),
        "a class of tests is in no list"
    );
    passes("scripts/readers/test_read_table.py", &names);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn the_unpacker_written_from_the_documentation_agrees() {
    passes("scripts/readers/test_unpack_table.py", &[]);
}
