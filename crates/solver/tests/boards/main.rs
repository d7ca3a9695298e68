//! Solutions of boards: against published answers, against every state of small trays, and against
//! searches written here, which share none of the solver's code but the tables' numbering.
#![allow(clippy::unwrap_used)]

/// Whether this is the long set (CONTRIBUTING.md), in which some tests have more cases.
const IS_LONG: bool = cfg!(feature = "long-tests");

mod answers;
mod anytime_free;
mod eight_puzzle;
#[cfg(feature = "scramble")]
mod estimates;
mod exact;
mod fifteen_puzzle;
mod forged;
mod helpers;
mod iterations;
mod known_answers;
mod large;
mod limit;
mod multi;
mod order;
mod probe;
#[path = "../shared/questions.rs"]
mod questions;
mod readme;
mod reference;
#[cfg(feature = "serde")]
mod report;
#[cfg(feature = "scramble")]
mod sample;
mod sides;
mod solutions;
mod strategic;
mod summary;
