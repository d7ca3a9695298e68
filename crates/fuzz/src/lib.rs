//! Fuzz targets: properties that every parser must uphold for any input. Each function covers one
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
#[cfg(feature = "http")]
pub mod http;
pub mod inputs;
pub mod json;
pub mod lists;
pub mod packed;
pub mod partitions;
pub mod solve;
pub mod table;
pub mod text;

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name of the target and of its file of seeds.
    pub name: &'static str,
    /// Panics if a property is violated.
    pub body: fn(&[u8]),
}

macro_rules! targets {
    ($($(#[$condition:meta])? $module:ident::$name:ident)+) => {
        /// All targets.
        pub const TARGETS: &[Target] = &[
            $($(#[$condition])? Target { name: stringify!($name), body: $module::$name },)+
        ];
    };
}

targets! {
    boards::boards lists::lists boards::goals partitions::partitions partitions::pictures
    boards::moves table::table packed::packed packed::manifest checkpoint::checkpoint json::json
    #[cfg(feature = "http")]
    http::http
    json::contract solve::solve
}
