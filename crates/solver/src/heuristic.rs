//! A plan's tables made ready for a search: every view's parts, where their entries lie, and how a move changes them.

use pdb_table::{Encoding, Table, TableError};
use puzzle::{Cell, CellSet, Kind, Partition, Pattern, Plan, Ranking, State, TableId};

use crate::step::{MOVES, StepTable};

/// The bytes of a table, wherever they are kept.
pub(crate) struct TableBytes(Box<dyn AsRef<[u8]> + Send + Sync>);

impl AsRef<[u8]> for TableBytes {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

/// Tables and views for one goal.
pub(crate) struct Heuristic {
    tables: Vec<Opened>,
    spaces: Vec<Space>,
    pub(crate) views: Vec<View>,
}

struct Opened {
    table: Table<TableBytes>,
    /// Its place among the spaces.
    space: usize,
}

/// What tables with equally many tiles and of the same kind share.
struct Space {
    ranking: Ranking,
    steps: StepTable,
}

/// One partition, or the image of one under a symmetry: a sum.
pub(crate) struct View {
    pub(crate) parts: Vec<Part>,
    /// The part that a move of a tile (by goal cell) changes. Every part of a full-cost view changes with every
    /// move, so there all tiles name the only part.
    pub(crate) part_of_tile: Vec<u8>,
}

/// One pattern of a view, and how it is looked up in a table that may be stored in another orientation.
pub(crate) struct Part {
    table: usize,
    pub(crate) tiles: CellSet,
    /// Cell of the table for each cell of the board.
    map: Vec<u8>,
}

/// Where a pattern's tiles are, as the search carries it. `h` is the value found there.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Place {
    /// Number of the shape.
    pub(crate) shape: u32,
    pub(crate) rank: u32,
    pub(crate) h: i32,
}

/// A table that is not what its own values imply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is damaged: its values lead nowhere; find out which with pdb-gen verify, and build it again", name(.0))]
pub struct DamagedTable(
    /// Its name, where the search can tell.
    pub Option<String>,
);

fn name(table: &Option<String>) -> String {
    table.as_ref().map_or_else(
        || "a table of this search".to_owned(),
        |name| format!("the table {name}"),
    )
}

impl Heuristic {
    /// Takes one table for each pattern of the plan from `open`, and checks that it is the right one.
    pub(crate) fn new<E: From<TableError>>(
        plan: &Plan,
        mut open: impl FnMut(TableId) -> Result<Table<TableBytes>, E>,
    ) -> Result<Self, E> {
        let mut heuristic = Heuristic {
            tables: Vec::new(),
            spaces: Vec::new(),
            views: Vec::new(),
        };
        for partition in plan.views() {
            let view = heuristic.view(plan, &partition, &mut open)?;
            heuristic.views.push(view);
        }
        Ok(heuristic)
    }

    fn view<E: From<TableError>>(
        &mut self,
        plan: &Plan,
        partition: &Partition,
        open: &mut impl FnMut(TableId) -> Result<Table<TableBytes>, E>,
    ) -> Result<View, E> {
        let tray = plan.tray();
        let mut parts = Vec::new();
        let mut part_of_tile = vec![0; tray.cells()];
        for (number, &tiles) in partition.parts.iter().enumerate() {
            // The plan has checked its patterns.
            let Ok(pattern) = Pattern::new(tray, tiles, plan.goal_blank()) else {
                continue;
            };
            let (id, symmetry) = pattern.table(partition.kind);
            let known = self
                .tables
                .iter()
                .position(|opened| opened.table.id() == id);
            let table = match known {
                Some(table) => table,
                None => {
                    let table = open(id)?;
                    table.check_id(id)?;
                    let space = self.space_of(&table)?;
                    self.tables.push(Opened { table, space });
                    self.tables.len() - 1
                }
            };
            for tile in tiles.iter() {
                part_of_tile[tile.index()] = number as u8;
            }
            parts.push(Part {
                table,
                tiles,
                map: tray
                    .iter()
                    .map(|cell| symmetry.map(tray, cell).index() as u8)
                    .collect(),
            });
        }
        Ok(View {
            parts,
            part_of_tile,
        })
    }

    /// What tables like this one share, made for the first of them. In any case checks the table's number of entries,
    /// so that no look-up leaves the payload, and its goal entry, without which no search would end.
    fn space_of(&mut self, table: &Table<TableBytes>) -> Result<usize, TableError> {
        let id = table.id();
        let known = self.spaces.iter().position(|space| space.serves(id));
        let index = match known {
            Some(index) => {
                table.expect_entries(self.spaces[index].ranking.entries())?;
                index
            }
            None => {
                let ranking = table.ranking()?;
                let steps = StepTable::new(&ranking);
                self.spaces.push(Space { ranking, steps });
                self.spaces.len() - 1
            }
        };
        let ranking = &self.spaces[index].ranking;
        let goal = ranking.goal_row(id) * ranking.row_entries();
        let is_zero = table.agrees(goal as u64, Some(0));
        is_zero.then_some(index).ok_or(TableError::Goal)
    }

    /// Whether all tables keep one bit an entry.
    pub(crate) fn is_one_bit(&self) -> bool {
        let mut tables = self.tables.iter();
        tables.all(|opened| opened.table.header().encoding == Encoding::OneBit)
    }

    /// Whether sums of a view are at least Manhattan distance and 0 at the goal only: a view of additive tables that
    /// covers all tiles.
    pub(crate) fn is_complete(&self) -> bool {
        self.views.first().is_some_and(|view| {
            let parts = view.parts.iter();
            let tiles: usize = parts.clone().map(|part| part.tiles.len()).sum();
            let mut kinds = parts.map(|part| self.tables[part.table].table.id().kind);
            tiles + 1 == view.part_of_tile.len() && kinds.all(Kind::is_additive)
        })
    }

    /// Everything that looking a part up takes. `targets` has the cell to which each of a search's four moves brings
    /// the blank, by the blank's cell.
    pub(crate) fn lookup<'a>(&'a self, part: &Part, targets: &[[Option<Cell>; 4]]) -> Lookup<'a> {
        let Opened { table, space } = &self.tables[part.table];
        let space = &self.spaces[*space];
        let map = |cell: Cell| Cell::new(usize::from(part.map[cell.index()]));
        let mut edges = [0; MOVES];
        for (hole, targets) in targets.iter().enumerate() {
            for (by, from) in targets.iter().enumerate() {
                if let Some(from) = *from {
                    edges[4 * hole + by] = space.steps.edge(map(from), map(Cell::new(hole)));
                }
            }
        }
        Lookup {
            edges,
            steps: &space.steps,
            payload: table.payload(),
            one_bit: table.header().encoding == Encoding::OneBit,
        }
    }

    /// The place of a part's tiles in a state, with its value.
    pub(crate) fn place(&self, part: &Part, state: &State) -> Result<Place, DamagedTable> {
        let Opened { table, space } = &self.tables[part.table];
        let Space { ranking, steps } = &self.spaces[*space];
        let id = table.id();
        let map = |cell: Cell| Cell::new(usize::from(part.map[cell.index()]));
        // Both the cells and the tiles' names are seen in the table's orientation.
        let mut cell_of = vec![Cell::new(0); part.map.len()];
        for (cell, &piece) in state.tray().iter().zip(state.pieces()) {
            cell_of[map(piece).index()] = map(cell);
        }
        let blank = map(state.blank());
        let (row, rank) = ranking.locate(id.tiles, blank, |tile| cell_of[tile.index()]);
        let shape: CellSet = id.tiles.iter().map(|tile| cell_of[tile.index()]).collect();
        let shape = ranking.shape_index(shape) as u32;
        let entry = |row: usize, rank: u32| (row * ranking.row_entries()) as u64 + u64::from(rank);
        let damaged = || DamagedTable(Some(id.name()));
        let h = match table.header().encoding {
            Encoding::U8 => table.byte(entry(row, rank)).filter(|&h| h < u8::MAX),
            Encoding::OneBit => table.descend(ranking, steps.reindex(), row, rank),
            // Tables in the multi-tile metric are not for this search.
            Encoding::Mod3 => None,
        };
        let h = i32::from(h.ok_or_else(damaged)?);
        Ok(Place { shape, rank, h })
    }
}

impl Space {
    fn serves(&self, id: TableId) -> bool {
        let ranking = &self.ranking;
        (ranking.tray(), ranking.tiles(), ranking.kind()) == (id.tray, id.tiles.len(), id.kind)
    }
}

/// A part as the search looks it up.
pub(crate) struct Lookup<'a> {
    /// The edge of the table's orientation by the blank's cell and the move.
    edges: [u8; MOVES],
    steps: &'a StepTable,
    payload: &'a [u8],
    one_bit: bool,
}

impl Lookup<'_> {
    /// The place and value of the part after the blank on `blank` made move number `by`.
    #[inline(always)]
    pub(crate) fn after<P: Probe>(&self, place: Place, blank: usize, by: usize) -> Place {
        let edge = self.edges[4 * blank + by];
        let (shape, rank, entry) = self.steps.step(place.shape, place.rank, edge);
        let h = P::read(self, entry, place.h);
        Place { shape, rank, h }
    }
}

/// How a value is read from a payload. The mode is chosen once a search, outside the loop.
pub(crate) trait Probe {
    /// The value of an entry, one move away from an entry of value `h`.
    fn read(lookup: &Lookup, entry: usize, h: i32) -> i32;
}

/// All tables keep one bit an entry.
pub(crate) struct OneBitProbe;

impl Probe for OneBitProbe {
    #[inline(always)]
    fn read(lookup: &Lookup, entry: usize, h: i32) -> i32 {
        let bit = i32::from(lookup.payload[entry >> 3] >> (entry & 7) & 1);
        // h + 1 and h - 1 differ in bit 1, so the bit tells which it is.
        let is_down = ((h + 1) >> 1 ^ bit) & 1;
        h + 1 - 2 * is_down
    }
}

/// Tables of different encodings.
pub(crate) struct AnyProbe;

impl Probe for AnyProbe {
    #[inline(always)]
    fn read(lookup: &Lookup, entry: usize, h: i32) -> i32 {
        if lookup.one_bit {
            OneBitProbe::read(lookup, entry, h)
        } else {
            i32::from(lookup.payload[entry])
        }
    }
}

impl TableBytes {
    /// Any bytes that stay the same.
    pub(crate) fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        TableBytes(Box::new(bytes))
    }
}
