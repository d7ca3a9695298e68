//! `solver rate`: ratings of games, move by move.

use serde_json::json;

use crate::solver_verbs::board::{Board, Random, WAYS, opposite};
use crate::solver_verbs::run::{folder, solver};

const EASY: &str = "1 2 3/4 0 6/7 5 8";

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

/// Compares the ratings of random games on the 3x3 with an independent search.
#[test]
fn objects_agree_with_an_independent_search() {
    let folder = folder();
    let goal = Board::goal(3, 3, 8);
    let distances = goal.all_distances();
    let mut random = Random(3);
    solver(folder.path(), ["hint", EASY]).solves();
    for _ in 0..20 {
        let start = goal.walk(40, &mut random);
        let (mut now, mut moves, mut lost) = (start.clone(), String::new(), Vec::new());
        while lost.len() < 25 {
            let way = WAYS[random.below(4)];
            if moves.chars().next_back().map(opposite) == Some(way) {
                continue;
            }
            if let Some(next) = now.moved(way) {
                lost.push(distances[&next] + 1 - distances[&now]);
                moves.push(way);
                now = next;
            }
        }
        let words = ["rate", "--json", &start.rows(), &moves];
        let object = solver(folder.path(), words).object(0);
        let steps = object["steps"].as_array().unwrap().iter();
        let found: Vec<usize> = steps
            .map(|s| s["lost"].as_u64().unwrap() as usize)
            .collect();
        assert_eq!(found, lost, "{start:?} {moves}");
        assert_eq!(object["distance"], distances[&start]);
        assert_eq!(object["left"], distances[&now]);
        assert_eq!(object["exact"], true);
        let kept = lost.iter().filter(|&&lost| lost == 0).count();
        assert_eq!(object["kept"], kept);
        assert_eq!(object["credit"], json!(kept as f64 * 4.0));
    }
}
