//! `pdb-gen tune`: prints a ranking, writes files that `--partition` reads, and rejects bad input
//! before any work.

use std::fs;

use serde_json::Value;

use crate::pdb_gen_verbs::run::{finish, pdb_gen, run, start};
use crate::run::{files, folder, sums};

fn tune(out: &std::path::Path, words: &str) -> crate::pdb_gen_verbs::run::Run {
    let mut command = crate::pdb_gen_verbs::run::command();
    command.arg("tune").args(words.split_whitespace());
    finish(start(command.arg("--out").arg(out)))
}

#[test]
fn the_best_are_printed_and_written() {
    let folder = folder();
    let out = folder.path().join("out");
    let words = "--size 3x3 --parts 5-3 --top 3 --boards 20";
    let text = tune(&out, words).succeeds();
    assert_eq!(text.lines().count(), 2 + 4, "{text}");
    assert!(text.starts_with("compared all 31 partitions"), "{text}");
    // The current preset is listed too.
    let first = text.lines().next().unwrap();
    let shown = "; shown: the best 3 and 1 known, with files in ";
    assert!(first.contains(shown), "{text}");
    assert_eq!(text.matches("(known)").count(), 1, "{text}");
    assert_eq!(files(&out).len(), 4);
    let before = sums(&out);
    // A second run writes the same files and no others.
    let json = tune(&out, &format!("{words} --json --threads 1")).succeeds();
    assert_eq!(sums(&out), before);
    let objects: Vec<Value> = json
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let mut last = 0.0;
    for (index, object) in objects.iter().enumerate() {
        assert_eq!(object["rank"], index + 1);
        assert_eq!(object["exact"], true);
        assert_eq!(object["orders"].as_object().unwrap().len(), 24);
        let nodes = object["nodes"].as_f64().unwrap();
        assert!(nodes >= last);
        last = nodes;
        assert_eq!(object["orders"][object["order"].as_str().unwrap()], nodes);
        // `--partition` accepts the file and also the list of tiles.
        let file = object["file"].as_str().unwrap();
        assert!(fs::read_to_string(file).unwrap().contains("order "));
        let tables = folder.path().join(format!("tables{index}"));
        let build = |partition: &str| {
            pdb_gen(&tables, &format!("--size 3x3 --partition {partition}")).succeeds()
        };
        assert!(build(file).contains("wrote"));
        assert!(build(object["partition"].as_str().unwrap()).contains("kept"));
    }
    assert_eq!(objects.iter().filter(|o| o["known"] == true).count(), 1);
}

#[test]
fn times_and_numbers_may_have_units() {
    let folder = folder();
    let words = "--size 3x3 --parts 5-3 --top 1";
    let plain = folder.path().join("plain");
    tune(
        &plain,
        &format!("{words} --minutes 1 --states 2000 --boards 20"),
    )
    .succeeds();
    let units = folder.path().join("units");
    tune(
        &units,
        &format!("{words} --minutes 60s --states 2k --boards 2e1"),
    )
    .succeeds();
    assert_eq!(sums(&units), sums(&plain));
    let half = folder.path().join("half");
    tune(
        &half,
        &format!("{words} --minutes 0.5 --states 2_000 --boards 20"),
    )
    .succeeds();
    assert_eq!(sums(&half), sums(&plain));
    for (option, value, names) in [
        ("--minutes", "soon", "such as 10s, 1.5m or 2h, found `soon`"),
        ("--minutes", "-1", "found `-1`"),
        ("--minutes", "0", "above 0 and up to 10000 minutes"),
        ("--minutes", "8d", "above 0 and up to 10000 minutes"),
        ("--states", "1.5", "such as 1000, 10k, 1e6 or 512MiB"),
        ("--states", "2M", "from 1 to 1000000"),
        ("--top", "-1", "found `-1`"),
    ] {
        let line = run(["tune", "--parts", "5-3", option, value]).fails_as_usage();
        assert!(line.contains(names), "{line}");
    }
    let never = folder.path().join("never");
    let line = tune(&never, &format!("{words} --boards 12x")).fails(2);
    assert!(line.contains("12x: not a number; as a file"), "{line}");
    let line = tune(&never, &format!("{words} --boards 1e12")).fails(2);
    assert!(line.contains("at most"), "{line}");
    assert!(!never.exists());
}

#[test]
fn sizes_are_accepted_in_any_order() {
    let folder = folder();
    let mut command = crate::pdb_gen_verbs::run::command();
    command.args(["tune", "--size", "3x3", "--parts", " 3 - 5 ", "--top", "0"]);
    command.args(["--boards", "0", "--out"]).arg(folder.path());
    let text = finish(start(&mut command)).succeeds();
    assert!(text.starts_with("compared no others"), "{text}");
    let name = &files(folder.path())[0];
    assert!(
        format!("{name:?}").contains("3x3-5-3-blank8-1.txt"),
        "{name:?}"
    );
    // `3 - 5` and `5-3` select the same preset.
    let out = folder.path().join("named");
    let words = "--size 3x3 --parts 5-3 --top 0 --boards 0";
    let named = tune(&out, words).succeeds();
    assert_eq!(text.lines().last(), named.lines().last());
}

#[test]
fn given_boards_and_partitions_take_part() {
    let folder = folder();
    let list = folder.path().join("boards.txt");
    fs::write(&list, "# two\n1 2 3/4 5 6/7 8 0\n8 6 7 2 5 4 3 0 1 31\n").unwrap();
    let words = format!(
        "--size 3x3 --parts 4-4 --top 0 --json --partition 1,2,3,4,5/6,7,8 --boards {}",
        list.display()
    );
    let json = tune(&folder.path().join("out"), &words).succeeds();
    assert_eq!(json.lines().count(), 2, "{json}");
    let bad = |line: &str, names: &str| {
        fs::write(&list, line).unwrap();
        let message = tune(&folder.path().join("never"), &words).fails(2);
        assert!(message.contains(names), "{message}");
    };
    bad("1 2 3/4 5 6/7 8 8", "line 1");
    bad("# one\n1 2 3/4 5 6/8 7 0", "line 2");
    bad("1 2 3 4", "line 1");
    assert!(!folder.path().join("never").exists());
}

#[test]
fn edge_goals_get_pairs() {
    let folder = folder();
    let words = "--goal 1,0/2,3/4,5 --parts 3-2 --top 1 --boards 0 --json";
    let json = tune(folder.path(), words).succeeds();
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert!(first["partition"].as_str().unwrap().contains('+'), "{json}");
    assert_eq!(first["mean"].as_array().unwrap().len(), 1 + 1);
    assert_eq!(first.get("nodes"), None);
}

#[test]
fn bad_tasks_are_rejected_in_one_line() {
    let folder = folder();
    let out = folder.path().join("never");
    for (words, names) in [
        ("--parts 6-6-4", "16 tiles"),
        ("--parts 6-6", "12 tiles"),
        ("--parts 13-2", "not 13"),
        ("--parts 15-0", "15"),
        ("--parts 6-x", "6-x"),
        ("--parts -", "--parts"),
        ("--parts fringe", "fringe"),
        ("--parts 99999999999999999999-1", "99999999999999999999"),
        ("--parts 6-6-3 --size 3x3", "3x3"),
        ("--parts 6-6-3 --size 20x20", "20x20"),
        ("--parts 6-6-3 --kind full", "full"),
        ("--parts 6-6-3 --partition fringe", "full"),
        ("--parts 6-6-3 --partition nonsense", "nonsense"),
        ("--parts 6-6-3 --tiles 1,2", "--tiles"),
        ("--parts 6-6-3 --boards nowhere.txt", "nowhere.txt"),
        ("--parts 12-3", "choose parts of up to"),
        ("--parts 12-3 --top 0 --boards 0", "are free"),
    ] {
        let line = tune(&out, words).fails(2);
        assert!(line.contains(names), "{words}: {line}");
    }
    assert!(!out.exists());
    for words in ["--size 13x5", "plan --size 13x5", "plan --size 6x1"] {
        let line = pdb_gen(&folder.path().join("none"), words).fails(2);
        assert!(line.contains("no tables for a "), "{words}: {line}");
    }
    run(["tune"]).fails_as_usage();
    run(["tune", "--parts", "5-3", "--minutes", "0"]).fails_as_usage();
    run(["tune", "--parts", "5-3", "--states", "0"]).fails_as_usage();
    // An unwritable output path is detected before the partitions are tuned.
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let line = tune(&file.join("out"), "--size 3x3 --parts 5-3").fails(3);
    assert!(line.contains("file"), "{line}");
}
