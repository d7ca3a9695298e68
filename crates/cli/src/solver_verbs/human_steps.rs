//! The steps of the human method: `--explain`.

use command::print_line;
use solver::Report;

/// Prints the steps that a report has, a line each.
pub(crate) fn print_steps(report: &Report) {
    for (number, step) in (1..).zip(report.steps.iter().flatten()) {
        print_line(format_args!("{number:4}. {step}"));
    }
}
