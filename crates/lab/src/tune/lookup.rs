//! A table in memory, and a pattern as it is looked up there.

use std::sync::Arc;

use pdb_gen::build;
use pdb_table::{Control, Encoding, Table};
use puzzle::{
    Cell, CellSet, Pattern, Ranking, Reindex, Symmetry, TableId, TableKind, Tray, factorial,
};

use super::{TuneControl, TuneError};

/// What tables with equally many tiles share.
pub(crate) struct Space {
    ranking: Ranking,
    reindex: Reindex,
    /// Cells on which the blank may be, row by row: how many states an entry stands for is
    /// proportional to it.
    weights: Box<[u8]>,
}

impl Space {
    pub(crate) fn new(tray: Tray, tiles: usize, kind: TableKind) -> Self {
        let ranking = Ranking::new(tray, tiles, kind);
        let mut weights = vec![0_u8; ranking.rows()];
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            for cell in CellSet::all(tray).difference(shape).iter() {
                weights[ranking.row(index, cell)] += 1;
            }
        }
        Space {
            ranking,
            reindex: Reindex::for_tray(tray, tiles),
            weights: weights.into(),
        }
    }
}

/// A table built for look-ups.
pub(crate) struct Source {
    table: Table<Vec<u8>>,
    space: Arc<Space>,
}

/// Tables of up to this many entries keep a byte for each, larger ones a bit.
const LARGEST_IN_BYTES: u64 = 1 << 28;

/// The rows swept for a table and the entries in them: what building it costs. O(shapes).
pub(crate) fn swept_entries(tray: Tray, tiles: usize) -> u64 {
    Ranking::count_rows(tray, tiles, TableKind::ZeroAware) * u64::from(factorial(tiles))
}

/// How a table with this number of entries is kept.
pub(crate) fn encoding_of(kind: TableKind, entries: u64) -> Encoding {
    match entries <= LARGEST_IN_BYTES || !Encoding::OneBit.suits(kind) {
        true => Encoding::U8,
        false => Encoding::OneBit,
    }
}

impl Source {
    /// Builds the table.
    pub(crate) fn build(
        id: TableId,
        space: &Arc<Space>,
        control: &TuneControl<'_>,
    ) -> Result<Source, TuneError> {
        let encoding = encoding_of(id.kind(), space.ranking.entries());
        let control = Control::stopped_by(&control.caller.cancel);
        let built = build(id, encoding, &control)?;
        let space = Arc::clone(space);
        let table = built.into_table();
        Ok(Source { table, space })
    }

    /// The mean of the values over all states, each entry weighted by the cells of its region;
    /// `None` for tables that keep bits. O(entries).
    pub(crate) fn mean(&self) -> Option<f64> {
        if self.table.header().encoding != Encoding::U8 {
            return None;
        }
        let rows = self
            .table
            .payload()
            .chunks(self.space.ranking.row_entries());
        let (mut sum, mut states) = (0_u64, 0_u64);
        for (row, &weight) in rows.zip(&self.space.weights) {
            let reached = row.iter().filter(|&&h| h < u8::MAX);
            let count = reached.clone().count() as u64;
            let total: u64 = reached.map(|&h| u64::from(h)).sum();
            sum += u64::from(weight) * total;
            states += u64::from(weight) * count;
        }
        Some(sum as f64 / states as f64)
    }
}

/// Where a pattern's tiles are in the table's orientation, and the value there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    shape: CellSet,
    rank: u32,
    pub(crate) h: u8,
}

/// A pattern and its table, which may be stored in another orientation.
pub(crate) struct Part {
    source: Arc<Source>,
    /// Cell of the table for each cell of the board, and the way back.
    to_table: Vec<Cell>,
    from_table: Vec<Cell>,
}

impl Part {
    /// `symmetry` brings the pattern to the table's orientation: [`Pattern::table`].
    pub(crate) fn new(source: &Arc<Source>, tray: Tray, symmetry: Symmetry) -> Self {
        let to_table: Vec<Cell> = tray.iter().map(|cell| symmetry.map(tray, cell)).collect();
        let mut from_table = to_table.clone();
        for (cell, image) in tray.iter().zip(&to_table) {
            from_table[image.index()] = cell;
        }
        Part {
            source: Arc::clone(source),
            to_table,
            from_table,
        }
    }

    /// The place in a state, of which `place` has the cell of each piece. `None` only if the table
    /// is wrong.
    pub(crate) fn spot(&self, place: &[Cell], goal_blank: Cell) -> Option<Spot> {
        let Source { table, space } = &*self.source;
        let tiles = table.id().tiles();
        let cell_of =
            |tile: Cell| self.to_table[place[self.from_table[tile.index()].index()].index()];
        let blank = self.to_table[place[goal_blank.index()].index()];
        let (row, rank) = space.ranking.locate(tiles, blank, cell_of);
        let h = match table.header().encoding {
            Encoding::U8 => table.byte(self.entry(row, rank)).filter(|&h| h < u8::MAX)?,
            Encoding::OneBit | Encoding::Mod3 => {
                table.value_by_descent(&space.ranking, &space.reindex, row, rank)?
            }
        };
        let shape = tiles.iter().map(cell_of).collect();
        Some(Spot { shape, rank, h })
    }

    /// The place after one of the pattern's tiles went from `from` to the blank's place `hole`.
    #[inline]
    pub(crate) fn moved(&self, spot: Spot, from: Cell, hole: Cell) -> Spot {
        let Source { table, space } = &*self.source;
        let (from, hole) = (self.to_table[from.index()], self.to_table[hole.index()]);
        let shape = spot.shape.without(from).with(hole);
        let (i, j) = (spot.shape.count_before(from), shape.count_before(hole));
        let rank = match i == j {
            true => spot.rank,
            false => space.reindex.apply(i, j, spot.rank),
        };
        let row = space.ranking.row(space.ranking.shape_index(shape), from);
        let entry = self.entry(row, rank);
        let h = match table.header().encoding {
            Encoding::U8 => table.byte(entry).unwrap_or(u8::MAX),
            // h + 1 and h - 1 differ in bit 1.
            Encoding::OneBit if table.entry_matches(entry, Some(spot.h + 1)) => spot.h + 1,
            Encoding::OneBit | Encoding::Mod3 => spot.h - 1,
        };
        Spot { shape, rank, h }
    }

    fn entry(&self, row: usize, rank: u32) -> u64 {
        row as u64 * self.source.space.ranking.row_entries() as u64 + u64::from(rank)
    }
}

/// The table of a pattern that is known to be possible, and the symmetry that leads to it.
pub(crate) fn table_of(
    tray: Tray,
    tiles: CellSet,
    goal_blank: Cell,
    kind: TableKind,
) -> Result<(TableId, Symmetry), TuneError> {
    Ok(Pattern::new(tray, tiles, goal_blank)?.table(kind))
}
