//! What a beam goes by: the distance to the end of the next step, and how far all tiles are from
//! home.

use super::guide::{Guide, Standing};

/// How a score is made of its terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreShape {
    /// How much more a tile of the first line counts than one of the last.
    pub(super) slope: f64,
    /// What a move of the next step counts, where a tile of the same line counts one a cell.
    pub(super) pull: f64,
}

impl ScoreShape {
    /// What was measured to be best, by the tray: a small pull leaves more freedom, and gets stuck on
    /// large trays. Later attempts pull more, and then other slopes are tried.
    pub(super) fn new(cells: usize, attempt: u32) -> ScoreShape {
        let side = (cells as f64).sqrt();
        let pull = (0.5 + (side - 10.0) / 20.0).clamp(0.5, 1.0);
        ScoreShape {
            slope: [3.0, 1.5, 5.0, 0.7][attempt as usize % 4],
            pull: pull + 0.15 * f64::from(attempt % 3),
        }
    }
}

/// The weights of one guide, in units of 1/64.
#[derive(Clone, Debug)]
pub(super) struct Score {
    cells: usize,
    /// The cost of each tile on each cell: its weighted distance.
    tiles: Vec<u32>,
    /// The cost of a move of the next step, for each line.
    pulls: Vec<u32>,
}

const UNIT: f64 = 64.0;

impl Score {
    pub(super) fn new(guide: &Guide, shape: ScoreShape) -> Score {
        let grid = guide.grid();
        let cells = grid.cells();
        let lines = guide.lines();
        let weight = |line: usize| {
            let left = (lines - line) as f64 / lines.max(1) as f64;
            UNIT * (1.0 + shape.slope * left)
        };
        let mut tiles = Vec::with_capacity(cells * cells);
        for tile in 0..cells {
            let weight = weight(guide.line_of(tile));
            tiles.extend((0..cells).map(|cell| (weight * grid.distance(tile, cell) as f64) as u32));
        }
        let pulls = (0..=lines).map(|line| (shape.pull * weight(line)) as u32);
        Score {
            cells,
            tiles,
            pulls: pulls.collect(),
        }
    }

    /// What a tile on a cell costs.
    #[inline]
    pub(super) fn of_tile(&self, tile: usize, cell: usize) -> u32 {
        self.tiles[tile * self.cells + cell]
    }

    /// What the way to the end of the next step costs.
    #[inline]
    pub(super) fn of_standing(&self, standing: Standing) -> u32 {
        u32::from(standing.distance) * self.pulls[standing.progress.level()]
    }
}
