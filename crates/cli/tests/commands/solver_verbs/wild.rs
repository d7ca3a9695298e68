//! Boards as people write them: `data/wild` as an argument, on standard input and as a file.

use std::fs;

use serde_json::Value;

use super::run::{batch, solver, string};
use crate::file::folder;

const CASES: &str = include_str!("../../../../../data/wild/boards_as_written.jsonl");

/// The lengths of a run's answers, `null` for unsolvable boards; boards with an error are left out.
fn answers(objects: &[Value]) -> (Vec<Value>, Vec<Value>) {
    let is_read = |object: &&Value| object["status"] != "error";
    let read: Vec<&Value> = objects.iter().filter(is_read).collect();
    let field = |name| read.iter().map(|object| object[name].clone()).collect();
    (field("board"), field("length"))
}

#[test]
fn boards_as_written_are_solved_in_every_form_of_input() {
    let folder = folder();
    let file = folder.path().join("boards.txt");
    let list = file.to_str().unwrap();
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        let expected = case["boards"].as_array().unwrap();
        let goal = case["goal"]
            .as_str()
            .unwrap_or("blank-last")
            .replace(' ', ",");
        // Optimal solutions of larger boards need large tables or many seconds.
        let is_small = expected
            .iter()
            .all(|board| board.as_str().unwrap().len() < 18);
        let mode = if is_small { "optimal" } else { "strategic" };
        fs::write(&file, text).unwrap();
        let options = ["--json", "--goal", &goal, "--mode", mode];
        let argument = solver(folder.path(), [&options[..], &["--", text]].concat());
        let from_file = solver(folder.path(), [&options[..], &["--file", list]].concat());
        let input = batch(folder.path(), &options.join(" "), text.as_bytes());
        for (run, form) in [
            (argument, "argument"),
            (from_file, "file"),
            (input, "input"),
        ] {
            let objects: Vec<Value> = (run.out.lines())
                .map(|object| serde_json::from_str(object).unwrap())
                .collect();
            let (boards, lengths) = answers(&objects);
            assert_eq!(boards, *expected, "{form}: {line}\n{}", run.err);
            if let Some(known) = case["lengths"].as_array().filter(|_| is_small) {
                assert_eq!(lengths, *known, "{form}: {line}");
            }
            let is_error = |object: &Value| object["status"] == "error";
            assert_eq!(run.code == Some(2), expected.is_empty(), "{form}: {line}");
            assert_eq!(
                objects.iter().any(is_error),
                expected.is_empty(),
                "{form}: {line}"
            );
        }
    }
}

#[test]
fn guesses_are_noted_once_and_in_json() {
    let folder = folder();
    let list = "3\n1 2 3\n4 5 6\n7 0 8\n\n1 2 3/4 5 6/7 9 8\n1 2 3/4 5 6/9 7 8\n";
    let run = batch(folder.path(), "", list.as_bytes());
    let notes: Vec<&str> = run
        .err
        .lines()
        .filter(|line| line.contains(": note: "))
        .collect();
    let expected = [
        "solver: note: line 2: the numbers before the board are read as its size 3x3",
        "solver: note: line 6: 9, the highest number, is read as the blank",
    ];
    assert_eq!(notes, expected);
    let run = batch(folder.path(), "--json", list.as_bytes());
    let noted = run
        .objects(0)
        .iter()
        .filter(|object| object["notes"].is_array())
        .count();
    assert_eq!(noted, 3);
}

#[test]
fn a_json_line_has_its_own_goal() {
    let folder = folder();
    let list = r#"{"board": [[1,0],[3,2]], "goal": "0 1/3 2"}
{"board": "1 3/0 2"}
"#;
    let run = batch(folder.path(), "--json --goal columns", list.as_bytes());
    let objects = run.objects(0);
    let moves: Vec<&str> = objects
        .iter()
        .map(|object| string(object, "moves"))
        .collect();
    assert_eq!(moves, ["R", "L"]);
}

#[test]
fn an_unsolvable_board_names_the_goals_that_it_can_reach() {
    let folder = folder();
    let board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let run = solver(folder.path(), [board]);
    assert_eq!(run.code, Some(1));
    let said = "it can be solved to 0 1 2 ...: --goal blank-first; swapping";
    assert!(run.out.contains(said), "{}", run.out);
    let run = solver(folder.path(), ["--json", board]);
    assert!(
        run.out.contains(r#""reachable_goals":["blank-first"]"#),
        "{}",
        run.out
    );
}
