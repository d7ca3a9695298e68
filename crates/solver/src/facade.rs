//! What frontends call: solvers, questions about boards, and complete answers.

pub(crate) mod answer;
pub(crate) mod estimates;
pub(crate) mod given_options;
pub(crate) mod probe;
pub(crate) mod question;
pub(crate) mod report;
#[cfg(feature = "scramble")]
pub(crate) mod sample;
pub(crate) mod solver;
pub(crate) mod summary;
