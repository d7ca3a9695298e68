//! Tables that are larger than memory.

use std::fmt;

use pdb_table::{Encoding, size};
use puzzle::TableId;

use crate::forecast::{estimate_memory, max_tiles};

/// A table, or all that a partition lacks, needs more memory than there is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge {
    /// The table or the partition.
    pub name: String,
    /// Bytes needed, by [`estimate_memory`].
    pub needed: u64,
    /// Bytes free.
    pub free: u64,
    /// The most tiles of which one table of this kind would fit; `None` if none would, and for
    /// partitions.
    pub max_tiles: Option<usize>,
}

impl std::error::Error for TooLarge {}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, needed, free) = (&self.name, size(self.needed), size(self.free));
        write!(
            f,
            "{name} needs about {needed} of memory to build, and {free} are free: "
        )?;
        match self.max_tiles {
            Some(tiles) => write!(
                f,
                "choose parts of at most {tiles} tiles, or make memory free"
            ),
            None => f.write_str("choose smaller parts, or make memory free"),
        }
    }
}

impl TooLarge {
    /// Refuses a table whose build needs more than so many bytes, where it is known how many there
    /// are.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn check(id: TableId, encoding: Encoding, free: Option<u64>) -> Result<(), TooLarge> {
        let name = id.name();
        TooLarge::refuse(&name, estimate_memory(id, encoding), free).map_err(|refused| TooLarge {
            max_tiles: max_tiles(id.tray(), id.kind(), encoding, refused.free),
            ..refused
        })
    }

    /// Refuses a partition whose tables need more than so many bytes, where that is limited.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn refuse(name: &str, needed: u64, free: Option<u64>) -> Result<(), TooLarge> {
        match free.filter(|&free| needed > free) {
            None => Ok(()),
            Some(free) => Err(TooLarge {
                name: name.to_owned(),
                needed,
                free,
                max_tiles: None,
            }),
        }
    }
}
