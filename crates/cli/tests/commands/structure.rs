//! Rules of docs/design.md that the compiler, Clippy and Cargo do not enforce, and the files and
//! tests that documents name. Sources are compared as text.

use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    read_to_string(root().join("docs").join(name)).unwrap()
}

/// The paths of all files with this ending below a folder, except build output.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|end| end == ending) {
            found.push(path);
        }
    }
    found
}

/// The sources of a crate: path from `src`, and code without comments and unit tests.
fn sources(name: &str) -> Vec<(String, String)> {
    let source = root().join(format!("crates/{name}/src"));
    let read = |path: &PathBuf| {
        let text = read_to_string(path).unwrap();
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
        let code = code.split("\n#[cfg(test)]\n#[").next().unwrap();
        let lines = code.lines().filter(|line| !line.trim().starts_with("//"));
        let path = path.strip_prefix(&source).unwrap().to_str().unwrap();
        (
            path.replace('\\', "/"),
            lines.collect::<Vec<_>>().join("\n"),
        )
    };
    let paths = files(&source, "rs");
    let paths = paths.iter().filter(|path| !path.ends_with("tests.rs"));
    paths.map(read).collect()
}

/// The table of crates in docs/design.md: each crate with the crates that it may import.
fn crates() -> Vec<(String, Vec<String>)> {
    let design = page("design.md");
    let table = design.split("\n| crate | ").nth(1).unwrap();
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let words = |cell: &str| -> Vec<String> {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let read = |row: &str| {
        let cells: Vec<&str> = row.split('|').collect();
        (words(cells[1]).remove(0), words(cells[2]))
    };
    rows.map(read).collect()
}

#[test]
fn crates_depend_only_on_crates_that_their_row_names_and_that_come_before_them() {
    let crates = crates();
    assert_eq!(
        crates.len(),
        files_named_cargo().len(),
        "the rows of the table"
    );
    for (number, (name, allowed)) in crates.iter().enumerate() {
        let manifest = root().join(format!("crates/{name}/Cargo.toml"));
        let manifest = read_to_string(manifest).unwrap();
        let section = manifest.split("\n[dependencies]\n").nth(1).unwrap();
        let keys = section.split("\n[").next().unwrap().lines();
        let keys = keys.filter_map(|line| line.split(['.', ' ', '=']).next());
        // The library of the crate `capi` has another name, which C linkers use.
        let keys = keys.map(|key| if key == "slidingtilepdb" { "capi" } else { key });
        let found: BTreeSet<&str> = keys
            .filter(|key| crates.iter().any(|(other, _)| other == key))
            .collect();
        assert!(
            found.iter().eq(allowed.iter().collect::<BTreeSet<_>>()),
            "{name}: {found:?}"
        );
        let is_before = |other: &&str| crates[..number].iter().any(|(name, _)| name == other);
        assert!(found.iter().all(is_before), "{name}: {found:?}");
    }
}

fn files_named_cargo() -> Vec<PathBuf> {
    let folders = read_dir(root().join("crates")).unwrap();
    let manifests = folders.map(|folder| folder.unwrap().path().join("Cargo.toml"));
    manifests.filter(|manifest| manifest.exists()).collect()
}

/// Tests the crates whose `lib.rs` lists the root modules from the lowest to the highest.
#[test]
fn root_modules_import_only_modules_listed_before_them() {
    for name in ["pdb-gen", "solver", "server"] {
        let lib = read_to_string(root().join(format!("crates/{name}/src/lib.rs"))).unwrap();
        let rows = lib.lines().filter_map(|line| {
            let row = line.trim_start_matches(['/', '!']).strip_prefix(" - `")?;
            row.split_once("`: ")
        });
        let order: Vec<&str> = rows.flat_map(|(names, _)| names.split("`, `")).collect();
        let declared = lib.lines().filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
        let listed: BTreeSet<&str> = order.iter().copied().collect();
        assert_eq!(listed, declared.collect(), "the modules of {name}");
        let place = |module: &str| order.iter().position(|other| *other == module);
        for (path, code) in sources(name) {
            let own = place(path.split(['/', '.']).next().unwrap());
            for import in code.split("crate::").skip(1) {
                let end = import.find(|sign: char| !sign.is_alphanumeric() && sign != '_');
                let import = &import[..end.unwrap_or(import.len())];
                assert!(
                    own.is_none() || place(import) <= own,
                    "{name}: {path} imports {import}, a module above it"
                );
            }
        }
    }
}

#[test]
fn libraries_leave_the_process_to_their_callers() {
    let outside = ["std::env::", "process::exit", "static mut", "thread_local!"];
    let no_files = ["std::fs", "std::thread", "Instant", "SystemTime"];
    // Whether a line contains a quotation mark and an option of a command, such as `--build`.
    let names_option = |line: &&str| {
        let mut parts = line.split("--").skip(1);
        line.contains('"') && parts.any(|part| part.starts_with(char::is_alphabetic))
    };
    for name in [
        "puzzle",
        "pdb-table",
        "pdb-gen",
        "solver",
        "lab",
        "plot",
        "session",
    ] {
        // A program in a library's package is outside the library.
        let sources = sources(name).into_iter();
        for (path, code) in sources.filter(|(path, _)| !path.starts_with("bin/")) {
            let own: &[&str] = if name == "puzzle" { &no_files } else { &[] };
            let found = outside.iter().chain(own).find(|text| code.contains(**text));
            assert_eq!(found, None, "{name}: {path}");
            assert_eq!(code.lines().find(names_option), None, "{name}: {path}");
        }
    }
}

/// docs/unsafe.md lists the files with unsafe code.
#[test]
fn unsafe_code_is_only_in_the_listed_files() {
    let page = page("unsafe.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed = rows.filter_map(|row| row.split('`').next());
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
    let mut found = BTreeSet::new();
    for (name, _) in crates().iter().filter(|(name, _)| name != "fuzz") {
        for (path, code) in sources(name) {
            let mut uses = code.split("unsafe").skip(1);
            if uses.any(|after| after.starts_with([' ', '(', '{'])) {
                found.insert(format!("crates/{name}/src/{path}"));
            }
        }
    }
    assert_eq!(listed, found);
}

/// Names of tests are sentences, so they contain several underscores.
#[test]
fn tests_and_files_named_in_the_page_on_reliability_exist() {
    let page = page("reliability.md");
    let sources = ["rs", "py"].map(|ending| files(&root().join("crates"), ending));
    let sources = sources.concat().into_iter();
    let sources: String = sources.map(|path| read_to_string(path).unwrap()).collect();
    let words = page.split(|sign: char| sign.is_whitespace() || "`,;()|".contains(sign));
    let mut tests = 0;
    for word in words.map(|word| word.trim_end_matches(['.', ':'])) {
        let is_name =
            |sign: char| sign == '_' || sign.is_ascii_lowercase() || sign.is_ascii_digit();
        let is_path = ["crates/", "scripts/", "data/"]
            .iter()
            .any(|start| word.starts_with(start));
        if word.chars().all(is_name) && word.matches('_').count() > 2 {
            tests += 1;
            let is_test = ["fn ", "def "]
                .iter()
                .any(|kind| sources.contains(&format!("{kind}{word}(")));
            assert!(is_test, "not found: test {word}");
        } else if is_path && !word.contains('*') {
            assert!(root().join(word).exists(), "not found: {word}");
        }
    }
    assert!(tests > 40, "{tests} names of tests");
}
