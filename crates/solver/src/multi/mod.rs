//! The multi-tile metric: a move slides a run of one or more tiles in one line towards the blank,
//! and counts once.
//!
//! Additive tables of single moves are no lower bounds here, since a run moves tiles of several
//! patterns at the cost of one. What serves are full-cost tables made for the metric
//! ([`puzzle::TableKind::MultiTile`]), of which the maximum is taken, and on trays that no table
//! can have the tiles that must cross each line between rows or columns.
//!
//! ```
//! use puzzle::{Board, Goal, HeuristicSpec, Metric};
//! use solver::{MultiSolver, count_runs};
//!
//! let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
//! let goal = Goal::blank_last(board.tray());
//! let solver = MultiSolver::build(goal.clone(), HeuristicSpec::builder(&goal).metric(Metric::Multi).parse_default()?)?;
//! let solution = solver.solve(&board)?;
//! assert_eq!(count_runs(&solution.moves), 20); // proved optimal
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod heuristic;
mod line_crossings;
mod parallel;
mod search;
mod solver;
mod table;

pub use solver::{MultiSolver, count_runs};
