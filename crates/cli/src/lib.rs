//! Plots, which the commands `pdb-gen` and `solver` both draw.

#[cfg(feature = "full")]
pub mod plot;
