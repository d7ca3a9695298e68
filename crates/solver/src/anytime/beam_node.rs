//! The nodes of a beam search and their children.

/// A board in a layer of a beam search.
#[derive(Clone, Copy)]
pub(crate) struct BeamNode<B, const P: usize> {
    /// Which tile is on which cell, by goal cells.
    pub(crate) board: B,
    /// The values of all parts.
    pub(crate) values: [u8; P],
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
pub(crate) struct BeamChild {
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
    /// A bit for each view whose value is larger than at the parent.
    pub(crate) change: u8,
    /// The smaller, the more promising.
    pub(crate) score: u16,
    /// No solution from here is shorter; 0 at the goal only.
    pub(crate) bound: u16,
}
