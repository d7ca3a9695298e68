//! Plots for the commands `pdb-gen` and `solver`.

#![forbid(unsafe_code)]

#[cfg(feature = "full")]
pub mod plot;
