//! Prefetching, and detection of processor instructions.

/// Prefetches an element into the cache; does nothing on processors without such an instruction.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: nothing is read or written, and the instruction never faults, for any address.
    #[allow(unsafe_code, reason = "a prefetch")]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(slice.as_ptr().wrapping_add(index).cast(), _MM_HINT_T0);
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above; the instruction is a hint that changes no register, flag or memory.
    #[allow(unsafe_code, reason = "a prefetch")]
    unsafe {
        // `core::arch` has no stable function for it yet.
        core::arch::asm!(
            "prfm pldl1keep, [{0}]",
            in(reg) slice.as_ptr().wrapping_add(index),
            options(nomem, nostack, preserves_flags),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = (slice, index);
}

/// Whether the processor has instructions that count bits and shift by variable amounts. Always
/// `true` on architectures other than x86-64.
#[inline(always)]
#[must_use]
pub fn has_bit_counting() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    true
}

#[cfg(test)]
mod tests {
    use super::prefetch;

    /// A prefetch is a hint, not an access.
    #[test]
    fn prefetch_accepts_any_address() {
        let bytes = [1_u8, 2, 3];
        for index in [0, 2, 3, 1 << 20, isize::MAX as usize, usize::MAX] {
            prefetch(&bytes, index);
            prefetch::<u64>(&[], index);
        }
        assert_eq!(bytes, [1, 2, 3]);
    }
}
