//! Estimates of many boards at once.
//!
//! [`Solver::estimate`] descends from an entry to the goal, a step for each unit of its value, and
//! every step tries several moves. For many boards it pays to prepare [`RowPaths`], which lead from
//! every row of a one-bit table to the row of the goal without any search. Entries of byte tables
//! are requested from memory for [`BLOCK`] boards before the first of them is read.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use pdb_table::{Encoding, Table};
use puzzle::{Board, BoardError, CellSet, Goal, MAX_TILES, Ranking, Reindex, Tray, factorial};

use crate::SolveOptions;
use crate::cell_room::{CellMask as _, CellRoom, Rows as _};
use crate::lookup::{Heuristic, SlideGeometry};
use crate::processor::prefetch;
use crate::scope::scope;
use crate::solution::SolveError;
use crate::solver::Solver;
use crate::table_set::{AnyBytes, Geometry as _, Part};

/// Error of [`Solver::estimates`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EstimatesError {
    /// The numbers of a board are not those of its size.
    #[error("board {number}: {error}")]
    Numbers {
        /// Number of the board, from 0.
        number: usize,
        /// Reason.
        error: BoardError,
    },
    /// A board has no solution, or a table is damaged.
    #[error("board {number}: {error}")]
    Board {
        /// Number of the board, from 0.
        number: usize,
        /// Reason.
        error: SolveError,
    },
    /// The numbers are not those of as many boards as there are values.
    #[error("{numbers} numbers for {values} boards of {tray}: expected {}", values * tray.cells())]
    Length {
        /// Length of the list of numbers.
        numbers: usize,
        /// Length of the list of values.
        values: usize,
        /// Size of the boards.
        tray: Tray,
    },
    /// The token of the options was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Boards that a thread takes at once, between two looks at the token.
const PIECE: usize = 1024;
/// Boards whose entries are located before the first is read: their cache lines are loaded
/// meanwhile.
const BLOCK: usize = 32;
/// Row paths are prepared for a call with at least this many boards per row of the tables; they
/// then take less time than they save.
const BOARDS_PER_ROW: f64 = 0.1;
/// Length of the arrays by cell, piece or number.
const CELLS: usize = CellSet::MAX_CELLS;

impl Solver {
    /// [`Self::estimate`] of many boards, whose numbers in reading order follow each other, as
    /// bytes or as `u16`. All must have a solution. The options' threads and token are used.
    ///
    /// In single moves and on trays of up to 64 cells a board takes about a microsecond; with
    /// one-bit tables from the first call on that has a board for every tenth row of the tables
    /// (6-6-3: 4,000 boards). That call prepares 8 bytes per row, which the solver keeps.
    ///
    /// # Errors
    /// [`EstimatesError`]; of several boards with an error the first is reported.
    ///
    /// ```
    /// use puzzle::{Goal, HeuristicSpec};
    /// use solver::{SolveOptions, Solver};
    ///
    /// let goal = Goal::blank_last("3x3".parse()?);
    /// let solver = Solver::build(goal.clone(), HeuristicSpec::parse("8", &goal)?)?;
    /// let boards = [8, 6, 7, 2, 5, 4, 3, 0, 1, 1, 2, 3, 4, 5, 6, 7, 0, 8_u8];
    /// let mut values = [0; 2];
    /// solver.estimates(&boards, &mut values, &SolveOptions::default())?;
    /// assert_eq!(values, [31, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimates<N: Copy + Into<u16> + Sync>(
        &self,
        boards: &[N],
        values: &mut [u16],
        options: &SolveOptions,
    ) -> Result<(), EstimatesError> {
        let tray = self.goal().tray();
        if boards.len() != values.len() * tray.cells() {
            return Err(EstimatesError::Length {
                numbers: boards.len(),
                values: values.len(),
                tray,
            });
        }
        let count = values.len();
        let batch = self.batch(count);
        let pieces = boards.chunks(PIECE * tray.cells());
        let pieces = Mutex::new(pieces.zip(values.chunks_mut(PIECE)).enumerate());
        let failed: Mutex<Option<EstimatesError>> = Mutex::default();
        // Pieces are taken in order, so an error in an earlier piece is always met as well.
        let work = || {
            while lock(&failed).is_none() {
                let Some((piece, (boards, values))) = lock(&pieces).next() else {
                    return;
                };
                let done = match options.cancel.is_cancelled() {
                    true => Err(EstimatesError::Cancelled),
                    false => self.piece(batch.as_deref(), boards, values, piece * PIECE),
                };
                if let Err(error) = done {
                    let failed = &mut *lock(&failed);
                    if failed
                        .as_ref()
                        .is_none_or(|old| error.number() < old.number())
                    {
                        *failed = Some(error);
                    }
                    return;
                }
            }
        };
        let threads = match count.div_ceil(PIECE) {
            0 | 1 => 1,
            pieces => options.thread_count().min(pieces),
        };
        scope(&mut |scope| {
            for _ in 1..threads {
                if !scope.start(work) {
                    break;
                }
            }
            work();
        });
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), Err)
    }

    /// Values of a piece of the boards, the first of which has the number `first`.
    fn piece<N: Copy + Into<u16>>(
        &self,
        batch: Option<&dyn Batch>,
        boards: &[N],
        values: &mut [u16],
        first: usize,
    ) -> Result<(), EstimatesError> {
        let cells = self.goal().tray().cells();
        let bytes: Vec<u8> = match batch {
            // No board of a batch has numbers as large as 255.
            Some(_) => boards.iter().map(|&n| n.into().min(255) as u8).collect(),
            None => Vec::new(),
        };
        let mut done = 0;
        while done < values.len() {
            if let Some(batch) = batch {
                match batch.run(&bytes[done * cells..], &mut values[done..]) {
                    Ok(()) => return Ok(()),
                    Err(row) => done += row,
                }
            }
            // Boards for which there is no batch, or that it rejects.
            let numbers: Vec<u32> = boards[done * cells..][..cells]
                .iter()
                .map(|&number| u32::from(number.into()))
                .collect();
            let number = first + done;
            let board = Board::new(self.goal().tray(), &numbers);
            let board = board.map_err(|error| EstimatesError::Numbers { number, error })?;
            let value = self.estimate(&board);
            let value = value.map_err(|error| EstimatesError::Board { number, error })?;
            values[done] = value as u16;
            done += 1;
        }
        Ok(())
    }
}

impl EstimatesError {
    /// Orders errors by their boards.
    fn number(&self) -> usize {
        match self {
            EstimatesError::Numbers { number, .. } | EstimatesError::Board { number, .. } => {
                *number
            }
            _ => usize::MAX,
        }
    }
}

/// A panic leaves the data whole: each change is one step.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Estimates boards without making a [`Board`] of each.
pub(crate) trait Batch: Sync {
    /// Values of boards. The error is the first board that has no solution or whose table is
    /// damaged; the values before it are right.
    fn run(&self, boards: &[u8], values: &mut [u16]) -> Result<(), usize>;
}

impl Solver {
    /// The tables as a batch reads them. `None` in the multi-tile metric, and for trays of one line
    /// or of more than 64 cells.
    fn batch(&self, boards: usize) -> Option<Box<dyn Batch + '_>> {
        let tray = self.goal().tray();
        let is_line = tray.width() == 1 || tray.height() == 1;
        match is_line || tray.cells() > CELLS {
            true => None,
            false => self.single()?.batch(self.goal(), boards),
        }
    }
}

/// The tables of single moves, for boards of one goal.
pub(crate) struct TableBatch<'a, W: CellRoom> {
    reader: BoardReader,
    parts: Vec<BatchPart<'a, W>>,
    /// Number of parts of each view.
    views: Vec<usize>,
    /// Manhattan distance of each piece on each cell, where it takes part.
    distances: Option<Vec<[u8; CELLS]>>,
}

impl<'a, W: CellRoom> TableBatch<'a, W> {
    /// `None` where descents take less time than row paths for this number of boards.
    pub(crate) fn new(heuristic: &'a Heuristic<W>, goal: &Goal, boards: usize) -> Option<Self> {
        let set = heuristic.set();
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
            let paths = tables
                .iter()
                .map(|part| RowPaths::new(&part.table.table, ranking(part)));
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

    /// [`Self::run_on_any_processor`] with instructions that count bits and shift by variable
    /// numbers.
    ///
    /// # Safety
    /// The processor must have them.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    #[allow(unsafe_code)]
    unsafe fn run_with_bit_counting(&self, boards: &[u8], values: &mut [u16]) -> Result<(), usize> {
        self.run_on_any_processor(boards, values)
    }
}

impl<W: CellRoom> Batch for TableBatch<'_, W> {
    fn run(&self, boards: &[u8], values: &mut [u16]) -> Result<(), usize> {
        #[cfg(target_arch = "x86_64")]
        if crate::processor::has_bit_counting() {
            // SAFETY: the processor has the instructions, which has just been asked.
            #[allow(unsafe_code)]
            return unsafe { self.run_with_bit_counting(boards, values) };
        }
        self.run_on_any_processor(boards, values)
    }
}

/// Reads boards of one goal.
struct BoardReader {
    cells: usize,
    /// Goal cell of each number. Numbers that no tile has are those of a cell outside the tray.
    home: [u8; CELLS],
    /// The tray's cells, a bit each.
    all: u64,
    /// The cells of one colour of the chessboard.
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

    /// The cell of each piece, by goal cell, and of the blank. `None` for what is not a board with
    /// a solution.
    #[inline(always)]
    fn read(&self, board: &[u8]) -> Option<([u8; CELLS], u8)> {
        let mut cell_of = [0; CELLS];
        let (mut seen, mut inversions, mut high) = (0_u64, 0_u64, 0_u8);
        for (cell, &number) in board.iter().enumerate() {
            high |= number;
            let piece = self.home[usize::from(number) % CELLS];
            cell_of[usize::from(piece) % CELLS] = cell as u8;
            // The parity of a sum of counts is that of the exclusive or of what is counted.
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

/// A row of a table and a rank within it.
type Place = (u32, u32);

/// A part as a batch looks it up.
struct BatchPart<'a, W: CellRoom> {
    rows: &'a W::Rows,
    payload: &'a [u8],
    row_entries: usize,
    /// Cell of the table for each cell of the board.
    to_table: [u8; CELLS],
    /// Goal cells of the pattern's tiles, in the order of the table's.
    tiles: [u8; MAX_TILES],
    count: usize,
    /// Weights of the digits of a rank.
    weights: [u32; MAX_TILES],
    /// Those of a one-bit table.
    paths: Option<&'a RowPaths>,
}

impl<'a, W: CellRoom> BatchPart<'a, W> {
    fn new(part: &'a Part<SlideGeometry<W>>, paths: Option<&'a RowPaths>) -> Self {
        let (table, geometry) = (&part.table.table, &part.table.geometry);
        let mut to_table = [0; CELLS];
        for (cell, image) in part.to_table().iter().enumerate() {
            to_table[cell] = image.index() as u8;
        }
        let mut tiles = [0; MAX_TILES];
        for (place, tile) in tiles.iter_mut().zip(table.id().tiles().iter()) {
            *place = part.board_cell(tile).index() as u8;
        }
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

    /// [`Ranking::locate`] for the cell of each piece.
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

    /// `None` in a damaged table.
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

/// A path from every row of a one-bit table to the row of the goal, by moves of the pattern's
/// tiles, whatever their order.
///
/// The value of an entry is that of the entry where its path ends, and the sum of the changes on
/// the path. Every move changes the value by one, and the bits and the parities of the rows store
/// the value modulo 4, which tells up from down. Paths are as long as the tiles' shape is far from
/// that of the goal, which is less than the value, and they need no search.
pub(crate) struct RowPaths {
    steps: Box<[RowStep]>,
    goal_row: u32,
    /// Values of the goal's row, 255 for unreachable entries.
    goal_values: Box<[u8]>,
    reindex: Reindex,
    /// Largest value.
    max: u8,
}

/// The first step of a row's path.
#[derive(Clone, Copy)]
struct RowStep {
    /// The next row; [`NO_ROW`] where no path leads to the goal.
    row: u32,
    /// Positions of the moved tile among the pattern's, before and after.
    from: u8,
    to: u8,
    /// The values of this row modulo 2.
    parity: u8,
}

/// No row of a table has this number: an entry would not fit 64 GiB.
const NO_ROW: u32 = u32::MAX;

impl RowPaths {
    /// A breadth-first search over the rows.
    fn new(table: &Table<AnyBytes>, ranking: &Ranking) -> Self {
        let id = table.id();
        let reindex = Reindex::for_tray(id.tray(), ranking.tiles());
        let unmet = RowStep {
            row: NO_ROW,
            from: 0,
            to: 0,
            parity: 0,
        };
        let mut steps = vec![unmet; ranking.rows()];
        let goal_row = ranking.goal_row(id);
        steps[goal_row].row = goal_row as u32;
        let mut queue = VecDeque::from([goal_row]);
        while let Some(row) = queue.pop_front() {
            let (shape, blank) = ranking.row_shape(row);
            steps[row].parity = id.parity(shape, blank);
            for out in ranking.row_moves(shape, blank) {
                let step = &mut steps[out.row];
                if step.row == NO_ROW {
                    // The same move, taken back.
                    (step.row, step.from, step.to) = (row as u32, out.to as u8, out.from as u8);
                    queue.push_back(out.row);
                }
            }
        }
        let ranks = 0..ranking.row_entries() as u32;
        let value = |rank| table.value_by_descent(ranking, &reindex, goal_row, rank);
        RowPaths {
            goal_row: goal_row as u32,
            goal_values: ranks.map(|rank| value(rank).unwrap_or(u8::MAX)).collect(),
            max: table.header().histogram.max(),
            steps: steps.into(),
            reindex,
        }
    }

    /// `None` in a damaged table.
    #[inline(always)]
    fn value(&self, payload: &[u8], row_entries: usize, (mut row, mut rank): Place) -> Option<u8> {
        let modulo_4 = |step: &RowStep, row: u32, rank: u32| {
            let entry = row as usize * row_entries + rank as usize;
            Some(
                i32::from(payload.get(entry >> 3)? >> (entry & 7) & 1) << 1
                    | i32::from(step.parity),
            )
        };
        let mut step = self.steps.get(row as usize)?;
        let mut here = modulo_4(step, row, rank)?;
        let mut above_end = 0;
        while row != self.goal_row {
            rank = self.reindex.apply(step.from.into(), step.to.into(), rank);
            row = step.row;
            step = self.steps.get(row as usize)?;
            let next = modulo_4(step, row, rank)?;
            // 1 above is 1, 1 below is 3 modulo 4.
            above_end += ((here - next + 1) & 3) - 1;
            here = next;
        }
        let end = *self.goal_values.get(rank as usize)?;
        let value = i32::from(end) + above_end;
        let is_sound = end < u8::MAX && (0..=i32::from(self.max)).contains(&value);
        is_sound.then_some(value as u8)
    }
}

#[cfg(test)]
mod tests {
    use puzzle::HeuristicSpec;

    use super::*;

    fn solver(partition: &str) -> Solver {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let spec = HeuristicSpec::parse(partition, &goal).unwrap();
        Solver::build(goal, spec).unwrap()
    }

    /// 4-4 has one table of 126 shapes, some with several regions: some 200 rows.
    #[test]
    fn row_paths_are_prepared_for_many_boards_and_kept() {
        let solver = solver("4-4");
        assert!(solver.batch(3).is_none());
        assert!(solver.batch(100).is_some());
        assert!(solver.batch(1).is_some());
        // Nothing is prepared for Manhattan distance.
        assert!(self::solver("manhattan").batch(1).is_some());
    }

    #[test]
    fn row_paths_lead_to_every_value() {
        let solver = solver("4-4");
        let spec = solver.spec();
        let id = spec.tables()[0];
        let (table, ranking) = solver.single().unwrap().find(id).unwrap();
        let paths = RowPaths::new(table, ranking);
        let reindex = Reindex::for_tray(id.tray(), ranking.tiles());
        for row in 0..ranking.rows() {
            for rank in 0..ranking.row_entries() as u32 {
                let place = (row as u32, rank);
                assert_eq!(
                    paths.value(table.payload(), ranking.row_entries(), place),
                    table.value_by_descent(ranking, &reindex, row, rank),
                );
            }
        }
    }
}
