//! The summary of a list: numbers of boards, and spreads of lengths, nodes and times.

use command::table::{TableFormat, TextTable, grouped, plain};
use command::words::counted;
use solver::{Spread, Status, Summary};

/// All final statuses, with their names in CSV and in text.
const STATUSES: [(Status, &str, &str); 4] = [
    (Status::Solved, "solved", "solved"),
    (Status::Unsolvable, "unsolvable", "unsolvable"),
    (Status::Limit, "limit", "over a limit"),
    (Status::Error, "error", "with errors"),
];

/// The summary in a format; every line ends with a line break.
///
/// CSV has the columns `name,boards,mean,median,p99,worst,total`, and numbers of at most three
/// decimals. Its rows are, in this order:
///
/// - numbers of boards: `boards` for all boards, one row per status, and `unproved` for solved
///   boards that are not proved optimal, if there are any;
/// - values of solved boards: `length`, `bound` (only with a row `unproved`), `nodes`, `expanded`
///   and `ms`;
/// - `search_ms`, in the column `total`;
/// - if the wall time is known, `wall_ms`, in the column `total`, and `boards_per_second`, in the
///   column `mean`.
pub(crate) fn write(summary: &Summary, format: TableFormat) -> String {
    let (head, times, table) = (statuses(summary), times(summary), table(summary));
    let table = match table.rows.is_empty() {
        true => String::new(),
        false => table.write(format),
    };
    match format {
        TableFormat::Csv => csv(summary).write(format),
        TableFormat::Text => format!("{head}\n{table}{times}\n"),
        TableFormat::Markdown => {
            let gap = if table.is_empty() { "" } else { "\n" };
            let times = times.replacen('s', "S", 1);
            format!("{head}.\n\n{table}{gap}{times}.\n")
        }
    }
}

/// The name of each known spread, the spread, and the numbers of decimals for printing its mean and
/// its other values.
fn spreads(summary: &Summary) -> impl Iterator<Item = (&'static str, Spread, [usize; 2])> {
    // If every solution is proved optimal, the bounds equal the lengths and are omitted.
    let bound = summary.bound().filter(|_| summary.unproved() > 0);
    let all = [
        ("length", summary.length(), [2, 0]),
        ("bound", bound, [2, 0]),
        ("nodes", summary.nodes(), [1, 0]),
        ("expanded", summary.expanded(), [1, 0]),
        ("ms", summary.ms(), [3, 3]),
    ];
    let known = all.into_iter();
    known.filter_map(|(name, spread, digits)| Some((name, spread?, digits)))
}

fn table(summary: &Summary) -> TextTable {
    let row = |(name, spread, [of_mean, of_others]): (&str, Spread, [usize; 2])| {
        let others = [spread.median, spread.p99, spread.worst];
        let others = others.map(|number| grouped(number, of_others));
        let mean = [name.to_owned(), grouped(spread.mean, of_mean)];
        mean.into_iter().chain(others).collect()
    };
    let rows = spreads(summary).map(row).collect();
    TextTable::new(",mean,median,99 %,worst", 1, rows)
}

/// For example `3 boards: 2 solved, 1 unsolvable, 0 over a limit, 0 with errors`. If solutions are
/// not proved optimal, their number follows `2 solved`: ` (1 not proved optimal)`.
fn statuses(summary: &Summary) -> String {
    let unproved = match summary.unproved() {
        0 => String::new(),
        count => format!(" ({count} not proved optimal)"),
    };
    let counts = STATUSES.map(|(status, _, words)| {
        let is_solved = status == Status::Solved;
        let unproved = if is_solved { &*unproved } else { "" };
        format!("{} {words}{unproved}", summary.count(status))
    });
    let boards = counted(summary.boards() as u64, "board");
    format!("{boards}: {}", counts.join(", "))
}

/// `search time 1.234 s, wall time 0.617 s, 4.9 boards/s`.
fn times(summary: &Summary) -> String {
    let mut times = format!("search time {:.3} s", summary.search_ms() / 1e3);
    if let Some(wall) = summary.wall_time() {
        times += &format!(", wall time {:.3} s", wall.as_secs_f64());
    }
    if let Some(rate) = summary.boards_per_second() {
        times += &format!(", {rate:.1} boards/s");
    }
    times
}

fn csv(summary: &Summary) -> TextTable {
    let boards = summary.boards();
    let mut rows = Vec::new();
    // The numbers are those of the columns from `mean` on.
    let mut add = |name: &str, boards: usize, numbers: [Option<f64>; 5]| {
        let words = [name.to_owned(), boards.to_string()];
        let numbers = numbers.map(|number| number.map_or(String::new(), |own| plain(own, 3)));
        rows.push(words.into_iter().chain(numbers).collect());
    };
    let total = |number| [None, None, None, None, Some(number)];
    add("boards", boards, [None; 5]);
    for (status, name, _) in STATUSES {
        add(name, summary.count(status), [None; 5]);
    }
    if summary.unproved() > 0 {
        add("unproved", summary.unproved(), [None; 5]);
    }
    for (name, own, _) in spreads(summary) {
        let numbers = [own.mean, own.median, own.p99, own.worst, own.total];
        add(name, own.boards, numbers.map(Some));
    }
    add("search_ms", boards, total(summary.search_ms()));
    if let Some(wall) = summary.wall_time() {
        add("wall_ms", boards, total(wall.as_secs_f64() * 1e3));
    }
    if let Some(rate) = summary.boards_per_second() {
        let mean = [Some(rate), None, None, None, None];
        add("boards_per_second", boards, mean);
    }
    TextTable::new("name,boards,mean,median,p99,worst,total", 1, rows)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use solver::Report;

    use super::*;

    fn report(fields: Value) -> Report {
        serde_json::from_value(fields).unwrap()
    }

    fn example() -> Summary {
        let mut summary = Summary::default();
        let solved = |length: u32, nodes: u64, ms: f64| {
            let expanded = nodes / 2;
            json!({ "status": "solved", "length": length, "nodes": nodes, "expanded": expanded,
                "ms": ms })
        };
        for fields in [
            solved(52, 1_234_567, 30.25),
            json!({ "status": "unsolvable" }),
            solved(53, 34, 0.004),
            solved(0, 0, 0.5),
            json!({ "status": "limit", "nodes": 1_000_000_000, "ms": 1000.0 }),
            json!({ "status": "error" }),
            json!({ "status": "error" }),
        ] {
            summary.add(&report(fields));
        }
        summary.with_wall_time(Duration::from_millis(800))
    }

    #[test]
    fn layouts_are_pinned() {
        let summary = example();
        assert_eq!(write(&summary, TableFormat::Text), TEXT);
        assert_eq!(write(&summary, TableFormat::Csv), CSV);
        assert_eq!(write(&summary, TableFormat::Markdown), MARKDOWN);
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
        let text = "0 boards: 0 solved, 0 unsolvable, 0 over a limit, 0 with errors\n\
                    search time 0.000 s\n";
        assert_eq!(write(&none, TableFormat::Text), text);
        let markdown = "0 boards: 0 solved, 0 unsolvable, 0 over a limit, 0 with errors.\n\n\
                        Search time 0.000 s.\n";
        assert_eq!(write(&none, TableFormat::Markdown), markdown);
        assert_eq!(write(&none, TableFormat::Csv).lines().count(), 7);
    }

    /// Solutions that are not proved optimal are counted, and have a row of proved bounds.
    #[test]
    fn unproved_lengths_are_marked() {
        let mut summary = Summary::default();
        for (length, bound) in [(40, 40), (52, 48), (60, 50)] {
            let proved = length == bound;
            summary.add(&report(json!({
                "status": "solved", "length": length, "bound": bound, "proved": proved,
                "nodes": 10, "expanded": 5, "ms": 1.0
            })));
        }
        let text = write(&summary, TableFormat::Text);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("3 boards: 3 solved (2 not proved optimal), 0 unsolvable"));
        assert_eq!(lines[2], "length    50.67      52     60     60");
        assert_eq!(lines[3], "bound     46.00      48     50     50");
        let csv = write(&summary, TableFormat::Csv);
        assert!(
            csv.contains("\nerror,0,,,,,\nunproved,2,,,,,\nlength,3,"),
            "{csv}"
        );
        assert!(csv.contains("\nbound,3,46,48,50,50,138\n"), "{csv}");
    }
}
