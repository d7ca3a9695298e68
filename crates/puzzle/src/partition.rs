//! Partitions: disjoint patterns whose table values are added.

use std::fmt;

use crate::cell_set::CellSet;
use crate::names::join;
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
    /// There is no pattern, the patterns have different goals or share a tile, or there are several
    /// patterns of a kind that is not additive.
    pub fn new(kind: TableKind, patterns: Vec<Pattern>) -> Result<Self, PartitionError> {
        let goal = |pattern: &Pattern| (pattern.tray(), pattern.goal_blank());
        let first = patterns.first().map(goal);
        if first.is_none() || patterns.iter().any(|pattern| Some(goal(pattern)) != first) {
            return PartitionError::other(
                "a partition needs at least one pattern, and all its patterns must have the same \
                 goal",
            );
        }
        if patterns.len() > 1 && !kind.is_additive() {
            return PartitionError::other(format!(
                "values of {kind} tables cannot be added: a partition must have exactly one pattern"
            ));
        }
        match CellSet::disjoint_union(patterns.iter().map(Pattern::tiles)) {
            Ok(_) => Ok(Partition { kind, patterns }),
            Err(cell) => PartitionError::other(format!(
                "the tile of cell {cell} is in two patterns of a partition"
            )),
        }
    }

    /// The kind of the tables.
    pub fn kind(&self) -> TableKind {
        self.kind
    }

    /// The patterns, at least one.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The union of the patterns' tiles.
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

/// Error: a partition that cannot be read or used. Most faults only have a message.
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
    /// Tiles that are in no part.
    #[error("tiles in no part: {}", join(.0, ", "))]
    Missing(Vec<u16>),
    /// A part that cannot have a table.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// Any other fault: its message.
    #[error("{0}")]
    Other(String),
}

impl PartitionError {
    /// An error without further data.
    pub(crate) fn other<T>(message: impl Into<String>) -> Result<T, PartitionError> {
        Err(PartitionError::Other(message.into()))
    }

    /// The error for a tile in two parts.
    pub(crate) fn twice<T>(tile: u16) -> Result<T, PartitionError> {
        PartitionError::other(format!(
            "tile {tile} is listed twice: the parts of a partition must not overlap"
        ))
    }
}
