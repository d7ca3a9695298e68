//! An optimal solver for sliding-tile puzzles: IDA* with additive pattern databases.
//!
//! A [`Solver`] is made for one goal from a spec, which says which tables to use, and the tables, which it builds
//! itself or takes from anywhere. It solves any number of boards, from any number of threads.
//!
//! ```
//! use puzzle::{Board, Goal, TableKind, HeuristicSpec};
//! use solver::Solver;
//!
//! let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
//! let goal = Goal::blank_last(board.tray());
//! let spec = HeuristicSpec::parse("8", &goal)?; // 4x4: "6-6-3"
//! let solver = Solver::build(goal, spec)?;
//! let solution = solver.solve(&board)?;
//! assert_eq!(solution.moves.len(), 31); // proved optimal
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `file` (on by default) `Solver::open` maps tables from a directory. The heuristic is the
//! maximum over all views of a spec: its partitions and their images under the symmetries that keep the goal's blank.
//! Manhattan distance joins in where the tables do not cover all tiles additively, and is all there is on trays that
//! no table can have.
//!
//! Features: `file` (the tables directory), `parallel` (tables are built on all cores), `cli` (the command, on by
//! default). Without them the crate needs no threads, no file system and no C compiler.

#![deny(unsafe_code)]

mod automaton;
mod lehmer;
mod lookup;
mod move_table;
mod multi;
mod packed_board;
mod pattern_lookup;
mod root_value;
mod row_index;
mod search;
mod single;
mod slide;
mod table_set;

#[cfg(feature = "file")]
mod table_source;

pub use move_table::DuplicatePruning;
pub use multi::{MultiSolver, count_runs};
pub use pattern_lookup::{PatternGeometry, PatternLookup, PatternState, PatternTable};
pub use search::{Cancel, Limits, Progress, SearchStatus, ThreadPermits};
pub use single::{SearchStats, Solution, Solutions, SolveError, Solver, SolverError};
pub use table_set::DamagedTable;
#[cfg(feature = "file")]
pub use table_source::{OpenError, OpenEvent, Source};

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
