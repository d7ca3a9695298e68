//! The targets by name, and the programs that run them.

#[cfg(feature = "http")]
use crate::http;
use crate::{
    boards, capi, checkpoint, goals, json, lists, manifest, moves, packed, partitions, pictures,
    solve, table,
};

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name of the target and of its file of seeds.
    pub name: &'static str,
    /// Panics if a property is violated.
    pub body: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("boards", boards::body),
    target("lists", lists::body),
    target("goals", goals::body),
    target("partitions", partitions::body),
    target("pictures", pictures::body),
    target("moves", moves::body),
    target("table", table::body),
    target("packed", packed::body),
    target("manifest", manifest::body),
    target("checkpoint", checkpoint::body),
    target("json", json::body),
    #[cfg(feature = "http")]
    target("http", http::body),
    target("capi", capi::body),
    target("solve", solve::body),
];

const fn target(name: &'static str, body: fn(&[u8])) -> Target {
    Target { name, body }
}

/// Defines the program of a target. If cargo-fuzz or scripts/check/fuzz.sh compiles the program,
/// libFuzzer runs the target; otherwise the program runs the target on the files in its arguments.
#[macro_export]
macro_rules! program {
    ($subject:ident) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(
            init: $crate::seeds::unpack(stringify!($subject)),
            |bytes: &[u8]| $crate::$subject::body(bytes)
        );

        #[cfg(not(fuzzing))]
        fn main() {
            for path in std::env::args_os().skip(1) {
                let bytes = std::fs::read(&path).expect("the file can be read");
                $crate::$subject::body(&bytes);
                println!(
                    "{}: no property is violated",
                    std::path::Path::new(&path).display()
                );
            }
        }
    };
}
