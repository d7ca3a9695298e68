//! What a processor is asked for besides computing.

/// Asks the processor to bring an element closer; does nothing where it has no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: nothing is read or written, and the instruction faults for no address at all.
    #[allow(unsafe_code, reason = "a prefetch")]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(slice.as_ptr().wrapping_add(index).cast(), _MM_HINT_T0);
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the same: the instruction is a hint, it changes no register, flag or memory.
    #[allow(unsafe_code, reason = "a prefetch")]
    unsafe {
        // The function for it in `core::arch` is not stable yet.
        core::arch::asm!(
            "prfm pldl1keep, [{0}]",
            in(reg) slice.as_ptr().wrapping_add(index),
            options(nomem, nostack, preserves_flags),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = (slice, index);
}

/// Whether the processor has the instructions that count bits and shift by variable numbers. Other
/// machines than x86-64 have them always, or never.
#[inline(always)]
pub(crate) fn has_bit_counting() -> bool {
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

    /// Hints for what is not there are no accesses.
    #[test]
    fn any_address_may_be_asked_for() {
        let bytes = [1_u8, 2, 3];
        for index in [0, 2, 3, 1 << 20, isize::MAX as usize, usize::MAX] {
            prefetch(&bytes, index);
            prefetch::<u64>(&[], index);
        }
        assert_eq!(bytes, [1, 2, 3]);
    }
}
