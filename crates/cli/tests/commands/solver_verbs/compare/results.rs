//! The results directory: its contents, and Ctrl-C.

use super::*;

const WORDS: &str = "-n 5 --searches astar,breadth-first,ida-star --heuristics manhattan";

#[test]
fn a_directory_gets_all_results_and_plots() {
    let folder = folder();
    let out = folder.path().join("out");
    let text = compare_to(folder.path(), &format!("{WORDS} --columns all")).succeeds();
    let charts = ["nodes", "spread", "time", "h", "solved"];
    let pictures = charts.map(|name| format!("{name}-3x3-random.svg"));
    let texts = ["runs.jsonl", "runs.csv", "summary.csv", "summary.md"];
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
        assert_eq!(files(&folder.path().join("out")).len(), 9);
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
        line.contains("has results: name another directory"),
        "{line}"
    );
    assert_eq!(sums(&out), before);
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

/// The first search does not end; the others, on another thread, do.
#[cfg(unix)]
#[test]
fn an_interrupted_comparison_keeps_and_shows_results() {
    let folder = folder();
    let out = folder.path().join("out");
    let start = || {
        // Of a run that was interrupted too early.
        let _ = fs::remove_dir_all(&out);
        let mut command = command(folder.path());
        command.args(["compare", HARD_6X6, EASY, GOAL, "--max-nodes", "1T"]);
        command.args(["--searches", "ida-star", "--heuristics", "manhattan"]);
        start(
            command
                .args(["--threads", "2", "--quiet", "--out"])
                .arg(&out),
        )
    };
    let said = "solver: interrupted after 2 of 3 searches; the table covers only these\n";
    let run = interrupted(start, |run| run.err == said);
    assert_eq!(
        (run.code, run.err.as_str()),
        (Some(130), said),
        "{}",
        run.out
    );
    let line = "\n2 3x3 given  ida-star  manhattan";
    assert!(run.out.contains(line), "{}", run.out);
    assert_eq!(runs(folder.path()).lines().count(), 2);
    assert_eq!(
        rows(&fs::read_to_string(out.join("runs.csv")).unwrap()).len(),
        2
    );
    assert_eq!(files(&out).len(), 9);
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

#[test]
fn a_rejected_comparison_leaves_no_results() {
    let folder = folder();
    let walk = "--sizes 6x6 --heuristics walking-distance -n 1";
    compare_to(folder.path(), walk).fails(2);
    compare_to(folder.path(), WORDS).succeeds();
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
