//! Numbering of the entries of a table.
//!
//! 1. The *shape* is the set of cells of the pattern's k tiles. Shapes are numbered in ascending
//!    order of their bit masks: the colexicographic order of k-subsets.
//! 2. The *class* tells where the blank is. In zero-aware tables, each connected region is a class,
//!    in order of first cells. In full-cost tables, each cell is a class. Blank-compressed tables
//!    have one class.
//! 3. A (shape, class) pair is a *row*. Rows are numbered by shape, then by class.
//! 4. The tiles are numbered `0..k` by their goal cells. Read in reading order of the shape's
//!    cells, they form a permutation. Its *rank* is its index in lexicographic order, the weighted
//!    sum of its Lehmer digits. Digit i is the number of elements after element i that are smaller
//!    than element i; its weight is (k-1-i)!.
//! 5. entry = row * k! + rank.
//!
//! `docs/ranking.md` has a worked example. When a tile slides, one element moves from reading
//! position i to j, and [`Reindex`](crate::reindex::Reindex) computes the new rank from i, j and
//! the old rank alone.

use crate::cell_set::CellSet;
use crate::pattern::{Pattern, TableId};
use crate::region_count::count_regions;
use crate::table_kind::{BlankClasses, TableKind};
use crate::tray::{Cell, Tray};

/// The shape of a pattern's tiles and their rank. `place` returns the current cell of a tile, which
/// is named by its goal cell. The rank equals `rank_permutation` of the tiles in reading order of
/// the shape, but is computed in O(tiles) time.
///
/// ```
/// use puzzle::{Cell, CellSet, rank_placement};
/// let pattern = [1, 3, 4].map(Cell::new).into_iter().collect();
/// // Tile 4 is on cell 1, tile 1 on cell 4, tile 3 on cell 7.
/// let place = |tile: Cell| Cell::new([0, 4, 0, 7, 1][tile.index()]);
/// assert_eq!(rank_placement(pattern, place), (CellSet::from_bits(146), 4));
/// ```
#[inline]
pub fn rank_placement(pattern: CellSet, place: impl Fn(Cell) -> Cell) -> (CellSet, u32) {
    let shape: CellSet = pattern.iter().map(&place).collect();
    let mut smaller = CellSet::EMPTY;
    let mut rank = 0;
    for cell in pattern.iter().map(&place) {
        let weight = FACTORIALS[shape.len() - 1 - shape.count_before(cell)];
        rank += (smaller.len() - smaller.count_before(cell)) as u32 * weight;
        smaller = smaller.with(cell);
    }
    (shape, rank)
}

/// The rows of all tables of one kind with `k` tiles on one tray.
///
/// Building takes O(shapes) time. A ranking uses 12 bytes per shape; a zero-aware ranking uses 8
/// more bytes per row, except for the first row of each shape.
#[derive(Clone, Debug)]
pub struct Ranking {
    tray: Tray,
    tiles: usize,
    kind: TableKind,
    numbering: ShapeIndex,
    shapes: Box<[CellSet]>,
    /// First row of each shape. The last item is the number of rows.
    first_row: Box<[u32]>,
    /// If blank classes are regions: the regions of each shape except its last region, ordered by
    /// shape. Each shape has one region fewer here than it has rows, so the region of row r of
    /// shape s has the index r - s.
    regions: Box<[CellSet]>,
    /// The neighbours of each cell.
    neighbours: Box<[CellSet]>,
}

/// Rank of a mask among the masks with the same number of cells.
#[derive(Clone, Debug)]
enum ShapeIndex {
    /// Up to 25 cells: two lookup tables, for the low and the high part of the mask.
    Parts {
        /// Colexicographic rank of the part in the low [`LOW_CELLS`] cells.
        low: Box<[u32]>,
        /// Contribution of the mask's high cells to the rank. It also depends on n, the number of
        /// mask cells in the low part: the index is `n * 2^high_cells + h`, where h are the high
        /// bits of the mask. Empty if the low part is the whole mask.
        high: Box<[u32]>,
        high_cells: usize,
    },
    /// More than 25 cells: the binomial coefficient C(c, i + 1) at index `i * 64 + c`. The rank of
    /// a mask with the cells `c[0] < c[1] < ...` is the sum of all `C(c[i], i + 1)`.
    Binomials(Box<[u32]>),
}

/// Number of cells of the largest tray, 4x4, whose masks need only one table lookup.
const LOW_CELLS: usize = 16;
/// Number of cells of the largest tray, 5x5, whose masks need at most two table lookups.
const PART_CELLS: usize = 25;

impl ShapeIndex {
    fn new(cells: usize, tiles: usize) -> ShapeIndex {
        if cells > PART_CELLS {
            let cells = || 0..CellSet::MAX_CELLS;
            let all = (1..=tiles).flat_map(|i| cells().map(move |c| binomial(c, i) as u32));
            return ShapeIndex::Binomials(all.collect());
        }
        let low_cells = cells.min(LOW_CELLS);
        let high_cells = cells - low_cells;
        // Contribution to the rank of every possible part of a mask. The part starts at cell
        // `from`, and `before` cells of the mask lie before it.
        let ranks = |cells: usize, from: usize, before: usize| {
            (0..1 << cells).map(move |bits: u64| {
                let part = CellSet::from_bits(bits);
                let terms = part.iter().enumerate();
                match before + part.len() <= tiles {
                    true => terms
                        .map(|(i, cell)| binomial(cell.index() + from, before + i + 1) as u32)
                        .sum(),
                    false => 0,
                }
            })
        };
        let high = (0..=tiles).flat_map(|before| ranks(high_cells, low_cells, before));
        ShapeIndex::Parts {
            low: ranks(low_cells, 0, 0).collect(),
            high: match high_cells {
                0 => Box::default(),
                _ => high.collect(),
            },
            high_cells,
        }
    }

    #[inline]
    fn index(&self, shape: CellSet) -> usize {
        match self {
            ShapeIndex::Parts {
                low,
                high,
                high_cells,
            } => {
                let bits = shape.bits() as usize;
                let low_bits = bits & ((1 << LOW_CELLS) - 1);
                let low = low[low_bits];
                if *high_cells == 0 {
                    return low as usize;
                }
                let before = low_bits.count_ones() as usize;
                let high = high[(before << high_cells) + (bits >> LOW_CELLS)];
                (low + high) as usize
            }
            ShapeIndex::Binomials(binomials) => {
                let mut bits = shape.bits();
                let mut index = 0;
                for binomials in binomials.chunks_exact(CellSet::MAX_CELLS) {
                    // If the mask has fewer than `tiles` cells, the result is meaningless, and the
                    // modulo keeps the index in bounds.
                    index += binomials[bits.trailing_zeros() as usize % CellSet::MAX_CELLS];
                    bits &= bits.wrapping_sub(1);
                }
                index as usize
            }
        }
    }
}

impl Ranking {
    /// The ranking for patterns of `tiles` tiles.
    ///
    /// # Panics
    /// If the tray has more than [`CellSet::MAX_CELLS`] cells, `tiles` is not in 1 to
    /// [`Pattern::max_tiles`], or there are 2^32 rows or more ([`Self::count_rows`]).
    #[must_use]
    pub fn new(tray: Tray, tiles: usize, kind: TableKind) -> Self {
        check(tray, tiles);
        let shapes: Box<[CellSet]> = CellSet::subsets(tray, tiles).collect();
        let mut first_row = Vec::with_capacity(shapes.len() + 1);
        let classes = BlankClasses::new(tray, kind);
        let mut regions = Vec::new();
        let mut rows = 0_u64;
        for &shape in &shapes {
            first_row.push(rows as u32);
            let before = regions.len();
            regions.extend(classes.of(shape));
            rows += (regions.len() - before) as u64;
            match kind {
                TableKind::ZeroAware => regions.truncate(regions.len() - 1),
                _ => regions.truncate(before),
            }
        }
        first_row.push(rows as u32);
        assert!(rows <= u64::from(u32::MAX), "more rows than 32 bits number");
        Ranking {
            tray,
            tiles,
            kind,
            numbering: ShapeIndex::new(tray.cells(), tiles),
            shapes,
            first_row: first_row.into(),
            regions: regions.into(),
            neighbours: tray.iter().map(|c| tray.neighbours(c).collect()).collect(),
        }
    }

    /// Number of rows, counted without enumerating the shapes. Takes a few milliseconds at most.
    ///
    /// # Panics
    /// Like [`Ranking::new`].
    #[must_use]
    pub fn count_rows(tray: Tray, tiles: usize, kind: TableKind) -> u64 {
        check(tray, tiles);
        if kind == TableKind::ZeroAware {
            return count_regions(tray, tiles);
        }
        let classes = BlankClasses::new(tray, kind);
        binomial(tray.cells(), tiles) * classes.of(CellSet::first(tiles)).count() as u64
    }

    /// Number of entries of a table: [`Self::count_rows`] rows of `tiles!` entries.
    ///
    /// # Panics
    /// Like [`Ranking::new`].
    #[must_use]
    pub fn count_entries(tray: Tray, tiles: usize, kind: TableKind) -> u64 {
        let row = u64::from(factorial(tiles));
        Ranking::count_rows(tray, tiles, kind).saturating_mul(row)
    }

    /// The tray.
    pub fn tray(&self) -> Tray {
        self.tray
    }

    /// Number of tiles, k.
    #[must_use]
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// The kind of the tables.
    pub fn kind(&self) -> TableKind {
        self.kind
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.first_row[self.shapes.len()] as usize
    }

    /// Entries per row, k!.
    #[must_use]
    pub fn row_entries(&self) -> usize {
        factorial(self.tiles) as usize
    }

    /// Entries per table.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.rows() as u64 * self.row_entries() as u64
    }

    /// All shapes in order.
    pub fn shapes(&self) -> &[CellSet] {
        &self.shapes
    }

    /// Number of a shape with [`Self::tiles`] cells. Takes at most two loads on trays of up to 25
    /// cells, and one load per tile on larger trays. The tables that it reads fit in the cache.
    #[inline]
    #[must_use]
    pub fn shape_index(&self, shape: CellSet) -> usize {
        self.numbering.index(shape)
    }

    /// The first row of each shape, indexed by the shape's number. The last item is the number of
    /// rows.
    #[inline]
    #[must_use]
    pub fn first_rows(&self) -> &[u32] {
        &self.first_row
    }

    /// The rows of the shape with this number.
    #[inline]
    #[must_use]
    pub fn shape_rows(&self, shape_index: usize) -> std::ops::Range<usize> {
        self.first_row[shape_index] as usize..self.first_row[shape_index + 1] as usize
    }

    /// The row of a shape with the blank on `blank`. The shape is given by its number; `blank` must
    /// be a cell outside the shape.
    #[inline]
    #[must_use]
    pub fn row(&self, shape_index: usize, blank: Cell) -> usize {
        self.first_row[shape_index] as usize + self.class(shape_index, blank)
    }

    /// The number of the blank class of `blank`, a cell outside the shape; 0 if the shape has only
    /// one row.
    #[inline]
    #[must_use]
    pub fn class(&self, shape_index: usize, blank: Cell) -> usize {
        if self.kind.has_one_class() {
            return 0;
        }
        if self.kind.has_blank() {
            return blank.index() - self.shapes[shape_index].count_before(blank);
        }
        let regions = self.regions_but_last(shape_index);
        let mut regions = regions.iter();
        let found = regions.position(|region| region.contains(blank));
        found.unwrap_or(self.shape_rows(shape_index).len() - 1)
    }

    /// The regions of a shape except the last region, in the order of their classes. Empty if the
    /// classes are not regions or the shape has one region. A blank in none of these regions is in
    /// the last region.
    #[inline]
    pub fn regions_but_last(&self, shape_index: usize) -> &[CellSet] {
        let rows = self.shape_rows(shape_index);
        // The earlier `shape_index` shapes have `rows.start` regions together; `regions` omits the
        // last region of every shape.
        let before = rows.start - shape_index;
        self.regions
            .get(before..before + rows.len() - 1)
            .unwrap_or_default()
    }

    /// The row of the table `id` that contains the goal. The goal has rank 0 in this row.
    #[must_use]
    pub fn goal_row(&self, id: TableId) -> usize {
        let blank = id.blank().lowest().unwrap_or(self.tray.last());
        self.row(self.shape_index(id.tiles()), blank)
    }

    /// Number of a row's shape. Time: O(log shapes).
    #[inline]
    #[must_use]
    pub fn row_shape_index(&self, row: usize) -> usize {
        let starts = &self.first_row;
        starts.partition_point(|&first| first as usize <= row) - 1
    }

    /// The shape of a row and the cells on which the blank can be.
    #[inline]
    pub fn row_shape(&self, row: usize) -> (CellSet, CellSet) {
        let shape_index = self.row_shape_index(row);
        let shape = self.shapes[shape_index];
        let free = CellSet::all(self.tray).difference(shape);
        let class = row - self.first_row[shape_index] as usize;
        if self.kind.has_blank() {
            return (shape, free.iter().skip(class).take(1).collect());
        }
        let regions = self.regions_but_last(shape_index);
        let last = || regions.iter().fold(free, |rest, &r| rest.difference(r));
        (shape, regions.get(class).copied().unwrap_or_else(last))
    }

    /// The row and the rank of a pattern's tiles. `place` returns the current cell of a tile, which
    /// is named by its goal cell.
    #[must_use]
    pub fn locate(
        &self,
        pattern: CellSet,
        blank: Cell,
        place: impl Fn(Cell) -> Cell,
    ) -> (usize, u32) {
        let (shape, rank) = rank_placement(pattern, place);
        (self.row(self.shape_index(shape), blank), rank)
    }
}

impl TableId {
    /// Number of entries of the table. Time: O(shapes).
    #[must_use]
    pub fn entries(&self) -> u64 {
        Ranking::count_entries(self.tray(), self.tiles().len(), self.kind())
    }
}

/// Checks the preconditions of rankings.
fn check(tray: Tray, tiles: usize) {
    assert!(tray.cells() <= CellSet::MAX_CELLS && (1..=Pattern::max_tiles(tray)).contains(&tiles));
}

/// A move of cost one that leads from each entry of one row to an entry of another row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowMove {
    /// The destination row.
    pub row: usize,
    /// Position of the sliding tile among the pattern's tiles in reading order, before the move. 0
    /// if no tile of the pattern slides.
    pub from: usize,
    /// Position of the same tile after the move. Equal to `from` if the order of the tiles does not
    /// change.
    pub to: usize,
}

impl Ranking {
    /// All moves of cost one from the entries of a row. Reversed, they are exactly the moves of
    /// cost one that lead into the row. In each move a tile slides into the blank's region or cell;
    /// in full-cost tables the blank can also move over cells outside the shape.
    #[inline]
    pub fn row_moves(&self, shape: CellSet, blank: CellSet) -> impl Iterator<Item = RowMove> {
        let steps = blank.iter().flat_map(move |to| {
            let from = self.movable(shape, to);
            from.iter().map(move |from| (from, to))
        });
        steps.map(move |(from, to)| {
            if !shape.contains(from) {
                return RowMove {
                    row: self.row(self.shape_index(shape), from),
                    from: 0,
                    to: 0,
                };
            }
            let moved = shape.without(from).with(to);
            RowMove {
                row: self.row(self.shape_index(moved), from),
                from: shape.count_before(from),
                to: moved.count_before(to),
            }
        })
    }

    /// Number of moves that [`Self::row_moves`] returns.
    #[inline]
    #[must_use]
    pub fn count_row_moves(&self, shape: CellSet, blank: CellSet) -> usize {
        let counts = blank.iter().map(|to| self.movable(shape, to).len());
        counts.sum()
    }

    /// The neighbours of `to` whose tile makes a counted move when it slides to `to`: all
    /// neighbours if entries depend on the blank's cell, otherwise those in the shape.
    fn movable(&self, shape: CellSet, to: Cell) -> CellSet {
        let neighbours = self.neighbours[to.index()];
        match self.kind.has_blank() {
            true => neighbours,
            false => neighbours.intersection(shape),
        }
    }
}

/// Largest number of tiles of a pattern. The ranks of permutations of 12 elements fit in 32 bits.
pub const MAX_TILES: usize = 12;

/// `k!`, for `k` up to [`MAX_TILES`].
#[must_use]
pub const fn factorial(k: usize) -> u32 {
    FACTORIALS[k]
}

/// Number of `k`-subsets of `n` items. Exact for the sizes used here.
#[must_use]
pub const fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    let mut product = 1;
    let mut i = 0;
    while i < k {
        product = product * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    product
}

/// Lexicographic rank of a permutation of `0..k`. Takes O(k^2) time.
///
/// ```
/// assert_eq!(puzzle::rank_permutation(&[2, 0, 1]), 4); // 012 021 102 120 201 210
/// ```
#[must_use]
pub fn rank_permutation(order: &[u8]) -> u32 {
    let k = order.len();
    let mut rank = 0;
    for (i, element) in order.iter().enumerate() {
        let smaller = order[i + 1..].iter().filter(|later| *later < element);
        rank = rank * (k - i) as u32 + smaller.count() as u32;
    }
    rank
}

/// Writes the permutation of `0..order.len()` with this rank. Takes O(k^2) time.
pub fn unrank_permutation(rank: u32, order: &mut [u8]) {
    let mut rest = rank;
    let k = order.len();
    for i in (0..k).rev() {
        let digit = (rest % (k - i) as u32) as u8;
        rest /= (k - i) as u32;
        // Element i becomes `digit`. Later elements from `digit` upwards increase by one, so that
        // all elements differ.
        for later in &mut order[i + 1..] {
            *later += u8::from(*later >= digit);
        }
        order[i] = digit;
    }
}

/// The factorials of `0..=MAX_TILES`.
pub(crate) const FACTORIALS: [u32; MAX_TILES + 1] = {
    let mut all = [1; MAX_TILES + 1];
    let mut k = 1;
    while k <= MAX_TILES {
        all[k] = all[k - 1] * k as u32;
        k += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::{rank_permutation, unrank_permutation};

    #[test]
    fn permutations_rank_in_lexicographic_order() {
        for k in 1..=7 {
            let mut order = vec![0; k];
            let mut last: Option<Vec<u8>> = None;
            for rank in 0..factorial(k) {
                unrank_permutation(rank, &mut order);
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..k as u8));
                assert!(last.is_none_or(|last| last < order));
                assert_eq!(rank_permutation(&order), rank);
                // `place` puts tile `order[i]` on cell `2 * i + 1`.
                let place = |tile: Cell| {
                    let position = order.iter().position(|&t| usize::from(t) == tile.index());
                    Cell::new(2 * position.unwrap() + 1)
                };
                let (shape, placed) = rank_placement(CellSet::first(k), place);
                assert_eq!((shape.bits().count_ones() as usize, placed), (k, rank));
                last = Some(order.clone());
            }
        }
    }

    #[test]
    fn rows_are_numbered_in_order_in_both_directions() {
        for (width, height, max) in [
            (2, 2, 3),
            (3, 3, 8),
            (4, 3, 11),
            (5, 4, 4),
            (5, 5, 3),
            (9, 3, 3),
        ] {
            let tray = Tray::new(width, height).unwrap();
            for tiles in 1..=max {
                for kind in TableKind::ALL {
                    let ranking = Ranking::new(tray, tiles, kind);
                    let mut expected = 0;
                    for (index, &shape) in ranking.shapes().iter().enumerate() {
                        assert_eq!(ranking.shape_index(shape), index);
                        for row in ranking.shape_rows(index) {
                            assert_eq!(row, expected);
                            expected += 1;
                            let (found, blank) = ranking.row_shape(row);
                            assert_eq!(found, shape);
                            assert!(!blank.is_empty());
                            for cell in blank.iter() {
                                assert_eq!(ranking.row(index, cell), row);
                            }
                        }
                    }
                    assert_eq!(ranking.rows(), expected);
                    assert_eq!(Ranking::count_rows(tray, tiles, kind), expected as u64);
                }
            }
        }
    }

    #[test]
    fn table_sizes_equal_the_published_ones() {
        let entries = |width, height, tiles, kind| {
            Ranking::new(Tray::new(width, height).unwrap(), tiles, kind).entries()
        };
        // The numbers are published in Korf & Felner 2002 for blank-compressed tables, and in
        // Clausecker & Reinefeld 2019 for zero-aware tables.
        assert_eq!(entries(4, 4, 6, TableKind::BlankCompressed), 5_765_760);
        assert_eq!(entries(4, 4, 6, TableKind::ZeroAware), 11_816_640);
        assert_eq!(entries(4, 4, 7, TableKind::ZeroAware), 139_849_920);
        assert_eq!(entries(4, 4, 8, TableKind::BlankCompressed), 518_918_400);
        assert_eq!(entries(4, 4, 8, TableKind::ZeroAware), 1_425_191_040);
        assert_eq!(entries(5, 5, 6, TableKind::ZeroAware), 181_008_000);
        assert_eq!(entries(3, 3, 5, TableKind::FullCost), 60_480);
        assert_eq!(entries(3, 3, 8, TableKind::ZeroAware), 362_880);
    }
}
