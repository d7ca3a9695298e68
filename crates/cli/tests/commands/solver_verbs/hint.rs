//! `solver hint`: hints for a board.

use serde_json::json;

use crate::solver_verbs::board::{Board, WAYS};
use crate::solver_verbs::run::{folder, solver};

const EASY: &str = "1 2 3/4 0 6/7 5 8";

#[test]
fn help_grows_in_four_steps() {
    let folder = folder();
    solver(folder.path(), ["hint", EASY]).solves();
    let distance = "2 moves to the goal";
    let all = [
        &[distance][..],
        &[distance, "move tile 5"],
        &[distance, "move tile 5 up (U)"],
        &[distance, "move tile 5 up (U)", "it is the only good move"],
    ];
    for (step, level) in (1..=4).zip(["distance", "tile", "move", "all"]) {
        for words in [
            ["--step".to_owned(), step.to_string()],
            ["--level".to_owned(), level.to_owned()],
        ] {
            let words = words.iter().map(String::as_str);
            let run = solver(folder.path(), ["hint", "-q", EASY].into_iter().chain(words));
            assert_eq!(run.succeeds().lines().collect::<Vec<_>>(), all[step - 1]);
        }
    }
    let said = solver(folder.path(), ["hint", EASY]).succeeds();
    assert!(said.ends_with("more help: --step 2 (which tile), 3 (the move), 4 (all good moves)\n"));
    // The line `more help` names only steps after the requested one.
    let said = solver(folder.path(), ["hint", "--step", "3", EASY]).succeeds();
    assert!(
        said.ends_with("\nmore help: --step 4 (all good moves)\n"),
        "{said}"
    );
    let words = ["hint", "--step", "4", "8 6 7/2 5 4/3 0 1"];
    let said = solver(folder.path(), words).succeeds();
    assert!(said.contains("31 moves to the goal\n"), "{said}");
    for way in ["1 left (L)", "5 down (D)", "3 right (R)"] {
        assert!(said.contains(way), "{said}");
    }
    let goal = solver(folder.path(), ["hint", "--step", "4", "1 2 3/4 5 6/7 8 0"]).succeeds();
    assert_eq!(goal, "already solved\n");
    let words = ["hint", "-q", "--step", "3", "--notation", "blank", EASY];
    let said = solver(folder.path(), words).succeeds();
    assert!(said.contains("5 up (D)"), "{said}");
}

/// Compares the hints for all boards of the 3x2 with an independent search.
#[test]
fn objects_agree_with_an_independent_search() {
    let folder = folder();
    let goal = Board::goal(3, 2, 5);
    let distances = goal.all_distances();
    solver(folder.path(), ["hint", "1 2 3/4 5 0"]).solves();
    let mut boards: Vec<Board> = distances.boards().collect();
    boards.sort_by_key(Board::rows);
    for board in boards.into_iter().step_by(9) {
        let distance = distances[&board];
        let object = solver(folder.path(), ["hint", "--json", &board.rows()]).object(0);
        assert_eq!(object["distance"], distance);
        assert_eq!(
            (&object["exact"], &object["bound"]),
            (&json!(true), &json!(distance))
        );
        let good = WAYS.into_iter().filter(|&way| {
            let next = board.moved(way);
            next.is_some_and(|next| distances[&next] < distance)
        });
        let mut good: Vec<String> = good.map(String::from).collect();
        let moves = object["moves"].as_array().unwrap().iter();
        let mut found: Vec<&str> = moves.map(|step| step["moves"].as_str().unwrap()).collect();
        good.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, good, "{board:?}");
        let (end, count) = board.play(object["solution"].as_str().unwrap());
        assert_eq!((&end, count), (&goal, distance));
    }
}

#[test]
fn runs_of_tiles_are_hints_too() {
    let folder = folder();
    let words = [
        "hint",
        "--metric",
        "multi",
        "--step",
        "4",
        "1 2 3/4 5 6/0 7 8",
    ];
    let said = solver(folder.path(), words).solves();
    let expected = "1 move to the goal\nmove tiles 7 8 left (L2)\n\
                    it is the only good move\n";
    assert_eq!(said, expected);
}

/// `hint` and `rate` mark unproved distances.
#[test]
fn hints_of_large_boards_are_marked_as_unproved() {
    let folder = folder();
    let words = "--quiet --size 6x6 --partition manhattan";
    let scramble = format!("scramble {words} --seed 1");
    let board = solver(folder.path(), scramble.split(' ')).succeeds();
    let options: Vec<&str> = words.split(' ').collect();
    let limit = &["--max-nodes", "20k"][..];
    let run = |verb: &[&str]| solver(folder.path(), [&options, verb, limit].concat());
    let object = run(&["hint", "--json", &board]).object(0);
    assert_eq!(object["exact"], false);
    assert!(object["bound"].as_u64() < object["distance"].as_u64());
    let solution = object["solution"].as_str().unwrap();
    let (end, count) = Board::read(board.trim()).play(solution);
    assert_eq!(
        (end, Some(count as u64)),
        (Board::goal(6, 6, 35), object["distance"].as_u64())
    );
    let said = run(&["hint", "--step", "4", &board]).succeeds();
    assert!(
        said.contains("by the best solution found; no solution is shorter"),
        "{said}"
    );
    let said = run(&["rate", &board, solution]).succeeds();
    assert!(said.contains("the best solution known has"), "{said}");
    assert!(
        said.contains("not proved: moves are judged by the best"),
        "{said}"
    );
}

#[test]
fn bad_boards_and_limits_are_reported() {
    let folder = folder();
    let run = solver(folder.path(), ["hint", "1 2 3/4 5 6/8 7 0"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("unsolvable: "), "{}", run.out);
    for words in [
        &["hint"][..],
        &["hint", "--step", "5", EASY],
        &["hint", "--step", "0", EASY],
        &["hint", "--step", "1", "--level", "all", EASY],
        &["hint", "--level", "some", EASY],
        &["hint", EASY, "UL"],
    ] {
        solver(folder.path(), words).fails_as_usage();
    }
    let line = solver(folder.path(), ["hint", "1 2 3/4 5 6/7 8 8"]).fails(2);
    assert!(line.contains('8'), "{line}");
}
