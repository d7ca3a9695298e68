//! Searches in the single-tile metric.
//!
//! - `single_tile.rs`: the tables of a specification, and the choice of the specialised search.
//! - `search.rs`: one iteration of IDA*, on one thread or several.
//! - `frontier.rs`: the top of the search tree, which chooses the views of each subtree.
//! - `context.rs`: the read-only data of a search of one board, and of a subtree.
//! - `node.rs`, `batch_dfs.rs`: depth-first search, the hot path; `deferred_counts.rs`: exact node
//!   counts.
//! - `iteration.rs`: data shared by the threads of an iteration. An idle thread receives every
//!   second node of another thread's stack.
//! - `automaton.rs`: duplicate pruning; `move_table.rs`: the moves left after pruning.

mod automaton;
mod batch_dfs;
mod context;
mod deferred_counts;
mod frontier;
mod iteration;
mod move_table;
mod node;
mod search;
pub(crate) mod single_tile;
