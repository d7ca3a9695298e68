//! Numbers that look random and are the same everywhere.

/// A number for each number (splitmix64, Steele, Lea & Flood 2014).
#[inline(always)]
pub(crate) fn mix(x: u64) -> u64 {
    finish(x.wrapping_add(GAMMA))
}

/// Last step of [`mix`]: every bit of the number comes to depend on all others.
#[inline(always)]
pub(crate) fn finish(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The golden ratio's fraction.
pub(crate) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
