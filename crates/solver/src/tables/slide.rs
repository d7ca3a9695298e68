//! Effect of a slide on a shape, in a table's orientation.

use pdb_table::{SharedTable, TableError};
use puzzle::{Cell, CellSet, Direction, Goal, HeuristicSpec, Ranking, State, TableId, Tray};

use super::cell_room::{CellMask, Cells16, Cells25, Cells64};
use super::heuristic::Heuristic;
use super::table_batch::{Batch, TableBatch};
use super::table_set::DamagedTable;

/// A tile's slide into the blank's cell.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slide<M> {
    /// The tile's cell and the blank's cell.
    pub(crate) flip: M,
    /// The cells before the first cell of `flip`, in reading order.
    pub(crate) below: M,
    /// The cells between the two cells of the slide in reading order; the tile passes them.
    pub(crate) between: M,
    /// The cell that the tile leaves to the blank.
    pub(crate) from: u8,
    /// Whether the tile moves back in reading order.
    pub(crate) is_back: bool,
}

impl<M: CellMask> Slide<M> {
    pub(crate) fn new(from: Cell, hole: Cell) -> Self {
        let (low, high) = (from.min(hole), from.max(hole));
        let below = CellSet::first(low.index());
        let between = CellSet::first(high.index()).difference(below.with(low));
        Slide {
            flip: M::new(CellSet::EMPTY.with(low).with(high)),
            below: M::new(below),
            between: M::new(between),
            from: from.index() as u8,
            is_back: from > hole,
        }
    }
}

/// Number of directions in which the blank can move.
pub(crate) const MOVES: usize = 4;

/// Number of moves from all cells of the largest tray with tables. It is a power of two, so the
/// compiler reduces an index modulo `ROOM` with a mask.
const ROOM: usize = MOVES * CellSet::MAX_CELLS;

/// All slides, in the orientation of one table.
pub(crate) struct Slides<M>(Box<[Slide<M>; ROOM]>);

impl<M: CellMask> Slides<M> {
    /// `order` is the order of the blank's moves on the board; `map` maps cells to the table's
    /// orientation.
    pub(crate) fn new(tray: Tray, order: [Direction; MOVES], map: impl Fn(Cell) -> Cell) -> Self {
        let mut slides = Box::new([Slide::default(); ROOM]);
        for hole in tray.iter() {
            let moves = &mut slides[MOVES * hole.index()..][..MOVES];
            for (slide, &direction) in moves.iter_mut().zip(&order) {
                if let Some(from) = tray.step(hole, direction) {
                    *slide = Slide::new(map(from), map(hole));
                }
            }
        }
        Slides(slides)
    }

    /// The slide with the number `number`, which is [`MOVES`] times the blank's cell plus the
    /// number of the move.
    #[inline(always)]
    pub(crate) fn get(&self, number: u16) -> &Slide<M> {
        &self.0[usize::from(number) % ROOM]
    }
}

/// The heuristic of a specification in the single-tile metric. The variants are for trays of up to
/// 16, 25 and 64 cells.
pub(crate) enum SlideTables {
    Small(Heuristic<Cells16>),
    /// Trays of up to 25 cells, and larger trays without tables.
    Medium(Heuristic<Cells25>),
    Large(Heuristic<Cells64>),
}

/// Runs the same code for each variant of `SlideTables`.
macro_rules! with_width {
    ($tables:expr, $heuristic:pat => $done:expr) => {
        match $tables {
            SlideTables::Small($heuristic) => $done,
            SlideTables::Medium($heuristic) => $done,
            SlideTables::Large($heuristic) => $done,
        }
    };
}

impl SlideTables {
    /// `tables` are the tables of the specification. The result shares data with `like`, the tables
    /// of another specification on the same tray.
    pub(crate) fn new(
        spec: &HeuristicSpec,
        tables: &[SharedTable],
        like: Option<&Self>,
    ) -> Result<Self, TableError> {
        macro_rules! of_width {
            ($width:ident) => {{
                let like = match like {
                    Some(SlideTables::$width(like)) => Some(like),
                    _ => None,
                };
                SlideTables::$width(Heuristic::new(spec, tables, like)?)
            }};
        }
        Ok(match spec.tray().cells() {
            0..=16 => of_width!(Small),
            26..=CellSet::MAX_CELLS => of_width!(Large),
            _ => of_width!(Medium),
        })
    }

    /// [`TableSet::find`](super::table_set::TableSet::find).
    pub(crate) fn find(&self, id: TableId) -> Option<(&SharedTable, &Ranking)> {
        with_width!(self, heuristic => heuristic.set.find(id))
    }

    /// [`TableSet::tables`](super::table_set::TableSet::tables).
    pub(crate) fn tables(&self) -> Box<dyn Iterator<Item = &SharedTable> + '_> {
        with_width!(self, heuristic => Box::new(heuristic.set.tables()))
    }

    /// The initial estimate of a search from a state.
    pub(crate) fn estimate(&self, state: &State) -> Result<u32, DamagedTable> {
        with_width!(self, heuristic => heuristic.estimate(state))
    }

    /// The tables prepared for look-ups of `boards` boards. `None` for trays of one line or of more
    /// than 64 cells, and where [`TableBatch::new`] returns `None`.
    pub(crate) fn batch(&self, goal: &Goal, boards: usize) -> Option<Box<Batch<'_>>> {
        let tray = goal.tray();
        if tray.width() == 1 || tray.height() == 1 || tray.cells() > CellSet::MAX_CELLS {
            return None;
        }
        with_width!(self, heuristic => {
            let batch = TableBatch::new(heuristic, goal, boards)?;
            Some(Box::new(move |boards: &[u8], values: &mut [u16]| batch.run(boards, values)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdb_gen::build;
    use pdb_table::{Control, Encoding};

    /// 4-4 has one table of 126 shapes, some with several regions: about 200 rows.
    #[test]
    fn row_paths_are_prepared_for_many_boards_and_kept() {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let tables = |name| {
            let spec = HeuristicSpec::parse(name, &goal).unwrap();
            let build = |id| build(id, Encoding::OneBit, &Control::default()).unwrap();
            let tables = spec.tables().into_iter();
            let tables: Vec<_> = tables.map(|id| build(id).into_table().shared()).collect();
            SlideTables::new(&spec, &tables, None).unwrap()
        };
        let pairs = tables("4-4");
        assert!(pairs.batch(&goal, 3).is_none());
        assert!(pairs.batch(&goal, 100).is_some());
        assert!(pairs.batch(&goal, 1).is_some());
        // Nothing is prepared for Manhattan distance.
        assert!(tables("manhattan").batch(&goal, 1).is_some());
    }
}
