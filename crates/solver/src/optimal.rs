//! Searches in single moves.
//!
//! - `single_tile.rs`: the tables of a specification, and the copy of the search that suits them.
//! - `search.rs`: one iteration of IDA*, by one thread or several.
//! - `context.rs`: what a search of one board reads and never changes.
//! - `node.rs`, `batch_dfs.rs`: depth-first search, the hot path; `deferred_counts.rs`: exact node
//!   counts.
//! - `iteration.rs`: what threads of an iteration share. A thread without work gets every second node
//!   of another's stack.
//! - `automaton.rs`: duplicate pruning; `move_table.rs`: the moves that it leaves.

mod automaton;
mod batch_dfs;
mod context;
mod deferred_counts;
mod iteration;
mod move_table;
mod node;
mod search;
pub(crate) mod single_tile;
