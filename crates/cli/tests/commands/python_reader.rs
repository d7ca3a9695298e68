//! The readers in Python, written from docs/format.md and docs/ranking.md alone, against tables
//! built and packed here.
#![allow(clippy::print_stderr)]

use std::path::Path;
use std::process::Command;

fn passes(script: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = Command::new("python3")
        .arg(script)
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

#[test]
fn the_reader_written_from_the_documentation_agrees() {
    passes("scripts/test_read_table.py");
}

#[test]
fn the_unpacker_written_from_the_documentation_agrees() {
    passes("scripts/test_unpack_table.py");
}
