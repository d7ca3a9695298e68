//! An immediate solution, then shorter ones, until one is proved optimal or a limit is reached.
//!
//! The first solution is the strategic one, which takes a millisecond. Slices of work of growing
//! size then alternate between two searches. IDA* raises the proved lower bound, at most to the
//! length of the best solution; beam search finds shorter solutions. The last slice uses all the
//! remaining time and adapts the width of its beam to the clock.
//!
//! In the multi-tile metric, tables of single moves guide the beams, and a turn has a cost.
//!
//! - `incumbent.rs`: the best solution and the remaining limits; `slices.rs`: the slices of work.
//! - `beam.rs`: the layered search, whose node type is chosen here by tray and tables;
//!   `beam/sampling.rs`: samples of it, for training; `layer.rs`: nodes and children; `table_guide.rs`: their scores; `tile_terms.rs`: score terms
//!   that are not in the tables; `beam_width.rs`: the width of a layer.
//! - `free.rs`: beams without tables; `window.rs`: shortens stretches of a path.

mod beam;
mod beam_width;
mod free;
mod incumbent;
mod layer;
mod slices;
mod table_guide;
#[cfg(test)]
mod tests;
mod tile_terms;
mod window;

use puzzle::{State, TableKind};

use crate::boards::{Grid, PackedBoard};
use crate::tables::{CellRoom, DamagedTable, Heuristic, SlideTables};
#[cfg(feature = "train")]
pub(crate) use beam::sampling::sample_beam;
use beam::{Beam, BeamEnd, BeamTask, Width};
use layer::Keys;
pub(crate) use slices::solve;
use table_guide::TableGuide;

/// Maximum number of views; more of them slow a beam down more than they improve it.
const MAX_VIEWS: usize = 4;

impl BeamTask<'_> {
    /// Searches with the tables as guide. Returns `None` if the tables do not cover all tiles, or
    /// if a table is not zero-aware: only sums of zero-aware values are consistent.
    pub(crate) fn run_by_tables(
        &self,
        tables: &SlideTables,
        state: &State,
        width: Width,
    ) -> Result<Option<BeamEnd>, DamagedTable> {
        /// Whether the beam search is compiled for two board types instead of five.
        const COMPACT: bool = cfg!(feature = "compact");
        match (tables, state.tray().cells()) {
            (SlideTables::Small(all), _) if !COMPACT => self.run::<_, u64, 16>(all, state, width),
            (SlideTables::Small(all), _) => self.run::<_, [u8; 25], 16>(all, state, width),
            // Larger trays are here only without tables, and then there is no beam.
            (SlideTables::Medium(all), _) => self.run::<_, [u8; 25], 16>(all, state, width),
            (SlideTables::Large(all), ..=36) if !COMPACT => {
                self.run::<_, [u8; 36], 16>(all, state, width)
            }
            (SlideTables::Large(all), ..=49) if !COMPACT => {
                self.run::<_, [u8; 49], 32>(all, state, width)
            }
            (SlideTables::Large(all), _) => self.run::<_, [u8; 64], 32>(all, state, width),
        }
    }

    fn run<W: CellRoom, B: PackedBoard, const P: usize>(
        &self,
        heuristic: &Heuristic<W>,
        state: &State,
        width: Width,
    ) -> Result<Option<BeamEnd>, DamagedTable> {
        let mut kinds = heuristic
            .set
            .parts()
            .map(|part| part.table.table.id().kind());
        if !heuristic.is_complete() || !kinds.all(|kind| kind == TableKind::ZeroAware) {
            return Ok(None);
        }
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
            guide: &TableGuide::<P>::new(&views, tray, state.goal_blank(), self.weights),
            goal_blank: state.goal_blank().index() as u16,
            keys: Keys::new(self.seed, tray),
            grid: Grid::new(tray),
            task: self,
        };
        Ok(Some(beam.run::<B>(state, values, width)))
    }
}
