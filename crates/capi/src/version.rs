//! Version of the library.

use std::ffi::c_char;

/// Version of this header's binary interface, also the number of the shared library's soname. A
/// program that was compiled with an older header runs with this library if that header has the
/// same STP_ABI_VERSION.
pub const STP_ABI_VERSION: u32 = 2;

/// First part of this header's version, for `#if` directives. stp_version returns the version of
/// the library.
pub const STP_VERSION_MAJOR: u32 = 0;
/// Second part of the version.
pub const STP_VERSION_MINOR: u32 = 2;
/// Third part of the version.
pub const STP_VERSION_PATCH: u32 = 0;
/// The version as one number, for comparisons: major * 10000 + minor * 100 + patch.
pub const STP_VERSION_NUMBER: u32 =
    STP_VERSION_MAJOR * 10000 + STP_VERSION_MINOR * 100 + STP_VERSION_PATCH;

/// The library's version, such as "0.2.0".
///
/// The text is static and must not be freed. May be called from any thread at any time.
#[unsafe(no_mangle)]
pub extern "C" fn stp_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The library's STP_ABI_VERSION. Programs that load the library themselves compare this number
/// with the STP_ABI_VERSION of their header.
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
    fn header_and_package_versions_match() {
        let parts = [STP_VERSION_MAJOR, STP_VERSION_MINOR, STP_VERSION_PATCH];
        let parts = parts.map(|part| part.to_string()).join(".");
        assert_eq!(parts, env!("CARGO_PKG_VERSION"));
    }
}
