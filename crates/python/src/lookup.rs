//! Views of a table, which are the goal and the orientation of its look-ups, and table entries of
//! many boards at once.
//!
//! Finding a board's entry takes a few dozen instructions without data-dependent branches. These
//! instructions find the cell of each number and the mask of the pattern's cells, count bits for
//! the rank, and find the row in small index tables that stay in the cache. The pattern database is
//! usually larger than the cache. Entries are therefore found and prefetched for a block of boards
//! before their values are read, so that memory accesses overlap.

use pdb_table::{Encoding, TableError};
use puzzle::{
    Cell, CellSet, Goal, HeuristicSpec, MAX_TILES, Pattern, Ranking, Reindex, Symmetry, TableId,
    TableKind, factorial,
};
use session::{Cancel, Failure};
use solver::{CountsBits, SharedTable, prefetch, with_bit_counting};

use crate::error::CallError;

/// The goal and orientation in which a table is used.
#[derive(Clone, Debug)]
pub(crate) struct TableView {
    pub(crate) goal: Goal,
    /// The goal cells of the pattern's tiles.
    pub(crate) tiles: CellSet,
    /// Maps the pattern to the table's orientation.
    pub(crate) symmetry: Symmetry,
}

impl TableView {
    /// The view in which the table is stored. The goal of the view has the blank on the first blank
    /// cell of `id`, and the tiles in ascending order.
    pub(crate) fn stored(id: TableId) -> TableView {
        let blank = id.blank().lowest().unwrap_or(id.tray().last());
        TableView {
            goal: Goal::with_blank(id.tray(), blank),
            tiles: id.tiles(),
            symmetry: Symmetry::Identity,
        }
    }

    /// The view of a pattern of a goal.
    pub(crate) fn of_pattern(goal: &Goal, pattern: &Pattern, kind: TableKind) -> TableView {
        TableView {
            goal: goal.clone(),
            tiles: pattern.tiles(),
            symmetry: pattern.table(kind).1,
        }
    }

    /// The view for the first pattern of `spec` that uses the table `id`. If no pattern uses the
    /// table, the result is [`TableView::stored`].
    pub(crate) fn of_spec(goal: &Goal, spec: &HeuristicSpec, id: TableId) -> TableView {
        let mut patterns = spec.patterns();
        let found = patterns.find(|(pattern, kind)| pattern.table(*kind).0 == id);
        match found {
            Some((pattern, kind)) => TableView::of_pattern(goal, &pattern, kind),
            None => TableView::stored(id),
        }
    }

    /// The numbers on the tiles, ascending.
    pub(crate) fn numbers(&self) -> Vec<u16> {
        let mut numbers: Vec<u16> = self.tiles.iter().map(|t| self.goal.number_at(t)).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// Number of boards whose values are prefetched before the first value is read. The number is
/// larger than the number of memory accesses that a core can perform at the same time, and the
/// values fit into the innermost cache.
const BLOCK: usize = 256;
/// Maximum number of cells of a tray with tables. A board has one number per cell.
const CELLS: usize = CellSet::MAX_CELLS;
/// The value of unreachable entries.
const UNREACHABLE: u8 = u8::MAX;
/// Maximum size of the table of blank classes, in bytes. Without the table, a class is computed for
/// each board.
const MAX_CLASSES: usize = 64 << 20;

/// Computes the entries of boards in one table, for one goal.
#[derive(Debug)]
pub(crate) struct Lookup {
    ranking: Ranking,
    /// Number of cells of the tray.
    cells: usize,
    /// Maps each cell of a board to a cell in the table's orientation.
    to_table: [u8; CELLS],
    /// The numbers on the pattern's tiles. The order is that of the tiles' goal cells in the
    /// table's orientation.
    numbers: Vec<u8>,
    /// Weights of the digits of a rank.
    weights: [u32; MAX_TILES],
    /// The blank class for each pair of shape and blank cell, ordered by shape. Empty if the table
    /// kind does not need this list, or if the list would exceed [`MAX_CLASSES`] bytes.
    classes: Vec<u8>,
    /// Needed to compute the values of a one-bit table; `None` for other encodings.
    reindex: Option<Reindex>,
}

impl Lookup {
    /// Prepares look-ups in a table, with the goal and orientation of `view`.
    pub(crate) fn new(table: &SharedTable, view: &TableView) -> Result<Lookup, TableError> {
        let ranking = table.ranking()?;
        let tray = ranking.tray();
        let mut to_table = [0; CELLS];
        for cell in tray.iter() {
            to_table[cell.index()] = view.symmetry.map(tray, cell).index() as u8;
        }
        let mut numbers: Vec<(u8, u8)> = view
            .tiles
            .iter()
            .map(|tile| (to_table[tile.index()], view.goal.number_at(tile) as u8))
            .collect();
        numbers.sort_unstable();
        let k = numbers.len();
        let mut weights = [0; MAX_TILES];
        for (position, weight) in weights.iter_mut().enumerate().take(k) {
            *weight = factorial(k - 1 - position);
        }
        let kind = ranking.kind();
        let shapes = ranking.shapes();
        let has_regions = !kind.has_one_class() && !kind.has_blank();
        let mut classes = Vec::new();
        if has_regions && shapes.len() * tray.cells() <= MAX_CLASSES {
            classes.reserve_exact(shapes.len() * tray.cells());
            for (number, shape) in shapes.iter().enumerate() {
                classes.extend(tray.iter().map(|cell| match shape.contains(cell) {
                    true => 0,
                    false => ranking.class(number, cell) as u8,
                }));
            }
        }
        let reindex = (table.header().encoding == Encoding::OneBit)
            .then(|| Reindex::new(k, tray.width() - 1));
        Ok(Lookup {
            cells: tray.cells(),
            to_table,
            numbers: numbers.into_iter().map(|(_, number)| number).collect(),
            weights,
            classes,
            reindex,
            ranking,
        })
    }

    /// The entries of boards. `boards` contains the numbers of one board after the other.
    ///
    /// # Errors
    /// A board is invalid, or the call was cancelled.
    pub(crate) fn entries(&self, boards: &[u8], cancel: &Cancel) -> Result<Vec<u64>, CallError> {
        self.in_blocks(boards, cancel, |_| {}, |entry| entry)
    }

    /// The values of boards, 255 for unreachable entries.
    ///
    /// # Errors
    /// A board is invalid, the encoding stores no values, or the call was cancelled.
    pub(crate) fn values(
        &self,
        table: &SharedTable,
        boards: &[u8],
        cancel: &Cancel,
    ) -> Result<Vec<u8>, CallError> {
        let payload = table.payload();
        match &self.reindex {
            _ if table.header().encoding == Encoding::Mod3 && !boards.is_empty() => Err(
                CallError::input("a mod-3 table holds no values: look them up in table.decode()"),
            ),
            Some(reindex) => {
                let row_entries = self.ranking.row_entries() as u64;
                let descend = |entry| {
                    let (row, rank) =
                        ((entry / row_entries) as usize, (entry % row_entries) as u32);
                    let value = table.value_by_descent(&self.ranking, reindex, row, rank);
                    value.unwrap_or(UNREACHABLE)
                };
                self.in_blocks(boards, cancel, |_| {}, descend)
            }
            None => {
                let fetch = |entry| prefetch(payload, entry as usize);
                let read = |entry| payload.get(entry as usize).copied();
                let read = |entry| read(entry).unwrap_or(UNREACHABLE);
                self.in_blocks(boards, cancel, fetch, read)
            }
        }
    }

    /// Finds the entries of a block of boards with `found`, then reads a value for each of them.
    /// Checks the cancellation token before each block.
    fn in_blocks<T>(
        &self,
        boards: &[u8],
        cancel: &Cancel,
        found: impl Fn(u64),
        read: impl Fn(u64) -> T,
    ) -> Result<Vec<T>, CallError> {
        let mut values = Vec::with_capacity(boards.len() / self.cells);
        let mut entries = [0; BLOCK];
        for boards in boards.chunks(BLOCK * self.cells) {
            if cancel.is_cancelled() {
                return Err(Failure::cancelled().into());
            }
            let entries = &mut entries[..boards.len() / self.cells];
            let located = self.locate(boards, entries, &found);
            located.map_err(|row| self.refuse(boards, row, values.len()))?;
            values.extend(entries.iter().map(|&entry| read(entry)));
        }
        Ok(values)
    }

    /// The error for board number `row` of `boards`. The first board of `boards` has the number
    /// `first` in the caller's array.
    fn refuse(&self, boards: &[u8], row: usize, first: usize) -> CallError {
        let numbers = &boards[row * self.cells..][..self.cells];
        let numbers: Vec<u32> = numbers.iter().copied().map(u32::from).collect();
        let row = first + row;
        match puzzle::Board::new(self.ranking.tray(), &numbers) {
            Err(error) => CallError::input(format!("board {row} of the array: {error}")),
            // Only reached if another thread is changing the array.
            Ok(_) => CallError::input(format!("board {row} of the array has changed")),
        }
    }

    /// Computes the entries of boards. Calls `found` with each entry.
    /// The error is the index of the first invalid board.
    fn locate(&self, boards: &[u8], entries: &mut [u64], found: impl Fn(u64)) -> Result<(), usize> {
        let lookup = self;
        with_bit_counting(Locate {
            lookup,
            boards,
            entries,
            found,
        })
    }

    /// Implements [`Self::locate`]. The loops over the cells are unrolled for 9, 16 and 25 cells.
    #[inline(always)]
    fn locate_sized(
        &self,
        boards: &[u8],
        entries: &mut [u64],
        found: impl Fn(u64),
    ) -> Result<(), usize> {
        match self.cells {
            9 => self.locate_each::<9>(boards, entries, found),
            16 => self.locate_each::<16>(boards, entries, found),
            25 => self.locate_each::<25>(boards, entries, found),
            _ => self.locate_each::<0>(boards, entries, found),
        }
    }

    #[inline(always)]
    fn locate_each<const SIZE: usize>(
        &self,
        boards: &[u8],
        entries: &mut [u64],
        found: impl Fn(u64),
    ) -> Result<(), usize> {
        let cells = if SIZE == 0 { self.cells } else { SIZE };
        // The expected `seen`, one bit per number: each number occurs once.
        let all = u64::MAX >> (CELLS - cells);
        let kind = self.ranking.kind();
        let (has_one_class, has_blank) = (kind.has_one_class(), kind.has_blank());
        let (first_rows, row_entries) =
            (self.ranking.first_rows(), self.ranking.row_entries() as u64);
        let mut cell_of = [0_u8; CELLS];
        for (row, (board, entry)) in boards.chunks_exact(cells).zip(entries).enumerate() {
            let (mut seen, mut high) = (0_u64, 0_u8);
            for (cell, &number) in board[..cells].iter().enumerate() {
                seen |= 1 << (number % CELLS as u8);
                high |= number;
                cell_of[usize::from(number) % CELLS] = self.to_table[cell];
            }
            if seen != all || usize::from(high) >= CELLS {
                return Err(row);
            }
            let mut shape = 0_u64;
            for &number in &self.numbers {
                shape |= 1 << (cell_of[usize::from(number) % CELLS] % CELLS as u8);
            }
            // Computes the same rank as `puzzle::rank_placement`.
            let (mut smaller, mut rank) = (0_u64, 0_u32);
            for &number in &self.numbers {
                let cell = cell_of[usize::from(number) % CELLS] % CELLS as u8;
                let before = (shape & !(u64::MAX << cell)).count_ones() as usize;
                rank += (smaller >> cell).count_ones() * self.weights[before % MAX_TILES];
                smaller |= 1 << cell;
            }
            let blank = usize::from(cell_of[0]);
            let number = self.ranking.shape_index(CellSet::from_bits(shape));
            let class = if has_one_class {
                0
            } else if has_blank {
                blank - (shape & !(u64::MAX << blank)).count_ones() as usize
            } else if self.classes.is_empty() {
                self.ranking.class(number, Cell::new(blank))
            } else {
                usize::from(self.classes[number * cells + blank])
            };
            let table_row = u64::from(first_rows[number]) + class as u64;
            *entry = table_row * row_entries + u64::from(rank);
            found(*entry);
        }
        Ok(())
    }
}

/// A call of [`Lookup::locate`]. Bit-counting instructions make it twice as fast.
struct Locate<'a, F: Fn(u64)> {
    lookup: &'a Lookup,
    boards: &'a [u8],
    entries: &'a mut [u64],
    found: F,
}

impl<F: Fn(u64)> CountsBits for Locate<'_, F> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run(self) -> Result<(), usize> {
        let Locate {
            lookup,
            boards,
            entries,
            found,
        } = self;
        lookup.locate_sized(boards, entries, found)
    }
}
