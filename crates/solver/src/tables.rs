//! The tables of a specification, and how their entries are looked up.

pub(crate) mod cell_room;
pub(crate) mod heuristic;
pub(crate) mod lehmer;
pub(crate) mod lookup;
pub(crate) mod pattern_lookup;
pub(crate) mod root_value;
pub(crate) mod row_index;
pub(crate) mod row_paths;
pub(crate) mod slide;
pub(crate) mod slide_tables;
pub(crate) mod table_batch;
pub(crate) mod table_set;
