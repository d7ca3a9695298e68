//! `solver apply` and `solver invert`: moves without a search.

use crate::solver_verbs::board::{Board, Random};
use crate::solver_verbs::run::{batch, folder, solver};

#[test]
fn moves_agree_with_an_independent_implementation() {
    let folder = folder();
    let mut random = Random(7);
    for (width, height) in [(2, 2), (3, 3), (4, 4), (5, 3), (6, 6)] {
        let goal = Board::goal(width, height, width * height - 1);
        let start = goal.walk(40, &mut random);
        // Random legal moves, written as letters.
        let mut now = start.clone();
        let mut moves = String::new();
        for _ in 0..30 {
            let way = crate::solver_verbs::board::WAYS[random.below(4)];
            if let Some(next) = now.moved(way) {
                now = next;
                moves.push(way);
            }
        }
        let end = solver(folder.path(), ["apply", &start.rows(), &moves]).succeeds();
        assert_eq!(end.trim_end(), now.rows());
        let inverse = solver(folder.path(), ["invert", &moves]).succeeds();
        let back = solver(folder.path(), ["apply", &now.rows(), inverse.trim_end()]).succeeds();
        assert_eq!(back.trim_end(), start.rows());
        let blank = solver(folder.path(), ["invert", "--notation", "blank", &moves]).succeeds();
        assert_eq!(blank, inverse, "opposites are opposites in either notation");
    }
    assert!(!folder.path().join("tables").exists());
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
