//! A solution at once, then shorter ones, until one is proved or a limit is reached.
//!
//! The first solution is the strategic one, which takes a millisecond. Then slices of work of
//! growing size take turns: IDA* from the proved lower bound up to the length of the best solution,
//! which proves; and beam search, which finds. The last slice takes all the time that is left, and
//! the width of its beam follows the clock.
//!
//! - `incumbent.rs`: the best solution and what is left of the limits; `slices.rs`: the turns.
//! - `task.rs`, `beam.rs`: the layered search; `layer.rs`: nodes and children;
//!   `table_guide.rs`: their scores; `tile_terms.rs`: what tables do not know; `beam_width.rs`: how
//!   wide a layer may be.
//! - `free.rs`: beams without tables; `window.rs`: stretches of a path made shorter.

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

pub(crate) use slices::solve;

#[cfg(test)]
mod tests;
