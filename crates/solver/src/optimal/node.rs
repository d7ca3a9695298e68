//! Nodes of the search tree on the stack.

use super::deferred_counts::DeferredCounts;

/// A node with all data needed to make its children, so that nodes can be expanded in any order and
/// by any thread. On a 4x4 tray with two views of two parts a node fills a cache line.
#[derive(Clone, Copy)]
pub(super) struct DfsNode<B, L, const V: usize, const P: usize> {
    pub(super) board: B,
    /// The placements of all parts of all views.
    pub(super) placements: [L; P],
    /// Counts of nodes that were expanded early and precede this node in depth-first order.
    pub(super) before: DeferredCounts,
    /// The last trail entry of the node's path.
    pub(super) trail: u32,
    /// The node's state in the [`crate::optimal::move_table::MoveTable`].
    pub(super) state: u32,
    /// The sum of each view.
    pub(super) sums: [i16; V],
    /// Remaining moves within the bound.
    pub(super) left: i16,
    /// Manhattan distance, if the heuristic uses it.
    pub(super) manhattan: i16,
    pub(super) blank: u16,
}
