//! Boards as plain numbers, and the paths and sets that searches keep of them.

pub(crate) mod conflicts;
pub(crate) mod hash_slots;
pub(crate) mod neighbours;
pub(crate) mod packed_board;
pub(crate) mod packed_trail;
pub(crate) mod random;
