//! Tests over real connections: all routes, and all limits.
#![allow(clippy::unwrap_used)]

mod client;

mod limits;
mod pages;
#[path = "../../../session/tests/shared/questions.rs"]
mod questions;
mod solve;
mod stop;
mod tables;
