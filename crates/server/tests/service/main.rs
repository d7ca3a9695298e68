//! The service over real connections: every route, and what is bounded.
#![allow(clippy::unwrap_used)]

mod bundles;
mod cancel;
mod client;
mod headers;
mod lists;
mod openapi;
mod page;
mod protection;
mod solve;
mod stop;
mod tables;
