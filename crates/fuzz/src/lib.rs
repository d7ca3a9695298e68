//! Properties that every parser must uphold for any input, one module per subject,
//! each with a `body` that panics if a property fails.
//!
//! The same bodies are run by libFuzzer (`fuzz_targets`, `scripts/check/fuzz.sh`), by the tests of
//! this crate on all seeds and on generated inputs, and on one file alone:
//!
//! ```sh
//! cargo run -p fuzz --bin boards -- FILE...
//! ```
//!
//! They check more than panics. Parsed values print, and parse again to the same; an error is
//! one line without control characters; `verify` accepts no wrong table; solutions are replayed,
//! and have the length of breadth-first search.
//!
//! An input begins with a byte, or a few, that choose among options, so that texts stay readable in
//! seeds; the rest is the text, or for tables, packed tables and checkpoints a list of changes to
//! sound bytes, whose sums are made right again afterwards. `seeds` has the inputs that are always
//! run.

pub mod boards;
pub mod capi;
pub mod checkpoint;
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
