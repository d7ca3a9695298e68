//! The machine: its clock, and what a processor is asked for besides computing.

mod clock;
mod processor;

pub(crate) use clock::{HAS_CLOCK, Instant};
pub(crate) use processor::{has_bit_counting, prefetch};
