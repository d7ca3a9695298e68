//! The tables that a plan needs against those that a directory has: what is missing is built and written.

use std::path::PathBuf;

use pdb_table::{Encoding, FileError, Header, OuterLayer, TableDirectory};
use puzzle::TableId;

use crate::build::{BuildError, Built, build, estimate_memory};
use crate::sweep::Progress;

/// A tables directory and how tables are written to it.
#[derive(Clone, Debug)]
pub struct Stock {
    /// Where the tables are.
    pub directory: TableDirectory,
    /// The encoding to write; `None` for each kind's usual one.
    pub encoding: Option<Encoding>,
    /// Whether files are compressed.
    pub layer: OuterLayer,
    /// Memory that a build may take, in bytes, where it is known.
    pub memory: Option<u64>,
}

/// Why a table is not there.
#[derive(Debug, thiserror::Error)]
pub enum StockError {
    /// The table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A file or the directory could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The table is larger than the machine.
    #[error(
        "{name} needs about {} of memory to build, and {} are free: choose smaller parts",
        size(*needed), size(*free)
    )]
    TooLarge {
        /// The table.
        name: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
}

/// What was done for a table.
#[derive(Debug)]
pub enum Outcome {
    /// A sound file was there.
    Kept,
    /// A new file was written.
    Written {
        /// The damaged or outdated file that it replaces.
        replaced: Option<FileError>,
    },
}

/// Bytes in the largest unit that leaves at least one.
#[must_use]
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "B";
    for larger in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    if unit == "B" {
        format!("{bytes} B")
    } else {
        format!("{value:.2} {unit}")
    }
}

impl Stock {
    /// A directory with the usual encodings, uncompressed.
    #[must_use]
    pub fn new(directory: TableDirectory) -> Self {
        Stock {
            directory,
            encoding: None,
            layer: OuterLayer::None,
            memory: None,
        }
    }

    /// The file to which a table is written.
    #[must_use]
    pub fn path(&self, id: TableId) -> PathBuf {
        let encoding = self.encoding_for(id);
        let compressed = self.layer != OuterLayer::None;
        self.directory.file(id, encoding, compressed)
    }

    fn encoding_for(&self, id: TableId) -> Encoding {
        let usual = Encoding::default_for(id.kind);
        self.encoding.unwrap_or(usual)
    }

    /// Builds a table and writes its file, unless a sound one is there and `force` is false.
    ///
    /// # Errors
    /// [`StockError`]; nothing half-written is left.
    pub fn ensure(
        &self,
        id: TableId,
        force: bool,
        progress: &mut dyn Progress,
    ) -> Result<(TableHead, Outcome), StockError> {
        let path = self.path(id);
        let mut replaced = None;
        if !force {
            match self.directory.open(id, self.encoding_for(id), &path) {
                Ok(table) => {
                    let header = table.header().clone();
                    return Ok((TableHead { path, header }, Outcome::Kept));
                }
                Err(error) if error.is_missing() => {}
                Err(error) => replaced = Some(error),
            }
        }
        self.check_memory(id)?;
        // Before the work, so that a place that cannot be written is known at once.
        self.directory.create()?;
        let built = build(id, self.encoding_for(id), progress)?;
        let header = self.keep(&built)?;
        Ok((TableHead { path, header }, Outcome::Written { replaced }))
    }

    /// Refuses a table that is too large to build here.
    ///
    /// # Errors
    /// [`StockError::TooLarge`].
    pub fn check_memory(&self, id: TableId) -> Result<(), StockError> {
        let needed = estimate_memory(id, self.encoding_for(id));
        match self.memory.filter(|&free| needed > free) {
            None => Ok(()),
            Some(free) => Err(StockError::TooLarge {
                name: id.name(),
                needed,
                free,
            }),
        }
    }

    /// Writes a table that was built to its file.
    ///
    /// # Errors
    /// [`FileError`]; nothing half-written is left.
    pub fn keep(&self, built: &Built) -> Result<Header, FileError> {
        self.directory.create()?;
        built.write(&self.path(built.id()), self.layer)
    }
}

/// A table's file and its header.
#[derive(Debug)]
pub struct TableHead {
    /// The file.
    pub path: PathBuf,
    /// The header.
    pub header: Header,
}
