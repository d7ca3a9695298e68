//! Bad input is rejected before anything is written, in one line that names it; help, completions and
//! manual pages have each verb's own options.

use std::fs;
use std::process::Command;

#[cfg(unix)]
use crate::pdb_gen_verbs::run::{command, command_at, finish, start};
use crate::pdb_gen_verbs::run::{pdb_gen, run};
use crate::run::{files, folder};

#[test]
fn bad_input_is_rejected_in_one_line_that_names_it() {
    let folder = folder();
    let tables = folder.path().join("never");
    let refused = |arguments: &[&str], names: &str| {
        let line = finish(start(&mut command_at(&tables, arguments))).fails(2);
        assert!(line.contains(names), "{arguments:?}: {line}");
        assert!(!tables.exists(), "{arguments:?}");
    };
    refused(&["--partition", "1,2,3/3,4"], "tile 3");
    refused(&["--partition", "1,2,3/4,5"], "6, 7, 8");
    refused(&["--partition", "1,2,16/3"], "16");
    refused(&["--partition", "1,0/3"], "tiles in no part: 2, 4");
    refused(&["--partition", "1,2,x"], "x");
    refused(
        &["--partition", "1,2,99999999999999999999"],
        "99999999999999999999",
    );
    refused(&["--partition", "nonsense"], "nonsense");
    refused(&["--partition", ""], "``");
    refused(&["--partition", "6-6-3+"], "``");
    refused(&["--partition", "6-6-4"], "6-6-4");
    refused(&["--partition", "6-6"], "12");
    refused(&["--partition", "15-0"], "15");
    refused(&["--partition", "13-2"], "13");
    refused(&["--partition", "6-6-3", "--size", "3x3"], "3x3");
    refused(&["--partition", "999999999-16"], "999999999");
    refused(&["--partition", "fringe", "--size", "1x9"], "1x9");
    refused(&["--partition", "6-6-3", "--size", "20x20"], "20x20");
    refused(&["--partition", "manhattan"], "manhattan");
    refused(&["--size", "13x5"], "no tables for a 13x5 tray");
    refused(&["--tiles", ""], "1 to 12 tiles, not 0");
    refused(&["--tiles", "1,1"], "tile 1");
    refused(&["--tiles", "16"], "16");
    refused(&["--tiles", "0"], "1 to 12 tiles");
    refused(&["--tiles", "one"], "one");
    refused(&["--tiles", "1,2,3,4,5,6,7,8,9,10,11,12,13"], "13");
    refused(&["--goal", "what"], "what");
    refused(&["--goal", "1 2 3 4"], "4");
    refused(&["--goal", "1 2 3/4 5 6/7 8 8"], "tile 8");
    refused(&["--goal", "1 2 3/4 5 6/7 8 0", "--size", "4x4"], "3x3");
    refused(
        &["--kind", "blank-compressed", "--encoding", "one-bit"],
        "one-bit",
    );
    refused(
        &[
            "--partition",
            "fringe",
            "--size",
            "3x3",
            "--encoding",
            "one-bit",
        ],
        "one-bit",
    );
    // These tables would be larger than any machine's memory.
    refused(&["--size", "5x5", "--partition", "12-12"], "memory");
}

#[test]
fn parts_with_overflowing_sums_are_rejected() {
    let folder = folder();
    for name in [
        "18446744073709551615-16",
        "9223372036854775808-9223372036854775807-16",
    ] {
        let line = pdb_gen(&folder.path().join("never"), &format!("--partition {name}")).fails(2);
        assert!(line.contains("tiles"), "{line}");
    }
}

#[test]
fn nonsense_options_are_rejected() {
    for arguments in [
        &["--tiles", "1,2", "--partition", "6-6-3"][..],
        &["--size", "4"],
        &["--size", "0x4"],
        &["--size", "21x2"],
        &["--size", "4x4x4"],
        &["--kind", "zero"],
        &["--encoding", "u16"],
        &["--threads", "-1"],
        &["--threads", "many"],
        &["--threads", "-1"],
        &["--zstd", "0"],
        &["--zstd", "23"],
        &["--partition"],
        &["--what"],
        &["build-everything"],
        &["verify", "--what"],
        &["info", "--size", "huge"],
    ] {
        let folder = folder();
        let tables = folder.path().join("never");
        // `--tables` precedes the arguments, because some of them end in an option without a value.
        let mut command = command();
        command.arg("--tables").arg(&tables).args(arguments);
        finish(start(&mut command)).fails_as_usage();
        assert!(!tables.exists(), "{arguments:?}");
    }
}

#[test]
fn common_wrong_verbs_are_rejected_with_the_right_command() {
    for (arguments, way_out) in [
        (&["build"][..], ": pdb-gen --partition 6-6-3\n"),
        (&["build", "7-8"], ": pdb-gen --partition 7-8\n"),
        (&["help", "build"], ": pdb-gen --partition 6-6-3\n"),
        (&["solve"], ", solver solves boards: solver\n"),
        (&["7-8", "--zstd"], ": pdb-gen --partition 7-8 --zstd\n"),
        (
            &["clean", "5x5", "best"],
            " clean --size 5x5 --partition best\n",
        ),
        (&["create", "--partition", "7-8"], " --partition 7-8\n"),
        (
            &["make", "--goal", "1 2 3/4 5 6/7 8 0"],
            ": pdb-gen --goal '1 2 3/4 5 6/7 8 0'\n",
        ),
        (
            &["solve", "1 2 3/4 5 6/7 0 8"],
            ", solver solves boards: solver '1 2 3/4 5 6/7 0 8'\n",
        ),
    ] {
        let line = run(arguments).fails(2);
        assert!(line.ends_with(way_out), "{line}");
    }
}

/// A value that begins with a minus sign is read as the option's value, not as another option.
#[test]
fn errors_of_values_name_the_expected_form() {
    for (option, value, names) in [
        ("--size", "3", "joined by x, such as 4x4"),
        ("--size", "-3x3", "size `-3x3` is not two numbers"),
        ("--threads", "-1", "found `-1`"),
        ("--zstd", "-3", "found `-3`"),
        (
            "--checkpoint",
            "often",
            "such as 10s, 1.5m or 2h, found `often`; or give off",
        ),
        ("--checkpoint", "-5s", "found `-5s`"),
        ("--checkpoint", "1e400", "at most"),
    ] {
        let line = run([option, value]).fails_as_usage();
        assert!(line.contains(names), "{line}");
    }
    let folder = folder();
    for (number, time) in ["2", "2s", "0.5m", "500ms", "1_0", "off"]
        .iter()
        .enumerate()
    {
        let words = format!("--size 3x3 --checkpoint {time}");
        pdb_gen(&folder.path().join(number.to_string()), &words).succeeds();
    }
}

#[test]
fn unreadable_pictures_are_rejected() {
    let folder = folder();
    let refused = |name: &str, bytes: &[u8], names: &str| {
        let picture = folder.path().join(name);
        fs::write(&picture, bytes).unwrap();
        let line = pdb_gen(
            &folder.path().join("never"),
            &format!("--partition {}", picture.display()),
        )
        .fails(2);
        assert!(line.contains(name) && line.contains(names), "{line}");
        assert!(!folder.path().join("never").exists());
    };
    refused(
        "sign.txt",
        b". a a a\na a ? a\nb b b b\nb b b b\n",
        "line 2",
    );
    refused(
        "ragged.txt",
        b". a a a\na a a\nb b b b\nb b b b\n",
        "line 2",
    );
    refused(
        "blanks.txt",
        b". a a a\na a . a\nb b b b\nb b b b\n",
        "2 blanks",
    );
    refused(
        "no-blank.txt",
        b"a a a a\na a a a\nb b b b\nb b b b\n",
        "0 blanks",
    );
    refused(
        "order.txt",
        b"order UUUU\n. a a a\na a a a\nb b b b\nb b b b\n",
        "line 1",
    );
    refused("other-size.txt", b". a a\na a b\nb b b\n", "4x4");
    refused("empty.txt", b"", "");
    refused("binary.txt", b"\xff\xfe\0\x01", "");
    let picture = folder.path().join("one-part.txt");
    fs::write(&picture, ". a a a\na a a a\na a a a\na a a a\n").unwrap();
    let words = format!("--partition {}", picture.display());
    let line = pdb_gen(&folder.path().join("never"), &words).fails(2);
    assert!(line.contains("not 15"), "{line}");
    let directory = folder.path().display().to_string();
    let line = pdb_gen(
        &folder.path().join("never"),
        &format!("--partition {directory}"),
    )
    .fails(2);
    assert!(line.contains(&directory), "{line}");
}

#[test]
fn missing_files_and_directories_are_table_errors() {
    let folder = folder();
    let missing = folder.path().join("none.pdb");
    for verb in ["info", "verify"] {
        let line = run([verb, missing.to_str().unwrap()]).fails(3);
        assert!(line.contains("none.pdb"), "{line}");
        let line = run([verb, folder.path().to_str().unwrap()]).fails(3);
        assert!(line.contains(folder.path().to_str().unwrap()), "{line}");
        // A directory without tables is an error, and so is a missing directory.
        let line = pdb_gen(folder.path(), verb).fails(3);
        assert!(line.contains("pdb-gen"), "{line}");
        pdb_gen(&folder.path().join("none"), verb).fails(3);
    }
    assert_eq!(files(folder.path()).len(), 0);
}

/// Reading from a pipe would never end, so only regular files are accepted as tables.
#[cfg(unix)]
#[test]
fn named_pipes_are_rejected_immediately() {
    let folder = folder();
    let pipe = folder.path().join("pipe.pdb");
    let made = Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    finish(start(command().arg("verify").arg(&pipe))).fails(3);
}

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
    let bash = Command::new("bash").arg("-n").arg(&script).output();
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
