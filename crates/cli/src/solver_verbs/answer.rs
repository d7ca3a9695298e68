//! A board's report and exit code, printed as text or as a JSON object.

use command::words::{counted, percent_over};
use command::{Failure, SharedArgs, print_error, print_line};
use session::Code;
use solver::{Method, Mode, Report, Status};

pub(crate) struct Answer {
    pub(crate) report: Report,
    pub(crate) exit: u8,
}

impl From<Report> for Answer {
    fn from(report: Report) -> Self {
        let exit = match report.status {
            Status::Solved => 0,
            Status::Unsolvable | Status::Limit => 1,
            _ => 2,
        };
        Answer { report, exit }
    }
}

impl From<Failure> for Answer {
    fn from(failure: Failure) -> Self {
        Answer {
            report: Report::error(failure.message()),
            exit: failure.exit(),
        }
    }
}

impl Answer {
    /// The report of a failure: of a board that cannot be solved, or of a stopped search.
    pub(crate) fn of_failure(failure: session::Failure) -> Answer {
        let Some(mut report) = failure.report else {
            return Failure::from(failure).into();
        };
        report.message = Some(match (failure.code, report.bound) {
            (Code::Cancelled, Some(bound)) => {
                let nodes = report.nodes.unwrap_or(0);
                format!("stopped after {nodes} nodes: no solution is shorter than {bound} moves")
            }
            _ => failure.message,
        });
        Answer::from(*report)
    }

    /// The report's message.
    pub(crate) fn message(&self) -> &str {
        self.report.message.as_deref().unwrap_or_default()
    }

    /// Prints a JSON object or text. For a board of a list, the text is one short line on standard
    /// output, `error` if the board has no answer, so that line N of the output is about board N.
    pub(crate) fn print(&self, options: &SharedArgs, in_list: bool) {
        let report = &self.report;
        if options.json {
            return print_object(report);
        }
        let message = self.message();
        let moves = report.moves.as_deref().unwrap_or_default();
        match (report.status, report.length) {
            (Status::Solved, Some(length)) if in_list || options.quiet => {
                print_briefly(report, length, moves);
            }
            (Status::Solved, Some(length)) => print_solved(report, length),
            (Status::Unsolvable | Status::Limit, length) => {
                if length.is_some() && !in_list {
                    print_moves(report);
                }
                print_line(message.replacen(": goal ", ": --goal ", 1));
                let is_open = report.mode == Some(Mode::Optimal) && length.is_none();
                if is_open && report.status == Status::Limit && !in_list && !options.quiet {
                    print_error("solver: --mode anytime prints a short solution immediately");
                }
            }
            _ => {
                let line = report.line.map(|line| format!("line {line}: "));
                let place = line.unwrap_or_default();
                print_error(format_args!("solver: {place}{message}"));
                if in_list {
                    print_line("error");
                }
            }
        }
        if let Some(suggestion) = report
            .suggestion
            .as_ref()
            .filter(|_| !in_list && !options.quiet)
        {
            print_error(format_args!("solver: {suggestion}"));
        }
    }
}

pub(crate) fn print_object(report: &Report) {
    match serde_json::to_string(report) {
        Ok(object) => print_line(object),
        Err(error) => print_error(format_args!("solver: {error}")),
    }
}

/// Prints length and moves of a solution on one line.
pub(crate) fn print_moves(report: &Report) {
    let length = counted(report.length.unwrap_or(0).into(), "move");
    let moves = report.moves.as_deref().unwrap_or_default();
    print_line(format_args!("{length}: {moves}"));
}

/// Prints length and moves on one line, with the proved bound if the length is not proved optimal.
fn print_briefly(report: &Report, length: u32, moves: &str) {
    if report.count.is_some() {
        print_counts(report, true);
        print_solutions(report, "  ");
    } else {
        let bound = match (report.proved, report.bound) {
            (Some(false), Some(bound)) => format!(" >={bound}"),
            _ => String::new(),
        };
        print_line(format!("{length} {moves}{bound}").trim_end());
        print_steps(report);
    }
}

/// Prints the moves of a solution, its proved bound, and the nodes and time of the search.
fn print_solved(report: &Report, length: u32) {
    let has_counts = report.count.is_some();
    if length == 0 {
        print_line("already solved: 0 moves");
        if has_counts {
            print_counts(report, false);
        }
        return;
    }
    print_moves(report);
    print_steps(report);
    print_proof(report, length);
    if has_counts {
        print_counts(report, false);
        print_solutions(report, "");
    }
    let (nodes, expanded) = (report.nodes.unwrap_or(0), report.expanded.unwrap_or(0));
    let ms = report.ms.unwrap_or(0.0);
    match report.mode {
        Some(Mode::Strategic) => print_line(format_args!("{ms} ms")),
        _ => print_line(format_args!(
            "{} generated, {expanded} expanded, {ms} ms",
            counted(nodes, "node")
        )),
    }
}

/// Prints the steps of the strategic method for `--explain`, one per line.
fn print_steps(report: &Report) {
    for (number, step) in (1..).zip(report.steps.iter().flatten()) {
        print_line(format_args!("{number:4}. {step}"));
    }
}

/// Prints the proved bound of the length.
fn print_proof(report: &Report, length: u32) {
    let name = report.tables.as_deref().unwrap_or_default();
    let (h0, bound) = (report.h0.unwrap_or(0), report.bound.unwrap_or(0));
    if report.proved == Some(true) {
        print_line(format_args!(
            "proved optimal: the heuristic {name} gives a lower bound of {h0}; no solution has fewer than {}",
            counted(length.into(), "move")
        ));
        return;
    }
    let by = match report.method {
        Some(Method::Strategic) => "tile by tile",
        Some(Method::Beam) => "by beam search",
        Some(Method::Window) => "by shortening parts of a longer solution",
        _ => "by search",
    };
    let excess = counted(length.saturating_sub(bound).into(), "move");
    let share = percent_over(length, bound).map(|share| format!(" ({share})"));
    print_line(format_args!(
        "found {by}: at most {excess}{} more than optimal; no solution is shorter than {bound}",
        share.unwrap_or_default()
    ));
}

/// The lengths that have solutions, each with the number of its solutions.
fn numbers(report: &Report) -> impl Iterator<Item = (u32, u64)> {
    let counts = report.counts.iter().flatten().copied().skip(1);
    let counts = report.count.into_iter().chain(counts);
    let lengths = report.length.unwrap_or_default()..;
    lengths.zip(counts).filter(|&(_, count)| count > 0)
}

/// Prints the numbers of solutions by length, in words or, `briefly`, for programs.
fn print_counts(report: &Report, briefly: bool) {
    let (numbers, between) = (numbers(report), if briefly { " " } else { ", " });
    let words = numbers.map(|(length, count)| match briefly {
        true => format!("{length} {count}"),
        false => {
            let solutions = counted(count, "solution");
            format!("{solutions} of {}", counted(length.into(), "move"))
        }
    });
    print_line(words.collect::<Vec<_>>().join(between));
}

/// Prints the solutions in the report, one per line after `margin`. Adds a note if the board has
/// more solutions.
fn print_solutions(report: &Report, margin: &str) {
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
