//! The machine: its clock, and what a processor is asked for besides computing.

pub(crate) mod clock;
pub(crate) mod processor;
