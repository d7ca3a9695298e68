//! Nodes of the search tree, as they wait on the stack.

use super::deferred_counts::DeferredCounts;

/// A node with everything that its children are made from, so that nodes can be expanded in any
/// order and by any thread. On a 4x4 tray with two views of two parts it fills a cache line.
#[derive(Clone, Copy)]
pub(super) struct DfsNode<B, L, const V: usize, const P: usize> {
    pub(super) board: B,
    /// Of all parts of all views.
    pub(super) placements: [L; P],
    /// Nodes that were expanded early and come before this one.
    pub(super) before: DeferredCounts,
    /// The last step of its path.
    pub(super) trail: u32,
    /// The state of [`crate::optimal::move_table::MoveTable`].
    pub(super) state: u32,
    /// One sum for each view.
    pub(super) sums: [i16; V],
    /// Moves that may follow on a path within the bound.
    pub(super) left: i16,
    /// Manhattan distance, where it counts.
    pub(super) manhattan: i16,
    pub(super) blank: u16,
}
