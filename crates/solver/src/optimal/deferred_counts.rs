//! Node counts of plain depth-first search, although nodes are expanded early.
//!
//! When a node is expanded ahead of its turn, its counts are stored in the next node of the stack
//! in depth-first order. The stored counts are added when depth-first search reaches that node, and
//! dropped when a goal removes that node from the stack. The counts are therefore exact for any
//! batch size.

use crate::calls::NodeCount;

/// Counts of nodes that were expanded early. The next node on the stack in depth-first order stores
/// these counts until depth-first search reaches it. The low half of the word counts generated
/// nodes, the high half counts expanded nodes.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct DeferredCounts(u64);

impl DeferredCounts {
    /// The counts of one expanded node with its children.
    #[inline(always)]
    pub(super) fn expansion(children: usize) -> DeferredCounts {
        DeferredCounts((1 << 32) + children as u64)
    }

    #[inline(always)]
    pub(super) fn plus(self, other: DeferredCounts) -> DeferredCounts {
        DeferredCounts(self.0 + other.0)
    }

    /// `self` minus `part`. The counts of `part` must be included in `self`.
    #[inline(always)]
    pub(super) fn minus(self, part: DeferredCounts) -> DeferredCounts {
        DeferredCounts(self.0 - part.0)
    }
}

impl std::ops::AddAssign<DeferredCounts> for NodeCount {
    #[inline(always)]
    fn add_assign(&mut self, deferred: DeferredCounts) {
        self.generated += deferred.0 & 0xffff_ffff;
        self.expanded += deferred.0 >> 32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_the_word_do_not_touch() {
        let some = DeferredCounts::expansion(3).plus(DeferredCounts::expansion(0));
        let all = some.plus(DeferredCounts::expansion(4));
        let mut count = NodeCount::default();
        count += all.minus(some);
        assert_eq!((count.generated, count.expanded), (4, 1));
        count += some;
        assert_eq!((count.generated, count.expanded), (7, 3));
    }
}
