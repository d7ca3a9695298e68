//! All solutions of a board instead of one: the options, and the words about them.

use clap::Args;
use cli::quantity::{count_within, percent};
use cli::words::counted;
use cli::{Failure, print_line};
use puzzle::{Board, Metric};
use solver::{Mode, Report, Solutions, SolveError, SolveOptions, Solver};

/// How many solutions are asked for. Nothing here changes which one is printed first.
#[derive(Args, Clone, Debug)]
#[command(group(clap::ArgGroup::new("listed").multiple(true)))]
pub(crate) struct AllSolutionsArgs {
    /// Print all optimal solutions, not just one
    #[arg(long, group = "listed")]
    all: bool,
    /// Print all solutions of up to K moves more than an optimal one; time grows about fivefold
    /// with every two. With --mode anytime a percentage such as 5%: end at a solution that is at
    /// most so much longer than the proved lower bound
    #[arg(
        long,
        value_name = "K|P%",
        value_parser = within,
        allow_hyphen_values = true,
        group = "listed"
    )]
    within: Option<Within>,
    /// Say only how many solutions there are
    #[arg(long)]
    count: bool,
    /// Print the first N solutions at most, shorter ones first; all are counted
    #[arg(
        long,
        value_name = "N",
        default_value = "1000",
        value_parser = count_within(1..=MAX),
        allow_hyphen_values = true,
        requires = "listed",
        conflicts_with = "count"
    )]
    most: u64,
}

/// How much longer than optimal a solution may be.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Within {
    /// All solutions of up to so many moves more are wanted.
    Moves(u64),
    /// One solution is wanted that is at most so much longer than the proved lower bound, as a
    /// share of it.
    Share(f64),
}

fn within(text: &str) -> Result<Within, String> {
    match text.contains('%') {
        true => percent(text).map(Within::Share),
        false => count_within(0..=1000)(text).map(Within::Moves),
    }
}

/// The most solutions that can be asked for, some hundred bytes each.
const MAX: u64 = 1_000_000;

impl AllSolutionsArgs {
    /// Refuses what a metric or a mode does not have.
    pub(crate) fn check(&self, metric: Metric, mode: Mode) -> Result<(), Failure> {
        let message = match (mode, self.within, metric) {
            (Mode::Anytime, Some(Within::Moves(moves)), _) => format!(
                "--within {moves} lists solutions, as --mode optimal does: with --mode anytime \
                 give a percentage such as --within 5%"
            ),
            (Mode::Optimal, Some(Within::Share(_)), _) => {
                "--within with a percentage is for --mode anytime: give that, or a number of moves"
                    .to_owned()
            }
            (Mode::Optimal, Some(Within::Moves(1..)), Metric::Multi) => {
                "--within counts single moves: with --metric multi ask for --all or --count"
                    .to_owned()
            }
            (Mode::Optimal, ..) => return Ok(()),
            (_, Some(_), _) if mode != Mode::Anytime => {
                format!("--within means nothing to --mode {mode}: leave it out")
            }
            _ if self.all || self.count => format!(
                "--all and --count are about optimal solutions: leave them out with --mode {mode}"
            ),
            _ => return Ok(()),
        };
        Err(Failure::input(message))
    }

    /// How close to the proved lower bound one solution is to be, as a share of the bound.
    pub(crate) fn share(&self) -> Option<f64> {
        match self.within {
            Some(Within::Share(share)) => Some(share),
            _ => None,
        }
    }

    /// Whether one solution is not enough.
    pub(crate) fn are_wanted(&self) -> bool {
        self.all || self.count || matches!(self.within, Some(Within::Moves(_)))
    }

    /// Solves a board and looks for all solutions, as many of them as wanted.
    pub(crate) fn solve(
        &self,
        solver: &Solver,
        board: &Board,
        options: &SolveOptions,
    ) -> Result<Solutions, SolveError> {
        // Both are in range.
        let max_solutions = if self.count { 1 } else { self.most as usize };
        let within = match self.within {
            Some(Within::Moves(moves)) => moves as u32,
            _ => 0,
        };
        solver.all_solutions(board, within, max_solutions, options)
    }

    /// Leaves out of a report what was not asked for.
    pub(crate) fn trim(&self, report: &mut Report) {
        if self.within.is_none() {
            report.counts = None;
        }
        if self.count {
            report.solutions = None;
        }
    }
}

/// Numbers of solutions, of each length that there are any of.
fn numbers(report: &Report) -> impl Iterator<Item = (u32, u64)> {
    let counts = report.counts.iter().flatten().copied().skip(1);
    let counts = report.count.into_iter().chain(counts);
    let lengths = report.length.unwrap_or_default()..;
    lengths.zip(counts).filter(|&(_, count)| count > 0)
}

/// For people: how many there are of each length.
pub(crate) fn print_counts(report: &Report) {
    let words = numbers(report).map(|(length, count)| {
        let solutions = counted(count, "solution");
        format!("{solutions} of {}", counted(length.into(), "move"))
    });
    print_line(words.collect::<Vec<_>>().join(", "));
}

/// For programs: length and number, in pairs.
pub(crate) fn print_numbers(report: &Report) {
    let pairs = numbers(report).map(|(length, count)| format!("{length} {count}"));
    print_line(pairs.collect::<Vec<_>>().join(" "));
}

/// One a line, after `margin`, and whether there are more.
pub(crate) fn print_solutions(report: &Report, margin: &str) {
    let Some(solutions) = &report.solutions else {
        return;
    };
    for moves in solutions {
        print_line(format_args!("{margin}{moves}").to_string().trim_end());
    }
    let total: u64 = numbers(report).map(|(_, count)| count).sum();
    let shown = solutions.len() as u64;
    if shown < total {
        print_line(format_args!(
            "{margin}... {shown} of {total} solutions shown: give --most N for more"
        ));
    }
}
