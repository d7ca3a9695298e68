//! The solver and the laboratory for hosts of WebAssembly: browsers, Node and others.
//!
//! Requests, answers and failures are JSON texts: the questions and answers of the crate `session`,
//! spelled for JavaScript. The npm package in `crates/npm` wraps them in typed promises, and
//! runs the module in a worker.
//!
//! - [`Session`]: answers requests.
//! - [`host`]: receives the events of calls, and stops them.
//! - `threads`: a pool of workers, in the module that is compiled with the feature `threads`.
//!
//! The crate is compiled as four modules, each of which contains the rules. The first module
//! contains only the rules, for calls on a page's own thread. The other modules add the solver for
//! one thread, the solver for several threads, and the laboratory.
//!
//! A trap means a defect or exhausted memory; the instance must then be discarded.

pub mod calls;
#[cfg(any(feature = "solver", feature = "laboratory"))]
pub mod host;
pub mod instance;
#[cfg(feature = "threads")]
pub mod threads;

pub use calls::Session;
