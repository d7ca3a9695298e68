//! Tests of heuristics, searches, comparisons and the tuner. The expected results are true
//! distances, or come from simple code.
#![allow(clippy::unwrap_used)]

/// Whether this is the long set (CONTRIBUTING.md), in which some tests have more cases.
const IS_LONG: bool = cfg!(feature = "long-tests");

mod common;
mod compare;
mod heuristic;
mod search;
mod tune;
