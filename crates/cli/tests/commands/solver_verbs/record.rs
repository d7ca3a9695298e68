//! Records of searches: a search that is killed goes on, and no damage is believed.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::solver_verbs::board::Random;
use crate::solver_verbs::run::{command, folder, solver, start};

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
