//! `solver hint`: hints for a board.

use std::process::Command;

use super::board::Board;
use super::run::{folder, solver, string};
use crate::run::clean;

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

#[test]
fn games_are_rated_as_text() {
    let folder = folder();
    solver(folder.path(), ["hint", EASY]).solves();
    let rate = |words: &[&str]| solver(folder.path(), [&["rate"], words].concat()).succeeds();
    assert_eq!(
        rate(&[EASY, "RLUL"]),
        "   tile  lost  to go\n\
         0                  2\n\
         1  4 R      2      3  better: 5 U\n\
         2  4 L             2\n\
         3  5 U             1\n\
         4  8 L             0\n\
         solved in 4 moves; the shortest solution has 2\n\
         credit 75 %: 3 of 4 moves kept a shortest solution; 2 moves lost\n\
         most was lost at move 1: 2 moves\n"
    );
    assert_eq!(
        rate(&["-q", EASY, "U"]),
        "not solved: 1 move made, 1 to go; the shortest solution has 2\n\
         credit 100 %: 1 of 1 move kept a shortest solution; 0 moves lost\n"
    );
    // Moves may be tile numbers in separate arguments, or letters in blank notation.
    assert!(rate(&["-q", EASY, "5", "8"]).contains("solved in 2 moves"));
    assert!(rate(&["-q", "--notation", "blank", EASY, "dr"]).contains("solved in 2 moves"));
}

#[test]
fn illegal_moves_are_named() {
    let folder = folder();
    for (words, reason) in [
        (
            &["rate", EASY, "U2L"][..],
            "no tile can go U at move 2: the blank is at the frame",
        ),
        (
            &["rate", "--notation", "blank", EASY, "UU"],
            "no tile can go D at move 2: the blank is at the frame",
        ),
        (
            &["rate", EASY, "5 8 3"],
            "tile 3 at move 3 is not next to the blank",
        ),
        (&["rate", EASY, "UXL"], "`UXL` at move 1 is not a move"),
        (&["rate", EASY, "5 U"], "`5` at move 1 is not a move"),
        (
            &["apply", EASY, "LL"],
            "no tile can go L at move 2: the blank is at the frame",
        ),
    ] {
        let line = solver(folder.path(), words).fails(2);
        assert!(line.contains(reason), "{line}");
    }
    solver(folder.path(), ["rate", EASY]).fails_as_usage();
    let run = solver(folder.path(), ["rate", "1 2 3/4 5 6/8 7 0", "D"]);
    assert_eq!(run.code, Some(1));
}

const BOARD: &str = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";

/// Compares the printed values with the bytes in the table files.
#[test]
fn entries_match_the_file() {
    let folder = folder();
    let words = [
        "probe",
        "--json",
        "--partition",
        "6-6-3",
        "--kind",
        "blank-compressed",
        BOARD,
    ];
    let probe = solver(folder.path(), words).object(0);
    for view in probe["views"].as_array().unwrap() {
        for part in view["parts"].as_array().unwrap() {
            let bytes = std::fs::read(string(part, "file")).unwrap();
            // In a `u8` table, the entries are the bytes after the header.
            let entry = pdb_table::HEADER_LENGTH + part["entry"].as_u64().unwrap() as usize;
            assert_eq!(part["value"], bytes[entry]);
            assert_eq!(part["stored"], bytes[entry]);
        }
    }
}

/// The output names the file that was read. One-bit files are preferred to `u8` files.
#[test]
fn the_named_file_is_the_one_read() {
    let folder = folder();
    let tables = folder.path();
    for encoding in ["one-bit", "u8"] {
        let words = format!("--size 3x3 --partition 8 --encoding {encoding}");
        crate::pdb_gen_verbs::run::pdb_gen(tables, &words).succeeds();
    }
    let run = solver(tables, ["probe", "--json", "8 6 7/2 5 4/3 0 1"]);
    let part = &run.object(0)["views"][0]["parts"][0];
    assert_eq!(string(part, "encoding"), "one-bit");
    assert!(!string(part, "file").contains(".u8."), "{part}");
}

/// Standard output contains only JSON objects.
#[test]
fn boards_without_a_solution_have_an_object() {
    let folder = folder();
    for verb in [&["probe"][..], &["show", "--solve"]] {
        let words = [verb, &["--json", "1 2 3/4 5 6/8 7 0"]].concat();
        let object = solver(folder.path(), words).object(1);
        assert_eq!(object["status"], "unsolvable");
        assert_eq!(object["swap"], serde_json::json!([7, 8]));
    }
    let hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let words = ["show", "--solve", "--json", "--max-nodes", "10", hard];
    assert_eq!(solver(folder.path(), words).object(1)["status"], "limit");
}

#[test]
fn probes_are_printed_as_text() {
    let folder = folder();
    let run = solver(folder.path(), ["probe", "--quiet", BOARD]);
    let out = run.succeeds();
    assert!(
        out.starts_with(&format!("{BOARD}: the lower bound of 6-6-3 is 47 moves\n")),
        "{out}"
    );
    assert_eq!(
        out.lines().filter(|line| line.starts_with("view ")).count(),
        2
    );
    assert!(
        out.contains("   19  tiles 4,7,8,11,12,15: entry 6934973 of "),
        "{out}"
    );
    assert_eq!(out.lines().filter(|line| line.ends_with(".pdb")).count(), 3);
    let run = solver(
        folder.path(),
        ["probe", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"],
    );
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("swapping tiles"), "{}", run.out);
    let mut none = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut none);
    let status = none.arg("probe").output().unwrap().status;
    assert_eq!(status.code(), Some(2));
}
