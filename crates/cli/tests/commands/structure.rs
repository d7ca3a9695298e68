//! Rules of docs/design.md that the compiler, Clippy and Cargo do not enforce; files, tests and node
//! counts that documents name. scripts/bench.py makes the tables of docs/results.md from
//! docs/results/*.json; `scripts/bench.py --check` compares them.

use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

use serde_json::Value;

#[rustfmt::skip]
const LIBRARIES: &[&str] = &["puzzle", "pdb-table", "pdb-gen", "solver", "lab", "plot", "session"];

/// Text that the code of these crates does not contain: callers read the environment, end the
/// process and own all state; `puzzle` has no I/O, threads and clock. (`static mut` needs unsafe
/// code, which the lint `unsafe_code` and docs/unsafe.md limit.)
const FORBIDDEN: [(&[&str], &[&str]); 2] = [
    (LIBRARIES, &["std::env::", "process::exit", "thread_local!"]),
    (
        &["puzzle"],
        &["std::fs", "std::thread", "Instant", "SystemTime"],
    ),
];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn text(path: &str) -> String {
    read_to_string(root().join(path)).unwrap_or_else(|err| panic!("{path}: {err}"))
}

/// Adds the paths of all files with this ending below a folder, except build output: each from the
/// root, with slashes, and its text.
fn read_files(folder: &Path, ending: &str, found: &mut Vec<(String, String)>) {
    for path in read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            read_files(&path, ending, found);
        } else if path.extension().is_some_and(|own| own == ending) {
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
            found.push((name.replace('\\', "/"), read_to_string(&path).unwrap()));
        }
    }
}

fn files(ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    read_files(&root().join("crates"), ending, &mut found);
    found
}

/// The sources of all crates, without comments and unit tests.
fn sources() -> Vec<(String, String)> {
    let mut sources = files("rs");
    sources.retain(|(path, _)| path.contains("/src/") && !path.ends_with("tests.rs"));
    for (_, code) in &mut sources {
        let tests = ["\n#[cfg(test)]\nmod ", "\n#[cfg(test)]\n#["].map(|start| code.find(start));
        code.truncate(tests.into_iter().flatten().min().unwrap_or(code.len()));
        let lines = code.lines().filter(|line| !line.trim().starts_with("//"));
        *code = lines.collect::<Vec<_>>().join("\n");
    }
    sources
}

/// The table of crates in docs/design.md: each crate with the crates that it may import.
fn crates() -> Vec<(String, BTreeSet<String>)> {
    let design = text("docs/design.md");
    let table = design.split("\n| crate | ").nth(1).unwrap().lines().skip(2);
    let rows = table.take_while(|line| line.starts_with('|')).map(|row| {
        let mut cells = row.split('|').skip(1);
        let mut words = || cells.next().unwrap().split('`').skip(1).step_by(2);
        let name = words().next().unwrap().to_owned();
        (name, words().map(str::to_owned).collect())
    });
    rows.collect()
}

#[test]
fn crates_depend_only_on_crates_that_their_row_names_and_that_come_before_them() {
    let crates = crates();
    let is_member = |path: &str| path.matches('/').count() == 2 && path.ends_with("/Cargo.toml");
    let members = files("toml")
        .iter()
        .filter(|file| is_member(&file.0))
        .count();
    assert_eq!(crates.len(), members, "the rows of the table");
    for (number, (name, allowed)) in crates.iter().enumerate() {
        let manifest = text(&format!("crates/{name}/Cargo.toml"));
        let section = manifest.split("\n[dependencies]\n").nth(1).unwrap();
        let lines = section.split("\n[").next().unwrap().lines();
        let keys = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
        // The library of the crate `capi` has another name, which C linkers use.
        let keys = keys.map(|key| if key == "slidingtilepdb" { "capi" } else { key });
        let is_crate = |key: &&str| crates.iter().any(|(other, _)| other == key);
        let found: BTreeSet<String> = keys.filter(is_crate).map(str::to_owned).collect();
        assert_eq!(&found, allowed, "{name}");
        let is_before = |other: &String| crates[..number].iter().any(|(name, _)| name == other);
        assert!(found.iter().all(is_before), "{name}: {found:?}");
    }
}

/// Tests the crates whose `lib.rs` lists the root modules from the lowest to the highest.
#[test]
fn root_modules_import_only_modules_listed_before_them() {
    let sources = sources();
    for name in ["pdb-gen", "solver", "server"] {
        let lib = text(&format!("crates/{name}/src/lib.rs"));
        let rows = lib.lines().filter_map(|line| {
            let row = line.trim_start_matches(['/', '!']).strip_prefix(" - `")?;
            row.split_once("`: ")
        });
        let order: Vec<&str> = rows.flat_map(|(names, _)| names.split("`, `")).collect();
        let place = |module: &str| order.iter().position(|other| *other == module);
        for (path, code) in &sources {
            let Some(path) = path.strip_prefix(&format!("crates/{name}/src/")) else {
                continue;
            };
            let own = place(path.split(['/', '.']).next().unwrap());
            let is_root = path == "lib.rs" || path.starts_with("bin/");
            assert!(is_root || own.is_some(), "{name}: {path} is not listed");
            for import in code.split("crate::").skip(1).filter(|_| !is_root) {
                let end = |sign: char| !sign.is_alphanumeric() && sign != '_';
                let import = import.split(end).next().unwrap();
                assert!(place(import) <= own, "{name}: {path} imports {import}");
            }
        }
    }
}

#[test]
fn libraries_leave_the_process_to_their_callers() {
    // Whether a line contains a quotation mark and an option of a command, such as `--build`.
    let names_option = |line: &&str| {
        let mut parts = line.split("--").skip(1);
        line.contains('"') && parts.any(|part| part.starts_with(char::is_alphabetic))
    };
    for (path, code) in sources() {
        let name = path.split('/').nth(1).unwrap();
        // A program in a library's package is outside the library.
        if !LIBRARIES.contains(&name) || path.contains("/src/bin/") {
            continue;
        }
        let rules = FORBIDDEN.iter().filter(|rule| rule.0.contains(&name));
        let found = rules
            .flat_map(|rule| rule.1)
            .find(|text| code.contains(**text));
        assert_eq!(found, None, "{path}");
        assert_eq!(code.lines().find(names_option), None, "{path}");
    }
}

#[test]
fn unsafe_code_is_only_in_the_listed_files() {
    let page = text("docs/unsafe.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let mut sources = sources();
    sources.retain(|(path, code)| {
        let mut uses = code.split("unsafe").skip(1);
        !path.starts_with("crates/fuzz/") && uses.any(|after| after.starts_with([' ', '(', '{']))
    });
    let found: BTreeSet<&str> = sources.iter().map(|(path, _)| &**path).collect();
    assert_eq!(listed, found);
}

/// Names of tests are sentences, so they contain several underscores.
#[test]
fn tests_and_files_named_in_the_page_on_reliability_exist() {
    let page = text("docs/reliability.md");
    let sources = [files("rs"), files("py")].concat().into_iter();
    let sources: String = sources.map(|(_, text)| text).collect();
    let words = page.split(|sign: char| sign.is_whitespace() || "`,;()|".contains(sign));
    let mut tests = 0;
    for word in words.map(|word| word.trim_end_matches(['.', ':'])) {
        let is_name = |sign| matches!(sign, '_' | 'a'..='z' | '0'..='9');
        let is_path = |start: &&str| word.starts_with(start);
        if word.chars().all(is_name) && word.matches('_').count() > 2 {
            tests += 1;
            let is_test = |kind: &&str| sources.contains(&format!("{kind} {word}("));
            assert!(["fn", "def"].iter().any(is_test), "not found: test {word}");
        } else if ["crates/", "scripts/", "data/"].iter().any(is_path) && !word.contains('*') {
            assert!(root().join(word).exists(), "not found: {word}");
        }
    }
    assert!(tests > 40, "{tests} names of tests");
}

/// The exact rows of docs/results/`group`.json.
pub(crate) fn exact_rows(group: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(&text(&format!("docs/results/{group}.json"))).unwrap();
    let rows = data["rows"].as_array().unwrap().iter();
    rows.filter(|row| row["exact"] == true).cloned().collect()
}

/// The numbers of nodes and boards in the only row of parent-only.json with this name and preset.
fn nodes_and_boards(group: &str, name: &str, preset: &str) -> [u64; 2] {
    let mut rows = exact_rows(group);
    rows.retain(|row| row["name"] == name && row["preset"] == preset);
    assert_eq!(rows.len(), 1, "{group}: {name}, {preset}");
    ["nodes", "boards"].map(|field| rows[0][field].as_u64().unwrap())
}

/// Tests of the crate `solver` that search with large tables contain the total of docs/results;
/// documents contain the mean per board, some without decimals.
#[test]
fn node_counts_in_tests_and_documents_equal_the_results() {
    let (felner, compressed) = ("felner1000", "felner1000, blank-compressed, ULRD");
    let picture = |preset| {
        (
            felner,
            preset,
            format!("crates/puzzle/partitions/4x4-{preset}.txt"),
        )
    };
    let tests = "crates/solver/tests/boards";
    let mut places = ["6-6-3", "small", "7-8", "best", "fewest"]
        .map(picture)
        .to_vec();
    places.push((felner, "7-8", format!("{tests}/known_answers.rs")));
    places.push((compressed, "7-8", format!("{tests}/known_answers.rs")));
    places.push(("korf100", "6-6-3", format!("{tests}/fifteen_puzzle.rs")));
    places.push((compressed, "7-8", "docs/design.md".to_owned()));
    for (name, preset, file) in places {
        let [nodes, boards] = nodes_and_boards("parent-only", name, preset);
        let tenths = (nodes * 10 + boards / 2) / boards;
        let (whole, tenth) = (tenths / 10, tenths % 10);
        let forms = match file.ends_with(".rs") {
            true => vec![nodes.to_string()],
            false => vec![format!("{whole}.{tenth}"), format!(" {whole} ")],
        };
        let text = text(&file).replace([',', '_'], "");
        assert!(
            forms.iter().any(|form| text.contains(form)),
            "{file}: {forms:?}"
        );
    }
    // The guide says how many times fewer nodes large tables need.
    let guide = text("docs/pdb-gen.md");
    let nodes = |preset| nodes_and_boards(felner, felner, preset)[0] as f64;
    for preset in ["7-8", "best"] {
        let times = format!(" {} times", (nodes("6-6-3") / nodes(preset)).round());
        let parts = [&format!("pdb-gen --partition {preset} "), &times];
        let is_found = |line: &str| parts.iter().all(|part| line.contains(part.as_str()));
        assert!(guide.lines().any(is_found), "not found: {parts:?}");
    }
}
