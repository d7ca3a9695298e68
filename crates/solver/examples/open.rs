//! Opens tables in a directory and solves one board: `cargo run --release --example open`.

#![allow(clippy::print_stdout)]

use puzzle::{Board, Goal, HeuristicSpec};
use solver::{Control, OpenError, OpenEvent, OpenOptions, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::parse("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", None)?;
    let goal = Goal::blank_last(board.tray());
    let spec = HeuristicSpec::parse("6-6-3", &goal)?;
    let directory = std::env::temp_dir().join("sliding-tile-pdb-example");
    let say = |event: &OpenEvent| {
        if let OpenEvent::Kept(id) = event {
            println!("built {}", id.name());
        }
    };
    let options = OpenOptions::new(directory).control(Control::listening(say));
    let solver = match Solver::open(goal, spec, &options) {
        Ok(solver) => solver,
        Err(OpenError::Missing(missing)) => {
            let (tables, bytes) = (missing.tables.len(), missing.bytes);
            println!("{tables} tables of {bytes} bytes: {missing}");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    println!("at least {}", solver.estimate(&board)?);
    println!("{}", solver.solve(&board)?);
    Ok(())
}
