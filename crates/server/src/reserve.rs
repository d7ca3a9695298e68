//! A memory reserve for failed allocations.
//!
//! A failed allocation would end the process. [`crate::memory`] checks the free memory for each
//! request. But if the address space is limited, requests that arrive together can need more than
//! is free. The command therefore allocates through [`Allocator`]: the first failed allocation
//! frees the reserve, and requests are answered 503 until the reserve is allocated again. Like
//! every global allocator, [`Allocator`] is state of the whole process.

#![allow(unsafe_code, reason = "a global allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// Bytes of the reserve. Nothing is written to it, so it occupies only address space.
const SIZE: usize = 16 << 20;
const LAYOUT: Layout = Layout::new::<[u8; SIZE]>();
/// Time between two attempts of a failed allocation. Meanwhile other threads can free memory.
const PAUSE: Duration = Duration::from_millis(10);
/// Maximum number of attempts. Together they take 20 s. In this time, searches can end and free
/// their memory.
const TRIES: u32 = 2000;

pub(crate) static RESERVE: Reserve = Reserve::new();

/// The system allocator with a reserve, used by the command.
#[derive(Clone, Copy, Debug)]
pub struct Allocator;

/// A block of memory that is freed when an allocation fails.
pub(crate) struct Reserve {
    /// Null while the reserve is not allocated.
    block: AtomicPtr<u8>,
    is_short: AtomicBool,
}

impl Reserve {
    const fn new() -> Reserve {
        Reserve {
            block: AtomicPtr::new(null_mut()),
            is_short: AtomicBool::new(false),
        }
    }

    /// Allocates the block if it is not allocated. Returns whether it is allocated afterwards.
    pub(crate) fn hold(&self) -> bool {
        if self.block.load(Ordering::Relaxed).is_null() {
            // SAFETY: the size of the layout is not 0.
            let block = unsafe { System.alloc(LAYOUT) };
            if block.is_null() {
                return false;
            }
            self.replace(block);
        }
        self.is_short.store(false, Ordering::Relaxed);
        true
    }

    /// Whether an allocation has failed since the block was last allocated.
    pub(crate) fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Relaxed)
    }

    /// Calls `allocate`. If it fails, frees the reserve's block and tries again.
    fn allocate(&self, allocate: impl Fn() -> *mut u8) -> *mut u8 {
        let mut found = allocate();
        for number in 0..TRIES {
            if !found.is_null() {
                break;
            }
            if number > 0 {
                sleep(PAUSE);
            }
            self.is_short.store(true, Ordering::Relaxed);
            self.replace(null_mut());
            found = allocate();
        }
        found
    }

    /// Frees the current block, if any, and stores `block` instead.
    fn replace(&self, block: *mut u8) {
        let before = self.block.swap(block, Ordering::AcqRel);
        if !before.is_null() {
            // SAFETY: `hold` allocated this block with this layout, and after the swap only this
            // call owns the block.
            unsafe { System.dealloc(before, LAYOUT) };
        }
    }
}

// SAFETY: every block belongs to the system allocator, which receives the caller's arguments.
unsafe impl GlobalAlloc for Allocator {
    // SAFETY: the caller upholds the contract of `GlobalAlloc`, which the system allocator also
    // requires.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds this contract.
        RESERVE.allocate(|| unsafe { System.alloc(layout) })
    }

    // SAFETY: as for `alloc`.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`.
        RESERVE.allocate(|| unsafe { System.alloc_zeroed(layout) })
    }

    // SAFETY: as for `alloc`.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`; a failed attempt leaves the
        // block unchanged.
        RESERVE.allocate(|| unsafe { System.realloc(block, layout, size) })
    }

    // SAFETY: as for `alloc`.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `reserve.allocate` succeeds. The first `failures` attempts of the simulated
    /// allocation fail, and every attempt fails while the reserve's block is allocated.
    fn allocated(reserve: &Reserve, failures: u32) -> bool {
        let calls = std::cell::Cell::new(0);
        let found = reserve.allocate(|| {
            calls.set(calls.get() + 1);
            let is_free = reserve.block.load(Ordering::Relaxed).is_null();
            match is_free && calls.get() > failures {
                true => std::ptr::dangling_mut(),
                false => null_mut(),
            }
        });
        !found.is_null()
    }

    #[test]
    fn failed_allocations_free_the_reserve_and_retry() {
        let reserve = Reserve::new();
        assert!(reserve.hold() && !reserve.is_short());
        for failures in [0, 5] {
            assert!(allocated(&reserve, failures) && reserve.is_short());
            assert!(reserve.hold() && !reserve.is_short());
        }
        reserve.replace(null_mut());
    }
}
