//! Row numbers of a table: small look-up tables map a shape and the blank's cell to a row.
//!
//! One word per shape stores the shape's first row and the class of every cell. Two loads from
//! tables of a few KB find the shape's number. One load from a table of about 100 KB (4x4) then
//! finds the row. A table with one element per shape and pair of neighbouring cells would exceed
//! the second-level cache: 2.4 MB for eight tiles on 4x4.

use std::sync::Arc;

use puzzle::{Cell, CellSet, Ranking};

/// Row numbers of a table.
pub(crate) trait Rows<M>: Send + Sync {
    fn new(ranking: &Arc<Ranking>) -> Self;
    /// The row of a shape when the blank is on `cell`, outside the shape. Only for additive tables.
    /// Bits of `shape` above the tray's cells are ignored.
    fn region_row(&self, shape: M, cell: u32) -> u32;
    /// The row of a shape when the blank is on `cell`, outside the shape. For tables of any kind.
    fn row(&self, shape: M, cell: u32) -> u32;
}

/// A word that stores a shape's first row in its high bits and the class of each cell in its low
/// bits.
pub(crate) trait RowWord: Copy + Default + Send + Sync + 'static {
    /// Packs a first row and the class of each cell. `classes` begins with the last cell.
    fn new(first: u32, classes: impl Iterator<Item = u8>) -> Self;
    /// The row with the blank on a cell.
    fn row(self, cell: u32) -> u32;
    /// Packs a first row without classes.
    fn plain(first: u32) -> Self;
    /// The first row of a word that [`Self::plain`] has packed.
    fn plain_row(self) -> u32;
}

macro_rules! row_word {
    ($word:ty, $class_bits:literal, $first_at:literal) => {
        impl RowWord for $word {
            fn new(first: u32, classes: impl Iterator<Item = u8>) -> Self {
                let append = |word, class| word << $class_bits | <$word>::from(class);
                <$word>::from(first) << $first_at | classes.fold(0, append)
            }

            #[inline(always)]
            fn row(self, cell: u32) -> u32 {
                let class = (self >> ($class_bits * cell)) as u32 % (1 << $class_bits);
                (self >> $first_at) as u32 + class
            }

            fn plain(first: u32) -> Self {
                <$word>::from(first)
            }

            #[inline(always)]
            fn plain_row(self) -> u32 {
                self as u32
            }
        }
    };
}

// Trays of up to 16 cells have at most 8 regions and 2^16 rows. Trays of up to 25 cells have at
// most 13 regions and 2^28 rows (tested below).
row_word!(u64, 3, 48);
row_word!(u128, 4, 100);

/// Number of cells in the low half of the largest mask.
const LOW: usize = 12;
/// Number of cells in the high half of the largest mask.
const HIGH: usize = MAX_CELLS - LOW;
/// Largest number of cells of trays with a [`RowIndex`].
const MAX_CELLS: usize = 25;

/// The rows of all tables with the same kind, number of tiles and tray.
pub(crate) struct RowIndex<W> {
    /// Number of cells in the low half of a mask.
    low_cells: u32,
    high_mask: u32,
    /// For each low half, the number of smaller low halves with the same number of set bits.
    low: [u16; 1 << LOW],
    /// For each high half, the number of shapes before the first shape with this high half.
    high: [u32; 1 << HIGH],
    words: Box<[W]>,
    is_full: bool,
}

impl<W: RowWord> Rows<u32> for RowIndex<W> {
    fn new(ranking: &Arc<Ranking>) -> Self {
        let tray = ranking.tray();
        let low_cells = tray.cells() / 2;
        let mut seen = [0_u16; LOW + 1];
        let mut low = [0; 1 << LOW];
        for (half, index) in low.iter_mut().enumerate() {
            let seen = &mut seen[half.count_ones() as usize];
            *index = *seen;
            *seen += 1;
        }
        // Shapes are in ascending order of their masks, so shapes with the same high half are
        // consecutive. Among these shapes the low halves ascend and have the same number of cells.
        let mut high = [0; 1 << HIGH];
        for (index, shape) in ranking.shapes().iter().enumerate().rev() {
            high[(shape.bits() >> low_cells) as usize] = index as u32;
        }
        let is_full = ranking.kind().has_blank();
        let word = |index: usize| {
            let rows = ranking.shape_rows(index);
            let first = rows.start as u32;
            if is_full {
                return W::plain(first);
            }
            let class = |cell| (ranking.row(index, cell) - rows.start) as u8;
            W::new(first, tray.iter().rev().map(class))
        };
        RowIndex {
            low_cells: low_cells as u32,
            high_mask: (1 << (tray.cells() - low_cells)) - 1,
            low,
            high,
            words: (0..ranking.shapes().len()).map(word).collect(),
            is_full,
        }
    }

    #[inline(always)]
    fn region_row(&self, shape: u32, cell: u32) -> u32 {
        self.word(shape).row(cell)
    }

    #[inline(always)]
    fn row(&self, shape: u32, cell: u32) -> u32 {
        let word = self.word(shape);
        if self.is_full {
            // The blank's class is the number of free cells before the blank.
            word.plain_row() + (!shape & ((1 << cell) - 1)).count_ones()
        } else {
            word.row(cell)
        }
    }
}

impl<W: RowWord> RowIndex<W> {
    #[inline(always)]
    fn word(&self, shape: u32) -> W {
        let low = shape & ((1 << self.low_cells) - 1);
        let high = shape >> self.low_cells & self.high_mask;
        let first = self.high[high as usize % (1 << HIGH)];
        let index = first + u32::from(self.low[low as usize % (1 << LOW)]);
        self.words[index as usize]
    }
}

/// The rows of large trays, computed by the ranking. Most shapes of large trays have one region, so
/// a [`RowWord`] per shape would use much memory and store almost no information.
pub(crate) struct RankedRows {
    ranking: Arc<Ranking>,
    all: u64,
}

impl Rows<u64> for RankedRows {
    fn new(ranking: &Arc<Ranking>) -> Self {
        RankedRows {
            ranking: Arc::clone(ranking),
            all: CellSet::all(ranking.tray()).bits(),
        }
    }

    #[inline(always)]
    fn region_row(&self, shape: u64, cell: u32) -> u32 {
        self.row(shape, cell)
    }

    #[inline(always)]
    fn row(&self, shape: u64, cell: u32) -> u32 {
        let index = self
            .ranking
            .shape_index(CellSet::from_bits(shape & self.all));
        self.ranking.row(index, Cell::new(cell as usize)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::{Pattern, TableKind, Tray};

    /// Checks for every shape and every cell outside the shape that `RowIndex` and `Ranking` find
    /// the same row. This implies that the first row and the classes of every shape fit in a word
    /// of type `W`.
    fn check<W: RowWord>(tray: Tray, tiles: usize, kind: TableKind) {
        let ranking = Arc::new(Ranking::new(tray, tiles, kind));
        let rows = RowIndex::<W>::new(&ranking);
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            for cell in CellSet::all(tray).difference(shape).iter() {
                let name = format!("{tray} {tiles} {kind:?} {shape:?} {cell:?}");
                let row = ranking.row(index, cell);
                let at = cell.index() as u32;
                let bits = shape.bits() as u32;
                assert_eq!(rows.row(bits, at) as usize, row, "{name}");
                if kind.is_additive() {
                    // The bits above the shape stand for the digits of a permutation.
                    let digits = bits | (!0_u32).checked_shl(tray.cells() as u32).unwrap_or(0);
                    assert_eq!(rows.region_row(digits, at) as usize, row, "{name}");
                }
            }
        }
    }

    fn trays(most_cells: usize) -> Vec<Tray> {
        let sides =
            (1..=most_cells).flat_map(|width| (1..=most_cells).map(move |height| (width, height)));
        let fitting = sides.filter(|(width, height)| width * height <= most_cells);
        fitting
            .filter_map(|(width, height)| Tray::new(width, height).ok())
            .collect()
    }

    #[test]
    fn rows_of_trays_up_to_16_cells_equal_the_ranking() {
        // The long tests include all trays of up to 16 cells.
        let (most, count) = if cfg!(feature = "long-tests") {
            (16, 41)
        } else {
            (12, 30)
        };
        let trays = trays(most);
        assert!(trays.len() >= count);
        for tray in trays {
            for tiles in 1..=Pattern::max_tiles(tray) {
                for kind in TableKind::ALL {
                    check::<u64>(tray, tiles, kind);
                }
            }
        }
    }

    #[test]
    fn rows_of_larger_trays_equal_the_ranking() {
        let fewer = if cfg!(feature = "long-tests") { 0 } else { 1 };
        for (size, most) in [
            ("5x5", 5),
            ("6x4", 5),
            ("17x1", 6),
            ("1x20", 5),
            ("6x3", 6),
            ("20x1", 4),
        ] {
            for tiles in 1..=most - fewer {
                for kind in TableKind::ALL {
                    check::<u128>(size.parse().unwrap(), tiles, kind);
                }
            }
        }
    }

    /// First rows and classes fit the widths of their words, for all numbers of tiles that an
    /// additive table can have. Words of full-cost tables store a first row and no classes.
    #[test]
    fn first_rows_and_classes_fit_their_words() {
        let most = |tray: Tray| {
            let kinds = [TableKind::ZeroAware, TableKind::BlankCompressed];
            let tiles = 1..=Pattern::max_tiles(tray);
            let rows =
                tiles.flat_map(|tiles| kinds.map(|kind| Ranking::count_rows(tray, tiles, kind)));
            rows.max().unwrap_or(0)
        };
        for tray in trays(16) {
            assert!(most(tray) <= 1 << 16, "{tray}: {}", most(tray));
        }
        for tray in trays(MAX_CELLS) {
            assert!(most(tray) <= 1 << 28, "{tray}: {}", most(tray));
        }
        // Cells of different regions are never neighbours. The cells of colour 0 are a largest set
        // of cells without neighbours, so their number is an upper limit of the number of regions.
        let regions = |tray: Tray| {
            let cells = CellSet::all(tray).iter();
            cells.filter(|&cell| tray.colour(cell) == 0).count()
        };
        let most = |cells| trays(cells).into_iter().map(regions).max();
        assert_eq!((most(16), most(MAX_CELLS)), (Some(8), Some(13)));
    }
}
