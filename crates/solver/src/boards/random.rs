//! Pseudo-random numbers, the same on every machine.

/// Hash of a number (splitmix64, Steele, Lea & Flood 2014).
#[inline(always)]
pub(crate) fn mix(x: u64) -> u64 {
    finish(x.wrapping_add(GAMMA))
}

/// Last step of [`mix`]: every result bit depends on all input bits.
#[inline(always)]
pub(crate) fn finish(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The fractional part of the golden ratio, times 2^64.
pub(crate) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
