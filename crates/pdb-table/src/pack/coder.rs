//! The entropy coder: decisions of known probability, by a range variant of asymmetric numeral
//! systems (J. Duda, arXiv:1311.2540) with two interleaved states, computed at once.
//!
//! A state is 2^16 <= x < 2^32 between decisions. With P = `yes`, in units of 2^-14, it reads
//!
//! ```text
//! low = x mod 2^14;  yes when low < P
//! yes: x = (x >> 14) * P          + low
//! no:  x = (x >> 14) * (2^14 - P) + low - P
//! if x < 2^16: x = x << 16 | next word of 16 bits
//! ```
//!
//! and the states take turns. Writing goes backwards, from the last decision to the first.

/// Probabilities are in units of 2 to the minus this.
pub(crate) const SCALE_BITS: u32 = 14;
/// A probability of one.
pub(crate) const SCALE: u32 = 1 << SCALE_BITS;
/// The first state of a writer, which is the last of a reader.
const START: u32 = 1 << 16;
/// States that take turns.
const LANES: usize = 2;
/// Bytes of the states at the beginning of a frame.
const STATE_BYTES: usize = 4 * LANES;

/// Collects decisions in order; they are written backwards when all are known.
#[derive(Default)]
pub(crate) struct DecisionWriter {
    /// The probability of yes, doubled, and 1 for yes.
    decisions: Vec<u16>,
}

impl DecisionWriter {
    /// Adds a decision whose probability of yes is `yes`, more than 0 and less than [`SCALE`].
    #[inline]
    pub(crate) fn put(&mut self, yes: u16, decision: bool) {
        self.decisions.push(yes << 1 | u16::from(decision));
    }

    /// The bytes: the states in order, then the words.
    pub(crate) fn finish(self) -> Vec<u8> {
        let mut states = [START; LANES];
        let mut words: Vec<u16> = Vec::new();
        for (index, &coded) in self.decisions.iter().enumerate().rev() {
            let yes = u32::from(coded >> 1);
            let (start, share) = match coded & 1 {
                1 => (0, yes),
                _ => (yes, SCALE - yes),
            };
            let x = &mut states[index % LANES];
            if u64::from(*x) >= u64::from(share) << (32 - SCALE_BITS) {
                words.push(*x as u16);
                *x >>= 16;
            }
            *x = ((*x / share) << SCALE_BITS) + start + *x % share;
        }
        let states = states.iter().flat_map(|x| x.to_le_bytes());
        let words = words.iter().rev().flat_map(|word| word.to_le_bytes());
        states.chain(words).collect()
    }
}

/// Reads decisions back. Past the end it reads zeros, which [`DecisionReader::is_finished`] shows.
pub(crate) struct DecisionReader<'a> {
    /// The state of the next decision.
    x: u32,
    /// The state of the one after it.
    y: u32,
    words: &'a [u8],
    /// The index of the next word in `words`, which may be past the end.
    next: usize,
}

impl<'a> DecisionReader<'a> {
    /// Reads the states; `None` if the bytes are too few for them or end in half a word.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let state = |at: usize| -> Option<u32> {
            Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
        };
        let (x, y) = (state(0)?, state(4)?);
        let words = &bytes[STATE_BYTES..];
        (words.len() % 2 == 0).then_some(DecisionReader {
            x,
            y,
            words,
            next: 0,
        })
    }

    /// The next decision, given its probability of yes.
    #[inline]
    pub(crate) fn get(&mut self, yes: u16) -> bool {
        let yes = u32::from(yes);
        let low = self.x & (SCALE - 1);
        let decision = low < yes;
        let (start, share) = if decision {
            (0, yes)
        } else {
            (yes, SCALE - yes)
        };
        let mut x = (self.x >> SCALE_BITS)
            .wrapping_mul(share)
            .wrapping_add(low - start);
        if x < START {
            let word = match self.words.get(self.next..self.next + 2) {
                Some(word) => u32::from(u16::from_le_bytes([word[0], word[1]])),
                None => 0,
            };
            x = x << 16 | word;
            self.next += 2;
        }
        self.x = self.y;
        self.y = x;
        decision
    }

    /// Whether everything that was written was read, and nothing else.
    pub(crate) fn is_finished(&self) -> bool {
        self.x == START && self.y == START && self.next == self.words.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coded_bits_are_decoded() {
        for count in [0, 1, 2, 3, 1000, 100_001] {
            let mut seed = 12345_u32;
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed >> 8
            };
            let decisions: Vec<(u16, bool)> = (0..count)
                .map(|_| {
                    let yes = 1 + next() % (SCALE - 1);
                    (yes as u16, next() % SCALE < yes)
                })
                .collect();
            let mut writer = DecisionWriter::default();
            for &(yes, decision) in &decisions {
                writer.put(yes, decision);
            }
            let bytes = writer.finish();
            let mut reader = DecisionReader::new(&bytes).unwrap();
            for &(yes, decision) in &decisions {
                assert_eq!(reader.get(yes), decision);
            }
            assert!(reader.is_finished());
        }
    }

    #[test]
    fn certain_decisions_take_almost_nothing() {
        let mut writer = DecisionWriter::default();
        for _ in 0..100_000 {
            writer.put(SCALE as u16 - 1, true);
        }
        assert!(writer.finish().len() < 24);
    }

    #[test]
    fn a_cut_is_noticed() {
        let mut writer = DecisionWriter::default();
        for index in 0..1000 {
            writer.put(SCALE as u16 / 2, index % 3 == 0);
        }
        let bytes = writer.finish();
        let mut reader = DecisionReader::new(&bytes[..bytes.len() - 2]).unwrap();
        for _ in 0..1000 {
            reader.get(SCALE as u16 / 2);
        }
        assert!(!reader.is_finished());
        assert!(DecisionReader::new(&bytes[..7]).is_none());
        assert!(DecisionReader::new(&bytes[..9]).is_none());
    }
}
