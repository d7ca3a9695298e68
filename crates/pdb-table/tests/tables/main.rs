//! Tables built by a reference search: reading, decoding, packing and export.
#![allow(clippy::unwrap_used)]

mod control;
mod export;
mod files;
mod search;
mod statistics;
mod values;
