//! Solves random boards on all cores and prints the results in the order of the boards:
//! `cargo run --release --example batch`.

#![allow(clippy::print_stdout)]

use std::time::Duration;

use puzzle::{Goal, HeuristicSpec, Scrambler};
use solver::{SolveOptions, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let goal = Goal::blank_last("4x4".parse()?);
    let spec = HeuristicSpec::parse("6-6-3", &goal)?;
    let solver = Solver::build(goal.clone(), spec)?;
    let mut scrambler = Scrambler::new(1);
    let draw = || goal.board_of(&scrambler.draw(goal.tray(), goal.blank()));
    let boards = std::iter::from_fn(draw).take(20);
    let options = SolveOptions::default()
        .threads(0)
        .max_time(Duration::from_secs(10));
    solver.solve_list(boards, &options, |_, report| {
        // With the feature `serde` a report can be written as the object that `solver --json`
        // prints.
        let board = report.board.unwrap_or_default();
        println!("{board}: {:?} {:?}", report.status, report.length);
    });
    Ok(())
}
