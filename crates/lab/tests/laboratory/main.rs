//! Heuristics, searches, comparisons and the tuner against true distances and plain code.
#![allow(clippy::unwrap_used)]

mod common;
mod compare;
mod heuristic;
mod node_count;
mod search;
mod tune;
