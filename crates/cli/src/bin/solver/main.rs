//! `solver`: solves boards to the optimum. Arguments in, library calls, words out.

mod all_solutions;
mod answer;
mod boards;
mod session;
mod solve;
mod status_line;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use cli::{IdleInterrupt, SharedArgs, catch_interrupts};
use puzzle::Notation;

use crate::all_solutions::AllSolutionsArgs;

/// Solves sliding-tile puzzles with as few moves as possible.
///
/// A board is its numbers in reading order with 0 for the blank, such as "1 2 3 4/5 6 7 8/9 10 11
/// 12/13 15 14 0". Without a board, reads one a line from --file or standard input.
///
/// Ctrl-C ends a search with what is proved so far.
///
/// Exit codes: 0 all solved, 1 some unsolvable or over a limit, 2 bad input or usage, 3 a table is
/// missing or bad, 130 after Ctrl-C.
#[derive(Parser)]
#[command(name = "solver", version)]
struct Arguments {
    /// Boards, each in quotes
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,
    #[command(flatten)]
    shared: SharedArgs,
    /// File of boards, one a line; - for standard input
    #[arg(long, short, value_name = "FILE", conflicts_with = "boards")]
    file: Option<PathBuf>,
    /// Lines of the file begin with a number that is not part of the board
    #[arg(long, conflicts_with = "boards")]
    leading_id: bool,
    /// How moves are written: tile (letters for the way the tile goes), blank, or numbers
    #[arg(long, default_value = "tile")]
    notation: Notation,
    /// Give up on a board after this many generated nodes, which one thread generates
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// Give up on a board after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    max_time: Option<Duration>,
    #[command(flatten)]
    all: AllSolutionsArgs,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a time that can be waited".to_owned())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    catch_interrupts(IdleInterrupt::Exit);
    match solve::run(arguments) {
        Ok(exit) => ExitCode::from(exit),
        Err(failure) => failure.report("solver"),
    }
}
