//! Score of a beam: the distance to the end of the next step, the distances of all tiles from their
//! goal cells, the conflicts between tiles, and the learned weights of neighbouring tiles.

use puzzle::Cell;

use super::guide::{StageValue, StepGuide};
use crate::boards::{Conflicts, LEARNED, NeighbourPairs, PAIR_UNIT, TileStep};

/// The weights of one guide, in units of 1/64.
#[derive(Clone, Debug)]
pub(super) struct Score {
    cells: usize,
    /// The cost of each tile on each cell: its weighted distance.
    tiles: Vec<u32>,
    /// Cost of a conflict between the moved tile and another tile, indexed by the other tile.
    in_the_way: Vec<u32>,
    /// Cost per move to the end of the next step, indexed by the line of this step.
    pulls: Vec<u32>,
    conflicts: Conflicts,
    neighbours: NeighbourPairs,
    /// Factor of the learned weights.
    neighbour_unit: i32,
}

const UNIT: f64 = 64.0;
/// Additional moves of a tile far from its goal cell: this factor times the square of its distance.
/// Each path of the blank moves many tiles. With this term, a beam first moves all tiles nearer to
/// their goal cells.
const DISTANCE: f64 = 0.08;
/// Additional moves per conflict. `DISTANCE`, `CONFLICT` and the growing weight of the next step
/// reduce the mean length of 4 solutions on 10x10, at a width of 1,000, from 1,316 to 1,104 moves
/// (docs/experiments.md).
const CONFLICT: f64 = 1.5;
/// The weight of the next step grows by `1 / CALM` of its initial value per layer, to at most
/// `MOST_URGENT` times this value. A layer that completes a step or lowers the cost of the tiles
/// resets the weight.
const CALM: usize = 5;
const MOST_URGENT: f64 = 17.0;

impl Score {
    /// Attempt 0 uses the weights that were best in measurements; later attempts use weights that
    /// are nearly as good.
    pub(super) fn new(guide: &StepGuide, attempt: u32) -> Score {
        // The weight of a tile is 1 in the last cells and `1 + slope` in the first line. A move of
        // the next step has `pull` times the weight of a tile of the step's line.
        let slope = [3.0, 1.5, 5.0, 0.7][attempt as usize % 4];
        let pull = 0.5 + 0.15 * f64::from(attempt % 3);
        let grid = guide.grid();
        let cells = grid.cells();
        let lines = guide.lines();
        let weight = |line: usize| {
            let left = (lines - line) as f64 / lines.max(1) as f64;
            UNIT * (1.0 + slope * left)
        };
        let mut tiles = Vec::with_capacity(cells * cells);
        for tile in 0..cells {
            let weight = weight(guide.line_of(tile));
            let cost = |cell: usize| {
                let distance = grid.distance(tile, cell) as f64;
                (weight * (distance + DISTANCE * distance * distance)) as u32
            };
            tiles.extend((0..cells).map(cost));
        }
        let in_the_way = |tile: usize| match tile == guide.goal_blank() {
            true => 0,
            false => (CONFLICT * weight(guide.line_of(tile))) as u32,
        };
        let pulls = (0..=lines).map(|line| (pull * weight(line)) as u32);
        Score {
            cells,
            tiles,
            in_the_way: (0..cells).map(in_the_way).collect(),
            pulls: pulls.collect(),
            conflicts: Conflicts::new(grid.tray),
            neighbours: NeighbourPairs::new(grid.tray, Cell::new(guide.goal_blank()), LEARNED),
            // The mean weight of a tile. With 2 to 4 times the learned weights, 10 solutions on 10x10
            // are 2.7 % shorter than without them (docs/experiments.md).
            neighbour_unit: (UNIT * (1.0 + slope / 2.0)) as i32 / PAIR_UNIT,
        }
    }

    /// Codes of the pieces around the blank's cell, for [`Self::change`].
    #[inline]
    pub(super) fn around_hole(&self, hole: u16, pieces: &[u16]) -> [u8; 4] {
        self.neighbours
            .around(hole, hole, |cell| pieces[usize::from(cell)].into())
    }

    /// Change of the tiles' cost, modulo 2^32, when a tile moves to a neighbouring cell.
    /// `around_hole` is the result of [`Self::around_hole`]. `pieces` has the piece on each cell
    /// and `places` the cell of each piece, both before the move.
    #[inline]
    pub(super) fn change(
        &self,
        step: TileStep,
        around_hole: [u8; 4],
        pieces: &[u16],
        places: &[u16],
    ) -> u32 {
        let (tile, from, to) = (step.tile, usize::from(step.from), usize::from(step.hole));
        let costs = &self.tiles[tile * self.cells..][..self.cells];
        let cell_of = |other: usize| usize::from(places[other]);
        let weight = |other: usize| self.in_the_way[other];
        let conflicts = self.conflicts.change(tile, from, to, cell_of, weight);
        let piece_at = |cell| pieces[usize::from(cell)].into();
        let neighbours = self.neighbours.change(step, around_hole, piece_at);
        conflicts
            .wrapping_add(costs[to])
            .wrapping_sub(costs[from])
            .wrapping_add((neighbours * self.neighbour_unit) as u32)
    }

    /// Weight of the next step, `layers` layers after the last layer that completed a step or
    /// lowered the cost of the tiles.
    pub(super) fn urgency(layers: usize) -> u32 {
        let urgency = 1.0 + layers as f64 / CALM as f64;
        (UNIT * urgency.min(MOST_URGENT)) as u32
    }

    /// Cost of the moves to the end of the next step.
    #[inline]
    pub(super) fn of_standing(&self, standing: StageValue, urgency: u32) -> u32 {
        let pull = self.pulls[standing.progress.level()];
        u32::from(standing.distance) * pull * urgency / UNIT as u32
    }
}
