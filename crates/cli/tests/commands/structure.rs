//! Rules of docs/design.md that the compiler, Clippy and Cargo do not enforce, and the files and
//! tests that documents name. Sources are compared as text.

use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

const LIBRARIES: &[&str] = &[
    "puzzle",
    "pdb-table",
    "pdb-gen",
    "solver",
    "lab",
    "plot",
    "session",
];

/// Text that the code of some crates does not contain, these crates, and the reason. (`static mut`
/// needs unsafe code, which the lint `unsafe_code` and docs/unsafe.md limit.)
const FORBIDDEN: [(&str, &[&str], &str); 7] = [
    ("std::env::", LIBRARIES, "callers read the environment"),
    ("process::exit", LIBRARIES, "callers end the process"),
    ("thread_local!", LIBRARIES, "callers own all state"),
    ("std::fs", &["puzzle"], "no I/O"),
    ("std::thread", &["puzzle"], "no threads"),
    ("Instant", &["puzzle"], "equal text gives equal values"),
    ("SystemTime", &["puzzle"], "equal text gives equal values"),
];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn text(path: &str) -> String {
    read_to_string(root().join(path)).unwrap_or_else(|err| panic!("{path}: {err}"))
}

/// The paths of all files with one of these endings below a folder, except build output.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| {
        let is_listed = |end: &&str| path.extension().is_some_and(|own| own == *end);
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            files(&path, endings)
        } else if endings.iter().any(is_listed) {
            vec![path]
        } else {
            Vec::new()
        }
    });
    found.collect()
}

/// The sources of a crate: path from `src`, and code without comments and unit tests.
fn sources(name: &str) -> Vec<(String, String)> {
    let source = root().join(format!("crates/{name}/src"));
    let read = |path: PathBuf| {
        let text = read_to_string(&path).unwrap();
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
        let code = code.split("\n#[cfg(test)]\n#[").next().unwrap();
        let lines = code.lines().filter(|line| !line.trim().starts_with("//"));
        let path = path.strip_prefix(&source).unwrap().to_str().unwrap();
        (
            path.replace('\\', "/"),
            lines.collect::<Vec<_>>().join("\n"),
        )
    };
    let paths = files(&source, &["rs"]).into_iter();
    let paths = paths.filter(|path| !path.ends_with("tests.rs"));
    paths.map(read).collect()
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
    let folders = read_dir(root().join("crates")).unwrap();
    let members = folders.filter(|folder| folder.as_ref().unwrap().path().join("src").exists());
    assert!(crates.len() > 10 && crates.len() <= members.count());
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
    for name in ["pdb-gen", "solver", "server"] {
        let lib = text(&format!("crates/{name}/src/lib.rs"));
        let rows = lib.lines().filter_map(|line| {
            let row = line.trim_start_matches(['/', '!']).strip_prefix(" - `")?;
            row.split_once("`: ")
        });
        let order: Vec<&str> = rows.flat_map(|(names, _)| names.split("`, `")).collect();
        let place = |module: &str| order.iter().position(|other| *other == module);
        for (path, code) in sources(name) {
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
    for name in LIBRARIES {
        // A program in a library's package is outside the library.
        let sources = sources(name).into_iter();
        for (path, code) in sources.filter(|(path, _)| !path.starts_with("bin/")) {
            for (text, _, reason) in FORBIDDEN.iter().filter(|rule| rule.1.contains(name)) {
                assert!(!code.contains(text), "{name}: {path}: {text}: {reason}");
            }
            assert_eq!(code.lines().find(names_option), None, "{name}: {path}");
        }
    }
}

/// docs/unsafe.md lists the files with unsafe code.
#[test]
fn unsafe_code_is_only_in_the_listed_files() {
    let page = text("docs/unsafe.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<String> = rows.map(|row| row.replace('`', " ")).collect();
    let listed = listed.iter().filter_map(|row| row.split(' ').next());
    let crates = crates().into_iter().filter(|(name, _)| name != "fuzz");
    let sources = crates.flat_map(|(name, _)| {
        let place = |(path, code)| (format!("crates/{name}/src/{path}"), code);
        sources(&name).into_iter().map(place).collect::<Vec<_>>()
    });
    let is_unsafe = |(_, code): &(String, String)| {
        let mut uses = code.split("unsafe").skip(1);
        uses.any(|after| after.starts_with([' ', '(', '{']))
    };
    let found: BTreeSet<String> = sources.filter(is_unsafe).map(|(path, _)| path).collect();
    assert_eq!(
        listed.collect::<BTreeSet<_>>(),
        found.iter().map(|path| &**path).collect()
    );
}

/// Names of tests are sentences, so they contain several underscores.
#[test]
fn tests_and_files_named_in_the_page_on_reliability_exist() {
    let page = text("docs/reliability.md");
    let sources = files(&root().join("crates"), &["rs", "py"]).into_iter();
    let sources: String = sources.map(|path| read_to_string(path).unwrap()).collect();
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
