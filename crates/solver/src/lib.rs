//! A solver for sliding-tile puzzles: optimal solutions by IDA* with pattern databases, and short
//! solutions within a time limit for boards that are too hard for IDA*.
//!
//! A [`Solver`] has one goal, a specification and tables. The specification names the heuristic and
//! the metric. The solver builds the tables, opens them in a directory, or receives them from the
//! caller. It solves any number of boards, from any number of threads. This program opens tables
//! and solves a list of boards on all cores:
//!
//! ```
//! # #[cfg(feature = "file")] {
//! use std::time::Duration;
//! use puzzle::{Board, Goal, HeuristicSpec};
//! use solver::{OpenOptions, OtherGoals, SearchStatus, SolveOptions, Solver, Status};
//!
//! let boards = [
//!     "2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15",
//!     "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", // two tiles are swapped
//!     "5 2 8 4/1 10 3 11/13 6 0 7/9 14 15 12",
//! ];
//! let boards = boards.map(|board| Board::parse(board, None).unwrap());
//! let directory = tempfile::tempdir()?; // use a permanent directory in practice
//!
//! // Missing tables are built and kept if the estimated build time is at most 2 s.
//! let goal = Goal::blank_last(boards[0].tray());
//! let spec = HeuristicSpec::parse("4-4-4-3", &goal)?; // faster, with larger tables: "6-6-3"
//! let solver = Solver::open(goal, spec, &OpenOptions::new(directory.path()))?;
//!
//! let options = SolveOptions::default()
//!     .threads(0) // all cores
//!     .max_time(Duration::from_secs(60)) // for each board
//!     .progress(|status: &SearchStatus| {
//!         if status.generated > 1_000_000 {
//!             eprintln!("bound {}: {} nodes", status.bound, status.generated);
//!         }
//!     });
//! let mut reports = Vec::new();
//! solver.solve_list(boards, &options, |number, report| {
//!     println!("{number}: {:?} {:?} {:?}", report.status, report.length, report.moves);
//!     reports.push(report); // the object that `solver --json` prints
//! });
//! assert_eq!(reports.len(), 3);
//! assert_eq!((reports[0].status, reports[0].length), (Status::Solved, Some(11)));
//! assert_eq!(reports[1].status, Status::Unsolvable);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - **Solving**: [`Solver::solve`], [`Solver::solve_with`], [`Solver::all_solutions`],
//!   [`Solver::solve_list`]. [`SolveOptions`] contains limits, threads, a cancellation token and a
//!   listener.
//! - **Modes**: [`SolveOptions::mode`] selects a proved shortest solution ([`Mode::Optimal`], the
//!   default), an immediate solution by a method that people can follow ([`Mode::Strategic`];
//!   [`strategic`] returns its steps), or an immediate solution followed by shorter ones
//!   ([`Mode::Anytime`]). The anytime mode reports each solution as an [`Improvement`].
//! - **Results**: a [`Solution`], or a [`SolveError`] with the bound proved so far.
//!   [`Solver::answer`] answers a [`Question`] with a complete [`Report`], whether the board is
//!   solved or not. A [`Summary`] computes statistics of many reports.
//! - **Inspection**: [`Solver::estimate`]; [`Solver::estimates`] for many boards;
//!   [`Solver::probe`] for all table values of a board; `Solver::sample` for estimates of random
//!   boards.
//! - **For players**: [`Solver::hint`] returns the distance to the goal and the good moves,
//!   [`Solver::rate`] judges the moves of a game.
//! - **Tables**: [`Solver::build`] in memory, `Solver::open` in a directory,
//!   [`Solver::with_tables`] from any source.
//!
//! The heuristic is the maximum over all views of a specification: its partitions and their images
//! under the symmetries that keep the goal's blank. In the single-tile metric the heuristic
//! includes Manhattan distance, unless the additive tables of one view cover all tiles.
//!
//! Features, all on by default: `file` (a directory of tables), `parallel` (tables are built on all
//! cores), `serde` (reports as JSON and in other formats), `scramble` (estimates of random boards).
//! Without them the crate needs no threads, no file system, no clock and no C compiler.
//!
//! Three features are for WebAssembly and off by default: `web` (the host's clock, for time
//! limits), `pool` (helper threads from rayon's current pool) and `compact` (a smaller binary). The
//! feature `train` is for `examples/train_guide.rs` alone.

// The modules. Each module imports only from the modules above it:
//
// - `machine`: the clock and the processor;
// - `threads`: helper threads of a call, and work distribution;
// - `boards`: boards as plain numbers;
// - `tables`: the tables of a specification and their look-ups;
// - `calls`: requests, limits and results of searches;
// - `deepening`: iterative deepening, in either metric;
// - `optimal`: one iteration in the single-tile metric;
// - `multi`: one iteration in the multi-tile metric;
// - `metric_search`: the search of either metric;
// - `sides`: search from the start, from the goal, or from the cheaper of the two;
// - `strategic`: solutions by a human method;
// - `anytime`: an immediate solution, then shorter ones;
// - `facade`: solvers, questions and answers;
// - `opening`: sources and choice of tables;
// - `advice`: hints and ratings for players;
// - `training`: samples of beams (feature `train`).

mod advice;
mod anytime;
mod boards;
mod calls;
mod deepening;
mod facade;
mod machine;
mod metric_search;
mod multi;
mod opening;
mod optimal;
mod sides;
pub mod strategic;
mod tables;
mod threads;
#[cfg(feature = "train")]
#[doc(hidden)]
pub mod training;

pub use advice::{Hint, LostStretch, RatedMove, Rating, TileMove};
pub use calls::{
    DuplicatePruning, Improvement, Iteration, LimitReached, Method, Mode, RecordError, SearchStats,
    SearchStatus, Side, Solution, Solutions, SolveError, SolveOptions, check_board,
    number_of_threads,
};
#[cfg(feature = "scramble")]
pub use facade::EstimateSample;
pub use facade::{
    Advice, AllSolutions, Answer, EstimatesError, Probe, ProbedPart, ProbedView, Question, Report,
    Solver, SolverError, Spread, Status, Summary, better_tables,
};
#[doc(hidden)]
pub use machine::{CountsBits, prefetch, with_bit_counting};
pub use opening::{
    Keep, Missing, OpenError, OpenEvent, OpenOptions, OpenProgress, OtherGoals, OverBudget,
    TableBudget, TableChoice, place_of,
};
pub use pdb_gen::BuildEvent;
pub use pdb_table::{Cancel, Control, Progress, SharedTable};
pub use tables::{DamagedTable, PatternGeometry, PatternLookup, PatternState, PatternTable};
pub use threads::{ThreadPermits, ordered_map};
