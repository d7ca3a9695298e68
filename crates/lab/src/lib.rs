//! A laboratory for sliding-tile puzzles: it compares and explains textbook heuristics and
//! searches, and tunes partitions.
//!
//! - [`heuristic`]: lower bounds behind one trait, from misplaced tiles to pattern databases. A
//!   [`HeuristicChoice`] names a heuristic, and a [`HeuristicFactory`] creates it for a goal.
//! - [`search`]: breadth-first search, A*, IDA* and other searches with any heuristic, limits and
//!   node counts.
//! - [`compare`]: searches and heuristics on the same boards ([`BoardSet`]: suites with known
//!   answers, random boards, shuffles), with records of each search.
//! - [`Explanation`]: the terms of a heuristic's value on a board.
//! - [`prediction`]: the expected number of nodes that IDA* expands, from the distribution of a
//!   heuristic's values.
//! - [`tune`]: finds the partitions of a tray's tiles for which searches generate the fewest nodes.
//!
//! This program solves a board by A* with two heuristics:
//!
//! ```
//! use lab::search::DEFAULT_ORDER;
//! use lab::{HeuristicFactory, Limits, Position, Problem, Search};
//! use puzzle::{Board, Goal};
//!
//! let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
//! let goal = Goal::blank_last(board.tray());
//! let start = Position::new(&goal.state(&board).ok_or("another size")?)?;
//! let factory = HeuristicFactory::default();
//! let mut expanded = Vec::new();
//! for name in ["manhattan", "5-3"] {
//!     let heuristic = factory.heuristic(&name.parse()?, &goal)?;
//!     let problem = Problem {
//!         start: &start,
//!         heuristic: &*heuristic,
//!         backward: None,
//!         order: DEFAULT_ORDER,
//!     };
//!     let run = Search::AStar.run(&problem, &Limits::default());
//!     assert_eq!(run.outcome.unwrap().len(), 31);
//!     expanded.push(run.counts.expanded);
//! }
//! assert_eq!(expanded, [6728, 55]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate builds tables in memory. With the feature `tune` (on by default, and required by the
//! tuner) it uses the threads of rayon's current pool. It prints nothing, reads no environment
//! variables and writes no files.

#![forbid(unsafe_code)]

/// The clock. With the feature `web` it reads the time of the WebAssembly host.
mod clock {
    #[cfg(not(feature = "web"))]
    pub(crate) use std::time::Instant;
    #[cfg(feature = "web")]
    pub(crate) use web_time::Instant;
}

pub mod compare;
pub mod heuristic;
mod position;
pub mod prediction;
pub mod search;
mod suite;
#[cfg(feature = "tune")]
pub mod tune;

pub use compare::{CompareError, Comparison, Entrant, Record, RunStatus};
pub use heuristic::{
    AnyHeuristic, Explanation, Heuristic, HeuristicChoice, HeuristicError, HeuristicFactory,
};
pub use position::{MAX_CELLS, Position, Slide, TooLarge};
pub use search::{Counts, Limit, Limits, Problem, Search, SearchRun, Weight};
pub use suite::{BoardSet, KnownBoard, SuiteError};
