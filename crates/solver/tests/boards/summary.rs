//! Summaries of reports: values compared with results computed by hand, and exact layouts.

use std::time::Duration;

use solver::{Report, Status, Summary, SummaryFormat};

fn solved(length: u32, nodes: u64, ms: f64) -> Report {
    let mut report = Report::error("");
    (report.status, report.message) = (Status::Solved, None);
    (report.length, report.ms) = (Some(length), Some(ms));
    (report.nodes, report.expanded) = (Some(nodes), Some(nodes / 2));
    report
}

fn ended(status: Status, ms: Option<f64>) -> Report {
    let mut report = Report::error("why");
    (report.status, report.ms) = (status, ms);
    report.nodes = ms.map(|_| 1_000_000_000);
    report
}

/// For the numbers 1 to n, the median is n / 2 rounded up, and the 99th percentile is 0.99 n
/// rounded up. The order in which boards are added does not matter.
#[test]
fn spreads_are_those_of_the_nearest_rank() {
    for n in 1..=300_u32 {
        let mut summary = Summary::default();
        for step in 0..n {
            let length = 1 + (step * 7919 + 13) % n;
            // 7919 is a prime above all n, so all lengths occur.
            summary.add(&solved(
                length,
                u64::from(length) * 10,
                f64::from(length) / 4.0,
            ));
        }
        let spread = summary.length().unwrap();
        assert_eq!(spread.boards, n as usize);
        assert_eq!(spread.total, f64::from(n * (n + 1) / 2));
        assert_eq!(spread.mean, f64::from(n + 1) / 2.0);
        assert_eq!(spread.median, f64::from(n.div_ceil(2)));
        assert_eq!(spread.p99, f64::from((99 * n).div_ceil(100)));
        assert_eq!(spread.worst, f64::from(n));
        assert_eq!(summary.nodes().unwrap().p99, 10.0 * spread.p99);
        assert_eq!(summary.expanded().unwrap().worst, 5.0 * spread.worst);
        assert_eq!(summary.ms().unwrap().median, spread.median / 4.0);
        assert_eq!(summary.search_ms(), spread.total / 4.0);
    }
}

fn example() -> Summary {
    let mut summary = Summary::default();
    for report in [
        solved(52, 1_234_567, 30.25),
        ended(Status::Unsolvable, None),
        solved(53, 34, 0.004),
        solved(0, 0, 0.5),
        ended(Status::Limit, Some(1000.0)),
        ended(Status::Error, None),
        ended(Status::Error, None),
    ] {
        summary.add(&report);
    }
    summary.with_wall_time(Duration::from_millis(800))
}

#[test]
fn layouts_are_pinned() {
    let summary = example();
    assert_eq!(summary.boards(), 7);
    assert_eq!(summary.count(Status::Error), 2);
    assert_eq!(summary.write(SummaryFormat::Text), TEXT);
    assert_eq!(summary.to_string(), TEXT.trim_end());
    assert_eq!(summary.write(SummaryFormat::Csv), CSV);
    assert_eq!(summary.write(SummaryFormat::Markdown), MARKDOWN);
}

const TEXT: &str = "\
7 boards: 3 solved, 1 unsolvable, 1 over a limit, 2 with errors
               mean  median       99 %      worst
length        35.00      52         53         53
nodes     411,533.7      34  1,234,567  1,234,567
expanded  205,766.7      17    617,283    617,283
ms           10.251   0.500     30.250     30.250
search time 1.031 s, wall time 0.800 s, 8.8 boards/s
";

const CSV: &str = "\
name,boards,mean,median,p99,worst,total
boards,7,,,,,
solved,3,,,,,
unsolvable,1,,,,,
limit,1,,,,,
error,2,,,,,
length,3,35,52,53,53,105
nodes,3,411533.667,34,1234567,1234567,1234601
expanded,3,205766.667,17,617283,617283,617300
ms,3,10.251,0.5,30.25,30.25,30.754
search_ms,7,,,,,1030.754
wall_ms,7,,,,,800
boards_per_second,7,8.75,,,,
";

const MARKDOWN: &str = "\
7 boards: 3 solved, 1 unsolvable, 1 over a limit, 2 with errors.

| | mean | median | 99 % | worst |
| --- | ---: | ---: | ---: | ---: |
| length | 35.00 | 52 | 53 | 53 |
| nodes | 411,533.7 | 34 | 1,234,567 | 1,234,567 |
| expanded | 205,766.7 | 17 | 617,283 | 617,283 |
| ms | 10.251 | 0.500 | 30.250 | 30.250 |

Search time 1.031 s, wall time 0.800 s, 8.8 boards/s.
";

#[test]
fn an_empty_summary_is_written() {
    let none = Summary::default();
    assert_eq!(
        (none.boards(), none.length(), none.boards_per_second()),
        (0, None, None)
    );
    let text = "0 boards: 0 solved, 0 unsolvable, 0 over a limit, 0 with errors\n\
                search time 0.000 s\n";
    assert_eq!(none.write(SummaryFormat::Text), text);
    let markdown = "0 boards: 0 solved, 0 unsolvable, 0 over a limit, 0 with errors.\n\n\
                    Search time 0.000 s.\n";
    assert_eq!(none.write(SummaryFormat::Markdown), markdown);
    assert_eq!(none.write(SummaryFormat::Csv).lines().count(), 7);
    assert_eq!(
        none.with_wall_time(Duration::ZERO).boards_per_second(),
        None
    );
    // A search stopped by a limit is not in the statistics of solved boards.
    let mut stopped = Summary::default();
    stopped.add(&ended(Status::Limit, Some(20.0)));
    assert_eq!(
        (stopped.nodes(), stopped.ms(), stopped.search_ms()),
        (None, None, 20.0)
    );
    assert!(stopped.to_string().starts_with("1 board: 0 solved"));
}

/// Solutions that are not proved optimal are counted and shown with the proved bound.
#[test]
fn unproved_lengths_are_marked() {
    let mut summary = Summary::default();
    for (length, bound) in [(40, 40), (52, 48), (60, 50)] {
        let mut report = solved(length, 10, 1.0);
        (report.bound, report.proved) = (Some(bound), Some(length == bound));
        summary.add(&report);
        // Intermediate results are not counted.
        report.status = Status::Improved;
        summary.add(&report);
    }
    assert_eq!((summary.boards(), summary.unproved()), (3, 2));
    assert_eq!(summary.count(Status::Improved), 0);
    assert_eq!(summary.bound().map(|bound| bound.mean), Some(46.0));
    let text = summary.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "3 boards: 3 solved (2 not proved optimal), 0 unsolvable, 0 over a limit, 0 with errors"
    );
    assert_eq!(lines[2], "length    50.67      52     60     60");
    assert_eq!(lines[3], "bound     46.00      48     50     50");
    let csv = summary.write(SummaryFormat::Csv);
    assert!(
        csv.contains("\nerror,0,,,,,\nunproved,2,,,,,\nlength,3,"),
        "{csv}"
    );
    assert!(csv.contains("\nbound,3,46,48,50,50,138\n"), "{csv}");
}

#[test]
fn formats_have_names() {
    for format in SummaryFormat::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error = "html".parse::<SummaryFormat>().unwrap_err().to_string();
    assert_eq!(
        error,
        "summary format `html` is not known: text, csv or markdown"
    );
}
