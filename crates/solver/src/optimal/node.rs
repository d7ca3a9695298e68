//! Nodes of the search tree.

use std::sync::{Arc, Mutex, PoisonError};

use super::deferred_counts::DeferredCounts;
use crate::calls::{Finished, NodeCount, SearchRecord, TaskKey};
use crate::threads::lock;

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

/// A node without its values in the tables.
#[derive(Clone, Copy)]
pub(super) struct NodeHead<B> {
    pub(super) board: B,
    pub(super) state: u32,
    pub(super) trail: u32,
    pub(super) left: i16,
    pub(super) manhattan: i16,
    pub(super) blank: u16,
}

/// Nodes with any number of views: for each node its sums, one per view, and its placements, one
/// per part.
pub(super) struct Nodes<B, L> {
    pub(super) heads: Vec<NodeHead<B>>,
    pub(super) placements: Vec<L>,
    pub(super) sums: Vec<i16>,
}

/// Work for a thread: subtrees that are searched with the same views.
pub(super) struct Task<B, L> {
    /// Indices of the views, in the order of their look-ups.
    pub(super) views: Vec<u16>,
    /// The roots of the subtrees in depth-first order, with the values of these views.
    pub(super) roots: Nodes<B, L>,
    /// For each root, its path in the search tree.
    pub(super) paths: Vec<Vec<u8>>,
    /// The recorded task that this task is, or is split from.
    pub(super) origin: Option<Arc<Origin>>,
}

/// A task that the record of the search will contain when all pieces of it are finished.
pub(super) struct Origin {
    key: TaskKey,
    /// The result of the finished pieces; `None` if a piece has ended early.
    result: Mutex<Option<Finished>>,
}

impl Origin {
    pub(super) fn new(key: TaskKey) -> Self {
        let none = Finished {
            nodes: NodeCount::default(),
            least_over: i32::MAX,
        };
        Origin {
            key,
            result: Mutex::new(Some(none)),
        }
    }

    /// Adds the result of a piece, `None` if it has ended early. After the last piece, adds the task
    /// to the record, if no piece has ended early.
    pub(super) fn end_piece(self: Arc<Self>, piece: Option<Finished>, record: &SearchRecord) {
        {
            let mut result = lock(&self.result);
            *result = result.zip(piece).map(|(mut sum, piece)| {
                sum.nodes += piece.nodes;
                sum.least_over = sum.least_over.min(piece.least_over);
                sum
            });
        }
        // Of all pieces, exactly one gets the value.
        if let Some(origin) = Arc::into_inner(self) {
            let result = origin.result.into_inner();
            if let Some(result) = result.unwrap_or_else(PoisonError::into_inner) {
                record.add(origin.key, result);
            }
        }
    }
}

impl<B: Copy, L: Copy> Task<B, L> {
    pub(super) fn new(views: Vec<u16>) -> Self {
        Task {
            views,
            roots: Nodes::new(),
            paths: Vec::new(),
            origin: None,
        }
    }
}

impl<B: Copy, L: Copy + Default, const V: usize, const P: usize> DfsNode<B, L, V, P> {
    /// A node with the given values. There must be at most `V` sums and at most `P` placements.
    pub(super) fn new(head: NodeHead<B>, sums: &[i16], placements: &[L]) -> Self {
        let mut node = DfsNode {
            board: head.board,
            placements: [L::default(); P],
            before: DeferredCounts::default(),
            trail: head.trail,
            state: head.state,
            sums: [0; V],
            left: head.left,
            manhattan: head.manhattan,
            blank: head.blank,
        };
        node.sums[..sums.len()].copy_from_slice(sums);
        node.placements[..placements.len()].copy_from_slice(placements);
        node
    }

    pub(super) fn head(&self) -> NodeHead<B> {
        NodeHead {
            board: self.board,
            state: self.state,
            trail: self.trail,
            left: self.left,
            manhattan: self.manhattan,
            blank: self.blank,
        }
    }
}

impl<B: Copy, L: Copy> Nodes<B, L> {
    pub(super) fn new() -> Self {
        Nodes {
            heads: Vec::new(),
            placements: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Moves the last `count` nodes to `to`, which is emptied before. Each node has `views` sums
    /// and `parts` placements.
    pub(super) fn move_top(&mut self, to: &mut Self, count: usize, views: usize, parts: usize) {
        fn move_last<T: Copy>(from: &mut Vec<T>, to: &mut Vec<T>, count: usize) {
            let kept = from.len() - count;
            to.clear();
            to.extend_from_slice(&from[kept..]);
            from.truncate(kept);
        }
        move_last(&mut self.heads, &mut to.heads, count);
        move_last(&mut self.placements, &mut to.placements, count * parts);
        move_last(&mut self.sums, &mut to.sums, count * views);
    }
}
