//! Lists of boards: read from files and standard input, answered in order.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
#[cfg(target_os = "linux")]
use std::process::Stdio;

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::solver_verbs::board::FARTHEST_3X3;
use crate::solver_verbs::board::{Board, FAR, small_list};
use crate::solver_verbs::run::{batch, command, folder, solver, start, string};

#[test]
fn any_number_of_threads_answers_in_input_order() {
    let folder = folder();
    let list = small_list(3000);
    let answers = ["1", "2", "8"].map(|threads| {
        let words = format!("--threads {threads} --partition 5-3 --json");
        let objects = batch(folder.path(), &words, &list).objects(0);
        let answer = |object: &Value| {
            (
                object["board"].clone(),
                object["moves"].clone(),
                object["nodes"].clone(),
            )
        };
        objects.iter().map(answer).collect::<Vec<_>>()
    });
    assert_eq!(answers[0].len(), 3000);
    for ((board, _, _), line) in answers[0].iter().zip(list.lines()) {
        assert_eq!(board, line);
    }
    assert!(answers[0] == answers[1] && answers[1] == answers[2]);
}

#[test]
fn files_standard_input_and_a_dash_are_the_same_list() {
    let folder = folder();
    let path = folder.path().join("list.txt");
    let list = "# boards\n\n8 6 7/2 5 4/3 0 1 31\n   \n\t# more\r\n6 4 7/8 5 0/3 2 1\r\n1 2/0 3";
    fs::write(&path, list).unwrap();
    let said = batch(folder.path(), "", list).solves();
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), 3);
    for (line, length) in said.iter().zip(["31 ", "31 ", "1 "]) {
        assert!(line.starts_with(length), "{line}");
    }
    assert!(
        batch(folder.path(), "--file -", list)
            .solves()
            .lines()
            .eq(said.clone())
    );
    let file = solver(folder.path(), ["--file", path.to_str().unwrap()]).solves();
    assert!(file.lines().eq(said.clone()));
    let short = solver(folder.path(), ["-f", path.to_str().unwrap()]).solves();
    assert!(short.lines().eq(said));
}

#[test]
fn lists_may_have_ids_lengths_and_further_columns() {
    let folder = folder();
    for (words, line, length) in [
        ("--size 3x3", "8 6 7 2 5 4 3 0 1", 31),
        ("--size 3x3", "8 6 7 2 5 4 3 0 1 31", 31),
        ("--size 3x3", "8,6,7,2,5,4,3,0,1,31,99,123456789012", 31),
        ("--size 3x3", "17 8 6 7 2 5 4 3 0 1", 31),
        ("--size 3x3", "17 8 6 7 2 5 4 3 0 1 31 5", 31),
        ("", "8 6 7/2 5 4/3 0 1 31", 31),
        ("--leading-id", "17 8 6 7/2 5 4/3 0 1 31", 31),
        ("--leading-id --size 3x3", "17 8 6 7 2 5 4 3 0 1 31", 31),
        ("--leading-id --size 2x2", "0 1 2 3 0 0", 0),
        ("--leading-id --size 2x2", "3 1 2 0 3 1", 1),
    ] {
        let object = batch(folder.path(), &format!("--json {words}"), line).object(0);
        assert_eq!(object["length"], length, "{line}");
    }
    // The default size is 4x4.
    let line = format!("1 {} 55", Board::read(FAR).flat());
    assert_eq!(batch(folder.path(), "--json", line).object(0)["length"], 55);
    // This line is a valid board both with and without the leading number.
    let error = batch(folder.path(), "--json --size 2x2", "0 1 2 3 0").object(2);
    assert!(
        string(&error, "message").contains("--leading-id"),
        "{error}"
    );
    // With `--leading-id` the first number of a line is never part of the board, even if the board
    // is too short without it.
    let error = batch(folder.path(), "--json --size 2x2 --leading-id", "1 2 3 0").object(2);
    assert_eq!(error["status"], "error");
}

fn statuses(objects: &[Value]) -> Vec<&str> {
    objects.iter().map(|o| string(o, "status")).collect()
}

#[test]
fn a_false_known_length_is_an_error_of_its_board() {
    let folder = folder();
    let list = "8 6 7/2 5 4/3 0 1 31\n8 6 7/2 5 4/3 0 1 29\n6 4 7/8 5 0/3 2 1 31\n";
    let run = batch(folder.path(), "--json", list);
    let objects = run.objects(2);
    assert_eq!(statuses(&objects), ["solved", "error", "solved"]);
    assert_eq!(objects[1]["line"], 2);
    let message = string(&objects[1], "message");
    assert!(
        message.contains("31") && message.contains("29"),
        "{message}"
    );

    let run = batch(folder.path(), "--quiet", list);
    assert_eq!(run.code, Some(2));
    let words = run.out.lines().map(|line| line.split(' ').next().unwrap());
    assert_eq!(words.collect::<Vec<_>>(), ["31", "error", "31"]);
    assert_eq!(run.err.lines().count(), 1);
    assert!(run.err.contains("line 2"), "{}", run.err);
}

#[test]
fn bad_lines_are_answered_in_order() {
    let folder = folder();
    let list = b"1 2/0 3\n# comment\nwhat is this\n\n1 2/3 3\n\xff\xfe\x00\n1 3/2 0\n1 2/3 0\n3 3/1 0\n0 1/3 2\n";
    let run = batch(folder.path(), "--json", list);
    let objects = run.objects(2);
    let expected = [
        "solved",
        "error",
        "error",
        "error",
        "unsolvable",
        "solved",
        "error",
        "solved",
    ];
    assert_eq!(statuses(&objects), expected);
    let line = |object: &Value| object.get("line").map(|line| line.as_u64().unwrap());
    let lines: Vec<Option<u64>> = objects.iter().map(line).collect();
    assert_eq!(lines, [1, 3, 5, 6, 7, 8, 9, 10].map(Some));
    let keys = |object: &Value| {
        object
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let of_error = ["board", "line", "message", "mode", "status"];
    assert_eq!(keys(&objects[1]), of_error);
    // data/answers leaves out these fields.
    assert!(objects[0]["ms"].is_f64() && objects[0]["threads"].is_u64());

    let run = batch(folder.path(), "", list);
    assert_eq!(run.code, Some(2));
    let errors = run.out.lines().map(|line| line == "error");
    let expected = expected.map(|status| status == "error");
    assert_eq!(errors.collect::<Vec<_>>(), expected, "{}", run.out);
    for number in [3, 5, 6, 9] {
        let place = format!("line {number}:");
        assert_eq!(run.err.matches(&place).count(), 1, "{}", run.err);
    }
}

#[test]
fn a_batch_ends_with_the_highest_exit_code() {
    let folder = folder();
    let code = |list: &str| batch(folder.path(), "--partition 7-8 --threads 1", list).code;
    // The partition 7-8 is only for 4x4 boards, so boards of other sizes are bad input. The tables
    // of 7-8 are missing.
    let (solved, unsolvable) = ("# nothing\n", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0\n");
    let (bad, missing) = ("1 2/0 3\n", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15\n");
    assert_eq!(code(solved), Some(0));
    assert_eq!(code(&[solved, unsolvable].concat()), Some(1));
    assert_eq!(code(&[bad, unsolvable].concat()), Some(2));
    assert_eq!(code(&[unsolvable, bad].concat()), Some(2));
    assert_eq!(code(&[bad, missing, unsolvable].concat()), Some(3));
    assert_eq!(code(&[missing, bad, unsolvable].concat()), Some(3));
}

#[test]
fn a_closed_reader_ends_a_batch_quietly() {
    let folder = folder();
    let path = folder.path().join("list.txt");
    fs::write(&path, small_list(20_000)).unwrap();
    solver(folder.path(), ["1 2 3/4 5 6/7 0 8"]).solves();
    for words in ["", "--json"] {
        let mut command = command(folder.path());
        let command = command
            .args(words.split_whitespace())
            .arg("--file")
            .arg(&path);
        let mut child = start(command);
        let mut line = String::new();
        let mut out = BufReader::with_capacity(64, child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        drop(out);
        let mut err = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        let status = child.wait().unwrap();
        assert_eq!(err, "");
        assert_ne!(status.code(), Some(101));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let folder = folder();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = command(folder.path());
    let command = command.args(["--quiet", FARTHEST_3X3[0]]).stdout(full);
    let run = command.stderr(Stdio::piped()).output().unwrap();
    assert_eq!(run.status.code(), Some(3));
    let err = String::from_utf8(run.stderr).unwrap();
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.starts_with("solver: standard output: "), "{err}");
}
