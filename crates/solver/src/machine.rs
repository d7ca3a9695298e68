//! The machine: the clock, and processor instructions besides computing.

mod clock;
mod processor;

pub(crate) use clock::{HAS_CLOCK, Instant};
pub(crate) use processor::{has_bit_counting, prefetch};
