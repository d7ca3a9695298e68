//! `solver scramble`: random boards of all sorts.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::IS_LONG;
use crate::solver_verbs::board::Board;
use crate::solver_verbs::run::{batch, folder, lengths, solver};

fn scramble(words: &str) -> Vec<String> {
    let folder = folder();
    let words = ["scramble", "--quiet"].into_iter().chain(words.split(' '));
    let out = solver(folder.path(), words).succeeds();
    out.lines().map(ToOwned::to_owned).collect()
}

#[test]
fn the_same_seed_gives_the_same_boards_on_every_machine() {
    let boards = scramble("--seed 1 -n 3");
    let expected = [
        "14 3 7 5/8 10 9 4/13 12 11 0/1 15 6 2",
        "4 11 10 3/15 9 2 7/13 1 8 6/5 12 0 14",
        "0 12 11 10/13 7 15 4/2 9 6 14/8 3 5 1",
    ];
    assert_eq!(boards, expected);
    assert_eq!(scramble("--seed 1 -n 2"), expected[..2]);
    assert_ne!(scramble("--seed 2 -n 3"), expected);
    // Without `--seed`, each run uses a different seed, and prints this seed.
    let folder = folder();
    let run = solver(folder.path(), ["scramble", "-n", "4"]);
    let seed = run.err.trim_end().strip_prefix("solver: seed ").unwrap();
    assert_eq!(
        scramble(&format!("--seed {seed} -n 4")).join("\n"),
        run.out.trim_end()
    );
}

/// All 12 boards of the 2x2 are drawn about equally often.
#[test]
fn boards_are_uniform() {
    let boards = scramble("--size 2x2 --seed 5 -n 12k");
    let mut counts: HashMap<String, u32> = HashMap::new();
    for board in boards {
        *counts.entry(board).or_default() += 1;
    }
    assert_eq!(counts.len(), 12);
    // The standard deviation of each count is about 30.
    assert!(
        counts.values().all(|count| (850..1150).contains(count)),
        "{counts:?}"
    );
    let goal = Board::goal(2, 2, 3);
    let distances = goal.all_distances();
    assert!(
        counts
            .keys()
            .all(|board| distances.contains(&Board::read(board)))
    );
}

#[test]
fn walks_have_the_requested_length() {
    let folder = folder();
    let words = "scramble --size 4x3 --goal blank-first --moves 25 --seed 3 -n 20 --json";
    let run = solver(folder.path(), words.split(' '));
    let objects = run.objects(0);
    assert_eq!(objects.len(), 20);
    for object in objects {
        let scramble = object["scramble"].as_str().unwrap();
        let (end, count) = Board::goal(4, 3, 0).play(scramble);
        assert_eq!(count, 25);
        assert_eq!(object["board"], end.rows());
        for undoing in ["UD", "DU", "LR", "RL"] {
            let letters: String = scramble.chars().filter(char::is_ascii_alphabetic).collect();
            assert!(!letters.contains(undoing), "{scramble}");
        }
    }
}

/// Scrambles 3x3 boards of several lengths up to the longest, in both metrics, and solves them to
/// check their lengths.
#[test]
fn boards_have_the_requested_length() {
    let folder = folder();
    for (metric, longest) in [("single", 31), ("multi", 24)] {
        for length in (0..=longest)
            .step_by(if IS_LONG { 3 } else { 6 })
            .chain([longest])
        {
            let words = format!("scramble --quiet --size 3x3 --metric {metric} --length {length}");
            let run = solver(folder.path(), format!("{words} -n 3").split(' '));
            assert_eq!(run.code, Some(0), "{}", run.err);
            assert_eq!(run.out.lines().count(), 3);
            let solved = batch(
                folder.path(),
                &format!("--json --metric {metric}"),
                &run.out,
            );
            let wanted = vec![length; 3];
            assert_eq!(lengths(&solved.objects(0)), wanted, "{metric}");
        }
    }
}

/// Impossible lengths are rejected immediately, with the reason.
#[test]
fn impossible_lengths_are_rejected() {
    let folder = folder();
    for (words, reason) in [
        (
            "--length 81",
            "no 4x4 board needs more than 80 moves, but --length is 81",
        ),
        (
            "--metric multi --length 44",
            "no 4x4 board needs more than 43",
        ),
        (
            "--size 3x3 --length 32",
            "no 3x3 board needs more than 31 moves",
        ),
        (
            "--size 3x3 --metric multi --length 25",
            "more than 24 moves",
        ),
        (
            "--size 5x1 --length 10",
            "no 5x1 board needs more than 4 moves",
        ),
        (
            "--size 5x5 --length 300",
            "no 5x5 board needs more than 208",
        ),
        ("--size 3x5 --length 85", "no 3x5 board needs more than 84"),
        // The blank's goal cell is neither the first nor the last cell.
        (
            "--goal 1,2/0,3 --length 8",
            "no 2x2 board needs more than 6",
        ),
        ("--goal 1,0,2/3,4,5 --length 23", "more than 22 moves"),
        ("--size 6x6 --length 4294967295", "is not in 0..=1000"),
    ] {
        let words = format!("scramble --quiet {words}");
        let line = solver(folder.path(), words.split(' ')).fails(2);
        assert!(line.contains(reason), "{words}: {line}");
    }
}

/// Checks the largest distances on small trays by breadth-first search.
#[test]
fn the_longest_boards_have_the_known_length() {
    for (width, height, longest) in [(2, 2, 6), (3, 2, 21), (2, 4, 36), (3, 3, 31)] {
        let goal = Board::goal(width, height, width * height - 1);
        assert_eq!(goal.all_distances().largest(), longest);
    }
}

/// On trays whose random boards are too hard to solve, `--length` creates boards by random walks
/// from the goal. Checks that the solver finds solutions of the requested length.
#[test]
fn large_trays_have_short_boards_too() {
    let folder = folder();
    for (size, length) in [
        ("6x6", 12),
        ("10x10", 4),
        ("20x20", 2),
        ("2x9", 10),
        ("1x7", 6),
    ] {
        let words = format!("scramble --quiet --size {size} --length {length} -n 3");
        let run = solver(folder.path(), words.split(' '));
        assert_eq!(run.code, Some(0), "{size}: {}", run.err);
        let solved = batch(folder.path(), "--json", &run.out).objects(0);
        assert_eq!(lengths(&solved), [length; 3], "{size}");
    }
}

#[test]
fn rare_lengths_are_found_by_climbing() {
    let folder = folder();
    let words = "scramble --quiet --seed 4 --length 30 --size 3x3 -n 2 --json";
    for object in solver(folder.path(), words.split(' ')).objects(0) {
        let board = Board::read(object["board"].as_str().unwrap());
        let (end, count) = board.play(object["moves"].as_str().unwrap());
        assert_eq!((end, count), (Board::goal(3, 3, 8), 30));
        assert_eq!(board.distance_to(&Board::goal(3, 3, 8)), 30);
    }
}

#[test]
fn impossible_options_are_rejected() {
    let folder = folder();
    for words in [
        "scramble --moves 3 --length 4",
        "scramble --suite hardest80 --length 4",
        "scramble -n many",
        "scramble --seed -1",
        "scramble --moves 1e9",
        "scramble 1 2 3",
    ] {
        solver(folder.path(), words.split(' ')).fails_as_usage();
    }
}

#[test]
fn boards_of_suites_are_printed() {
    let folder = folder();
    let run = |words: &str| solver(folder.path(), words.split(' '));
    let boards = scramble("--suite hardest80 --seed 0 -n 18");
    assert_eq!(boards[0], "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1");
    assert_eq!((&boards[0], boards.len()), (&boards[17], 18));
    assert_eq!(scramble("--suite hardest80 --seed 19"), boards[2..3]);
    let object = run("scramble --suite hardest80 --seed 1 --json").succeeds();
    let object: Value = serde_json::from_str(&object).unwrap();
    assert_eq!(
        (&object["board"], &object["length"]),
        (&json!(boards[1]), &json!(80))
    );
    let found = run("scramble --suite korf100 --seed 0");
    let goal = "solve with --goal \"0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15\"";
    assert!(found.err.contains(goal), "{}", found.err);
    run("scramble -q --suite hardest80 --size 3x3").fails(2);
    let unknown = run("scramble -q --suite hard").fails(2);
    assert!(unknown.contains("hardest80"), "{unknown}");
}
