//! Statistics of many reports.

use std::time::Duration;

use super::report::{Report, Status};
use crate::calls::setters;

/// Statistics of many boards. A summary collects reports in any order.
///
/// Boards are counted by status. Lengths, nodes and times cover solved boards only, because the
/// cost of a stopped search depends mainly on its limit.
///
/// ```
/// use std::time::Duration;
/// use puzzle::{Board, Goal, HeuristicSpec};
/// use solver::{SolveOptions, Solver, Status, Summary};
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

/// All final statuses.
const STATUSES: [Status; 4] = [
    Status::Solved,
    Status::Unsolvable,
    Status::Limit,
    Status::Error,
];

/// Index of a status in [`STATUSES`].
fn place(status: Status) -> Option<usize> {
    STATUSES.iter().position(|&ended| ended == status)
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

    /// The wall time, if it is known.
    #[must_use]
    pub fn wall_time(&self) -> Option<Duration> {
        self.wall
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
