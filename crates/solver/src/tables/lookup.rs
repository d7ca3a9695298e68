//! Look-ups in tables of the single-tile metric during a search: the entry of a position, and the
//! entry and the change of the value after a move.

use std::sync::{Arc, OnceLock};

use pdb_table::{Encoding, RowNumbers, TableError};
use puzzle::{Cell, CellSet, Ranking, Reindex};

use super::cell_room::{CellMask, CellRoom, Placement, VALUE_BITS};
use super::lehmer::Permutations;
use super::row_index::Rows;
use super::slide::{Slide, Slides};
use super::table_set::{CheckedTable, Geometry};
use crate::machine::prefetch;

/// The geometry of tables of the single-tile metric.
pub(crate) struct SlideGeometry<W: CellRoom> {
    ranking: Arc<Ranking>,
    rows: Box<W::Rows>,
    permutations: Box<Permutations>,
    reindex: OnceLock<Arc<Reindex>>,
}

impl<W: CellRoom> SlideGeometry<W> {
    /// The effect of moves on ranks, for the values of one-bit tables.
    pub(crate) fn reindex(&self) -> &Arc<Reindex> {
        let ranking = &self.ranking;
        self.reindex
            .get_or_init(|| Arc::new(Reindex::for_tray(ranking.tray(), ranking.tiles())))
    }

    pub(crate) fn rows(&self) -> &W::Rows {
        &self.rows
    }
}

impl<W: CellRoom> Geometry for SlideGeometry<W> {
    fn new(ranking: Ranking) -> Result<Self, TableError> {
        let permutations = Box::new(Permutations::new(ranking.tiles()));
        if permutations.bits() + ranking.tray().cells() as u32 > W::Word::VALUE_AT {
            return Err(TableError::TooLarge(ranking.entries()));
        }
        let ranking = Arc::new(ranking);
        Ok(SlideGeometry {
            rows: Box::new(W::Rows::new(&ranking)),
            permutations,
            ranking,
            reindex: OnceLock::new(),
        })
    }

    fn ranking(&self) -> &Ranking {
        &self.ranking
    }
}

impl<W: CellRoom> RowNumbers for SlideGeometry<W> {
    fn row_of(&self, shape: CellSet, blank: Cell) -> usize {
        self.rows.row(W::Mask::new(shape), blank.index() as u32) as usize
    }
}

/// Look-ups of one part during a search.
pub(crate) struct PartLookup<'a, W: CellRoom> {
    pub(crate) slides: &'a Slides<W::Mask>,
    pub(crate) table: TableLookup<'a, W>,
}

/// Look-ups in one table, in the orientation of the table.
pub(crate) struct TableLookup<'a, W: CellRoom> {
    payload: &'a [u8],
    rows: &'a W::Rows,
    permutations: &'a Permutations,
    /// Index of the lowest bit of the digits in a placement.
    digits_at: u32,
    row_entries: usize,
    pub(crate) one_bit: bool,
}

// `derive` would require that the row maps can be copied.
macro_rules! copied {
    ($name:ident) => {
        impl<W: CellRoom> Clone for $name<'_, W> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<W: CellRoom> Copy for $name<'_, W> {}
    };
}
copied!(PartLookup);
copied!(TableLookup);

/// Compile-time options of a search: the tables that it can read, and the processors on which it
/// runs. Each search chooses its mode once, outside its loops.
pub(crate) trait LookupMode {
    /// Whether the search supports byte tables, full-cost tables, patterns of more than
    /// [`MAX_NARROW`](super::lehmer::MAX_NARROW) tiles, and Manhattan distance.
    const GENERAL: bool;
    /// Whether the search needs [`crate::machine::has_bit_counting`].
    const COUNTS_BITS: bool;
}

/// Additive one-bit tables that together cover all tiles, with up to eight tiles per table.
pub(crate) struct OneBit;

impl LookupMode for OneBit {
    const GENERAL: bool = false;
    const COUNTS_BITS: bool = true;
}

/// All tables.
pub(crate) struct General;

impl LookupMode for General {
    const GENERAL: bool = true;
    const COUNTS_BITS: bool = true;
}

/// All tables, on any processor.
#[cfg(target_arch = "x86_64")]
pub(crate) struct AnyProcessor;

/// All tables, on any processor. On this architecture, [`General`] runs on every processor.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type AnyProcessor = General;

#[cfg(target_arch = "x86_64")]
impl LookupMode for AnyProcessor {
    const GENERAL: bool = true;
    const COUNTS_BITS: bool = false;
}

impl<W: CellRoom> PartLookup<'_, W> {
    /// [`TableLookup::after`] for the slide that [`Slides::get`] returns for `number`.
    #[inline(always)]
    pub(crate) fn after<M: LookupMode>(&self, placement: W::Word, number: u16) -> (W::Word, usize) {
        self.table.after::<M>(placement, self.slides.get(number))
    }
}

impl<'a, W: CellRoom> TableLookup<'a, W> {
    pub(crate) fn new(checked: &'a CheckedTable<SlideGeometry<W>>) -> Self {
        let CheckedTable { table, geometry } = checked;
        TableLookup {
            payload: table.payload(),
            rows: &geometry.rows,
            permutations: &geometry.permutations,
            digits_at: geometry.ranking.tray().cells() as u32,
            row_entries: geometry.ranking.row_entries(),
            one_bit: table.header().encoding == Encoding::OneBit,
        }
    }

    /// A placement with the value 0. Its tiles are on the cells of `shape`, in the order of the
    /// permutation with the rank `rank`.
    pub(crate) fn placement(&self, shape: CellSet, rank: u32) -> W::Word {
        let digits = self.permutations.digits(rank);
        W::Word::new(shape, digits, self.digits_at)
    }

    pub(crate) fn entry(&self, row: usize, rank: u32) -> usize {
        row * self.row_entries + rank as usize
    }

    /// Returns the placement after a slide, and the entry of this placement. The returned placement
    /// still stores the value from before the slide.
    #[inline(always)]
    pub(crate) fn after<M: LookupMode>(
        &self,
        placement: W::Word,
        slide: &Slide<W::Mask>,
    ) -> (W::Word, usize) {
        let shape = placement.shape();
        let low = shape.common(slide.below);
        let distance = shape.common(slide.between);
        let (from, digits_at) = (u32::from(slide.from), self.digits_at);
        if !M::GENERAL {
            let digits = placement.digits(digits_at);
            let change = self
                .permutations
                .change_narrow(digits, low, distance, slide.is_back);
            let after = placement.changed(slide.flip, change, digits_at);
            let row = self.rows.region_row(after.shape(), from) as usize;
            let rank = self.permutations.rank_narrow(digits ^ change) as usize;
            return (after, row * self.row_entries + rank);
        }
        let mut digits = placement.only_digits(digits_at);
        let mut after = placement;
        // In full-cost tables the moved tile can be outside the pattern: then the shape and the
        // digits stay the same.
        if shape.contains(from) {
            let change = self
                .permutations
                .change(digits, low, distance, slide.is_back);
            digits ^= change;
            after = placement.changed(slide.flip, change, digits_at);
        }
        let row = self.rows.row(after.shape(), from) as usize;
        (
            after,
            row * self.row_entries + self.permutations.rank(digits) as usize,
        )
    }

    /// The value of an entry of a byte table; `None` if the entry is unreachable.
    pub(crate) fn byte(&self, entry: usize) -> Option<u8> {
        self.payload.get(entry).copied().filter(|&h| h < u8::MAX)
    }

    /// Prefetches an entry.
    #[inline(always)]
    pub(crate) fn prefetch<M: LookupMode>(&self, entry: usize) {
        let byte = if !M::GENERAL || self.one_bit {
            entry >> 3
        } else {
            entry
        };
        prefetch(self.payload, byte);
    }

    /// Change of the value by one move: the value of `entry` minus the value from before the move,
    /// which `placement` still stores.
    #[inline(always)]
    pub(crate) fn change<M: LookupMode>(&self, placement: W::Word, entry: usize) -> i32 {
        let h = placement.value();
        if M::GENERAL && !self.one_bit {
            // Values are stored modulo 128; the values of neighbours differ by much less than 128.
            let apart = (i32::from(self.payload[entry]) - h) << (i32::BITS - VALUE_BITS);
            return apart >> (i32::BITS - VALUE_BITS);
        }
        let bit = i32::from(self.payload[entry >> 3] >> (entry & 7));
        // h + 1 and h - 1 differ in bit 1, so this bit identifies the value.
        let is_down = ((h + 1) >> 1 ^ bit) & 1;
        1 - 2 * is_down
    }
}
