//! Constant data for the search of one board, shared by all threads.

use std::marker::PhantomData;

use puzzle::{CellSet, State};

use crate::boards::PackedBoard;
use crate::optimal::move_table::MoveTable;
use crate::tables::{CellRoom, DamagedTable, Heuristic, LookupMode, PartLookup};

use super::deferred_counts::DeferredCounts;
use super::node::DfsNode;

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

/// A board to solve, and all data for solving it.
pub(super) struct Context<'a, B, W: CellRoom, M, const V: usize, const P: usize> {
    /// All parts of all views.
    pub(super) lookups: Vec<PartLookup<'a, W>>,
    /// For each view and each tile, the part that a move of the tile changes.
    pub(super) slots: Box<[Slots; V]>,
    pub(super) views: usize,
    pub(super) moves: &'a MoveTable,
    /// Manhattan distance from each cell to the goal cell of each tile, tile by tile; `None` if the
    /// heuristic does not use Manhattan distance.
    pub(super) distance: Option<Vec<i16>>,
    pub(super) cells: usize,
    pub(super) goal_blank: u16,
    pub(super) goal: B,
    pub(super) root: DfsNode<B, W::Word, V, P>,
    mode: PhantomData<fn() -> M>,
}

impl<'a, B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize>
    Context<'a, B, W, M, V, P>
{
    /// The heuristic must have at most `V` views and `P` parts.
    pub(super) fn new(
        heuristic: &'a Heuristic<W>,
        state: &State,
        moves: &'a MoveTable,
    ) -> Result<Self, DamagedTable> {
        let tray = state.tray();
        let start = Start::new(heuristic, state)?;
        let (mut placements, mut sums) = ([W::Word::default(); P], [0; V]);
        placements[..start.placements.len()].copy_from_slice(&start.placements);
        sums[..start.sums.len()].copy_from_slice(&start.sums);
        let mut slots = Box::new([Slots([0; TILES]); V]);
        slots[..start.slots.len()].copy_from_slice(&start.slots);
        Ok(Context {
            root: DfsNode {
                board: B::new(state.pieces().iter().map(|piece| piece.index() as u16)),
                placements,
                before: DeferredCounts::default(),
                trail: 0,
                state: moves.start(state.blank()),
                sums,
                left: 0,
                manhattan: match start.distance {
                    Some(_) => state.manhattan() as i16,
                    None => 0,
                },
                blank: state.blank().index() as u16,
            },
            lookups: start.lookups,
            slots,
            views: heuristic.set.views.len(),
            moves,
            distance: start.distance,
            cells: tray.cells(),
            goal_blank: state.goal_blank().index() as u16,
            goal: B::new(tray.iter().map(|cell| cell.index() as u16)),
            mode: PhantomData,
        })
    }
}

/// The data of a context that have the same size in every specialised search.
struct Start<'a, W: CellRoom> {
    lookups: Vec<PartLookup<'a, W>>,
    placements: Vec<W::Word>,
    /// The sum of each view.
    sums: Vec<i16>,
    slots: Vec<Slots>,
    distance: Option<Vec<i16>>,
}

impl<'a, W: CellRoom> Start<'a, W> {
    fn new(heuristic: &'a Heuristic<W>, state: &State) -> Result<Self, DamagedTable> {
        let tray = state.tray();
        let mut start = Start {
            lookups: Vec::new(),
            placements: Vec::new(),
            sums: Vec::new(),
            slots: Vec::new(),
            distance: None,
        };
        let mut roots = heuristic.roots(state)?.into_iter();
        for (parts, part_of_tile) in heuristic.parts_of_tiles() {
            let (mut sum, mut slots) = (0, Slots([0; TILES]));
            for (slot, &part) in slots.0.iter_mut().zip(part_of_tile) {
                *slot = start.lookups.len() as u8 + part;
            }
            for root in roots.by_ref().take(parts) {
                sum += i16::from(root.h);
                start.placements.push(root.placement);
                start.lookups.push(root.lookup);
            }
            start.sums.push(sum);
            start.slots.push(slots);
        }
        if !heuristic.is_complete() {
            let pairs = tray
                .iter()
                .flat_map(|tile| tray.iter().map(move |cell| (tile, cell)));
            let distances = pairs.map(|(tile, cell)| tray.distance(tile, cell) as i16);
            start.distance = Some(distances.collect());
        }
        Ok(start)
    }
}
