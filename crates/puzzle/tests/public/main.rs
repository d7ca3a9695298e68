//! Tests of the public interface: texts of types, presets, and the examples of the documents.
#![allow(clippy::unwrap_used)]

mod notation_document;
mod presets;
mod ranking_example;
mod traits;
mod wild;
