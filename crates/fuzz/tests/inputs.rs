//! All bodies on all seeds and on generated inputs, by any stable toolchain.
//!
//! FUZZ_SEED chooses other generated inputs, FUZZ_INPUTS how many there are. One that fails is
//! written to a file, and the message has the command that repeats it.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use fuzz::generator::Generator;
use fuzz::{TARGETS, Target};

const INPUTS: u64 = 2000;

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().expect("a number"))
}

fn seeds(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = std::fs::read_dir(target.seeds()).expect("each target has seeds");
    let paths = folder.map(|entry| entry.expect("the folder can be read").path());
    let mut seeds: Vec<(PathBuf, Vec<u8>)> = paths
        .map(|path| {
            let bytes = std::fs::read(&path).expect("a seed can be read");
            (path, bytes)
        })
        .collect();
    seeds.sort();
    seeds
}

fn run(target: &Target, input: &[u8], place: &Path, what: &str) {
    let body = target.body;
    let bytes = input.to_vec();
    if catch_unwind(move || body(&bytes)).is_err() {
        let name = target.name;
        panic!(
            "{name}, {what}: repeat it by\n    cargo run -p fuzz --bin {name} -- {}",
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
    let seeds = seeds(target);
    for (path, seed) in &seeds {
        run(target, seed, path, "a seed");
    }
    let seeds: Vec<Vec<u8>> = seeds.into_iter().map(|(_, seed)| seed).collect();
    let seed = number("FUZZ_SEED", 16);
    let mut generator = Generator::new(seed);
    let failed = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failed-{name}"));
    for input_number in 0..number("FUZZ_INPUTS", INPUTS) {
        let input = generator.input(&seeds);
        // Before it is run, so that it is there whatever happens.
        std::fs::write(&failed, &input).expect("the folder of tests can be written");
        let what = format!("FUZZ_SEED={seed}, input {input_number}");
        run(target, &input, &failed, &what);
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
        fn each_target_has_a_test_and_a_program() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            let mut tested = vec![$(stringify!($name)),*];
            tested.retain(|&name| name != "http" || cfg!(feature = "http"));
            assert_eq!(names, tested);
            let manifest = include_str!("../Cargo.toml");
            for name in names {
                assert!(manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")));
            }
        }
    };
}

targets! {
    boards, lists, goals, partitions, pictures, moves, table, packed, manifest, checkpoint, json, http,
    capi, solve
}
