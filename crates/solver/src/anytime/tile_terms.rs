//! Three score terms in addition to the table values: the cost of conflicts between tiles of
//! different patterns, the additional moves of tiles far from their goal cells, and the learned
//! weights of neighbouring tiles. No term is a lower bound.

use puzzle::{Cell, CellSet, Tray};

use crate::boards::{Conflicts, NeighbourPairs, PAIR_UNIT, PackedBoard, PairWeights, TileStep};

/// Number of cells of the largest tray with tables.
pub(super) const CELLS: usize = CellSet::MAX_CELLS;
/// Weight of a move in scores.
pub(super) const UNIT: f64 = PAIR_UNIT as f64;

/// The terms, summed over the views of a guide.
pub(super) struct TileTerms {
    conflicts: Conflicts,
    /// Weight of a conflict of two tiles.
    pairs: Box<[[u16; CELLS]; CELLS]>,
    /// Weight of each tile on each cell.
    distances: Box<[[u16; CELLS]; CELLS]>,
    neighbours: NeighbourPairs,
    views: u16,
}

/// Weight of a conflict, in moves: a little less than the two moves that a conflict costs. With 40
/// million nodes per board, solutions of 20 boards of 7x7 are longer than DeepCubeA's: by 9.4 %
/// with this term, by 12.2 % without it.
const CONFLICT: f64 = 1.7;
/// Additional moves of a tile far from its goal cell: this factor times the square of its distance.
/// With 20 million nodes per board, solutions of 20 boards of 7x7 are longer than DeepCubeA's: by
/// 6.5 % with this term, by 11.7 % without it.
const DISTANCE: f64 = 0.1;
/// Limit of a tile's distance term. It prevents an overflow of scores, which add the terms of all
/// tiles.
const MOST: f64 = 500.0;

impl TileTerms {
    pub(super) fn new(tray: Tray, goal_blank: Cell, views: usize, weights: &PairWeights) -> Self {
        let mut distances = Box::new([[0; CELLS]; CELLS]);
        for tile in tray.iter() {
            for cell in tray.iter() {
                let square = (tray.distance(tile, cell) as f64).powi(2);
                let count = UNIT * DISTANCE * square * views as f64;
                distances[tile.index()][cell.index()] = count.round().min(MOST) as u16;
            }
        }
        TileTerms {
            conflicts: Conflicts::new(tray),
            pairs: Box::new([[0; CELLS]; CELLS]),
            distances,
            neighbours: NeighbourPairs::new(tray, goal_blank, weights),
            views: views as u16,
        }
    }

    /// Score of a move.
    pub(super) fn unit(&self) -> u16 {
        PAIR_UNIT as u16 * self.views
    }

    /// Codes of the pieces around the blank's cell, for [`Self::change`].
    #[inline(always)]
    pub(super) fn around_hole<B: PackedBoard>(&self, board: &B, hole: u16) -> [u8; 4] {
        self.neighbours
            .around(hole, hole, |cell| board.get(cell).into())
    }

    /// Adds the weights of conflicts between tiles of different patterns of a view. Each element of
    /// `parts` contains the tiles of a pattern and the weight of their moves in scores.
    pub(super) fn add_view(&mut self, parts: &[(&[u8], u16)]) {
        for (tiles, weight) in parts {
            for (others, other_weight) in parts.iter().filter(|part| part.0 != *tiles) {
                let count = (CONFLICT * f64::from(weight + other_weight) / 2.0) as u16;
                for &tile in *tiles {
                    for &other in *others {
                        self.pairs[usize::from(tile)][usize::from(other)] += count;
                    }
                }
            }
        }
    }

    /// Change of all terms when a tile moves. A negative change wraps around. `around_hole` is the
    /// result of [`Self::around_hole`], and `cell_of` has the cell of each piece before the move.
    #[inline(always)]
    pub(super) fn change<B: PackedBoard>(
        &self,
        step: TileStep,
        board: &B,
        around_hole: [u8; 4],
        cell_of: &[u8; CELLS],
    ) -> u16 {
        let (tile, from) = (step.tile % CELLS, usize::from(step.from) % CELLS);
        let to = usize::from(step.hole) % CELLS;
        let pairs = &self.pairs[tile];
        let cell_of = |other: usize| usize::from(cell_of[other % CELLS]);
        let weight = |other: usize| pairs[other % CELLS].into();
        let conflicts = self.conflicts.change(tile, from, to, cell_of, weight);
        let piece_at = |cell| board.get(cell).into();
        let neighbours = self.neighbours.change(step, around_hole, piece_at);
        let distances = &self.distances[tile];
        (conflicts as u16)
            .wrapping_add(distances[to])
            .wrapping_sub(distances[from])
            .wrapping_add((neighbours as u16).wrapping_mul(self.views))
    }
}
