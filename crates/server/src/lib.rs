//! The HTTP service: solves sliding-tile puzzles for everyone else.
//!
//! A leaf over the crates `solver` and `lab`, as the commands are. Its modules, the lowest first:
//! each imports only modules that are listed before it, which `cli/tests/commands/modules.rs` checks.
//!
//! - `config`: the options.
//! - `lock`, `headers`: locks, and headers of the service's own.
//! - `problem`: errors as answers.
//! - `client`, `places`: the client of a request, and places of which each client has some.
//! - `process`, `metrics`: counts of the process and of the service.
//! - `reserve`, `memory`: the allocator's emergency memory, and the memory that is free.
//! - `timed_stream`: a connection with time limits.
//! - `health`: a health check of a running service.
//! - `files`: files that are sent.
//! - `queue`: the order of searches, and their threads.
//! - `log`: one line per request.
//! - `searches`: admission of requests with searches, and their end.
//! - `opener`, `turns`: how tables are opened and built, and the line of those who do it.
//! - `solvers`: open solvers and their tables.
//! - `cors`: which other sites may use the service.
//! - `bundles`, `explanations`: packed tables, and the values of heuristics on a board.
//! - `request`: a checked request.
//! - `page`: the page of the browser frontend.
//! - `app`: the state that all handlers share.
//! - `event_buffer`, `answer`: events of a search, and a board's solution.
//! - `api`: the routes, a file each; `body` reads requests, `objects` describes answers.
//! - `router`: all routes with the checks, headers and log around them.
//! - `server`: connections, from listening to shutting down.
//!
//! Handlers never search: the threads of `queue` do, as many as there are cores, and everything
//! else runs on the few threads of the runtime, which therefore answer at once. A request's
//! `Search` is owned by its answer, so a client that goes away takes its searches with it.

mod answer;
mod api;
mod app;
mod bundles;
mod client;
mod config;
mod cors;
mod event_buffer;
mod explanations;
mod files;
mod headers;
mod health;
mod lock;
mod log;
mod memory;
mod metrics;
mod opener;
mod page;
mod places;
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
mod turns;

pub use config::{Config, LogFormat};
pub use health::check_health;
pub use reserve::Allocator;
pub use server::Server;
