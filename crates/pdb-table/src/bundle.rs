//! Bundles: packed tables with a manifest, in a directory that any web server can host, or in a
//! single file.
//!
//! `docs/format.md` describes manifest and files. A reader checks everything: names must be those
//! of the tables, lengths and sums must agree, and nothing is written before all checks have
//! passed.

mod manifest;
mod storage;

use crate::{FileError, PackError, ReadError};

pub use manifest::{FileRange, MANIFEST_VERSION, Manifest, ManifestPart, PackedTable, TableInfo};
pub use storage::{Bundle, BundleWriter, SingleFile, write_unpacked};

/// The name of the manifest in a directory.
pub const MANIFEST_NAME: &str = "manifest.json";

/// Why tables were not packed or unpacked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A packed file is not what it should be.
    #[error("{path}: {error}")]
    Pack {
        /// The file.
        path: String,
        /// What is wrong.
        error: PackError,
    },
    /// A table was not read: it takes more memory than the caller allows.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The manifest is not what it should be.
    #[error("{path}: {reason}")]
    Manifest {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
}
