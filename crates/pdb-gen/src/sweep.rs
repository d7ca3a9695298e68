//! The sweep: breadth-first search from the goal over all rows of a table, in memory.
//!
//! | step | module |
//! | --- | --- |
//! | which rows a table has, and how moves lead from row to row | `row_graph`, `scatter` |
//! | what one level does to some rows, in both metrics | `kernel`, `recorder` |
//! | the loop over levels: single moves, moves of several tiles | `move_sweep`, `multi_sweep` |
//! | memory, and the state between two levels | `buffers`, `zeroed_pages`, `sweep_state` |

pub(crate) mod buffers;
pub(crate) mod kernel;
pub(crate) mod move_sweep;
pub(crate) mod multi_sweep;
pub(crate) mod recorder;
pub(crate) mod row_graph;
pub(crate) mod scatter;
pub(crate) mod sweep_state;
pub(crate) mod zeroed_pages;
