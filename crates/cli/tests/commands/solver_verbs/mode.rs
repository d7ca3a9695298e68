//! `--mode`: answers other than optimal ones.

#[cfg(unix)]
use std::io::{BufRead as _, BufReader};

use serde_json::Value;

use crate::solver_verbs::board::{Board, FARTHEST_3X3, HARD_5X5, HARD_6X6, Random};
use crate::solver_verbs::run::{batch, files, folder, solver, string};
#[cfg(unix)]
use crate::solver_verbs::run::{command, interrupted, start};

/// A uniformly random board with its blank on the last cell, solvable for the goal 1 2 3 ... 0.
fn random_board(side: usize, seed: u64) -> Board {
    let mut board = Board::goal(side, side, side * side - 1);
    let tiles = side * side - 1;
    let mut random = Random(seed);
    let mut is_even = true;
    for index in (1..tiles).rev() {
        let other = random.below(index + 1);
        board.numbers.swap(index, other);
        is_even ^= index != other;
    }
    if !is_even {
        board.numbers.swap(0, 1);
    }
    board
}

/// Asserts that the moves in `object` solve `board`, and that the other fields agree with them.
#[track_caller]
fn check(object: &Value, board: &Board) {
    let (end, length) = board.play(string(object, "moves"));
    let (width, cells) = (board.width, board.numbers.len());
    assert_eq!(end, Board::goal(width, cells / width, cells - 1));
    assert_eq!(object["length"], length, "{object}");
    assert!(object["bound"].as_u64() <= object["length"].as_u64());
    assert_eq!(object["proved"], object["bound"] == object["length"]);
}

/// Checks the objects of one board: the improvements, and the answer.
#[track_caller]
fn check_series(objects: &[Value], board: &Board) {
    let (last, improved) = objects.split_last().unwrap();
    assert_eq!(last["status"], "solved");
    assert!(improved.iter().all(|object| object["status"] == "improved"));
    for object in objects {
        check(object, board);
        assert_eq!(object["mode"], "anytime");
        assert_eq!(object["board"], board.rows());
        assert_eq!(object["tables"], last["tables"]);
        assert_eq!(object["line"], last["line"]);
    }
    let falls = |field: &str| {
        let numbers = objects.iter().map(|object| object[field].as_f64().unwrap());
        let numbers: Vec<f64> = numbers.collect();
        numbers.windows(2).all(|pair| pair[0] >= pair[1])
    };
    assert!(falls("length"), "{objects:?}");
    let times = objects.iter().map(|object| object["ms"].as_f64().unwrap());
    assert!(times.is_sorted(), "{objects:?}");
    let bounds = objects.iter().map(|object| object["bound"].as_u64());
    assert!(bounds.is_sorted(), "{objects:?}");
}

#[test]
fn better_solutions_have_their_own_lines() {
    let folder = folder();
    let options = ["--json", "--mode", "anytime", FARTHEST_3X3[0]];
    let objects = solver(folder.path(), options).objects(0);
    check_series(&objects, &Board::read(FARTHEST_3X3[0]));
    assert!(objects.len() > 1, "{objects:?}");
    let last = &objects[objects.len() - 1];
    assert_eq!(
        (&last["length"], &last["proved"]),
        (&31.into(), &true.into())
    );
    let words = solver(folder.path(), &options[1..]).solves();
    let lines: Vec<&str> = words.lines().collect();
    let (improved, answer) = lines.split_at(lines.len() - 3);
    assert_eq!(improved.len(), objects.len() - 1, "{words}");
    assert!(
        improved.iter().all(|line| line.contains(" moves: ")),
        "{words}"
    );
    assert!(answer[0].starts_with("31 moves: "), "{words}");
    assert!(answer[1].starts_with("proved optimal"), "{words}");
    let quiet = solver(folder.path(), ["--quiet"].iter().chain(&options[1..])).solves();
    assert!(
        quiet.starts_with("31 ") && quiet.lines().count() == 1,
        "{quiet}"
    );
}

/// The objects of a board are consecutive, and boards are answered in input order.
#[test]
fn boards_of_a_list_do_not_mix() {
    let folder = folder();
    let boards = [1, 2, 3, 4].map(|seed| random_board(3, seed));
    let mut list: String = boards.iter().map(|board| board.rows() + "\n").collect();
    list.insert_str(0, "1 2 3/4 5 6/8 7 0\n");
    let objects = batch(folder.path(), "--json --mode anytime --threads 2", &list).objects(1);
    let mut rest = &objects[..];
    assert_eq!(
        (&rest[0]["status"], &rest[0]["mode"]),
        (&"unsolvable".into(), &"anytime".into())
    );
    rest = &rest[1..];
    for (board, line) in boards.iter().zip(2..) {
        let end = rest.iter().position(|object| object["status"] == "solved");
        let (series, others) = rest.split_at(end.unwrap() + 1);
        check_series(series, board);
        assert_eq!(series[0]["line"], line);
        rest = others;
    }
    assert!(rest.is_empty());
    // Without `--json`, the answers are printed in short form.
    let run = batch(folder.path(), "--mode anytime", &list);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert_eq!(run.out.lines().count(), 5);
}

/// Every solution is a success, whatever stopped the search.
#[test]
fn legal_answers_are_successes() {
    let folder = folder();
    let boards = [random_board(5, 1), random_board(10, 1)];
    for words in [
        "--max-time 100ms",
        "--max-nodes 1",
        "--max-nodes 20k --seed 7",
        "--within 99%",
        "--memory 16MiB --max-time 100ms",
        "--metric multi --partition lines --max-time 100ms",
        "--partition manhattan --max-time 100ms",
    ] {
        // The small board is solved with all limits; in the short set the large board is solved
        // only with one time limit.
        let count = match crate::IS_LONG || words == "--max-time 100ms" {
            true => 2,
            false => 1,
        };
        for board in boards.iter().take(count) {
            let rows = board.rows();
            let options = ["--quiet", "--mode", "anytime"].into_iter();
            let options = options.chain(words.split(' ')).chain([rows.as_str()]);
            let run = solver(folder.path(), options);
            assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{words}");
            let moves = run.out.split_whitespace().nth(1).unwrap();
            let side = board.width;
            let goal = Board::goal(side, side, side * side - 1);
            assert_eq!(board.play(moves).0, goal, "{words}");
        }
    }
    let unsolvable = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0";
    for mode in ["strategic", "anytime"] {
        let run = solver(folder.path(), ["--mode", mode, unsolvable]);
        assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
        solver(folder.path(), ["--mode", mode, "1 2 3/4 5 6/7 8 8"]).fails(2);
        let solved = solver(
            folder.path(),
            ["--mode", mode, "--json", "1 2 3/4 5 6/7 8 0"],
        );
        let object = solved.objects(0).pop().unwrap();
        assert_eq!(
            (&object["length"], &object["proved"]),
            (&0.into(), &true.into())
        );
    }
}

#[test]
fn a_target_ends_the_search() {
    let folder = folder();
    let board = random_board(4, 5);
    let text = board.rows();
    let options = ["--json", "--mode", "anytime", "--within"];
    for percent in [0, 10, 50] {
        let within = format!("{percent}%");
        let run = solver(folder.path(), options.iter().chain(&[&*within, &*text]));
        let objects = run.objects(0);
        check_series(&objects, &board);
        let over = |object: &Value| {
            let number = |field: &str| object[field].as_u64().unwrap();
            (number("length") - number("bound")) * 100 > percent * number("bound")
        };
        let (last, before) = objects.split_last().unwrap();
        assert!(!over(last), "{last}");
        // The last improvement is usually the answer itself.
        let before = &before[..before.len().saturating_sub(1)];
        assert!(before.iter().all(over), "{percent}: {before:?}");
        assert_eq!(
            last["proved"].as_bool().unwrap(),
            percent == 0 || last["length"] == last["bound"]
        );
    }
}

/// Default tables that would take long to build are not built automatically.
#[test]
fn missing_tables_are_named_and_not_needed() {
    let folder = folder();
    let tables = folder.path().join("none");
    let five = [
        "--json",
        "--goal",
        "blank-first",
        "--mode",
        "anytime",
        "--max-time",
        "100ms",
    ];
    let arguments = five.iter().chain(&["--threads", "1", HARD_5X5]);
    let run = solver(&tables, arguments.clone());
    let object = run.objects(0).pop().unwrap();
    assert_eq!(object["status"], "solved");
    assert_eq!(object["tables"], "5-5-5-5-4");
    let line = run.err.lines().last().unwrap();
    assert!(line.contains("tables of 6-6-6-6 are missing"), "{line}");
    assert!(
        line.ends_with("5-5-5-5-4 instead; --build builds them"),
        "{line}"
    );
    // The tables of 5-5-5-5-4 exist now. Each run builds a few of the tables for other goal cells
    // of the blank. Once these tables exist too, standard error contains only the line with
    // `instead`.
    let mut runs = (0..9).map(|_| solver(&tables, arguments.clone()));
    let run = runs.find(|run| run.err.lines().count() == 1);
    assert_eq!(run.map(|run| run.code), Some(Some(0)));
    let quiet = solver(&tables, ["--quiet"].iter().chain(arguments));
    assert_eq!((quiet.code, quiet.err.as_str()), (Some(0), ""));
    // A partition that the user names has no replacement.
    let named = "--mode anytime --max-time 100ms --threads 1 --partition 7-8";
    let board = random_board(4, 1).rows();
    let run = solver(&tables, named.split(' ').chain([board.as_str()]));
    assert!(run.fails(3).contains("give --build"));
    // No message is printed if the tray supports no tables or the mode uses none.
    let tables = folder.path().join("nothing");
    let large = random_board(12, 1).rows();
    for words in ["--mode anytime --max-time 100ms", "--mode strategic"] {
        solver(&tables, words.split(' ').chain([large.as_str()])).solves();
        assert!(!tables.exists());
    }
    let run = solver(
        &tables,
        ["--mode", "strategic", "--goal", "blank-first", HARD_5X5],
    );
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(!tables.exists());
}

/// If a table is damaged, the program does not use other tables instead.
#[test]
fn damaged_tables_are_rejected_in_anytime_mode() {
    let folder = folder();
    let arguments = ["--mode", "anytime", FARTHEST_3X3[0]];
    solver(folder.path(), arguments).solves();
    std::fs::write(&files(folder.path())[0], "no table").unwrap();
    solver(folder.path(), arguments).fails(3);
    solver(folder.path(), ["--mode", "strategic", FARTHEST_3X3[0]]).solves();
}

/// Outside optimal mode, a length in a list may be larger than the shortest length. It is an error
/// only if it is below the proved bound.
#[test]
fn known_lengths_are_compared_with_proved_bounds() {
    let folder = folder();
    let board = FARTHEST_3X3[0];
    let list = format!("{board} 31\n{board} 45\n{board} 29\n");
    let objects = batch(folder.path(), "--json --mode anytime", &list).objects(2);
    let ends = objects
        .iter()
        .filter(|object| object["status"] != "improved");
    let ends: Vec<&Value> = ends.collect();
    assert_eq!(ends.len(), 3);
    assert_eq!(
        (&ends[0]["status"], &ends[1]["status"]),
        (&"solved".into(), &"solved".into())
    );
    assert_eq!(ends[2]["status"], "error");
    assert!(string(ends[2], "message").contains("but the line says 29"));
}

/// Unproved lengths are shown with the proved bound.
#[test]
fn lines_of_lists_show_the_proved_bound() {
    let folder = folder();
    let list = format!("{}\n1 2 3/4 5 6/7 0 8\n", random_board(6, 9).rows());
    for mode in ["strategic", "anytime --max-nodes 1000"] {
        let out = batch(folder.path(), &format!("--quiet --mode {mode}"), &list).succeeds();
        let lines: Vec<Vec<&str>> = out.lines().map(|l| l.split(' ').collect()).collect();
        let bound: u64 = lines[0][2].strip_prefix(">=").unwrap().parse().unwrap();
        assert!(bound < lines[0][0].parse().unwrap(), "{out}");
        assert_eq!(lines[1][..2], ["1", "L"], "{out}");
    }
}

#[test]
fn options_of_other_modes_are_rejected_with_a_remedy() {
    let folder = folder();
    for (words, way_out) in [
        (
            "--within 5%",
            "--within is 0.05: expected a number of moves",
        ),
        (
            "--memory 1GiB",
            "--max-memory is for the mode anytime, not for optimal",
        ),
        ("--seed 1", "--seed is for the mode anytime"),
        (
            "--mode anytime --within 5",
            "share below 100% with --mode anytime",
        ),
        ("--mode anytime --all", "--all is for the mode optimal"),
        (
            "--mode anytime --within 5% --count",
            "--count is for the mode optimal",
        ),
        ("--mode anytime --pruning parent", "leave them out"),
        ("--mode anytime --order ULRD", "leave them out"),
        ("--mode strategic --within 5%", "leave it out"),
        ("--mode strategic --within 5", "leave it out"),
        (
            "--mode strategic --count",
            "--count is for the mode optimal",
        ),
        ("--mode strategic --memory 1GiB", "for the mode anytime"),
        ("--mode strategic --seed 1", "for the mode anytime"),
        (
            "--mode strategic --short --explain",
            "--short and --explain exclude",
        ),
        ("--count --most 5", "--count and --most exclude each other"),
        (
            "--metric multi --within 2",
            "--within is for the metric single",
        ),
        ("--mode strategic --partition 8", "leave them out"),
        ("--mode strategic --build", "leave them out"),
        ("--mode strategic --order ULRD", "leave them out"),
    ] {
        let run = solver(folder.path(), words.split(' ').chain([FARTHEST_3X3[0]]));
        let line = run.fails(2);
        assert!(line.contains(way_out), "{words}: {line}");
    }
    for words in [
        "--mode quick",
        "--mode anytime --within x%",
        "--mode anytime --within -5%",
        "--mode anytime --memory 5",
        "--mode anytime --memory 1GG",
        "--mode anytime --seed x",
    ] {
        solver(folder.path(), words.split(' ').chain([FARTHEST_3X3[0]])).fails_as_usage();
    }
}

/// The answer is the best solution so far; the exit code reports the interrupt.
#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_best_solution() {
    let folder = folder();
    let board = random_board(10, 4);
    let path = folder.path().join("list.txt");
    std::fs::write(&path, format!("{}\n", board.rows()).repeat(3)).unwrap();
    for is_list in [false, true] {
        let mut command = command(folder.path());
        command.args(["--json", "--mode", "anytime", "--max-time", "1h"]);
        match is_list {
            true => command.arg("--file").arg(&path),
            false => command.arg(board.rows()),
        };
        let mut child = start(&mut command);
        // The interrupt is sent as soon as there is a solution.
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        out.read_line(&mut first).unwrap();
        assert!(first.contains("\"improved\""), "{first}");
        child.signal("-INT");
        let mut lines = vec![first];
        lines.extend(out.lines().map(Result::unwrap));
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let objects: Vec<Value> = lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        check_series(&objects, &board);
    }
    // Without `--json` nothing is printed before the end.
    let endless = || {
        let mut command = command(folder.path());
        start(command.args(["--mode", "anytime", "--max-time", "1h", HARD_6X6]))
    };
    let run = interrupted(endless, |run| run.out.contains(" moves: "));
    assert_eq!(run.code, Some(130), "{}", run.err);
    assert!(run.out.contains("more than optimal"), "{}", run.out);
}
