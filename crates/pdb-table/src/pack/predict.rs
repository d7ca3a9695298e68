//! The values of a frame as a sequence of decisions, most of which are foreseen.
//!
//! What is known of an entry before its value is read: the least and the greatest value in the rows beside it that were read
//! before, its Manhattan distance, which no value is below, its value in another class of the same shape, and how
//! entries shortly before it in the row turned out. Where values change by exactly one with every move, that settles more than
//! half of the entries outright; each of the others takes one decision.

use super::decode_order::{Rows, Step};
use super::frame::gather_bits;
use super::manhattan::Distances;

/// Answers decisions: from a packed frame, or from the values themselves while one is written.
pub(crate) trait DecisionSource {
    /// A row begins.
    fn begin_row(&mut self, row: usize);
    /// Whether the value of an entry of the row is `value`.
    fn is(&mut self, context: usize, entry: usize, value: u8) -> bool;
    /// Whether it is more than `value`.
    fn is_above(&mut self, context: usize, entry: usize, value: u8) -> bool;
}

/// How far back in the row an entry looks: mostly the last tiles in reading order differ then.
const BACK: [usize; 5] = [1, 2, 6, 24, 120];
const FARTHEST: usize = BACK[BACK.len() - 1];
/// Each votes -1, 0 or 1.
const VOTES: usize = 2 * BACK.len() + 1;

/// Rows beside it that were read before, 1 to 3 or more, and those that were not, 0 to 3 or more.
const MOST_READ: usize = 4;
const MOST_LEFT: usize = 4;
const PLACES: usize = MOST_READ * (MOST_LEFT + 1);
/// How far the values beside are above the floor: 1, 3, 5, 7 or more.
const EXCESSES: usize = 4;
/// No sibling; a sibling 3 or more below the values beside, 1 below, 1 above, 3 or more above.
const SIBLINGS: usize = 5;
/// Is the value one more than all values beside?
const UP: usize = 0;
/// Where neighbours may differ by more than one. How far those beside differ, and how many are the least.
const SPREADS: usize = 4;
const LOWS: usize = 3;
/// Is the value one more than the least beside, where that is likely?
const LIKELY: usize = UP + PLACES * EXCESSES * SIBLINGS * VOTES;
/// Is it one less than those beside, when it is not one more?
const DOWN: usize = LIKELY + PLACES * SPREADS * LOWS;
/// Is it more than foreseen?
const OTHER: usize = DOWN + EXCESSES;
/// Is it still more, or still less, the first time and later?
const MORE: usize = OTHER + 1;
const LESS: usize = MORE + 2;
/// Entries without rows beside them. Can a position have it, by the parity of its rank?
const UNREACHED: usize = LESS + 2;
/// Is it more than the floor, than the floor plus 2, 4, 6 and so on?
const RISE: usize = UNREACHED + 2;
const RISES: usize = 4;
/// No sibling; a sibling that is 4 or more above that, 2 above, the same, 2 below, 4 or more below.
const RELATIONS: usize = 6;
/// Number of contexts.
pub(crate) const CONTEXTS: usize = RISE + RISES * RELATIONS * VOTES;

/// Stands for an entry that no position can have.
const NO_VALUE: u8 = crate::encoding::UNREACHED;
/// Where rises end, so that values that cannot be do not lead beyond a byte.
const HIGH: u8 = NO_VALUE - 2;
/// The rise of an entry before the first.
const NO_RISE: i8 = i8::MIN;

/// Works through frames, keeping its buffers. All are for one stretch.
pub(crate) struct Predictor<'a> {
    rows: &'a Rows,
    distances: Distances,
    /// The values beside: the least and greatest, how many are the least, one row of them. Then `least` takes the values.
    least: Vec<u8>,
    greatest: Vec<u8>,
    lows: Vec<u8>,
    beside: Vec<u8>,
    /// No value is less.
    floor: Vec<u8>,
    /// The context of an entry's decision but for the votes.
    contexts: Vec<u16>,
    /// For each entry 1 if it is not settled.
    open: Vec<u8>,
    /// After [`FARTHEST`] entries that do not exist: 1 for up, -1 for down; or the rise above what was to be expected.
    votes: Vec<i8>,
}

impl<'a> Predictor<'a> {
    /// For the frames of these rows.
    pub(crate) fn new(rows: &'a Rows) -> Self {
        let entries = rows.stretch();
        let bytes = || vec![0; entries];
        Predictor {
            rows,
            distances: Distances::new(rows.id()),
            least: bytes(),
            greatest: bytes(),
            lows: bytes(),
            beside: bytes(),
            floor: bytes(),
            contexts: vec![0; entries],
            open: bytes(),
            votes: vec![0; FARTHEST + entries],
        }
    }

    /// Finds the values of a frame's entries by asking: stretch by stretch, in the order of the rows' numbers. `prefix` is
    /// the tiles with which all its entries begin. Answers that no table gives lead to values that mean nothing.
    pub(crate) fn run(
        &mut self,
        prefix: &[usize],
        values: &mut [u8],
        answer: &mut impl DecisionSource,
    ) {
        let (rows, entries) = (self.rows, self.rows.stretch());
        for step in rows.steps() {
            answer.begin_row(step.row);
            self.find_floor(step, prefix);
            let stretch = |row: usize| &values[row * entries..][..entries];
            let sibling = step.sibling.map(stretch);
            let before = rows.read_before(step);
            if let Some((&first, rest)) = before.split_first() {
                rows.carry(first, stretch(first.row), &mut self.least);
                self.greatest.copy_from_slice(&self.least);
                self.lows.fill(1);
                for &beside in rest {
                    rows.carry(beside, stretch(beside.row), &mut self.beside);
                    self.take_beside();
                }
                let read = before.len().min(MOST_READ) - 1;
                let place = read * (MOST_LEFT + 1) + step.left.min(MOST_LEFT);
                if rows.is_consistent() {
                    self.step_by_one(step, place, sibling, answer);
                } else {
                    self.step_freely(place, answer);
                }
            } else {
                self.rise(sibling, answer);
            }
            values[step.row * entries..][..entries].copy_from_slice(&self.least);
        }
    }

    /// Manhattan distance, or one more where the row's values have the other parity.
    fn find_floor(&mut self, step: &Step, prefix: &[usize]) {
        self.distances.write(step.shape, prefix, &mut self.floor);
        for floor in &mut self.floor {
            *floor += (*floor ^ step.parity) & 1;
        }
    }

    /// Takes the values of a further row beside into account.
    fn take_beside(&mut self) {
        let known = self.least.iter_mut().zip(&mut self.greatest);
        if self.rows.is_consistent() {
            for ((least, greatest), &value) in known.zip(&self.beside) {
                *least = value.min(*least);
                *greatest = value.max(*greatest);
            }
        } else {
            for (((least, greatest), lows), &value) in known.zip(&mut self.lows).zip(&self.beside) {
                *lows = if value < *least { 0 } else { *lows };
                *least = value.min(*least);
                *greatest = value.max(*greatest);
                *lows += u8::from(value == *least);
            }
        }
    }

    /// Histogram that are one more or one less than each one beside, or that no position can have.
    fn step_by_one(
        &mut self,
        step: &Step,
        place: usize,
        sibling: Option<&[u8]>,
        answer: &mut impl DecisionSource,
    ) {
        // Every entry but the goal has one beside it that is less. The rows of the goal's shape are left out of this.
        if step.left == 0 && step.shape != self.rows.id().tiles() {
            for value in &mut self.least {
                *value = value.saturating_add(1);
            }
            return;
        }
        self.find_contexts(place, sibling);
        self.find_open();
        for value in &mut self.least {
            *value = value.saturating_add(1);
        }
        for entry in ones(&self.open) {
            let near = &mut self.votes[entry..=entry + FARTHEST];
            let votes: i8 = BACK.iter().map(|back| near[FARTHEST - back]).sum();
            let context = self.contexts[entry].wrapping_add_signed(votes.into());
            let value = &mut self.least[entry];
            let up = answer.is(context.into(), entry, *value);
            near[FARTHEST] = if up { 1 } else { -1 };
            *value -= if up { 0 } else { 2 };
        }
    }

    /// The context of each entry of a row with values beside it, for no votes.
    fn find_contexts(&mut self, place: usize, sibling: Option<&[u8]>) {
        let base = (UP + place * EXCESSES * SIBLINGS * VOTES + VOTES / 2) as u16;
        let context = |least: u8, floor: u8, sibling: u8| {
            let excess = (least.wrapping_sub(floor) >> 1).min(EXCESSES as u8 - 1);
            base + (u16::from(excess) * SIBLINGS as u16 + u16::from(sibling)) * VOTES as u16
        };
        let known = self.least.iter().zip(&self.floor).zip(&mut self.contexts);
        let Some(sibling) = sibling else {
            for ((&least, &floor), out) in known {
                *out = context(least, floor, 0);
            }
            return;
        };
        for (((&least, &floor), out), &sibling) in known.zip(sibling) {
            let at_least = |value: u8| u8::from(sibling >= value);
            let relation = 1
                + at_least(least.saturating_sub(1))
                + at_least(least.saturating_add(1))
                + at_least(least.saturating_add(3));
            *out = context(least, floor, relation);
        }
    }

    /// Finds the entries that are not settled; the others vote for up.
    fn find_open(&mut self) {
        let known = self.least.iter().zip(&self.greatest).zip(&self.floor);
        for (((least, greatest), floor), open) in known.zip(&mut self.open) {
            *open = u8::from((least == greatest) & (least > floor) & (*least != NO_VALUE));
        }
        self.votes[FARTHEST..].fill(1);
    }

    /// Histogram that are mostly one more or one less than those beside.
    fn step_freely(&mut self, place: usize, answer: &mut impl DecisionSource) {
        self.find_open();
        // First those that are likely to be one more than the least beside.
        let likely = (LIKELY + place * SPREADS * LOWS) as u16;
        let known = self.least.iter().zip(&self.floor).zip(&self.lows);
        let beside = self.greatest.iter_mut().zip(&mut self.contexts);
        for (((&least, &floor), &lows), (greatest, context)) in known.zip(beside) {
            let differ = if least > floor { *greatest - least } else { 0 };
            let spread = u16::from((differ / 2).min(SPREADS as u8 - 1));
            let lows = u16::from(lows.clamp(1, LOWS as u8) - 1);
            *context = likely + spread * LOWS as u16 + lows;
            *greatest = least.saturating_add(1).max(floor);
        }
        for open in &mut self.open {
            *open ^= 1;
        }
        for entry in ones(&self.open) {
            let value = self.greatest[entry];
            self.least[entry] = match answer.is(self.contexts[entry].into(), entry, value) {
                true => value,
                false => stray(value, value, entry, answer),
            };
        }
        for open in &mut self.open {
            *open ^= 1;
        }
        let base = UP + place * EXCESSES * SIBLINGS * VOTES + VOTES / 2;
        for entry in ones(&self.open) {
            let least = self.least[entry];
            let near = &mut self.votes[entry..=entry + FARTHEST];
            let votes: i8 = BACK.iter().map(|back| near[FARTHEST - back]).sum();
            let excess = usize::from((least - self.floor[entry]) >> 1).min(EXCESSES - 1);
            let context = (base + excess * SIBLINGS * VOTES).wrapping_add_signed(votes.into());
            let up = answer.is(context, entry, least + 1);
            near[FARTHEST] = if up { 1 } else { -1 };
            self.least[entry] = if up {
                least + 1
            } else if answer.is(DOWN + excess, entry, least - 1) {
                least - 1
            } else {
                stray(least - 1, least + 1, entry, answer)
            };
        }
    }

    /// Histogram of a row without any beside it that was read: those of a sibling, or else the floor, and a rise that
    /// nearby entries are likely to share.
    fn rise(&mut self, sibling: Option<&[u8]>, answer: &mut impl DecisionSource) {
        self.votes[..FARTHEST].fill(NO_RISE);
        for entry in 0..self.least.len() {
            let near = &mut self.votes[entry..=entry + FARTHEST];
            near[FARTHEST] = NO_RISE;
            if self.rows.may_be_unreached() {
                let context = UNREACHED + parity_of_rank(entry);
                if answer.is(context, entry, NO_VALUE) {
                    self.least[entry] = NO_VALUE;
                    continue;
                }
            }
            let mut value = self.floor[entry];
            let expected = sibling.map_or(value, |sibling| sibling[entry]);
            let rise_to = |value: u8| {
                (i16::from(value) - i16::from(expected))
                    .div_euclid(2)
                    .max(-127) as i8
            };
            let mut step = 0;
            while value < HIGH {
                let rise = rise_to(value);
                let vote = |back: &usize| match near[FARTHEST - back] {
                    NO_RISE => 0,
                    risen if risen > rise => 1,
                    _ => -1,
                };
                let votes: i8 = BACK.iter().map(vote).sum();
                let relation = match sibling {
                    None => 0,
                    Some(_) => (3 + rise.clamp(-2, 2)) as usize,
                };
                let context = RISE + (step * RELATIONS + relation) * VOTES + VOTES / 2;
                if !answer.is_above(context.wrapping_add_signed(votes.into()), entry, value) {
                    break;
                }
                value += 2;
                step = (step + 1).min(RISES - 1);
            }
            near[FARTHEST] = rise_to(value);
            self.least[entry] = value;
        }
        self.votes[..FARTHEST].fill(0);
    }
}

/// A value that is none of those expected, which are `low` and `high`.
#[inline(never)]
fn stray(low: u8, high: u8, entry: usize, answer: &mut impl DecisionSource) -> u8 {
    let mut step = 0;
    if answer.is_above(OTHER, entry, high) {
        let mut value = high.saturating_add(2);
        while value < HIGH && answer.is_above(MORE + step, entry, value) {
            value += 2;
            step = 1;
        }
        return value;
    }
    let mut value = low.saturating_sub(2);
    while value >= 2 && !answer.is_above(LESS + step, entry, value - 2) {
        value -= 2;
        step = 1;
    }
    value
}

/// The places of the ones among zeros.
fn ones(flags: &[u8]) -> impl Iterator<Item = usize> {
    let eights = flags.chunks_exact(8);
    let rest = (!eights.remainder().is_empty()).then(|| eights.remainder());
    eights.chain(rest).enumerate().flat_map(|(index, eight)| {
        let mut padded = [0; 8];
        padded[..eight.len()].copy_from_slice(eight);
        let mut bits = gather_bits(padded);
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(8 * index + bit)
        })
    })
}

/// Whether the permutation of this rank is odd, whatever the number of elements: 0 or 1.
fn parity_of_rank(rank: usize) -> usize {
    // The sum of the Lehmer digits is the number of inversions.
    let (mut rest, mut base, mut sum) = (rank, 2, 0);
    while rest > 0 {
        sum += rest % base;
        rest /= base;
        base += 1;
    }
    sum % 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::unrank_permutation;

    #[test]
    fn parity_is_that_of_the_inversions() {
        for rank in 0..720 {
            let mut order = [0; 6];
            unrank_permutation(rank, &mut order);
            let pairs = (0..6).flat_map(|i| (i + 1..6).map(move |j| (i, j)));
            let inversions = pairs.filter(|&(i, j)| order[i] > order[j]).count();
            assert_eq!(parity_of_rank(rank as usize), inversions % 2);
        }
    }
}
