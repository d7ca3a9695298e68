//! What a search is asked for, within which limits, and what it returns.

pub(crate) mod call;
pub(crate) mod limits;
pub(crate) mod options;
pub(crate) mod problem;
pub(crate) mod search_request;
pub(crate) mod setters;
pub(crate) mod solution;
