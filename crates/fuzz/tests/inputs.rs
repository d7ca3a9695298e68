//! Runs all bodies on all seeds and on generated inputs. Any stable toolchain suffices.
//!
//! FUZZ_SEED is the start value of the generator, and FUZZ_INPUTS is the number of generated inputs
//! per target. A failing input is written to a file, and the message contains the command that
//! repeats the failure.

use std::panic::catch_unwind;
use std::path::Path;

use fuzz::inputs::{Generator, parse_seeds, seeds_of};
use fuzz::{TARGETS, Target};

const INPUTS: u64 = 2000;

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().expect("a number"))
}

fn run(target: &Target, input: &[u8], place: &Path, what: &str) {
    let body = target.body;
    let bytes = input.to_vec();
    if catch_unwind(move || body(&bytes)).is_err() {
        let name = target.name;
        panic!(
            "{name}, {what}: repeat it by\n    FUZZ_TARGET={name} cargo run -p fuzz -- {}",
            place.display()
        );
    }
}

fn try_target(name: &str) {
    if name == "http" && !cfg!(feature = "http") {
        return;
    }
    let target = TARGETS
        .iter()
        .find(|target| target.name == name)
        .expect("a target");
    let failed = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("failed-{name}-{}", std::process::id()));
    // Each input is written to a file before it is tried, so that the file remains after any kind
    // of failure.
    let try_input = |input: &[u8], what: &str| {
        std::fs::write(&failed, input).expect("the folder of tests can be written");
        run(target, input, &failed, what);
    };
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for (seed_name, seed) in seeds_of(name) {
        try_input(&seed, &format!("seed {seed_name}"));
        seeds.push(seed);
    }
    let seed = number("FUZZ_SEED", 16);
    let mut generator = Generator::new(seed);
    for input_number in 0..number("FUZZ_INPUTS", INPUTS) {
        let input = generator.input(&seeds);
        try_input(&input, &format!("FUZZ_SEED={seed}, input {input_number}"));
    }
    std::fs::remove_file(failed).expect("it was written");
}

macro_rules! targets {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            try_target(stringify!($name));
        })*

        #[test]
        fn each_target_has_a_test() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            let mut tested = vec![$(stringify!($name)),*];
            tested.retain(|&name| name != "http" || cfg!(feature = "http"));
            assert_eq!(names, tested);
        }
    };
}

#[test]
fn seeds_are_texts_with_escapes_or_hex() {
    let text = "# Form.\n=== two lines\n0a\n b\\n\n=== escapes\n\\x1f\\\\é\\xfe\n=== empty\n\
                === bytes hex\n00 0a\nff\n=== last\n=\n";
    let expected: [(&str, &[u8]); 5] = [
        ("two lines", b"0a\n b\n"),
        ("escapes", b"\x1f\\\xc3\xa9\xfe"),
        ("empty", b""),
        ("bytes", &[0, 10, 255]),
        ("last", b"="),
    ];
    let expected = expected.map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
    assert_eq!(parse_seeds(text), expected);
}

#[test]
#[should_panic(expected = "not a byte in hex: f")]
fn half_a_byte_is_rejected() {
    let _ = parse_seeds("\n=== a hex\n00 f");
}

targets! {
    boards, lists, goals, partitions, pictures, moves, table, packed, manifest, checkpoint, json, http,
    contract, solve
}
