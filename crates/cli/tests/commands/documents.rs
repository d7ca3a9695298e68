//! Compares node counts in documents with the program. scripts/bench.py makes the tables of
//! docs/results.md from docs/results/*.json; `scripts/bench.py --check` compares those tables with
//! the files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::run::{clean, finish, start};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|err| panic!("{path}: {err}"))
}

/// The rows with exact figures in docs/results/`group`.json.
fn exact_rows(group: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(&text(&format!("docs/results/{group}.json"))).unwrap();
    let rows = data["rows"].as_array().unwrap();
    rows.iter()
        .filter(|row| row["exact"] == true)
        .cloned()
        .collect()
}

fn count(row: &Value, field: &str) -> u64 {
    row[field].as_u64().unwrap()
}

/// Finds the row with this name and preset among the group's exact rows. Asserts that there is only
/// one.
fn exact_row(group: &str, name: &str, preset: &str) -> Value {
    let mut rows = exact_rows(group);
    rows.retain(|row| row["name"] == name && row["preset"] == preset);
    assert_eq!(rows.len(), 1, "{group}: {name}, {preset}");
    rows.remove(0)
}

/// Splits a shell command line into words. Of the special characters of a shell, only double quotes
/// are supported.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, part) in command.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

/// Runs a command line from docs/results, and returns the numbers of generated and expanded nodes.
fn run_again(command: &str, tables: &Path) -> (u64, u64) {
    let words = words(command);
    assert_eq!(words[0], "solver", "{command}");
    let mut solver = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut solver);
    solver
        .args(&words[1..])
        .env("PDB_TABLES", tables)
        .current_dir(root());
    let output = finish("solver", start(&mut solver)).solves();
    if output.starts_with('{') {
        let report: Value = serde_json::from_str(&output).unwrap();
        return (count(&report, "nodes"), count(&report, "expanded"));
    }
    // --summary csv: the total is the last column.
    let total = |name: &str| -> u64 {
        let line = output.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit(',').next().unwrap().parse().unwrap()
    };
    (total("nodes,"), total("expanded,"))
}

#[test]
fn quick_lines_of_the_results_equal_the_program() {
    let tables = tempfile::tempdir().unwrap();
    let mut quick = exact_rows("korf100");
    quick.extend(exact_rows("single"));
    quick.retain(|row| row["preset"] == "6-6-3" || row["preset"] == "small");
    assert_eq!(quick.len(), 3, "{quick:?}");
    // The tests of the crate `solver` also check this row, so only the long set of tests repeats it
    // here.
    if crate::IS_LONG {
        quick.push(exact_row("parent-only", "korf100", "6-6-3"));
    }
    for row in quick {
        let command = row["command"].as_str().unwrap();
        let measured = (count(&row, "nodes"), count(&row, "expanded"));
        // The first run builds the tables. The figures are those of runs that open their files.
        run_again(command, tables.path());
        assert_eq!(run_again(command, tables.path()), measured, "{command}");
    }
}

#[test]
fn the_anytime_series_in_json_md_equals_the_program() {
    let document = text("docs/json.md");
    let (_, example) = document
        .split_once("    $ solver --json --mode anytime")
        .unwrap();
    let (options, example) = example.split_once('\n').unwrap();
    let (example, _) = example.split_once("\n\n").unwrap();
    let tables = tempfile::tempdir().unwrap();
    let mut solver = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut solver);
    solver.args(["--json", "--mode", "anytime"]);
    solver.args(words(options)).env("PDB_TABLES", tables.path());
    let printed = finish("solver", start(&mut solver)).solves();
    // Compares status, length and method, which do not depend on the machine.
    let fields = |objects: &str| {
        let objects = objects.split("{\"board\":").skip(1);
        let of = |object: &str, name: &str| {
            let (_, rest) = object.split_once(&format!("\"{name}\":")).unwrap();
            rest.split(',').next().unwrap().to_owned()
        };
        let names = ["status", "length", "proved", "method", "bound"];
        let of_object = |object: &str| names.map(|name| of(object, name));
        objects.map(of_object).collect::<Vec<_>>()
    };
    assert_eq!(fields(example), fields(&printed));
}

/// Tests of the crate `solver` run the searches that need large tables. The source of these tests
/// must contain the node counts of docs/results.
#[test]
fn slow_lines_of_the_results_equal_those_in_other_tests() {
    let blank_compressed = "felner1000, blank-compressed, ULRD";
    for (group, name, preset, test) in [
        ("parent-only", "felner1000", "7-8", "known_answers.rs"),
        ("parent-only", blank_compressed, "7-8", "known_answers.rs"),
        ("parent-only", "korf100", "6-6-3", "fifteen_puzzle.rs"),
    ] {
        let nodes = count(&exact_row(group, name, preset), "nodes");
        let pinned = text(&format!("crates/solver/tests/boards/{test}"));
        let number = grouped(nodes, '_');
        assert!(pinned.contains(&number), "{test} has no {number}: {name}");
    }
}

#[test]
fn node_counts_in_other_documents_equal_the_results() {
    let presets = ["6-6-3", "small", "7-8", "best", "fewest"];
    for preset in presets {
        let row = exact_row("parent-only", "felner1000", preset);
        let comment = text(&format!("crates/puzzle/partitions/4x4-{preset}.txt"));
        let mean = mean(&row);
        // Some comments state the mean without decimals.
        let whole = mean.split('.').next().unwrap();
        assert!(
            comment.contains(&format!(" {mean}")) || comment.contains(&format!(" {whole} ")),
            "the comment of {preset} has no {mean}"
        );
    }
    let compressed = exact_row("parent-only", "felner1000, blank-compressed, ULRD", "7-8");
    assert!(text("docs/design.md").contains(&mean(&compressed)));

    let guide = text("docs/pdb-gen.md");
    let felner = |preset| count(&exact_row("felner1000", "felner1000", preset), "nodes") as f64;
    for preset in ["7-8", "best"] {
        let times = (felner("6-6-3") / felner(preset)).round();
        let start = format!("pdb-gen --partition {preset} ");
        let mut lines = guide.lines().filter(|line| line.starts_with(&start));
        let found = lines
            .any(|line| line.contains("--both-sides") && line.contains(&format!(" {times} times")));
        assert!(found, "{preset} --both-sides: {times} times fewer");
    }
}

/// Mean per board with one decimal, as in documents.
fn mean(row: &Value) -> String {
    let tenths = (count(row, "nodes") * 10 + count(row, "boards") / 2) / count(row, "boards");
    format!("{}.{}", grouped(tenths / 10, ','), tenths % 10)
}

/// A number with a separator between groups of three digits.
fn grouped(number: u64, sign: char) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(sign);
        }
        out.push(digit);
    }
    out
}
