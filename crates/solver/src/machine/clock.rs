//! The clock. Bare WebAssembly has no clock; the feature `web` uses the clock of the host.

#[cfg(not(feature = "web"))]
pub(crate) use std::time::Instant;
#[cfg(feature = "web")]
pub(crate) use web_time::Instant;

/// Whether the platform has a clock.
pub(crate) const HAS_CLOCK: bool =
    cfg!(feature = "web") || !cfg!(all(target_family = "wasm", target_os = "unknown"));
