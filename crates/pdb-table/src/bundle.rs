//! Bundles: packed tables with a manifest, in a directory for any web server, or in a single file.
//!
//! `docs/format.md` describes the files. A reader checks names, lengths and sums before it writes.

mod manifest;
mod storage;

pub use manifest::{FileRange, MANIFEST_VERSION, Manifest, ManifestPart, PackedTable, TableInfo};
pub use storage::{Bundle, BundleError, BundleWriter, MANIFEST_NAME, SingleFile, write_unpacked};
