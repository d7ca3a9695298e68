//! Helper threads of a call, and work distribution between them.

mod ordered_map;
mod permits;
mod scope;
mod tasks;

pub use ordered_map::ordered_map;
pub use permits::ThreadPermits;
pub(crate) use scope::{OnPanic, lock, scope};
pub(crate) use tasks::run_all;
