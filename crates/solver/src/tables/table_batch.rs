//! Look-ups of many boards at once.

use pdb_table::Encoding;
use puzzle::{CellSet, Goal, MAX_TILES, factorial};

use super::cell_room::{CellMask as _, CellRoom};
use super::heuristic::Heuristic;
use super::lookup::SlideGeometry;
use super::row_index::Rows as _;
use super::row_paths::{Place, RowPaths};
use super::table_set::{Geometry as _, Part};
use crate::machine::{CountsBits, prefetch, with_bit_counting};

/// Length of arrays indexed by cell, piece or tile number.
const CELLS: usize = CellSet::MAX_CELLS;
/// Number of boards whose entries are located before the first entry is read, so that the cache
/// lines load meanwhile.
const BLOCK: usize = 32;
/// A call with at least this number of boards per row of the tables prepares row paths, because the
/// row paths then save more time than their preparation takes.
const BOARDS_PER_ROW: f64 = 0.1;

/// Estimates boards without making a [`Board`](puzzle::Board) of each. The error is the index of
/// the first board that has no solution or needs a damaged table; the values before this index are
/// valid.
pub(crate) type Batch<'a> = dyn Fn(&[u8], &mut [u16]) -> Result<(), usize> + Sync + 'a;

/// The tables of the single-tile metric, for boards of one goal.
pub(crate) struct TableBatch<'a, W: CellRoom> {
    reader: BoardReader,
    parts: Vec<BatchPart<'a, W>>,
    /// Number of parts of each view.
    views: Vec<usize>,
    /// Manhattan distance of each piece on each cell; `None` if the heuristic does not use it.
    distances: Option<Vec<[u8; CELLS]>>,
}

impl<'a, W: CellRoom> TableBatch<'a, W> {
    /// `None` if descents take less time than row paths for this number of boards.
    pub(crate) fn new(heuristic: &'a Heuristic<W>, goal: &Goal, boards: usize) -> Option<Self> {
        let set = &heuristic.set;
        let mut tables: Vec<&Part<SlideGeometry<W>>> = Vec::new();
        for part in set.parts() {
            let is_one_bit = part.table.table.header().encoding == Encoding::OneBit;
            let is_new = !tables
                .iter()
                .any(|known| known.table.table.id() == part.table.table.id());
            if is_one_bit && is_new {
                tables.push(part);
            }
        }
        let ranking = |part: &&'a Part<SlideGeometry<W>>| part.table.geometry.ranking();
        let rows: usize = tables.iter().map(|part| ranking(part).rows()).sum();
        if heuristic.row_paths.get().is_none() && (boards as f64) < BOARDS_PER_ROW * rows as f64 {
            return None;
        }
        let paths = heuristic.row_paths.get_or_init(|| {
            let paths = tables.iter().map(|part| {
                let reindex = part.table.geometry.reindex();
                RowPaths::new(&part.table.table, ranking(part), reindex)
            });
            paths.collect()
        });
        let part = |part: &'a Part<SlideGeometry<W>>| {
            let id = part.table.table.id();
            let own = tables.iter().position(|known| known.table.table.id() == id);
            BatchPart::new(part, own.map(|own| &paths[own]))
        };
        let tray = goal.tray();
        let row = |piece| {
            let mut distances = [0; CELLS];
            if piece != goal.blank() {
                tray.iter()
                    .for_each(|cell| distances[cell.index()] = tray.distance(piece, cell) as u8);
            }
            distances
        };
        Some(TableBatch {
            reader: BoardReader::new(goal),
            parts: set.parts().map(part).collect(),
            views: set.views.iter().map(|view| view.parts.len()).collect(),
            distances: (!heuristic.is_complete()).then(|| tray.iter().map(row).collect()),
        })
    }

    pub(crate) fn run(&self, boards: &[u8], values: &mut [u16]) -> Result<(), usize> {
        let batch = self;
        with_bit_counting(Run {
            batch,
            boards,
            values,
        })
    }

    #[inline(always)]
    fn run_on_any_processor(&self, boards: &[u8], values: &mut [u16]) -> Result<(), usize> {
        let cells = self.reader.cells;
        let mut located = vec![(0, 0); self.parts.len() * BLOCK];
        let blocks = boards.chunks(BLOCK * cells).zip(values.chunks_mut(BLOCK));
        for (block, (boards, values)) in blocks.enumerate() {
            let mut places = located.chunks_mut(self.parts.len().max(1));
            let mut good = 0;
            for (board, value) in boards.chunks_exact(cells).zip(values.iter_mut()) {
                let Some((cell_of, blank)) = self.reader.read(board) else {
                    break;
                };
                *value = self.distances.as_ref().map_or(0, |distances| {
                    let distances = distances.iter().zip(&cell_of);
                    distances
                        .map(|(by_cell, &cell)| u16::from(by_cell[usize::from(cell) % CELLS]))
                        .sum()
                });
                if let Some(place) = places.next() {
                    for (part, place) in self.parts.iter().zip(place) {
                        *place = part.locate(&cell_of, blank);
                        part.request(*place);
                    }
                }
                good += 1;
            }
            let places = located.chunks(self.parts.len().max(1));
            for (row, (value, places)) in values[..good].iter_mut().zip(places).enumerate() {
                let mut parts = self.parts.iter().zip(places);
                for &count in &self.views {
                    let mut sum = 0;
                    for (part, &place) in parts.by_ref().take(count) {
                        let value = part.value(place).ok_or(block * BLOCK + row)?;
                        sum += u16::from(value);
                    }
                    *value = (*value).max(sum);
                }
            }
            if good < values.len() {
                return Err(block * BLOCK + good);
            }
        }
        Ok(())
    }
}

/// A call of [`TableBatch::run`].
struct Run<'a, W: CellRoom> {
    batch: &'a TableBatch<'a, W>,
    boards: &'a [u8],
    values: &'a mut [u16],
}

impl<W: CellRoom> CountsBits for Run<'_, W> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run(self) -> Result<(), usize> {
        self.batch.run_on_any_processor(self.boards, self.values)
    }
}

/// Reads boards of one goal.
struct BoardReader {
    cells: usize,
    /// Goal cell of each number. Numbers without a tile map to a cell outside the tray.
    home: [u8; CELLS],
    /// The tray's cells, one bit each.
    all: u64,
    /// The cells of one colour of the checkerboard.
    dark: u64,
    goal_blank: u8,
}

impl BoardReader {
    fn new(goal: &Goal) -> Self {
        let tray = goal.tray();
        let mut home = [CELLS as u8 - 1; CELLS];
        for cell in tray.iter() {
            home[usize::from(goal.number_at(cell))] = cell.index() as u8;
        }
        let dark: CellSet = tray.iter().filter(|&cell| tray.colour(cell) == 1).collect();
        BoardReader {
            cells: tray.cells(),
            home,
            all: CellSet::all(tray).bits(),
            dark: dark.bits(),
            goal_blank: goal.blank().index() as u8,
        }
    }

    /// The cells of all pieces, indexed by goal cell, and the cell of the blank. `None` if the
    /// numbers do not form a solvable board.
    #[inline(always)]
    fn read(&self, board: &[u8]) -> Option<([u8; CELLS], u8)> {
        let mut cell_of = [0; CELLS];
        let (mut seen, mut inversions, mut high) = (0_u64, 0_u64, 0_u8);
        for (cell, &number) in board.iter().enumerate() {
            high |= number;
            let piece = self.home[usize::from(number) % CELLS];
            cell_of[usize::from(piece) % CELLS] = cell as u8;
            // Only the parity of the number of inversions matters. Therefore the bits are combined
            // by exclusive or, and are counted only once at the end.
            inversions ^= seen >> piece;
            seen |= 1 << piece;
        }
        let blank = cell_of[usize::from(self.goal_blank) % CELLS];
        let apart = (self.dark >> blank ^ self.dark >> self.goal_blank) as u32;
        let is_solvable = (inversions.count_ones() ^ apart) & 1 == 0;
        let is_board = seen == self.all && usize::from(high) < CELLS;
        (is_board && is_solvable).then_some((cell_of, blank))
    }
}

/// Look-ups of one pattern in a batch of boards.
struct BatchPart<'a, W: CellRoom> {
    rows: &'a W::Rows,
    payload: &'a [u8],
    row_entries: usize,
    /// Cell of the table for each cell of the board.
    to_table: [u8; CELLS],
    /// Goal cells of the pattern's tiles, in the order of the table's tiles.
    tiles: [u8; MAX_TILES],
    count: usize,
    /// Weights of the digits of a rank.
    weights: [u32; MAX_TILES],
    /// The row paths of a one-bit table.
    paths: Option<&'a RowPaths>,
}

impl<'a, W: CellRoom> BatchPart<'a, W> {
    fn new(part: &'a Part<SlideGeometry<W>>, paths: Option<&'a RowPaths>) -> Self {
        let (table, geometry) = (&part.table.table, &part.table.geometry);
        let (to_table, tiles) = part.byte_maps();
        let count = table.id().tiles().len();
        let mut weights = [0; MAX_TILES];
        for (position, weight) in weights.iter_mut().enumerate().take(count) {
            *weight = factorial(count - 1 - position);
        }
        BatchPart {
            rows: geometry.rows(),
            payload: table.payload(),
            row_entries: geometry.ranking().row_entries(),
            to_table,
            tiles,
            count,
            weights,
            paths,
        }
    }

    /// [`Ranking::locate`] for the cells of all pieces.
    #[inline(always)]
    fn locate(&self, cell_of: &[u8; CELLS], blank: u8) -> Place {
        let mut cells = [0; MAX_TILES];
        let mut shape = 0_u64;
        for (cell, &tile) in cells.iter_mut().zip(&self.tiles[..self.count]) {
            let on_board = cell_of[usize::from(tile) % CELLS];
            *cell = self.to_table[usize::from(on_board) % CELLS];
            shape |= 1 << *cell;
        }
        let (mut smaller, mut rank) = (0_u64, 0);
        for &cell in &cells[..self.count] {
            let before = (shape & !(u64::MAX << cell)).count_ones() as usize;
            rank += (smaller >> cell).count_ones() * self.weights[before % MAX_TILES];
            smaller |= 1 << cell;
        }
        let blank = self.to_table[usize::from(blank) % CELLS];
        let mask = W::Mask::new(CellSet::from_bits(shape));
        (self.rows.row(mask, blank.into()), rank)
    }

    #[inline(always)]
    fn entry(&self, (row, rank): Place) -> usize {
        row as usize * self.row_entries + rank as usize
    }

    #[inline(always)]
    fn request(&self, place: Place) {
        if self.paths.is_none() {
            prefetch(self.payload, self.entry(place));
        }
    }

    /// The value of an entry; `None` if the table is damaged.
    #[inline(always)]
    fn value(&self, place: Place) -> Option<u8> {
        match self.paths {
            None => {
                let value = self.payload.get(self.entry(place)).copied();
                value.filter(|&value| value < u8::MAX)
            }
            Some(paths) => paths.value(self.payload, self.row_entries, place),
        }
    }
}
