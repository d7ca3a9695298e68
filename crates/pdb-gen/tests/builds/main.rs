//! Tables against plain searches, whatever way they were built, and as they are exported.
#![allow(clippy::unwrap_used)]

#[cfg(feature = "file")]
mod checkpoint;
mod export;
mod parts;
mod proof;
mod reference;
mod runs;
mod search;
