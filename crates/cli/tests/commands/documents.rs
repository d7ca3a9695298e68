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

/// Names of fields in the lists of a section of docs/json.md.
fn documented(part: &str) -> Vec<String> {
    let page = text("docs/json.md");
    let part = page.split_once(&format!("\n### {part}\n")).unwrap().1;
    let part = part.split("\n#").next().unwrap();
    let items = part.lines().filter_map(|line| line.strip_prefix("- `"));
    let fields = items.map(|item| item.split('`').next().unwrap().to_owned());
    fields.collect()
}

/// The example line of a command in docs/json.md, joined if it spans several lines.
fn example(command: &str) -> String {
    let page = text("docs/json.md");
    let after = page.split_once(&format!("    $ {command}\n")).unwrap().1;
    let lines = after.lines().take_while(|line| !line.is_empty());
    lines.map(str::trim).collect()
}

fn output_of(command: &str) -> String {
    let mut solver = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut solver);
    let tables = tempfile::tempdir().unwrap();
    let words = words(command);
    solver.args(&words[1..]).arg("--tables").arg(tables.path());
    finish("solver", start(&mut solver)).out
}

#[test]
fn fields_of_a_comparison_match_json_md_in_order() {
    let fields = documented("A search of a comparison");
    let board = "8 6 7/2 5 4/3 0 1";
    let mut seen = Vec::new();
    for limit in ["1M", "100"] {
        let words = "--searches ida-star,astar,breadth-first --heuristics manhattan,5-3";
        let out = output_of(&format!(
            "solver compare --json {words} --max-nodes {limit} \"{board}\""
        ));
        for line in out.lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            let names = object.as_object().unwrap().keys();
            seen.extend(names.cloned());
            let at = |name: &String| line.find(&format!("\"{name}\":"));
            let places: Vec<usize> = fields.iter().filter_map(at).collect();
            assert!(places.is_sorted(), "{line}");
        }
    }
    seen.sort();
    seen.dedup();
    let mut sorted = fields.clone();
    sorted.sort();
    assert_eq!(seen, sorted);

    let command = "solver compare --json --searches astar --heuristics manhattan \
                   \"1 2 3/4 0 6/7 5 8\"";
    // Bytes per node depend on the size of addresses; times vary.
    let end = match cfg!(target_pointer_width = "64") {
        true => "\"ms\"",
        false => "\"peak_bytes\"",
    };
    let exact = |line: &str| line.split_once(end).unwrap().0.to_owned();
    assert_eq!(exact(&output_of(command)), exact(&example(command)));
}

#[test]
fn fields_of_an_explanation_match_json_md() {
    let mut fields = documented("An explanation");
    let out = output_of("solver explain --json \"1 2 3/4 0 6/7 5 8\"");
    let object: Value = serde_json::from_str(&out).unwrap();
    let names = |object: &Value| object.as_object().unwrap().keys().cloned().collect();
    let mut seen: Vec<String> = names(&object);
    let inner: Vec<String> = names(&object["heuristics"][0]);
    seen.extend(inner);
    seen.sort();
    fields.sort();
    assert_eq!(seen, fields);
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
