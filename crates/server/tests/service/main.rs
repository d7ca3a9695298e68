//! Tests over real connections: all routes, and all limits.
#![allow(clippy::unwrap_used)]

mod answers;
mod bundles;
mod cancel;
mod client;
mod headers;
mod lists;
mod openapi;
mod page;
mod protection;
#[path = "../../../session/tests/shared/questions.rs"]
mod questions;
mod solve;
mod stop;
mod tables;
