//! Tables built by a reference search: reading, decoding, packing and export.
#![allow(clippy::unwrap_used)]

mod export;
mod files;
mod statistics;
mod values;
