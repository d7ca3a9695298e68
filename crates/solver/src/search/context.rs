//! What a search of one board reads and never changes: shared by all threads.

use std::marker::PhantomData;

use puzzle::{CellSet, Direction, State};

use crate::cell_room::CellRoom;
use crate::lookup::{Heuristic, Mode, PartLookup, Placement};
use crate::move_table::MoveTable;
use crate::packed_board::PackedBoard;
use crate::table_set::DamagedTable;

use super::deferred_counts::DeferredCounts;
use super::node::Node;

/// Room for the tiles of a tray with tables: any index masked is within.
const TILES: usize = CellSet::MAX_CELLS;

/// For each tile (by goal cell) the index among all parts of the one that has it.
#[derive(Clone, Copy)]
pub(super) struct Slots([u8; TILES]);

impl Slots {
    #[inline(always)]
    pub(super) fn of(&self, tile: u16) -> usize {
        usize::from(self.0[usize::from(tile) % TILES])
    }
}

/// A board to solve, and everything that solving it takes.
pub(super) struct Context<'a, B, W: CellRoom, M, const V: usize, const P: usize> {
    /// All parts of all views.
    pub(super) lookups: Vec<PartLookup<'a, W>>,
    /// Which of them a move of a tile changes, view by view.
    pub(super) slots: Box<[Slots; V]>,
    pub(super) views: usize,
    pub(super) moves: &'a MoveTable,
    /// Where Manhattan distance counts, that of each tile from each cell to its goal, tile by tile.
    pub(super) distance: Option<Vec<i16>>,
    pub(super) cells: usize,
    pub(super) goal_blank: u16,
    pub(super) goal: B,
    pub(super) root: Node<B, W::Word, V, P>,
    mode: PhantomData<fn() -> M>,
}

impl<'a, B: PackedBoard, W: CellRoom, M: Mode, const V: usize, const P: usize>
    Context<'a, B, W, M, V, P>
{
    /// The heuristic must have at most `V` views and `P` parts.
    pub(super) fn new(
        heuristic: &'a Heuristic<W>,
        state: &State,
        moves: &'a MoveTable,
    ) -> Result<Self, DamagedTable> {
        let tray = state.tray();
        let (mut placements, mut sums) = ([Placement::default(); P], [0; V]);
        let mut lookups = Vec::new();
        let mut slots = Box::new([Slots([0; TILES]); V]);
        let mut roots = heuristic.roots(state)?.into_iter();
        for (number, (parts, part_of_tile)) in heuristic.parts_of_tiles().enumerate() {
            let first = lookups.len();
            for root in roots.by_ref().take(parts) {
                sums[number] += i16::from(root.h);
                placements[lookups.len()] = root.placement;
                lookups.push(root.lookup);
            }
            for (slot, &part) in slots[number].0.iter_mut().zip(part_of_tile) {
                *slot = first as u8 + part;
            }
        }
        let with_manhattan = !heuristic.is_complete();
        let distances = || {
            let tiles = tray.iter();
            let pairs = tiles.flat_map(|tile| tray.iter().map(move |cell| (tile, cell)));
            pairs
                .map(|(tile, cell)| tray.distance(tile, cell) as i16)
                .collect()
        };
        Ok(Context {
            root: Node {
                board: B::new(state.pieces().iter().map(|piece| piece.index() as u16)),
                placements,
                before: DeferredCounts::default(),
                trail: 0,
                state: moves.start(state.blank()),
                sums,
                left: 0,
                manhattan: if with_manhattan {
                    state.manhattan() as i16
                } else {
                    0
                },
                blank: state.blank().index() as u16,
            },
            lookups,
            slots,
            views: heuristic.views(),
            moves,
            distance: with_manhattan.then(distances),
            cells: tray.cells(),
            goal_blank: state.goal_blank().index() as u16,
            goal: B::new(tray.iter().map(|cell| cell.index() as u16)),
            mode: PhantomData,
        })
    }

    /// The estimate of the root.
    pub(super) fn h0(&self) -> i32 {
        let sums = self.root.sums.iter().copied();
        i32::from(sums.fold(self.root.manhattan, i16::max))
    }

    /// The moves of the tiles on a path of moves of the blank, by their numbers.
    pub(super) fn tile_moves(&self, path: &[u8]) -> Vec<Direction> {
        let order = self.moves.order();
        path.iter()
            .map(|&by| order[usize::from(by)].opposite())
            .collect()
    }

    /// Children of the nodes on a path to which plain depth-first search has not come yet.
    /// Expanding makes all children at once, but node counts in the literature are of those that
    /// were reached.
    pub(super) fn not_reached(&self, path: &[u8]) -> u64 {
        let mut state = self.root.state;
        let mut count = 0;
        for &taken in path {
            let moves = self.moves.from(state);
            let later = moves[usize::from(taken) + 1..].iter();
            count += later.filter(|transition| transition.is_allowed()).count() as u64;
            state = moves[usize::from(taken)].next();
        }
        count
    }
}
