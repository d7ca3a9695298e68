//! Comparing heuristics for sliding-tile puzzles by measurement.
//!
//! [`tune()`](tune::tune) looks for the partitions of a tray's tiles into patterns with which a
//! search generates the fewest nodes. [`TuneOptions`](tune::TuneOptions) say what to tune and how
//! much memory and time to spend, a [`TuneReport`](tune::TuneReport) has the best sets of
//! partitions with what was measured of them, and each [`Candidate`](tune::Candidate) can be drawn
//! as the pictures that a heuristic specification reads.
//!
//! ```
//! use lab::tune::{Control, TuneOptions, tune};
//! use puzzle::{Direction, Goal, Scrambler};
//!
//! let goal = Goal::blank_last("3x3".parse()?);
//! let mut options = TuneOptions::new(goal.tray(), goal.blank(), vec![4, 4]);
//! let mut scrambler = Scrambler::new(2);
//! options.searched = (0..4).map(|_| scrambler.draw(goal.tray(), goal.blank())).collect();
//! options.finalists = 1;
//! let report = tune(&options, &Control::default())?;
//! let best = &report.candidates[0];
//! let (order, nodes) = best.nodes[0];
//! let letters: String = order.map(Direction::letter).iter().collect();
//! println!("{}{nodes} nodes in the order {letters}", best.pictures(goal.tray(), goal.blank())[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate builds tables in memory, on the threads of rayon's current pool. It prints nothing,
//! reads no environment and writes no files.

#![forbid(unsafe_code)]

pub mod compare;
mod explanation;
pub mod heuristic;
mod position;
pub mod prediction;
pub mod search;
mod suite;
pub mod tune;

pub use compare::{CompareError, Comparison, Entrant, Record};
pub use explanation::Explanation;
pub use heuristic::{AnyHeuristic, Heuristic, HeuristicChoice, HeuristicError, HeuristicFactory};
pub use position::{MAX_CELLS, Position, Slide, TooLarge};
pub use search::{Counts, Limit, Limits, Problem, Search, SearchRun, Weight};
pub use suite::{BoardSet, KnownBoard, SuiteError};
