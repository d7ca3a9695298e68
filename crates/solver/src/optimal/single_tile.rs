//! The search in the single-tile metric: the tables of a specification, and the IDA* search that is
//! specialised for these tables.

use std::sync::Arc;

use pdb_table::{SharedTable, TableError};
use puzzle::{HeuristicSpec, State};

use super::move_table::PruningSchedule;
use super::search::SearchCopy;
use crate::calls::Limits;
use crate::deepening::Deepen;
use crate::machine::has_bit_counting;
use crate::tables::{
    AnyProcessor, CellRoom, Cells16, Cells25, Cells64, DamagedTable, General, Heuristic, OneBit,
    SlideTables,
};

/// The tables of a specification and its automata.
pub(crate) struct SingleTile {
    pub(crate) tables: SlideTables,
    schedule: Arc<PruningSchedule>,
}

impl SingleTile {
    /// `tables` are the tables of the specification. The new search shares data with `like`, a
    /// search on the same tray.
    pub(crate) fn new(
        spec: &HeuristicSpec,
        tables: &[SharedTable],
        like: Option<&Self>,
    ) -> Result<Self, TableError> {
        let shared = like.map(|like| &like.schedule);
        let shared = shared.filter(|schedule| schedule.order() == spec.order());
        let bytes = tables
            .iter()
            .map(|table| table.payload().len() as u64)
            .sum();
        let own = || Arc::new(PruningSchedule::new(spec.tray(), spec.order(), bytes));
        Ok(SingleTile {
            tables: SlideTables::new(spec, tables, like.map(|like| &like.tables))?,
            schedule: shared.map_or_else(own, Arc::clone),
        })
    }

    /// Begins the search of a board and passes it to `deepen`.
    pub(crate) fn search(
        &self,
        state: &State,
        limits: Limits,
        deepen: &mut Deepen,
    ) -> Result<(), DamagedTable> {
        let schedule = &self.schedule;
        match &self.tables {
            SlideTables::Small(tables) => {
                small(tables).search(tables, state, schedule, limits, deepen)
            }
            SlideTables::Medium(tables) if state.tray().cells() <= 25 => {
                medium(tables).search(tables, state, schedule, limits, deepen)
            }
            // Trays of more than 64 cells. They have no tables, so the search has no views and uses
            // only Manhattan distance.
            SlideTables::Medium(tables) => {
                let copy = SearchCopy::<[u16; 400], _>::new::<AnyProcessor, 1, 1>();
                copy.search(tables, state, schedule, limits, deepen)
            }
            SlideTables::Large(tables) => {
                large(tables).search(tables, state, schedule, limits, deepen)
            }
        }
    }
}

// The copies of the search differ in the number of views and parts for which a node has room. A
// smaller node is copied faster. Each copy of the search costs a quarter of a second of compilation
// and 20 kB of the program, so only the presets have copies of their own, and all other heuristics
// share one copy. x86-64 processors without BMI2, most of them older than 2013, use the copies with
// the mode `AnyProcessor`.

/// The copy of the search for trays of up to 16 cells. Nodes with room for 2 views and 4 parts fill
/// a cache line. For the presets `fewest` and `small`, a copy for 6 views and 12 parts is 3 to 6 %
/// faster than a copy for 8 views and 32 parts.
fn small(tables: &Heuristic<Cells16>) -> SearchCopy<u64, Cells16> {
    let room = (tables.set.views.len(), tables.parts());
    match (Reading::of(tables), room) {
        (Reading::OneBit, (0..=2, 0..=4)) if !COMPACT => SearchCopy::new::<OneBit, 2, 4>(),
        (Reading::OneBit, (0..=4, 0..=8)) => SearchCopy::new::<OneBit, 4, 8>(),
        (Reading::OneBit, (0..=6, 0..=12)) if !COMPACT => SearchCopy::new::<OneBit, 6, 12>(),
        (Reading::OneBit, _) => SearchCopy::new::<OneBit, 8, 32>(),
        (Reading::AnyProcessor, _) => SearchCopy::new::<AnyProcessor, VIEWS, PARTS>(),
        (_, (0..=4, 0..=8)) if !COMPACT => SearchCopy::new::<General, 4, 8>(),
        _ => SearchCopy::new::<General, VIEWS, PARTS>(),
    }
}

/// The copy for trays of 17 to 25 cells. The partition 6-6-6-6 and its mirror image have 8 parts
/// together. If there are more views, subtrees are searched with four of them: with two or three
/// there are 1.2 to 1.6 times as many nodes, and more than four take longer than they save.
fn medium(tables: &Heuristic<Cells25>) -> SearchCopy<[u8; 25], Cells25> {
    let room = (tables.set.views.len(), tables.parts());
    match (Reading::of(tables), room) {
        (Reading::OneBit, (0..=4, 0..=8)) if !COMPACT => SearchCopy::new::<OneBit, 4, 8>(),
        (Reading::OneBit, _) if tables.most_parts() <= 16 => SearchCopy::new::<OneBit, 4, 16>(),
        (Reading::AnyProcessor, _) => SearchCopy::new::<AnyProcessor, VIEWS, PARTS>(),
        (_, (0..=4, 0..=8)) if !COMPACT => SearchCopy::new::<General, 4, 8>(),
        _ => SearchCopy::new::<General, VIEWS, PARTS>(),
    }
}

/// The copy for trays of 26 to 64 cells. On these trays, IDA* is used only for easy boards.
fn large(tables: &Heuristic<Cells64>) -> SearchCopy<[u8; 64], Cells64> {
    match (
        Reading::of(tables),
        (tables.set.views.len(), tables.parts()),
    ) {
        (_, (0, _)) if !COMPACT => SearchCopy::new::<AnyProcessor, 1, 1>(),
        (Reading::OneBit, (0..=2, 0..=12)) if !COMPACT => SearchCopy::new::<OneBit, 2, 12>(),
        (Reading::OneBit, (0..=4, 0..=32)) if !COMPACT => SearchCopy::new::<OneBit, 4, 32>(),
        _ => SearchCopy::new::<AnyProcessor, VIEWS, PARTS>(),
    }
}

/// Specialisation of the search, selected by the tables and the processor.
enum Reading {
    OneBit,
    General,
    AnyProcessor,
}

impl Reading {
    fn of<W: CellRoom>(tables: &Heuristic<W>) -> Reading {
        if !has_bit_counting() {
            Reading::AnyProcessor
        } else if tables.is_complete() && tables.is_one_bit() {
            Reading::OneBit
        } else {
            Reading::General
        }
    }
}

/// Whether to leave out most copies of the search. The program is then small for download, or
/// compiles fast for unit tests. The tests in `tests/boards` cover the copies that are left out.
const COMPACT: bool = cfg!(any(feature = "compact", test));

/// Number of views for which a node of the general copies has room.
const VIEWS: usize = 8;
/// Number of parts of these views. A view of the largest tray with tables has at most 63.
const PARTS: usize = 64;
