//! Measures the cost of a call in Rust: the average time to solve an easy board, in nanoseconds.
//! overhead.c does the same in C; scripts/measure/c_library.py runs both.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Instant;

use puzzle::{Board, Goal, HeuristicSpec};
use solver::{SolveOptions, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let repetitions: u32 = arguments.next().ok_or("repetitions")?.parse()?;
    let threads = arguments.next().ok_or("threads")?.parse()?;
    let board = Board::parse("2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15", None)?;
    let goal = Goal::blank_last(board.tray());
    let solver = Solver::build(goal.clone(), HeuristicSpec::parse("6-6-3", &goal)?)?;
    let options = SolveOptions::default().threads(threads);
    let measure = |repetitions: u32| {
        let begun = Instant::now();
        for _ in 0..repetitions {
            let solution = solver.solve_with(std::hint::black_box(&board), &options)?;
            assert_eq!(solution.length, 11);
        }
        Ok::<_, Box<dyn Error>>(begun.elapsed().as_secs_f64() * 1e9 / f64::from(repetitions))
    };
    measure(repetitions / 10)?;
    println!("{:.1}", measure(repetitions)?);
    Ok(())
}
