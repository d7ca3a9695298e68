//! Generator of inputs for the tests: changed seeds and random bytes. The same start value produces
//! the same inputs on every machine.

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
