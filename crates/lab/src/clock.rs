//! The clock; with the feature `web` that of the host of WebAssembly.

#[cfg(not(feature = "web"))]
pub(crate) use std::time::Instant;
#[cfg(feature = "web")]
pub(crate) use web_time::Instant;
