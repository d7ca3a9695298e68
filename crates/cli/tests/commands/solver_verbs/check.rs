//! `solver check`: checks of solutions.

use std::fs;

use serde_json::{Value, json};

use super::board::{Board, HARD_6X6, WAYS};
use super::run::{batch, folder, solver, string};
use crate::IS_LONG;

const SOLUTION: &str = "LDR2UL2D2RURDLURUL2DRULD2R2U2L2";
const FARTHEST: &str = "8 6 7/2 5 4/3 0 1";

#[test]
fn solutions_are_checked() {
    let folder = folder();
    let check = |words: &[&str]| {
        let run = solver(folder.path(), [&["check", "--quiet"], words].concat());
        (run.code, run.out.trim_end().to_owned(), run.err)
    };
    let judged = |words: &[&str], code: i32, said: &str| {
        let expected = (Some(code), said.to_owned(), String::new());
        assert_eq!(check(words), expected, "{words:?}");
    };
    judged(
        &[FARTHEST, SOLUTION],
        0,
        "solves the board in 31 moves: optimal",
    );
    // The detour adds two moves that undo each other.
    let detour = SOLUTION.replacen("LDR", "LDRLR", 1);
    judged(
        &[FARTHEST, &detour],
        0,
        "solves the board in 33 moves: 2 more than the optimal 31",
    );
    judged(
        &[FARTHEST, "LD", "R"],
        1,
        "legal, but the goal is not reached: it ends with 8 6 7/2 0 5/3 1 4",
    );
    judged(
        &["1 2 3/4 5 6/7 0 8", "LD"],
        1,
        "legal, but the goal is reached after 1 move, and left: it ends with 1 2 3/4 5 0/7 8 6",
    );
    judged(
        &[FARTHEST, "U"],
        1,
        "not legal: no tile can go U at move 1: the blank is at the frame",
    );
    judged(
        &["--notation", "numbers", "1 2 3/4 5 6/7 0 8", "8"],
        0,
        "solves the board in 1 move: optimal",
    );
    judged(
        &["--metric", "multi", "1 2 3/4 5 6/0 7 8", "L2"],
        0,
        "solves the board in 1 move of the multi-tile metric: optimal",
    );
    let run = solver(folder.path(), ["check", FARTHEST, "LXD"]);
    assert!(run.fails(2).contains("`LXD` at move 1"));
}

#[test]
fn a_limit_leaves_a_bound() {
    let folder = folder();
    let words = [
        "check",
        "--partition",
        "manhattan",
        "--max-nodes",
        "1",
        "--json",
    ];
    let run = solver(
        folder.path(),
        words.iter().copied().chain([FARTHEST, SOLUTION]),
    );
    let object = run.object(0);
    assert_eq!(object["optimal"], json!(null));
    assert_eq!(object["bound"], 21);
    assert_eq!(object["excess"], 10);
    assert_eq!(object["solves"], true);
}

/// `check` answers within its default limit, although a proof of optimality would take hours and
/// the default tables are missing.
#[test]
fn large_boards_are_checked_within_a_default_limit() {
    let folder = folder();
    let solve = ["--mode", "strategic", "--quiet", HARD_6X6];
    let line = solver(folder.path(), solve).succeeds();
    let moves = line.split_whitespace().nth(1).unwrap();
    let words = ["check", "--json", "--threads", "1", HARD_6X6, moves];
    let run = solver(folder.path(), words);
    let object = run.object(0);
    assert_eq!(object["legal"], true);
    assert_eq!(object["optimal"], json!(null));
    assert!(object["bound"].as_u64().unwrap() >= 174, "{object}");
}

/// Compares the answers for walks of four moves with an independent search. The long set of tests
/// checks all 256 walks; otherwise every third walk is checked.
#[test]
fn objects_agree_with_an_independent_search() {
    let folder = folder();
    let goal = Board::goal(2, 2, 3);
    let start = Board::read("3 1/2 0");
    let distances = goal.all_distances();
    let mut checked = 0;
    for number in (0..256_usize).step_by(if IS_LONG { 1 } else { 3 }) {
        let moves: String = (0..4)
            .map(|place| WAYS[number >> (2 * place) & 3])
            .collect();
        let mut end = Some(start.clone());
        for way in moves.chars() {
            end = end.and_then(|board| board.moved(way));
        }
        let run = solver(folder.path(), ["check", "--json", &start.rows(), &moves]);
        let solves = end.as_ref() == Some(&goal);
        let object = run.object(i32::from(!solves));
        assert_eq!(object["legal"], end.is_some(), "{moves}");
        assert_eq!(object["solves"], solves, "{moves}");
        if solves {
            assert_eq!(object["excess"], 4 - distances[&start], "{moves}");
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
fn boards_come_from_standard_input_as_well() {
    let folder = folder();
    let run = batch(folder.path(), "apply - U", "1 2 3\n4 5 6\n7 0 8\n");
    assert!(
        run.fails(2)
            .starts_with("solver: no tile can go U at move 1: the blank is at the frame")
    );
    let run = batch(folder.path(), "apply - D", "1 2 3\n4 5 6\n7 0 8\n");
    assert_eq!(run.succeeds(), "1 2 3/4 0 6/7 5 8\n");
    let object = batch(folder.path(), "apply --json - L", "1 2 3/4 5 6/7 0 8").object(0);
    assert_eq!(
        (&object["solved"], &object["length"]),
        (&true.into(), &1.into())
    );
}

#[test]
fn inverses_are_written_as_they_are_read() {
    let folder = folder();
    let invert = |words: &[&str]| {
        let run = solver(folder.path(), [&["invert"], words].concat());
        run.succeeds().trim_end().to_owned()
    };
    assert_eq!(invert(&["U2RD"]), "ULD2");
    assert_eq!(invert(&["u2", "r", "d"]), "ULD2");
    assert_eq!(invert(&["--notation", "numbers", "12 8 7 3"]), "3 7 8 12");
    assert_eq!(
        invert(&["--json", "UR"]),
        r#"{"inverse":"LD","moves":"UR"}"#
    );
    let words = ["invert", "--notation", "numbers", "1, x"];
    let line = solver(folder.path(), words).fails(2);
    assert!(
        line.contains("`x` at move 2 is not a tile's number"),
        "{line}"
    );
    let line = solver(folder.path(), ["invert", "UX"]).fails(2);
    assert!(line.contains("`UX` at move 1"), "{line}");
}

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
