//! The solver and the laboratory for hosts of WebAssembly: browsers, Node and others.
//!
//! This crate translates: requests and answers are JSON texts, the objects those of `docs/json.md`.
//! The npm package in `crates/wasm/npm` makes typed promises of it, and runs it in a worker.
//!
//! - [`rules`]: reading, drawing and scrambling boards, whether they can be solved, moves.
//! - [`Loader`]: tables for a goal, built here or from bytes; it becomes an [`Engine`].
//! - [`Engine`]: solves, advises, proves its tables.
//! - [`Laboratory`]: textbook heuristics and searches.
//! - [`host`]: whom calls report to, and who stops them.
//! - `threads`: a pool of workers, in the module that is compiled with the feature `threads`.
//!
//! There are three modules of it: the rules alone, which pages have on their own thread; all of it;
//! and without the laboratory for several threads.
//!
//! What fails is thrown as a text in JSON, [`Failure`]. A trap is a defect or the end of memory:
//! the instance must be dropped.

#![deny(unsafe_code)]

pub mod exports;

pub mod defect;
#[cfg(feature = "engine")]
pub mod engine;
pub mod failure;
#[cfg(feature = "engine")]
pub mod host;
#[cfg(feature = "laboratory")]
pub mod laboratory;
#[cfg(feature = "engine")]
pub mod loader;
pub mod request;
pub mod rules;
#[cfg(feature = "threads")]
pub mod threads;

#[cfg(feature = "engine")]
pub use engine::Engine;
pub use failure::Failure;
#[cfg(feature = "laboratory")]
pub use laboratory::Laboratory;
#[cfg(feature = "engine")]
pub use loader::Loader;
