//! `--metric multi`: a run of tiles counts as one move.

use serde_json::Value;

use crate::solver_verbs::board::Board;
use crate::solver_verbs::run::{batch, files, folder, lengths, solver, string};

/// Number of runs in moves such as `U2RD`: each letter is one run.
fn runs(moves: &str) -> usize {
    moves.chars().filter(char::is_ascii_alphabetic).count()
}

#[test]
fn lengths_and_moves_are_in_runs() {
    let folder = folder();
    let board = "8 6 7/2 5 4/3 0 1";
    let options = ["--metric", "multi", "--json", board];
    let object = solver(folder.path(), options).object(0);
    assert_eq!(object["length"], 20);
    assert_eq!(object["bound"], 20);
    assert_eq!(object["tables"], "runs");
    let moves = string(&object, "moves");
    assert_eq!(runs(moves), 20);
    let (end, singles) = Board::read(board).play(moves);
    assert_eq!(end, Board::goal(3, 3, 8));
    // The minimum number of single-tile moves is 31.
    assert!(singles >= 31, "{moves}");
    let words = solver(folder.path(), ["--metric", "multi", board]).solves();
    assert!(words.starts_with("20 moves: "), "{words}");
    assert!(words.contains("proved optimal: the heuristic runs gives a lower bound of 20"));
    let single = solver(folder.path(), ["--metric", "single", "--json", board]).object(0);
    assert_eq!(single["length"], 31);
}

#[test]
fn tables_are_stored_and_reused() {
    let folder = folder();
    let options = ["--metric", "multi", "1 2 3/4 5 0/7 8 6"];
    let first = solver(folder.path(), options);
    assert!(
        first.err.contains("solver: built 3x3-runs-"),
        "{}",
        first.err
    );
    assert_eq!(files(folder.path()).len(), 1);
    let second = solver(folder.path(), options);
    assert_eq!((second.err.as_str(), second.code), ("", Some(0)));
    // A kind implies its metric.
    let by_kind = solver(folder.path(), ["--kind", "runs", "--json", options[2]]);
    assert_eq!(by_kind.object(0)["tables"], "runs");
}

#[test]
fn known_lengths_are_compared_in_the_metric() {
    let folder = folder();
    let list = "8 6 7 2 5 4 3 0 1 20\n8 6 7 2 5 4 3 0 1 31\n1 2 3/4 5 6/0 7 8 1\n";
    let multi = batch(folder.path(), "--metric multi --size 3x3 --json", list);
    let objects = multi.objects(2);
    let states: Vec<&Value> = objects.iter().map(|object| &object["status"]).collect();
    assert_eq!(states, ["solved", "error", "solved"]);
    assert_eq!(lengths(&objects), [20, 20, 1]);
    let single = batch(folder.path(), "--size 3x3 --json", list);
    let objects = single.objects(2);
    let states: Vec<&Value> = objects.iter().map(|object| &object["status"]).collect();
    assert_eq!(states, ["error", "solved", "error"]);
}

#[test]
fn partitions_threads_and_limits() {
    let folder = folder();
    let board = "10 13 2 15/7 3 4 12/1 9 5 6/14 8 0 11";
    let mut found = Vec::new();
    let partition = "--partition 1,2,3,4,8,12/1,2,5,6,9,13 --threads 2";
    let all = ["--threads 1", partition, "--threads 2"];
    for words in all.into_iter().take(if crate::IS_LONG { 3 } else { 2 }) {
        let options = words.split_whitespace().chain(["--json", board]);
        let options = ["--metric", "multi"].into_iter().chain(options);
        found.extend(lengths(&solver(folder.path(), options).objects(0)));
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:?}");
    let large = "--metric multi --max-nodes 1000 --json".split(' ');
    let large = large.chain(["35 1 2 3 4 5/6 7 8 9 10 11/12 13 14 15 16 17/18 19 20 21 22 23/24 25 26 27 28 29/30 31 32 33 34 0"]);
    let object = solver(folder.path(), large).object(1);
    assert_eq!(object["status"], "limit");
    assert_eq!(object["tables"], "lines");
    assert!(object["bound"].as_u64() >= object["h0"].as_u64());
}

#[test]
fn bad_options_are_rejected() {
    let folder = folder();
    let board = "1 2 3/4 5 6/7 0 8";
    let run = |words: &str| {
        let options = words.split(' ').chain([board]);
        solver(folder.path(), options)
    };
    assert_eq!(run("--metric runs").code, Some(2));
    assert_eq!(run("--metric single --partition runs").code, Some(2));
    assert_eq!(run("--metric multi --partition manhattan").code, Some(2));
    assert_eq!(run("--metric multi --partition lines").code, Some(0));
}
