//! Values of the heuristic for a board, entry by entry.
//!
//! Probing is a second opinion: it shares no look-up code with the search, and its descent is not
//! [`pdb_table::Descent`], so that it can check both. It is also an example for programs that read
//! table files. [`Ranking::locate`] computes the entries. If the encoding does not store the full
//! value, the value is determined by counting the moves of a descent to the goal.

use pdb_table::{Encoding, SharedTable};
use puzzle::{
    BlankClasses, Cell, CellSet, Direction, Goal, HeuristicSpec, Metric, Partition, Pattern,
    Ranking, State, Symmetry, TableId, TableKind, Tray,
};

use crate::multi::line_crossings::line_crossing_bound;
use crate::tables::DamagedTable;

/// Values and table entries of a heuristic for a board: see
/// [`Solver::probe`](crate::Solver::probe).
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Probe {
    /// The value of the heuristic: the maximum of the views' sums and of `table_free`, if it is
    /// present.
    pub estimate: u32,
    /// The value of the heuristic that needs no tables, if `estimate` includes it. In single moves
    /// it is Manhattan distance, which is included if the views' tables are not additive or do not
    /// cover all tiles. In the multi-tile metric it is computed from the number of tiles that must
    /// cross each line between two rows or two columns, and is included only if there are no
    /// tables.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub table_free: Option<u32>,
    /// The partitions and their images under the symmetries that keep the goal's blank; empty
    /// without tables.
    pub views: Vec<ProbedView>,
}

/// A partition, or its image under a symmetry that keeps the goal's blank.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ProbedView {
    /// Index among the partitions, from 0. Patterns whose values cannot be added are separate
    /// partitions.
    pub partition: usize,
    /// The symmetry that maps the partition to this view.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub symmetry: Symmetry,
    /// The kind of its tables.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub kind: TableKind,
    /// The sum of the values of [`Self::parts`].
    pub sum: u32,
    /// The patterns.
    pub parts: Vec<ProbedPart>,
}

/// A pattern of a view, and its entry.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ProbedPart {
    /// The numbers on the pattern's tiles, ascending.
    pub tiles: Vec<u16>,
    /// The name of the pattern's table. The name of the file consists of this
    /// name, the encoding if it is not the kind's default, and `.pdb`.
    pub table: String,
    /// The table's encoding, such as `one-bit`.
    pub encoding: String,
    /// The symmetry that maps the board to the table's orientation. It maps both the goal cell and
    /// the current cell of each tile.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub symmetry: Symmetry,
    /// The number of the entry in the table, from 0 (docs/ranking.md).
    pub entry: u64,
    /// The stored entry (docs/format.md, "Encodings"). A u8 table stores the value, a one-bit table
    /// stores bit 1 of the value, and a mod-3 table stores 1 + (value modulo 3).
    pub stored: u8,
    /// The value of the entry, in moves.
    pub value: u8,
}

/// Looks up all entries. `find` returns the tables of the specification.
pub(crate) fn probe<'t>(
    goal: &Goal,
    spec: &HeuristicSpec,
    state: &State,
    find: impl Fn(TableId) -> Option<(&'t SharedTable, &'t Ranking)>,
) -> Result<Probe, DamagedTable> {
    let probed = |pattern: &Pattern, kind: TableKind| {
        let (id, symmetry) = pattern.table(kind);
        let damaged = || DamagedTable(Some(id.name()));
        let (table, ranking) = find(id).ok_or_else(damaged)?;
        let position = Position::of(state, symmetry);
        let entry = position.entry(id, ranking);
        let encoding = table.header().encoding;
        let tiles = pattern.tiles().iter().map(|tile| goal.number_at(tile));
        let mut tiles: Vec<u16> = tiles.collect();
        tiles.sort_unstable();
        Ok(ProbedPart {
            tiles,
            table: id.name(),
            encoding: encoding.name().to_owned(),
            symmetry,
            entry,
            stored: encoding.read(table.payload(), entry).ok_or_else(damaged)?,
            value: value(table, ranking, position).ok_or_else(damaged)?,
        })
    };
    let mut views = Vec::new();
    for (partition, symmetry, view) in
        Partition::views(spec.partitions(), spec.tray(), spec.goal_blank())
    {
        let kind = view.kind();
        let parts = view.patterns().iter();
        let parts: Vec<ProbedPart> = parts
            .map(|pattern| probed(pattern, kind))
            .collect::<Result<_, DamagedTable>>()?;
        views.push(ProbedView {
            partition,
            symmetry,
            kind,
            sum: parts.iter().map(|part| u32::from(part.value)).sum(),
            parts,
        });
    }
    let is_whole = spec.partitions().first().is_some_and(|partition| {
        partition.kind().is_additive() && partition.tiles().len() + 1 == state.tray().cells()
    });
    let table_free = match spec.metric() {
        Metric::Single => (!is_whole).then(|| state.manhattan()),
        Metric::Multi => views.is_empty().then(|| line_crossing_bound(state)),
    };
    let sums = views.iter().map(|view| view.sum);
    Ok(Probe {
        estimate: sums.chain(table_free).max().unwrap_or(0),
        table_free,
        views,
    })
}

/// A board, mapped by a symmetry to the orientation of a table.
#[derive(Clone)]
struct Position {
    tray: Tray,
    /// The cell of each tile, by its goal cell. Only the pattern's tiles are kept up to date.
    cells: Vec<Cell>,
    blank: Cell,
}

impl Position {
    fn of(state: &State, symmetry: Symmetry) -> Position {
        let state = state.map(symmetry);
        let mut cells = vec![state.blank(); state.pieces().len()];
        for (cell, &piece) in state.tray().iter().zip(state.pieces()) {
            cells[piece.index()] = cell;
        }
        Position {
            tray: state.tray(),
            cells,
            blank: state.blank(),
        }
    }

    fn entry(&self, id: TableId, ranking: &Ranking) -> u64 {
        let place = |tile: Cell| self.cells[tile.index()];
        let (row, rank) = ranking.locate(id.tiles(), self.blank, place);
        row as u64 * ranking.row_entries() as u64 + u64::from(rank)
    }

    fn shape(&self, id: TableId) -> CellSet {
        let tiles = id.tiles().iter();
        tiles.map(|tile| self.cells[tile.index()]).collect()
    }

    /// Moves the blank one step. If a tile of the pattern is on the new cell, it moves to the
    /// blank's old cell.
    fn step(&mut self, id: TableId, to: Cell) {
        let met = id
            .tiles()
            .iter()
            .find(|tile| self.cells[tile.index()] == to);
        if let Some(tile) = met {
            self.cells[tile.index()] = self.blank;
        }
        self.blank = to;
    }

    /// All positions that one move of a pattern's tile can lead to. Before the move, the blank can
    /// go to any cell of its region.
    fn slides(&self, id: TableId) -> Vec<Position> {
        let shape = self.shape(id);
        let region = BlankClasses::new(self.tray, id.kind()).containing(shape, self.blank);
        let mut next = Vec::new();
        for hole in region.iter() {
            let tiles = self
                .tray
                .neighbours(hole)
                .filter(|&from| shape.contains(from));
            next.extend(tiles.map(|from| {
                let mut position = self.clone();
                position.blank = hole;
                position.step(id, from);
                position
            }));
        }
        next
    }

    /// All positions that one run can lead to.
    fn runs(&self, id: TableId) -> Vec<Position> {
        let mut next = Vec::new();
        for direction in Direction::ALL {
            let mut position = self.clone();
            while let Some(to) = self.tray.step(position.blank, direction) {
                position.step(id, to);
                next.push(position.clone());
            }
        }
        next
    }
}

/// The value of a position's entry. A one-bit or mod-3 table stores only part of the value. For
/// such a table, the function descends to the goal and counts the moves (docs/format.md, "Reading
/// one bit"). Each move decreases the value by one, and the entry of the new position confirms
/// this. `None` if the entry is unreachable or the descent does not end.
fn value(table: &SharedTable, ranking: &Ranking, mut position: Position) -> Option<u8> {
    let id = table.id();
    let encoding = table.header().encoding;
    let entry = |position: &Position| position.entry(id, ranking);
    // The part of the value that the table determines: the whole value, or the value modulo 4 or
    // modulo 3.
    let residue = |position: &Position| match encoding {
        Encoding::U8 => table.value(entry(position)),
        Encoding::OneBit => {
            let blank = CellSet::EMPTY.with(position.blank);
            let parity = id.parity(position.shape(id), blank);
            Some(2 * u8::from(table.bit(entry(position))?) + parity)
        }
        Encoding::Mod3 => table.mod3_code(entry(position))?.checked_sub(1),
    };
    let modulus = match encoding {
        Encoding::U8 => return residue(&position),
        Encoding::OneBit => 4,
        Encoding::Mod3 => 3,
    };
    let goal = ranking.goal_row(id) as u64 * ranking.row_entries() as u64;
    for steps in 0..=table.header().histogram.max() {
        if entry(&position) == goal {
            return Some(steps);
        }
        let wanted = (residue(&position)? + modulus - 1) % modulus;
        let next = match encoding {
            Encoding::Mod3 => position.runs(id),
            _ => position.slides(id),
        };
        let mut next = next.into_iter();
        position = next.find(|position| residue(position) == Some(wanted))?;
    }
    None
}
