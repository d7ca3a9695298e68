//! A learned score: weights of pairs of tiles on neighbouring cells, by the offsets of both tiles
//! from their goal cells. Distances and table values do not show whether neighbours block each
//! other or travel together; these weights do. They are not a lower bound: beams use them only to
//! rank boards. `examples/train_guide.rs` learns them; docs/experiments.md, "Learned weights",
//! describes their effect.
//!
//! One file of weights serves all trays and goals. It contains the weights of a left and a right
//! tile of a tray whose blank belongs to the last cell. Transposition maps an upper and a lower
//! tile to such a pair. If the blank's goal cell is in the first half of the columns, columns count
//! in reverse, and likewise rows.

use puzzle::{Cell, Tray};

use super::{Grid, NO_CELL};

/// Offsets are clipped to this number of columns and rows.
const REACH: usize = 5;
/// Number of different offsets along one axis.
const SIDE: usize = 2 * REACH + 1;
/// Number of pairs of offsets along the axis of the two cells, and across it. These offsets belong
/// to goal cells that are at most [`REACH`] apart; other pairs use the nearest one of these pairs.
const ALONG: usize = 90;
const ACROSS: usize = 91;
/// Number of weights.
pub(crate) const PAIR_WEIGHTS: usize = ALONG * ACROSS;

/// Weights by [`pair_index`]: signed bytes, in units of 1/[`PAIR_UNIT`] move.
pub(crate) type PairWeights = [u8; PAIR_WEIGHTS];

/// Weight of a move, in units of the weights of pairs.
pub(crate) const PAIR_UNIT: i32 = 16;

/// The learned weights.
pub(crate) static LEARNED: &PairWeights = include_bytes!("neighbour_pairs.i8");

/// Offset of a tile from its goal cell, in columns and rows, clipped and increased by [`REACH`].
pub(crate) type Offset = (usize, usize);

/// Number of codes of an offset, rounded up to a power of two.
const CODES: usize = 128;
/// Code of the blank. Pairs with the blank have weight 0.
const BLANK: u8 = (SIDE * SIDE) as u8;

/// Weights of the pieces on two cells, by their codes.
type PairMatrix = Box<[[i8; CODES]; CODES]>;

/// A move of a tile from a cell into the hole, and the direction in which the blank moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileStep {
    pub(crate) tile: usize,
    pub(crate) from: u16,
    pub(crate) hole: u16,
    pub(crate) direction: u8,
}

/// The weights for one tray and goal.
#[derive(Clone, Debug)]
pub(crate) struct NeighbourPairs {
    grid: Grid,
    /// Codes by piece and cell.
    codes: Vec<u8>,
    /// Weights of an upper and a lower piece.
    below: PairMatrix,
    /// Weights of a left and a right piece.
    right: PairMatrix,
}

impl NeighbourPairs {
    pub(crate) fn new(tray: Tray, goal_blank: Cell, weights: &PairWeights) -> Self {
        let code = |tile, cell| {
            let (column, row) = offset(tray, goal_blank, tile, cell);
            if tile == goal_blank {
                BLANK
            } else {
                (row * SIDE + column) as u8
            }
        };
        let codes = tray
            .iter()
            .flat_map(|tile| tray.iter().map(move |cell| code(tile, cell)));
        let index = pair_index();
        let [right, below] = pair_orders(tray, goal_blank).map(|order| {
            let mut matrix = Box::new([[0; CODES]; CODES]);
            let offset = |code: usize| (code % SIDE, code / SIDE);
            for (first, row) in matrix.iter_mut().enumerate().take(SIDE * SIDE) {
                for (second, weight) in row.iter_mut().enumerate().take(SIDE * SIDE) {
                    let (a, b) = order(offset(first), offset(second));
                    *weight = weights[index(a, b)] as i8;
                }
            }
            matrix
        });
        NeighbourPairs {
            grid: Grid::new(tray),
            codes: codes.collect(),
            below,
            right,
        }
    }

    #[inline(always)]
    fn code(&self, piece: usize, cell: u16) -> u8 {
        self.codes[piece * self.grid.cells() + usize::from(cell)]
    }

    /// Codes of the pieces on the neighbours of a cell, in the order of the directions. The blank
    /// stands for missing neighbours. `hole` is the blank's cell.
    #[inline(always)]
    pub(crate) fn around(&self, cell: u16, hole: u16, piece_at: impl Fn(u16) -> usize) -> [u8; 4] {
        self.grid.neighbours(cell.into()).map(|cell| {
            let cell = if cell == NO_CELL { hole } else { cell };
            self.code(piece_at(cell), cell)
        })
    }

    /// Sum of the weights of a piece and its neighbours.
    #[inline(always)]
    fn sum(&self, code: u8, [up, down, left, right]: [u8; 4]) -> i32 {
        let weight = |matrix: &PairMatrix, first: u8, second: u8| {
            i32::from(matrix[usize::from(first) % CODES][usize::from(second) % CODES])
        };
        weight(&self.below, up, code)
            + weight(&self.below, code, down)
            + weight(&self.right, left, code)
            + weight(&self.right, code, right)
    }

    /// Change of the sum of all pairs. `around_hole` has the codes around the hole and `piece_at`
    /// returns the piece on a cell, both before the move.
    #[inline(always)]
    pub(crate) fn change(
        &self,
        step: TileStep,
        mut around_hole: [u8; 4],
        piece_at: impl Fn(u16) -> usize,
    ) -> i32 {
        let (tile, hole) = (step.tile, step.hole);
        around_hole[usize::from(step.direction % 4)] = BLANK;
        let around = self.around(step.from, hole, piece_at);
        self.sum(self.code(tile, hole), around_hole) - self.sum(self.code(tile, step.from), around)
    }
}

/// Turns the offsets of two neighbours into those of a left and a right tile of a tray whose blank
/// belongs to the last cell. There is one such function for cells beside each other, and one for
/// cells one above the other.
fn pair_orders(tray: Tray, goal_blank: Cell) -> [impl Fn(Offset, Offset) -> (Offset, Offset); 2] {
    let (columns, rows) = mirrored(tray, goal_blank);
    [(columns, false), (rows, true)].map(|(is_mirrored, is_transposed)| {
        move |first, second| {
            let (a, b): (Offset, Offset) = if is_mirrored {
                (second, first)
            } else {
                (first, second)
            };
            if is_transposed {
                ((a.1, a.0), (b.1, b.0))
            } else {
                (a, b)
            }
        }
    })
}

/// Whether columns and rows count in reverse.
fn mirrored(tray: Tray, goal_blank: Cell) -> (bool, bool) {
    let is_first = |at: usize, count: usize| 2 * at + 1 < count;
    (
        is_first(tray.column(goal_blank), tray.width()),
        is_first(tray.row(goal_blank), tray.height()),
    )
}

fn offset(tray: Tray, goal_blank: Cell, tile: Cell, cell: Cell) -> Offset {
    let clipped = |goal: usize, at: usize, is_mirrored: bool| {
        let (goal, at) = if is_mirrored { (at, goal) } else { (goal, at) };
        (goal + REACH).saturating_sub(at).min(2 * REACH)
    };
    let (columns, rows) = mirrored(tray, goal_blank);
    (
        clipped(tray.column(tile), tray.column(cell), columns),
        clipped(tray.row(tile), tray.row(cell), rows),
    )
}

/// Index of the weight of a left and a right tile.
pub(crate) fn pair_index() -> impl Fn(Offset, Offset) -> usize {
    let (along, across) = (axis_index(1), axis_index(0));
    move |a, b| along[a.0][b.0] * ACROSS + across[a.1][b.1]
}

/// Index of two offsets along one axis. The second cell is `step` cells after the first.
fn axis_index(step: usize) -> [[usize; SIDE]; SIDE] {
    let mut index = [[0; SIDE]; SIDE];
    let mut count = 0;
    for (first, row) in index.iter_mut().enumerate() {
        let least = first.saturating_sub(REACH + step);
        let most = (first + REACH - step).min(2 * REACH);
        for (second, number) in row.iter_mut().enumerate() {
            *number = count + second.clamp(least, most) - least;
        }
        count += most - least + 1;
    }
    index
}

/// Indices of the weights of all pairs of a board, for training and tests. `pieces` has the piece
/// on each cell, named by its goal cell.
#[cfg(any(test, feature = "train"))]
#[must_use]
pub(crate) fn pairs_of(tray: Tray, goal_blank: Cell, pieces: &[u16]) -> Vec<usize> {
    use puzzle::Direction;

    let index = pair_index();
    let orders = pair_orders(tray, goal_blank);
    let offset_at = |cell: Cell| {
        let tile = Cell::new(pieces[cell.index()].into());
        (tile != goal_blank).then(|| offset(tray, goal_blank, tile, cell))
    };
    let mut pairs = Vec::new();
    for cell in tray.iter() {
        for (order, direction) in orders.iter().zip([Direction::Right, Direction::Down]) {
            let second = tray.step(cell, direction).and_then(offset_at);
            if let (Some(first), Some(second)) = (offset_at(cell), second) {
                let (a, b) = order(first, second);
                pairs.push(index(a, b));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use puzzle::{Direction, State};

    use super::*;
    use crate::boards::mix;

    fn pieces(state: &State) -> Vec<u16> {
        let pieces = state.pieces().iter();
        pieces.map(|piece| piece.index() as u16).collect()
    }

    fn sum(tray: Tray, goal_blank: Cell, pieces: &[u16], weights: &PairWeights) -> i32 {
        let pairs = pairs_of(tray, goal_blank, pieces).into_iter();
        pairs.map(|pair| i32::from(weights[pair] as i8)).sum()
    }

    /// Weights that are all different from their neighbours.
    fn random_weights(seed: u64) -> PairWeights {
        std::array::from_fn(|pair| mix(seed ^ (pair as u64) << 8) as u8)
    }

    fn walk(tray: Tray, goal_blank: Cell, moves: u64) -> State {
        let mut state = State::goal(tray, goal_blank);
        for number in 0..moves {
            state.slide(Direction::ALL[(mix(number) % 4) as usize]);
        }
        state
    }

    /// Scores, and therefore lengths at a fixed number of nodes, depend on these bytes.
    #[test]
    fn the_learned_weights_are_those_of_the_file() {
        assert_eq!(LEARNED.len(), 8190);
        let hash = LEARNED
            .iter()
            .fold(0, |hash, &byte| mix(hash ^ u64::from(byte)));
        assert_eq!(hash, 0x327a_6b9f_5a49_d893, "{hash:#x}");
    }

    /// Every weight belongs to a pair of offsets, and tiles at their goal cells have weights too.
    #[test]
    fn indices_cover_all_weights() {
        let index = pair_index();
        let offsets = || (0..SIDE).flat_map(|column| (0..SIDE).map(move |row| (column, row)));
        let mut is_used = vec![false; PAIR_WEIGHTS];
        for first in offsets() {
            for second in offsets() {
                is_used[index(first, second)] = true;
            }
        }
        assert!(is_used.into_iter().all(|is_used| is_used));
    }

    #[test]
    fn changes_add_up_to_the_sum_of_every_board_of_a_walk() {
        let weights = random_weights(1);
        for (size, blank) in [
            ("2x2", 0),
            ("3x3", 4),
            ("5x4", 7),
            ("4x7", 27),
            ("9x12", 107),
        ] {
            let tray: Tray = size.parse().unwrap();
            let goal_blank = Cell::new(blank);
            let neighbours = NeighbourPairs::new(tray, goal_blank, &weights);
            let mut state = State::goal(tray, goal_blank);
            let mut total = sum(tray, goal_blank, &pieces(&state), &weights);
            for number in 0..3000 {
                let before = pieces(&state);
                let hole = state.blank().index() as u16;
                let direction = (mix(number) % 4) as u8;
                if !state.slide(Direction::ALL[usize::from(direction)]) {
                    continue;
                }
                let from = state.blank().index() as u16;
                let tile = usize::from(before[usize::from(from)]);
                let piece_at = |cell: u16| usize::from(before[usize::from(cell)]);
                let around_hole = neighbours.around(hole, hole, piece_at);
                let step = TileStep {
                    tile,
                    from,
                    hole,
                    // The blank moves in the opposite direction of the tile.
                    direction: direction ^ 1,
                };
                total += neighbours.change(step, around_hole, piece_at);
                let expected = sum(tray, goal_blank, &pieces(&state), &weights);
                assert_eq!(total, expected, "{size}");
            }
        }
    }

    /// A board and its image under a symmetry of the tray have the same score.
    #[test]
    fn symmetries_keep_scores() {
        let weights = random_weights(2);
        for (size, blank) in [("5x4", 19), ("5x4", 1), ("4x4", 12), ("3x8", 23)] {
            let tray: Tray = size.parse().unwrap();
            let state = walk(tray, Cell::new(blank), 2000);
            let (width, height) = (tray.width(), tray.height());
            let expected = sum(tray, Cell::new(blank), &pieces(&state), &weights);
            let transposed = Tray::new(height, width).unwrap();
            type Image = Box<dyn Fn(usize) -> usize>;
            let images: [(Tray, Image); 3] = [
                (
                    transposed,
                    Box::new(move |cell| cell % width * height + cell / width),
                ),
                (
                    tray,
                    Box::new(move |cell| cell / width * width + width - 1 - cell % width),
                ),
                (tray, Box::new(move |cell| width * height - 1 - cell)),
            ];
            for (image_tray, image) in images {
                let mut other = vec![0; tray.cells()];
                for (cell, piece) in pieces(&state).into_iter().enumerate() {
                    other[image(cell)] = image(piece.into()) as u16;
                }
                let found = sum(image_tray, Cell::new(image(blank)), &other, &weights);
                assert_eq!(found, expected, "{size}, blank {blank}");
            }
        }
    }
}
