//! The HTTP service: solves sliding-tile puzzles for everyone else.
//!
//! A leaf over the crates `solver` and `lab`, as the commands are. A request's way is the reading
//! order:
//!
//! - `server`: connections, bounded and timed (`timed_stream`).
//! - `app`: what all requests share, and what is around all routes; `log`, `cors`,
//!   `metrics` and `process`, `client`.
//! - `api`: the routes, a file each; what they read (`body`, `asked`) and describe (`objects`).
//! - `searches`: who is let in and how it ends; `queue`: whose turn it is, and the threads.
//! - `answer`: a board solved, by `solvers`, which keep the tables; `explanations`; `memory`,
//!   and `reserve`, the allocator's emergency memory.
//! - `bundles`, `page`: `files` that are sent.
//! - `health`: the service asked from outside.
//!
//! Handlers never search: the threads of `queue` do, as many as there are cores, and everything
//! else runs on the few threads of the runtime, which therefore answer at once. A request's
//! `Search` is owned by its answer, so a client that goes away takes its searches with it.

#![deny(unsafe_code)]

mod answer;
mod api;
mod app;
mod bundles;
mod client;
mod config;
mod cors;
mod explanations;
mod files;
mod health;
mod log;
mod memory;
mod metrics;
mod page;
mod problem;
mod process;
mod queue;
mod request;
mod reserve;
mod router;
mod searches;
mod server;
mod solvers;
mod timed_stream;

pub use config::{Config, LogFormat};
pub use health::check_health;
pub use reserve::Allocator;
pub use server::Server;
