//! An optimal solver for sliding-tile puzzles: IDA* with additive pattern databases.
//!
//! A [`Solver`] is made for one goal from a plan, which says which tables to use, and the tables, which it builds
//! itself or takes from anywhere. It solves any number of boards, from any number of threads.
//!
//! ```
//! use puzzle::{Board, Goal, Kind, Plan};
//! use solver::Solver;
//!
//! let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
//! let goal = Goal::blank_last(board.tray());
//! let plan = Plan::parse("8", &goal, Kind::ZeroAware, |_| None)?; // 4x4: "6-6-3"
//! let solver = Solver::build(goal, plan)?;
//! let solution = solver.solve(&board)?;
//! assert_eq!(solution.moves.len(), 31); // proved optimal
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `file` (on by default) `Solver::open` maps tables from a directory. The heuristic is the
//! maximum over all views of a plan: its partitions and their images under the symmetries that keep the goal's blank.
//! Manhattan distance joins in where the tables do not cover all tiles additively, and is all there is on trays that
//! no table can have.
//!
//! Features: `file` (the tables directory), `parallel` (tables are built on all cores), `cli` (the command, on by
//! default). Without them the crate needs no threads, no file system and no C compiler.

#![deny(unsafe_code)]

mod automaton;
mod descent;
mod digits;
mod engine;
mod heuristic;
mod hop;
mod layout;
mod multi;
mod pieces;
mod search;
mod turns;

#[cfg(feature = "file")]
mod open;

pub use engine::{Effort, SetUpError, Solution, Solutions, SolveError, Solver};
pub use heuristic::DamagedTable;
pub use multi::{MultiSolver, count_runs};
#[cfg(feature = "file")]
pub use open::{Notice, OpenError, Source};
pub use search::{Cancel, Crew, Limits, Progress, Standing};
pub use turns::Pruning;

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
