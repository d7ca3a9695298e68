//! Allowed imports of each crate: the rules of docs/design.md, "Who may import what".

use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

/// A row of the table: a crate and its allowed imports from the workspace.
struct Row {
    name: String,
    crates: Vec<String>,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn table() -> Vec<Row> {
    let design = read_to_string(root().join("docs/design.md")).unwrap();
    let (_, section) = design.split_once("\n### Who may import what\n").unwrap();
    let rows = section
        .lines()
        .skip_while(|line| !line.starts_with("| --- "));
    let rows = rows.skip(1).take_while(|line| line.starts_with('|'));
    let words = |cell: &str| {
        let words = cell.split('`').skip(1).step_by(2);
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let read = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        Row {
            name: words(cells[1]).remove(0),
            crates: words(cells[2]),
        }
    };
    rows.map(read).collect()
}

/// The files of a crate: the path of each file, and its code without comments and tests.
pub(crate) fn code(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(code(&path));
        } else if path.ends_with("tests.rs") || path.extension() != Some("rs".as_ref()) {
            continue;
        } else {
            let text = read_to_string(&path).unwrap();
            let tests = text
                .match_indices("\n#[cfg(test)]\n")
                .find(|(at, attribute)| {
                    let mut lines = text[at + attribute.len()..].lines();
                    lines
                        .find(|line| !line.starts_with("#["))
                        .unwrap()
                        .starts_with("mod ")
                });
            let code = tests.map_or(&*text, |(at, _)| &text[..at]);
            let lines = code.lines().filter(|line| !line.trim().starts_with("//"));
            let code = lines.collect::<Vec<_>>().join("\n");
            files.push((path, code));
        }
    }
    files
}

#[test]
fn crates_depend_on_crates_that_come_before_them() {
    let table = table();
    let folders = read_dir(root().join("crates")).unwrap();
    let folders = folders
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("Cargo.toml").exists())
        .map(|entry| entry.file_name().into_string().unwrap());
    let mut sorted: Vec<&str> = table.iter().map(|row| &*row.name).collect();
    sorted.sort_unstable();
    let mut folders: Vec<String> = folders.collect();
    folders.sort_unstable();
    assert_eq!(sorted, folders, "the rows of the table");
    for (number, row) in table.iter().enumerate() {
        let manifest = root().join(format!("crates/{}/Cargo.toml", row.name));
        let manifest = read_to_string(manifest).unwrap();
        let (_, section) = manifest.split_once("\n[dependencies]\n").unwrap();
        let section = section.split("\n[").next().unwrap();
        let keys = section.lines().filter_map(|line| {
            let key = line.split(['.', ' ', '=']).next()?;
            // The library of the crate `capi` has another name, which C linkers use.
            Some(if key == "slidingtilepdb" { "capi" } else { key })
        });
        let own: BTreeSet<&str> = table.iter().map(|row| &*row.name).collect();
        let found: BTreeSet<&str> = keys.filter(|key| own.contains(key)).collect();
        let listed: BTreeSet<&str> = row.crates.iter().map(String::as_str).collect();
        assert_eq!(found, listed, "the dependencies of {}", row.name);
        for name in listed {
            let is_before = table[..number].iter().any(|other| other.name == name);
            assert!(
                is_before,
                "{} depends on {name}, which comes after it",
                row.name
            );
        }
    }
}

#[test]
fn libraries_leave_the_process_to_their_callers() {
    let outside = [
        "std::env::",
        "process::exit",
        "static mut",
        "thread_local!",
        "println!",
        "eprint",
    ];
    let no_files = ["std::fs", "std::thread", "Instant", "SystemTime", "unsafe "];
    for name in [
        "puzzle",
        "pdb-table",
        "pdb-gen",
        "solver",
        "lab",
        "plot",
        "session",
    ] {
        for (path, code) in code(&root().join(format!("crates/{name}/src"))) {
            // A program in a library's package is outside the library.
            if path.parent().is_some_and(|folder| folder.ends_with("bin")) {
                continue;
            }
            let path = path.display();
            let own: &[&str] = if name == "puzzle" { &no_files } else { &[] };
            for text in outside.iter().chain(own) {
                assert!(!code.contains(text), "{path} has `{text}`");
            }
            // Whether a line contains a quotation mark and an option of a command, such as
            // `--build`.
            let names_option = |line: &str| {
                let mut parts = line.split("--").skip(1);
                line.contains('"') && parts.any(|part| part.starts_with(char::is_alphabetic))
            };
            let option = code.lines().find(|line| names_option(line));
            assert_eq!(option, None, "{path} names an option of a command");
        }
    }
}

/// docs/unsafe.md lists the files with unsafe code.
#[test]
fn unsafe_code_is_only_in_the_listed_files() {
    let page = read_to_string(root().join("docs/unsafe.md")).unwrap();
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `crates/"));
    let listed: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let mut found = BTreeSet::new();
    for row in table().iter().filter(|row| row.name != "fuzz") {
        for (path, code) in code(&root().join(format!("crates/{}/src", row.name))) {
            let mut uses = code.split("unsafe").skip(1);
            if uses.any(|after| after.starts_with([' ', '(', '{'])) {
                let path = path.to_str().unwrap().replace('\\', "/");
                found.insert(path.rsplit_once("/crates/").unwrap().1.to_owned());
            }
        }
    }
    assert!(listed.iter().eq(&found), "found {found:#?}");
}

/// docs/stability.md, "Names", lists the package of each folder.
#[test]
fn packages_are_listed_by_folder() {
    let page = read_to_string(root().join("docs/stability.md")).unwrap();
    let rows = page.split_once("\n## Names\n").unwrap().1.lines();
    let rows = rows.filter_map(|line| line.strip_prefix("| `")?.split_once("` | `"));
    let rows = rows.map(|(folder, rest)| (folder, rest.split('`').next().unwrap()));
    let listed: Vec<(&str, &str)> = rows.collect();
    for row in table() {
        let manifest = root().join(format!("crates/{}/Cargo.toml", row.name));
        let manifest = read_to_string(manifest).unwrap();
        let name = manifest.split("\nname = \"").nth(1).unwrap();
        let name = name.split('"').next().unwrap();
        assert!(listed.contains(&(&row.name, name)), "{}: {name}", row.name);
    }
    assert_eq!(listed.len(), table().len());
}
