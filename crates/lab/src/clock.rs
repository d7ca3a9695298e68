//! The clock. With the feature `web` it reads the time of the WebAssembly host.

#[cfg(not(feature = "web"))]
pub(crate) use std::time::Instant;
#[cfg(feature = "web")]
pub(crate) use web_time::Instant;
