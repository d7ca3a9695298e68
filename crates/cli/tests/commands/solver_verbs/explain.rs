//! `solver explain`: values and terms of heuristics on a board.

use std::fs;

use serde_json::Value;

use crate::solver_verbs::board::{FAR, FARTHEST_3X3, HARD_5X5};
use crate::solver_verbs::run::{folder, solver, string};

const EASY: &str = "1 2 3/4 0 6/7 5 8";
const GOAL: &str = "1 2 3/4 5 6/7 8 0";

/// Names and values of an object's heuristics.
fn values(object: &Value) -> Vec<(&str, u64)> {
    let heuristics = object["heuristics"].as_array().unwrap().iter();
    let values = heuristics.map(|own| (string(own, "heuristic"), own["value"].as_u64().unwrap()));
    values.collect()
}

#[test]
fn every_heuristic_has_its_value() {
    let folder = folder();
    let explain =
        |words: &[&str]| solver(folder.path(), [&["explain", "--json"], words].concat()).object(0);
    let far = explain(&[FAR]);
    assert_eq!(
        values(&far),
        [
            ("zero", 0),
            ("misplaced", 15),
            ("manhattan", 39),
            ("linear-conflict", 43),
            ("inversion-distance", 37),
            ("walking-distance", 45),
            ("6-6-3", 47)
        ]
    );
    assert_eq!(far["distance"], 55);
    let farthest = explain(&[FARTHEST_3X3[0]]);
    assert_eq!(
        values(&farthest),
        [
            ("zero", 0),
            ("misplaced", 7),
            ("manhattan", 21),
            ("linear-conflict", 23),
            ("inversion-distance", 23),
            ("walking-distance", 25),
            ("fringe", 27),
            ("5-3", 29),
            ("8", 31)
        ]
    );
    assert_eq!(farthest["distance"], 31);
    // Only the requested heuristics are explained, in the requested order.
    let words = [
        "--heuristics",
        "5-3, manhattan,manhattan+fringe",
        FARTHEST_3X3[0],
    ];
    assert_eq!(
        values(&explain(&words)),
        [("5-3", 29), ("manhattan", 21), ("manhattan+fringe", 27)]
    );
    let goal = explain(&[GOAL]);
    assert!(values(&goal).iter().all(|(_, value)| *value == 0), "{goal}");
    assert_eq!(goal["distance"], 0);
    let first = explain(&["--goal", "blank-first", "1 0 2/3 4 5/6 7 8"]);
    assert_eq!(
        (string(&first, "goal"), &first["distance"]),
        ("0 1 2/3 4 5/6 7 8", &1.into())
    );
}

#[test]
fn terms_explain_the_value() {
    let folder = folder();
    let object = solver(folder.path(), ["explain", "--json", FAR]).object(0);
    assert_eq!(
        (string(&object, "board"), string(&object, "goal")),
        (FAR, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0")
    );
    for own in object["heuristics"].as_array().unwrap() {
        let name = string(own, "heuristic");
        assert_eq!(own["is_largest"], name == "6-6-3");
        assert_eq!(own["is_consistent"], true);
        assert!(string(own, "source").contains(", "), "{own}");
        for term in own["terms"].as_array().unwrap() {
            assert!(
                !string(term, "words").is_empty() && term["value"].is_u64(),
                "{term}"
            );
            let tiles = term["tiles"].as_array().unwrap();
            assert!(
                tiles
                    .iter()
                    .all(|tile| (1..16).contains(&tile.as_u64().unwrap())),
                "{term}"
            );
        }
        let sum: u64 = own["terms"]
            .as_array()
            .unwrap()
            .iter()
            .map(|term| term["value"].as_u64().unwrap())
            .sum();
        if name != "6-6-3" {
            assert_eq!(own["value"], sum, "{own}");
        }
    }
    let text = solver(folder.path(), ["explain", FAR]).solves();
    assert!(text.contains("55 moves from the goal\n"), "{text}");
    assert!(
        text.contains(" 39  manhattan\n       1  tile 5: 1 move from home\n"),
        "{text}"
    );
    assert!(
        text.contains(
            "row 2: tiles 8 and 6 are in the wrong order, so one of them must leave the row\n"
        ),
        "{text}"
    );
    assert_eq!(text.matches("<- the largest").count(), 1);
    assert!(text.contains(" 47  6-6-3  <- the largest\n"), "{text}");
}

#[test]
fn a_picture_has_a_title_and_a_panel_for_each_heuristic() {
    let folder = folder();
    let file = folder.path().join("seen.svg");
    let words = ["explain", "--svg", file.to_str().unwrap(), FARTHEST_3X3[0]];
    let said = solver(folder.path(), words).solves();
    let svg = fs::read_to_string(&file).unwrap();
    assert_eq!(
        said,
        format!("wrote {}: {} bytes\n", file.display(), svg.len())
    );
    let document = roxmltree::Document::parse(&svg).unwrap();
    let title = document.root_element().first_element_child().unwrap();
    assert_eq!(title.tag_name().name(), "title");
    assert_eq!(
        title.text(),
        Some("8 6 7/2 5 4/3 0 1: 31 moves from the goal")
    );
    let object = solver(folder.path(), [&words[..], &["--json"]].concat()).object(0);
    let texts = document
        .descendants()
        .filter(|node| node.tag_name().name() == "text");
    let bold = texts.filter(|node| node.attribute("font-weight") == Some("bold"));
    let headings: Vec<&str> = bold.filter_map(|node| node.text()).skip(1).collect();
    let expected: Vec<String> = values(&object)
        .iter()
        .map(|(name, value)| match value {
            31 => format!("{name}: {value}, the largest"),
            _ => format!("{name}: {value}"),
        })
        .collect();
    assert_eq!(headings, expected);
    // Each panel shows all eight tiles.
    let tiles = document
        .descendants()
        .filter(|node| node.attribute("rx") == Some("5"));
    assert_eq!(tiles.count(), 8 * expected.len());
    let piped = solver(folder.path(), ["explain", "--svg", "-", FARTHEST_3X3[0]]).succeeds();
    assert_eq!(piped.trim_end(), svg.trim_end());

    let below = file.join("below.svg");
    let below = below.to_str().unwrap();
    let line = solver(folder.path(), ["explain", "--svg", below, EASY]).fails(3);
    assert!(line.contains(below), "{line}");
}

#[test]
fn large_boards_are_explained_quickly_without_tables() {
    let folder = folder();
    let words = [
        "explain",
        "--threads",
        "1",
        "--goal",
        "blank-first",
        HARD_5X5,
    ];
    let text = solver(folder.path(), words).solves();
    assert!(
        text.contains("distance to the goal: not found within 2 s\n"),
        "{text}"
    );
    for name in [
        "zero",
        "misplaced",
        "manhattan",
        "linear-conflict",
        "inversion-distance",
    ] {
        assert!(text.contains(&format!("  {name}")), "{name}: {text}");
    }
    assert!(!text.contains("walking-distance"), "{text}");
    let words = ["scramble", "--size", "20x20", "--moves", "30", "-n", "1"];
    let board = solver(folder.path(), words).out;
    let line = solver(folder.path(), ["explain", board.lines().next().unwrap()]).fails(2);
    assert!(
        line.contains("accept up to 256 cells, and 20x20 has more"),
        "{line}"
    );
}

#[test]
fn impossible_boards_and_heuristics_are_rejected() {
    let folder = folder();
    let unsolvable = "1 2 3/4 5 6/8 7 0";
    let run = solver(folder.path(), ["explain", unsolvable]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert!(run.out.contains("swapping tiles 7 and 8"), "{}", run.out);
    let object = solver(folder.path(), ["explain", "--json", unsolvable]).object(1);
    assert_eq!(
        (string(&object, "status"), &object["swap"][0]),
        ("unsolvable", &7.into())
    );
    for (words, names) in [
        (
            &["--heuristics", "wonder"][..],
            "the heuristic `wonder` is neither",
        ),
        (&["--heuristics", "6-6-3"], "but a 3x3 board has 8"),
        (&["--heuristics", ""], "a heuristic has no name"),
        (&["--heuristics", "manhattan+"], "a heuristic has no name"),
        (
            &["--partition", "5-3"],
            "--partition does not apply to explain",
        ),
        (&["--size", "4x4"], "4x4"),
    ] {
        let line = solver(folder.path(), [&["explain", EASY], words].concat()).fails(2);
        assert!(line.contains(names), "{line}");
    }
    let line = solver(folder.path(), ["explain", "1 2 3/4 5 6/7 8 8"]).fails(2);
    assert!(line.contains("tile 8"), "{line}");
    solver(folder.path(), ["explain"]).fails_as_usage();
    solver(folder.path(), ["explain", EASY, EASY]).fails_as_usage();
}

#[test]
fn easy_boards_of_any_size_have_their_distance() {
    let folder = folder();
    for size in ["5x5", "6x6", "16x16"] {
        let words = ["scramble", "--size", size, "--moves", "3"];
        let board = solver(folder.path(), words).out;
        let board = board.lines().next().unwrap();
        let object = solver(folder.path(), ["explain", "--json", board]).object(0);
        assert_eq!(object["distance"], 3, "{object}");
    }
}

#[test]
fn picture_text_fits_beside_boards_of_all_sizes() {
    let folder = folder();
    let walked = |words: &str| {
        let words = format!("scramble --seed 1 --moves 30 {words}");
        solver(folder.path(), words.split(' ')).succeeds()
    };
    let (wide, square) = (
        walked("--size 16x16"),
        walked("--size 5x5 --goal blank-first"),
    );
    for (board, goal) in [
        (FAR, "blank-last"),
        // The search for the distance of the hard board takes 2 s.
        match crate::IS_LONG {
            true => (HARD_5X5, "blank-first"),
            false => (square.trim_end(), "blank-first"),
        },
        (wide.trim_end(), "blank-last"),
    ] {
        let words = [
            "explain",
            "--svg",
            "-",
            "--heuristics",
            "misplaced,linear-conflict",
            "--goal",
            goal,
            board,
        ];
        let svg = solver(folder.path(), words).solves();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let root = document.root_element();
        let number = |node: &roxmltree::Node<'_, '_>, name: &str| -> usize {
            node.attribute(name).unwrap().parse().unwrap()
        };
        for node in document.descendants() {
            let Some(text) = node
                .text()
                .filter(|_| node.attribute("font-weight").is_some())
            else {
                continue;
            };
            // A letter is about half as wide as it is high.
            let end =
                number(&node, "x") + text.chars().count() * number(&node, "font-size") * 53 / 100;
            assert!(end <= number(&root, "width"), "{board}: {text}");
        }
    }
}
