//! Sweep: breadth-first search in memory from the goal over all rows of a table.
//!
//! | step | module |
//! | --- | --- |
//! | rows of a table, and the moves between them | `row_graph`, `scatter` |
//! | one level on a range of rows, in both metrics | `kernel`, `recorder` |
//! | loop over levels: single-tile metric, multi-tile metric | `move_sweep`, `multi_sweep` |
//! | memory, and the state between levels | `buffers`, `sweep_state` |

pub(crate) mod buffers;
pub(crate) mod kernel;
pub(crate) mod move_sweep;
pub(crate) mod multi_sweep;
pub(crate) mod recorder;
pub(crate) mod row_graph;
pub(crate) mod scatter;
pub(crate) mod sweep_state;
