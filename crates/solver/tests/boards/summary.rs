//! Summaries of reports: values compared with results computed by hand.

use std::time::Duration;

use solver::{Report, Status, Summary};

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

#[test]
fn only_solved_boards_have_statistics() {
    let none = Summary::default();
    assert_eq!(
        (none.boards(), none.length(), none.boards_per_second()),
        (0, None, None)
    );
    let none = none.with_wall_time(Duration::ZERO);
    assert_eq!(none.boards_per_second(), None);
    let mut stopped = Summary::default();
    stopped.add(&ended(Status::Limit, Some(20.0)));
    assert_eq!(
        (stopped.nodes(), stopped.ms(), stopped.search_ms()),
        (None, None, 20.0)
    );
}

/// Solutions that are not proved optimal are counted.
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
}
