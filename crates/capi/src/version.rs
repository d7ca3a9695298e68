//! Which library this is.

use std::ffi::c_char;

/// The number of this header's binary interface. A library with the same number runs all programs
/// that were compiled with this header or an older one of that number; it is the number of the
/// shared library's soname too.
pub const STP_ABI_VERSION: u32 = 1;

/// The version of this header: programs ask by `#if` what it declares. stp_version has that of the
/// library.
pub const STP_VERSION_MAJOR: u32 = 0;
/// The second part of the version.
pub const STP_VERSION_MINOR: u32 = 2;
/// The third part of the version.
pub const STP_VERSION_PATCH: u32 = 0;
/// The version as one number that grows with it: major * 10000 + minor * 100 + patch.
pub const STP_VERSION_NUMBER: u32 =
    STP_VERSION_MAJOR * 10000 + STP_VERSION_MINOR * 100 + STP_VERSION_PATCH;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_the_version_of_the_package() {
        let parts = [STP_VERSION_MAJOR, STP_VERSION_MINOR, STP_VERSION_PATCH];
        let parts = parts.map(|part| part.to_string()).join(".");
        assert_eq!(parts, env!("CARGO_PKG_VERSION"));
    }
}
