//! `solver --summary` prints statistics of all boards at the end.

use crate::solver_verbs::run::{batch, folder, lengths};

const LIST: &str = "8 6 7/2 5 4/3 0 1\n1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/8 7 0\n";

#[test]
fn summaries_follow_or_replace_the_answers() {
    let folder = folder();
    let run = batch(folder.path(), "--summary text", LIST);
    assert_eq!(run.code, Some(1));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[1], "1 L");
    assert!(lines[2].contains("swapping tiles"));
    let head = "3 boards: 2 solved, 1 unsolvable, 0 over a limit, 0 with errors";
    assert_eq!(lines[3], head);
    let row: Vec<&str> = lines[5].split_whitespace().collect();
    assert_eq!(row, ["length", "16.00", "1", "31", "31"]);

    let quiet = batch(folder.path(), "--summary text --quiet", LIST);
    assert_eq!(quiet.out.lines().next(), Some(head));

    let markdown = batch(folder.path(), "--summary markdown --quiet", LIST).out;
    assert!(
        markdown.contains("| length | 16.00 | 1 | 31 | 31 |"),
        "{markdown}"
    );
    let csv = batch(folder.path(), "--summary csv --quiet", LIST).out;
    assert!(csv.contains("\nlength,2,16,1,31,31,32\n"), "{csv}");
}

/// Standard output contains only objects, and the summary agrees with them.
#[test]
fn with_json_the_summary_is_on_standard_error() {
    let folder = folder();
    let run = batch(folder.path(), "--json --summary csv --threads 1", LIST);
    let objects = run.objects(1);
    assert_eq!(lengths(&[objects[0].clone(), objects[1].clone()]), [31, 1]);
    let nodes = objects.iter().filter_map(|object| object["nodes"].as_u64());
    let total: u64 = nodes.sum();
    let row = run
        .err
        .lines()
        .find(|line| line.starts_with("nodes,"))
        .unwrap();
    assert!(row.ends_with(&format!(",{total}")), "{row}");
}

#[test]
fn errors_are_still_shown() {
    let folder = folder();
    let run = batch(
        folder.path(),
        "--summary text --quiet",
        "1 2 3/4 5 6/7 8 8\n",
    );
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("line 1: "), "{}", run.err);
    assert!(run.out.starts_with("1 board"), "{}", run.out);
}
