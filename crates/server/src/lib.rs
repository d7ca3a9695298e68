//! HTTP service that solves sliding-tile puzzles.
//!
//! The questions and answers are those of the crate `session`; axum, tower-http and hyper handle
//! HTTP. What is left is here: the turns of clients, lists and events.
//!
//! - `config`: the options.
//! - `body`: errors, requests and answers in JSON.
//! - `queue`, `searches`: the clients, the order of their searches, and requests with
//!   searches.
//! - `app`: state shared by all handlers, with the limits of the session and the metrics.
//! - `list`, `solve`: the routes.
//! - `router`, `server`: the description of the routes, the layers around them, and connections from
//!   listening to shutdown.
//!
//! Handlers never search: searches run on the threads of `queue`, one per core. Everything else
//! runs on the few threads of the runtime, which therefore answer immediately. The answer of a
//! request owns its `Search`, so a client that disconnects ends its searches.

mod app;
mod body;
mod config;
mod list;
mod queue;
mod router;
mod searches;
mod server;
mod solve;

pub use config::{Config, LogFormat};
pub use server::Server;
