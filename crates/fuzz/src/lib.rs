//! Fuzz targets: properties that every parser must uphold for any input. Each module covers one
//! subject and has a `body` that panics if a property is violated.
//!
//! libFuzzer runs the bodies (`fuzz_targets/target.rs`, `scripts/check/fuzz.sh`). The tests of this
//! crate run them on all seeds and on generated inputs. This command runs a body on files:
//!
//! ```sh
//! FUZZ_TARGET=boards cargo run -p fuzz -- FILE...
//! ```
//!
//! The properties go beyond the absence of panics. A parsed value, printed and parsed again, is
//! unchanged; an error is one line without control characters; `verify` accepts no wrong table;
//! solutions are replayed, and have the length found by breadth-first search.
//!
//! An input begins with one or more bytes that select options. The rest is text, so that seeds stay
//! readable. For tables, packed tables and checkpoints, the rest is a list of changes to valid
//! bytes, and the checksums are corrected after these changes. `seeds` contains the inputs that are
//! always run.

pub mod boards;
pub mod checkpoint;
pub mod contract;
pub mod edits;
pub mod generator;
pub mod goals;
#[cfg(feature = "http")]
pub mod http;
pub mod json;
pub mod lists;
pub mod manifest;
pub mod moves;
pub mod packed;
pub mod partitions;
pub mod pictures;
pub mod reference;
pub mod seeds;
pub mod solve;
pub mod table;
pub mod target;
pub mod text;

#[cfg(fuzzing)]
pub use libfuzzer_sys;

pub use target::{TARGETS, Target};
