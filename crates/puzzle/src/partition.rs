//! Partitions: disjoint patterns whose tables are added up.

use crate::{Cell, CellSet, Kind, PatternError, PictureError, Symmetry, Tray};

/// Disjoint patterns, by goal cell, whose heuristics are added up; or a single full-cost pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// The kind of its tables.
    pub kind: Kind,
    /// The patterns.
    pub parts: Vec<CellSet>,
}

impl Partition {
    pub(crate) fn map(&self, symmetry: Symmetry, tray: Tray) -> Partition {
        Partition {
            kind: self.kind,
            parts: self.parts.iter().map(|p| p.map(symmetry, tray)).collect(),
        }
    }

    pub(crate) fn is_same(&self, other: &Partition) -> bool {
        let sorted = |partition: &Partition| {
            let mut parts = partition.parts.clone();
            parts.sort_unstable();
            parts
        };
        self.kind == other.kind && sorted(self) == sorted(other)
    }
}

/// A partition that cannot be read or used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartitionError {
    /// Not a name, a list or a file.
    #[error(
        "partition `{0}` is not known: give sizes that add up to the number of tiles (6-6-3), best, fewest, small, fringe \
         or manhattan (with --metric multi: runs or lines), a list (1,2,5,6/3,4,...), or a file with a picture"
    )]
    Unknown(String),
    /// The sizes of a name do not add up to the number of tiles.
    #[error("the parts of {name} have {found} tiles together, but a {tray} board has {expected}")]
    Sum {
        /// The name.
        name: String,
        /// Tiles of the name's parts.
        found: usize,
        /// Tiles of the board.
        expected: usize,
        /// The size.
        tray: Tray,
    },
    /// A word of a list is no number.
    #[error("`{0}` in the list of tiles is not a number")]
    Word(String),
    /// A listed tile that the goal does not have, or that is the blank.
    #[error("{number} in the list is not a tile of a {tray} board (1 to {})", tray.cells() - 1)]
    Tile {
        /// The number.
        number: u32,
        /// The size.
        tray: Tray,
    },
    /// A tile listed twice.
    #[error("tile {0} is listed twice: the parts of a partition must not overlap")]
    Twice(u16),
    /// Tiles in no part.
    #[error("tiles in no part: {}", list(.0))]
    Missing(Vec<u16>),
    /// A part that no table can be made for.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A file that cannot be read.
    #[error("{file}: {reason}")]
    File {
        /// The file's name as given.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// A picture file that cannot be read as a picture.
    #[error("{file}: {source}")]
    Picture {
        /// The file's name as given.
        file: String,
        /// What is wrong.
        source: PictureError,
    },
    /// No picture of a file fits.
    #[error("{file} has no picture of a {tray} tray whose blank a symmetry brings to cell {} (row {}, column {})",
        blank.index(), tray.row(*blank) + 1, tray.column(*blank) + 1)]
    NoPicture {
        /// The file's name as given.
        file: String,
        /// The size wanted.
        tray: Tray,
        /// The blank's goal cell.
        blank: Cell,
    },
}

fn list(numbers: &[u16]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(", ")
}
