//! `solver compare`: compares searches and heuristics on the same boards, and writes a table, JSON
//! objects or files.

mod results;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::Run;
use crate::run::sums;
use crate::solver_verbs::board::{FARTHEST_3X3, HARD_6X6};
use crate::solver_verbs::run::{batch, files, folder, lengths, solver, string};
#[cfg(unix)]
use crate::solver_verbs::run::{command, interrupted, start};

/// Two moves from the goal.
const EASY: &str = "1 2 3/4 0 6/7 5 8";
const GOAL: &str = "1 2 3/4 5 6/7 8 0";

/// Runs `solver compare` with these words.
fn compare(folder: &Path, words: &str) -> Run {
    solver(folder, format!("compare {words}").split_whitespace())
}

/// Runs `solver compare` with these boards and words.
fn compare_boards(folder: &Path, boards: &[&str], words: &str) -> Run {
    let words = words.split_whitespace();
    solver(
        folder,
        ["compare"].iter().chain(boards).copied().chain(words),
    )
}

/// Runs `solver compare` with these words and `folder/out` as the results directory.
fn compare_to(folder: &Path, words: &str) -> Run {
    let out = folder.join("out");
    compare(folder, &format!("{words} --quiet --out {}", out.display()))
}

/// The records of the searches in `folder/out`, one per line.
fn runs(folder: &Path) -> String {
    fs::read_to_string(folder.join("out/runs.jsonl")).unwrap()
}

/// The rows of a CSV table. Each row maps the names of the columns to values, without times.
fn rows(csv: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = csv.lines().map(|line| line.split(','));
    let names: Vec<&str> = lines.next().unwrap().collect();
    let rows = lines.map(|cells| {
        let cells: Vec<&str> = cells.collect();
        assert_eq!(cells.len(), names.len(), "{csv}");
        let cells = names.iter().copied().zip(cells);
        cells.filter(|(name, _)| !name.starts_with("ms")).collect()
    });
    rows.collect()
}

/// The cells of a text or Markdown table, without times and bytes, which depend on the machine.
fn cells<'a>(table: &'a str, between: &str) -> Vec<Vec<&'a str>> {
    let lines = table.lines().map(|line| {
        let cells = line.split(between).map(str::trim);
        cells.filter(|cell| !cell.is_empty()).collect()
    });
    let mut lines: Vec<Vec<&str>> = lines.collect();
    let is_kept = |name: &&str| !name.ends_with("ms") && *name != "kept kB";
    let kept: Vec<bool> = lines[0].iter().map(is_kept).collect();
    for cells in &mut lines {
        let mut kept = kept.iter();
        cells.retain(|_| kept.next() != Some(&false));
    }
    lines
}

/// The JSON objects of the lines, without times.
fn without_times(lines: &str) -> Vec<Value> {
    let objects = lines.lines().map(|line| {
        let mut object: Value = serde_json::from_str(line).unwrap();
        assert!(object["ms"].as_f64().unwrap() >= 0.0, "{line}");
        object["ms"].take();
        object
    });
    objects.collect()
}

const ALL_SEARCHES: &str = "--searches \
    astar,ida-star,breadth-first,bidirectional,greedy,weighted-astar:1.5,uniform-cost";

#[test]
fn the_table_has_exact_node_counts_for_any_threads() {
    let folder = folder();
    let boards = [FARTHEST_3X3[0], EASY, GOAL];
    let table = |words: &str| {
        let words = format!(
            "{ALL_SEARCHES} --heuristics manhattan,linear-conflict -q --columns all {words}"
        );
        compare_boards(folder.path(), &boards, &words).succeeds()
    };
    let one = table("--threads 1");
    let found = cells(&one, "  ");
    assert_eq!(
        found[0].join(" | "),
        "boards | search | heuristic | solved | length | median length | h0 | generated | \
         expanded | branching | kept nodes"
    );
    assert!(one.lines().next().unwrap().ends_with("kept nodes  kept kB"));
    let rows: Vec<String> = found[1..].iter().map(|cells| cells.join(" ")).collect();
    assert_eq!(
        rows,
        [
            "3 3x3 given astar manhattan 3 11.00 2 7.67 3,662 2,243 1.643 3,336",
            "3 3x3 given astar linear-conflict 3 11.00 2 8.33 2,085 1,276 1.630 1,937",
            "3 3x3 given ida-star manhattan 3 11.00 2 7.67 8,007 4,989 1.661 12",
            "3 3x3 given ida-star linear-conflict 3 11.00 2 8.33 4,303 2,674 1.647 12",
            "3 3x3 given breadth-first none 3 11.00 2 0.00 100,765 60,462 2.223 60,485",
            "3 3x3 given bidirectional manhattan 3 11.00 2 7.67 2,616 1,590 1.635 2,446",
            "3 3x3 given bidirectional linear-conflict 3 11.00 2 8.33 1,796 1,109 1.627 1,688",
            "3 3x3 given greedy manhattan 3 15.67 2 7.67 38 23 1.517 38",
            "3 3x3 given greedy linear-conflict 3 11.67 2 8.33 25 13 1.520 26",
            "3 3x3 given weighted-astar:1.5 manhattan 3 11.00 2 7.67 333 198 1.588 316",
            "3 3x3 given weighted-astar:1.5 linear-conflict 3 11.00 2 8.33 202 122 1.576 187",
            "3 3x3 given uniform-cost none 3 11.00 2 0.00 100,806 60,483 2.609 60,487"
        ]
    );
    assert_eq!(cells(&table("--threads 2"), "  "), found);
    // The Markdown table has the same cells.
    let markdown = table("--format markdown");
    let mut markdown = cells(&markdown, "|");
    assert!(
        markdown
            .remove(1)
            .iter()
            .all(|rule| rule.trim_end_matches(':') == "---")
    );
    assert_eq!(markdown, found);
    assert_eq!(compare(folder.path(), "-n 3").err.lines().count(), 1);
}

#[test]
fn csv_has_a_row_for_each_set_search_and_heuristic() {
    let folder = folder();
    let words = "--format csv -q -n 4 --sizes 2x2,3x2 --moves 10,30 --searches \
                 astar,breadth-first --heuristics manhattan,zero";
    let csv = compare(folder.path(), words).succeeds();
    let rows = rows(&csv);
    let names: Vec<String> = rows
        .iter()
        .map(|row| {
            ["size", "set", "search", "heuristic"]
                .map(|name| row[name])
                .join(" ")
        })
        .collect();
    let mut expected = Vec::new();
    for size in ["2x2", "3x2"] {
        for set in ["walk-10", "walk-30"] {
            // A search without a heuristic occurs once, not once per heuristic.
            for pair in ["astar manhattan", "astar zero", "breadth-first none"] {
                expected.push(format!("{size} {set} {pair}"));
            }
        }
    }
    assert_eq!(names, expected);
    for set in rows.chunks(3) {
        for row in set {
            assert_eq!(
                (row["boards"], row["solved"], row["limit_nodes"]),
                ("4", "4", "0")
            );
            assert_eq!(row["length_mean"], set[0]["length_mean"]);
        }
        let nodes = |row: &BTreeMap<&str, &str>| row["expanded_total"].parse::<u64>().unwrap();
        assert!(nodes(&set[0]) <= nodes(&set[1]), "{set:?}");
    }
    // A second run uses the same boards; another seed produces other boards.
    assert_eq!(self::rows(&compare(folder.path(), words).succeeds()), rows);
    let other = compare(folder.path(), &format!("{words} --seed 2")).succeeds();
    assert_ne!(self::rows(&other), rows);
}

#[test]
fn suites_have_their_goal_and_known_lengths() {
    let folder = folder();
    let korf = "--suite korf100 -n 2 --heuristics linear-conflict --searches ida-star --json \
 --max-nodes 20M";
    let objects = compare(folder.path(), korf).objects(0);
    assert_eq!(lengths(&objects), [57, 55]);
    assert!(
        string(&objects[0], "goal").starts_with("0 1 2 3/"),
        "{}",
        objects[0]
    );
    // The known length is present even without a solution.
    let limited = "--suite korf100 -n 2 --heuristics manhattan --searches astar --max-nodes 10 \
                   --json";
    let objects = compare(folder.path(), limited).objects(1);
    assert_eq!(
        (&objects[1]["optimal_length"], objects[1].get("length")),
        (&55.into(), None)
    );
}

#[test]
fn boards_come_from_arguments_files_and_standard_input() {
    let folder = folder();
    let list = folder.path().join("list.txt");
    let text = format!("# easy\n{EASY}\n\n1 2\n0 3\n\n{}\n", FARTHEST_3X3[1]);
    fs::write(&list, &text).unwrap();
    let words = "--searches astar --heuristics manhattan --quiet --format csv";
    let by_file = compare(folder.path(), &format!("--file {} {words}", list.display())).succeeds();
    let boards = [EASY, "1 2/0 3", FARTHEST_3X3[1]];
    let by_argument = compare_boards(folder.path(), &boards, words).succeeds();
    let by_input = batch(folder.path(), &format!("compare - {words}"), &text).succeeds();
    let by_default = batch(folder.path(), &format!("compare --file - {words}"), &text).succeeds();
    let found = rows(&by_file);
    let sizes: Vec<_> = found
        .iter()
        .map(|row| (row["size"], row["boards"]))
        .collect();
    assert_eq!(sizes, [("3x3", "2"), ("2x2", "1")]);
    for other in [by_argument, by_input, by_default] {
        assert_eq!(rows(&other), found);
    }
}

/// `solver compare` accepts the same lists of boards as `solver` without a verb.
#[test]
fn lengths_in_a_list_are_known_and_checked() {
    let folder = folder();
    let words = "compare - --searches greedy,astar --heuristics manhattan --json";
    let list = format!("{EASY} 2\n\n{}\n", FARTHEST_3X3[1]).replace('/', " ");
    let objects = batch(folder.path(), words, &list).objects(0);
    assert_eq!(objects[0]["optimal_length"], 2);
    // A solution of greedy search need not be optimal.
    assert!(objects[1].get("optimal_length").is_none(), "{}", objects[1]);
    let run = batch(folder.path(), words, list.replace(" 2\n", " 4\n"));
    assert_eq!(
        (run.code, run.out.lines().count()),
        (Some(2), 4),
        "{}",
        run.out
    );
    let line = format!(
        "solver: astar with manhattan solved {EASY} in 2 moves, but the known optimum is 4\n"
    );
    assert_eq!(run.err, line);
}

/// The free memory is divided among the threads.
#[test]
fn a_reduced_memory_limit_is_reported() {
    let folder = folder();
    let run = |board: &str| {
        let words = "--threads 200 --searches breadth-first --max-nodes 20M --format csv -q";
        compare_boards(folder.path(), &[board], words)
    };
    assert_eq!(run(EASY).err, "");
    let hard = run(HARD_6X6);
    let is_met = rows(&hard.out)[0]["limit_memory"] == "1";
    let note = "solver: little memory is free, so the limit per search was ";
    assert_eq!(hard.err.starts_with(note), is_met, "{}", hard.err);
    assert!(
        is_met || rows(&hard.out)[0]["limit_nodes"] == "1",
        "{}",
        hard.out
    );
}

#[test]
fn searches_at_a_limit_are_counted_and_named() {
    let folder = folder();
    let run = |words: &str, board: &str| {
        let words = format!("--heuristics manhattan -q {words}");
        compare_boards(folder.path(), &[board, EASY], &words)
    };
    for (words, board, limit) in [
        (
            "--searches astar --max-nodes 1000",
            FARTHEST_3X3[0],
            "nodes",
        ),
        (
            "--searches ida-star --max-nodes 1000",
            FARTHEST_3X3[0],
            "nodes",
        ),
        (
            "--searches astar --max-memory 100k",
            FARTHEST_3X3[0],
            "memory",
        ),
        (
            "--searches bidirectional --max-memory 100k",
            FARTHEST_3X3[0],
            "memory",
        ),
        (
            "--searches breadth-first --max-memory 100k",
            FARTHEST_3X3[0],
            "memory",
        ),
        ("--searches ida-star --max-time 50ms", HARD_6X6, "time"),
        ("--searches astar --max-time 1ms", HARD_6X6, "time"),
    ] {
        let csv = run(&format!("{words} --format csv"), board);
        assert_eq!((csv.code, csv.err.as_str()), (Some(1), ""), "{words}");
        let found = rows(&csv.out);
        let row = &found[0];
        for name in ["nodes", "memory", "time"] {
            let count = if name == limit { "1" } else { "0" };
            assert_eq!(
                row[&*format!("limit_{name}")],
                count,
                "{words}: {}",
                csv.out
            );
        }
        let objects = run(&format!("{words} --json"), board).objects(1);
        assert_eq!(
            (string(&objects[0], "status"), string(&objects[0], "limit")),
            ("limit", limit)
        );
        for field in ["length", "moves", "optimal_length", "branching_factor"] {
            assert!(objects[0].get(field).is_none(), "{field}: {}", objects[0]);
        }
        let text = run(words, board);
        assert_eq!(text.code, Some(1));
        let named = format!("(1 at the {} limit)", limit.trim_end_matches('s'));
        assert!(text.out.contains(&named), "{}", text.out);
        assert!(text.out.contains("  >"), "{}", text.out);
        let note = |heads: &str| format!("\n{heads}: of the solved boards; >: ");
        assert!(text.out.contains(&note("length")), "{}", text.out);
        let all = run(&format!("{words} --columns all"), board).out;
        assert!(
            all.contains(&note("length, median length, branching")),
            "{all}"
        );
    }
}

#[test]
fn bad_input_is_rejected_in_one_line_that_names_it() {
    let folder = folder();
    for (words, names) in [
        ("--heuristics wonder", "the heuristic `wonder` is neither"),
        (
            "--heuristics 6-6-3",
            "6-6-3 have 15 tiles together, but a 3x3 board has 8",
        ),
        (
            "--size 6x6 --heuristics walking-distance",
            "too large for 6x6: expected a tray of at most 5x5",
        ),
        ("--heuristics runs:8", "no tables of the kind `runs`"),
        (
            "--searches quick",
            "there is no search `quick`: expected breadth-first",
        ),
        ("--searches weighted-astar:0.5", "W from 1 to 100"),
        ("--searches weighted-astar:", "W from 1 to 100"),
        ("--suite korf", "there is no suite `korf`: expected korf100"),
        ("--max-memory 0", "the limit of memory must be more than 0"),
        ("--max-nodes 0", "the limit of nodes must be more than 0"),
        ("-n 0", "no boards"),
        ("--suite korf100 -n 0", "no boards"),
        ("--file /dev/null", "no boards"),
        (
            "--file /nonexistent/list",
            "/nonexistent/list: No such file",
        ),
        ("--size 17x16", "accept up to 256 cells, and 17x16 has more"),
        ("--partition 8", "--partition does not apply to compare"),
        ("--metric multi", "--metric does not apply to compare"),
        ("--goal middle", "goal: "),
        (
            "--predict 1k --json",
            "add --out DIR, or leave out --predict",
        ),
        (
            "--predict 1k --searches astar",
            "--predict needs ida-star: add it to --searches",
        ),
        ("--size 3x3 --sizes 2x2", "--size and --sizes both set"),
        (
            "--suite korf100 --size 3x3",
            "the boards of korf100 are 4x4, not 3x3",
        ),
        (
            "--suite hardest80 --goal blank-first",
            "the goal of hardest80 is 1 2 3 4/5",
        ),
    ] {
        let line = compare(folder.path(), words).fails(2);
        assert!(line.contains(names), "{words}: {line}");
    }
    for (boards, names) in [
        (
            &["--heuristics", ""][..],
            "a heuristic has no name: expected one such as manhattan",
        ),
        (&["--searches", ""], "there is no search ``: expected"),
        (
            &["1 2 3/4 5 6/8 7 0"],
            "swapping tiles 7 and 8 would repair it",
        ),
        (
            &["1 2 3/4 5 6/8 7 0"],
            "the board 1 2 3/4 5 6/8 7 0 is unsolvable: the",
        ),
        (&[EASY, "1 2 3/4 5 6/7 8 8"], "tile 8"),
        (&["--size", "4x4", EASY], "4x4"),
    ] {
        let line = compare_boards(folder.path(), boards, "").fails(2);
        assert!(line.contains(names), "{boards:?}: {line}");
    }
    let line = batch(folder.path(), "compare -", format!("{EASY}\n\n1 2 x\n")).fails(2);
    assert!(line.contains("line 3: "), "{line}");
    let line = compare(folder.path(), "--moves 10,x").fails_as_usage();
    assert!(
        line.contains("expected a whole number such as 1000"),
        "{line}"
    );
    for words in [
        "--sizes 3x",
        "--sizes 3x3,",
        "--max-nodes -1",
        "--max-time soon",
        "-n -1",
        "--predict 0",
        "--format html",
        "--suite korf100 --moves 10",
        "--order ULR",
        "--threads -1",
    ] {
        compare(folder.path(), words).fails_as_usage();
    }
}

#[test]
fn predictions_are_printed_with_expanded_nodes() {
    let folder = folder();
    let words = "-n 50 --predict 50k --heuristics misplaced,manhattan";
    let text = compare_to(folder.path(), words).succeeds();
    let (_, table) = text.split_once("\n\n").unwrap();
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    let columns = [
        "boards",
        "heuristic",
        "bound",
        "expanded",
        "predicted",
        "ratio",
    ];
    assert_eq!(head, columns);
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), 12, "{table}");
    for line in lines {
        let ratio: f64 = line.split_whitespace().last().unwrap().parse().unwrap();
        assert!((0.7..1.4).contains(&ratio), "{line}");
    }
    let csv = fs::read_to_string(folder.path().join("out/predictions.csv")).unwrap();
    assert_eq!(csv.lines().count(), 13);
    assert!(csv.starts_with("set,size,heuristic,boards,bound,expanded,predicted\nrandom,3x3,"));
}
