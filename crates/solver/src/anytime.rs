//! An immediate solution, then shorter ones, until one is proved optimal or a limit is reached.
//!
//! The first solution is the strategic one, which takes a millisecond. Slices of work of growing
//! size then alternate between two searches. IDA* raises the proved lower bound, at most to the
//! length of the best solution; beam search finds shorter solutions. The last slice uses all the
//! remaining time and adapts the width of its beam to the clock.
//!
//! In the multi-tile metric, tables of single moves guide the beams, and a turn has a cost.
//!
//! - `incumbent.rs`: the best solution and the remaining limits; `slices.rs`: the slices of work.
//! - `task.rs`, `beam.rs`: the layered search; `beam/sampling.rs`: samples of it, for training;
//!   `layer.rs`: nodes and children; `table_guide.rs`: their scores; `tile_terms.rs`: score terms
//!   that are not in the tables; `beam_width.rs`: the width of a layer.
//! - `free.rs`: beams without tables; `window.rs`: shortens stretches of a path.

mod beam;
mod beam_width;
mod free;
mod incumbent;
mod layer;
mod slices;
mod table_guide;
mod task;
mod tile_terms;
mod window;

#[cfg(feature = "train")]
pub(crate) use beam::sampling::sample_beam;
pub(crate) use slices::solve;

#[cfg(test)]
mod tests;
