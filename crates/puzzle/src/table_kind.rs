//! Table kinds and their properties: which moves count, and how the blank is treated.

use crate::cell_set::CellSet;
use crate::name_variants;
use crate::tray::{Cell, Direction, Tray};

/// Kind of a table: the moves that it counts, and the treatment of the blank. Table files store the
/// number of the kind; their file names contain its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[must_use]
pub enum TableKind {
    /// Counts the moves of the pattern's tiles, with one row per region of the blank (Clausecker &
    /// Reinefeld 2019). Additive.
    ZeroAware,
    /// The minimum of the zero-aware values over the regions (Korf & Felner 2002). Additive.
    BlankCompressed,
    /// Counts all moves, including those of other tiles, with one row per cell of the blank
    /// (Culberson & Schaeffer 1998). Not additive.
    #[cfg_attr(feature = "serde", serde(rename = "full"))]
    FullCost,
    /// Like `FullCost`, in the multi-tile metric, where a run counts as one move. Not additive.
    #[cfg_attr(feature = "serde", serde(rename = "runs"))]
    MultiTile,
}

/// Difference between the values of two entries that are one move apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueStep {
    /// Exactly one.
    One,
    /// At most one.
    AtMostOne,
    /// More than one is possible, so the tables are not consistent.
    Several,
}

name_variants! {
    "kind", TableKind {
        ZeroAware: "zero-aware", BlankCompressed: "blank-compressed",
        FullCost: "full", MultiTile: "runs"
    }
}

impl TableKind {
    /// The metric of the counted moves.
    pub const fn metric(self) -> Metric {
        match self {
            TableKind::MultiTile => Metric::Multi,
            _ => Metric::Single,
        }
    }

    /// Whether values of disjoint patterns may be added.
    #[must_use]
    pub const fn is_additive(self) -> bool {
        matches!(self, TableKind::ZeroAware | TableKind::BlankCompressed)
    }

    /// Whether an entry depends on the blank's cell.
    #[inline]
    #[must_use]
    pub const fn has_blank(self) -> bool {
        matches!(self, TableKind::FullCost | TableKind::MultiTile)
    }

    /// Whether each shape has only one blank class, so that values do not depend on the blank.
    #[inline]
    #[must_use]
    pub const fn has_one_class(self) -> bool {
        matches!(self, TableKind::BlankCompressed)
    }

    /// Difference between the values of two entries that are one move apart, for this kind.
    #[must_use]
    pub const fn value_step(self) -> ValueStep {
        match self {
            TableKind::ZeroAware | TableKind::FullCost => ValueStep::One,
            TableKind::BlankCompressed => ValueStep::Several,
            TableKind::MultiTile => ValueStep::AtMostOne,
        }
    }

    /// The kind of the rows that a build sweeps. For blank-compressed tables these rows are
    /// zero-aware, because blank-compressed values are minima over zero-aware rows.
    pub const fn swept(self) -> TableKind {
        match self {
            TableKind::BlankCompressed => TableKind::ZeroAware,
            kind => kind,
        }
    }

    /// Whether each value is a minimum over the rows of its shape, in a table of the kind
    /// [`Self::swept`].
    #[must_use]
    pub fn is_minimum(self) -> bool {
        self.swept() != self
    }

    /// Checkerboard colour of a row, 0 or 1: the colour of the blank's cell if entries depend on
    /// that cell, otherwise the colour of the shape. Every counted single move changes the colour.
    /// If every counted move also changes the value by exactly one, entries of equal colour have
    /// values of equal parity.
    #[must_use]
    pub fn colour(self, tray: Tray, shape: CellSet, blank: CellSet) -> usize {
        match self.has_blank() {
            true => blank.lowest().map_or(0, |cell| tray.colour(cell)),
            false => shape.colour(tray),
        }
    }
}

/// The blank classes of all shapes, for one kind on one tray. A shape has one row per blank class.
#[derive(Clone, Copy, Debug)]
pub struct BlankClasses {
    kind: TableKind,
    all: CellSet,
    width: usize,
    not_first_column: CellSet,
    not_last_column: CellSet,
}

impl BlankClasses {
    /// The classes for a kind, on a tray of at most [`CellSet::MAX_CELLS`] cells.
    #[must_use]
    pub fn new(tray: Tray, kind: TableKind) -> Self {
        let without = |column| {
            tray.iter()
                .filter(move |&c| tray.column(c) != column)
                .collect()
        };
        BlankClasses {
            kind,
            all: CellSet::all(tray),
            width: tray.width(),
            not_first_column: without(0),
            not_last_column: without(tray.width() - 1),
        }
    }

    /// The blank classes for tiles on the cells of `shape`, in order of their first cells.
    pub fn of(&self, shape: CellSet) -> impl Iterator<Item = CellSet> {
        let mut rest = self.all.difference(shape);
        std::iter::from_fn(move || {
            let class = self.among(rest, rest.lowest()?);
            rest = rest.difference(class);
            Some(class)
        })
    }

    /// The class of a cell outside `shape`.
    #[inline]
    pub fn containing(&self, shape: CellSet, cell: Cell) -> CellSet {
        self.among(self.all.difference(shape), cell)
    }

    /// The blank class that contains `cell`. `free` is a union of blank classes that contains
    /// `cell`.
    #[inline]
    fn among(&self, free: CellSet, cell: Cell) -> CellSet {
        match self.kind {
            TableKind::BlankCompressed => free,
            TableKind::ZeroAware => self.region(free, cell),
            TableKind::FullCost | TableKind::MultiTile => CellSet::EMPTY.with(cell),
        }
    }

    /// The cells of a set and all their neighbours. The result can contain cells outside the tray.
    #[inline]
    pub fn grown(&self, set: CellSet) -> CellSet {
        CellSet::from_bits(
            set.bits()
                | set.bits() << self.width
                | set.bits() >> self.width
                | set.intersection(self.not_last_column).bits() << 1
                | set.intersection(self.not_first_column).bits() >> 1,
        )
    }

    /// The connected cells of `free` around `from`.
    #[inline]
    fn region(&self, free: CellSet, from: Cell) -> CellSet {
        let mut region = CellSet::EMPTY.with(from).intersection(free);
        loop {
            let grown = self.grown(region).intersection(free);
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}

/// The unit of solution lengths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[must_use]
pub enum Metric {
    /// Each tile that slides by one cell counts as a move.
    #[default]
    Single,
    /// Each run counts as a move: one or more tiles of a line that slide together by one cell.
    Multi,
}

name_variants! { "metric", Metric { Single: "single", Multi: "multi" } }

impl Metric {
    /// The length of a list of single moves. In the multi-tile metric, consecutive moves in one
    /// direction count as one run.
    ///
    /// ```
    /// use puzzle::{Direction::{Left, Up}, Metric};
    /// assert_eq!(Metric::Single.length(&[Up, Up, Left]), 3);
    /// assert_eq!(Metric::Multi.length(&[Up, Up, Left]), 2);
    /// ```
    #[must_use]
    pub fn length(self, moves: &[Direction]) -> usize {
        match self {
            Metric::Single => moves.len(),
            Metric::Multi => moves.chunk_by(|a, b| a == b).count(),
        }
    }
}
