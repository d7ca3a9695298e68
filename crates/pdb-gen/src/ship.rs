//! Shipping: packed tables with a manifest, in a directory that any web server can host, or in a single file.
//!
//! `docs/format.md` describes manifest and files. Nothing that is read is believed: names must be those that the tables have,
//! lengths and sums must agree, and nothing is written before everything was checked.

mod manifest;
mod site;

use pdb_table::{FileError, PackError, Workers};

pub use manifest::{MANIFEST_VERSION, Manifest, PackedTable, Part, Place, TableFacts};
pub use site::{Site, SiteWriter, write_unpacked};

use crate::join::join;

/// The name of the manifest in a directory.
pub const MANIFEST_NAME: &str = "manifest.json";

/// Why tables were not packed or unpacked.
#[derive(Debug, thiserror::Error)]
pub enum ShipError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system says no.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A packed file is not what it should be.
    #[error("{path}: {error}")]
    Pack {
        /// The file.
        path: String,
        /// What is wrong.
        error: PackError,
    },
    /// The manifest is not what it should be.
    #[error("{path}: {reason}")]
    Manifest {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

/// All cores, by rayon's current pool if there is one, until told to stop.
pub struct Cores<F>(pub F);

impl<F: Fn() -> bool + Sync> Workers for Cores<F> {
    fn map<T: Send>(&self, jobs: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
        map_range(0..jobs, &job)
    }

    fn go_on(&self) -> bool {
        self.0()
    }
}

fn map_range<T: Send>(jobs: std::ops::Range<usize>, job: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    match jobs.len() {
        0 => Vec::new(),
        1 => vec![job(jobs.start)],
        count => {
            let middle = jobs.start + count / 2;
            let (mut first, second) = join(
                || map_range(jobs.start..middle, job),
                || map_range(middle..jobs.end, job),
            );
            first.extend(second);
            first
        }
    }
}

/// Bytes in hexadecimal, lower case.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
