//! `solver probe`: shows the table entries that contribute to an estimate.

use std::process::Command;

use crate::run::clean;
use crate::solver_verbs::run::{folder, solver, string};

const BOARD: &str = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";

#[test]
fn sums_equal_those_of_the_search() {
    let folder = folder();
    for words in [
        "--partition 6-6-3",
        "--partition 6-6-3 --kind blank-compressed",
        "--partition manhattan",
        "--metric multi --partition lines",
        "--partition 4-4-4-3",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let probe = solver(
            folder.path(),
            [&["probe", "--json", BOARD], &words[..]].concat(),
        );
        let probe = probe.object(0);
        let solved = [&["--json", "--max-nodes", "1", BOARD], &words[..]].concat();
        let solved = solver(folder.path(), solved).object(1);
        assert_eq!(probe["estimate"], solved["h0"], "{words:?}");
        assert_eq!(
            probe["tables"],
            words[words.len() - 1].replace("blank-compressed", "6-6-3")
        );
        let views = probe["views"].as_array().unwrap();
        let sums = views.iter().map(|view| {
            let parts = view["parts"].as_array().unwrap();
            let sum: u64 = parts
                .iter()
                .map(|part| part["value"].as_u64().unwrap())
                .sum();
            assert_eq!(view["sum"], sum);
            sum
        });
        let best = sums.chain(probe["table_free"].as_u64()).max();
        assert_eq!(probe["estimate"].as_u64(), best, "{words:?}");
    }
}

/// Compares the printed values with the bytes in the table files.
#[test]
fn entries_match_the_file() {
    let folder = folder();
    let words = [
        "probe",
        "--json",
        "--partition",
        "6-6-3",
        "--kind",
        "blank-compressed",
        BOARD,
    ];
    let probe = solver(folder.path(), words).object(0);
    for view in probe["views"].as_array().unwrap() {
        for part in view["parts"].as_array().unwrap() {
            let bytes = std::fs::read(string(part, "file")).unwrap();
            // In a `u8` table, the entries are the bytes after the header.
            let entry = pdb_table::HEADER_LENGTH + part["entry"].as_u64().unwrap() as usize;
            assert_eq!(part["value"], bytes[entry]);
            assert_eq!(part["stored"], bytes[entry]);
        }
    }
}

/// The output names the file that was read. One-bit files are preferred to `u8` files.
#[test]
fn the_named_file_is_the_one_read() {
    let folder = folder();
    let tables = folder.path();
    for encoding in ["one-bit", "u8"] {
        let words = format!("--size 3x3 --partition 8 --encoding {encoding}");
        crate::pdb_gen_verbs::run::pdb_gen(tables, &words).succeeds();
    }
    let run = solver(tables, ["probe", "--json", "8 6 7/2 5 4/3 0 1"]);
    let part = &run.object(0)["views"][0]["parts"][0];
    assert_eq!(string(part, "encoding"), "one-bit");
    assert!(!string(part, "file").contains(".u8."), "{part}");
}

/// Standard output contains only JSON objects.
#[test]
fn boards_without_a_solution_have_an_object() {
    let folder = folder();
    for verb in [&["probe"][..], &["show", "--solve"]] {
        let words = [verb, &["--json", "1 2 3/4 5 6/8 7 0"]].concat();
        let object = solver(folder.path(), words).object(1);
        assert_eq!(object["status"], "unsolvable");
        assert_eq!(object["swap"], serde_json::json!([7, 8]));
    }
    let hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let words = ["show", "--solve", "--json", "--max-nodes", "10", hard];
    assert_eq!(solver(folder.path(), words).object(1)["status"], "limit");
}

#[test]
fn probes_are_printed_as_text() {
    let folder = folder();
    let run = solver(folder.path(), ["probe", "--quiet", BOARD]);
    let out = run.succeeds();
    assert!(
        out.starts_with(&format!("{BOARD}: the lower bound of 6-6-3 is 47 moves\n")),
        "{out}"
    );
    assert_eq!(
        out.lines().filter(|line| line.starts_with("view ")).count(),
        2
    );
    assert!(
        out.contains("   19  tiles 4,7,8,11,12,15: entry 6934973 of "),
        "{out}"
    );
    assert_eq!(out.lines().filter(|line| line.ends_with(".pdb")).count(), 3);
    let run = solver(
        folder.path(),
        ["probe", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"],
    );
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("swapping tiles"), "{}", run.out);
    let mut none = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut none);
    let status = none.arg("probe").output().unwrap().status;
    assert_eq!(status.code(), Some(2));
}
