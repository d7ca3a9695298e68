//! `solver compare`: searches and heuristics on the same boards, as a table, as objects and as
//! files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

use serde_json::Value;

use crate::file::sums;
use crate::run::Run;
use crate::solver::board::{Board, FARTHEST_3X3, HARD_6X6};
use crate::solver::run::{batch, files, folder, lengths, solver, string};
#[cfg(unix)]
use crate::solver::run::{command, finish, finish_within, start};

/// Two moves from the goal.
const EASY: &str = "1 2 3/4 0 6/7 5 8";
const GOAL: &str = "1 2 3/4 5 6/7 8 0";

/// Runs with these words.
fn compare(folder: &Path, words: &str) -> Run {
    solver(folder, format!("compare {words}").split_whitespace())
}

/// Runs with these boards and words.
fn compare_boards(folder: &Path, boards: &[&str], words: &str) -> Run {
    let words = words.split_whitespace();
    solver(
        folder,
        ["compare"].iter().chain(boards).copied().chain(words),
    )
}

/// Runs with these words and `folder/out` as the directory of the results.
fn compare_to(folder: &Path, words: &str) -> Run {
    let out = folder.join("out");
    compare(folder, &format!("{words} --quiet --out {}", out.display()))
}

/// The lines of the searches in `folder/out`.
fn runs(folder: &Path) -> String {
    fs::read_to_string(folder.join("out/runs.jsonl")).unwrap()
}

/// The rows of a table in CSV by the names of its columns, without times.
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

/// The cells of a table for people, without times.
fn cells<'a>(table: &'a str, between: &str) -> Vec<Vec<&'a str>> {
    let lines = table.lines().map(|line| {
        let cells = line.split(between).map(str::trim);
        cells.filter(|cell| !cell.is_empty()).collect()
    });
    let mut lines: Vec<Vec<&str>> = lines.collect();
    let time = lines[0].iter().position(|name| *name == "ms").unwrap();
    lines.iter_mut().for_each(|cells| {
        cells.remove(time);
    });
    lines
}

/// Objects without times.
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
fn the_table_has_exact_node_counts_whatever_the_threads() {
    let folder = folder();
    let boards = [FARTHEST_3X3[0], EASY, GOAL];
    let table = |words: &str| {
        let words = format!("{ALL_SEARCHES} --heuristics manhattan,linear-conflict -q {words}");
        compare_boards(folder.path(), &boards, &words).succeeds()
    };
    let one = table("--threads 1");
    let found = cells(&one, "  ");
    assert_eq!(
        found[0].join(" | "),
        "boards | search | heuristic | solved | length | median | h0 | generated | expanded | \
         branching | kept nodes | kept MB"
    );
    let rows: Vec<String> = found[1..].iter().map(|cells| cells.join(" ")).collect();
    assert_eq!(
        rows,
        [
            "3 3x3 given astar manhattan 3 11.00 2 7.67 3,662 2,243 1.643 3,336 0.1",
            "3 3x3 given astar linear-conflict 3 11.00 2 8.33 2,085 1,276 1.630 1,937 0.1",
            "3 3x3 given ida-star manhattan 3 11.00 2 7.67 8,007 4,989 1.661 12 0.0",
            "3 3x3 given ida-star linear-conflict 3 11.00 2 8.33 4,303 2,674 1.647 12 0.0",
            "3 3x3 given breadth-first none 3 11.00 2 0.00 100,765 60,462 2.223 60,485 1.7",
            "3 3x3 given bidirectional manhattan 3 11.00 2 7.67 2,616 1,590 1.635 2,446 0.1",
            "3 3x3 given bidirectional linear-conflict 3 11.00 2 8.33 1,796 1,109 1.627 1,688 0.1",
            "3 3x3 given greedy manhattan 3 15.67 2 7.67 38 23 1.517 38 0.0",
            "3 3x3 given greedy linear-conflict 3 11.67 2 8.33 25 13 1.520 26 0.0",
            "3 3x3 given weighted-astar:1.5 manhattan 3 11.00 2 7.67 333 198 1.588 316 0.0",
            "3 3x3 given weighted-astar:1.5 linear-conflict 3 11.00 2 8.33 202 122 1.576 187 0.0",
            "3 3x3 given uniform-cost none 3 11.00 2 0.00 100,806 60,483 2.609 60,487 2.0"
        ]
    );
    assert_eq!(cells(&table("--threads 2"), "  "), found);
    // Markdown has the same cells.
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
            // A search without a heuristic is there once.
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
    // The same boards every time, and others with another seed.
    assert_eq!(self::rows(&compare(folder.path(), words).succeeds()), rows);
    let other = compare(folder.path(), &format!("{words} --seed 2")).succeeds();
    assert_ne!(self::rows(&other), rows);
}

#[test]
fn there_is_an_object_for_each_search_whose_moves_solve_its_board() {
    let folder = folder();
    let boards = [FARTHEST_3X3[0], EASY];
    let words = format!("{ALL_SEARCHES} --heuristics misplaced,fringe --json");
    let run = compare_boards(folder.path(), &boards, &words);
    assert_eq!(run.err, "");
    let objects = run.objects(0);
    // Five searches with two heuristics each, two without.
    assert_eq!(objects.len(), 2 * (5 * 2 + 2));
    for (number, object) in objects.iter().enumerate() {
        let board = boards[number % 2];
        assert_eq!(object["board"], board);
        assert_eq!(object["number"], number % 2 + 1);
        assert_eq!(
            (string(object, "set"), string(object, "size")),
            ("given", "3x3")
        );
        assert_eq!(
            (string(object, "goal"), string(object, "status")),
            (GOAL, "solved")
        );
        let (end, length) = Board::read(board).play(string(object, "moves"));
        assert_eq!(end, Board::goal(3, 3, 8), "{object}");
        assert_eq!(object["length"], length);
        let shortest = [31, 2][number % 2];
        match string(object, "search") {
            "greedy" => assert!(object.get("optimal_length").is_none()),
            "weighted-astar:1.5" => assert!(length * 2 <= shortest * 3, "{object}"),
            _ => {
                assert_eq!(length, shortest, "{object}");
                assert_eq!(object["optimal_length"], shortest);
            }
        }
        let is_deepening = object["search"] == "ida-star";
        assert_eq!(object.get("iterations").is_some(), is_deepening, "{object}");
        if is_deepening {
            let iterations = object["iterations"].as_array().unwrap();
            let sum: u64 = iterations
                .iter()
                .map(|own| own["generated"].as_u64().unwrap())
                .sum();
            assert_eq!(object["generated"], sum);
        }
        let is_blind = ["breadth-first", "uniform-cost"].contains(&string(object, "search"));
        assert_eq!(object["heuristic"] == "none", is_blind, "{object}");
    }
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
    // The known length is there even where none is found.
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

/// As solving does.
#[test]
fn lengths_in_a_list_are_known_and_checked() {
    let folder = folder();
    let words = "compare - --searches greedy,astar --heuristics manhattan --json";
    let list = format!("{EASY} 2\n\n{}\n", FARTHEST_3X3[1]).replace('/', " ");
    let objects = batch(folder.path(), words, &list).objects(0);
    assert_eq!(objects[0]["optimal_length"], 2);
    // What greedy search finds need not be optimal.
    assert!(objects[1].get("optimal_length").is_none(), "{}", objects[1]);
    let run = batch(folder.path(), words, list.replace(" 2\n", " 4\n"));
    assert_eq!(
        (run.code, run.out.lines().count()),
        (Some(2), 4),
        "{}",
        run.out
    );
    let line =
        format!("solver: astar with manhattan solved {EASY} in 2 moves, but its line says 4\n");
    assert_eq!(run.err, line);
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
        assert!(
            text.out
                .contains("\nlength, branching: of the solved boards"),
            "{}",
            text.out
        );
    }
}

#[test]
fn bad_input_is_refused_in_one_line_that_names_it() {
    let folder = folder();
    for (words, names) in [
        ("--heuristics wonder", "the heuristic `wonder` is neither"),
        (
            "--heuristics 6-6-3",
            "6-6-3 have 15 tiles together, but a 3x3 board has 8",
        ),
        (
            "--size 6x6 --heuristics walking-distance",
            "too large for 6x6: trays up to 5x5 have one",
        ),
        ("--heuristics runs:8", "no tables of the kind `runs`"),
        (
            "--searches quick",
            "there is no search `quick`: expected breadth-first",
        ),
        ("--searches weighted-astar:0.5", "W from 1 to 100"),
        ("--searches weighted-astar:", "W from 1 to 100"),
        ("--suite korf", "there is no suite `korf`: expected korf100"),
        ("--max-memory 0", "the limit of memory must be at least 1"),
        ("--max-nodes 0", "the limit of nodes must be at least 1"),
        ("-n 0", "no boards"),
        ("--suite korf100 -n 0", "no boards"),
        ("--file /dev/null", "no boards"),
        (
            "--file /nonexistent/list",
            "/nonexistent/list: No such file",
        ),
        ("--size 17x16", "take up to 256 cells, and 17x16 has more"),
        ("--partition 8", "--partition means nothing to compare"),
        ("--metric multi", "--metric means nothing to compare"),
        ("--goal middle", "goal: "),
        (
            "--predict 1k --json",
            "add --out DIR, or leave out --predict",
        ),
        (
            "--predict 1k --searches astar",
            "--predict is about ida-star: add that to --searches",
        ),
        ("--size 3x3 --sizes 2x2", "--size and --sizes both say"),
        (
            "--suite korf100 --size 3x3",
            "the boards of korf100 are 4x4, and 3x3 is asked for",
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
        "--resume",
        "--max-nodes -1",
        "--max-time soon",
        "-n -1",
        "--predict 0",
        "--format html",
        "--suite korf100 --moves 10",
        "--order ULR",
        "--threads 0",
    ] {
        compare(folder.path(), words).fails_as_usage();
    }
}

#[test]
fn predictions_stand_beside_what_ida_star_expanded() {
    let folder = folder();
    let words = "-n 50 --predict 50k --heuristics misplaced,manhattan";
    let text = compare(folder.path(), &format!("{words} --quiet")).succeeds();
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
    let out = folder.path().join("out");
    compare_to(folder.path(), words).succeeds();
    let csv = fs::read_to_string(out.join("predictions.csv")).unwrap();
    assert_eq!(csv.lines().count(), 13);
    assert!(csv.starts_with("set,size,heuristic,boards,bound,expanded,predicted\nrandom,3x3,"));
}

const WORDS: &str = "-n 5 --searches astar,breadth-first,ida-star --heuristics manhattan";

#[test]
fn a_directory_gets_all_results_and_plots() {
    let folder = folder();
    let out = folder.path().join("out");
    let text = compare_to(folder.path(), WORDS).succeeds();
    let charts = ["nodes", "time", "h", "solved"];
    let pictures =
        charts.map(|name| ["png", "svg"].map(|kind| format!("{name}-3x3-random.{kind}")));
    let texts = [
        "runs.jsonl",
        "runs.csv",
        "summary.csv",
        "summary.md",
        "compare.json",
    ];
    let mut expected: Vec<String> = texts.map(str::to_owned).to_vec();
    expected.extend(pictures.concat());
    expected.sort();
    let found = files(&out);
    let found: Vec<&str> = found
        .iter()
        .map(|file| file.file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(found, expected);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();

    assert_eq!(without_times(&read("runs.jsonl")).len(), 15);
    let csv = read("runs.csv");
    assert_eq!(rows(&csv).len(), 15);
    assert!(rows(&csv).iter().all(|row| row["status"] == "solved"));
    let summary = read("summary.csv");
    assert_eq!(rows(&summary).len(), 3);
    let markdown = read("summary.md");
    let mut markdown = cells(&markdown, "|");
    markdown.remove(1);
    assert_eq!(markdown, cells(&text, "  "));
    let settings: Value = serde_json::from_str(&read("compare.json")).unwrap();
    assert_eq!(
        (&settings["max_nodes"], &settings["order"]),
        (&10_000_000.into(), &"ULRD".into())
    );

    for name in charts {
        let svg = read(&format!("{name}-3x3-random.svg"));
        let document = roxmltree::Document::parse(&svg).unwrap();
        let words = document.descendants().filter(roxmltree::Node::is_text);
        let words: Vec<&str> = words.filter_map(|node| Some(node.text()?.trim())).collect();
        let labels = match name {
            "h" => vec![
                "manhattan",
                "manhattan, mean",
                "admissible: never above the distance",
            ],
            _ => vec!["astar manhattan", "breadth-first", "ida-star manhattan"],
        };
        for label in labels {
            let count = words.iter().filter(|word| **word == label).count();
            assert_eq!(count, 1, "{name}: {label}: {words:?}");
        }
        let png = fs::File::open(out.join(format!("{name}-3x3-random.png"))).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(png))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert!(frame.width >= 960 && frame.height > 200);
    }
}

/// Whatever the outcome, also where a plot has nothing to show.
#[test]
fn plots_are_made_of_boards_at_the_goal_and_of_searches_without_solutions() {
    for words in ["--moves 0 -n 2", "-n 2 --max-nodes 1"] {
        let folder = folder();
        let run = compare_to(folder.path(), words);
        assert!(
            matches!(run.code, Some(0 | 1)) && run.err.is_empty(),
            "{}",
            run.err
        );
        assert_eq!(files(&folder.path().join("out")).len(), 13);
    }
}

#[test]
fn results_are_never_lost_to_a_second_run() {
    let folder = folder();
    let out = folder.path().join("out");
    compare_to(folder.path(), WORDS).succeeds();
    let before = sums(&out);
    let line = compare_to(folder.path(), WORDS).fails(2);
    assert!(
        line.contains("add --resume to go on with them, or name another directory"),
        "{line}"
    );
    for (words, names) in [
        (
            "--max-nodes 2000",
            "with --max-nodes 10000000, and these would be with --max-nodes 2000",
        ),
        (
            "--max-time 1s",
            "with --max-nodes 10000000, and these would be without --max-nodes",
        ),
        (
            "--max-time 1s --max-nodes 10M",
            "without --max-time, and these would be with --max-time 1.0",
        ),
        (
            "--max-memory 1M",
            "and these would be with --max-memory 1048576",
        ),
        (
            "--order DRLU",
            "with --order ULRD, and these would be with --order DRLU",
        ),
    ] {
        let line = compare_to(folder.path(), &format!("{WORDS} --resume {words}")).fails(2);
        assert!(line.contains(names), "{line}");
        assert!(
            line.contains("give the same limits, or name another directory"),
            "{line}"
        );
    }
    assert_eq!(sums(&out), before);

    // Nothing is searched again, not even with other threads.
    let text = compare_to(folder.path(), &format!("{WORDS} --resume --threads 1")).succeeds();
    assert_eq!(cells(&text, "  ").len(), 4);
    assert_eq!(sums(&out), before);
}

#[test]
fn a_comparison_goes_on_where_it_was_cut() {
    let folder = folder();
    let out = folder.path().join("out");
    let whole = compare_to(folder.path(), WORDS).succeeds();
    let lines = runs(folder.path());
    let names = [
        "runs.csv",
        "summary.csv",
        "summary.md",
        "nodes-3x3-random.svg",
        "h-3x3-random.svg",
    ];
    let read = || names.map(|name| fs::read_to_string(out.join(name)).unwrap());
    let made = read();
    let place = |count: usize| lines.match_indices('\n').nth(count - 1).unwrap().0 + 1;
    for (kept, torn) in [(0, 0), (0, 20), (7, 0), (7, 1), (7, 100), (14, 200)] {
        let begin = if kept == 0 { 0 } else { place(kept) };
        fs::write(out.join("runs.jsonl"), &lines[..begin + torn]).unwrap();
        for name in names {
            fs::remove_file(out.join(name)).unwrap();
        }
        let text = compare_to(folder.path(), &format!("{WORDS} --resume")).succeeds();
        let again = runs(folder.path());
        assert_eq!(again[..begin], lines[..begin], "searched again");
        assert_eq!(without_times(&again), without_times(&lines));
        assert_eq!(cells(&text, "  "), cells(&whole, "  "));
        let now = read();
        for place in [0, 1] {
            assert_eq!(rows(&now[place]), rows(&made[place]), "{}", names[place]);
        }
        assert_eq!(cells(&now[2], "|").len(), cells(&made[2], "|").len());
        assert!(now[3..] == made[3..], "other plots");
    }
}

#[test]
fn a_comparison_goes_on_with_more_heuristics_and_boards() {
    let folder = folder();
    compare_to(folder.path(), WORDS).succeeds();
    let lines = runs(folder.path());
    let more = "-n 8 --searches astar,breadth-first,ida-star --heuristics misplaced,manhattan";
    let text = compare_to(folder.path(), &format!("{more} --resume")).succeeds();
    let again = runs(folder.path());
    assert!(lines.lines().all(|line| again.contains(line)));
    assert_eq!(again.lines().count(), 8 * 5);
    // As if it had been one.
    let whole = compare(folder.path(), &format!("{more} -q")).succeeds();
    assert_eq!(cells(&text, "  "), cells(&whole, "  "));
}

#[test]
fn damaged_results_are_named_with_their_line() {
    let folder = folder();
    compare_to(folder.path(), WORDS).succeeds();
    let file = folder.path().join("out/runs.jsonl");
    let lines = runs(folder.path());
    let third = lines.lines().nth(2).unwrap();
    for bad in [
        "",
        "{}",
        &third[..50],
        &third.replace("3x3", "3\u{0}3"),
        "nothing",
    ] {
        let damaged = lines.replacen(third, bad, 1);
        fs::write(&file, &damaged).unwrap();
        let line = compare_to(folder.path(), &format!("{WORDS} --resume")).fails(2);
        assert!(
            line.contains("runs.jsonl, line 3 is damaged") && line.contains("delete that line"),
            "{line}"
        );
        assert_eq!(runs(folder.path()), damaged, "a refused file is changed");
    }
    let mut bytes = lines.clone().into_bytes();
    bytes[2 * lines.find('\n').unwrap() - 40] = 0xff;
    fs::write(&file, bytes).unwrap();
    let line = compare_to(folder.path(), &format!("{WORDS} --resume")).fails(2);
    assert!(line.contains("runs.jsonl, line 2 is damaged"), "{line}");
}

#[test]
fn a_directory_that_cannot_be_written_is_named() {
    let folder = folder();
    let file = folder.path().join("out");
    fs::write(&file, "mine").unwrap();
    let line = compare_to(folder.path(), WORDS).fails(3);
    assert!(line.contains(file.to_str().unwrap()), "{line}");
    let below = file.join("below");
    let line = compare(folder.path(), &format!("{WORDS} --out {}", below.display())).fails(3);
    assert!(line.contains(below.to_str().unwrap()), "{line}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let closed = folder.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
        // The system's user is refused nothing.
        if fs::write(closed.join("probe"), "").is_err() {
            let words = format!("{WORDS} --out {}", closed.display());
            let line = compare(folder.path(), &words).fails(3);
            assert!(line.contains("closed"), "{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_long_search_at_once() {
    let folder = folder();
    let mut command = command(folder.path());
    command.args([
        "compare",
        HARD_6X6,
        "--max-nodes",
        "1T",
        "--searches",
        "ida-star,astar",
    ]);
    let child = start(&mut command);
    std::thread::sleep(Duration::from_millis(300));
    child.signal("-INT");
    let run = finish_within(child, Duration::from_secs(10)).expect("goes on searching");
    assert_eq!(run.code, Some(130), "{}{}", run.out, run.err);
}

#[cfg(unix)]
#[test]
fn what_is_finished_before_an_earlier_search_is_kept_too() {
    let folder = folder();
    let out = folder.path().join("out");
    let mut command = command(folder.path());
    command.args(["compare", HARD_6X6, EASY, GOAL, "--max-nodes", "1T"]);
    command.args(["--searches", "ida-star", "--heuristics", "manhattan"]);
    command.args(["--threads", "2", "--out"]);
    let child = start(command.arg(&out));
    let file = out.join("runs.jsonl");
    while fs::read_to_string(&file).map_or(0, |text| text.lines().count()) < 2 {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.signal("-INT");
    let run = finish_within(child, Duration::from_secs(10)).expect("goes on searching");
    assert_eq!(run.code, Some(130), "{}", run.err);
    assert!(
        run.err.contains("interrupted after 2 of 3 searches"),
        "{}",
        run.err
    );
    assert!(
        run.out.contains("\n2 3x3 given  ida-star  manhattan"),
        "{}",
        run.out
    );
}

#[test]
fn lists_of_tiles_are_heuristics_and_quoted_in_csv() {
    let folder = folder();
    let words = "-n 3 --heuristics 1,2,3,6/4,5,7,8 --heuristics manhattan,5-3 --searches astar";
    compare_to(folder.path(), words).succeeds();
    let read = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    for (name, lines) in [("summary.csv", 4), ("runs.csv", 10)] {
        let csv = read(name);
        assert_eq!(csv.lines().count(), lines, "{csv}");
        assert!(csv.contains(",\"1,2,3,6/4,5,7,8\","), "{csv}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_comparison_keeps_and_shows_what_is_finished() {
    let folder = folder();
    let words = "-n 100 --searches breadth-first --threads 1";
    let whole = compare(folder.path(), &format!("{words} -q")).succeeds();
    let mut command = command(folder.path());
    command.arg("compare").args(words.split_whitespace());
    let out = folder.path().join("out");
    let child = start(command.arg("--quiet").arg("--out").arg(&out));
    let file = out.join("runs.jsonl");
    while fs::metadata(&file).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.signal("-INT");
    let run = finish_within(child, Duration::from_secs(10)).expect("goes on searching");
    let lines = runs(folder.path());
    let done = lines.lines().count();
    let said = format!("solver: interrupted after {done} of 100 searches, of which the table is\n");
    assert_eq!((run.code, run.err), (Some(130), said), "{}", run.out);
    assert!((1..100).contains(&done), "{done}");
    assert!(
        run.out
            .contains(&format!("\n{done} 3x3 random  breadth-first ")),
        "{}",
        run.out
    );
    let csv = fs::read_to_string(out.join("runs.csv")).unwrap();
    assert_eq!(rows(&csv).len(), done);
    assert_eq!(files(&out).len(), 13);

    let text = compare_to(folder.path(), &format!("{words} --resume")).succeeds();
    assert!(runs(folder.path()).starts_with(&lines));
    assert_eq!(cells(&text, "  "), cells(&whole, "  "));
}

/// The names of a line's fields, as they stand there.
fn names(line: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut names = Vec::new();
    for (place, sign) in line.char_indices() {
        match sign {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ':' if depth == 1 && line[..place].ends_with('"') => {
                names.extend(line[..place - 1].rsplit('"').next());
            }
            _ => {}
        }
    }
    names
}

#[test]
fn fields_of_an_object_have_one_order() {
    let folder = folder();
    let words = "--searches ida-star,breadth-first --heuristics manhattan --json";
    let out = folder.path().join("out");
    let words = format!("{words} --max-memory 100k --out {}", out.display());
    let run = compare_boards(folder.path(), &[FARTHEST_3X3[0]], &words);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let place = "set size goal number board search heuristic status";
    let nodes = "h0 generated expanded reopened peak peak_bytes";
    let fields: Vec<String> = run.out.lines().map(|line| names(line).join(" ")).collect();
    assert_eq!(
        fields,
        [
            format!("{place} length optimal_length moves {nodes} branching_factor ms iterations"),
            format!("{place} limit {nodes} ms"),
        ]
    );
    assert_eq!(runs(folder.path()), run.out);
}

/// Without --max-memory it depends on the memory that is free.
#[test]
fn a_comparison_goes_on_with_the_memory_that_it_had() {
    let folder = folder();
    let run = compare_to(folder.path(), &format!("{WORDS} --max-memory 100k"));
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let lines = runs(folder.path());
    let run = compare_to(folder.path(), &format!("{WORDS} --resume"));
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert_eq!(runs(folder.path()), lines);
    let settings = folder.path().join("out/compare.json");
    for text in ["", "{"] {
        fs::write(&settings, text).unwrap();
        let line = compare_to(folder.path(), &format!("{WORDS} --resume")).fails(2);
        assert!(
            line.contains("compare.json is missing or damaged"),
            "{line}"
        );
    }
}

#[test]
fn a_refused_comparison_leaves_no_results_behind() {
    let folder = folder();
    let walk = "--sizes 6x6 --heuristics walking-distance -n 1";
    compare_to(folder.path(), walk).fails(2);
    compare_to(folder.path(), WORDS).succeeds();
}

#[test]
fn a_comparison_goes_on_with_the_same_boards_only() {
    let folder = folder();
    let words = "--searches astar --heuristics manhattan";
    compare_to(folder.path(), &format!("-n 3 {words}")).succeeds();
    let lines = runs(folder.path());
    for (other, names) in [
        ("--seed 2", "board 1 of 3x3 random is "),
        (
            "--goal blank-first",
            "the goal of 3x3 random is 1 2 3/4 5 6/7 8 0, and here it is 0 1 2",
        ),
    ] {
        let line = compare_to(folder.path(), &format!("-n 3 {words} {other} --resume")).fails(2);
        assert!(
            line.contains(names) && line.contains("give the same boards, --seed"),
            "{line}"
        );
        assert_eq!(runs(folder.path()), lines);
    }
    // Fewer boards and other sets have nothing against them.
    let text = compare_to(folder.path(), &format!("-n 2 {words} --resume")).succeeds();
    assert!(text.contains("\n3 3x3 random "), "{text}");
    let text = compare_to(folder.path(), &format!("-n 2 {words} --size 2x2 --resume")).succeeds();
    assert!(
        text.contains("\n2 2x2 random ") && text.contains("\n3 3x3 random "),
        "{text}"
    );
}

#[test]
fn sets_and_searches_that_are_named_twice_are_there_once() {
    let folder = folder();
    let words = "-q -n 2 --sizes 2x2,3x2 --moves 5,6 --searches astar --heuristics manhattan";
    let once = compare(folder.path(), words).succeeds();
    let twice = words
        .replace("2x2", "2x2,2x2")
        .replace("5,6", "5,6,5")
        .replace("astar", "astar,astar");
    let twice = compare(folder.path(), &twice).succeeds();
    assert_eq!(cells(&twice, "  "), cells(&once, "  "));
}

#[test]
fn a_solved_board_has_one_iteration_to_predict() {
    let folder = folder();
    let words = "--predict 100 --searches ida-star --heuristics manhattan --quiet";
    let text = compare_boards(folder.path(), &[GOAL], words).succeeds();
    assert!(
        text.contains("\n1 3x3 given  manhattan      0       1.0        "),
        "{text}"
    );
}

/// A limit on the size of files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_searches_and_what_is_written_is_gone_on_with() {
    let folder = folder();
    let out = folder.path().join("out");
    let words = "-n 100 --searches breadth-first --threads 1";
    let solver = command(folder.path());
    let mut shell = std::process::Command::new("sh");
    crate::run::clean(&mut shell);
    shell.args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\""]);
    shell.arg(solver.get_program()).args(solver.get_args());
    shell.arg("compare").args(words.split(' '));
    let run = finish(start(shell.arg("--json").arg("--out").arg(&out)));
    assert_eq!(
        (run.code, run.err.lines().count()),
        (Some(3), 1),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("runs.jsonl: File too large"),
        "{}",
        run.err
    );
    assert!(run.out.lines().count() < 20, "goes on searching");
    let lines = runs(folder.path());
    let last = lines.rfind('\n').unwrap();
    let text = compare_to(folder.path(), &format!("{words} --resume")).succeeds();
    assert!(text.contains("\n100 3x3 random "), "{text}");
    assert!(runs(folder.path()).starts_with(&lines[..last]));
}
