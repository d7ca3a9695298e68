//! Bundles: packed tables with a manifest, in a directory that any web server can host, or in a
//! single file.
//!
//! `docs/format.md` describes manifest and files. A reader checks everything: names must be those
//! of the tables, lengths and sums must agree, and nothing is written before all checks have
//! passed.

mod manifest;
mod storage;

pub use manifest::{FileRange, MANIFEST_VERSION, Manifest, ManifestPart, PackedTable, TableInfo};
pub use storage::{Bundle, BundleError, BundleWriter, MANIFEST_NAME, SingleFile, write_unpacked};
