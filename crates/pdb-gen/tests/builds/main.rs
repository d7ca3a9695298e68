//! Tests of built and exported tables: comparison with plain searches, checkpoints, parts, and
//! proofs.
#![allow(clippy::unwrap_used)]

#[cfg(feature = "file")]
mod checkpoint;
mod export;
mod parts;
mod proof;
mod reference;
mod runs;
