//! Searches that end before they find a solution, by a limit or an interrupt, and records with which a
//! killed search goes on.

#[cfg(unix)]
use std::io::Write as _;
#[cfg(unix)]
use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::solver_verbs::board::{FARTHEST_3X3, HARD_5X5, HARD_6X6, Random};
#[cfg(unix)]
use crate::solver_verbs::run::{Run, interrupted};
use crate::solver_verbs::run::{command, folder, solver, start};

#[test]
fn the_node_limit_holds_from_the_first_node_on() {
    let folder = folder();
    for most in [1, 100, 1000, 100_000] {
        let limit = most.to_string();
        // One thread, because each of several threads can exceed the limit.
        let options = ["--json", "--threads", "1", "--max-nodes", &limit, HARD_6X6];
        let object = solver(folder.path(), options).object(1);
        let nodes = object["nodes"].as_u64().unwrap();
        assert!(
            (most..most + 100).contains(&nodes),
            "{nodes} nodes with --max-nodes {most}"
        );
    }
}

#[test]
fn limits_end_a_search_with_a_bound() {
    let folder = folder();
    let bound = |arguments: &[&str]| {
        let object = solver(folder.path(), ["--json"].iter().chain(arguments)).object(1);
        assert_eq!(object["status"], "limit", "{object}");
        assert!(object.get("length").is_none() && object.get("moves").is_none());
        let bound = object["bound"].as_u64().unwrap();
        assert!(bound >= object["h0"].as_u64().unwrap());
        bound
    };
    // The Manhattan distance of the 6x6 board is 174. The 5x5 board has a solution of 95 moves.
    assert!(bound(&["--max-nodes", "50000", HARD_6X6]) >= 174);
    let five = [
        "--goal",
        "blank-first",
        "--partition",
        "manhattan",
        HARD_5X5,
    ];
    let found = bound(&[&["--max-nodes", "200000"], &five[..]].concat());
    assert!((60..=95).contains(&found), "{found}");
    let begun = Instant::now();
    bound(&[&["--max-time", "0.2"], &five[..]].concat());
    assert!(begun.elapsed() >= Duration::from_millis(200));

    // The limit also applies to text output, and the next board is still solved.
    let run = solver(
        folder.path(),
        ["--max-nodes", "50000", HARD_6X6, FARTHEST_3X3[0]],
    );
    assert_eq!(run.code, Some(1));
    assert!(
        run.out
            .lines()
            .next()
            .unwrap()
            .contains("no solution is shorter than"),
        "{}",
        run.out
    );
    assert!(run.out.contains("31 moves"), "{}", run.out);
}

/// The hint that is printed after an interrupt.
#[cfg(unix)]
fn is_hint(line: &str) -> bool {
    line == "solver: --mode anytime prints a short solution immediately"
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_ends_with_its_results() {
    let folder = folder();
    for list in [false, true] {
        let mut command = command(folder.path());
        command.args(["--partition", "manhattan"]);
        if list {
            let path = folder.path().join("list.txt");
            fs::write(&path, format!("{HARD_6X6}\n").repeat(50)).unwrap();
            command.arg("--file").arg(path);
        } else {
            command.arg(HARD_6X6);
        }
        let run = interrupted(|| start(&mut command), |run| !run.out.is_empty());
        assert_eq!(run.code, Some(130), "{}{}", run.out, run.err);
        // For each board that was being searched, the proved bound is printed; nothing is printed
        // for other boards.
        let lines = run.out.lines();
        assert!((1..50).contains(&lines.clone().count()), "{}", run.out);
        for line in lines {
            assert!(line.contains("no solution is shorter than"), "{line}");
        }
        // A list does not repeat the hint for each board.
        assert_eq!(run.err.lines().count(), usize::from(!list), "{}", run.err);
        assert!(run.err.lines().all(is_hint), "{}", run.err);
    }
}

/// Standard input stays open and silent after the first board, so that only the signal can end the
/// program.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_list_that_waits_for_more_boards() {
    let folder = folder();
    for boards in ["", "1 2/0 3\n"] {
        let waiting = || {
            let mut command = command(folder.path());
            command.args(["--threads", "3"]).stdin(Stdio::piped());
            let mut child = start(&mut command);
            let input = child.stdin.as_mut().unwrap();
            input.write_all(boards.as_bytes()).unwrap();
            child
        };
        let is_answered = |run: &Run| run.out.lines().count() == boards.lines().count();
        let run = interrupted(waiting, |run| run.code.is_some() && is_answered(run));
        assert_eq!(run.code, Some(130), "{}{}", run.out, run.err);
        assert!(is_answered(&run), "{}", run.out);
    }
}

/// 66 moves; 16 million nodes with 4-4-4-3.
const BOARD: &str = "15 14 0 4 11 1 6 13 7 5 8 9 3 2 10 12";
const SEARCH: [&str; 7] = [
    "--goal",
    "blank-first",
    "--partition",
    "4-4-4-3",
    "--build",
    "--json",
    BOARD,
];

/// The search is killed 20 times; `KILLS=200 cargo test ... kills` kills it 200 times.
#[test]
fn a_search_goes_on_after_kills() {
    let folder = folder();
    let kills = std::env::var("KILLS").map_or(20, |kills| kills.parse().unwrap());
    let words = |record: &str, threads: &str| {
        let path = folder.path().join(record);
        let options = ["--record", path.to_str().unwrap(), "--threads", threads];
        [SEARCH.to_vec(), options.to_vec()]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let whole = solver(folder.path(), words("whole", "1")).object(0);
    assert_eq!(whole["length"], 66);
    let mut random = Random(1);
    for (record, threads) in [("killed", "1"), ("killed-2", "2")] {
        for _ in 0..kills {
            let mut child = start(command(folder.path()).args(words(record, threads)));
            thread::sleep(Duration::from_millis(random.below(60) as u64));
            let _ = child.kill();
            let _ = child.wait();
        }
        let found = solver(folder.path(), words(record, threads)).object(0);
        assert_eq!(found["length"], 66);
        if threads == "1" {
            assert_eq!(found["nodes"], whole["nodes"]);
            assert_eq!(found["moves"], whole["moves"]);
            let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
            assert!(read("killed") == read("whole"));
            let recheck = [words(record, threads), vec!["--recheck".into(), "2".into()]];
            let checked = solver(folder.path(), recheck.concat()).object(0);
            assert_eq!(checked["nodes"], whole["nodes"]);
            assert!(read("killed") == read("whole"));
        }
    }
}

#[test]
fn records_of_other_searches_and_damaged_ones_are_refused() {
    let folder = folder();
    let record = folder.path().join("record");
    let path = record.to_str().unwrap();
    let run = |board: &str, partition: &str| {
        let options = ["--partition", partition, "--record", path, board];
        solver(folder.path(), options)
    };
    run("8 6 7/2 5 4/3 0 1", "5-3").solves();
    fs::remove_file(&record).unwrap();
    run("8 6 7/2 5 4/3 0 1", "manhattan").solves();
    let whole = fs::read_to_string(&record).unwrap();
    assert!(whole.lines().count() > 2);
    for (board, partition) in [
        ("6 4 7/8 5 0/3 2 1", "manhattan"),
        ("8 6 7/2 5 4/3 0 1", "5-3"),
    ] {
        let message = run(board, partition).fails(3);
        assert!(message.contains("another search"), "{message}");
        assert_eq!(fs::read_to_string(&record).unwrap(), whole);
    }
    fs::write(&record, whole.replacen("\n21 ", "\n22 ", 1)).unwrap();
    let message = run("8 6 7/2 5 4/3 0 1", "manhattan").fails(3);
    assert!(message.contains("is damaged"), "{message}");
    fs::write(&record, b"\xff no record").unwrap();
    let message = run("8 6 7/2 5 4/3 0 1", "manhattan").fails(3);
    assert!(message.contains("another search"), "{message}");
    // The record is of one board, searched from the start for a shortest solution.
    for words in ["--side goal", "--mode anytime", "1,2/3,0"] {
        let words = words.split(' ').chain(["--record", path, "1,2/0,3"]);
        solver(folder.path(), words).fails(2);
    }
}

#[test]
fn a_lower_bound_is_proved_on_request() {
    let folder = folder();
    let bound = |least: &str| {
        let options = [
            "--json",
            "--partition",
            "manhattan",
            "--at-least",
            least,
            "8 6 7/2 5 4/3 0 1",
        ];
        let object = solver(folder.path(), options).object(1);
        assert_eq!(object["status"], "limit", "{object}");
        object["bound"].as_u64().unwrap()
    };
    assert_eq!((bound("27"), bound("31")), (27, 31));
    let solved = solver(folder.path(), ["--at-least", "32", "8 6 7/2 5 4/3 0 1"]);
    solved.solves();
    let anytime = ["--at-least", "5", "--mode", "anytime", "1,2/0,3"];
    solver(folder.path(), anytime).fails(2);
}

/// An 80-move board, which takes longer with 6-6-3.
#[test]
fn a_long_search_names_better_tables() {
    let folder = folder();
    let board = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let options = ["--partition", "6-6-3", "--max-time", "1.1", board];
    let run = solver(folder.path(), options);
    assert!(run.err.contains("the partition 7-8"), "{}", run.err);
    let quick = solver(
        folder.path(),
        [
            "--json",
            "--partition",
            "6-6-3",
            "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15",
        ],
    );
    assert_eq!(quick.object(0)["suggestion"], serde_json::Value::Null);
}
