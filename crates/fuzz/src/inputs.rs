//! Inputs of targets.
//!
//! - Seeds: the file `seeds/TARGET.txt`, whose first lines describe the format. Inputs that once
//!   failed are named after the fault.
//! - Generated inputs for the tests: changed seeds and random bytes. The same start value produces
//!   the same inputs on every machine.
//! - Changes to valid bytes, for formats whose checksums would reject all random bytes.

use std::fs;
use std::path::{Path, PathBuf};

/// All seeds of a target, with their names.
#[must_use]
pub fn seeds_of(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "seeds"].iter().collect();
    let text = fs::read_to_string(folder.join(format!("{target}.txt")));
    parse_seeds(&text.expect("each target has seeds"))
}

/// Writes each seed of a target to a file, because libFuzzer reads seeds from a folder. The
/// environment variable FUZZ_SEED_FOLDER names this folder. Does nothing if the variable is not
/// set.
pub fn unpack_seeds(target: &str) {
    let Some(folder) = std::env::var_os("FUZZ_SEED_FOLDER") else {
        return;
    };
    for (name, seed) in seeds_of(target) {
        fs::write(Path::new(&folder).join(name), seed).expect("the folder can be written");
    }
}

/// Parses the text of a seed file. Returns the name and the bytes of each seed.
#[must_use]
pub fn parse_seeds(text: &str) -> Vec<(String, Vec<u8>)> {
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

/// Maximum length of inputs, in bytes.
const MAX_LENGTH: usize = 6000;

/// A stream of inputs.
#[derive(Clone, Debug)]
pub struct Generator {
    state: u64,
}

impl Generator {
    /// Starts the stream of inputs for a seed.
    #[must_use]
    pub fn new(seed: u64) -> Generator {
        Generator { state: seed }
    }

    /// SplitMix64 (Steele, Lea & Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which must not be 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// The next input. One input in eight consists of random bytes. The others are seeds with
    /// changes, some of which insert bytes of another seed.
    pub fn input(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        if seeds.is_empty() || self.below(8) == 0 {
            let length = self.below(60);
            return (0..length).map(|_| self.next() as u8).collect();
        }
        let mut input = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(6) {
            let other = &seeds[self.below(seeds.len())];
            self.change(&mut input, other);
        }
        input.truncate(MAX_LENGTH);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        /// Words that occur in the texts that the targets read.
        const WORDS: [&str; 20] = [
            "0",
            " ",
            "/",
            "\n",
            ",",
            "-1",
            "4294967296",
            "[",
            "]",
            "\"",
            "_",
            "|",
            "U2",
            "L999",
            "blank-first",
            "\u{85}",
            "\u{1b}",
            "é",
            "6-6-3",
            "{",
        ];
        let at = self.below(input.len() + 1);
        let end = at + self.below(input.len() - at + 1);
        match self.below(8) {
            0 => drop(input.drain(at..end)),
            1 => drop(input.splice(at..at, [self.next() as u8])),
            2 => drop(input.splice(at..at, input[at..end].to_vec())),
            3 => {
                let word = WORDS[self.below(WORDS.len())];
                drop(input.splice(at..at, word.bytes()));
            }
            4 => {
                let from = self.below(other.len() + 1);
                drop(input.splice(at.., other[from..].iter().copied()));
            }
            5 => input.extend((0..4).map(|_| self.next() as u8)),
            _ => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << self.below(8);
                }
            }
        }
    }
}

/// Length of a change in bytes: one for the operation, two for the position, one for the value.
const EDIT: usize = 4;
/// Largest number of changes to one input.
const MAX_EDITS: usize = 64;

/// Applies the changes in `edits`, four bytes each. Changes to the header fields affect only the
/// first `head` bytes of the file, and all other changes only bytes from the offset `start` on.
pub fn apply_edits(bytes: &mut Vec<u8>, head: usize, start: usize, edits: &[u8]) {
    for edit in edits.chunks_exact(EDIT).take(MAX_EDITS) {
        let (what, value) = (edit[0], edit[3]);
        let at = usize::from(u16::from_le_bytes([edit[1], edit[2]]));
        if what & 0x0f == 0x0f {
            bytes.resize(at % (bytes.len() + 64), value);
            continue;
        }
        let (start, room) = match what & 4 {
            0 => (start, bytes.len().saturating_sub(start)),
            _ => (0, bytes.len().min(head)),
        };
        if room == 0 {
            continue;
        }
        let place = start + at % room;
        let byte = &mut bytes[place];
        *byte = match what & 3 {
            0 => value,
            1 => *byte ^ value,
            2 => byte.wrapping_add(value),
            _ => *byte ^ 1 << (value % 8),
        };
    }
}
