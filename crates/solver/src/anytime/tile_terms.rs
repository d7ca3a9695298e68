//! Two score terms in addition to the table values: the cost of conflicts between tiles of
//! different patterns, and the additional moves of tiles far from their goal cells. Neither term is
//! a lower bound.

use puzzle::{CellSet, Tray};

use crate::boards::Conflicts;

/// Number of cells of the largest tray with tables.
pub(super) const CELLS: usize = CellSet::MAX_CELLS;
/// Weight of a move in scores.
pub(super) const UNIT: f64 = 16.0;

/// Weights of conflicts and distances, summed over the views of a guide.
pub(super) struct TileTerms {
    conflicts: Conflicts,
    /// Weight of a conflict of two tiles.
    pairs: Box<[[u16; CELLS]; CELLS]>,
    /// Weight of each tile on each cell.
    distances: Box<[[u16; CELLS]; CELLS]>,
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
    pub(super) fn new(tray: Tray, views: usize) -> Self {
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
        }
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

    /// Change of both terms when a tile moves. A negative change wraps around.
    #[inline(always)]
    pub(super) fn change(&self, tile: usize, from: u16, to: u16, cell_of: &[u8; CELLS]) -> u16 {
        let (from, to) = (usize::from(from) % CELLS, usize::from(to) % CELLS);
        let pairs = &self.pairs[tile];
        let cell_of = |other: usize| usize::from(cell_of[other % CELLS]);
        let weight = |other: usize| pairs[other % CELLS].into();
        let conflicts = self.conflicts.change(tile, from, to, cell_of, weight);
        let distances = &self.distances[tile];
        (conflicts as u16)
            .wrapping_add(distances[to])
            .wrapping_sub(distances[from])
    }
}
