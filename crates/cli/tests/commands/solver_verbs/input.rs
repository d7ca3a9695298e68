//! Accepted boards and options, errors that name the positions of wrong input, and help, completions and
//! manual pages with each verb's own options.

use std::fs;
use std::process::Command;

use crate::run::files;
use crate::run::{clean, finish, start};
use crate::solver_verbs::board::Random;
use crate::solver_verbs::run::{batch, folder, solver, string};

#[test]
fn bad_boards_are_rejected_with_their_position() {
    let folder = folder();
    let tables = folder.path().join("none");
    let refused = |arguments: &[&str], names: &[&str]| {
        let line = solver(&tables, arguments).fails(2);
        for name in names {
            assert!(line.contains(name), "{arguments:?}: {line}");
        }
        assert!(!tables.exists());
    };
    refused(&[""], &["empty"]);
    refused(&["  / \n"], &["empty"]);
    refused(&["1 2 3/4 5/6 7 8 0"], &["row 2"]);
    refused(&["1 2 3\n4 5 6\n7 8 0 9"], &["row 3"]);
    refused(
        &["1 2 3/4 5 6/7 7 0"],
        &[
            "tile 7",
            "row 3 column 1",
            "row 3 column 2",
            "tile 8 is missing",
        ],
    );
    refused(&["1 2 3/4 5 6/7 9 9"], &["9", "row 3 column 3"]);
    refused(&["1 2 3/4 5 6/7 0 0"], &["blank", "row 3 column 3"]);
    refused(&["1 2 3/4 5 6/7 8 foo"], &["foo", "word 9"]);
    refused(&["1 2 3 5"], &["5 at row 2 column 2", "2x2"]);
    refused(&["1 2 3 4 5 0"], &["6 numbers", "--size WxH"]);
    refused(&["[[1,2],[3,0]"], &["bracket `[` is not closed"]);
    refused(&["1 2/3 99999999999999999999"], &["`99999999999999999999`"]);
    refused(&["--size", "3x3", "1 2 3 4 5 6 7 8"], &["8 numbers", "9"]);
    refused(&["--size", "3x3", "1 2 3 4 5 6 7 8 0 31"], &["10 numbers"]);
    refused(&["--size", "4x4", "1 2 3/4 5 6/7 8 0"], &["3x3", "4x4"]);
    refused(&["--size", "2x3", "1 2 3/4 5 0"], &["3x2", "2x3"]);
    refused(&["--goal", "1 2 3/4 5 6/7 8 0", "1 2/0 3"], &["3x3", "2x2"]);
    refused(&["--goal", "1 1/2 0", "1 2/0 3"], &["goal", "tile 1"]);
    refused(&["--goal", "last", "1 2/0 3"], &["`last`", "blank-last"]);
    refused(&["--partition", "nonsense", "1 2/0 3"], &["nonsense"]);
    refused(&["--partition", "7-8", "1 2/0 3"], &["7-8", "2x2"]);
    refused(&["--partition", "1,2/2,3", "1 2/0 3"], &["tile 2"]);
    refused(&["--size", "5x5", "--partition", "7-8"], &["7-8", "5x5"]);
    refused(
        &["--file", "/nonexistent/list.txt"],
        &["/nonexistent/list.txt"],
    );
    refused(
        &["--file", folder.path().to_str().unwrap()],
        &[folder.path().to_str().unwrap()],
    );
}

#[test]
fn a_bad_board_does_not_stop_the_others() {
    let folder = folder();
    let run = solver(
        folder.path(),
        ["--quiet", "1 2/0 3", "1 2/0", "1 2 3/4 5 6/7 8 0"],
    );
    assert_eq!(run.code, Some(2));
    assert_eq!(run.out.lines().count(), 2);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn an_empty_list_is_said_to_be_empty() {
    let folder = folder();
    let run = batch(folder.path(), "--summary csv", b"# no board\n\n");
    assert_eq!(run.code, Some(0));
    assert_eq!(run.err, "solver: note: the list contains no board\n");
    assert!(run.out.contains("\nboards,0,"), "{}", run.out);
}

#[test]
fn nonsense_options_are_rejected() {
    let folder = folder();
    let tables = folder.path().join("none");
    for arguments in [
        &["--notation", "words", "1 2/0 3"][..],
        &["--max-nodes", "many", "1 2/0 3"],
        &["--max-nodes", "-1", "1 2/0 3"],
        &["--max-time", "soon", "1 2/0 3"],
        &["--max-time", "nan", "1 2/0 3"],
        &["--max-time", "1e999", "1 2/0 3"],
        &["--max-time=-1", "1 2/0 3"],
        &["--threads", "-1", "1 2/0 3"],
        &["--threads", "100000", "1 2/0 3"],
        &["--size", "0x0", "1 2/0 3"],
        &["--size", "21x21", "1 2/0 3"],
        &["--kind", "half", "1 2/0 3"],
        &["--file", "list.txt", "1 2/0 3"],
        &["--leading-id", "1 2/0 3"],
        &["--what", "1 2/0 3"],
        &["1 2/0 3", "--goal"],
    ] {
        let line = solver(&tables, arguments).fails(2);
        assert!(line.trim_end().ends_with("; see solver --help"), "{line}");
        assert!(!tables.exists());
    }
}

#[test]
fn wrong_usage_is_one_line_with_a_remedy() {
    let folder = folder();
    for (arguments, line) in [
        (
            &["--siz", "3x3", "1 2/0 3"][..],
            "solver: unexpected argument '--siz': the option is --size; see solver --help",
        ),
        (
            &["hint"],
            "solver: the following required arguments were not provided: <BOARD>; \
             see solver hint --help",
        ),
        (
            &["compare", "--columns", "foo", "-n", "1"],
            "solver: invalid value 'foo' for '--columns <NAME,...>'; [possible values: boards, \
             search, heuristic, solved, length, median-length, h0, generated, expanded, branching, \
             ms, median-ms, kept-nodes, kept-kb, all]; see solver compare --help",
        ),
        (
            &["--solve", "1 2/0 3"],
            "solver: unexpected argument '--solve'; see solver --help",
        ),
        (
            &["--timeout", "3", "1 2/0 3"],
            "solver: unexpected argument '--timeout': the option is --max-time; see solver --help",
        ),
        (
            &["--heuristic", "manhattan", "1 2/0 3"],
            "solver: unexpected argument '--heuristic': the option is --partition; \
             see solver --help",
        ),
        (
            &["compare", "--heuristic", "manhattan"],
            "solver: unexpected argument '--heuristic': the option is --heuristics; \
             see solver compare --help",
        ),
        (
            &["scramble", "-j", "2"],
            "solver: unexpected argument '-j': the option is --threads; see solver scramble --help",
        ),
        (
            &["--output", "x", "1 2/0 3"],
            "solver: unexpected argument '--output': results are printed (--json), tables are stored \
             in --tables; see solver --help",
        ),
        (
            &["explain", "--suite", "korf100"],
            "solver: unexpected argument '--suite': solver --goal blank-first --file \
             data/suites/korf100.txt solves a published list; see solver explain --help",
        ),
        (
            &["--most", "5", "1 2/0 3"],
            "solver: --most requires --all or --within",
        ),
    ] {
        let found = solver(folder.path(), arguments).fails(2);
        assert_eq!(found.trim_end(), line);
    }
}

#[test]
fn garbage_on_standard_input_is_an_error() {
    let folder = folder();
    let good = "1 2/0 3\n";
    let mut random = Random(1);
    let binary: Vec<u8> = (0..200_000).map(|_| random.below(256) as u8).collect();
    for (name, garbage) in [
        (
            "one long line of numbers",
            "1 ".repeat(500_000).into_bytes(),
        ),
        ("one long word", vec![b'7'; 1 << 20]),
        (
            "one long line of slashes",
            [b"/".repeat(60_000), b"1".to_vec()].concat(),
        ),
        ("deep brackets", vec![b'['; 65_000]),
        ("binary", binary),
        ("zeros", vec![0; 100_000]),
        ("not UTF-8", b"1 2/0 \xc3\x28".to_vec()),
        (
            "a huge number",
            b"1 2/0 999999999999999999999999999999".to_vec(),
        ),
        ("negative", b"-1 2/0 3".to_vec()),
        ("fraction", b"1.5 2/0 3".to_vec()),
        ("wide", format!("{}/1", "1 ".repeat(21)).into_bytes()),
        ("exponent", b"1e9 2/0 3".to_vec()),
    ] {
        let list = [&garbage, b"\n".as_slice(), good.as_bytes()].concat();
        let run = batch(folder.path(), "--json", &list);
        let objects = run.objects(2);
        let (last, errors) = objects.split_last().unwrap();
        assert_eq!(last["length"], 1, "{name}");
        assert!(!errors.is_empty(), "{name}");
        assert!(
            errors.iter().all(|object| object["status"] == "error"),
            "{name}"
        );
        // Answers stay short for any input.
        assert!(run.out.lines().all(|line| line.len() < 20_000), "{name}");
        // A list that contains only this garbage, without a final newline, is rejected too.
        assert_eq!(batch(folder.path(), "", &garbage).code, Some(2), "{name}");
    }
}

/// Numbers without quotes are joined to one board; several boards in quotes stay separate.
#[test]
fn boards_without_quotes_are_joined() {
    let folder = folder();
    let solved = |words: &str, boards: &[&str]| {
        let run = solver(
            folder.path(),
            [&["--json"], &words.split(' ').collect::<Vec<_>>()[..]].concat(),
        );
        let objects = run.objects(0);
        let found: Vec<&str> = objects
            .iter()
            .map(|object| string(object, "board"))
            .collect();
        assert_eq!(found, boards, "{words}");
    };
    solved("1 2 3 4 5 6 7 0 8", &["1 2 3/4 5 6/7 0 8"]);
    solved("1 2 3/4 5 6/7 0 8", &["1 2 3/4 5 6/7 0 8"]);
    solved("1 2 3 4 5 6 7 - 8", &["1 2 3/4 5 6/7 0 8"]);
    solved("1, 2, 3, 4, 5, 6, 7, 0, 8", &["1 2 3/4 5 6/7 0 8"]);
    solved("--size 3x2 1 2 3 4 0 5", &["1 2 3/4 0 5"]);
    solved(
        "--size 3x2 1,2,3,4,5,0 1,2,3,4,0,5",
        &["1 2 3/4 5 0", "1 2 3/4 0 5"],
    );
    solved("1,2/3,0 1,2/0,3", &["1 2/3 0", "1 2/0 3"]);
}

/// A board on standard input may be one line, one line per row, or a drawing.
#[test]
fn boards_in_rows_are_joined() {
    let folder = folder();
    let list = "1 2 3\n4 5 6\n7 0 8\n\n+---+---+\n| 1 | 2 |\n+---+---+\n|   | 3 |\n+---+---+\n\
                8 6 7/2 5 4/3 0 1\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 _ 15\n";
    let objects = batch(folder.path(), "--json", list).objects(0);
    let found: Vec<(&str, u64)> = objects
        .iter()
        .map(|object| (string(object, "board"), object["line"].as_u64().unwrap()))
        .collect();
    let expected = [
        ("1 2 3/4 5 6/7 0 8", 1),
        ("1 2/0 3", 6),
        ("8 6 7/2 5 4/3 0 1", 10),
        ("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15", 11),
    ];
    assert_eq!(found, expected);
}

/// Typical mistakes of new users, such as an unknown verb, or a file name in place of a board.
#[test]
fn common_mistakes_name_the_remedy() {
    let folder = folder();
    let said = |words: &[&str]| solver(folder.path(), words).fails(2);
    assert!(said(&["scrable"]).contains("neither a board nor a verb (scramble, apply,"));
    assert!(said(&["solve", "1 2/0 3"]).contains("To solve, give only boards"));
    let loose = said(&["1 2 3/4 5 6/7 0 8", "1", "2", "3"]);
    assert!(loose.contains("`1` is a single number"), "{loose}");
    let list = folder.path().join("boards.txt");
    fs::write(&list, "1 2/0 3\n").unwrap();
    let list = list.to_str().unwrap();
    for words in [&[list][..], &["show", list], &["probe", list]] {
        assert!(said(words).contains("solver --file "), "{words:?}");
    }
    let goal = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    let line = said(&["--goal", goal, "1 2 3/4 5 6/7 8 0"]);
    assert!(line.contains("4x4 was expected by --goal"), "{line}");
    let line = said(&["--partition", "/no/such/file", "1 2/0 3"]);
    assert!(line.contains("/no/such/file: No such file"), "{line}");
    let line = said(&["--partition", "1,2", "1 2/0 3"]);
    assert!(line.contains("tiles in no part: 3"), "{line}");
    let line = said(&["apply", "1 2/0 3", "9"]);
    assert!(
        line.contains("tile 9 at move 1 is not next to the blank"),
        "{line}"
    );
    // A `-` for the blank at the beginning of a board is not an option.
    assert_eq!(solver(folder.path(), ["-q", "- 1/3 2"]).solves(), "2 LU\n");
    let line = solver(folder.path(), ["show", "--solv", "1 2/0 3"]).fails_as_usage();
    assert!(line.contains("unexpected argument '--solv'"), "{line}");
    assert_eq!(batch(folder.path(), "-", "1 2/0 3\n").solves(), "1 L\n");
    for words in [
        ["--max-time", "-1s"],
        ["--max-nodes", "-1k"],
        ["--within", "-1"],
    ] {
        let line = solver(folder.path(), words.iter().chain(&["1 2/0 3"])).fails_as_usage();
        assert!(line.contains("found `-1"), "{line}");
    }
    let line = solver(folder.path(), ["--max-nodes", "0", "1 2/0 3"]).fails(2);
    assert!(
        line.contains("--max-nodes is 0: expected at least 1"),
        "{line}"
    );
}

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
