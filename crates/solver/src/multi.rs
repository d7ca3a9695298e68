//! The multi-tile metric: a move slides a run of one or more tiles in one line towards the blank,
//! and counts as one move.
//!
//! Additive tables of the single-tile metric are not lower bounds in this metric: a run can move
//! tiles of several patterns for the cost of one move. The heuristic is the maximum of full-cost
//! tables made for the metric ([`puzzle::TableKind::MultiTile`]). On trays too large for any table,
//! the heuristic uses the number of tiles that must cross each line between rows or columns.

mod heuristic;
pub(crate) mod line_crossings;
pub(crate) mod multi_tile;
mod parallel;
mod search;
pub(crate) mod table;
