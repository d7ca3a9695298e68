//! HTTP service that solves sliding-tile puzzles.
//!
//! The questions and answers are those of the crate `session`; axum, tower-http and hyper handle
//! HTTP. What is left is here: the turns of clients, lists and events.
//!
//! - `config`: the options.
//! - `problem`: errors as HTTP answers.
//! - `client`, `queue`, `searches`: the clients, the order of their searches, and the requests with
//!   searches.
//! - `app`, `bundles`, `metrics`: state shared by all handlers, with the limits of the session.
//! - `body`: reads requests and writes answers.
//! - `answer`, `solve`, `list`, `advice`, `state`: the routes.
//! - `openapi`: their description.
//! - `router`, `server`: the layers around the routes, and connections from listening to shutdown.
//! - `health`: a health check of a running service.
//!
//! Handlers never search: searches run on the threads of `queue`, one per core. Everything else
//! runs on the few threads of the runtime, which therefore answer immediately. The answer of a
//! request owns its `Search`, so a client that disconnects ends its searches.

mod advice;
mod answer;
mod app;
mod body;
mod bundles;
mod client;
mod config;
mod health;
mod list;
mod metrics;
mod openapi;
mod problem;
mod queue;
mod router;
mod searches;
mod server;
mod solve;
mod state;

pub use config::{Config, LogFormat};
pub use health::check_health;
pub use server::Server;
