//! A solution at once, then shorter ones, until one is proved or a limit is reached.
//!
//! - The first solution is the strategic one, which takes a millisecond.
//! - Then slices of work of growing size take turns: IDA* from the proved lower bound up to the
//!   length of the best solution, which proves; and beam search, which finds. A larger slice has a
//!   wider beam. The last slice takes all the time that is left, and its width follows the clock,
//!   so that it ends in time.
//! - `incumbent.rs`: the best solution and what is left of the limits; `slices.rs`: the turns.
//! - `task.rs`, `beam.rs`: the layered search; `layer.rs`: the children of a layer;
//!   `table_guide.rs`: their scores; `tile_terms.rs`: what tables do not know; `beam_width.rs`: how
//!   wide a layer may be.
//! - `free.rs`: beams without tables; `window.rs`: stretches of a path made shorter.

mod beam;
mod beam_node;
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
