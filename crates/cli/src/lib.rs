//! Plots, which the commands `pdb-gen` and `solver` both draw.

#![forbid(unsafe_code)]

#[cfg(feature = "full")]
pub mod plot;
