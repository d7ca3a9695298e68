//! Searches that end before they find a solution, by a limit or an interrupt.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::io::Write as _;
#[cfg(unix)]
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::solver_verbs::board::{FARTHEST_3X3, HARD_5X5, HARD_6X6};
#[cfg(unix)]
use crate::solver_verbs::run::{Run, command, interrupted, start};
use crate::solver_verbs::run::{folder, solver};

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
