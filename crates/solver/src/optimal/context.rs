//! Constant data for the search of one board, shared by all threads.

use std::marker::PhantomData;

use puzzle::{CellSet, State};

use crate::boards::PackedBoard;
use crate::optimal::move_table::MoveTable;
use crate::tables::{CellRoom, DamagedTable, Heuristic, LookupMode, PartLookup};

/// Length of arrays indexed by tile, for the largest tray with tables. It is a power of two, so the
/// compiler reduces an index modulo `TILES` with a mask.
const TILES: usize = CellSet::MAX_CELLS;

/// For each tile (by goal cell), the index of its part among all parts.
#[derive(Clone, Copy)]
pub(super) struct Slots([u8; TILES]);

impl Slots {
    #[inline(always)]
    pub(super) fn of(&self, tile: u16) -> usize {
        usize::from(self.0[usize::from(tile) % TILES])
    }
}

/// A board to solve, and the look-ups and values of all views.
pub(super) struct Start<'a, W: CellRoom> {
    /// Look-ups of the distinct parts. Views can share a part.
    pub(super) lookups: Vec<PartLookup<'a, W>>,
    /// The placement of each distinct part.
    pub(super) placements: Vec<W::Word>,
    pub(super) views: Vec<StartView<'a>>,
    /// Manhattan distance from each cell to the goal cell of each tile, tile by tile; `None` if the
    /// heuristic does not use Manhattan distance.
    pub(super) distance: Option<Box<[i16]>>,
    pub(super) manhattan: i16,
    pub(super) state: &'a State,
}

/// A view at the start of a search.
pub(super) struct StartView<'a> {
    /// For each part, its index among the distinct parts.
    pub(super) parts: Vec<usize>,
    /// For each tile (by goal cell), the index in `parts` of the part that a move of it changes.
    pub(super) part_of_tile: &'a [u8],
    pub(super) sum: i16,
    /// The squares of the numbers of tiles of its parts, added up.
    pub(super) size: i32,
}

impl<'a, W: CellRoom> Start<'a, W> {
    pub(super) fn new(heuristic: &'a Heuristic<W>, state: &'a State) -> Result<Self, DamagedTable> {
        let tray = state.tray();
        let is_complete = heuristic.is_complete();
        let mut start = Start {
            lookups: Vec::new(),
            placements: Vec::new(),
            views: Vec::new(),
            distance: None,
            manhattan: if is_complete {
                0
            } else {
                state.manhattan() as i16
            },
            state,
        };
        let mut distinct = Vec::new();
        let mut roots = heuristic.roots(state)?.into_iter();
        for view in &heuristic.set.views {
            let (mut parts, mut sum, mut size) = (Vec::new(), 0, 0);
            for (part, root) in view.parts.iter().zip(roots.by_ref()) {
                let id = (part.table.table.id(), part.symmetry);
                let known = distinct.iter().position(|&known| known == id);
                parts.push(known.unwrap_or(distinct.len()));
                if known.is_none() {
                    distinct.push(id);
                    start.placements.push(root.placement);
                    start.lookups.push(root.lookup);
                }
                sum += i16::from(root.h);
                size += (part.table.table.id().tiles().len() as i32).pow(2);
            }
            start.views.push(StartView {
                parts,
                part_of_tile: &view.part_of_tile,
                sum,
                size,
            });
        }
        if !is_complete {
            let pairs = tray
                .iter()
                .flat_map(|tile| tray.iter().map(move |cell| (tile, cell)));
            let distances = pairs.map(|(tile, cell)| tray.distance(tile, cell) as i16);
            start.distance = Some(distances.collect());
        }
        Ok(start)
    }

    /// The heuristic's value of the board.
    pub(super) fn h0(&self) -> i32 {
        let sums = self.views.iter().map(|view| view.sum);
        i32::from(sums.fold(self.manhattan, i16::max))
    }

    pub(super) fn goal_blank(&self) -> u16 {
        self.state.goal_blank().index() as u16
    }

    /// The board.
    pub(super) fn board<B: PackedBoard>(&self) -> B {
        B::new(self.state.pieces().iter().map(|piece| piece.index() as u16))
    }

    /// The goal.
    pub(super) fn goal<B: PackedBoard>(&self) -> B {
        B::new(self.state.tray().iter().map(|cell| cell.index() as u16))
    }
}

/// The data for a search with some of the views.
pub(super) struct Context<'a, B, W: CellRoom, M, const V: usize, const P: usize> {
    /// All parts of the views.
    pub(super) lookups: Vec<PartLookup<'a, W>>,
    /// For each view and each tile, the part that a move of the tile changes.
    pub(super) slots: Box<[Slots; V]>,
    /// Indices of the views.
    pub(super) views: Vec<u16>,
    pub(super) moves: &'a MoveTable,
    /// [`Start::distance`].
    pub(super) distance: Option<&'a [i16]>,
    pub(super) cells: usize,
    pub(super) goal_blank: u16,
    pub(super) goal: B,
    mode: PhantomData<fn() -> M>,
}

impl<'a, B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize>
    Context<'a, B, W, M, V, P>
{
    /// `views` are indices of views. There must be at most `V`, with at most `P` parts together.
    pub(super) fn new(start: &'a Start<W>, views: &[u16], moves: &'a MoveTable) -> Self {
        let mut lookups = Vec::new();
        let mut slots = Box::new([Slots([0; TILES]); V]);
        for (slots, &view) in slots.iter_mut().zip(views) {
            let view = &start.views[usize::from(view)];
            for (slot, &part) in slots.0.iter_mut().zip(view.part_of_tile) {
                *slot = lookups.len() as u8 + part;
            }
            lookups.extend(view.parts.iter().map(|&part| start.lookups[part]));
        }
        Context {
            lookups,
            slots,
            views: views.to_vec(),
            moves,
            distance: start.distance.as_deref(),
            cells: start.state.tray().cells(),
            goal_blank: start.goal_blank(),
            goal: start.goal(),
            mode: PhantomData,
        }
    }
}
