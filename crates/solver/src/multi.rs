//! The multi-tile metric: a move slides a run of one or more tiles in one line towards the blank,
//! and counts once.
//!
//! Additive tables of single moves are no lower bounds here, since a run moves tiles of several
//! patterns at the cost of one. What serves are full-cost tables made for the metric
//! ([`puzzle::TableKind::MultiTile`]), of which the maximum is taken, and on trays that no table
//! can have the tiles that must cross each line between rows or columns.

mod heuristic;
pub(crate) mod line_crossings;
pub(crate) mod multi_tile;
mod parallel;
mod search;
pub(crate) mod table;
