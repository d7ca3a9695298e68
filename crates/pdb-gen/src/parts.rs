//! A sweep divided among processes, without the network.

mod part_sweep;
mod row_code;
mod shape_partition;

pub use part_sweep::{BlockError, PartError, PartSweep, Sent};
pub use shape_partition::ShapePartition;
