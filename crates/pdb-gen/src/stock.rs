//! The tables that a plan needs against those that a directory has: what is missing is built and written.

use std::path::{Path, PathBuf};

use pdb_table::{Encoding, FileError, Header, OuterLayer, TableDirectory};
use puzzle::TableId;

use crate::build::{BuildError, Built, build_kept};
use crate::checkpoint::{Checkpoint, Saving};
use crate::forecast::{estimate_memory, file_length};
use crate::lock::Lock;
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
    /// When builds are saved.
    pub saving: Saving,
    /// Whether a build goes on from its checkpoint.
    pub resume: bool,
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
    /// The table does not fit the disk.
    #[error(
        "{name} takes {} of disk, and {} are free in {}: make room, or give --tables DIR",
        size(*needed), size(*free), directory.display()
    )]
    DiskFull {
        /// The table.
        name: String,
        /// Where it would be written.
        directory: PathBuf,
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
            saving: Saving::Sparing,
            resume: false,
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
        if let (Some(kept), _) = self.kept(id, force) {
            return Ok(kept);
        }
        self.check_memory(id)?;
        // Before the work, so that a place that cannot be written is known at once.
        self.directory.create()?;
        self.check_disk(id)?;
        let mut waits = false;
        let lock = Lock::take(&beside(&path, "lock"), || {
            if !std::mem::replace(&mut waits, true) {
                let name = id.name();
                progress.note(&format!(
                    "{name} is being built by another process: waiting"
                ));
            }
            progress.wait()
        });
        let lock = lock.map_err(|error| FileError::io(&path, error))?;
        let Some(_lock) = lock else {
            return Err(BuildError::Cancelled { saved: None }.into());
        };
        // What was built while this one waited is as good as built again.
        let (kept, replaced) = self.kept(id, force && !waits);
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let checkpoint = beside(&path, "checkpoint");
        if !self.resume && checkpoint.exists() {
            let path = checkpoint.display();
            progress.note(&format!(
                "building anew, since --resume is not given: {path} is left"
            ));
        }
        let encoding = self.encoding_for(id);
        let mut keeper = Checkpoint::new(checkpoint, id, encoding, self.saving, self.resume);
        let built = build_kept(id, encoding, progress, &mut keeper)?;
        let header = self.keep(&built)?;
        keeper.remove();
        Ok((TableHead { path, header }, Outcome::Written { replaced }))
    }

    /// The table that is there already, else why the file that is there is no good.
    fn kept(&self, id: TableId, force: bool) -> (Option<(TableHead, Outcome)>, Option<FileError>) {
        if force {
            return (None, None);
        }
        let path = self.path(id);
        match self.directory.open(id, self.encoding_for(id), &path) {
            Ok(table) => {
                let header = table.header().clone();
                (Some((TableHead { path, header }, Outcome::Kept)), None)
            }
            Err(error) if error.is_missing() => (None, None),
            Err(error) => (None, Some(error)),
        }
    }

    fn check_disk(&self, id: TableId) -> Result<(), StockError> {
        let needed = file_length(id, self.encoding_for(id));
        let directory = self.directory.path();
        match fs4::available_space(directory) {
            Ok(free) if self.layer == OuterLayer::None && needed > free => {
                let (name, directory) = (id.name(), directory.to_owned());
                Err(StockError::DiskFull {
                    name,
                    directory,
                    needed,
                    free,
                })
            }
            // Where the system does not tell, writing will.
            _ => Ok(()),
        }
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

/// The file of this kind that belongs to a table's file.
fn beside(table: &Path, kind: &str) -> PathBuf {
    let mut name = table.as_os_str().to_owned();
    name.push(".");
    name.push(kind);
    name.into()
}
