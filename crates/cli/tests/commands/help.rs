//! Checks the help of all verbs: its examples are parsed, and the documents mention all its
//! options.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{clean, finish, start};

/// Runs `line` followed by `more` in a shell, and returns the standard output.
fn printed(line: &str, more: &str) -> String {
    let mut shell = Command::new("sh");
    clean(&mut shell);
    let binaries = Path::new(env!("CARGO_BIN_EXE_solver")).parent().unwrap();
    shell.args(["-c", &format!("{line} {more} </dev/null")]);
    let path = std::env::var("PATH").unwrap_or_default();
    shell.env("PATH", format!("{}:{path}", binaries.display()));
    let run = finish("sh", start(&mut shell));
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    run.out
}

/// The help of both commands and of all their verbs.
fn helps() -> Vec<(String, String)> {
    let mut helps = Vec::new();
    for command in ["solver", "pdb-gen"] {
        let help = printed(command, "--help");
        let (_, verbs) = help.split_once("Commands:\n").unwrap();
        let verbs = verbs.split("\n\n").next().unwrap();
        // Lines that continue a description are indented further.
        let lines = verbs.lines().filter_map(|line| line.strip_prefix("  "));
        let names = lines.filter_map(|line| line.split(' ').next());
        for verb in names.filter(|verb| !["", "help"].contains(verb)) {
            let verb = format!("{command} {verb}");
            helps.push((verb.clone(), printed(&verb, "--help")));
        }
        helps.push((command.to_owned(), help));
    }
    assert_eq!(
        helps.len(),
        12 + 12 + 2,
        "verbs of both commands, and the commands"
    );
    helps
}

#[test]
fn examples_are_understood() {
    for (verb, help) in helps() {
        let Some((_, examples)) = help.split_once("Examples:\n") else {
            let last = verb.split(' ').next_back().unwrap();
            assert!(["completions", "man", "help"].contains(&last), "{verb}");
            continue;
        };
        for example in examples.lines() {
            assert!(example.trim_start().starts_with(&verb), "{verb}: {example}");
            // The program parses the words before --help, and rejects wrong ones.
            let line = example.split(" < ").next().unwrap();
            assert!(printed(line, "--help").contains("Usage: "), "{example}");
        }
    }
}

#[test]
fn documents_name_every_option() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = fs::read_dir(root.join("docs")).unwrap();
    let pages = pages.map(|page| page.unwrap().path());
    let is_text = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    let pages = pages.filter(|path| is_text(path) && !path.ends_with("changelog.md"));
    let text: String = pages
        .chain([root.join("README.md")])
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let named: BTreeSet<&str> = text.split(|letter| !is_part(letter)).collect();
    let mut missing = BTreeSet::new();
    for (_, help) in helps() {
        let words = help.split(|letter: char| !letter.is_ascii_lowercase() && letter != '-');
        let options = words.filter(|word| word.len() > 2 && word.starts_with("--"));
        missing.extend(
            options
                .filter(|option| !named.contains(option))
                .map(ToOwned::to_owned),
        );
    }
    missing.remove("--version");
    assert!(missing.is_empty(), "{missing:?}");
}
