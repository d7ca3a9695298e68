//! The results directory: its contents, resuming, and Ctrl-C.

use super::*;

const WORDS: &str = "-n 5 --searches astar,breadth-first,ida-star --heuristics manhattan";

#[test]
fn a_directory_gets_all_results_and_plots() {
    let folder = folder();
    let out = folder.path().join("out");
    let text = compare_to(folder.path(), &format!("{WORDS} --columns all")).succeeds();
    let charts = ["nodes", "spread", "time", "h", "solved"];
    let pictures = charts.map(|name| format!("{name}-3x3-random.svg"));
    let texts = [
        "runs.jsonl",
        "runs.csv",
        "summary.csv",
        "summary.md",
        "compare.json",
    ];
    let mut expected: Vec<String> = texts.map(str::to_owned).to_vec();
    expected.extend(pictures);
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
    for (line, row) in text.lines().skip(1).zip(rows(&summary)) {
        let kept: f64 = line
            .rsplit(' ')
            .next()
            .unwrap()
            .replace(',', "")
            .parse()
            .unwrap();
        let bytes: f64 = row["peak_bytes_mean"].parse().unwrap();
        assert!((kept - bytes / 1e3).abs() <= 0.5, "{line}: {bytes} bytes");
    }
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
    }
}

/// Plots are written for every outcome, even without data.
#[test]
fn plots_accept_solved_boards_and_unsolved_searches() {
    for words in ["--moves 0 -n 2", "-n 2 --max-nodes 1"] {
        let folder = folder();
        let run = compare_to(folder.path(), words);
        assert!(
            matches!(run.code, Some(0 | 1)) && run.err.is_empty(),
            "{}",
            run.err
        );
        assert_eq!(files(&folder.path().join("out")).len(), 10);
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
        line.contains("add --resume to continue them, or name another directory"),
        "{line}"
    );
    for (words, names) in [
        (
            "--max-nodes 2000",
            "with --max-nodes 10000000, and this comparison runs them with --max-nodes 2000",
        ),
        (
            "--max-time 1s",
            "with --max-nodes 10000000, and this comparison runs them without --max-nodes",
        ),
        (
            "--max-time 1s --max-nodes 10M",
            "without --max-time, and this comparison runs them with --max-time 1.0",
        ),
        (
            "--max-memory 1M",
            "and this comparison runs them with --max-memory 1000000",
        ),
        (
            "--order DRLU",
            "with --order ULRD, and this comparison runs them with --order DRLU",
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

    // Nothing is searched again, even with another number of threads.
    let text = compare_to(folder.path(), &format!("{WORDS} --resume --threads 1")).succeeds();
    assert_eq!(cells(&text, "  ").len(), 4);
    assert_eq!(sums(&out), before);
}

#[test]
fn a_comparison_resumes_where_it_stopped() {
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
    let count = if crate::IS_LONG { 6 } else { 4 };
    let cuts = [(0, 20), (7, 0), (7, 1), (14, 200), (0, 0), (7, 100)];
    for (kept, torn) in cuts.into_iter().take(count) {
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
fn a_comparison_resumes_with_more_heuristics_and_boards() {
    let folder = folder();
    compare_to(folder.path(), WORDS).succeeds();
    let lines = runs(folder.path());
    let more = "-n 8 --searches astar,breadth-first,ida-star --heuristics misplaced,manhattan";
    let text = compare_to(folder.path(), &format!("{more} --resume")).succeeds();
    let again = runs(folder.path());
    assert!(lines.lines().all(|line| again.contains(line)));
    assert_eq!(again.lines().count(), 8 * 5);
    // The table is the same as after a single run.
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
        // The superuser can write everywhere.
        if fs::write(closed.join("probe"), "").is_err() {
            let words = format!("{WORDS} --out {}", closed.display());
            let line = compare(folder.path(), &words).fails(3);
            assert!(line.contains("closed"), "{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_long_search_immediately() {
    let folder = folder();
    let words = ["compare", HARD_6X6, "--max-nodes", "1T"];
    let mut command = command(folder.path());
    command.args(words).args(["--searches", "ida-star,astar"]);
    let run = interrupted(|| start(&mut command), |run| run.code.is_some());
    assert_eq!(run.code, Some(130), "{}{}", run.out, run.err);
}

#[cfg(unix)]
#[test]
fn searches_that_finish_before_earlier_ones_are_kept() {
    let folder = folder();
    let out = folder.path().join("out");
    let mut command = command(folder.path());
    command.args(["compare", HARD_6X6, EASY, GOAL, "--max-nodes", "1T"]);
    command.args(["--searches", "ida-star", "--heuristics", "manhattan"]);
    command.args(["--threads", "2", "--out"]);
    let child = start(command.arg(&out));
    let file = out.join("runs.jsonl");
    let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    assert!(happens(|| lines() == 2));
    child.signal("-INT");
    let run = finish(child);
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
fn an_interrupted_comparison_keeps_and_shows_results() {
    let folder = folder();
    let words = "-n 60 --searches breadth-first --threads 1";
    let whole = compare(folder.path(), &format!("{words} -q")).succeeds();
    let mut command = command(folder.path());
    command.arg("compare").args(words.split_whitespace());
    let out = folder.path().join("out");
    let child = start(command.arg("--quiet").arg("--out").arg(&out));
    let file = out.join("runs.jsonl");
    assert!(happens(
        || fs::metadata(&file).is_ok_and(|file| file.len() > 0)
    ));
    child.signal("-INT");
    let run = finish(child);
    let lines = runs(folder.path());
    let done = lines.lines().count();
    let said =
        format!("solver: interrupted after {done} of 60 searches; the table covers only these\n");
    assert_eq!((run.code, run.err), (Some(130), said), "{}", run.out);
    assert!((1..60).contains(&done), "{done}");
    assert!(
        run.out
            .contains(&format!("\n{done} 3x3 random  breadth-first ")),
        "{}",
        run.out
    );
    let csv = fs::read_to_string(out.join("runs.csv")).unwrap();
    assert_eq!(rows(&csv).len(), done);
    assert_eq!(files(&out).len(), 10);

    let text = compare_to(folder.path(), &format!("{words} --resume")).succeeds();
    assert!(runs(folder.path()).starts_with(&lines));
    assert_eq!(cells(&text, "  "), cells(&whole, "  "));
}

/// The names of a line's fields, in order.
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

/// Without --max-memory the limit depends on the free memory.
#[test]
fn a_resumed_comparison_keeps_its_memory_limit() {
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
            line.contains("compare.json are missing or damaged"),
            "{line}"
        );
    }
}

#[test]
fn a_rejected_comparison_leaves_no_results() {
    let folder = folder();
    let walk = "--sizes 6x6 --heuristics walking-distance -n 1";
    compare_to(folder.path(), walk).fails(2);
    compare_to(folder.path(), WORDS).succeeds();
}

#[test]
fn a_comparison_resumes_only_with_the_same_boards() {
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
    // A comparison can be resumed with fewer boards per set or with another set.
    let text = compare_to(folder.path(), &format!("-n 2 {words} --resume")).succeeds();
    assert!(text.contains("\n3 3x3 random "), "{text}");
    let text = compare_to(folder.path(), &format!("-n 2 {words} --size 2x2 --resume")).succeeds();
    assert!(
        text.contains("\n2 2x2 random ") && text.contains("\n3 3x3 random "),
        "{text}"
    );
}

#[test]
fn duplicate_sets_and_searches_run_once() {
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

/// A file size limit simulates a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_comparison_resumes_after_a_full_disk() {
    let folder = folder();
    let out = folder.path().join("out");
    let words = "-n 40 --searches breadth-first --threads 1";
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
    assert!(text.contains("\n40 3x3 random "), "{text}");
    assert!(runs(folder.path()).starts_with(&lines[..last]));
}
