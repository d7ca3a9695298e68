//! Prediction: the values of a frame as a sequence of decisions, most of which are predictable.
//!
//! Before an entry is decoded, the decoder knows:
//!
//! - the smallest and the largest value of the decoded entries that are one move away;
//! - the entry's Manhattan distance, which is a lower bound;
//! - the value of the same permutation in an earlier row of the same shape;
//! - the decisions of some earlier entries of the same row.
//!
//! If every move changes values by one, this information determines the values of more than half of
//! the entries. Each other entry needs one decision.

use super::PackError;
use super::decode_order::{DecodeOrder, RowStep};
use super::manhattan::ManhattanRows;
use crate::control::Cancel;
use crate::encoding::gather_bits;

/// Source of decisions: a packed frame, or the values themselves when a frame is written.
pub(crate) trait DecisionSource {
    /// Starts a row.
    fn begin_row(&mut self, row: usize);
    /// Whether the value of an entry of the row passes a test.
    fn answer(&mut self, context: usize, entry: usize, test: impl Fn(u8) -> bool) -> bool;

    /// Whether the value of an entry of the row is `value`.
    #[inline]
    fn is(&mut self, context: usize, entry: usize, value: u8) -> bool {
        self.answer(context, entry, |found| found == value)
    }

    /// Whether the value of an entry of the row is more than `value`.
    #[inline]
    fn is_above(&mut self, context: usize, entry: usize, value: u8) -> bool {
        self.answer(context, entry, |found| found > value)
    }
}

/// Five earlier entries of its row vote on the decision about an entry. `BACK` contains their
/// distances from this entry. Two entries at such a distance usually differ only in the tiles on
/// the last cells of the shape.
const BACK: [usize; 5] = [1, 2, 6, 24, 120];
const FARTHEST: usize = BACK[BACK.len() - 1];
/// Number of possible sums of the votes. Each earlier entry votes -1, 0 or 1.
const VOTES: usize = 2 * BACK.len() + 1;

/// The number of a row's neighbours that are decoded earlier is put into one of `MAX_READ` classes:
/// 1, 2, 3, and 4 or more.
const MAX_READ: usize = 4;
/// The number of a row's neighbours that are not decoded earlier is put into one of `MAX_LEFT + 1`
/// classes: 0, 1, 2, 3, and 4 or more.
const MAX_LEFT: usize = 4;
const PLACES: usize = MAX_READ * (MAX_LEFT + 1);
/// The difference between the neighbours' values and the entry's lower bound (`floor`) is put into
/// one of `EXCESSES` classes: 1, 3, 5, and 7 or more.
const EXCESSES: usize = 4;
/// Number of classes of the sibling's value in the decision [`UP`]: there is no sibling; or the
/// sibling's value is 3 or more below the neighbours' value, 1 below, 1 above, or 3 or more above.
const SIBLINGS: usize = 5;
/// Decision: is the value one more than the value of the neighbours? The neighbours all have the
/// same value.
const UP: usize = 0;
/// The spread of the neighbours' values, the largest minus the smallest, is put into one of
/// `SPREADS` classes. Used in tables whose values can change by more than one per move.
const SPREADS: usize = 4;
/// The number of neighbours with the smallest value is put into one of `LOWS` classes: 1, 2, and 3
/// or more. Used in tables whose values can change by more than one per move.
const LOWS: usize = 3;
/// Decision: is the value one more than the smallest value of the neighbours? Used for entries that
/// probably have this value.
const LIKELY: usize = UP + PLACES * EXCESSES * SIBLINGS * VOTES;
/// Decision after the answer no to [`UP`]: is the value one less than the value of the neighbours?
const DOWN: usize = LIKELY + PLACES * SPREADS * LOWS;
/// Decision: is the value more than predicted?
const OTHER: usize = DOWN + EXCESSES;
/// Decision after the answer yes to [`OTHER`]: is the value more than v? It is repeated with v =
/// `high` + 2, `high` + 4 and so on until the answer is no; `high` is the largest predicted value.
/// The first decision of an entry has its own context.
const MORE: usize = OTHER + 1;
/// Decision after the answer no to [`OTHER`]: is the value more than v? It is repeated with v =
/// `low` - 4, `low` - 6 and so on until the answer is yes; `low` is the smallest predicted value.
/// The first decision of an entry has its own context.
const LESS: usize = MORE + 2;
/// Decision for entries without decoded neighbours: is the entry unreachable? One context per
/// parity of the entry's rank.
const UNREACHABLE: usize = LESS + 2;
/// Decision: is the value more than the bound? It is repeated with the bounds floor + 0, floor + 2,
/// floor + 4 and so on until the answer is no.
const RISE: usize = UNREACHABLE + 2;
const RISES: usize = 4;
/// Number of classes of the sibling's value in the decision [`RISE`]: there is no sibling; or the
/// sibling's value is 4 or more above the bound, 2 above, equal, 2 below, or 4 or more below.
const RELATIONS: usize = 6;
/// Number of contexts.
pub(crate) const CONTEXTS: usize = RISE + RISES * RELATIONS * VOTES;

/// The value of an unreachable entry.
const NO_VALUE: u8 = crate::encoding::UNREACHABLE;
/// Decoding does not increase values of `HIGH` or more. Otherwise the values of a damaged frame
/// could overflow a byte.
const HIGH: u8 = NO_VALUE - 2;
/// Element of `votes` for an unreachable entry, or for a place before the first entry, in rows
/// without decoded neighbours.
const NO_RISE: i8 = i8::MIN;

/// Decoder of the values of frames. Its buffers are reused.
pub(crate) struct Predictor<'a> {
    order: &'a DecodeOrder,
    distances: ManhattanRows,
    /// Per entry: the smallest value of the decoded entries that are one move away. Decoding the
    /// entry overwrites this element with the entry's own value.
    least: Vec<u8>,
    /// Per entry: the largest value of the decoded entries that are one move away.
    greatest: Vec<u8>,
    /// Per entry: the number of decoded neighbours with the smallest value.
    lows: Vec<u8>,
    /// Values of one neighbour.
    neighbour: Vec<u8>,
    /// Per entry: a lower bound of the value.
    floor: Vec<u8>,
    /// Context of each entry's decision, before the votes are added.
    contexts: Vec<u16>,
    /// 1 for each open entry, whose value the neighbours do not determine; else 0.
    open: Vec<u8>,
    /// Vote of each entry: 1 if its value is more than the value of its neighbours, -1 if it is
    /// less. Rows without decoded neighbours store rises in place of votes: half the difference
    /// between the entry's value and its expected value, or [`NO_RISE`]. The list begins with
    /// [`FARTHEST`] neutral elements, which stand for entries before the first.
    votes: Vec<i8>,
}

impl<'a> Predictor<'a> {
    /// A decoder for frames with this decode order.
    pub(crate) fn new(order: &'a DecodeOrder) -> Self {
        let entries = order.stretch();
        let bytes = || vec![0; entries];
        Predictor {
            order,
            distances: ManhattanRows::new(order.id),
            least: bytes(),
            greatest: bytes(),
            lows: bytes(),
            neighbour: bytes(),
            floor: bytes(),
            contexts: vec![0; entries],
            open: bytes(),
            votes: vec![0; FARTHEST + entries],
        }
    }

    /// Decodes the values of a frame with decisions from `source`. All entries begin with the tiles
    /// of `prefix`. Decisions of an incorrect table produce arbitrary values.
    pub(crate) fn run(
        &mut self,
        prefix: &[usize],
        values: &mut [u8],
        source: &mut impl DecisionSource,
        cancel: &Cancel,
    ) -> Result<(), PackError> {
        let (order, entries) = (self.order, self.order.stretch());
        for row in &order.rows {
            PackError::unless_cancelled(cancel)?;
            source.begin_row(row.row);
            self.find_floor(row, prefix);
            let stretch = |row: usize| &values[row * entries..][..entries];
            let sibling = row.sibling.map(stretch);
            let before = order.read_before(row);
            if let Some((&first, rest)) = before.split_first() {
                order.copy(first, stretch(first.row), &mut self.least);
                self.greatest.copy_from_slice(&self.least);
                self.lows.fill(1);
                for &neighbour in rest {
                    order.copy(neighbour, stretch(neighbour.row), &mut self.neighbour);
                    self.take_neighbour();
                }
                let read = before.len().min(MAX_READ) - 1;
                let place = read * (MAX_LEFT + 1) + row.left.min(MAX_LEFT);
                if order.is_consistent() {
                    self.change_by_one(row, place, sibling, source);
                } else {
                    self.change_freely(place, source);
                }
            } else {
                self.rise(sibling, source);
            }
            values[row.row * entries..][..entries].copy_from_slice(&self.least);
        }
        Ok(())
    }

    /// Computes the floor of each entry: the Manhattan distance, increased by one if necessary to
    /// match the parity of the row's values.
    fn find_floor(&mut self, row: &RowStep, prefix: &[usize]) {
        self.distances.write(row.shape, prefix, &mut self.floor);
        for floor in &mut self.floor {
            *floor += (*floor ^ row.parity) & 1;
        }
    }

    /// Updates the smallest and largest values, and their counts, with the values of a further
    /// neighbour.
    fn take_neighbour(&mut self) {
        let known = self.least.iter_mut().zip(&mut self.greatest);
        if self.order.is_consistent() {
            for ((least, greatest), &value) in known.zip(&self.neighbour) {
                *least = value.min(*least);
                *greatest = value.max(*greatest);
            }
        } else {
            let known = known.zip(&mut self.lows);
            for (((least, greatest), lows), &value) in known.zip(&self.neighbour) {
                *lows = if value < *least { 0 } else { *lows };
                *least = value.min(*least);
                *greatest = value.max(*greatest);
                *lows += u8::from(value == *least);
            }
        }
    }

    /// Decodes entries that are unreachable, or whose value differs by one from the value of each
    /// neighbour.
    fn change_by_one(
        &mut self,
        row: &RowStep,
        place: usize,
        sibling: Option<&[u8]>,
        source: &mut impl DecisionSource,
    ) {
        // All neighbours are decoded. Every entry except the goal has a neighbour with a smaller
        // value, so its value is one more than the smallest value of its neighbours. Rows of the
        // goal's shape are decoded below, because they may contain the goal.
        if row.left == 0 && row.shape != self.order.id.tiles() {
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
            let up = source.is(context.into(), entry, *value);
            near[FARTHEST] = if up { 1 } else { -1 };
            *value -= if up { 0 } else { 2 };
        }
    }

    /// Finds the context of each entry of a row with decoded neighbours, before the votes are
    /// added.
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

    /// Finds the open entries, which need a decision, and initialises all votes to 1.
    fn find_open(&mut self) {
        let known = self.least.iter().zip(&self.greatest).zip(&self.floor);
        for (((least, greatest), floor), open) in known.zip(&mut self.open) {
            *open = u8::from((least == greatest) & (least > floor) & (*least != NO_VALUE));
        }
        self.votes[FARTHEST..].fill(1);
    }

    /// Decodes values that are usually one more or one less than the values of the neighbours.
    fn change_freely(&mut self, place: usize, source: &mut impl DecisionSource) {
        self.find_open();
        // First decode the entries whose value is likely to be one more than the smallest value of
        // the neighbours.
        let likely = (LIKELY + place * SPREADS * LOWS) as u16;
        let known = self.least.iter().zip(&self.floor).zip(&self.lows);
        let found = self.greatest.iter_mut().zip(&mut self.contexts);
        for (((&least, &floor), &lows), (greatest, context)) in known.zip(found) {
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
            self.least[entry] = match source.is(self.contexts[entry].into(), entry, value) {
                true => value,
                false => stray(value, value, entry, source),
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
            let up = source.is(context, entry, least + 1);
            near[FARTHEST] = if up { 1 } else { -1 };
            self.least[entry] = if up {
                least + 1
            } else if source.is(DOWN + excess, entry, least - 1) {
                least - 1
            } else {
                stray(least - 1, least + 1, entry, source)
            };
        }
    }

    /// Decodes a row without decoded neighbours. The expected value of an entry is its value in the
    /// sibling or, without a sibling, its floor. The rise above the expected value is probably
    /// similar for nearby entries.
    fn rise(&mut self, sibling: Option<&[u8]>, source: &mut impl DecisionSource) {
        self.votes[..FARTHEST].fill(NO_RISE);
        for entry in 0..self.least.len() {
            let near = &mut self.votes[entry..=entry + FARTHEST];
            near[FARTHEST] = NO_RISE;
            if self.order.has_unreachable() {
                let context = UNREACHABLE + parity_of_rank(entry);
                if source.is(context, entry, NO_VALUE) {
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
                if !source.is_above(context.wrapping_add_signed(votes.into()), entry, value) {
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

/// Decodes a value that is below `low`, the smallest predicted value, or above `high`, the largest.
#[inline(never)]
fn stray(low: u8, high: u8, entry: usize, source: &mut impl DecisionSource) -> u8 {
    let mut step = 0;
    if source.is_above(OTHER, entry, high) {
        let mut value = high.saturating_add(2);
        while value < HIGH && source.is_above(MORE + step, entry, value) {
            value += 2;
            step = 1;
        }
        return value;
    }
    let mut value = low.saturating_sub(2);
    while value >= 2 && !source.is_above(LESS + step, entry, value - 2) {
        value -= 2;
        step = 1;
    }
    value
}

/// The indices of the elements that are 1, in a list of zeros and ones.
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

/// Parity of the permutation with this rank, for any number of elements: 1 if odd, else 0.
pub(super) fn parity_of_rank(rank: usize) -> usize {
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
    fn parity_equals_that_of_the_inversions() {
        for rank in 0..720 {
            let mut order = [0; 6];
            unrank_permutation(rank, &mut order);
            let pairs = (0..6).flat_map(|i| (i + 1..6).map(move |j| (i, j)));
            let inversions = pairs.filter(|&(i, j)| order[i] > order[j]).count();
            assert_eq!(parity_of_rank(rank as usize), inversions % 2);
        }
    }
}
