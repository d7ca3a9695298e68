//! Interface for frontends: solvers, questions about boards, and complete answers.

mod answer;
mod estimates;
mod probe;
mod question;
mod report;
#[cfg(feature = "scramble")]
mod sample;
mod solver;
mod summary;

pub use answer::{Advice, Answer};
pub use estimates::EstimatesError;
pub use probe::{Probe, ProbedPart, ProbedView};
pub use question::{AllSolutions, Question};
pub use report::{Report, Status};
#[cfg(feature = "scramble")]
pub use sample::EstimateSample;
pub use solver::{Solver, SolverError};
pub use summary::{Spread, Summary};
