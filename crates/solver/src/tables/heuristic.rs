//! The heuristic of the single-tile metric: all views of a specification and their tables.

use std::sync::OnceLock;

use pdb_table::{Descent, Encoding, EntryPosition, SharedTable, TableError};
use puzzle::{HeuristicSpec, State, TableKind};

use super::cell_room::{CellRoom, Placement as _};
use super::lehmer::MAX_NARROW;
use super::lookup::{PartLookup, SlideGeometry, TableLookup};
use super::row_paths::RowPaths;
use super::slide::Slides;
use super::table_set::{DamagedTable, Part, TableSet};
use crate::machine::prefetch;

/// Views in the single-tile metric and their tables, for searches.
pub(crate) struct Heuristic<W: CellRoom> {
    pub(crate) set: TableSet<SlideGeometry<W>>,
    /// The slides in the orientation of each part's table, view by view.
    slides: Vec<Slides<W::Mask>>,
    /// The row paths of the one-bit tables, in the order in which parts first use these tables. The
    /// first batch that needs row paths prepares them.
    pub(crate) row_paths: OnceLock<Vec<RowPaths>>,
}

/// A part at the root of a search.
pub(crate) struct RootPart<'a, W: CellRoom> {
    pub(crate) lookup: PartLookup<'a, W>,
    /// Cells of the part's tiles, and the value `h` modulo 128.
    pub(crate) placement: W::Word,
    pub(crate) h: u8,
}

impl<W: CellRoom> Heuristic<W> {
    /// [`TableSet::new`].
    pub(crate) fn new(
        spec: &HeuristicSpec,
        tables: &[SharedTable],
        like: Option<&Self>,
    ) -> Result<Self, TableError> {
        let set = TableSet::new(spec, tables, like.map(|like| &like.set))?;
        let slides =
            |part: &Part<_>| Slides::new(spec.tray(), spec.order(), |cell| part.table_cell(cell));
        Ok(Heuristic {
            slides: set.parts().map(slides).collect(),
            set,
            row_paths: OnceLock::new(),
        })
    }

    /// Whether [`OneBit`] can read all tables.
    pub(crate) fn is_one_bit(&self) -> bool {
        self.set.parts().all(|part| {
            let header = part.table.table.header();
            header.encoding == Encoding::OneBit && header.id.tiles().len() <= MAX_NARROW
        })
    }

    pub(crate) fn parts(&self) -> usize {
        self.slides.len()
    }

    /// Maximum number of parts of a view.
    pub(crate) fn most_parts(&self) -> usize {
        let parts = self.set.views.iter().map(|view| view.parts.len());
        parts.max().unwrap_or(0)
    }

    /// Whether the first view has additive tables that together contain all tiles. Its sums are
    /// then at least Manhattan distance, and 0 only at the goal.
    pub(crate) fn is_complete(&self) -> bool {
        self.set.views.first().is_some_and(|view| {
            let ids = view.parts.iter().map(|part| part.table.table.id());
            let tiles: usize = ids.clone().map(|id| id.tiles().len()).sum();
            tiles + 1 == view.part_of_tile.len()
                && ids.map(|id| id.kind()).all(TableKind::is_additive)
        })
    }

    /// The maximum of the sums of all views for a state. It includes Manhattan distance unless
    /// [`Self::is_complete`] is true.
    pub(crate) fn estimate(&self, state: &State) -> Result<u32, DamagedTable> {
        let mut roots = self.roots(state)?.into_iter();
        let manhattan = match self.is_complete() {
            true => 0,
            false => state.manhattan(),
        };
        let views = self.set.views.iter();
        let sums = views.map(|view| {
            let parts = roots.by_ref().take(view.parts.len());
            parts.map(|part| u32::from(part.h)).sum()
        });
        Ok(sums.fold(manhattan, u32::max))
    }

    /// The roots of all parts for a search from a state, view by view.
    pub(crate) fn roots(&self, state: &State) -> Result<Vec<RootPart<'_, W>>, DamagedTable> {
        let found = Part::locate_all(self.set.parts(), state);
        let parts: Vec<_> = self.set.parts().zip(found).collect();
        let roots = parts.iter().zip(&self.slides).zip(root_values(&parts));
        let roots = roots.map(|(((part, at), slides), value)| {
            let h = value.ok_or_else(|| part.damaged())?;
            let table = TableLookup::new(&part.table);
            Ok(RootPart {
                placement: table.placement(at.shape, at.rank).plus(h.into()),
                lookup: PartLookup { slides, table },
                h,
            })
        });
        roots.collect()
    }
}

/// The values of parts at their locations; `None` for a part with a damaged table. The descents of
/// all one-bit tables alternate, so that the memory loads several entries at the same time.
pub(super) fn root_values<W: CellRoom>(
    parts: &[(&Part<SlideGeometry<W>>, EntryPosition)],
) -> Vec<Option<u8>> {
    let descents = parts.iter().map(|(part, at)| {
        let (table, geometry) = (&part.table.table, &part.table.geometry);
        let is_one_bit = table.header().encoding == Encoding::OneBit;
        let reindex = is_one_bit.then(|| geometry.reindex());
        reindex.map(|reindex| Descent::new(table, &**geometry, reindex, *at))
    });
    let mut descents: Vec<Option<Descent>> = descents.collect();
    let mut unfinished: Vec<_> = descents.iter_mut().flatten().collect();
    while !unfinished.is_empty() {
        unfinished.retain_mut(|descent| {
            let next = descent.try_next();
            next.inspect(|&byte| prefetch(descent.payload(), byte));
            next.is_some()
        });
    }
    let values = parts.iter().zip(&descents);
    let values = values.map(|((part, at), descent)| match descent {
        Some(descent) => descent.value(),
        None => {
            let lookup = TableLookup::new(&part.table);
            lookup.byte(lookup.entry(at.row, at.rank))
        }
    });
    values.collect()
}
