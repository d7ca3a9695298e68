//! The program of docs/rust.md.

use puzzle::{Board, Goal, HeuristicSpec};
use solver::Solver;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::parse("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", None)?;
    let goal = Goal::blank_last(board.tray());
    let spec = HeuristicSpec::parse("6-6-3", &goal)?;
    let solver = Solver::build(goal, spec)?; // or Solver::open, for tables on disk
    let solution = solver.solve(&board)?;
    assert_eq!(solution.length, 55);
    Ok(())
}
