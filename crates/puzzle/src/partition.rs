//! Partitions: disjoint patterns whose tables are added up.

use std::fmt;

use crate::cell_set::CellSet;
use crate::message::join;
use crate::partition_picture::PartitionPictureError;
use crate::pattern::{Pattern, PatternError};
use crate::symmetry::Symmetry;
use crate::table_kind::TableKind;
use crate::tray::{Cell, Tray};

/// Disjoint patterns of one goal whose values are added up, or one pattern of a non-additive kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    kind: TableKind,
    patterns: Vec<Pattern>,
}

impl Partition {
    /// Checks that the patterns may be added up.
    ///
    /// # Errors
    /// [`PartitionError::Mixed`], [`PartitionError::Overlap`] or [`PartitionError::NotAdditive`].
    pub fn new(kind: TableKind, patterns: Vec<Pattern>) -> Result<Self, PartitionError> {
        let goal = |pattern: &Pattern| (pattern.tray(), pattern.goal_blank());
        let first = patterns.first().map(goal).ok_or(PartitionError::Mixed)?;
        if patterns.iter().any(|pattern| goal(pattern) != first) {
            return Err(PartitionError::Mixed);
        }
        if patterns.len() > 1 && !kind.is_additive() {
            return Err(PartitionError::NotAdditive(kind));
        }
        CellSet::disjoint_union(patterns.iter().map(Pattern::tiles))
            .map_err(PartitionError::Overlap)?;
        Ok(Partition { kind, patterns })
    }

    /// The kind of its tables.
    #[must_use]
    pub fn kind(&self) -> TableKind {
        self.kind
    }

    /// The patterns, at least one.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// All tiles of the patterns.
    #[must_use]
    pub fn tiles(&self) -> CellSet {
        let tiles = self.patterns.iter().map(Pattern::tiles);
        tiles.fold(CellSet::EMPTY, CellSet::union)
    }

    /// The partition seen through a symmetry that maps the tray onto itself.
    #[must_use]
    pub fn map(&self, symmetry: Symmetry) -> Partition {
        let patterns = self.patterns.iter().map(|pattern| pattern.map(symmetry));
        Partition {
            kind: self.kind,
            patterns: patterns.collect(),
        }
    }

    /// Whether two partitions have the same patterns, in whatever order.
    #[must_use]
    pub fn is_same(&self, other: &Partition) -> bool {
        let sorted = |partition: &Partition| {
            let mut patterns = partition.patterns.clone();
            patterns.sort_unstable();
            patterns
        };
        self.kind == other.kind && sorted(self) == sorted(other)
    }

    /// Partitions and their images under all symmetries that keep the goal's blank, each once, with
    /// the partition's number, from 0, and the first symmetry that makes the image.
    #[must_use]
    pub fn views(
        partitions: &[Partition],
        tray: Tray,
        goal_blank: Cell,
    ) -> Vec<(usize, Symmetry, Partition)> {
        let mut views: Vec<(usize, Symmetry, Partition)> = Vec::new();
        for symmetry in Symmetry::keeping(tray, goal_blank) {
            for (number, partition) in partitions.iter().enumerate() {
                let image = partition.map(symmetry);
                if !views.iter().any(|(_, _, view)| view.is_same(&image)) {
                    views.push((number, symmetry, image));
                }
            }
        }
        views
    }
}

impl fmt::Display for Partition {
    /// The kind and the patterns by their goal cells, such as `zero-aware 1.2.4.5/3.6.7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = " ";
        self.kind.fmt(f)?;
        for pattern in &self.patterns {
            write!(f, "{separator}{}", pattern.tiles())?;
            separator = "/";
        }
        Ok(())
    }
}

/// A partition that cannot be read or used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// Not a name, a list or a file.
    #[error(
        "partition `{0}` is not known: give sizes that add up to the number of tiles (6-6-3), \
         best, fewest, small, fringe or manhattan (in the multi-tile metric runs or lines), a list \
         (1,2,5,6/3,4,...), or a file with a picture"
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
    /// Patterns of different goals, or none.
    #[error("a partition is made of patterns of one goal, at least one")]
    Mixed,
    /// Two patterns have a tile in common, named by its goal cell.
    #[error("the tile of cell {} is in two patterns of a partition", .0)]
    Overlap(Cell),
    /// Several patterns whose values must not be added up.
    #[error("{0} tables cannot be added up: a partition of them has one pattern")]
    NotAdditive(TableKind),
    /// Tiles in no part.
    #[error("tiles in no part: {}", join(.0, ", "))]
    Missing(Vec<u16>),
    /// A part that no table can be made for.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A file that cannot be read.
    #[error("{file}: {reason}")]
    File {
        /// The file's name as given.
        file: String,
        /// The message of the system.
        reason: String,
    },
    /// A picture file that cannot be read as a picture.
    #[error("{file}: {source}")]
    Picture {
        /// The file's name as given.
        file: String,
        /// The error in the drawing.
        source: PartitionPictureError,
    },
    /// No picture of a file fits.
    #[error(
        "{file} has no picture of a {tray} tray whose blank a symmetry brings to cell {blank} \
         (row {}, column {})",
        tray.row(*blank) + 1,
        tray.column(*blank) + 1
    )]
    NoPicture {
        /// The file's name as given.
        file: String,
        /// The size wanted.
        tray: Tray,
        /// The blank's goal cell.
        blank: Cell,
    },
}
