//! Full-cost tables in the multi-tile metric as a heuristic: the maximum over patterns and their mirror images.

use pdb_table::{Encoding, Table, TableError};
use puzzle::{
    Cell, CellSet, Direction, HeuristicSpec, Pattern, Ranking, Reindex, State, TableId, factorial,
};

use super::heuristic::{AbstractState, Axis, MultiHeuristic};
use crate::DamagedTable;
use crate::table_set::AnyBytes;

/// The tables of a spec and its views.
pub(super) struct Tables {
    tables: Vec<Opened>,
    spaces: Vec<Geometry>,
    views: Vec<View>,
}

struct Opened {
    table: Table<AnyBytes>,
    /// Its place among the spaces.
    space: usize,
}

/// What tables with equally many tiles share.
struct Geometry {
    ranking: Ranking,
    /// Steps of the blank by row and direction: the new row in the high 24 bits, the pair in the low 8.
    steps: Box<[[u32; 4]]>,
    /// Positions between which a step moves an element; the first pair is none at all.
    pairs: Vec<(u8, u8)>,
    /// New ranks by pair and rank; empty if there are too many.
    ranks: Box<[u16]>,
    reindex: Reindex,
    row_entries: usize,
}

/// Bits of a step that number the pair.
const PAIR_BITS: u32 = 8;

/// The most tiles whose ranks fit 16 bits.
const RANKED_TILES: usize = 8;

/// A pattern, as it is looked up in a table that may be stored in another orientation.
struct View {
    table: usize,
    /// Cell of the table for each cell of the board.
    cells: Vec<Cell>,
    /// Direction of the table for each of the board's.
    directions: [u8; 4],
}

impl Tables {
    /// Takes one table for each pattern of the spec from `open`, and checks that it is the right one.
    pub(super) fn new<E: From<TableError>>(
        spec: &HeuristicSpec,
        mut open: impl FnMut(TableId) -> Result<Table<AnyBytes>, E>,
    ) -> Result<Self, E> {
        let mut tables = Tables {
            tables: Vec::new(),
            spaces: Vec::new(),
            views: Vec::new(),
        };
        let tray = spec.tray();
        for partition in spec.views() {
            for pattern in partition.patterns() {
                let (id, symmetry) = pattern.table(partition.kind());
                let mut known = tables.tables.iter();
                let table = match known.position(|opened| opened.table.id() == id) {
                    Some(table) => table,
                    None => {
                        let table = open(id)?;
                        tables.add(id, table)?
                    }
                };
                let directions =
                    Direction::ALL.map(|direction| symmetry.map_direction(direction) as u8);
                let cells = tray.iter().map(|cell| symmetry.map(tray, cell)).collect();
                tables.views.push(View {
                    table,
                    cells,
                    directions,
                });
            }
        }
        Ok(tables)
    }

    /// Checks a table's identity, its number of entries, so that no look-up leaves the payload, and its goal entry.
    fn add(&mut self, id: TableId, table: Table<AnyBytes>) -> Result<usize, TableError> {
        table.check_id(id)?;
        let serves = |space: &Geometry| space.ranking.tiles() == id.tiles().len();
        let space = match self.spaces.iter().position(serves) {
            Some(space) => {
                table.expect_entries(self.spaces[space].ranking.entries())?;
                space
            }
            None => {
                let ranking = table.ranking()?;
                if ranking.rows() >> (u32::BITS - PAIR_BITS) != 0 {
                    return Err(TableError::TooLarge(ranking.entries()));
                }
                self.spaces.push(Geometry::new(ranking));
                self.spaces.len() - 1
            }
        };
        let ranking = &self.spaces[space].ranking;
        let goal = ranking.goal_row(id) * ranking.row_entries();
        if !table.entry_matches(goal as u64, Some(0)) {
            return Err(TableError::Goal);
        }
        self.tables.push(Opened { table, space });
        Ok(self.tables.len() - 1)
    }

    fn opened(&self, part: usize) -> (&View, &Table<AnyBytes>, &Geometry) {
        let view = &self.views[part];
        let Opened { table, space } = &self.tables[view.table];
        (view, table, &self.spaces[*space])
    }
}

impl Geometry {
    fn new(ranking: Ranking) -> Self {
        let (tray, tiles) = (ranking.tray(), ranking.tiles());
        let mut pairs: Vec<(u8, u8)> = vec![(0, 0)];
        let mut steps = Vec::with_capacity(ranking.rows());
        let all = CellSet::all(tray);
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            for blank in all.difference(shape).iter() {
                steps.push(Direction::ALL.map(|direction| {
                    let Some(next) = tray.step(blank, direction) else {
                        return 0;
                    };
                    if !shape.contains(next) {
                        return (ranking.row(index, next) as u32) << PAIR_BITS;
                    }
                    let moved = shape.without(next).with(blank);
                    let pair = (
                        shape.count_before(next) as u8,
                        moved.count_before(blank) as u8,
                    );
                    let row = ranking.row(ranking.shape_index(moved), next) as u32;
                    if pair.0 == pair.1 {
                        return row << PAIR_BITS;
                    }
                    let known = pairs.iter().position(|&other| other == pair);
                    let pair = known.unwrap_or_else(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    row << PAIR_BITS | pair as u32
                }));
            }
        }
        let reindex = Reindex::for_tray(tray, tiles);
        let mut ranks = Vec::new();
        if tiles <= RANKED_TILES {
            for &(from, to) in &pairs {
                let apply = |rank| reindex.apply(from.into(), to.into(), rank) as u16;
                ranks.extend((0..factorial(tiles)).map(apply));
            }
        }
        Geometry {
            steps: steps.into(),
            pairs,
            ranks: ranks.into(),
            reindex,
            row_entries: ranking.row_entries(),
            ranking,
        }
    }

    #[inline(always)]
    fn step(&self, row: u32, rank: u32, direction: u8) -> (u32, u32) {
        let step = self.steps[row as usize][usize::from(direction & 3)];
        let (row, pair) = (step >> PAIR_BITS, step & ((1 << PAIR_BITS) - 1));
        let rank = if self.ranks.is_empty() {
            let (from, to) = self.pairs[pair as usize];
            self.reindex.apply(from.into(), to.into(), rank)
        } else {
            self.ranks[pair as usize * self.row_entries + rank as usize].into()
        };
        (row, rank)
    }

    #[inline(always)]
    fn entry(&self, row: u32, rank: u32) -> usize {
        row as usize * self.row_entries + rank as usize
    }

    /// All rows and ranks that one move leads to.
    fn runs(&self, row: u32, rank: u32) -> impl Iterator<Item = (u32, u32)> {
        let tray = self.ranking.tray();
        let (_, blank) = self.ranking.row_shape(row as usize);
        let blank = blank.lowest().unwrap_or(tray.last());
        Direction::ALL.into_iter().flat_map(move |direction| {
            let mut at = Some((blank, row, rank));
            std::iter::from_fn(move || {
                let (blank, row, rank) = at?;
                at = tray.step(blank, direction).map(|next| {
                    let (row, rank) = self.step(row, rank, direction as u8);
                    (next, row, rank)
                });
                at.map(|(_, row, rank)| (row, rank))
            })
        })
    }
}

/// The value of an entry: of a mod-3 table by walking down to the goal, since among the entries that one move leads
/// to, whose values differ by one at most, those that are less by one mod 3 are nearer to it. `None` if the way is longer
/// than the header allows or ends elsewhere, as in a damaged table.
fn value(table: &Table<AnyBytes>, space: &Geometry, row: u32, rank: u32) -> Option<u8> {
    let entry = |row, rank| space.entry(row, rank) as u64;
    if table.header().encoding == Encoding::U8 {
        return table.value(entry(row, rank));
    }
    let goal = space.ranking.goal_row(table.id()) as u32;
    let (mut row, mut rank) = (row, rank);
    for steps in 0..=table.header().histogram.max() {
        if (row, rank) == (goal, 0) {
            return Some(steps);
        }
        let code = table.mod3_code(entry(row, rank)).filter(|&code| code > 0)?;
        let wanted = (code + 1) % 3 + 1;
        let mut runs = space.runs(row, rank);
        (row, rank) =
            runs.find(|&(row, rank)| table.mod3_code(entry(row, rank)) == Some(wanted))?;
    }
    None
}

/// The change of value from one entry to the next, by the code of the next and what it would be if the value stayed.
#[inline(always)]
fn change(code: u8, near: i32) -> i32 {
    // Codes are 1 + h mod 3, so this is 0, 1 or 2 for a change by -1, 0 or 1.
    (i32::from(code) + 2 * near + 3) % 3 - 1
}

/// The tables as a search looks them up.
pub(super) struct Lookups<'a> {
    tables: &'a Tables,
    parts: Vec<Lookup<'a>>,
}

struct Lookup<'a> {
    space: &'a Geometry,
    payload: &'a [u8],
    directions: [u8; 4],
    is_bytes: bool,
}

impl Tables {
    /// Ready for a search; `None` where there are no tables.
    pub(super) fn lookups(&self) -> Option<Lookups<'_>> {
        let lookup = |part| {
            let (view, table, space) = self.opened(part);
            Lookup {
                space,
                payload: table.payload(),
                directions: view.directions,
                is_bytes: table.header().encoding == Encoding::U8,
            }
        };
        let parts: Vec<Lookup> = (0..self.views.len()).map(lookup).collect();
        let tables = self;
        (!parts.is_empty()).then_some(Lookups { tables, parts })
    }

    fn root(&self, part: usize, state: &State) -> Result<AbstractState, DamagedTable> {
        let (view, table, space) = self.opened(part);
        let id = table.id();
        // Both the cells and the tiles' names are seen in the table's orientation.
        let mut cell_of = vec![Cell::new(0); view.cells.len()];
        for (cell, &piece) in state.tray().iter().zip(state.pieces()) {
            cell_of[view.cells[piece.index()].index()] = view.cells[cell.index()];
        }
        let blank = view.cells[state.blank().index()];
        let ranking = &space.ranking;
        let (row, rank) = ranking.locate(id.tiles(), blank, |tile| cell_of[tile.index()]);
        let row = row as u32;
        let h = value(table, space, row, rank).ok_or_else(|| DamagedTable(Some(id.name())))?;
        let h = i32::from(h);
        Ok(AbstractState { row, rank, h })
    }
}

impl MultiHeuristic for Lookups<'_> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn root(&self, part: usize, state: &State) -> Result<AbstractState, DamagedTable> {
        self.tables.root(part, state)
    }

    #[inline(always)]
    fn step(&self, part: usize, spot: AbstractState, blank: Direction, _: u16) -> AbstractState {
        let Lookup {
            space, directions, ..
        } = &self.parts[part];
        let (row, rank) = space.step(spot.row, spot.rank, directions[blank as usize]);
        AbstractState { row, rank, ..spot }
    }

    #[inline(always)]
    fn read(&self, part: usize, spot: AbstractState, near: i32) -> i32 {
        let Lookup {
            space,
            payload,
            is_bytes,
            ..
        } = &self.parts[part];
        let entry = space.entry(spot.row, spot.rank);
        if *is_bytes {
            return i32::from(payload[entry]);
        }
        let code = payload[entry >> 2] >> (2 * (entry & 3)) & 3;
        near + change(code, near)
    }

    #[inline(always)]
    fn bound(&self, _: usize, h: i32, _: Option<Axis>) -> i32 {
        h
    }
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn codes_tell_the_change() {
        for near in 0..60 {
            for by in -1..=1 {
                let value: i32 = near + by;
                let code = (value.rem_euclid(3) + 1) as u8;
                assert_eq!(change(code, near), by, "{near} {by}");
            }
        }
    }
}
