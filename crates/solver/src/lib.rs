//! A solver for sliding-tile puzzles: shortest solutions by IDA* with pattern databases, and short
//! ones in any time for boards that are too hard for that.
//!
//! A [`Solver`] is made for one goal from a specification, which names the heuristic and says what
//! counts as a move, and from tables, which it builds itself, opens in a directory or takes from
//! anywhere. It solves any number of boards, from any number of threads. This program opens tables
//! and solves a list of boards on all cores:
//!
//! ```
//! # #[cfg(feature = "file")] {
//! use std::time::Duration;
//! use puzzle::{Board, Goal, HeuristicSpec};
//! use solver::{OpenOptions, SearchStatus, SolveOptions, Solver, Status};
//!
//! let boards = [
//!     "2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15",
//!     "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", // two tiles are swapped
//!     "5 2 8 4/1 10 3 11/13 6 0 7/9 14 15 12",
//! ];
//! let boards = boards.map(|board| Board::parse(board, None).unwrap());
//! let directory = tempfile::tempdir()?; // in earnest a directory that stays
//!
//! // Missing tables are built and kept if that takes up to 2 s by estimate.
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
//!   [`Solver::solve_list`]; [`SolveOptions`] has limits, threads, a token to cancel and a
//!   listener.
//! - **Modes**: [`SolveOptions::mode`] requests a proved shortest solution ([`Mode::Optimal`], the
//!   default), one at once by a method that people can follow ([`Mode::Strategic`]; [`strategic`]
//!   has its steps), or one at once and then shorter ones ([`Mode::Anytime`]), each of which is an
//!   [`Improvement`].
//! - **Results**: a [`Solution`], or a [`SolveError`] that says what is proved; [`Solver::answer`]
//!   makes a complete [`Report`] of either, for a [`Question`] that [`GivenOptions`] checks; a
//!   [`Summary`] has the figures of many.
//! - **Looking in**: [`Solver::estimate`], [`Solver::estimates`] of many boards, [`Solver::probe`]
//!   for all that the tables say of a board, and `Solver::sample` for estimates of random boards.
//! - **For players**: [`Solver::hint`] says how far the goal is and which moves are good ones,
//!   [`Solver::rate`] judges moves that were made.
//! - **Tables**: [`Solver::build`] in memory, `Solver::open` in a directory,
//!   [`Solver::with_tables`] from anywhere.
//!
//! The heuristic is the maximum over all views of a specification: its partitions and their images
//! under the symmetries that keep the goal's blank; and Manhattan distance where no view covers all
//! tiles additively.
//!
//! Features, all on by default: `file` (the tables directory), `parallel` (tables are built on all
//! cores), `serde` (reports as JSON and in other formats), `scramble` (estimates of random boards).
//! Without them the crate needs no threads, no file system, no clock and no C compiler.
//!
//! Three are for WebAssembly and off by default: `web` (the host's clock, so that limits of time
//! are kept), `pool` (helper threads from rayon's current pool) and `compact` (a smaller program).

// The rooms, each of which imports only from those before it:
//
// - `machine`: the clock and the processor;
// - `threads`: helpers of a call, and how work is shared out;
// - `boards`: boards as plain numbers;
// - `tables`: the tables of a specification and their look-ups;
// - `calls`: what a search is asked for, its limits, and what it returns;
// - `deepening`: IDA* from bound to bound, in either metric;
// - `optimal`: one iteration in single moves;
// - `multi`: one iteration in the multi-tile metric;
// - `metric_search`: the search of either metric;
// - `sides`: a board searched from its start, its goal, or the better of them;
// - `strategic`: solutions by a human method;
// - `anytime`: a solution at once, then shorter ones;
// - `facade`: solvers, questions and answers;
// - `opening`: where tables come from, and which are taken;
// - `advice`: hints and ratings for players.

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

pub use advice::{Hint, LostStretch, RatedMove, Rating, TileMove};
pub use calls::{
    DuplicatePruning, Improvement, Iteration, LimitReached, Method, Mode, SearchStats,
    SearchStatus, Side, Solution, Solutions, SolveError, SolveOptions, check_board,
    number_of_threads,
};
#[cfg(feature = "scramble")]
pub use facade::EstimateSample;
pub use facade::{
    Advice, AllSolutions, Answer, EstimatesError, GivenOptions, OptionError, Probe, ProbedPart,
    ProbedView, Question, Report, Solver, SolverError, Spread, Status, Summary, SummaryFormat,
    Within,
};
pub use opening::{
    Keep, Missing, OpenError, OpenEvent, OpenOptions, OpenProgress, OverBudget, TableBudget,
    TableChoice, place_of,
};
pub use pdb_gen::BuildEvent;
pub use pdb_table::{Cancel, Control, Progress, SharedTable};
pub use tables::{DamagedTable, PatternGeometry, PatternLookup, PatternState, PatternTable};
pub use threads::{ThreadPermits, ordered_map};
