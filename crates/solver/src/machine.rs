//! The machine: the clock, prefetching, and detection of processor instructions.

mod clock;
mod processor;

pub(crate) use clock::{HAS_CLOCK, Instant};
pub use processor::{has_bit_counting, prefetch};
