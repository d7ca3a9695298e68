//! Boards as plain numbers, and the paths and sets of boards that searches store.

mod conflicts;
mod grid;
mod hash_slots;
pub(crate) mod neighbour_pairs;
mod packed_board;
mod packed_trail;
mod random;

pub(crate) use conflicts::Conflicts;
pub(crate) use grid::{Grid, NO_CELL};
pub(crate) use hash_slots::HashSlots;
pub(crate) use neighbour_pairs::{LEARNED, NeighbourPairs, PAIR_UNIT, PairWeights, TileStep};
pub(crate) use packed_board::PackedBoard;
pub(crate) use packed_trail::{PackedTrail, blank_moves, tile_moves};
pub(crate) use random::{GAMMA, finish, mix};
