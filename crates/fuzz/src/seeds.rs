//! Seeds of a target: the file `seeds/TARGET.txt`, whose first lines describe the format. Inputs
//! that once failed are named after the fault.

use std::fs;
use std::path::{Path, PathBuf};

/// All seeds of a target, with their names.
#[must_use]
pub fn of(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "seeds"].iter().collect();
    let text = fs::read_to_string(folder.join(format!("{target}.txt")));
    parse(&text.expect("each target has seeds"))
}

/// Writes each seed of a target to a file, because libFuzzer reads seeds from a folder. The
/// environment variable FUZZ_SEED_FOLDER names this folder. Does nothing if the variable is not
/// set.
pub fn unpack(target: &str) {
    let Some(folder) = std::env::var_os("FUZZ_SEED_FOLDER") else {
        return;
    };
    for (name, seed) in of(target) {
        fs::write(Path::new(&folder).join(name), seed).expect("the folder can be written");
    }
}

/// Parses the text of a seed file. Returns the name and the bytes of each seed.
#[must_use]
pub fn parse(text: &str) -> Vec<(String, Vec<u8>)> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    // The text before the first seed describes the format.
    let sections = text.split("\n=== ").skip(1);
    let seeds = sections.map(|section| {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        match head.strip_suffix(" hex") {
            Some(name) => (name.to_owned(), body.split_whitespace().map(byte).collect()),
            None => (head.to_owned(), unescape(body)),
        }
    });
    seeds.collect()
}

/// The bytes of a text with escapes.
fn unescape(mut text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some((plain, escape)) = text.split_once('\\') {
        bytes.extend(plain.bytes());
        let (value, length) = match escape.as_bytes().first() {
            Some(b'n') => (b'\n', 1),
            Some(b'\\') => (b'\\', 1),
            Some(b'x') => (byte(escape.get(1..3).unwrap_or_default()), 3),
            _ => panic!("no escape of seeds: \\{escape}"),
        };
        bytes.push(value);
        text = &escape[length..];
    }
    bytes.extend(text.bytes());
    bytes
}

/// A byte of two hexadecimal digits.
fn byte(digits: &str) -> u8 {
    let value = u8::from_str_radix(digits, 16).ok();
    let value = value.filter(|_| digits.len() == 2);
    value.unwrap_or_else(|| panic!("not a byte in hex: {digits}"))
}
