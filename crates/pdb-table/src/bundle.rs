//! Bundles: packed tables with a manifest, as a directory for any web server or as a single file.
//!
//! `docs/format.md` describes the files. Readers check names, lengths and checksums before they
//! write anything.

mod manifest;
mod storage;

pub use manifest::{FileRange, MANIFEST_VERSION, Manifest, ManifestPart, PackedTable, TableInfo};
pub use storage::{Bundle, BundleError, BundleWriter, MANIFEST_NAME, SingleFile, write_unpacked};
