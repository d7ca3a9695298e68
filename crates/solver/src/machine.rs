//! The machine: the clock, prefetching, and detection of processor instructions.

#[cfg(not(feature = "web"))]
pub(crate) use std::time::Instant;
#[cfg(feature = "web")]
pub(crate) use web_time::Instant;

/// Whether the platform has a clock.
pub(crate) const HAS_CLOCK: bool =
    cfg!(feature = "web") || !cfg!(all(target_family = "wasm", target_os = "unknown"));

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
pub(crate) fn has_bit_counting() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    true
}

/// Work that is compiled for processors with `has_bit_counting`, and perhaps for others.
pub trait CountsBits {
    /// Result of the work.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, so that they are compiled with the
    /// instructions that the caller may use.
    fn run(self) -> Self::Output;
}

/// Does the work with instructions that count bits and shift by variable amounts, if the processor
/// has them.
#[inline]
pub fn with_bit_counting<W: CountsBits>(work: W) -> W::Output {
    match has_bit_counting() {
        true => assume_bit_counting(work),
        false => work.run(),
    }
}

/// Does the work with these instructions.
///
/// # Panics
/// If the processor does not have them.
#[inline]
pub(crate) fn assume_bit_counting<W: CountsBits>(work: W) -> W::Output {
    /// # Safety
    /// The processor must have these instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    #[allow(unsafe_code, reason = "needs these instructions")]
    unsafe fn counting<W: CountsBits>(work: W) -> W::Output {
        work.run()
    }
    assert!(has_bit_counting());
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the line above has checked that the processor has the instructions.
    #[allow(unsafe_code, reason = "calls code compiled for newer processors")]
    return unsafe { counting(work) };
    #[cfg(not(target_arch = "x86_64"))]
    work.run()
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
