//! HTTP service that solves sliding-tile puzzles.
//!
//! Each module imports only modules that are listed before it; `cli/tests/commands/modules.rs`
//! checks this.
//!
//! - `config`: the options.
//! - `lock`, `headers`: locks, and headers of the service.
//! - `problem`: errors as HTTP answers.
//! - `client`, `places`: the client of a request, and limits on concurrent requests.
//! - `process`, `metrics`: metrics of the process and of the service.
//! - `reserve`, `memory`: the allocator's emergency memory, and the free memory.
//! - `timed_stream`: a connection with time limits.
//! - `health`: a health check of a running service.
//! - `files`: file downloads.
//! - `queue`: the order of searches, and the search threads.
//! - `log`: one line per request.
//! - `searches`: admission, cancellation and end of requests with searches.
//! - `opener`, `turns`: opening and building tables, one request at a time.
//! - `solvers`: open solvers and their tables.
//! - `cors`: sites whose pages can use the service.
//! - `bundles`, `explanations`: packed tables, and explanations of heuristics.
//! - `request`: a checked request.
//! - `page`: the page of the browser frontend.
//! - `app`: state shared by all handlers.
//! - `event_buffer`, `answer`: events of a search, and the answer for a board.
//! - `api`: the routes, one file each; `body` reads requests, `objects` describes answers.
//! - `router`: all routes with their checks, headers and log.
//! - `server`: connections, from listening to shutdown.
//!
//! Handlers never search: searches run on the threads of `queue`, one per core. Everything else
//! runs on the few threads of the runtime, which therefore answer immediately. The answer of a
//! request owns its `Search`, so a client that disconnects ends its searches.

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
