//! Solutions and their lengths, as text and as JSON, and unsolvable boards.

use crate::solver_verbs::board::{Board, FAR, FARTHEST_3X3};
use crate::solver_verbs::run::{files, folder, solver, string};

#[test]
fn the_55_move_board_is_solved_and_its_tables_are_built_once() {
    let folder = folder();
    let tables = folder.path().join("a/b");
    let first = solver(&tables, [FAR]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    // Three of the tables are for this goal; the other four are for searches that start at the
    // goal.
    let said = format!(
        "solver: built 7 tables and stored them in {}\n",
        tables.display()
    );
    assert_eq!(first.err, said);
    assert_eq!(files(&tables).len(), 7);
    let line = first.out.lines().next().unwrap();
    let moves = line.strip_prefix("55 moves: ").unwrap();
    assert_eq!(Board::read(FAR).play(moves), (Board::goal(4, 4, 15), 55));

    let second = solver(&tables, [FAR]);
    assert_eq!((second.code, second.err.as_str()), (Some(0), ""));
    assert_eq!(second.out.lines().next(), first.out.lines().next());
}

/// Tables that the answer cannot need are not built.
#[test]
fn tables_of_other_goal_cells_are_for_searches_from_the_goal() {
    for words in [&["--side", "start", FAR][..], &["probe", FAR]] {
        let folder = folder();
        assert_eq!(solver(folder.path(), words).code, Some(0), "{words:?}");
        assert_eq!(files(folder.path()).len(), 3, "{words:?}");
    }
    // A pattern of all tiles has exact distances, so no tables for searches from the goal are
    // built.
    let folder = folder();
    assert_eq!(solver(folder.path(), [FARTHEST_3X3[0]]).code, Some(0));
    let missing = solver(folder.path(), ["--side", "goal", "8 6 7/2 5 4/3 0 1"]);
    let line = missing.fails(3);
    assert!(line.contains("pdb-gen builds them"), "{line}");
}

#[test]
fn quiet_prints_only_the_answer() {
    let folder = folder();
    let run = solver(folder.path(), ["--quiet", FARTHEST_3X3[0]]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(run.out.lines().count(), 1);
    assert!(run.out.starts_with("31 "), "{}", run.out);
}

/// Values of full-cost tables are not additive: the solver uses their maximum, or rejects a
/// partition with several parts.
#[test]
fn several_full_cost_parts_are_never_added_up() {
    let folder = folder();
    for partition in ["4-4", "5-3", "1,2,3,4/5,6,7,8"] {
        let options = ["--kind", "full", "--partition", partition, FARTHEST_3X3[0]];
        let run = solver(folder.path(), options);
        let optimal = run.code == Some(0) && run.out.starts_with("31 moves");
        assert!(
            optimal || run.code == Some(2),
            "{partition}: {}{}",
            run.out,
            run.err
        );
    }
}

#[test]
fn unsolvable_boards_are_answered_without_tables() {
    let folder = folder();
    let tables = folder.path().join("none");
    let mut big = Board::goal(20, 20, 399);
    big.numbers.swap(0, 1);
    for (arguments, swap) in [
        (vec!["1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"], "14 and 15"),
        (
            vec![
                "--partition",
                "7-8",
                "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0",
            ],
            "14 and 15",
        ),
        (vec!["1 2 3/4 5 6/8 7 0"], "7 and 8"),
        (vec!["--goal", "blank-first", "0 2/1 3"], " and "),
        (vec!["--goal", "3 1/2 0", "1 3/2 0"], "1 and 3"),
        (vec![big.rows().leak()], "1 and 2"),
        (vec!["--size", "5x1", "2 1 3 0 4"], "1 and 2"),
    ] {
        let run = solver(&tables, &arguments);
        assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
        assert_eq!(run.out.lines().count(), 1);
        assert!(
            run.out.contains("unsolvable") && run.out.contains("swap"),
            "{}",
            run.out
        );
        assert!(run.out.contains(swap), "{arguments:?}: {}", run.out);
        let object = solver(&tables, ["--json"].iter().chain(&arguments)).object(1);
        assert_eq!(object["status"], "unsolvable");
        assert!(string(&object, "message").contains(swap));
    }
    // No single swap repairs three misplaced tiles of a line, so the message does not name a swap.
    let run = solver(&tables, ["--size", "1x5", "3 1 2 0 4"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out.contains("unsolvable") && !run.out.contains("swap"),
        "{}",
        run.out
    );
    assert!(!tables.exists());
}
