//! Checks that the tests listed in docs/reliability.md exist.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Names of all functions in Rust and Python files under a folder, except build output.
fn functions(folder: &Path, names: &mut HashSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        let name = entry.file_name();
        if entry.file_type().unwrap().is_dir() {
            if !["target", "node_modules"]
                .iter()
                .any(|built| name == *built)
            {
                functions(&path, names);
            }
            continue;
        }
        if !path
            .extension()
            .is_some_and(|end| end == "rs" || end == "py")
        {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let line = line.trim_start();
            let line = line.strip_prefix("async ").unwrap_or(line);
            if let Some(rest) = line.strip_prefix("fn ").or(line.strip_prefix("def ")) {
                let end = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
                names.insert(rest[..end.unwrap_or(rest.len())].to_owned());
            }
        }
    }
}

#[test]
fn tests_of_promises_exist() {
    let root = root();
    let page = fs::read_to_string(root.join("docs/reliability.md")).unwrap();
    let mut names = HashSet::new();
    functions(&root.join("crates"), &mut names);
    let (mut tests, mut missing) = (0, Vec::new());
    for code in page.split('`').skip(1).step_by(2) {
        let is_name = |c: char| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit();
        // Names of tests are sentences, so they contain several underscores.
        if code.chars().all(is_name) && code.matches('_').count() > 2 {
            tests += 1;
            if !names.contains(code) {
                missing.push(code);
            }
        }
    }
    for word in page.split(|c: char| c.is_whitespace() || "`,;()|".contains(c)) {
        let word = word.trim_end_matches(['.', ':']);
        let is_path = ["crates/", "scripts/", "data/"]
            .iter()
            .any(|at| word.starts_with(at));
        if is_path && !word.contains('*') && !root.join(word).exists() {
            missing.push(word);
        }
    }
    assert!(missing.is_empty(), "not in the tree: {missing:?}");
    assert!(tests > 40, "{tests} names of tests");
}
