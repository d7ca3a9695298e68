//! Partitions: disjoint patterns whose table values are added.

use std::fmt;

use crate::cell_set::CellSet;
use crate::message::join;
use crate::partition_picture::PartitionPictureError;
use crate::pattern::{Pattern, PatternError};
use crate::symmetry::Symmetry;
use crate::table_kind::TableKind;
use crate::tray::{Cell, Tray};

/// Disjoint patterns of one goal whose values are added, or one pattern of a non-additive kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    kind: TableKind,
    patterns: Vec<Pattern>,
}

impl Partition {
    /// Creates a partition, and checks that the values of its patterns may be added.
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

    /// The kind of the tables.
    #[must_use]
    pub fn kind(&self) -> TableKind {
        self.kind
    }

    /// The patterns, at least one.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The union of the patterns' tiles.
    #[must_use]
    pub fn tiles(&self) -> CellSet {
        let tiles = self.patterns.iter().map(Pattern::tiles);
        tiles.fold(CellSet::EMPTY, CellSet::union)
    }

    /// The image under a symmetry that maps the tray onto itself.
    #[must_use]
    pub fn map(&self, symmetry: Symmetry) -> Partition {
        let patterns = self.patterns.iter().map(|pattern| pattern.map(symmetry));
        Partition {
            kind: self.kind,
            patterns: patterns.collect(),
        }
    }

    /// Whether both partitions have the same patterns, in any order.
    #[must_use]
    pub fn is_same(&self, other: &Partition) -> bool {
        let sorted = |partition: &Partition| {
            let mut patterns = partition.patterns.clone();
            patterns.sort_unstable();
            patterns
        };
        self.kind == other.kind && sorted(self) == sorted(other)
    }

    /// The partitions and their images under all symmetries that keep the goal's blank in place.
    /// Each image is listed once, with the index of its partition and the first symmetry that
    /// produces the image.
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
    /// The kind, then the patterns by goal cells, such as `zero-aware 1.2.4.5/3.6.7`.
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

/// Error: a partition that cannot be read or used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// A text that is not a name, a list or a file.
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
        /// Number of tiles in the parts of the name.
        found: usize,
        /// Number of tiles on the board.
        expected: usize,
        /// The tray.
        tray: Tray,
    },
    /// A word of a list is not a number.
    #[error("`{0}` in the list of tiles is not a number")]
    Word(String),
    /// A number in the list is too large for the tray.
    #[error("{number} in the list is not a tile of a {tray} board (1 to {})", tray.cells() - 1)]
    Tile {
        /// The number.
        number: u32,
        /// The tray.
        tray: Tray,
    },
    /// A tile is listed twice.
    #[error("tile {0} is listed twice: the parts of a partition must not overlap")]
    Twice(u16),
    /// Patterns of different goals, or no patterns.
    #[error("a partition needs at least one pattern, and all its patterns must have the same goal")]
    Mixed,
    /// Two patterns share a tile, named by its goal cell.
    #[error("the tile of cell {} is in two patterns of a partition", .0)]
    Overlap(Cell),
    /// Several patterns of a kind whose values cannot be added.
    #[error("values of {0} tables cannot be added: a partition must have exactly one pattern")]
    NotAdditive(TableKind),
    /// Tiles that are in no part.
    #[error("tiles in no part: {}", join(.0, ", "))]
    Missing(Vec<u16>),
    /// A part that cannot have a table.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A file that cannot be read.
    #[error("{file}: {reason}")]
    File {
        /// The file name from the specification.
        file: String,
        /// The operating system's message.
        reason: String,
    },
    /// A file that does not contain valid pictures of partitions.
    #[error("{file}: {source}")]
    Picture {
        /// The file name from the specification.
        file: String,
        /// The error in the picture.
        source: PartitionPictureError,
    },
    /// No picture of the file matches the goal.
    #[error(
        "{file} has no picture of a {tray} tray with the blank on cell {blank} (row {}, column {}) \
         or a symmetric cell",
        tray.row(*blank) + 1,
        tray.column(*blank) + 1
    )]
    NoPicture {
        /// The file name from the specification.
        file: String,
        /// The goal's tray.
        tray: Tray,
        /// The blank's goal cell.
        blank: Cell,
    },
}
