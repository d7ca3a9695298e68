//! All solutions of a board: the options and the output.

use clap::Args;
use command::print_line;
use command::quantity::{count_within, percent};
use command::words::counted;
use solver::{GivenOptions, Report, Within};

/// Options for several solutions. They never change which solution is printed first.
#[derive(Args, Clone, Debug)]
pub(crate) struct AllSolutionsArgs {
    /// Print all optimal solutions, not just one
    #[arg(long)]
    all: bool,
    /// Print all solutions that are at most K moves longer than an optimal solution; the time grows
    /// about fivefold for every 2 moves. With --mode anytime, P% stops the search at a solution
    /// that is at most P % longer than the proved bound
    #[arg(long, value_name = "K|P%", value_parser = within, allow_hyphen_values = true)]
    within: Option<Within>,
    /// Print only the number of solutions
    #[arg(long)]
    count: bool,
    /// Print at most N solutions, the shortest first; the printed number still includes all
    /// solutions [default: 1000]
    #[arg(long, value_name = "N", value_parser = count_within(1..=MAX), allow_hyphen_values = true)]
    most: Option<u64>,
}

fn within(text: &str) -> Result<Within, String> {
    if text.contains('%') {
        return percent(text).map(Within::Share);
    }
    let moves = count_within(0..=Within::MAX.into())(text)?;
    Ok(Within::Moves(moves as u32))
}

/// Maximum of `--most`. A solution needs a few hundred bytes.
const MAX: u64 = 1_000_000;

impl AllSolutionsArgs {
    /// Adds these options to `given`.
    pub(crate) fn added_to(&self, given: GivenOptions) -> GivenOptions {
        GivenOptions {
            all: self.all,
            count: self.count,
            within: self.within,
            most: self.most.map(|most| most as usize),
            ..given
        }
    }
}

/// The lengths that have solutions, each with the number of its solutions.
fn numbers(report: &Report) -> impl Iterator<Item = (u32, u64)> {
    let counts = report.counts.iter().flatten().copied().skip(1);
    let counts = report.count.into_iter().chain(counts);
    let lengths = report.length.unwrap_or_default()..;
    lengths.zip(counts).filter(|&(_, count)| count > 0)
}

/// Prints the numbers of solutions by length, in words.
pub(crate) fn print_counts(report: &Report) {
    let words = numbers(report).map(|(length, count)| {
        let solutions = counted(count, "solution");
        format!("{solutions} of {}", counted(length.into(), "move"))
    });
    print_line(words.collect::<Vec<_>>().join(", "));
}

/// Prints pairs of a length and its number of solutions, for programs.
pub(crate) fn print_numbers(report: &Report) {
    let pairs = numbers(report).map(|(length, count)| format!("{length} {count}"));
    print_line(pairs.collect::<Vec<_>>().join(" "));
}

/// Prints the solutions in the report, one per line after `margin`. Adds a note if the board has
/// more solutions.
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
