//! The solver and the laboratory for hosts of WebAssembly: browsers, Node and others.
//!
//! This crate translates requests and answers, which are JSON texts with the objects of
//! `docs/json.md`. The npm package in `crates/wasm/npm` wraps them in typed promises, and runs the
//! module in a worker.
//!
//! - [`rules`]: parsing, drawing and scrambling boards, solvability, moves.
//! - [`Loader`]: builds the tables for a goal, or reads them from bytes; becomes a [`JsonSolver`].
//! - [`JsonSolver`]: solves, advises, proves its tables.
//! - [`Laboratory`]: textbook heuristics and searches.
//! - [`host`]: receives the reports of calls, and stops them.
//! - `threads`: a pool of workers, in the module that is compiled with the feature `threads`.
//!
//! The crate is compiled as four modules, each of which contains the rules. The first module
//! contains only the rules, for calls on a page's own thread. The other modules add the solver for
//! one thread, the solver for several threads, and the laboratory.
//!
//! A call fails if its input is invalid, if its report has no answer, or if the host stops the
//! call. It then throws a JSON text, [`JsonError`]. A trap means a defect or exhausted memory; the
//! instance must then be discarded.

#[cfg(any(feature = "solver", feature = "laboratory"))]
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
#[cfg(any(feature = "solver", feature = "laboratory"))]
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
