//! The entropy coder: binary decisions with known probabilities, coded by a range variant of
//! asymmetric numeral systems (J. Duda, arXiv:1311.2540). Two interleaved states are computed in
//! parallel.
//!
//! Between decisions, each state x is in the range 2^16 <= x < 2^32. P is the probability of yes in
//! units of 2^-14. The decoder computes:
//!
//! ```text
//! low = x mod 2^14;  yes when low < P
//! yes: x = (x >> 14) * P          + low
//! no:  x = (x >> 14) * (2^14 - P) + low - P
//! if x < 2^16: x = x << 16 | next word of 16 bits
//! ```
//!
//! The coder has two such states and uses them in turn, one per decision. The encoder works
//! backwards, from the last decision to the first.

/// Probabilities are in units of 2^-`SCALE_BITS`.
pub(crate) const SCALE_BITS: u32 = 14;
/// Probability one.
pub(crate) const SCALE: u32 = 1 << SCALE_BITS;
/// Initial state of the encoder, which is the final state of the decoder.
const START: u32 = 1 << 16;
/// Number of interleaved states.
const LANES: usize = 2;
/// Length of the states at the start of a frame, in bytes.
const STATE_BYTES: usize = 4 * LANES;

/// Encoder: collects decisions in order and writes them backwards at the end.
#[derive(Default)]
pub(crate) struct DecisionWriter {
    /// One element per decision. Bit 0 is the decision, 1 for yes; the higher bits are the
    /// probability of yes.
    decisions: Vec<u16>,
}

impl DecisionWriter {
    /// Adds a decision. `yes` is the probability of yes, more than 0 and less than [`SCALE`].
    #[inline]
    pub(crate) fn put(&mut self, yes: u16, decision: bool) {
        self.decisions.push(yes << 1 | u16::from(decision));
    }

    /// The coded bytes: the states in order, then the words.
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

/// Decoder of decisions. Past the end it reads zeros; [`DecisionReader::is_finished`] detects this.
pub(crate) struct DecisionReader<'a> {
    /// State for the next decision.
    x: u32,
    /// State for the decision after the next.
    y: u32,
    words: &'a [u8],
    /// Index of the next word in `words`; may be past the end.
    next: usize,
}

impl<'a> DecisionReader<'a> {
    /// Reads the states; `None` if the bytes are too short or end within a word.
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

    /// Decodes the next decision. `yes` is the probability that the decision is yes.
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

    /// Whether all written decisions were read, and no others.
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
    fn certain_decisions_need_almost_no_space() {
        let mut writer = DecisionWriter::default();
        for _ in 0..100_000 {
            writer.put(SCALE as u16 - 1, true);
        }
        assert!(writer.finish().len() < 24);
    }

    #[test]
    fn truncation_is_detected() {
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
