//! Helper threads of a call, and work distribution between them.

mod ordered_map;
mod permits;
mod scope;
mod tasks;

pub use ordered_map::ordered_map;
pub(crate) use pdb_table::lock;
pub use permits::ThreadPermits;
pub(crate) use scope::{OnPanic, scope};
pub(crate) use tasks::run_all;
