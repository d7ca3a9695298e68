//! Table kinds and all their properties: what a table counts and how it treats the blank.

use crate::cell_set::{CellSet, Regions};
use crate::metric::Metric;
use crate::name_variants;
use crate::tray::{Cell, Tray};

/// The counted moves, and the treatment of the blank. Files store the number, file names the name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TableKind {
    /// Moves of the pattern's tiles, by the blank's region (Clausecker & Reinefeld 2019). Additive.
    ZeroAware,
    /// The minimum of that over the regions (Korf & Felner 2002). Additive.
    BlankCompressed,
    /// All moves, by the blank's cell (Culberson & Schaeffer 1998). Not additive.
    FullCost,
    /// The same in the multi-tile metric, where a run counts once. Not additive.
    MultiTile,
}

/// Into which classes the cells of the blank fall while the tiles of a pattern stay where they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BlankClass {
    /// All cells are one class.
    Any,
    /// A class for each connected region.
    Region,
    /// A class for each cell.
    Cell,
}

/// By how much the values of two entries differ that one move of the metric joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueStep {
    /// By exactly one.
    One,
    /// By at most one.
    AtMostOne,
    /// By several: such tables are not consistent.
    Several,
}

struct Properties {
    metric: Metric,
    blank: BlankClass,
    is_additive: bool,
    step: ValueStep,
}

name_variants! {
    "kind", TableKind {
        ZeroAware: "zero-aware", BlankCompressed: "blank-compressed",
        FullCost: "full", MultiTile: "runs"
    }
}

impl TableKind {
    #[inline]
    const fn properties(self) -> Properties {
        let (metric, blank, is_additive, step) = match self {
            TableKind::ZeroAware => (Metric::Single, BlankClass::Region, true, ValueStep::One),
            TableKind::BlankCompressed => {
                (Metric::Single, BlankClass::Any, true, ValueStep::Several)
            }
            TableKind::FullCost => (Metric::Single, BlankClass::Cell, false, ValueStep::One),
            TableKind::MultiTile => (Metric::Multi, BlankClass::Cell, false, ValueStep::AtMostOne),
        };
        Properties {
            metric,
            blank,
            is_additive,
            step,
        }
    }

    /// The metric whose moves are counted.
    #[must_use]
    pub const fn metric(self) -> Metric {
        self.properties().metric
    }

    /// Whether tables of disjoint patterns may be added up.
    #[must_use]
    pub const fn is_additive(self) -> bool {
        self.properties().is_additive
    }

    /// Whether the blank's cell is part of an entry.
    #[inline]
    #[must_use]
    pub const fn has_blank(self) -> bool {
        matches!(self.properties().blank, BlankClass::Cell)
    }

    /// Whether a shape has one class of the blank, so that values do not depend on the blank.
    #[inline]
    #[must_use]
    pub const fn has_one_class(self) -> bool {
        matches!(self.properties().blank, BlankClass::Any)
    }

    /// By how much values change with a move.
    #[must_use]
    pub const fn value_step(self) -> ValueStep {
        self.properties().step
    }

    /// The kind that a sweep visits: blank-compressed values are minima over zero-aware rows.
    #[must_use]
    pub const fn swept(self) -> TableKind {
        match self {
            TableKind::BlankCompressed => TableKind::ZeroAware,
            kind => kind,
        }
    }

    /// Whether a value is the minimum over the rows of a shape that a sweep visits.
    #[must_use]
    pub fn is_minimum(self) -> bool {
        self.swept() != self
    }

    /// The colour on the checkerboard, 0 or 1, that changes with every single move that is counted:
    /// that of the blank's cell, or else of the shape. Where values change by one, entries of equal
    /// colours have values of equal parity.
    #[must_use]
    pub fn colour(self, tray: Tray, shape: CellSet, blank: CellSet) -> usize {
        match self.has_blank() {
            true => blank.lowest().map_or(0, |cell| tray.colour(cell)),
            false => shape.colour(tray),
        }
    }
}

/// The blank's classes in tables of one kind on one tray. Each class of a shape is a row.
#[derive(Clone, Copy, Debug)]
pub struct BlankClasses {
    class: BlankClass,
    all: CellSet,
    regions: Regions,
}

impl BlankClasses {
    /// For the tables of a kind on a tray of at most [`CellSet::MAX_CELLS`] cells.
    #[must_use]
    pub fn new(tray: Tray, kind: TableKind) -> Self {
        BlankClasses {
            class: kind.properties().blank,
            all: CellSet::all(tray),
            regions: Regions::new(tray),
        }
    }

    /// Whether every shape with equally many tiles has equally many classes.
    #[must_use]
    pub fn are_uniform(&self) -> bool {
        self.class != BlankClass::Region
    }

    /// The classes while the pattern's tiles are on the cells of `shape`, by their first cells.
    pub fn of(&self, shape: CellSet) -> impl Iterator<Item = CellSet> {
        let mut rest = self.all.difference(shape);
        std::iter::from_fn(move || {
            let class = self.among(rest, rest.lowest()?);
            rest = rest.difference(class);
            Some(class)
        })
    }

    /// The class of one cell outside `shape`.
    #[must_use]
    pub fn containing(&self, shape: CellSet, cell: Cell) -> CellSet {
        self.among(self.all.difference(shape), cell)
    }

    /// The number of classes of a shape.
    #[must_use]
    pub fn count(&self, shape: CellSet) -> usize {
        self.of(shape).count()
    }

    /// The class of a cell among free cells, which are whole classes.
    fn among(&self, free: CellSet, cell: Cell) -> CellSet {
        match self.class {
            BlankClass::Any => free,
            BlankClass::Region => self.regions.region(free, cell),
            BlankClass::Cell => CellSet::EMPTY.with(cell),
        }
    }
}
