//! Permutations as packed Lehmer digits, and the effect of a move on them.
//!
//! Digit i of a permutation counts the later elements that are smaller (docs/ranking.md). Moving
//! one element from position i to position i + m, or back, changes the digits i to i + m by a rule
//! that depends on these digits alone. One small table in the first-level cache therefore suffices
//! for every position, pattern and tray. Updating ranks instead of digits would need divisions, or
//! tables of k! entries per pair of positions.
use puzzle::factorial;

/// `width` is the number of bits per digit. One look-up in `change` handles a move by up to `step`
/// positions.
#[derive(Clone, Copy)]
struct Digits {
    width: u32,
    step: usize,
}

/// Format for up to eight elements.
const NARROW: Digits = Digits { width: 3, step: 3 };
/// Format for up to twelve elements.
const WIDE: Digits = Digits { width: 4, step: 2 };

/// Largest number of elements of a narrow permutation.
pub(crate) const MAX_NARROW: usize = 8;

/// Number of bits that one look-up ranks: four narrow digits, or three wide digits.
const CHUNK: u32 = 12;
const CHUNKS: usize = 4;
/// Size of the table of changes, rounded up to a power of two, so that an index modulo this size
/// needs only a mask.
const CHANGES: usize = 1 << 14;

/// Packs, moves and ranks permutations of `k` elements. The digits are packed from bit 0 on; the
/// lowest bits store the digit of the first position.
pub(crate) struct Permutations {
    k: usize,
    format: Digits,
    /// One rule per distance and direction of moves.
    rules: [MoveRule; 8],
    /// For each rule, and each value of the digits that the rule changes: these digits combined
    /// with the new digits by exclusive or.
    change: [u16; CHANGES],
    /// Like `ranks`, in 16 bits, which suffice for permutations of up to [`MAX_NARROW`] elements.
    narrow: [[u16; 1 << CHUNK]; 2],
    /// The rank is a sum with one term per group of [`CHUNK`] bits of the digits. `ranks` contains
    /// the term for each group and each value of these bits.
    ranks: Box<[[u32; 1 << CHUNK]; CHUNKS]>,
}

/// The entries of `change` for moves of one distance and direction begin at `start`. `mask` selects
/// the digits that these moves change.
#[derive(Clone, Copy, Default)]
struct MoveRule {
    start: u32,
    mask: u32,
}

impl Permutations {
    pub(crate) fn new(k: usize) -> Self {
        let format = if k <= MAX_NARROW { NARROW } else { WIDE };
        let Digits { width, step } = format;
        let mut rules = [MoveRule::default(); 8];
        let mut change = [0; CHANGES];
        // Distance 0 changes nothing.
        let mut used = 1;
        for distance in 1..=step {
            for back in [false, true] {
                let bits = width * (distance as u32 + 1);
                let (start, mask) = (used as u32, (1 << bits) - 1);
                rules[index(distance as u32, back)] = MoveRule { start, mask };
                for packed in 0..=mask {
                    change[used] = (packed ^ moved(packed, width, distance, back)) as u16;
                    used += 1;
                }
            }
        }
        let per_chunk = (CHUNK / width) as usize;
        let mut ranks = Box::new([[0; 1 << CHUNK]; CHUNKS]);
        for (chunk, ranks) in ranks.iter_mut().enumerate() {
            for (bits, rank) in ranks.iter_mut().enumerate() {
                let digits =
                    (0..per_chunk).map(|at| (chunk * per_chunk + at, bits >> (at as u32 * width)));
                let digits = digits.filter(|&(position, _)| position < k);
                let weighed = digits.map(|(position, digit)| {
                    (digit % (1 << width)) as u32 * factorial(k - 1 - position)
                });
                *rank = weighed.sum();
            }
        }
        Permutations {
            k,
            format,
            rules,
            change,
            narrow: [0, 1].map(|chunk| ranks[chunk].map(|rank| rank as u16)),
            ranks,
        }
    }

    /// Number of bits that the digits use.
    pub(crate) fn bits(&self) -> u32 {
        // The last digit is always 0.
        self.format.width * (self.k as u32 - 1)
    }

    /// The digits of the permutation with this rank.
    pub(crate) fn digits(&self, rank: u32) -> u64 {
        let mut rest = rank;
        (0..self.k).fold(0, |digits, position| {
            let weight = factorial(self.k - 1 - position);
            let digit = rest / weight;
            rest %= weight;
            digits | u64::from(digit) << (position as u32 * self.format.width)
        })
    }

    /// The rank of a permutation of up to [`MAX_NARROW`] elements.
    #[inline(always)]
    pub(crate) fn rank_narrow(&self, digits: u64) -> u32 {
        let chunk = |at: usize| {
            u32::from(self.narrow[at][(digits >> (CHUNK * at as u32)) as usize % (1 << CHUNK)])
        };
        chunk(0) + chunk(1)
    }

    /// The rank of any permutation.
    #[inline(always)]
    pub(crate) fn rank(&self, digits: u64) -> u32 {
        let chunk =
            |at: usize| self.ranks[at][(digits >> (CHUNK * at as u32)) as usize % (1 << CHUNK)];
        (0..CHUNKS).map(chunk).sum()
    }

    /// Effect of a move on the digits of a narrow permutation: the old digits combined with the new
    /// digits by exclusive or. One element moves from position `low` to position `low + distance`
    /// or, with `back`, from `low + distance` to `low`.
    #[inline(always)]
    pub(crate) fn change_narrow(&self, digits: u64, low: u32, distance: u32, back: bool) -> u64 {
        if distance <= NARROW.step as u32 {
            return self.change_once(NARROW, digits, low, distance, back);
        }
        self.change_far(NARROW, digits, low, distance, back)
    }

    /// [`Self::change_narrow`] for any permutation.
    #[inline(always)]
    pub(crate) fn change(&self, digits: u64, low: u32, distance: u32, back: bool) -> u64 {
        self.change_far(self.format, digits, low, distance, back)
    }

    fn change_far(&self, format: Digits, digits: u64, low: u32, distance: u32, back: bool) -> u64 {
        let (mut after, mut done) = (digits, 0);
        while done < distance {
            let step = (distance - done).min(format.step as u32);
            let at = if back { distance - done - step } else { done };
            after ^= self.change_once(format, after, low + at, step, back);
            done += step;
        }
        after ^ digits
    }

    #[inline(always)]
    fn change_once(&self, format: Digits, digits: u64, low: u32, distance: u32, back: bool) -> u64 {
        let MoveRule { start, mask } = self.rules[index(distance, back) % 8];
        let at = low * format.width;
        let packed = (digits >> (at % 64)) as u32 & mask;
        let change = self.change[(start + packed) as usize % CHANGES];
        u64::from(change) << (at % 64)
    }
}

#[inline(always)]
fn index(distance: u32, back: bool) -> usize {
    (2 * distance + u32::from(back)) as usize
}

/// Moves the first of `distance + 1` elements to the last position or, with `back`, the last
/// element to the first position. Returns the new digits of these elements. If the given digits are
/// not those of a permutation, the result is meaningless but has the same width.
fn moved(packed: u32, width: u32, distance: usize, back: bool) -> u32 {
    let mask = (1 << width) - 1;
    let mut digits: Vec<u32> = (0..=distance)
        .map(|at| packed >> (at as u32 * width) & mask)
        .collect();
    for step in 0..distance {
        let at = if back { distance - 1 - step } else { step };
        let (first, second) = (digits[at], digits[at + 1]);
        // The first element is smaller than the second element if and only if the first digit is
        // not larger than the second digit.
        let exchanged = if first <= second {
            ((second + 1) & mask, first)
        } else {
            (second, first - 1)
        };
        (digits[at], digits[at + 1]) = exchanged;
    }
    let positions = digits.iter().enumerate();
    positions.fold(0, |packed, (at, digit)| {
        packed | digit << (at as u32 * width)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::{MAX_TILES, rank_permutation, unrank_permutation};

    fn check(permutations: &Permutations, rank: u32) {
        let k = permutations.k;
        let digits = permutations.digits(rank);
        assert!(digits >> permutations.bits() == 0);
        assert_eq!(permutations.rank(digits), rank);
        let mut order = vec![0; k];
        unrank_permutation(rank, &mut order);
        for low in 0..k {
            for high in low..k {
                for back in [false, true] {
                    let mut moved = order.clone();
                    if back {
                        moved[low..=high].rotate_right(1);
                    } else {
                        moved[low..=high].rotate_left(1);
                    }
                    let expected = rank_permutation(&moved);
                    let distance = (high - low) as u32;
                    let shifted = digits ^ permutations.change(digits, low as u32, distance, back);
                    assert_eq!(
                        permutations.rank(shifted),
                        expected,
                        "{order:?} {low} {high} {back}"
                    );
                    if k <= MAX_NARROW {
                        let shifted =
                            digits ^ permutations.change_narrow(digits, low as u32, distance, back);
                        assert_eq!(permutations.rank_narrow(shifted), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn elements_move_within_all_short_permutations() {
        for k in 1..=6 {
            let permutations = Permutations::new(k);
            (0..factorial(k)).for_each(|rank| check(&permutations, rank));
        }
    }

    #[test]
    fn elements_move_within_long_permutations() {
        for k in 7..=MAX_TILES {
            let permutations = Permutations::new(k);
            for step in 0..200 {
                check(&permutations, (step * 9_580_117) % factorial(k));
            }
            check(&permutations, factorial(k) - 1);
        }
    }
}
