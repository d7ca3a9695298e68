//! Sets of cells, or of tiles named by their goal cells, on trays of up to 64 cells.

use std::fmt;

use crate::names::join;
use crate::symmetry::Symmetry;
use crate::tray::{Cell, Tray};

/// A set of cells as a bit mask: bit `c` for cell `c`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[must_use]
pub struct CellSet(u64);

impl CellSet {
    /// Number of cells that a set can represent. Larger trays have no sets and no patterns.
    pub const MAX_CELLS: usize = u64::BITS as usize;
    /// The empty set.
    pub const EMPTY: CellSet = CellSet(0);

    /// The set with this bit mask.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        CellSet(bits)
    }

    /// The bit mask.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Cells `0..count`; all [`Self::MAX_CELLS`] cells for a larger `count`.
    pub const fn first(count: usize) -> Self {
        if count >= Self::MAX_CELLS {
            return CellSet(u64::MAX);
        }
        CellSet((1 << count) - 1)
    }

    /// All cells of a tray.
    ///
    /// # Panics
    /// If the tray has more than [`Self::MAX_CELLS`].
    pub const fn all(tray: Tray) -> Self {
        assert!(tray.cells() <= Self::MAX_CELLS);
        CellSet::first(tray.cells())
    }

    /// Number of cells in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `cell` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 == 1
    }

    /// The set plus `cell`.
    #[inline]
    pub const fn with(self, cell: Cell) -> Self {
        CellSet(self.0 | 1 << cell.index())
    }

    /// The set minus `cell`.
    #[inline]
    pub const fn without(self, cell: Cell) -> Self {
        CellSet(self.0 & !(1 << cell.index()))
    }

    /// The cells that are in either set.
    #[inline]
    pub const fn union(self, other: CellSet) -> Self {
        CellSet(self.0 | other.0)
    }

    /// The cells that are in both sets.
    #[inline]
    pub const fn intersection(self, other: CellSet) -> Self {
        CellSet(self.0 & other.0)
    }

    /// The cells of this set that are not in the other set.
    #[inline]
    pub const fn difference(self, other: CellSet) -> Self {
        CellSet(self.0 & !other.0)
    }

    /// The union of the sets, which must be disjoint. The error is the first cell that a set shares
    /// with an earlier set.
    pub(crate) fn disjoint_union(mut sets: impl Iterator<Item = CellSet>) -> Result<Self, Cell> {
        sets.try_fold(CellSet::EMPTY, |union, set| {
            let shared = union.intersection(set).lowest();
            shared.map_or(Ok(union.union(set)), Err)
        })
    }

    /// Number of cells of the set that precede `cell` in reading order. For a cell of the set, this
    /// is its index in the set.
    #[inline]
    #[must_use]
    pub const fn count_before(self, cell: Cell) -> usize {
        (self.0 & ((1 << cell.index()) - 1)).count_ones() as usize
    }

    /// The first cell in reading order.
    #[inline]
    #[must_use]
    pub const fn lowest(self) -> Option<Cell> {
        if self.0 == 0 {
            None
        } else {
            Some(Cell::new(self.0.trailing_zeros() as usize))
        }
    }

    /// The cells in reading order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let cell = CellSet(rest).lowest()?;
            rest &= rest - 1;
            Some(cell)
        })
    }

    /// Checkerboard colour of the set: 1 if an odd number of its cells have colour 1, else 0.
    #[inline]
    #[must_use]
    pub fn colour(self, tray: Tray) -> usize {
        self.iter().fold(0, |sum, cell| sum ^ tray.colour(cell))
    }

    /// The set's image under a symmetry of `tray`.
    pub fn map(self, symmetry: Symmetry, tray: Tray) -> Self {
        self.iter().map(|cell| symmetry.map(tray, cell)).collect()
    }

    /// All sets of `size` cells of a tray, ascending by their bit masks (colexicographic order).
    pub fn subsets(tray: Tray, size: usize) -> impl Iterator<Item = CellSet> {
        let last = CellSet::all(tray).0;
        let mut next = Some(CellSet::first(size).0).filter(|&bits| bits <= last);
        std::iter::from_fn(move || {
            let bits = next?;
            // The next larger number with the same number of ones (Gosper).
            let low = bits & bits.wrapping_neg();
            next = bits
                .checked_add(low)
                .filter(|_| low != 0)
                .map(|ripple| ripple | ((bits ^ ripple) >> 2) >> low.trailing_zeros())
                .filter(|&bits| bits <= last);
            Some(CellSet(bits))
        })
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(CellSet::EMPTY, CellSet::with)
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Cell::index)).finish()
    }
}

impl fmt::Display for CellSet {
    /// The cells joined by dots, such as `1.4.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join(self.iter(), "."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlankClasses, TableKind};

    #[test]
    fn subsets_ascend_and_are_complete() {
        let tray = Tray::new(4, 2).unwrap();
        for size in 0..=8 {
            let found: Vec<u64> = CellSet::subsets(tray, size).map(CellSet::bits).collect();
            let wanted: Vec<u64> = (0..256_u64)
                .filter(|b| b.count_ones() as usize == size)
                .collect();
            assert_eq!(found, wanted);
        }
    }

    #[test]
    fn subsets_of_the_largest_tray_end_with_its_last_cells() {
        let tray = Tray::new(8, 8).unwrap();
        assert_eq!(CellSet::all(tray).bits(), u64::MAX);
        for (size, count) in [(0, 1), (1, 64), (2, 2016), (3, 41_664)] {
            let all: Vec<CellSet> = CellSet::subsets(tray, size).collect();
            assert_eq!(all.len(), count);
            assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(all.iter().all(|set| set.len() == size));
            let last = CellSet::all(tray).difference(CellSet::first(64 - size));
            assert_eq!(all.last(), Some(&last));
        }
        // Without the two cells of row 10, a tray of 2 columns and 20 rows has two regions.
        let classes = BlankClasses::new(Tray::new(2, 20).unwrap(), TableKind::ZeroAware);
        assert_eq!(classes.of(CellSet::from_bits(0b11 << 20)).count(), 2);
    }

    #[test]
    fn regions_agree_with_stepping() {
        let tray = Tray::new(3, 3).unwrap();
        let classes = BlankClasses::new(tray, TableKind::ZeroAware);
        for bits in 0..512 {
            let free = CellSet::from_bits(bits);
            let mut joined = CellSet::EMPTY;
            for region in classes.of(CellSet::all(tray).difference(free)) {
                assert!(joined.intersection(region).is_empty());
                joined = joined.union(region);
                for cell in region.iter() {
                    for next in tray.neighbours(cell) {
                        assert_eq!(region.contains(next), free.contains(next));
                    }
                }
            }
            assert_eq!(joined, free);
        }
    }

    #[test]
    fn sets_contain_the_cells_that_were_added() {
        let tray = Tray::new(8, 8).unwrap();
        let set: CellSet = [3, 0, 63].map(Cell::new).into_iter().collect();
        assert_eq!(set.bits(), 1 << 63 | 0b1001);
        assert_eq!((set.to_string().as_str(), set.len()), ("0.3.63", 3));
        assert_eq!(format!("{set:?}"), "{0, 3, 63}");
        let before = [0, 3, 4, 63].map(|cell| set.count_before(Cell::new(cell)));
        assert_eq!(before, [0, 1, 2, 2]);
        assert_eq!(
            (set.lowest(), CellSet::EMPTY.lowest()),
            (Some(Cell::new(0)), None)
        );
        assert!(!set.is_empty() && CellSet::EMPTY.is_empty());
        let members: Vec<usize> = set.iter().map(Cell::index).collect();
        assert_eq!(members, [0, 3, 63]);
        for cell in tray.iter() {
            assert_eq!(set.contains(cell), members.contains(&cell.index()));
            assert!(!set.without(cell).contains(cell) && set.with(cell).contains(cell));
            assert_eq!(set.without(cell).len(), 3 - usize::from(set.contains(cell)));
            assert_eq!(set.with(cell).len(), 3 + usize::from(!set.contains(cell)));
        }
        // Cells 0 and 63 have colour 0, cell 3 has colour 1.
        assert_eq!(
            (set.colour(tray), set.without(Cell::new(3)).colour(tray)),
            (1, 0)
        );
        let other = CellSet::from_bits(0b11);
        assert_eq!(set.union(other).bits(), 1 << 63 | 0b1011);
        assert_eq!(set.intersection(other).bits(), 1);
        assert_eq!(set.difference(other).bits(), 1 << 63 | 0b1000);
        let firsts = [0, 1, 63, 64, 65].map(|count| CellSet::first(count).bits());
        assert_eq!(firsts, [0, 1, u64::MAX >> 1, u64::MAX, u64::MAX]);
        let turned = set.map(Symmetry::Transpose, tray);
        assert_eq!(turned.bits(), 1 << 63 | 1 << 24 | 1);
    }

    #[test]
    fn unions_of_overlapping_sets_return_the_first_shared_cell() {
        let union = |sets: &[u64]| {
            CellSet::disjoint_union(sets.iter().map(|&bits| CellSet::from_bits(bits)))
        };
        assert_eq!(union(&[]), Ok(CellSet::EMPTY));
        assert_eq!(union(&[0b100, 0b011]), Ok(CellSet::from_bits(0b111)));
        assert_eq!(union(&[0b0100, 0b0011, 0b1110]), Err(Cell::new(1)));
    }
}
