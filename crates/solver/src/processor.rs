//! What a processor is asked for besides computing.

/// Asks the processor to bring an element closer; does nothing where it has no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: nothing is read or written, and the instruction faults for no address at all.
    #[allow(unsafe_code)]
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(slice.as_ptr().wrapping_add(index).cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

/// Whether the processor has instructions that count bits and shift by variable numbers.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_bit_counting() -> bool {
    is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}
