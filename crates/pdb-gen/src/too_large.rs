//! Error for tables that are larger than memory.

use pdb_table::{Encoding, size};
use puzzle::TableId;

use crate::forecast::{estimate_memory, max_tiles};

/// A table, or the missing tables of a partition, need more memory than is free.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not enough memory: building {name} needs about {}, {} are free: choose {}, or free memory",
    size(*needed), size(*free),
    max_tiles.map_or("smaller parts".to_owned(), |tiles| format!("parts of at most {tiles} tiles"))
)]
#[non_exhaustive]
pub struct TooLarge {
    /// The table or the partition.
    pub name: String,
    /// Bytes needed, by [`estimate_memory`].
    pub needed: u64,
    /// Bytes free.
    pub free: u64,
    /// Largest number of tiles of a table of this kind that fits in the free memory. `None` if no
    /// such table fits, and for partitions.
    pub max_tiles: Option<usize>,
}

impl TooLarge {
    /// Rejects a table whose build needs more than `free` bytes. If `free` is `None` (unknown),
    /// every table is accepted.
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

    /// Rejects a partition whose tables need more than `free` bytes. If `free` is `None`, every
    /// partition is accepted.
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
