//! Which library this is.

use std::ffi::c_char;

/// The number of this header's binary interface. A library with the same number runs all programs
/// that were compiled with this header or an older one of that number; it is the number of the
/// shared library's soname too.
pub const STP_ABI_VERSION: u32 = 1;

/// The library's version, such as "0.2.0".
///
/// The text is static: it is never freed. May be called from any thread at any time.
#[unsafe(no_mangle)]
pub extern "C" fn stp_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The library's STP_ABI_VERSION: programs that load the library by themselves compare it with the
/// one that they were written for.
///
/// May be called from any thread at any time.
#[unsafe(no_mangle)]
pub extern "C" fn stp_abi_version() -> u32 {
    STP_ABI_VERSION
}
