//! Tests of the public interface: texts of types, presets, and the examples of the documents.
#![allow(clippy::unwrap_used)]

mod presets;
mod traits;
mod wild;
