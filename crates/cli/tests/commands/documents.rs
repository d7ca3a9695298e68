//! Compares node counts in documents with the program. scripts/bench.py makes the tables of
//! docs/results.md from docs/results/*.json; `scripts/bench.py --check` compares those tables with
//! the files.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::run::{clean, finish, start};
use crate::structure::{root, text};

/// The rows with exact figures in docs/results/`group`.json.
fn exact_rows(group: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(&text(&format!("docs/results/{group}.json"))).unwrap();
    let rows = data["rows"].as_array().unwrap().iter();
    rows.filter(|row| row["exact"] == true).cloned().collect()
}

/// The numbers of nodes, expanded nodes and boards in the group's only exact row with this name and
/// preset.
fn exact_row(group: &str, name: &str, preset: &str) -> Value {
    let mut rows = exact_rows(group);
    rows.retain(|row| row["name"] == name && row["preset"] == preset);
    assert_eq!(rows.len(), 1, "{group}: {name}, {preset}");
    rows.remove(0)
}

fn count(row: &Value, field: &str) -> u64 {
    row[field].as_u64().unwrap()
}

/// Runs a command line of `solver`, in which only double quotes are special, and returns its output.
fn run(command: &str, tables: &Path) -> String {
    let parts = command.split('"').enumerate();
    let mut words = parts.flat_map(|(index, part)| match index % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    });
    assert_eq!(words.next(), Some("solver"), "{command}");
    let mut solver = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut solver);
    let solver = solver.args(words).env("PDB_TABLES", tables);
    finish("solver", start(solver.current_dir(root()))).solves()
}

/// The numbers of generated and expanded nodes in an output.
fn nodes(output: &str) -> [u64; 2] {
    ["nodes", "expanded"].map(|name| {
        if output.starts_with('{') {
            return count(&serde_json::from_str(output).unwrap(), name);
        }
        // --summary csv: the total is the last column.
        let mut lines = output.lines().filter_map(|line| line.strip_prefix(name));
        lines
            .next()
            .unwrap()
            .rsplit(',')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    })
}

#[test]
fn quick_lines_of_the_results_equal_the_program() {
    let tables = tempfile::tempdir().unwrap();
    let mut quick = [exact_rows("korf100"), exact_rows("single")].concat();
    quick.retain(|row| row["preset"] == "6-6-3" || row["preset"] == "small");
    assert_eq!(quick.len(), 3, "{quick:?}");
    // The tests of the crate `solver` also check this row, so only the long set of tests repeats it
    // here.
    if crate::IS_LONG {
        quick.push(exact_row("parent-only", "korf100", "6-6-3"));
    }
    for row in quick {
        let command = row["command"].as_str().unwrap();
        let expected = ["nodes", "expanded"].map(|name| count(&row, name));
        // The first run builds the tables. The figures are those of runs that open their files.
        run(command, tables.path());
        assert_eq!(nodes(&run(command, tables.path())), expected, "{command}");
    }
}

#[test]
fn the_anytime_series_in_json_md_equals_the_program() {
    let document = text("docs/json.md");
    let example = document
        .split("    $ ")
        .find(|own| own.starts_with("solver --json --mode any"));
    let (command, example) = example.unwrap().split_once('\n').unwrap();
    let (example, _) = example.split_once("\n\n").unwrap();
    let tables = tempfile::tempdir().unwrap();
    // Fields that do not depend on the machine. The document breaks lines inside an object.
    let fields = |objects: &str| -> Vec<_> {
        let of = |object: &str, name: &str| {
            let (_, rest) = object.split_once(&format!("\"{name}\":")).unwrap();
            rest.split(',').next().unwrap().to_owned()
        };
        let names = ["status", "length", "proved", "method", "bound"];
        let objects = objects.split("{\"board\":").skip(1);
        objects
            .map(|object| names.map(|name| of(object, name)))
            .collect()
    };
    assert_eq!(fields(example), fields(&run(command, tables.path())));
}

/// Tests of the crate `solver` that search with large tables contain the total of docs/results;
/// documents contain the mean per board, some without decimals.
#[test]
fn node_counts_in_tests_and_documents_equal_the_results() {
    let (felner, compressed) = ("felner1000", "felner1000, blank-compressed, ULRD");
    for (name, preset, file) in [
        (felner, "7-8", "crates/solver/tests/boards/known_answers.rs"),
        (
            compressed,
            "7-8",
            "crates/solver/tests/boards/known_answers.rs",
        ),
        (
            "korf100",
            "6-6-3",
            "crates/solver/tests/boards/fifteen_puzzle.rs",
        ),
        (compressed, "7-8", "docs/design.md"),
        (felner, "6-6-3", "crates/puzzle/partitions/4x4-6-6-3.txt"),
        (felner, "small", "crates/puzzle/partitions/4x4-small.txt"),
        (felner, "7-8", "crates/puzzle/partitions/4x4-7-8.txt"),
        (felner, "best", "crates/puzzle/partitions/4x4-best.txt"),
        (felner, "fewest", "crates/puzzle/partitions/4x4-fewest.txt"),
    ] {
        let row = exact_row("parent-only", name, preset);
        let (nodes, boards) = (count(&row, "nodes"), count(&row, "boards"));
        let tenths = (nodes * 10 + boards / 2) / boards;
        let (whole, tenth) = (tenths / 10, tenths % 10);
        let is_test = file.ends_with(".rs");
        let forms = match is_test {
            true => vec![nodes.to_string()],
            false => vec![format!("{whole}.{tenth}"), format!(" {whole} ")],
        };
        let text = text(file).replace([',', '_'], "");
        assert!(
            forms.iter().any(|form| text.contains(form)),
            "{file}: not found: {forms:?}"
        );
    }
}

#[test]
fn the_guide_says_how_many_times_fewer_nodes_large_tables_need() {
    let guide = text("docs/pdb-gen.md");
    let felner = |preset| count(&exact_row("felner1000", "felner1000", preset), "nodes") as f64;
    for preset in ["7-8", "best"] {
        let times = format!(" {} times", (felner("6-6-3") / felner(preset)).round());
        let parts = [
            &format!("pdb-gen --partition {preset} "),
            "--both-sides",
            &times,
        ];
        let is_found = |line: &str| parts.iter().all(|part| line.contains(part));
        assert!(guide.lines().any(is_found), "not found: {parts:?}");
    }
}
