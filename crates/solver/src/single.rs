//! The engine of the metric of single moves: tables made ready, and the search with room for them.

use pdb_table::{Table, TableError};
use puzzle::{CellSet, HeuristicSpec, Ranking, State, TableId};

use crate::anytime::{BeamEnd, BeamTask};
use crate::cell_room::{CellRoom, Cells16, Cells25, Cells64};
use crate::lookup::{General, Heuristic, OneBit};
use crate::move_table::PruningSchedule;
use crate::packed_board::PackedBoard;
use crate::search::{Limits, Request, SearchOutcome, search};
use crate::table_set::{AnyBytes, DamagedTable};

/// The tables of a specification and its automata.
pub(crate) struct SingleTile {
    tables: Tables,
    schedule: PruningSchedule,
}

/// The tables, made ready for boards of a size.
enum Tables {
    /// Up to 16 cells.
    Small(Heuristic<Cells16>),
    /// Up to 25 cells, and trays without tables.
    Medium(Heuristic<Cells25>),
    /// Up to 64 cells.
    Large(Heuristic<Cells64>),
}

impl SingleTile {
    /// Whether a search has room for all views of a specification.
    pub(crate) fn has_room_for(spec: &HeuristicSpec) -> bool {
        let views = spec.views();
        let parts: usize = views.iter().map(|view| view.patterns().len()).sum();
        views.len() <= MAX_VIEWS && parts <= MAX_PARTS
    }

    /// Takes the tables from `open`. The caller sees to it that there is room.
    pub(crate) fn new<E: From<TableError>>(
        spec: &HeuristicSpec,
        open: impl FnMut(TableId) -> Result<Table<AnyBytes>, E>,
    ) -> Result<Self, E> {
        let tables = match spec.tray().cells() {
            0..=16 => Tables::Small(Heuristic::new(spec, open)?),
            26..=CellSet::MAX_CELLS => Tables::Large(Heuristic::new(spec, open)?),
            _ => Tables::Medium(Heuristic::new(spec, open)?),
        };
        Ok(SingleTile {
            tables,
            schedule: PruningSchedule::new(spec.tray(), spec.order()),
        })
    }

    /// [`TableSet::find`](crate::table_set::TableSet::find).
    pub(crate) fn find(&self, id: TableId) -> Option<(&Table<AnyBytes>, &Ranking)> {
        match &self.tables {
            Tables::Small(tables) => tables.find(id),
            Tables::Medium(tables) => tables.find(id),
            Tables::Large(tables) => tables.find(id),
        }
    }

    /// The estimate that a search from a state begins with.
    pub(crate) fn estimate(&self, state: &State) -> Result<u32, DamagedTable> {
        match &self.tables {
            Tables::Small(tables) => tables.estimate(state),
            Tables::Medium(tables) => tables.estimate(state),
            Tables::Large(tables) => tables.estimate(state),
        }
    }

    /// A beam search by the tables; `None` where it could not go by them.
    pub(crate) fn beam(
        &self,
        state: &State,
        task: BeamTask,
    ) -> Result<Option<BeamEnd>, DamagedTable> {
        match &self.tables {
            Tables::Small(tables) => task.run_by_tables(tables, state),
            Tables::Medium(tables) => task.run_by_tables(tables, state),
            Tables::Large(tables) => task.run_by_tables(tables, state),
        }
    }

    /// Searches.
    pub(crate) fn search(
        &self,
        state: &State,
        request: Request,
        limits: Limits,
    ) -> Result<SearchOutcome, DamagedTable> {
        let schedule = &self.schedule;
        match &self.tables {
            Tables::Small(tables) => run::<u64, _>(tables, state, schedule, request, limits),
            Tables::Medium(tables) if state.tray().cells() <= 25 => {
                run::<[u8; 25], _>(tables, state, schedule, request, limits)
            }
            // No table is that large: there are no views, only Manhattan distance.
            Tables::Medium(tables) => {
                search::<[u16; 400], _, General, 1, 1>(tables, state, schedule, request, limits)
            }
            Tables::Large(tables) => run_large(tables, state, schedule, request, limits),
        }
    }
}

/// Chooses the copy of the search with the least room that is enough: less room is less to copy
/// with every node. Measured against the next larger copy, one thread, cycles of the process:
/// (6, 12) gains 3 to 6 % with `fewest` and `small`, (6, 24) 10 % with 3-3-3-3-3+4-4-4-3. Nodes of
/// (2, 4) fill a cache line on 4x4. Room for 2 views and 8 parts gains nothing over (4, 8). A
/// [`COMPACT`] program has the copies that small tables use, and one for all others.
fn run<B: PackedBoard, W: CellRoom>(
    tables: &Heuristic<W>,
    state: &State,
    schedule: &PruningSchedule,
    request: Request,
    limits: Limits,
) -> Result<SearchOutcome, DamagedTable> {
    let (views, parts) = (tables.views(), tables.parts());
    let is_small = size_of::<B>() <= 8;
    let run = if tables.is_complete() && tables.is_one_bit() {
        match (views, parts) {
            (0..=2, 0..=4) if !COMPACT => search::<B, W, OneBit, 2, 4>,
            (0..=4, 0..=8) if !COMPACT || is_small => search::<B, W, OneBit, 4, 8>,
            (0..=6, 0..=12) if !COMPACT => search::<B, W, OneBit, 6, 12>,
            (0..=6, 0..=24) if !COMPACT => search::<B, W, OneBit, 6, 24>,
            (0..=8, 0..=32) => search::<B, W, OneBit, 8, 32>,
            _ if !COMPACT => search::<B, W, OneBit, MAX_VIEWS, MAX_PARTS>,
            _ => search::<B, W, General, MAX_VIEWS, MAX_PARTS>,
        }
    } else {
        match (views, parts) {
            (0..=4, 0..=8) if !COMPACT => search::<B, W, General, 4, 8>,
            _ => search::<B, W, General, MAX_VIEWS, MAX_PARTS>,
        }
    };
    run(tables, state, schedule, request, limits)
}

/// The same on trays of more than 25 cells, with fewer copies: their boards are searched by IDA*
/// only where they are easy.
fn run_large(
    tables: &Heuristic<Cells64>,
    state: &State,
    schedule: &PruningSchedule,
    request: Request,
    limits: Limits,
) -> Result<SearchOutcome, DamagedTable> {
    let is_narrow = tables.is_complete() && tables.is_one_bit();
    let run = match (tables.views(), tables.parts()) {
        (0, _) => search::<[u8; 64], _, General, 1, 1>,
        (1..=2, 0..=12) if is_narrow && !COMPACT => search::<[u8; 64], _, OneBit, 2, 12>,
        (1..=4, 0..=32) if is_narrow && !COMPACT => search::<[u8; 64], _, OneBit, 4, 32>,
        _ => search::<[u8; 64], _, General, MAX_VIEWS, MAX_PARTS>,
    };
    run(tables, state, schedule, request, limits)
}

/// Whether the program is to be small, such as one that is downloaded: each copy of the search is
/// 20 kB of it.
const COMPACT: bool = cfg!(feature = "compact");

/// The most views, and parts of all views, that a search has room for.
const MAX_VIEWS: usize = 32;
const MAX_PARTS: usize = 128;
