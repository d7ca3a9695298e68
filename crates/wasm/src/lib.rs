//! The solver and the laboratory for hosts of WebAssembly: browsers, Node and others.
//!
//! This crate translates: requests and answers are JSON texts, the objects those of `docs/json.md`.
//! The npm package in `crates/wasm/npm` makes typed promises of it, and runs it in a worker.
//!
//! - [`rules`]: reading, drawing and scrambling boards, whether they can be solved, moves.
//! - [`Loader`]: tables for a goal, built here or from bytes; it becomes a [`JsonSolver`].
//! - [`JsonSolver`]: solves, advises, proves its tables.
//! - [`Laboratory`]: textbook heuristics and searches.
//! - [`host`]: receives the reports of calls, and stops them.
//! - `threads`: a pool of workers, in the module that is compiled with the feature `threads`.
//!
//! There are three modules of it: the rules alone, which pages have on their own thread; all of it;
//! and without the laboratory for several threads.
//!
//! A call that fails throws a text in JSON, [`JsonError`]: for bad input, for a report without an
//! answer, and when the host stops it. A trap is a defect or the end of memory: the instance must
//! be dropped.

#[cfg(feature = "solver")]
pub mod host;
pub mod instance;
pub mod json_error;
#[cfg(feature = "solver")]
pub mod json_solver;
#[cfg(feature = "laboratory")]
pub mod laboratory;
#[cfg(feature = "solver")]
pub mod loader;
pub mod request;
pub mod rules;
#[cfg(feature = "solver")]
mod solver_error;
#[cfg(feature = "solver")]
pub mod tables;
#[cfg(feature = "threads")]
pub mod threads;

pub use json_error::JsonError;
#[cfg(feature = "solver")]
pub use json_solver::JsonSolver;
#[cfg(feature = "laboratory")]
pub use laboratory::Laboratory;
#[cfg(feature = "solver")]
pub use loader::Loader;
