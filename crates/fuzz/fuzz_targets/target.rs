//! Runs a target under libFuzzer or, in an ordinary build, on the files in its arguments. The
//! variable FUZZ_TARGET names the target.
#![cfg_attr(fuzzing, no_main)]
#![allow(clippy::print_stdout)]

fn target() -> &'static fuzz::Target {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let target = fuzz::TARGETS.iter().find(|target| target.name == name);
    target.unwrap_or_else(|| panic!("FUZZ_TARGET is \"{name}\": expected a target"))
}

#[cfg(fuzzing)]
fuzz::libfuzzer_sys::fuzz_target!(
    init: {
        fuzz::inputs::unpack_seeds(target().name);
        BODY.set(target().body).expect("set once");
    },
    |bytes: &[u8]| BODY.get().expect("set before")(bytes)
);
#[cfg(fuzzing)]
static BODY: std::sync::OnceLock<fn(&[u8])> = std::sync::OnceLock::new();

#[cfg(not(fuzzing))]
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("the file can be read");
        (target().body)(&bytes);
        println!("{path}: no property is violated");
    }
}
