//! What a beam search goes by: a score for every child of a node.

use crate::packed_board::PackedBoard;

/// A board in a layer of a beam search.
#[derive(Clone, Copy)]
pub(crate) struct Node<B, V> {
    /// Which tile is on which cell, by goal cells.
    pub(crate) board: B,
    /// What the guide carries along.
    pub(crate) values: V,
    /// The sum of [`Keys::of`](super::layer::Keys::of) all pieces on their cells.
    pub(crate) hash: u64,
    /// The smaller, the more promising. Only differences count.
    pub(crate) score: u16,
    /// The cell of the blank.
    pub(crate) blank: u16,
    /// A bit for each direction of the blank that leads back to a node of the layer before.
    pub(crate) back: u8,
}

/// A node's neighbour one move away, before it becomes a node.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    /// Its parent's number among the nodes that are expanded together.
    pub(crate) parent: u16,
    /// The tile that moves, by goal cell.
    pub(crate) tile: u16,
    /// The cell it comes from, where the blank is then.
    pub(crate) from: u16,
    /// The cell it goes to.
    pub(crate) hole: u16,
    /// The direction of the blank.
    pub(crate) direction: u8,
    /// What the guide needs to bring its values from the parent to the child.
    pub(crate) change: u8,
    /// The smaller, the more promising.
    pub(crate) score: u16,
    /// No solution from here is shorter; 0 at the goal only.
    pub(crate) bound: u16,
}

/// Scores the children of nodes.
pub(crate) trait Guide: Sync {
    /// What is carried with a node so that its children can be scored quickly.
    type Values: Copy + Send + Sync;
    /// Memory that a thread uses again and again.
    type Scratch: Default + Send + Sync;

    /// Fills in `change`, `score` and `bound` of children, of which those of one parent stand
    /// together.
    fn score<B: PackedBoard>(
        &self,
        nodes: &[Node<B, Self::Values>],
        children: &mut [Child],
        scratch: &mut Self::Scratch,
    );

    /// Brings the values of a parent to a child whose tile and change are these.
    fn advance(&self, values: &mut Self::Values, tile: u16, change: u8);
}
