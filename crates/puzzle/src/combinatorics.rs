//! Number of permutations, number of subsets, and ranks of permutations.

/// Largest number of tiles of a pattern. The ranks of permutations of 12 elements fit in 32 bits.
pub const MAX_TILES: usize = 12;

/// `k!`, for `k` up to [`MAX_TILES`].
#[must_use]
pub const fn factorial(k: usize) -> u32 {
    FACTORIALS[k]
}

/// Number of `k`-subsets of `n` items. Exact for the sizes used here.
#[must_use]
pub const fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    let mut product = 1;
    let mut i = 0;
    while i < k {
        product = product * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    product
}

/// Lexicographic rank of a permutation of `0..k`. Takes O(k^2) time.
///
/// ```
/// assert_eq!(puzzle::rank_permutation(&[2, 0, 1]), 4); // 012 021 102 120 201 210
/// ```
#[must_use]
pub fn rank_permutation(order: &[u8]) -> u32 {
    let k = order.len();
    let mut rank = 0;
    for (i, element) in order.iter().enumerate() {
        let smaller = order[i + 1..].iter().filter(|later| *later < element);
        rank = rank * (k - i) as u32 + smaller.count() as u32;
    }
    rank
}

/// Writes the permutation of `0..order.len()` with this rank. Takes O(k^2) time.
pub fn unrank_permutation(rank: u32, order: &mut [u8]) {
    let mut rest = rank;
    let k = order.len();
    for i in (0..k).rev() {
        let digit = (rest % (k - i) as u32) as u8;
        rest /= (k - i) as u32;
        // Element i becomes `digit`. Later elements from `digit` upwards increase by one, so that
        // all elements differ.
        for later in &mut order[i + 1..] {
            *later += u8::from(*later >= digit);
        }
        order[i] = digit;
    }
}

/// The factorials of `0..=MAX_TILES`.
pub(crate) const FACTORIALS: [u32; MAX_TILES + 1] = {
    let mut all = [1; MAX_TILES + 1];
    let mut k = 1;
    while k <= MAX_TILES {
        all[k] = all[k - 1] * k as u32;
        k += 1;
    }
    all
};
