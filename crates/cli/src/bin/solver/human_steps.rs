//! The steps of the human method: `--explain`.

use cli::print_line;
use puzzle::{Board, Goal, Notation};
use solver::{Report, strategic};

/// The report of a board solved by the human method, with its steps.
pub(crate) fn with_steps(report: Report, goal: &Goal, board: &Board, notation: Notation) -> Report {
    let state = goal.state(board);
    let found = state.and_then(|state| strategic::explain(goal, &state));
    match found.and_then(|found| found.write(board, notation).ok()) {
        Some(steps) => report.with_steps(steps),
        None => report,
    }
}

/// Prints the steps that a report has, a line each.
pub(crate) fn print_steps(report: &Report) {
    for (number, step) in (1..).zip(report.steps.iter().flatten()) {
        print_line(format_args!("{number:4}. {step}"));
    }
}
