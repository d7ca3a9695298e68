//! Output of all solutions of a board.

use command::print_line;
use command::words::counted;
use solver::Report;

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
