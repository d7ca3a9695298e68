//! `solver show`: drawings of boards and solutions.

use std::fs;

use super::board::Board;
use super::run::{batch, folder, solver, string};

const BOARD: &str = "8 6 7/2 5 4/3 0 1";

#[test]
fn a_drawing_is_read_back() {
    let folder = folder();
    for board in [BOARD, "1 2/0 3", "12 1 2 3 4/5 6 7 8 9/10 11 14 13 0"] {
        let drawing = solver(folder.path(), ["show", board]).succeeds();
        assert!(!drawing.contains('\u{1b}'), "colours are for terminals");
        let again = batch(folder.path(), "show -", &drawing).succeeds();
        assert_eq!(again, drawing);
        // The solver reads the drawing as rows. It uses no tables, which would take too long to
        // build.
        let words = "--json --partition manhattan --max-nodes 1";
        let solved = batch(folder.path(), words, &drawing);
        let object = &solved.objects(solved.code.unwrap())[0];
        assert_eq!(object["board"], board);
    }
}

#[test]
fn moves_and_solutions_are_drawn() {
    let folder = folder();
    let goal = solver(folder.path(), ["show", "1 2 3/4 5 6/7 8 0"]).succeeds();
    let start = solver(folder.path(), ["show", BOARD]).succeeds();
    let solved = solver(folder.path(), ["show", "--quiet", "--solve", BOARD]).succeeds();
    assert!(solved.starts_with("31 moves: LDR2UL2D2R"), "{solved}");
    let sides = start.lines().zip(goal.lines());
    let drawn: Vec<String> = sides.map(|(a, b)| format!("{a}   {b}")).collect();
    assert_eq!(solved.lines().skip(1).collect::<Vec<_>>(), drawn);
    // `--steps` draws the start and the board after each run. The caption of a board is the run
    // that produced it. Lines have at most 80 columns.
    let steps = solver(folder.path(), ["show", "--steps", BOARD, "LDR2UL2"]).succeeds();
    assert_eq!(steps.matches('┌').count(), 6);
    let captions: Vec<&str> = steps
        .lines()
        .filter(|line| line.starts_with(' ') || line.starts_with("L2"))
        .flat_map(str::split_whitespace)
        .collect();
    assert_eq!(captions, ["L", "D", "R2", "U", "L2"]);
    assert!(
        steps.lines().all(|line| line.chars().count() <= 80),
        "{steps}"
    );
}

#[test]
fn pictures_are_written_completely() {
    let folder = folder();
    let out = folder.path().join("board.svg");
    let path = out.to_str().unwrap();
    let svg = |words: &[&str]| {
        let words = [&["show", "--quiet", "--out", path], words].concat();
        assert_eq!(solver(folder.path(), words).succeeds(), "");
        fs::read_to_string(&out).unwrap()
    };
    let still = svg(&[BOARD]);
    let tree = roxmltree::Document::parse(&still).unwrap();
    let numbers: Vec<&str> = tree.descendants().filter_map(|node| node.text()).collect();
    assert!(
        ["8", "6", "7", "2", "5"]
            .iter()
            .all(|number| numbers.contains(number))
    );
    assert!(!still.contains("@keyframes"));
    let moving = svg(&[BOARD, "LDR2"]);
    assert!(moving.contains("@keyframes"), "{moving}");
    assert_ne!(svg(&[BOARD, "--colours", "rows"]), still);
    assert_eq!(svg(&[BOARD, "--colors", "fringe"]), still);
    assert_ne!(
        svg(&[BOARD, "--colours", "partition", "--partition", "5-3"]),
        still
    );
    let object = solver(
        folder.path(),
        ["show", "--json", "--solve", BOARD, "--out", path],
    )
    .object(0);
    assert_eq!(object["length"], 31);
    assert_eq!(object["bytes"], fs::read(&out).unwrap().len());
    assert_eq!(string(&object, "file"), path);
    let piped = solver(folder.path(), ["show", BOARD, "--out", "-"]).succeeds();
    assert_eq!(piped.trim_end(), still.trim_end());
}

#[test]
fn impossible_pictures_are_rejected() {
    let folder = folder();
    for (words, names) in [
        (&["show", BOARD, "U"][..], "no tile can go U"),
        (&["show", BOARD, "--out", "board.png"], "board.svg"),
        (
            &[
                "show",
                BOARD,
                "--colours",
                "partition",
                "--partition",
                "manhattan",
            ],
            "no parts",
        ),
        (&["show", "1 2 3/4 5 6/7 8 8"], "tile 8"),
    ] {
        let line = solver(folder.path(), words).fails(2);
        assert!(line.contains(names), "{line}");
    }
    let run = solver(folder.path(), ["show", "--solve", "1 2 3/4 5 6/8 7 0"]);
    assert_eq!(
        (run.code, run.out.contains("swapping tiles")),
        (Some(1), true)
    );
    for words in [
        &["show", BOARD, "--colours", "pink"][..],
        &["show", BOARD, "--cell", "0"],
        &["show", BOARD, "--move-time", "1h"],
        &["show", BOARD, "U", "--solve"],
    ] {
        solver(folder.path(), words).fails_as_usage();
    }
}

/// Boards that are too hard for an optimal solution can still be shown.
#[test]
fn solutions_of_other_modes_can_be_shown() {
    let folder = folder();
    let board = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0";
    let show = ["show", "--solve", "--json", "--mode", "strategic", board];
    let object = solver(folder.path(), show).object(0);
    let (end, length) = Board::read(board).play(string(&object, "moves"));
    assert_eq!(
        (end, &object["length"]),
        (Board::goal(4, 4, 15), &length.into())
    );
    // `show` has no option `--explain`, because a drawing does not contain the steps.
    let line = solver(folder.path(), show.iter().chain(&["--explain"])).fails_as_usage();
    assert!(line.contains("unexpected argument '--explain'"), "{line}");
    solver(folder.path(), show.iter().chain(&["--seed", "1"])).fails(2);
}

// `--mode strategic`: solutions without tables, with an explanation (`--explain`) or shortened
// (`--short`).

const FARTHEST: &str = "8 6 7/2 5 4/3 0 1";

#[test]
fn steps_are_explained_in_words_and_in_objects() {
    let folder = folder();
    let words = ["--mode", "strategic", "--explain", FARTHEST];
    let text = solver(folder.path(), words).succeeds();
    assert!(text.contains("   1. tile 1 to row 1, column 1 ("), "{text}");
    assert!(text.contains(". tiles 2 and 3 into the corner ("), "{text}");
    assert!(text.contains("found tile by tile: at most"), "{text}");
    let object = solver(folder.path(), ["--json"].iter().chain(&words)).object(0);
    assert_eq!(string(&object, "mode"), "strategic");
    assert_eq!(string(&object, "method"), "strategic");
    let steps = object["steps"].as_array().unwrap();
    assert_eq!(steps[0]["action"], "place");
    let lengths = steps.iter().map(|step| step["length"].as_u64().unwrap());
    assert_eq!(Some(lengths.sum()), object["length"].as_u64());
    assert!(
        fs::read_dir(folder.path()).unwrap().next().is_none(),
        "tables"
    );
}

#[test]
fn short_answers_are_shorter_and_alone() {
    let folder = folder();
    let length = |options: &[&str]| {
        let words = ["--json", "--mode", "strategic", FARTHEST];
        let object = solver(folder.path(), words.iter().chain(options)).object(0);
        assert!(object.get("steps").is_none());
        object["length"].as_u64().unwrap()
    };
    assert!((31..length(&[])).contains(&length(&["--short"])));
}

#[test]
fn options_of_the_mode_are_rejected_elsewhere() {
    let folder = folder();
    for option in ["--short", "--explain"] {
        let message = solver(folder.path(), [option, FARTHEST]).fails(2);
        assert!(
            message.contains(&format!("{option} is for the mode strategic")),
            "{message}"
        );
    }
}
