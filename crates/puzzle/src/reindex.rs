//! The effect of a move on the rank of a permutation.

use crate::ranking::{factorial, rank_permutation, unrank_permutation};
use crate::tray::Tray;

/// Change of the rank when one element of a permutation moves from position i to position j.
///
/// Let a be the smaller of i and j, and b the larger. The move changes only the Lehmer digits from
/// position a to position b. A rank is `(outer * R + segment) * F + inner`, where F = (k-1-b)! and
/// R = (k-a)!/F: `segment` stands for these digits, `outer` for the digits before them, and `inner`
/// for the digits after them. So the change of the rank depends on `segment` alone, and is read
/// from a lookup table. The table is the same for all rows and all patterns with k tiles.
#[derive(Clone, Debug)]
#[must_use]
pub struct Reindex {
    tiles: usize,
    shifts: Box<[PositionPair]>,
    /// Changes of the rank: a range for each pair of positions, indexed by `segment`.
    change: Box<[i32]>,
}

#[derive(Clone, Copy, Default, Debug)]
struct PositionPair {
    /// Reciprocals of F and of F * R: see [`quotient`].
    over_inner: u64,
    over_block: u64,
    /// R, the number of segments.
    segments: u32,
    /// Start of the pair's range in `change`.
    start: u32,
}

/// ceil(2^63 / divisor).
const fn reciprocal(divisor: u32) -> u64 {
    (1_u64 << 63).div_ceil(divisor as u64)
}

/// `rank / divisor`, exact as long as `2 * rank * divisor < 2^64`.
#[inline]
fn quotient(rank: u32, reciprocal: u64) -> u32 {
    ((2 * u128::from(rank) * u128::from(reciprocal)) >> 64) as u32
}

impl Reindex {
    /// Creates the lookup table for permutations of `tiles` elements and for moves over at most
    /// `jump` positions.
    pub fn new(tiles: usize, jump: usize) -> Self {
        let mut shifts = vec![PositionPair::default(); tiles * tiles];
        let mut change = Vec::new();
        for i in 0..tiles {
            for j in (0..tiles).filter(|j| i.abs_diff(*j) <= jump) {
                let (a, b) = (i.min(j), i.max(j));
                let inner = factorial(tiles - 1 - b);
                let block = factorial(tiles - a);
                shifts[i * tiles + j] = PositionPair {
                    over_inner: reciprocal(inner),
                    over_block: reciprocal(block),
                    segments: block / inner,
                    start: change.len() as u32,
                };
                // `order` stands for the k-a elements from position a on. Its Lehmer digits are
                // those of `segment`, followed by zeros.
                let mut order = vec![0_u8; tiles - a];
                for segment in 0..block / inner {
                    let rank = segment * inner;
                    unrank_permutation(rank, &mut order);
                    if i < j {
                        order[..=b - a].rotate_left(1);
                    } else if i > j {
                        order[..=b - a].rotate_right(1);
                    }
                    change.push(rank_permutation(&order) as i32 - rank as i32);
                }
            }
        }
        Reindex {
            tiles,
            shifts: shifts.into(),
            change: change.into(),
        }
    }

    /// Creates the lookup table for the moves on `tray`. A vertical move passes at most `width - 1`
    /// tiles.
    pub fn for_tray(tray: Tray, tiles: usize) -> Self {
        Reindex::new(tiles, tray.width() - 1)
    }

    /// The rank after the element at position `from` has moved to position `to`.
    #[inline]
    #[must_use]
    pub fn apply(&self, from: usize, to: usize, rank: u32) -> u32 {
        let shift = &self.shifts[from * self.tiles + to];
        let segment =
            quotient(rank, shift.over_inner) - quotient(rank, shift.over_block) * shift.segments;
        let change = self.change[(shift.start + segment) as usize];
        rank.wrapping_add_signed(change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reindex_moves_one_element() {
        for k in 1..=7 {
            let reindex = Reindex::new(k, k);
            let mut order = vec![0; k];
            for rank in 0..factorial(k) {
                for i in 0..k {
                    for j in 0..k {
                        unrank_permutation(rank, &mut order);
                        let element = order.remove(i);
                        order.insert(j, element);
                        assert_eq!(reindex.apply(i, j, rank), rank_permutation(&order));
                    }
                }
            }
        }
    }

    #[test]
    fn reindex_is_exact_for_twelve_tiles() {
        let reindex = Reindex::new(12, 4);
        let mut order = [0; 12];
        for step in 0..5000_u32 {
            let rank = factorial(12) - 1 - step * 95_801;
            for (i, j) in [(0, 4), (4, 0), (0, 1), (7, 11), (11, 10), (5, 5), (11, 11)] {
                unrank_permutation(rank, &mut order);
                let mut moved = order.to_vec();
                let element = moved.remove(i);
                moved.insert(j, element);
                assert_eq!(reindex.apply(i, j, rank), rank_permutation(&moved));
            }
        }
    }
}
