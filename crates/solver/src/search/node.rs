//! Nodes of the search tree, as they wait on the stack.

use crate::table_set::Placement;

/// A node with everything that its children are made from, so that nodes can be expanded in any order and by any thread. On a
/// 4x4 tray with two views of two parts it fills a cache line.
#[derive(Clone, Copy)]
pub(super) struct Node<B, const V: usize, const P: usize> {
    pub(super) pieces: B,
    /// Of all parts of all views.
    pub(super) places: [Placement; P],
    pub(super) before: DeferredCounts,
    /// The last step of its path.
    pub(super) trail: u32,
    /// The state of [`crate::move_table::MoveTable`].
    pub(super) turn: u32,
    /// One sum for each view.
    pub(super) sums: [i16; V],
    /// Moves that may follow on a path within the bound.
    pub(super) left: i16,
    /// Manhattan distance, where it counts.
    pub(super) manhattan: i16,
    pub(super) blank: u16,
}

/// Nodes that were expanded early and come before another one in depth-first order, which carries their counts until
/// depth-first search would come to it: generated nodes in the low half of the word, expanded ones in the high.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct DeferredCounts(u64);

impl DeferredCounts {
    /// One expanded node with its children.
    #[inline(always)]
    pub(super) fn expansion(children: usize) -> DeferredCounts {
        DeferredCounts((1 << 32) + children as u64)
    }

    #[inline(always)]
    pub(super) fn plus(self, other: DeferredCounts) -> DeferredCounts {
        DeferredCounts(self.0 + other.0)
    }

    /// What is in this count and not in one that it contains.
    #[inline(always)]
    pub(super) fn minus(self, part: DeferredCounts) -> DeferredCounts {
        DeferredCounts(self.0 - part.0)
    }
}

/// Numbers of nodes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Count {
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
}

impl std::ops::AddAssign<DeferredCounts> for Count {
    #[inline(always)]
    fn add_assign(&mut self, pending: DeferredCounts) {
        self.generated += pending.0 & 0xffff_ffff;
        self.expanded += pending.0 >> 32;
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.generated += other.generated;
        self.expanded += other.expanded;
    }
}
