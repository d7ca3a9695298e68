//! Requests, limits and results of searches.

mod call;
mod limits;
mod options;
mod problem;
mod record;
mod search_request;
mod solution;

pub(crate) use call::Call;
pub(crate) use limits::Limits;
pub use limits::SearchStatus;
pub(crate) use options::setters;
pub use options::{Mode, SolveOptions, number_of_threads};
pub(crate) use problem::Problem;
pub use problem::check_board;
pub(crate) use record::{Finished, SearchRecord, TaskKey};
pub use search_request::{DuplicatePruning, Side};
pub(crate) use search_request::{NodeCount, Request, SearchOutcome};
pub use solution::{
    Improvement, Iteration, LimitReached, Method, RecordError, SearchStats, Solution, Solutions,
    SolveError,
};
