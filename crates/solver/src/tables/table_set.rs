//! The checked tables of a specification and its views, shared by the searches of both metrics.

use std::sync::Arc;

use pdb_table::{EntryPosition, SharedTable, TableError};
use puzzle::{Cell, CellSet, HeuristicSpec, MAX_TILES, Ranking, State, Symmetry, TableId};

/// Shared data of tables with the same kind, number of tiles and tray: the numbering of their
/// entries, and the effect of moves on these numbers.
pub(crate) trait Geometry: Sized {
    /// The geometry of the tables with this ranking. The error is [`TableError::TooLarge`] if the
    /// integers of the search are too small for these tables.
    fn new(ranking: Ranking) -> Result<Self, TableError>;

    fn ranking(&self) -> &Ranking;

    fn serves(&self, id: TableId) -> bool {
        let ranking = self.ranking();
        (ranking.tray(), ranking.tiles(), ranking.kind())
            == (id.tray(), id.tiles().len(), id.kind())
    }
}

/// A table that is safe for look-ups, and its geometry.
pub(crate) struct CheckedTable<G> {
    pub(crate) table: SharedTable,
    pub(crate) geometry: Arc<G>,
}

impl<G: Geometry> CheckedTable<G> {
    /// Checks the table's number of entries, so that every look-up stays in the payload. Also
    /// checks that the goal entry has the value 0, because otherwise a search could continue for
    /// ever. The geometry must match the table.
    pub(crate) fn new(table: SharedTable, geometry: Arc<G>) -> Result<Self, TableError> {
        table.expect_entries(geometry.ranking().entries())?;
        let checked = CheckedTable { table, geometry };
        let is_zero = checked
            .table
            .entry_matches(checked.goal_entry() as u64, Some(0));
        is_zero.then_some(checked).ok_or(TableError::Goal)
    }

    /// The entry of the solved pattern.
    pub(crate) fn goal_entry(&self) -> usize {
        let ranking = self.geometry.ranking();
        ranking.goal_row(self.table.id()) * ranking.row_entries()
    }
}

/// One pattern of a view. Its table may be stored in another orientation; `symmetry` maps the
/// pattern to the table.
pub(crate) struct Part<G> {
    pub(crate) table: Arc<CheckedTable<G>>,
    pub(crate) symmetry: Symmetry,
    /// Cell of the table for each cell of the board.
    to_table: Vec<Cell>,
    /// Cell of the board for each cell of the table.
    to_board: Vec<Cell>,
}

impl<G: Geometry> Part<G> {
    /// `symmetry` maps the pattern to the table's orientation, as in [`puzzle::Pattern::table`].
    pub(crate) fn new(table: &Arc<CheckedTable<G>>, symmetry: Symmetry) -> Self {
        // The tray of the board. The symmetry, and its inverse, may exchange width and height.
        let tray = symmetry.map_tray(table.table.id().tray());
        let to_table: Vec<Cell> = tray.iter().map(|cell| symmetry.map(tray, cell)).collect();
        let mut to_board = to_table.clone();
        for (cell, image) in tray.iter().zip(&to_table) {
            to_board[image.index()] = cell;
        }
        Part {
            table: Arc::clone(table),
            symmetry,
            to_table,
            to_board,
        }
    }

    /// The cell of the table for a cell of the board.
    #[inline(always)]
    pub(crate) fn table_cell(&self, cell: Cell) -> Cell {
        self.to_table[cell.index()]
    }

    /// Returns two maps. The first maps each cell of the board to a cell of the table. The second
    /// maps the index of each tile of the table to the tile's goal cell on the board.
    pub(crate) fn byte_maps(&self) -> ([u8; CellSet::MAX_CELLS], [u8; MAX_TILES]) {
        let (mut to_table, mut tiles) = ([0; CellSet::MAX_CELLS], [0; MAX_TILES]);
        for (image, cell) in to_table.iter_mut().zip(&self.to_table) {
            *image = cell.index() as u8;
        }
        for (own, tile) in tiles.iter_mut().zip(self.table.table.id().tiles().iter()) {
            *own = self.to_board[tile.index()].index() as u8;
        }
        (to_table, tiles)
    }

    /// The entry of a board, in the table's orientation. `cell_of` maps the goal cell of a tile to
    /// the tile's cell. Takes O(tiles) time.
    pub(crate) fn locate(&self, cell_of: impl Fn(Cell) -> Cell, blank: Cell) -> EntryPosition {
        let CheckedTable { table, geometry } = &*self.table;
        let tiles = table.id().tiles();
        // Maps both the cells and the tiles' goal cells to the table's orientation.
        let table_cell_of = |tile: Cell| self.table_cell(cell_of(self.to_board[tile.index()]));
        let blank = self.table_cell(blank);
        let (row, rank) = geometry.ranking().locate(tiles, blank, table_cell_of);
        EntryPosition {
            row,
            rank,
            shape: tiles.iter().map(table_cell_of).collect(),
            blank,
        }
    }

    /// [`Self::locate`] for each part, on the same board.
    pub(crate) fn locate_all<'p>(
        parts: impl Iterator<Item = &'p Self>,
        state: &State,
    ) -> Vec<EntryPosition>
    where
        G: 'p,
    {
        let mut cells = vec![state.blank(); state.pieces().len()];
        for (cell, piece) in state.tray().iter().zip(state.pieces()) {
            cells[piece.index()] = cell;
        }
        let located = parts.map(|part| part.locate(|tile| cells[tile.index()], state.blank()));
        located.collect()
    }

    /// The error for a table whose values contradict each other.
    pub(crate) fn damaged(&self) -> DamagedTable {
        DamagedTable(Some(self.table.table.id().name()))
    }
}

/// A partition, or the image of one under a symmetry.
pub(crate) struct View<G> {
    pub(crate) parts: Vec<Part<G>>,
    /// For each tile (by goal cell), the index of the part whose value changes when the tile moves.
    /// A full-cost view has only one part, so all its indices are 0.
    pub(crate) part_of_tile: Vec<u8>,
}

/// All views of a specification. Each table is opened once, for all parts that use it.
pub(crate) struct TableSet<G> {
    pub(crate) views: Vec<View<G>>,
}

impl<G: Geometry> TableSet<G> {
    /// Finds the table of each pattern in `opened`. Reuses the geometries of `like`, the set for
    /// another goal cell of the blank. Searches with both sets then share this data in the
    /// processor's caches.
    pub(crate) fn new(
        spec: &HeuristicSpec,
        opened: &[SharedTable],
        like: Option<&Self>,
    ) -> Result<Self, TableError> {
        let mut tables: Vec<Arc<CheckedTable<G>>> = Vec::new();
        let mut views = Vec::new();
        for partition in spec.views() {
            let mut parts = Vec::new();
            let mut part_of_tile = vec![0; spec.tray().cells()];
            for (number, pattern) in partition.patterns().iter().enumerate() {
                for tile in pattern.tiles().iter() {
                    part_of_tile[tile.index()] = number as u8;
                }
                let (id, symmetry) = pattern.table(partition.kind());
                let known = tables.iter().position(|known| known.table.id() == id);
                let index = match known {
                    Some(index) => index,
                    None => {
                        let table = opened.iter().find(|table| table.id() == id);
                        let table = table.cloned().ok_or_else(|| TableError::WrongTable {
                            found: "none".to_owned(),
                            expected: id.name(),
                        })?;
                        let others = like.into_iter().flat_map(TableSet::parts);
                        let mut known = tables.iter().chain(others.map(|part| &part.table));
                        let geometry = match known.find(|known| known.geometry.serves(id)) {
                            Some(known) => Arc::clone(&known.geometry),
                            None => Arc::new(G::new(table.ranking()?)?),
                        };
                        tables.push(Arc::new(CheckedTable::new(table, geometry)?));
                        tables.len() - 1
                    }
                };
                parts.push(Part::new(&tables[index], symmetry));
            }
            views.push(View {
                parts,
                part_of_tile,
            });
        }
        Ok(TableSet { views })
    }

    /// A table with the ranking of its entries; `None` if no part uses it.
    pub(crate) fn find(&self, id: TableId) -> Option<(&SharedTable, &Ranking)> {
        let part = self.parts().find(|part| part.table.table.id() == id)?;
        let CheckedTable { table, geometry } = &*part.table;
        Some((table, geometry.ranking()))
    }

    /// The table of each part, view by view.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &SharedTable> {
        self.parts().map(|part| &part.table.table)
    }

    /// The parts of all views, view by view.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part<G>> {
        self.views.iter().flat_map(|view| &view.parts)
    }
}

/// A table whose values contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} is damaged: its values are inconsistent",
    .0.as_ref().map_or("a table of this search".to_owned(), |name| format!("the table {name}"))
)]
pub struct DamagedTable(
    /// Name of the table, if the search can identify it.
    pub Option<String>,
);
