//! The targets by name, and the programs that run them.

#[cfg(feature = "http")]
use crate::http;
use crate::{
    boards, capi, checkpoint, goals, json, lists, manifest, moves, packed, partitions, pictures,
    solve, table,
};

/// A subject and what is done with bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target and of its file of seeds.
    pub name: &'static str,
    /// Panics where the program is wrong.
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

/// The program of a target: libFuzzer's where cargo-fuzz or scripts/check/fuzz.sh compile it, else one
/// that runs the files that are its arguments.
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
                    "{}: nothing is wrong",
                    std::path::Path::new(&path).display()
                );
            }
        }
    };
}
