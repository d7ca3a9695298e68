//! Solutions and their lengths, as text and as JSON, and unsolvable boards.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::solver_verbs::board::{Board, FAR, FARTHEST_3X3, HARD_6X6, Random, WAYS, opposite};
use crate::solver_verbs::run::{batch, files, folder, lengths, solver, string};

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

#[test]
fn every_partition_and_kind_solves_the_farthest_3x3_boards_in_31_moves() {
    let folder = folder();
    let goal = Board::goal(3, 3, 8);
    for words in [
        "",
        "--partition 8",
        "--partition 5-3",
        "--partition fringe",
        "--partition 4-4",
        "--partition 1,2,3,4/5,6,7,8",
        "--partition 3-3-2+fringe",
        "--partition 8+5-3+manhattan",
        "--partition manhattan",
        "--kind blank-compressed",
        "--kind blank-compressed --partition 5-3",
        "--kind full",
        "--threads 1",
        "--threads 7",
    ] {
        let options = words.split_whitespace().chain(["--json"]);
        let run = solver(folder.path(), options.chain(FARTHEST_3X3));
        let objects = run.objects(0);
        assert_eq!(lengths(&objects), [31, 31], "{words}");
        for (object, board) in objects.iter().zip(FARTHEST_3X3) {
            let moves = string(object, "moves");
            assert_eq!(
                Board::read(board).play(moves),
                (goal.clone(), 31),
                "{words}"
            );
            assert!(object["h0"].as_u64().unwrap() <= 31, "{words}: {object}");
        }
    }
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
fn moves_are_written_as_tiles_blank_or_numbers() {
    let folder = folder();
    let start = Board::read(FARTHEST_3X3[0]);
    let moves = |notation: &str| {
        let options = ["--json", "--notation", notation, FARTHEST_3X3[0]];
        let object = solver(folder.path(), options).object(0);
        string(&object, "moves").to_owned()
    };
    let goal = (Board::goal(3, 3, 8), 31);
    assert_eq!(start.play(&moves("tile")), goal);
    let blank: String = moves("blank").chars().map(opposite).collect();
    assert_eq!(start.play(&blank), goal);
    assert_eq!(blank, moves("tile"));
    let numbers = moves("numbers");
    assert_eq!(numbers.split(' ').count(), 31);
    let end = numbers.split(' ').fold(start, |board, number| {
        let number: u16 = number.parse().unwrap();
        let mut ways = WAYS.into_iter().filter(|&way| {
            let from = board.source(way);
            from.is_some_and(|from| board.numbers[from] == number)
        });
        board.moved(ways.next().unwrap()).unwrap()
    });
    assert_eq!(end, goal.0);
}

#[test]
fn solved_boards_of_every_size_are_solved_in_no_moves() {
    let folder = folder();
    for (size, board) in [("2x2", "1 2 3 0"), ("5x1", "1 2 3 4 0"), ("1x3", "1 2 0")] {
        let object = solver(folder.path(), ["--json", "--size", size, board]).object(0);
        assert_eq!(
            (&object["length"], &object["moves"]),
            (&0.into(), &"".into())
        );
        let run = solver(folder.path(), ["--size", size, board]);
        assert!(run.solves().contains('0'));
    }
    for side in [6, 20] {
        let object = solver(
            folder.path(),
            ["--json", &Board::goal(side, side, side * side - 1).rows()],
        );
        assert_eq!(object.object(0)["length"], 0);
    }
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn json_has_exactly_the_fields_of_the_contract() {
    let folder = folder();
    let json = |arguments: &[&str], code| {
        let run = solver(folder.path(), ["--json"].iter().chain(arguments));
        (run.object(code), run.out)
    };
    let (solved, text) = json(&[FARTHEST_3X3[0]], 0);
    let fields = [
        "board",
        "status",
        "mode",
        "length",
        "proved",
        "method",
        "moves",
        "nodes",
        "expanded",
        "ms",
        "h0",
        "bound",
        "iterations",
        "threads",
        "tables",
    ];
    assert_eq!(keys(&solved), BTreeSet::from(fields));
    assert_eq!(text.lines().count(), 1);
    assert_eq!(solved["status"], "solved");
    assert_eq!(solved["board"], FARTHEST_3X3[0]);
    assert_eq!(solved["length"], 31);
    assert_eq!(
        (&solved["mode"], &solved["method"]),
        (&"optimal".into(), &"search".into())
    );
    assert_eq!(solved["proved"], true);
    assert!(solved["moves"].is_string());
    assert!(solved["nodes"].is_u64() && solved["expanded"].is_u64());
    assert!(solved["nodes"].as_u64() >= solved["expanded"].as_u64());
    assert!(solved["ms"].is_f64(), "{}", solved["ms"]);
    assert!(solved["h0"].is_u64());
    assert_eq!(solved["bound"], 31);
    assert_eq!(solved["tables"], "8");

    let (unsolvable, _) = json(&["1 2 3/4 5 6/8 7 0"], 1);
    assert_eq!(
        keys(&unsolvable),
        BTreeSet::from([
            "board",
            "status",
            "mode",
            "reachable_goals",
            "swap",
            "message"
        ])
    );
    assert_eq!(unsolvable["status"], "unsolvable");
    assert_eq!(unsolvable["swap"], serde_json::json!([7, 8]));

    let (limit, _) = json(&["--max-nodes", "20000", HARD_6X6], 1);
    assert_eq!(limit["status"], "limit");
    assert!(limit["bound"].as_u64() >= limit["h0"].as_u64());
    let fields = [
        "board",
        "status",
        "mode",
        "nodes",
        "expanded",
        "ms",
        "h0",
        "bound",
        "iterations",
        "threads",
        "tables",
        "message",
    ];
    assert_eq!(keys(&limit), BTreeSet::from(fields));

    let (error, _) = json(&["1 2 3/4 5 6/7 8 8"], 2);
    assert_eq!(
        keys(&error),
        BTreeSet::from(["board", "status", "mode", "message"])
    );
    assert_eq!(error["status"], "error");

    let error = batch(folder.path(), "--json", "\n1 2 3/4 5 6/7 8 8\n").object(2);
    assert_eq!(
        keys(&error),
        BTreeSet::from(["board", "status", "mode", "message", "line"])
    );
    assert_eq!(error["line"], 2);
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

#[test]
fn the_promised_swap_makes_the_board_solvable() {
    let folder = folder();
    let mut random = Random(3);
    for _ in 0..10 {
        let mut board = Board::goal(3, 3, 8).walk(40, &mut random);
        let tiles: Vec<usize> = (0..9).filter(|&cell| board.numbers[cell] != 0).collect();
        let (a, b) = (random.below(8), random.below(7));
        board
            .numbers
            .swap(tiles[a], tiles[if b >= a { b + 1 } else { b }]);
        let run = solver(folder.path(), [board.rows()]);
        assert_eq!(run.code, Some(1), "{}", board.rows());
        let words: Vec<&str> = run.out.split_whitespace().collect();
        let at = words.iter().position(|&word| word == "tiles").unwrap();
        let cell = |word: &str| board.cell_of(word.parse().unwrap());
        let (a, b) = (cell(words[at + 1]), cell(words[at + 3]));
        board.numbers.swap(a, b);
        solver(folder.path(), [board.rows()]).solves();
    }
}
