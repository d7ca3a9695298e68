//! Bundles: packed tables with a manifest. A bundle is a directory, which any web server can serve,
//! or a single file.
//!
//! `docs/format.md` describes the files. Readers check names, lengths and checksums before they
//! write anything.

mod manifest;
mod storage;

pub use manifest::{FileRange, MANIFEST_VERSION, Manifest, ManifestPart, PackedTable, TableInfo};
pub use storage::{Bundle, BundleError, BundleWriter, MANIFEST_NAME, SingleFile, write_unpacked};
