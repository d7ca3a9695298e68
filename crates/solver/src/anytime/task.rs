//! One beam search as the anytime search asks for it, with room for the tray and the tables.

use puzzle::{State, TableKind};

use super::beam::{Beam, BeamEnd, LayerStatus};
use super::layer::Keys;
use super::table_guide::TableGuide;
use crate::boards::neighbours::Neighbours;
use crate::boards::packed_board::PackedBoard;
use crate::tables::cell_room::CellRoom;
use crate::tables::heuristic::Heuristic;
use crate::tables::slide_tables::{SlideTables, with_width};
use crate::tables::table_set::DamagedTable;
use crate::threads::permits::ThreadPermits;

/// What a beam search is to do.
pub(crate) struct BeamTask<'a> {
    pub(crate) seed: u64,
    /// The state's estimate.
    pub(crate) h0: u32,
    /// The longest solution that is wanted.
    pub(crate) max_length: u32,
    /// Threads that may help.
    pub(crate) permits: &'a ThreadPermits,
    /// Whether to stop at once.
    pub(crate) is_over: &'a (dyn Fn() -> bool + Sync),
    /// The most nodes of the next layer.
    pub(crate) width: &'a mut dyn FnMut(&LayerStatus) -> usize,
}

/// More views than these make a beam slower than they make it better.
const MAX_VIEWS: usize = 4;

impl BeamTask<'_> {
    /// Searches by tables; `None` where their sums do not cover all tiles or are not consistent.
    pub(crate) fn run_by_tables(
        self,
        tables: &SlideTables,
        state: &State,
    ) -> Result<Option<BeamEnd>, DamagedTable> {
        with_width!(tables, heuristic => self.run_by_heuristic(heuristic, state))
    }

    fn run_by_heuristic<W: CellRoom>(
        self,
        heuristic: &Heuristic<W>,
        state: &State,
    ) -> Result<Option<BeamEnd>, DamagedTable> {
        let mut kinds = heuristic
            .set
            .parts()
            .map(|part| part.table.table.id().kind());
        if !heuristic.is_complete() || !kinds.all(|kind| kind == TableKind::ZeroAware) {
            return Ok(None);
        }
        /// Two copies instead of five.
        const COMPACT: bool = cfg!(feature = "compact");
        match state.tray().cells() {
            ..=16 if !COMPACT => self.run_with_room::<W, u64, 16>(heuristic, state),
            ..=25 => self.run_with_room::<W, [u8; 25], 16>(heuristic, state),
            26..=36 if !COMPACT => self.run_with_room::<W, [u8; 36], 16>(heuristic, state),
            37..=49 if !COMPACT => self.run_with_room::<W, [u8; 49], 32>(heuristic, state),
            _ => self.run_with_room::<W, [u8; 64], 32>(heuristic, state),
        }
    }

    fn run_with_room<W: CellRoom, B: PackedBoard, const P: usize>(
        self,
        heuristic: &Heuristic<W>,
        state: &State,
    ) -> Result<Option<BeamEnd>, DamagedTable> {
        let tray = state.tray();
        let mut room = P;
        let views = heuristic.set.views.iter().take(MAX_VIEWS);
        let views: Vec<_> = views
            .take_while(|view| {
                let fits = view.parts.len() <= room;
                room = room.saturating_sub(view.parts.len());
                fits
            })
            .collect();
        if views.is_empty() {
            return Ok(None);
        }
        let mut values = [0; P];
        for (value, root) in values.iter_mut().zip(heuristic.roots(state)?) {
            *value = root.h;
        }
        let beam = Beam {
            guide: &TableGuide::<P>::new(&views, tray, state.goal_blank()),
            goal_blank: state.goal_blank().index() as u16,
            keys: Keys::new(self.seed, tray),
            neighbours: Neighbours::new(tray),
            permits: self.permits,
            is_over: self.is_over,
            seed: self.seed,
        };
        Ok(Some(beam.run::<B>(
            state,
            values,
            self.h0,
            self.max_length,
            self.width,
        )))
    }
}
