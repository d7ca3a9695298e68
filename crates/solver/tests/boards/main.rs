//! Solutions of boards, compared with published answers, with every state of small trays, and with
//! searches written here, which share only the tables' numbering with the solver.
#![allow(clippy::unwrap_used)]

/// Whether the long set of tests runs (CONTRIBUTING.md). Some tests then check more cases.
const IS_LONG: bool = cfg!(feature = "long-tests");

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
mod probe;
mod readme;
mod reference;
#[cfg(feature = "serde")]
mod report;
mod sides;
mod solutions;
mod strategic;
