//! The tables of a specification, and their look-ups.

mod cell_room;
mod heuristic;
mod lehmer;
mod lookup;
mod pattern_lookup;
mod row_index;
mod row_paths;
mod slide;
mod table_batch;
mod table_set;

pub(crate) use cell_room::{CellRoom, Cells16, Cells25, Cells64, Placement};
pub(crate) use heuristic::Heuristic;
pub(crate) use lookup::{AnyProcessor, General, LookupMode, OneBit, PartLookup, SlideGeometry};
pub use pattern_lookup::{PatternGeometry, PatternLookup, PatternState, PatternTable};
pub(crate) use slide::{MOVES, SlideTables};
pub(crate) use table_batch::Batch;
pub use table_set::DamagedTable;
pub(crate) use table_set::{CheckedTable, Geometry, Part, TableSet, View};
