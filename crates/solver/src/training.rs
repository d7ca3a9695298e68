//! Input of `examples/train_guide.rs`: samples of beams, and the pairs of neighbours of their
//! boards.

use puzzle::State;

use crate::anytime;
use crate::boards::neighbour_pairs as pairs;
use crate::facade::Solver;
use crate::tables::DamagedTable;

/// Number of learned weights.
pub const PAIR_WEIGHTS: usize = pairs::PAIR_WEIGHTS;
/// Weight of a move.
pub const PAIR_UNIT: i32 = pairs::PAIR_UNIT;

/// Index of the weight of a left and a right tile. The arguments are the offsets of the tiles from
/// their goal cells, in columns and rows, from -5 to 5, increased by 5.
pub fn pair_index() -> impl Fn((usize, usize), (usize, usize)) -> usize {
    pairs::pair_index()
}

/// Indices of the weights of all pairs of a state. `pieces` has the piece on each cell.
#[must_use]
pub fn pairs_of(state: &State, pieces: &[u16]) -> Vec<usize> {
    pairs::pairs_of(state.tray(), state.goal_blank(), pieces)
}

/// Boards of a layer, as the piece on each cell, and their scores in moves.
pub type SampledLayer = Vec<(Vec<u16>, f64)>;

/// Runs a beam with these weights, signed bytes in units of 1/[`PAIR_UNIT`] move. Returns boards of
/// every second layer: first the board on the path to the solution, then random boards of the
/// layer. Only differences between scores of a beam matter. The result is empty if the beam found
/// no solution.
///
/// # Errors
/// If a table is damaged.
pub fn sample_beam(
    solver: &Solver,
    state: &State,
    weights: &[u8; PAIR_WEIGHTS],
    width: usize,
    seed: u64,
) -> Result<Vec<SampledLayer>, DamagedTable> {
    anytime::sample_beam(&solver.search, state, weights, width, seed)
}
