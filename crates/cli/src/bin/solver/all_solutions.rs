//! All solutions of a board instead of one: the options, and the answer's part about them.

use clap::Args;
use cli::{Failure, print_line};
use puzzle::{Board, Metric, Notation};
use serde::Serialize;
use solver::{Limits, Solution, SolveError};

use crate::session::{Answer, AnySolver};

/// How many solutions are asked for. Nothing here changes which one is printed first.
#[derive(Args, Clone, Debug)]
#[command(group(clap::ArgGroup::new("listed").multiple(true)))]
pub(crate) struct AllSolutionsArgs {
    /// Print all optimal solutions, not just one
    #[arg(long, group = "listed")]
    all: bool,
    /// Print all solutions of up to K moves more than an optimal one; time grows about fivefold with every two
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=1000), group = "listed")]
    within: Option<u32>,
    /// Say only how many solutions there are
    #[arg(long)]
    count: bool,
    /// Print the first N solutions at most, shorter ones first; all are counted
    #[arg(
        long,
        value_name = "N",
        default_value = "1000",
        value_parser = parse_most,
        requires = "listed",
        conflicts_with = "count"
    )]
    most: usize,
}

/// The most solutions that are kept, some hundred bytes each.
const MOST: usize = 1_000_000;

fn parse_most(text: &str) -> Result<usize, String> {
    let most = text.parse().ok().filter(|most| (1..=MOST).contains(most));
    most.ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

/// What an answer says of all solutions; in JSON beside the other fields.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct Multiplicity {
    /// Of the optimal ones.
    count: u64,
    /// By moves more than an optimal one.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Vec<u64>>,
    /// The first of them, as many as wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<Vec<String>>,
}

impl AllSolutionsArgs {
    /// Refuses what a metric does not have.
    pub(crate) fn check(&self, metric: Metric) -> Result<(), Failure> {
        match (self.within, metric) {
            (Some(1..), Metric::Multi) => Err(Failure::input(
                "--within counts single moves: with --metric multi ask for --all or --count",
            )),
            _ => Ok(()),
        }
    }

    /// Whether one solution is not enough.
    pub(crate) fn are_wanted(&self) -> bool {
        self.all || self.count || self.within.is_some()
    }

    /// The longest solutions wanted, where the shortest have `length` moves.
    pub(crate) fn longest(&self, length: usize) -> usize {
        length + self.within.unwrap_or(0) as usize
    }

    /// Looks for all solutions of a board that is solved, and adds them to its answer.
    pub(crate) fn add_to(
        &self,
        answer: Answer,
        board: &Board,
        solved: (&AnySolver, &Solution),
        notation: Notation,
        limits: Limits,
    ) -> Result<Answer, Failure> {
        let (solver, shortest) = solved;
        let most = if self.count { 1 } else { self.most };
        let within = self.within.unwrap_or(0);
        match solver.solutions_beside(board, shortest, within, most, limits) {
            Ok(found) => {
                let written = found.moves.iter();
                let written = written.filter_map(|moves| board.write_moves(moves, notation).ok());
                let solutions: Vec<String> = written.collect();
                let first = solutions.first().cloned();
                let variety = Multiplicity {
                    count: found.counts.first().copied().unwrap_or(0),
                    solutions: (!self.count).then_some(solutions),
                    counts: self.within.map(|_| found.counts),
                };
                // Several threads may have met another optimal one than the first.
                Ok(answer.with_variety(first, variety, found.effort))
            }
            Err(SolveError::Limit(effort)) => {
                let (length, nodes) = (solver.length(shortest), effort.generated);
                let reason = format!(
                    "stopped after {nodes} nodes: {length} moves are proved optimal, but not all solutions were counted"
                );
                Ok(answer.with_unfinished_variety(reason, effort))
            }
            Err(error @ SolveError::Damaged(_)) => Err(Failure::table(error)),
            Err(error) => Err(Failure::input(error)),
        }
    }
}

impl Multiplicity {
    /// Numbers of solutions, of each length that there are any of.
    fn numbers(&self, length: usize) -> impl Iterator<Item = (usize, u64)> {
        let counts = self.counts.as_deref().unwrap_or(&[]);
        let counts = [self.count]
            .into_iter()
            .chain(counts.iter().skip(1).copied());
        (length..).zip(counts).filter(|&(_, count)| count > 0)
    }

    /// For people: how many there are of each length.
    pub(crate) fn say_counts(&self, length: usize) {
        let numbers = self.numbers(length);
        let words = numbers.map(|(length, count)| {
            let solutions = plural(count, "solution");
            format!("{solutions} of {}", plural(length as u64, "move"))
        });
        print_line(words.collect::<Vec<_>>().join(", "));
    }

    /// For programs: length and number, in pairs.
    pub(crate) fn say_numbers(&self, length: usize) {
        let pairs = self.numbers(length);
        let pairs = pairs.map(|(length, count)| format!("{length} {count}"));
        print_line(pairs.collect::<Vec<_>>().join(" "));
    }

    /// One a line, after `margin`, and whether there are more.
    pub(crate) fn say_solutions(&self, length: usize, margin: &str) {
        let Some(solutions) = &self.solutions else {
            return;
        };
        for moves in solutions {
            print_line(format_args!("{margin}{moves}").to_string().trim_end());
        }
        let total: u64 = self.numbers(length).map(|(_, count)| count).sum();
        let shown = solutions.len() as u64;
        if shown < total {
            print_line(format_args!(
                "{margin}... {shown} of {total} solutions shown: give --most N for more"
            ));
        }
    }
}

fn plural(count: u64, word: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {word}{ending}")
}
