//! `solver check`: checks of solutions.

use serde_json::json;

use crate::IS_LONG;
use crate::solver_verbs::board::{Board, HARD_6X6, WAYS};
use crate::solver_verbs::run::{folder, solver};

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
