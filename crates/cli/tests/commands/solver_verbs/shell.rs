//! Completions, manual pages and help of `solver`: every verb has its own options.

use std::fs;
use std::process::Command;

use crate::file::files;
use crate::run::{clean, finish, start};
use crate::solver_verbs::run::{folder, solver};

const VERBS: [&str; 10] = [
    "scramble", "apply", "invert", "check", "hint", "rate", "show", "probe", "explain", "compare",
];

fn plain(words: &[&str]) -> crate::run::Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut command);
    finish("solver", start(command.args(words)))
}

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = plain(&["completions", shell]).succeeds();
        for word in
            VERBS
                .into_iter()
                .chain(["partition", "max-time", "summary", "heuristics", "resume"])
        {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

/// Completions of a verb omit the options that the verb rejects.
#[test]
fn completions_of_a_verb_are_its_own_options() {
    let script = plain(&["completions", "bash"]).succeeds();
    let block = script.split("solver__subcmd__invert)").nth(1);
    let block = block
        .or_else(|| script.split("solver__invert)").nth(1))
        .unwrap();
    let options = block.lines().find(|line| line.contains("opts=")).unwrap();
    assert!(options.contains("--notation"), "{options}");
    assert!(
        !options.contains("--partition") && !options.contains("--size"),
        "{options}"
    );
}

#[test]
fn every_verb_has_a_manual_page() {
    let folder = folder();
    let pages = folder.path().join("man1");
    plain(&["man", pages.to_str().unwrap()]).succeeds();
    assert_eq!(files(&pages).len(), 1 + VERBS.len() + 2);
    for verb in VERBS {
        let text = fs::read_to_string(pages.join(format!("solver-{verb}.1"))).unwrap();
        assert!(text.contains(".TH solver"), "{text}");
    }
}

#[test]
fn verbs_show_and_accept_only_their_options() {
    let help = plain(&["invert", "--help"]).succeeds();
    assert!(
        help.contains("--notation") && help.contains("--json"),
        "{help}"
    );
    for option in ["--goal", "--partition", "--max-time", "--threads"] {
        assert!(!help.contains(option), "{option}: {help}");
    }
    let folder = folder();
    for words in [
        &["invert", "--partition", "7-8", "U"][..],
        &["--max-time", "3", "scramble"],
        &["apply", "--metric", "multi", "1 2/0 3", "L"],
        &["--all", "probe", "1 2/0 3"],
        &["compare", "--partition", "5-3"],
        &["compare", "--metric", "multi"],
        &["compare", "--kind", "full"],
        &["explain", "--partition", "5-3", "1 2/0 3"],
    ] {
        let line = solver(folder.path(), words).fails(2);
        assert!(line.contains("does not apply to"), "{line}");
    }
    let line = solver(folder.path(), ["1 2/0 3", "scramble"]).fails(2);
    assert!(
        line.contains("scramble is a verb, which must be first"),
        "{line}"
    );
    // A shared option may precede or follow the verb.
    for words in [["--size", "3x3", "scramble"], ["scramble", "--size", "3x3"]] {
        let run = solver(folder.path(), words);
        assert_eq!(
            (run.code, run.out.matches('/').count()),
            (Some(0), 2),
            "{}",
            run.err
        );
    }
}

/// Solves every board that is quoted on the first page of the help.
#[test]
fn boards_in_help_can_be_solved() {
    let help = plain(&["--help"]).succeeds().replace('\n', " ");
    let quoted: Vec<&str> = help.split('"').skip(1).step_by(2).collect();
    assert!(!quoted.is_empty(), "{help}");
    let folder = folder();
    for board in quoted {
        solver(folder.path(), ["--quiet", board]).solves();
    }
}
