//! The command `solver`: parses arguments, calls the library and prints the results.

#![forbid(unsafe_code)]

mod answer;
mod boards;
mod caller;
#[cfg(feature = "full")]
mod compare;
#[cfg(feature = "full")]
mod explain;
mod hint;
mod moves;
mod probe;
mod rate;
mod scramble;
mod show;
mod solve;
mod status_line;
mod summary;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
#[cfg(feature = "full")]
use command::shell::ShellVerb;
use command::verbs::{self, VerbOptions};
use command::{Failure, HEURISTIC, SURROUNDINGS, SharedArgs, catch_interrupts, help_end};

/// Solves sliding-tile puzzles with as few moves as possible.
///
/// A board is written as its numbers in reading order, with 0 for the blank, such as "5 10 14 7/8 3
/// 6 1/15 0 12 9/2 11 4 13". If no board is given, solver reads boards from --file or standard
/// input: one board per line, or one row of a board per line.
///
/// For harder boards, --mode anytime prints a first solution within seconds and improves it while
/// time remains.
///
/// Ctrl-C ends a search and prints the results so far.
///
/// Exit code 0: all boards are solved. 1: a board is unsolvable, or a limit was reached. 2: bad
/// input or usage. 3: a table is missing or damaged, or a file or standard output cannot be
/// written. 130: interrupted by Ctrl-C.
#[derive(Parser)]
#[command(
    name = "solver",
    version,
    after_help = help_end("\
    \x20 solver \"5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13\"\n\
    \x20 solver --file boards.txt --json\n\
    \x20 solver --mode anytime --max-time 10s --size 6x6 < boards.txt")
)]
struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    solve: solve::SolveArguments,
    #[command(flatten)]
    shared: SharedArgs,
}

#[derive(Subcommand)]
enum Verb {
    /// Print random boards: uniformly random, after random moves, or with a given solution length
    #[command(
        alias = "random",
        after_help = "Examples:\n  solver scramble -n 10 --seed 7\n\
             \x20 solver scramble --size 3x3 --length 31\n\
             \x20 solver scramble --moves 20"
    )]
    Scramble(scramble::ScrambleArguments),
    /// Apply moves to a board, and print the resulting board
    #[command(after_help = "Examples:\n  solver apply \"1 2 3/4 0 6/7 5 8\" UL\n\
             \x20 solver apply --notation numbers \"1 2 3/4 0 6/7 5 8\" \"5 8\"")]
    Apply(moves::ApplyArguments),
    /// Print the moves that undo given moves
    #[command(after_help = "Examples:\n  solver invert U2LDR")]
    Invert(moves::InvertArguments),
    /// Check whether a solution is legal and reaches the goal, and how many moves longer than
    /// optimal it is
    #[command(
        alias = "verify",
        after_help = "Examples:\n  solver check \"1 2 3/4 0 6/7 5 8\" UL"
    )]
    Check(moves::CheckArguments),
    /// Print a hint: the distance to the goal, the tile to move, the move, or all good moves
    #[command(after_help = "Examples:\n  solver hint \"8 6 7/2 5 4/3 0 1\"")]
    Hint(hint::HintArguments),
    /// Rate each move of a game: whether the move was good, or how many moves it lost
    #[command(after_help = "Examples:\n  solver rate \"1 2 3/4 0 6/7 5 8\" DUUL")]
    Rate(rate::RateArguments),
    /// Draw a board or its solution, in the terminal or as an animated picture
    #[command(
        alias = "draw",
        after_help = "Examples:\n  solver show \"8 6 7/2 5 4/3 0 1\"\n\
             \x20 solver show --solve --out solution.svg \"8 6 7/2 5 4/3 0 1\""
    )]
    Show(show::ShowArguments),
    /// Show the values of a board in the tables: the value of each part, and their sums
    #[command(after_help = "Examples:\n  solver probe --partition 5-3 \"8 6 7/2 5 4/3 0 1\"")]
    Probe(probe::ProbeArguments),
    #[cfg(feature = "full")]
    /// Explain the value of every heuristic on a board
    #[command(after_help = "Examples:\n  solver explain \"8 6 7/2 5 4/3 0 1\"")]
    Explain(explain::ExplainArguments),
    #[cfg(feature = "full")]
    /// Compare textbook searches and heuristics by nodes, solution lengths and times, in a table
    /// and plots
    #[command(after_help = "Examples:\n  solver compare\n\
             \x20 solver compare --sizes 3x3,4x4 --searches ida-star -n 20 --out results\n\
             \x20 solver compare --suite korf100 --heuristics 6-6-3 -n 5 --searches ida-star")]
    Compare(compare::CompareArguments),
    #[cfg(feature = "full")]
    #[command(flatten)]
    Shell(ShellVerb),
}

/// The shared options that each verb accepts. Solving, which has no verb, accepts all of them.
const VERBS: &VerbOptions = &[
    ("scramble", &[HEURISTIC, SURROUNDINGS]),
    ("apply", &[&["size", "goal", "json"]]),
    ("invert", &[&["json"]]),
    ("check", &[HEURISTIC, SURROUNDINGS]),
    ("hint", &[HEURISTIC, SURROUNDINGS]),
    ("rate", &[HEURISTIC, SURROUNDINGS]),
    ("show", &[HEURISTIC, SURROUNDINGS]),
    ("probe", &[HEURISTIC, SURROUNDINGS]),
    #[cfg(feature = "full")]
    ("explain", &[&["size", "goal"], SURROUNDINGS]),
    #[cfg(feature = "full")]
    ("compare", &[&["size", "goal"], SURROUNDINGS]),
    #[cfg(feature = "full")]
    ("completions", &[]),
    #[cfg(feature = "full")]
    ("man", &[]),
];

/// Rejects verbs and options that are not compiled into this program. Verbs would otherwise be
/// parsed as boards.
#[cfg(not(feature = "full"))]
fn reject_left_out() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let verb = words.next().unwrap_or_default();
    let verb = match verb.as_str() {
        "help" => words.next().unwrap_or_default(),
        _ => verb,
    };
    let name = match verb.as_str() {
        "explain" | "compare" | "completions" | "man" => format!("the verb {verb}"),
        "scramble" if words.any(|word| word.starts_with("--suite")) => "--suite".to_string(),
        _ => return Ok(()),
    };
    Err(Failure::input(format!(
        "this program was compiled without {name}: compile it without --no-default-features"
    )))
}

fn main() -> ExitCode {
    catch_interrupts();
    #[cfg(not(feature = "full"))]
    if let Err(failure) = reject_left_out() {
        return Failure::end("solver", false, Err(failure));
    }
    let arguments = verbs::parse::<Arguments>(VERBS);
    let json = arguments.as_ref().is_ok_and(|own| own.shared.json);
    Failure::end("solver", json, arguments.and_then(run))
}

fn run(arguments: Arguments) -> Result<u8, Failure> {
    let shared = arguments.shared;
    match &arguments.verb {
        None => solve::run(shared, arguments.solve),
        Some(Verb::Scramble(arguments)) => scramble::run(shared, arguments),
        Some(Verb::Apply(arguments)) => moves::apply(&shared, arguments).map(|()| 0),
        Some(Verb::Invert(arguments)) => moves::invert(&shared, arguments).map(|()| 0),
        Some(Verb::Check(arguments)) => moves::check(shared, arguments),
        Some(Verb::Hint(arguments)) => hint::run(shared, arguments),
        Some(Verb::Rate(arguments)) => rate::run(shared, arguments),
        Some(Verb::Show(arguments)) => show::run(shared, arguments),
        Some(Verb::Probe(arguments)) => probe::run(shared, arguments),
        #[cfg(feature = "full")]
        Some(Verb::Explain(arguments)) => explain::run(shared, arguments),
        #[cfg(feature = "full")]
        Some(Verb::Compare(arguments)) => compare::run(shared, arguments),
        #[cfg(feature = "full")]
        Some(Verb::Shell(verb)) => {
            let definition = verbs::definition::<Arguments>(VERBS);
            verb.run(definition).map(|()| 0)
        }
    }
}
