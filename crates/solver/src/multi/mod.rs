//! The multi-tile metric: a move slides a run of one or more tiles in one line towards the blank, and counts once.
//!
//! Additive tables of single moves are no lower bounds here, since a run moves tiles of several patterns at the cost of
//! one. What serves are full-cost tables made for the metric ([`puzzle::Kind::Runs`]), of which the maximum is
//! taken, and on trays that no table can have a walking distance of runs.
//!
//! ```
//! use puzzle::{Board, Goal};
//! use solver::{MultiSolver, count_runs};
//!
//! let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
//! let goal = Goal::blank_last(board.tray());
//! let solver = MultiSolver::build(goal.clone(), MultiSolver::default_plan(&goal)?)?;
//! let solution = solver.solve(&board)?;
//! assert_eq!(count_runs(&solution.moves), 20); // proved optimal
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod engine;
mod guide;
mod line;
mod parallel;
mod search;
mod table;

pub use engine::{MultiSolver, count_runs};
