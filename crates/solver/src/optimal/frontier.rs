//! The top of the search tree: it chooses the views of each subtree.
//!
//! The time per node grows with the number of views, and most views seldom prune a node that the
//! best views keep. The top is therefore searched with all views, and each subtree below it with
//! the few views whose sums are largest at its root, by [`super::batch_dfs`]. A node of the top is
//! the root of such a subtree as soon as its *slack* is small: the moves that are left within the
//! bound beyond its estimate. The subtree of a node with a slack of 6 has some ten thousand nodes.
//!
//! Each view is admissible, and each node is pruned by one view. So any choice of views is sound.
//!
//! Subtrees with the same views are collected and searched as one task, so that the batches of the
//! search below stay full. Subtrees with the fewest moves left are searched first: a subtree far
//! from the goal seldom contains a solution of so small a slack. The order of tasks depends only on
//! the board and the bound, not on the threads.
//!
//! A part that several views share is looked up once. As in the search below, the entries of all
//! children of a batch are prefetched before they are read.

use std::collections::BTreeMap;
use std::sync::Arc;

use puzzle::Tray;

use super::batch_dfs::{BATCH, TRAIL_ROOM};
use super::context::{Start, StartView};
use super::iteration::{SharedIteration, Source, Supply, Total};
use super::move_table::{MoveTable, Transition};
use super::node::{NodeHead, Nodes, Origin, Task};
use crate::boards::{PackedBoard, PackedTrail};
use crate::calls::{NodeCount, SearchRecord};
use crate::tables::{AnyProcessor, CellRoom, MOVES, Placement as _};

/// Largest slack of the root of a subtree, if views are chosen.
const SLACK: i16 = 6;
/// Number of subtrees in a full task.
const FULL_TASK: usize = 128;
/// Number of waiting subtrees above which the first task is searched. A subtree takes 250 bytes.
const MOST_WAITING: usize = 1 << 17;
/// Nodes that are generated between two checks of the limits.
const NODES_PER_STEP: u64 = 1 << 11;

/// The moves left at a task's roots, its views, and the number of the full task, 0 for one that is
/// not full.
type TaskOrder = (i16, Vec<u16>, u32);

/// The top of the search tree in one iteration.
pub(super) struct Frontier<'a, B, W: CellRoom> {
    start: &'a Start<'a, W>,
    moves: &'a MoveTable,
    /// For each tile, the distinct parts that its moves change.
    parts_of_tile: Vec<Vec<u16>>,
    /// For each tile, and for each view, an index in the list of `parts_of_tile`.
    change_of_view: Vec<Vec<u16>>,
    goal: B,
    goal_blank: u16,
    cells: usize,
    /// Room in the nodes of the subtrees.
    room: Room,
    /// Largest slack of the root of a subtree.
    slack: i16,
    stack: Nodes<B, W::Word>,
    trail: PackedTrail,
    batch: Nodes<B, W::Word>,
    children: Vec<TopChild>,
    /// The placements and entries of the children's changed parts.
    looked_up: Vec<(W::Word, usize)>,
    /// The changes of the values of one child's parts.
    changes: Vec<i16>,
    scores: Vec<i32>,
    /// The views of the last subtree.
    chosen: Vec<u16>,
    /// The waiting tasks.
    waiting: BTreeMap<TaskOrder, Task<B, W::Word>>,
    /// Number of waiting subtrees.
    count: usize,
    /// Number of full tasks so far.
    full: u32,
    /// Number of tasks so far that were passed on.
    made: u32,
    /// The record of the search, and the bound.
    record: Option<(&'a SearchRecord, u32)>,
    nodes: NodeCount,
    /// Smallest excess of a pruned node over the bound; `i32::MAX` if none was pruned.
    least_over: i32,
}

/// Room of a node: the largest number of views, and of their parts together.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) views: usize,
    pub(super) parts: usize,
}

struct TopChild {
    parent: usize,
    tile: u16,
    by: u8,
    transition: Transition,
    /// Index of its first entry in `looked_up`.
    first: usize,
}

impl<'a, B: PackedBoard, W: CellRoom> Frontier<'a, B, W> {
    /// The top of the search from `start`. The whole tree is one task, unless its subtrees need a
    /// choice of views or, by `has_order`, an order, or a record needs tasks that are finished soon.
    pub(super) fn new(
        start: &'a Start<'a, W>,
        moves: &'a MoveTable,
        bound: i32,
        room: Room,
        has_order: bool,
        record: Option<&'a SearchRecord>,
    ) -> Self {
        let tray = start.state.tray();
        let mut frontier = Frontier {
            start,
            moves,
            parts_of_tile: Vec::new(),
            change_of_view: Vec::new(),
            goal: start.goal(),
            goal_blank: start.goal_blank(),
            cells: tray.cells(),
            room,
            slack: if has_order || record.is_some() || !room.is_enough(&start.views) {
                SLACK
            } else {
                i16::MAX
            },
            stack: Nodes::new(),
            trail: PackedTrail::new(TRAIL_ROOM),
            batch: Nodes::new(),
            children: Vec::new(),
            looked_up: Vec::new(),
            changes: Vec::new(),
            scores: Vec::new(),
            chosen: Vec::new(),
            waiting: BTreeMap::new(),
            count: 0,
            full: 0,
            made: 0,
            record: record.map(|record| (record, bound as u32)),
            nodes: NodeCount::default(),
            least_over: i32::MAX,
        };
        if frontier.slack < i16::MAX {
            frontier.list_parts(tray);
        }
        let state = start.state;
        let root = NodeHead {
            board: start.board(),
            state: moves.start(state.blank()),
            trail: 0,
            left: i16::try_from(bound).unwrap_or(i16::MAX),
            manhattan: start.manhattan,
            blank: state.blank().index() as u16,
        };
        let stack = &mut frontier.stack;
        stack.placements.extend_from_slice(&start.placements);
        stack.sums.extend(start.views.iter().map(|view| view.sum));
        frontier.place(root, start.h0() as i16);
        frontier
    }

    fn list_parts(&mut self, tray: Tray) {
        for tile in 0..tray.cells() {
            let (mut parts, mut changes) = (Vec::new(), Vec::new());
            for view in &self.start.views {
                let part = view.parts[usize::from(view.part_of_tile[tile])] as u16;
                let known = parts.iter().position(|&known| known == part);
                changes.push(known.unwrap_or(parts.len()) as u16);
                if known.is_none() {
                    parts.push(part);
                }
            }
            self.parts_of_tile.push(parts);
            self.change_of_view.push(changes);
        }
    }

    /// Puts a node on the stack or, if its slack is small, among the subtrees. Its values are
    /// already on top of the stack.
    fn place(&mut self, node: NodeHead<B>, h: i16) {
        if node.left - h > self.slack {
            self.stack.heads.push(node);
            return;
        }
        let Frontier { start, stack, .. } = self;
        let (views, parts) = (start.views.len(), start.placements.len());
        let sums_at = stack.sums.len() - views;
        let placements_at = stack.placements.len() - parts;
        let (sums, placements) = (&stack.sums[sums_at..], &stack.placements[placements_at..]);
        self.room
            .choose(&start.views, sums, &mut self.scores, &mut self.chosen);
        let key = (node.left, self.chosen.clone(), 0);
        let new = || Task::new(self.chosen.clone());
        let Task { roots, paths, .. } = self.waiting.entry(key.clone()).or_insert_with(new);
        paths.push(self.trail.path(node.trail));
        roots.heads.push(node);
        for &view in &self.chosen {
            roots.sums.push(sums[usize::from(view)]);
            let parts = &start.views[usize::from(view)].parts;
            roots
                .placements
                .extend(parts.iter().map(|&part| placements[part]));
        }
        self.count += 1;
        if paths.len() >= FULL_TASK {
            self.full += 1;
            if let Some(task) = self.waiting.remove(&key) {
                self.waiting.insert((key.0, key.1, self.full), task);
            }
        }
        stack.sums.truncate(sums_at);
        stack.placements.truncate(placements_at);
    }

    /// The task, if it must be searched. If the record has its result, adds this result instead.
    fn release(&mut self, mut task: Task<B, W::Word>) -> Option<Task<B, W::Word>> {
        self.count -= task.paths.len();
        self.made += 1;
        let Some((record, bound)) = self.record else {
            return Some(task);
        };
        let key = [bound, self.moves.states() as u32, self.made];
        match record.finished(key) {
            Some(finished) => {
                self.nodes += finished.nodes;
                self.least_over = self.least_over.min(finished.least_over);
                None
            }
            None => {
                task.origin = Some(Arc::new(Origin::new(key)));
                Some(task)
            }
        }
    }

    /// Expands the nodes on top of the stack.
    fn expand(&mut self, iteration: &SharedIteration<'_, Task<B, W::Word>>) {
        let (views, parts) = (self.start.views.len(), self.start.placements.len());
        let taken = self.stack.heads.len().min(BATCH);
        if let Some(top) = self.stack.heads.last() {
            self.trail.truncate(top.trail);
        }
        if self.trail.is_full() {
            self.trail
                .tidy(self.stack.heads.iter_mut().map(|node| &mut node.trail));
        }
        self.stack.move_top(&mut self.batch, taken, views, parts);
        self.children.clear();
        self.looked_up.clear();
        for (parent, node) in self.batch.heads.iter().enumerate() {
            let placements = &self.batch.placements[parent * parts..][..parts];
            for (by, &transition) in self.moves.from(node.state).iter().enumerate().rev() {
                if !transition.is_allowed() {
                    continue;
                }
                let tile = node.board.get(transition.cell());
                self.children.push(TopChild {
                    parent,
                    tile,
                    by: by as u8,
                    transition,
                    first: self.looked_up.len(),
                });
                let slide = (MOVES as u16) * node.blank + by as u16;
                for &part in &self.parts_of_tile[usize::from(tile)] {
                    let lookup = &self.start.lookups[usize::from(part)];
                    let after = lookup.after::<AnyProcessor>(placements[usize::from(part)], slide);
                    lookup.table.prefetch::<AnyProcessor>(after.1);
                    self.looked_up.push(after);
                }
            }
        }
        self.nodes.expanded += taken as u64;
        self.nodes.generated += self.children.len() as u64;
        iteration.add_nodes(self.children.len() as u64);
        for at in 0..self.children.len() {
            self.make(at, iteration);
        }
    }

    /// Makes a child of the batch.
    fn make(&mut self, at: usize, iteration: &SharedIteration<'_, Task<B, W::Word>>) {
        let (views, parts) = (self.start.views.len(), self.start.placements.len());
        let TopChild {
            parent,
            tile,
            by,
            transition,
            first,
        } = self.children[at];
        let node = self.batch.heads[parent];
        let changed = &self.parts_of_tile[usize::from(tile)];
        let looked_up = &mut self.looked_up[first..][..changed.len()];
        self.changes.clear();
        for (after, &part) in looked_up.iter_mut().zip(changed) {
            let lookup = &self.start.lookups[usize::from(part)];
            let change = lookup.table.change::<AnyProcessor>(after.0, after.1);
            after.0 = after.0.plus(change);
            self.changes.push(change as i16);
        }
        let cell = transition.cell();
        let manhattan = self.start.distance.as_ref().map_or(0, |distance| {
            let distance = &distance[usize::from(tile) * self.cells..];
            node.manhattan - distance[usize::from(cell)] + distance[usize::from(node.blank)]
        });
        let sums = &self.batch.sums[parent * views..][..views];
        let of_view = &self.change_of_view[usize::from(tile)];
        let mut h = manhattan;
        self.stack
            .sums
            .extend(sums.iter().zip(of_view).map(|(sum, &change)| {
                let sum = sum + self.changes[usize::from(change)];
                h = h.max(sum);
                sum
            }));
        let over = i32::from(h + 1 - node.left);
        if over > 0 {
            self.least_over = self.least_over.min(over);
            self.stack.sums.truncate(self.stack.sums.len() - views);
            return;
        }
        let board = node.board.slid(tile, cell, node.blank, self.goal_blank);
        let trail = self.trail.push(node.trail, by);
        if board == self.goal {
            self.stack.sums.truncate(self.stack.sums.len() - views);
            iteration.add_goal(&self.trail.path(trail));
            return;
        }
        let placements_at = self.stack.placements.len();
        let placements = &self.batch.placements[parent * parts..][..parts];
        self.stack.placements.extend_from_slice(placements);
        for (after, &part) in self.looked_up[first..].iter().zip(changed) {
            self.stack.placements[placements_at + usize::from(part)] = after.0;
        }
        let child = NodeHead {
            board,
            state: transition.next(),
            trail,
            left: node.left - 1,
            manhattan,
            blank: cell,
        };
        self.place(child, h);
    }
}

impl<B: PackedBoard, W: CellRoom> Source<Task<B, W::Word>> for Frontier<'_, B, W> {
    fn next(
        &mut self,
        iteration: &SharedIteration<'_, Task<B, W::Word>>,
    ) -> Supply<Task<B, W::Word>> {
        let until = self.nodes.generated + NODES_PER_STEP.min(iteration.nodes_to_check());
        loop {
            if self.stack.heads.is_empty() || self.count >= MOST_WAITING {
                let Some((_, task)) = self.waiting.pop_first() else {
                    return Supply::End;
                };
                if let Some(task) = self.release(task) {
                    return Supply::Task(task);
                }
            } else if self.nodes.generated >= until {
                return Supply::Later;
            } else {
                self.expand(iteration);
            }
        }
    }

    fn total(&self) -> Total {
        Total {
            reached: self.nodes,
            all: self.nodes,
            least_over: self.least_over,
            is_too_deep: false,
        }
    }
}

impl Room {
    fn is_enough(self, views: &[StartView]) -> bool {
        let parts: usize = views.iter().map(|view| view.parts.len()).sum();
        views.len() <= self.views && parts <= self.parts
    }

    /// The views for a subtree: all if a node has room for them. Otherwise they are chosen one by
    /// one, each for its score. The best one is looked up first, because it prunes most children:
    /// sorted by number, nodes take 10 % more time.
    ///
    /// The score is the sum at the subtree's root, in 16ths of a move, plus the squares of the
    /// numbers of tiles of its parts: a view of 7, 7, 7 and 3 tiles counts as 0.75 moves more than
    /// one of four times 6. Each part that the view shares with a chosen one takes off [`SHARED`],
    /// because views that share parts mostly prune the same nodes.
    fn choose(
        self,
        views: &[StartView],
        sums: &[i16],
        scores: &mut Vec<i32>,
        chosen: &mut Vec<u16>,
    ) {
        chosen.clear();
        if self.is_enough(views) {
            chosen.extend((0..).take(views.len()));
            return;
        }
        scores.clear();
        let scored = views.iter().zip(sums);
        scores.extend(scored.map(|(view, &sum)| 16 * i32::from(sum) + view.size));
        let mut room = self.parts;
        while chosen.len() < self.views {
            let best = (0..scores.len()).rev().max_by_key(|&view| scores[view]);
            let Some(best) = best.filter(|&view| scores[view] > NEVER) else {
                break;
            };
            scores[best] = NEVER;
            let parts = &views[best].parts;
            if parts.len() > room {
                continue;
            }
            chosen.push(best as u16);
            room -= parts.len();
            for (score, view) in scores.iter_mut().zip(views) {
                let shared = view.parts.iter().filter(|part| parts.contains(part));
                *score -= SHARED * shared.count() as i32;
            }
        }
    }
}

/// Score of a view that has been chosen, or has too many parts.
const NEVER: i32 = i32::MIN / 2;
/// Loss of score per shared part. With the fourteen views of the preset `small` on 5x5, a loss of 2
/// moves saves 15 % of the nodes.
const SHARED: i32 = 32;
