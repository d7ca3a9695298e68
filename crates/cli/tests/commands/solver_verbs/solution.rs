//! Solutions and their lengths, one or all, as text, in lists and as JSON, and unsolvable boards.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::solver_verbs::board::{Board, FAR, FARTHEST_3X3, HARD_6X6, KORF_1};
use crate::solver_verbs::run::{batch, files, folder, solver, string};

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

fn solutions(object: &Value) -> Vec<&str> {
    let solutions = object["solutions"].as_array().unwrap().iter();
    solutions.map(|moves| moves.as_str().unwrap()).collect()
}

#[test]
fn all_optimal_solutions_are_printed_once() {
    let folder = folder();
    let object = solver(folder.path(), ["--json", "--all", FARTHEST_3X3[0]]).object(0);
    assert_eq!(
        (&object["count"], &object["length"]),
        (&40.into(), &31.into())
    );
    assert!(object.get("counts").is_none());
    let all = solutions(&object);
    assert_eq!(all[0], object["moves"]);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 40);
    let (start, goal) = (Board::read(FARTHEST_3X3[0]), Board::goal(3, 3, 8));
    for moves in &all {
        assert_eq!(start.play(moves), (goal.clone(), 31));
    }
    let one = solver(folder.path(), ["--json", FARTHEST_3X3[0]]).object(0);
    assert_eq!(one["moves"], object["moves"]);
    assert!(object["nodes"].as_u64() > one["nodes"].as_u64());

    let words = solver(folder.path(), ["--all", FARTHEST_3X3[0]]).solves();
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(lines[0], format!("31 moves: {}", all[0]));
    assert_eq!(lines[2], "40 solutions of 31 moves");
    assert_eq!(lines[3..43], all);
    assert_eq!(lines.len(), 44);
    assert!(lines[43].contains("nodes generated"));
}

#[test]
fn longer_solutions_are_counted_by_length() {
    let folder = folder();
    let counts = json!([40, 0, 207, 0, 1002]);
    let within = |more: &[&str]| {
        let options = ["--json", "--within", "4", FARTHEST_3X3[1]];
        solver(folder.path(), more.iter().chain(&options)).object(0)
    };
    let counted = within(&["--count"]);
    assert_eq!(
        (&counted["count"], &counted["counts"]),
        (&40.into(), &counts)
    );
    assert!(counted.get("solutions").is_none());
    // All solutions are counted; the first thousand are printed.
    let printed = within(&["--all"]);
    assert_eq!(
        (&printed["count"], &printed["counts"]),
        (&40.into(), &counts)
    );
    assert_eq!(solutions(&printed).len(), 1000);
    let whole = within(&["--most", "2000"]);
    assert_eq!(solutions(&whole).len(), 1249);
    assert_eq!(solutions(&whole)[..1000], solutions(&printed));
    let start = Board::read(FARTHEST_3X3[1]);
    let lengths = solutions(&whole).into_iter().map(|moves| {
        let (end, length) = start.play(moves);
        assert_eq!(end, Board::goal(3, 3, 8));
        length
    });
    let lengths: Vec<usize> = lengths.collect();
    assert!(lengths.is_sorted());
    assert_eq!(lengths.iter().filter(|&&length| length == 33).count(), 207);

    let options = ["--within", "4", "--most", "2", FARTHEST_3X3[1]];
    let words = solver(folder.path(), options).solves();
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(
        lines[2],
        "40 solutions of 31 moves, 207 solutions of 33 moves, 1002 solutions of 35 moves"
    );
    assert_eq!(lines[3..5], solutions(&whole)[..2]);
    assert!(lines[5].contains("2 of 1249"), "{words}");
    assert_eq!(lines.len(), 7);
}

#[test]
fn lists_and_quiet_runs_print_numbers_per_board() {
    let folder = folder();
    let list = format!(
        "1 2 3/4 5 6/7 0 8\n{}\n1 2 3/4 5 6/8 7 0\n1 2 3/4 5 6/7 8 0\n",
        FARTHEST_3X3[0]
    );
    let run = batch(folder.path(), "--count --within 2", &list);
    assert_eq!(run.code, Some(1));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        (lines[0], lines[1], lines[3]),
        ("1 1", "31 40 33 207", "0 1")
    );
    assert!(lines[2].contains("unsolvable"));
    assert_eq!(lines.len(), 4);

    let run = batch(folder.path(), "--all --most 2 --notation numbers", &list);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[..3], ["1 1", "  8", "31 40"]);
    assert!(
        lines[3].starts_with("  ") && lines[5].contains("2 of 40"),
        "{}",
        run.out
    );
    assert_eq!(lines[7..], ["0 1", ""]);

    let quiet = solver(folder.path(), ["--quiet", "--count", FARTHEST_3X3[0]]).solves();
    assert_eq!(quiet, "31 40\n");

    let objects = batch(folder.path(), "--json --all", &list).objects(1);
    let counts: Vec<&Value> = objects.iter().map(|object| &object["count"]).collect();
    assert_eq!(counts, [&json!(1), &json!(40), &Value::Null, &json!(1)]);
    assert_eq!(objects[3]["solutions"], json!([""]));
}

#[test]
fn limits_keep_the_shortest_solution_if_it_is_proved() {
    let folder = folder();
    let options = [
        "--json",
        "--count",
        "--within",
        "20",
        "--max-nodes",
        "300000",
        "--threads",
        "1",
    ];
    let object = solver(folder.path(), options.iter().chain(&[FAR])).object(1);
    assert_eq!(
        (&object["status"], &object["length"]),
        (&"limit".into(), &55.into())
    );
    assert_eq!(
        (&object["bound"], &object["proved"]),
        (&55.into(), &true.into())
    );
    assert_eq!(Board::read(FAR).play(string(&object, "moves")).1, 55);
    assert!(object.get("count").is_none() && object.get("solutions").is_none());
    let nodes = object["nodes"].as_u64().unwrap();
    assert!((300_000..300_100).contains(&nodes), "{nodes}");
    assert!(
        string(&object, "message").contains("not all solutions"),
        "{object}"
    );
    let words = solver(folder.path(), options[1..].iter().chain(&[FAR]));
    assert_eq!(words.code, Some(1));
    assert!(words.out.starts_with("55 moves: "), "{}", words.out);

    let object = solver(folder.path(), options.iter().chain(&[HARD_6X6])).object(1);
    assert!(object.get("length").is_none());
    let time = [
        "--json",
        "--all",
        "--max-time",
        "0.05",
        "--goal",
        "blank-first",
        "--partition",
        "manhattan",
    ];
    let object = solver(folder.path(), time.iter().chain(&[KORF_1])).object(1);
    assert_eq!(object["status"], "limit");
}

#[test]
fn impossible_numbers_of_solutions_are_rejected() {
    let folder = folder();
    for words in [
        "--within x",
        "--within -1",
        "--within 1001",
        "--all --most 0",
        "--all --most x",
        "--most 5",
        "--count --most 5",
    ] {
        let run = solver(folder.path(), words.split(' ').chain([FARTHEST_3X3[0]]));
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{words}");
    }
}
