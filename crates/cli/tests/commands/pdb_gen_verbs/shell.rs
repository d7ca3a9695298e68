//! Help, completions and manual pages of the commands: each verb with the options that it accepts.

use std::fs;

use crate::file::{files, folder};
use crate::pdb_gen_verbs::run::{pdb_gen, run};

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

#[test]
fn completions_have_the_verbs_and_options() {
    for shell in SHELLS {
        let script = run(["completions", shell]).succeeds();
        for word in [
            "pdb-gen",
            "verify",
            "list",
            "unpack",
            "partition",
            "checkpoint",
            "minutes",
        ] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let line = run(["completions", "tcsh"]).fails_as_usage();
    assert!(line.contains("tcsh"), "{line}");
    run(["completions"]).fails_as_usage();
}

/// bash, if installed, accepts the completion script.
#[test]
fn bash_reads_its_completions() {
    let folder = folder();
    let script = folder.path().join("pdb-gen.bash");
    fs::write(&script, run(["completions", "bash"]).succeeds()).unwrap();
    let bash = std::process::Command::new("bash")
        .arg("-n")
        .arg(&script)
        .output();
    if let Ok(output) = bash {
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn each_verb_has_a_manual_page() {
    let folder = folder();
    let pages = folder.path().join("share/man1");
    let said = run(["man", pages.to_str().unwrap()]).succeeds();
    let written = files(&pages);
    assert_eq!(said.lines().count(), written.len(), "{said}");
    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    let verbs = [
        "info", "list", "verify", "plan", "stats", "export", "tune", "pack", "unpack",
    ];
    for verb in verbs {
        let text = page(&format!("pdb-gen-{verb}.1"));
        assert!(text.contains(".TH "), "{text}");
        assert!(!text.contains("Usage: "), "{text}");
    }
    let whole = page("pdb-gen.1");
    assert!(verbs.iter().all(|verb| whole.contains(verb)), "{whole}");
    assert!(page("pdb-gen-plan.1").contains("partition"));
    assert!(!page("pdb-gen-unpack.1").contains("partition"));
    assert!(
        !written
            .iter()
            .any(|path| path.to_string_lossy().contains("help")),
        "{written:?}"
    );
    // Existing pages are overwritten. An output directory that is a file is an error.
    run(["man", pages.to_str().unwrap()]).succeeds();
    let file = pages.join("pdb-gen.1");
    let line = run(["man", file.to_str().unwrap()]).fails(3);
    assert!(line.contains("pdb-gen.1"), "{line}");
}

#[test]
fn help_of_a_verb_lists_its_options() {
    for (verb, has, has_not) in [
        (
            "unpack",
            "--tables",
            "--goal --partition --encoding --kind --tiles --zstd --size",
        ),
        ("tune", "--partition", "--tables --tiles --encoding --zstd"),
        (
            "plan",
            "--partition --tiles --encoding",
            "--force --checkpoint",
        ),
        ("list", "--partition --tiles --kind", "--force --checkpoint"),
        (
            "completions",
            "<SHELL>",
            "--partition --goal --tables --threads",
        ),
        (
            "man",
            "<DIRECTORY>",
            "--partition --goal --tables --threads",
        ),
    ] {
        let help = run([verb, "--help"]).succeeds();
        for option in has.split(' ') {
            assert!(help.contains(option), "{verb}: {option}");
        }
        for option in has_not.split(' ') {
            assert!(!help.contains(&format!("{option} ")), "{verb}: {option}");
        }
    }
    let whole = run(["--help"]).succeeds();
    assert!(
        whole.contains("--partition") && whole.contains("--checkpoint"),
        "{whole}"
    );
}

/// Options that the verb does not use are rejected, whether they precede or follow the verb. The
/// error names the option. Every verb accepts four options, such as `--json`.
#[test]
fn options_of_other_verbs_are_rejected() {
    let folder = folder();
    let missing = folder.path().join("missing");
    let missing = missing.to_str().unwrap();
    for (words, option) in [
        (&["unpack", "--goal", "blank-first", missing][..], "--goal"),
        (&["--goal", "blank-first", "unpack", missing], "--goal"),
        (&["unpack", "--partition", "7-8", missing], "--partition"),
        (&["unpack", "--encoding", "u8", missing], "--encoding"),
        (&["unpack", "--zstd", "3", missing], "--zstd"),
        (&["tune", "--parts", "5-3", "--tiles", "1"], "--tiles"),
        (
            &["tune", "--parts", "5-3", "--encoding", "u8"],
            "--encoding",
        ),
        (&["man", "--metric", "multi", missing], "--metric"),
        (&["completions", "bash", "--size", "3x3"], "--size"),
        (&["--force", "list"], "--force"),
        (&["--checkpoint", "3", "stats"], "--checkpoint"),
    ] {
        let line = run(words).fails(2);
        assert!(
            line.contains(&format!("{option} does not apply to ")),
            "{words:?}: {line}"
        );
        assert!(line.contains("--help"), "{line}");
    }
    assert!(!folder.path().join("missing").exists());
    for words in [
        "--threads 1",
        "--json",
        "--quiet",
        "--threads 1 --json --quiet",
    ] {
        let said = pdb_gen(folder.path(), &format!("completions bash {words}")).succeeds();
        assert!(said.contains("pdb-gen"), "{said}");
    }
}
