//! The model: the probability of yes per context. A context is a number that represents what the
//! decoder knows before a decision.
//!
//! All frames of a file use the same model. The file's header stores each probability as one byte,
//! which encodes a *level*. Level i is the share t(i) of the rarer answer, in units of 2^-14:
//!
//! - t(0) = 2^13;
//! - t(i + 1) = t(i) - max(1, floor(t(i) / 16)).
//!
//! The last level is [`LAST_LEVEL`]. Rounding probabilities to levels enlarges files by less than
//! 0.1 %.

use super::coder::SCALE;

/// The level of the smallest share, which is 1 / [`SCALE`].
const LAST_LEVEL: usize = 126;

/// Shares of the rarer answer by level, in units of 1 / [`SCALE`].
const SHARES: [u16; LAST_LEVEL + 1] = {
    let mut shares = [SCALE as u16 / 2; LAST_LEVEL + 1];
    let mut level = 0;
    while level < LAST_LEVEL {
        let share = shares[level];
        let step = if share < 32 { 1 } else { share / 16 };
        shares[level + 1] = if share > step { share - step } else { 1 };
        level += 1;
    }
    shares
};

/// Number of decisions per context and answer.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    /// Per context: the number of decisions with the answer `no`, and with the answer `yes`.
    answers: Vec<[u64; 2]>,
}

impl Counts {
    /// Zero counts for this number of contexts.
    pub(crate) fn new(contexts: usize) -> Self {
        Counts {
            answers: vec![[0; 2]; contexts],
        }
    }

    /// Counts an answer.
    #[inline]
    pub(crate) fn add(&mut self, context: usize, yes: bool) {
        self.answers[context][usize::from(yes)] += 1;
    }

    /// Adds the counts of another instance with the same contexts.
    pub(crate) fn merge(&mut self, other: &Counts) {
        for (sum, answers) in self.answers.iter_mut().zip(&other.answers) {
            sum[0] += answers[0];
            sum[1] += answers[1];
        }
    }
}

/// The probability of yes per context.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Code per context: 0 if the context does not occur, 1 + level if yes is the rarer answer, and
    /// 128 + level if no is the rarer answer.
    codes: Vec<u8>,
    /// Probabilities of yes, in units of 1 / [`SCALE`].
    yes: Vec<u16>,
}

impl Model {
    /// The model that codes the counted answers in the fewest bytes.
    pub(crate) fn of(counts: &Counts) -> Self {
        let codes = counts.answers.iter().map(|&[no, yes]| {
            let all = u128::from(no) + u128::from(yes);
            if all == 0 {
                return 0;
            }
            let rare = u128::from(no.min(yes));
            // The share nearest to rare / all. Integer arithmetic finds the same share on every
            // machine.
            let wrong = |level: &u8| {
                let share = u128::from(SHARES[usize::from(*level)]);
                (share * all).abs_diff(rare * u128::from(SCALE))
            };
            let level = (0..=LAST_LEVEL as u8).min_by_key(wrong).unwrap_or(0);
            if yes <= no { 1 + level } else { 128 + level }
        });
        Model::from_codes(codes.collect())
    }

    /// The model with these codes, one per context.
    pub(crate) fn from_codes(codes: Vec<u8>) -> Self {
        let yes = codes.iter().map(|&code| match code {
            0 => SCALE as u16 / 2,
            1..128 => SHARES[usize::from(code) - 1],
            128.. => SCALE as u16 - SHARES[(usize::from(code) - 128).min(LAST_LEVEL)],
        });
        let yes = yes.collect();
        Model { codes, yes }
    }

    /// Probability of the answer yes in a context, in units of 1 / [`SCALE`].
    #[inline]
    pub(crate) fn yes(&self, context: usize) -> u16 {
        self.yes[context]
    }

    /// Encodes the model. One bit per context is 1 if the context occurs. These bits are followed
    /// by the codes of the contexts that occur, in order.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.codes.len().div_ceil(8)];
        for (context, &code) in self.codes.iter().enumerate() {
            if code != 0 {
                bytes[context / 8] |= 1 << (context % 8);
                bytes.push(code);
            }
        }
        bytes
    }

    /// Decodes a model of `contexts` contexts; `None` if the bytes do not have the form that
    /// [`Self::to_bytes`] writes.
    pub(crate) fn from_bytes(bytes: &[u8], contexts: usize) -> Option<Self> {
        let (met, mut codes) = bytes.split_at_checked(contexts.div_ceil(8))?;
        let mut all = vec![0; contexts];
        for (context, code) in all.iter_mut().enumerate() {
            if met[context / 8] >> (context % 8) & 1 == 1 {
                let (&first, rest) = codes.split_first()?;
                (*code, codes) = (first, rest);
            }
        }
        let model = Model::from_codes(all);
        // Only bytes that `to_bytes` writes are valid. The comparison rejects codes of 0, and bits
        // after the last context that are 1. Codes of unknown levels are rejected separately.
        let is_known = |&code: &u8| usize::from(code) <= 128 + LAST_LEVEL;
        (model.to_bytes() == bytes && model.codes.iter().all(is_known)).then_some(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_fall_to_one() {
        assert_eq!(SHARES[0], 8192);
        assert_eq!(SHARES[1], 7680);
        assert_eq!(SHARES[2], 7200);
        assert_eq!(SHARES[LAST_LEVEL], 1);
        assert!(
            SHARES
                .windows(2)
                .all(|pair| pair[1] < pair[0] || pair[1] == 1)
        );
    }

    #[test]
    fn models_are_restored_from_their_bytes() {
        let mut counts = Counts::new(21);
        for (context, yes, no) in [(0, 1, 0), (3, 0, 5), (4, 1000, 1), (19, 7, 7), (20, 1, 3)] {
            for _ in 0..yes {
                counts.add(context, true);
            }
            for _ in 0..no {
                counts.add(context, false);
            }
        }
        let model = Model::of(&counts);
        assert_eq!(model.yes(19), 8192);
        assert_eq!(model.yes(3), 1);
        assert_eq!(model.yes(0), 16383);
        assert!(model.yes(20).abs_diff(4096) < 256);
        let bytes = model.to_bytes();
        assert_eq!(bytes.len(), 3 + 5);
        let back = Model::from_bytes(&bytes, 21).unwrap();
        assert_eq!(back.yes, model.yes);
        assert!(Model::from_bytes(&bytes[..7], 21).is_none());
        assert!(Model::from_bytes(&[&bytes[..], &[1]].concat(), 21).is_none());
        let mut foreign = bytes.clone();
        foreign[2] |= 0x80;
        assert!(Model::from_bytes(&foreign, 21).is_none());
    }
}
