//! Statistics of many reports.

use std::fmt;
use std::time::Duration;

use puzzle::name_variants;

use super::report::{Report, Status};
use crate::calls::setters;

/// Statistics of many boards. A summary collects reports in any order and is written as text or as
/// a table.
///
/// Boards are counted by status. Lengths, nodes and times cover solved boards only, because the
/// cost of a stopped search depends mainly on its limit.
///
/// ```
/// use std::time::Duration;
/// use puzzle::{Board, Goal, HeuristicSpec};
/// use solver::{SolveOptions, Solver, Status, Summary, SummaryFormat};
///
/// let boards = ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/8 7 0"];
/// let boards = boards.map(|board| Board::parse(board, None).unwrap());
/// let goal = Goal::blank_last(boards[0].tray());
/// let spec = HeuristicSpec::parse("8", &goal)?;
/// let solver = Solver::build(goal, spec)?;
/// let mut summary = Summary::default();
/// solver.solve_list(boards, &SolveOptions::default(), |_, report| summary.add(&report));
/// let summary = summary.with_wall_time(Duration::from_millis(5));
/// assert_eq!((summary.boards(), summary.count(Status::Solved)), (3, 2));
/// let lengths = summary.length().unwrap();
/// assert_eq!((lengths.mean, lengths.median, lengths.worst), (16.0, 1.0, 31.0));
/// println!("{}", summary.write(SummaryFormat::Markdown));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Summary {
    statuses: [usize; STATUSES.len()],
    unproved: usize,
    /// The lengths, bounds, generated nodes, expanded nodes and milliseconds of solved boards.
    series: [Vec<f64>; 5],
    /// Milliseconds of all boards.
    search_ms: f64,
    wall: Option<Duration>,
}

/// Distribution of a quantity over the boards: lengths, nodes or times.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Spread {
    /// Number of boards.
    pub boards: usize,
    /// The sum.
    pub total: f64,
    /// The sum divided by the number of boards.
    pub mean: f64,
    /// The median by nearest rank: of n sorted values, the one at position n / 2, rounded up.
    pub median: f64,
    /// The 99th percentile by nearest rank; for fewer than 100 boards, the largest value.
    pub p99: f64,
    /// The largest value.
    pub worst: f64,
}

/// Format of a [`Summary`]. The same reports always produce the same text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum SummaryFormat {
    /// Lines and aligned columns.
    #[default]
    Text,
    /// A table with the comma-separated columns `name,boards,mean,median,p99,worst,total`. Numbers
    /// have at most three decimals. The rows are, in this order:
    ///
    /// - numbers of boards: `boards` for all boards, one row per status, and `unproved` for solved
    ///   boards that are not proved optimal, if there are any;
    /// - values of solved boards: `length`, `bound` (only with a row `unproved`), `nodes`,
    ///   `expanded` and `ms`;
    /// - `search_ms`, in the column `total`;
    /// - if the wall time is known, `wall_ms`, in the column `total`, and `boards_per_second`, in
    ///   the column `mean`.
    Csv,
    /// A Markdown table and two sentences.
    Markdown,
}

name_variants! {
    "summary format", SummaryFormat { Text: "text", Csv: "csv", Markdown: "markdown" }
}

/// All final statuses, with their names in CSV and in text.
const STATUSES: [(Status, &str, &str); 4] = [
    (Status::Solved, "solved", "solved"),
    (Status::Unsolvable, "unsolvable", "unsolvable"),
    (Status::Limit, "limit", "over a limit"),
    (Status::Error, "error", "with errors"),
];

/// Index of a status in [`STATUSES`].
fn place(status: Status) -> Option<usize> {
    STATUSES.iter().position(|&(ended, ..)| ended == status)
}

impl Summary {
    /// Adds a report. Ignores reports with the status [`Status::Improved`], because their searches
    /// continue.
    pub fn add(&mut self, report: &Report) {
        let Some(place) = place(report.status) else {
            return;
        };
        self.statuses[place] += 1;
        self.search_ms += report.ms.unwrap_or(0.0);
        if report.status == Status::Solved {
            self.unproved += usize::from(report.proved == Some(false));
            let [length, bound] = [report.length, report.bound].map(|n| n.map(f64::from));
            let [nodes, expanded] = [report.nodes, report.expanded].map(|n| n.map(|n| n as f64));
            let values = [length, bound, nodes, expanded, report.ms];
            for (series, value) in self.series.iter_mut().zip(values) {
                series.extend(value);
            }
        }
    }

    setters! {
        /// Sets the wall time from the start of the first board to the end of the last board.
        with_wall_time(wall: Duration) => wall = Some(wall);
    }

    /// The number of boards.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.statuses.iter().sum()
    }

    /// The number of boards with a status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        place(status).map_or(0, |place| self.statuses[place])
    }

    /// The number of solved boards whose solution is not proved optimal.
    #[must_use]
    pub fn unproved(&self) -> usize {
        self.unproved
    }

    /// The proved lower bounds of solved boards; `None` if no board is solved.
    #[must_use]
    pub fn bound(&self) -> Option<Spread> {
        Spread::of(&self.series[1])
    }

    /// The lengths of solved boards; `None` if no board is solved.
    #[must_use]
    pub fn length(&self) -> Option<Spread> {
        Spread::of(&self.series[0])
    }

    /// The generated nodes of solved boards, see
    /// [`SearchStats::generated`](crate::SearchStats::generated).
    #[must_use]
    pub fn nodes(&self) -> Option<Spread> {
        Spread::of(&self.series[2])
    }

    /// The expanded nodes of solved boards.
    #[must_use]
    pub fn expanded(&self) -> Option<Spread> {
        Spread::of(&self.series[3])
    }

    /// The milliseconds per solved board.
    #[must_use]
    pub fn ms(&self) -> Option<Spread> {
        Spread::of(&self.series[4])
    }

    /// The milliseconds of all boards together, solved or not. Exceeds the wall time if boards are
    /// solved in parallel.
    #[must_use]
    pub fn search_ms(&self) -> f64 {
        self.search_ms
    }

    /// Number of boards, solved or not, per second of wall time; `None` if the wall time is unknown
    /// or 0.
    #[must_use]
    pub fn boards_per_second(&self) -> Option<f64> {
        let seconds = self.wall?.as_secs_f64();
        (seconds > 0.0).then(|| self.boards() as f64 / seconds)
    }

    /// The summary in a format; every line ends with a line break.
    #[must_use]
    pub fn write(&self, format: SummaryFormat) -> String {
        match format {
            SummaryFormat::Text => self.text(),
            SummaryFormat::Csv => self.csv(),
            SummaryFormat::Markdown => self.markdown(),
        }
    }

    /// The name of each known spread, the spread, and the numbers of decimals for printing its mean
    /// and its other values.
    fn spreads(&self) -> impl Iterator<Item = (&'static str, Spread, [usize; 2])> {
        let names = ["length", "bound", "nodes", "expanded", "ms"];
        let digits = [[2, 0], [2, 0], [1, 0], [1, 0], [3, 3]];
        let known = names.into_iter().zip(&self.series).zip(digits);
        // If every solution is proved optimal, the bounds equal the lengths and are omitted.
        let known = known.filter(|((name, _), _)| *name != "bound" || self.unproved > 0);
        known.filter_map(|((name, series), digits)| Some((name, Spread::of(series)?, digits)))
    }

    /// A header and a row per spread, for text and Markdown.
    fn rows(&self) -> Vec<[String; 5]> {
        let head = ["", "mean", "median", "99 %", "worst"].map(str::to_owned);
        let row = |(name, spread, digits): (&str, Spread, [usize; 2])| {
            let [of_mean, of_others] = digits;
            [
                name.to_owned(),
                grouped(spread.mean, of_mean),
                grouped(spread.median, of_others),
                grouped(spread.p99, of_others),
                grouped(spread.worst, of_others),
            ]
        };
        let rows: Vec<_> = self.spreads().map(row).collect();
        match rows.is_empty() {
            true => rows,
            false => [vec![head], rows].concat(),
        }
    }

    /// For example `3 boards: 2 solved, 1 unsolvable, 0 over a limit, 0 with errors`. If solutions
    /// are not proved optimal, their number follows `2 solved`: ` (1 not proved optimal)`.
    fn statuses(&self) -> String {
        let boards = self.boards();
        let plural = if boards == 1 { "" } else { "s" };
        let unproved = match self.unproved {
            0 => String::new(),
            count => format!(" ({count} not proved optimal)"),
        };
        let counts = STATUSES.map(|(status, _, words)| match status {
            Status::Solved => format!("{} {words}{unproved}", self.count(status)),
            _ => format!("{} {words}", self.count(status)),
        });
        format!("{boards} board{plural}: {}", counts.join(", "))
    }

    /// `search time 1.234 s, wall time 0.617 s, 4.9 boards/s`.
    fn times(&self) -> String {
        let mut times = format!("search time {:.3} s", self.search_ms / 1e3);
        if let Some(wall) = self.wall {
            times += &format!(", wall time {:.3} s", wall.as_secs_f64());
        }
        if let Some(rate) = self.boards_per_second() {
            times += &format!(", {rate:.1} boards/s");
        }
        times
    }

    fn text(&self) -> String {
        let rows = self.rows();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths = [0, 1, 2, 3, 4].map(width);
        let mut lines = vec![self.statuses()];
        for row in &rows {
            let mut line = format!("{:1$}", row[0], widths[0]);
            for (cell, width) in row.iter().zip(widths).skip(1) {
                line += &format!("  {cell:>width$}");
            }
            lines.push(line);
        }
        lines.push(self.times());
        lines.join("\n") + "\n"
    }

    fn markdown(&self) -> String {
        let mut lines = vec![format!("{}.", self.statuses()), String::new()];
        for (index, [name, numbers @ ..]) in self.rows().iter().enumerate() {
            let space = if name.is_empty() { "" } else { " " };
            lines.push(format!("|{space}{name} | {} |", numbers.join(" | ")));
            if index == 0 {
                lines.push("| --- | ---: | ---: | ---: | ---: |".to_owned());
            }
        }
        if lines.len() > 2 {
            lines.push(String::new());
        }
        lines.push(format!("{}.", self.times().replacen('s', "S", 1)));
        lines.join("\n") + "\n"
    }

    fn csv(&self) -> String {
        let mut lines = vec!["name,boards,mean,median,p99,worst,total".to_owned()];
        let boards = self.boards();
        lines.push(format!("boards,{boards},,,,,"));
        for (status, name, _) in STATUSES {
            lines.push(format!("{name},{},,,,,", self.count(status)));
        }
        if self.unproved > 0 {
            lines.push(format!("unproved,{},,,,,", self.unproved));
        }
        for (name, spread, _) in self.spreads() {
            let Spread {
                mean,
                median,
                p99,
                worst,
                total,
                ..
            } = spread;
            let numbers = [mean, median, p99, worst, total].map(plain).join(",");
            lines.push(format!("{name},{},{numbers}", spread.boards));
        }
        lines.push(format!("search_ms,{boards},,,,,{}", plain(self.search_ms)));
        if let Some(wall) = self.wall {
            let ms = plain(wall.as_secs_f64() * 1e3);
            lines.push(format!("wall_ms,{boards},,,,,{ms}"));
        }
        if let Some(rate) = self.boards_per_second() {
            lines.push(format!("boards_per_second,{boards},{},,,,", plain(rate)));
        }
        lines.join("\n") + "\n"
    }
}

impl fmt::Display for Summary {
    /// [`SummaryFormat::Text`], without the last line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().trim_end())
    }
}

impl Spread {
    /// The spread of a list of numbers; `None` if it is empty.
    #[must_use]
    pub fn of(numbers: &[f64]) -> Option<Spread> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let boards = sorted.len();
        // The percentile by nearest rank.
        let at = |percent: usize| Some(sorted[(boards * percent).div_ceil(100).checked_sub(1)?]);
        let total = sorted.iter().sum::<f64>();
        Some(Spread {
            median: at(50)?,
            p99: at(99)?,
            worst: at(100)?,
            mean: total / boards as f64,
            total,
            boards,
        })
    }
}

/// A number with at most three decimals: `12`, `0.5`, `1.234`.
fn plain(number: f64) -> String {
    let digits = format!("{number:.3}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// A number with commas between groups of three digits: `1,234,567.8`.
fn grouped(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    for (index, digit) in whole.char_indices() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}
