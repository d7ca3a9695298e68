//! Depth-first search in batches: the hot path.
//!
//! # The plain search
//!
//! One iteration of IDA* over the paths from a task's nodes whose estimates stay within the bound:
//!
//! ```text
//! stack = [root]
//! while let Some(node) = stack.pop():
//!     children = []
//!     for (move, next) in moves allowed in node.state:         # the automaton prunes duplicates
//!         sums = for each view: node.sum - node.value + value  # of the part with the moved tile
//!         if 1 + max(sums) <= node.left:                       # moves left within the bound
//!             children.push(DfsNode { sums, left: node.left - 1, state: next, ... })
//!         else:
//!             least_over = min(least_over, 1 + max(sums) - node.left)
//!     for child in children.reversed():                        # the first one on top
//!         stack.push(child), or stop with its path if it is the goal
//! ```
//!
//! # Differences from the plain search
//!
//! The times are nanoseconds per generated node, with 6-6-3 / with 7-8. They are from
//! docs/experiments.md, "The search, step by step". A search that expands one node at a time, and
//! makes and undoes moves, takes 32 / 79.
//!
//! - **Batches.** A look-up in a large table waits a few hundred nanoseconds for the memory, and
//!   the children of one node are too few to fill that time. Therefore the [`BATCH`] nodes on top
//!   of the stack are expanded together: first the entries of all their children are computed and
//!   prefetched, then all entries are read. Nodes have a fixed size and contain all data needed to
//!   make their children, so they are copied and no move is ever undone: 37 / 52.
//! - **Lazy views.** Children are made view by view, and those that a view prunes are dropped
//!   before the next view is looked up. A child that no view has pruned is then written directly to
//!   the stack.
//! - **No branches on data.** Whether a move is allowed and whether a child is pruned is hard to
//!   predict. The code therefore does not branch on these conditions; they only decide the new
//!   length of a list. With nodes written in place and deferred counts: 30 / 42.
//! - **Instructions that count and move bits**, if the processor has them
//!   (`machine.rs`): 25 / 38.
//! - **Batches of 24** nodes instead of 16: 25 / 36.
//! - **Deferred counts.** The stack always holds the unexpanded nodes in depth-first order, so the
//!   search is plain depth-first search with a short look-ahead. Nodes expanded ahead of their turn
//!   are counted when plain depth-first search would have reached them (`deferred_counts.rs`). When
//!   the search finds a goal, it removes all nodes below this goal from the stack, including an
//!   earlier goal. The nodes above the goal precede it in depth-first order and are still searched.
//!   So the last goal found is the first in depth-first order. Solutions and node counts are
//!   therefore those of the plain search, at no measurable cost.
//! - **A trail.** All paths are stored as one tree of moves (`PackedTrail`), not as a list in
//!   every node.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::boards::{PackedBoard, PackedTrail};
use crate::calls::NodeCount;
use crate::machine::{CountsBits, assume_bit_counting};
use crate::optimal::move_table::Transition;
use crate::tables::{CellRoom, LookupMode, MOVES, Placement as _};

use super::context::Context;
use super::deferred_counts::DeferredCounts;
use super::iteration::SharedIteration;
use super::node::{DfsNode, NodeHead, Origin, Task};

/// Number of nodes expanded together. Batches of 16 to 32 nodes are equally fast; batches of 8 or
/// 60 nodes are about 8 % slower.
pub(super) const BATCH: usize = 24;

/// Size of the array of a batch's children, rounded up to a power of two, so that an index modulo
/// this size needs only a mask.
const CHILDREN: usize = (BATCH * MOVES).next_power_of_two();

/// Number of trail entries above which unused entries are removed from the trail. This number of
/// entries takes 512 KiB. The paths of the few hundred nodes of a stack have about ten thousand
/// entries.
pub(super) const TRAIL_ROOM: usize = 1 << 17;

/// One thread's part of an iteration.
pub(super) struct BatchDfs<B, W: CellRoom, M, const V: usize, const P: usize> {
    stack: Vec<DfsNode<B, W::Word, V, P>>,
    /// The paths of all nodes on the stack.
    trail: PackedTrail,
    batch: Vec<DfsNode<B, W::Word, V, P>>,
    scratch: Box<Scratch<W::Word, V>>,
    /// Smallest excess of a pruned node over the bound; `i32::MAX` if none was pruned.
    pub(super) least_over: i32,
    mode: PhantomData<fn() -> M>,
    /// Whether the bottom of the stack is a goal.
    is_found: bool,
    /// Counts of the nodes that plain depth-first search has reached.
    pub(super) reached: NodeCount,
    /// Deferred counts of nodes that follow all nodes of the stack in depth-first order.
    rest: DeferredCounts,
    /// Counts of all nodes so far, whether plain depth-first search has reached them or not.
    pub(super) all: NodeCount,
    /// Number of generated nodes that were reported to the iteration.
    reported: u64,
    next_check: u64,
    /// State of the root in the [`crate::optimal::move_table::MoveTable`], if the task is the whole
    /// tree.
    plain_root: Option<u32>,
}

/// A child of a node of the batch.
#[derive(Clone, Copy, Default)]
struct DfsChild {
    /// Index of the child's parent in the batch.
    parent: u16,
    tile: u16,
    /// [`MOVES`] times the blank's cell before the move, plus the number of the move.
    slide: u16,
    transition: Transition,
}

/// The children of a batch.
struct Scratch<L, const V: usize> {
    /// The children in depth-first order.
    children: [DfsChild; CHILDREN],
    /// Indices of the children that no view has pruned yet, in the order of `children`.
    live: [u8; CHILDREN],
    /// The children's entries in the tables of the view that is being looked up.
    entries: [usize; CHILDREN],
    placements: [[L; V]; CHILDREN],
    sums: [[i16; V]; CHILDREN],
    manhattan: [i16; CHILDREN],
    /// For each node of the batch, the counts of all nodes up to and including this node, in
    /// depth-first order.
    counts: [DeferredCounts; BATCH],
}

/// End of a thread's work on its stack.
pub(super) enum End {
    /// No nodes are left, or another thread or a limit has ended the iteration.
    Done,
    /// A node has the estimate 0 and no moves left within the bound, but is not the goal: table
    /// values are wrong.
    TooDeep,
}

/// A call of [`BatchDfs::run`]. Instructions that count bits make it 15 % faster.
struct Run<'r, 'c, 'i, B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize> {
    search: &'r mut BatchDfs<B, W, M, V, P>,
    context: &'r Context<'c, B, W, M, V, P>,
    iteration: &'r SharedIteration<'i, Task<B, W::Word>>,
    check: &'r mut dyn FnMut(&mut BatchDfs<B, W, M, V, P>),
}

impl<B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize> CountsBits
    for Run<'_, '_, '_, B, W, M, V, P>
{
    type Output = End;

    #[inline(always)]
    fn run(self) -> End {
        let Run {
            search,
            context,
            iteration,
            check,
        } = self;
        search.run_on_any_processor(context, iteration, check)
    }
}

impl<B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize>
    BatchDfs<B, W, M, V, P>
{
    pub(super) fn new() -> Self {
        BatchDfs {
            stack: Vec::new(),
            trail: PackedTrail::new(TRAIL_ROOM),
            batch: Vec::new(),
            scratch: Box::new(Scratch {
                children: [DfsChild::default(); CHILDREN],
                live: [0; CHILDREN],
                entries: [0; CHILDREN],
                placements: [[W::Word::default(); V]; CHILDREN],
                sums: [[0; V]; CHILDREN],
                manhattan: [0; CHILDREN],
                counts: [DeferredCounts::default(); BATCH],
            }),
            least_over: i32::MAX,
            mode: PhantomData,
            is_found: false,
            reached: NodeCount::default(),
            rest: DeferredCounts::default(),
            all: NodeCount::default(),
            reported: 0,
            next_check: 0,
            plain_root: None,
        }
    }

    /// Moves the nodes of a task, and their paths, to the empty stack.
    #[inline(never)]
    pub(super) fn take(
        &mut self,
        task: Task<B, W::Word>,
        context: &Context<B, W, M, V, P>,
        iteration: &SharedIteration<Task<B, W::Word>>,
    ) {
        self.report(iteration);
        self.trail.truncate(0);
        let Task { paths, roots, .. } = task;
        self.plain_root = match (&paths[..], &roots.heads[..]) {
            ([path], [root]) if path.is_empty() => Some(root.state),
            _ => None,
        };
        let (views, parts) = (context.views.len(), context.lookups.len());
        for (at, (path, head)) in paths.into_iter().zip(&roots.heads).enumerate().rev() {
            let trail = path.into_iter().fold(0, |at, by| self.trail.push(at, by));
            self.stack.push(DfsNode::new(
                NodeHead { trail, ..*head },
                &roots.sums[at * views..][..views],
                &roots.placements[at * parts..][..parts],
            ));
        }
    }

    #[cold]
    #[inline(never)]
    fn tidy_trail(&mut self) {
        let ends = self.stack.iter_mut().map(|node| &mut node.trail);
        self.trail.tidy(ends);
    }

    /// Reports to the iteration the number of nodes generated since the last report.
    pub(super) fn report(&mut self, iteration: &SharedIteration<Task<B, W::Word>>) {
        iteration.add_nodes(self.all.generated - self.reported);
        self.reported = self.all.generated;
        self.next_check = self.reported + iteration.nodes_to_check();
    }

    /// Moves every second node of the stack into a task for another thread; `None` if the stack is
    /// short. The two threads then search the tree side by side in depth-first order. Up to the
    /// first solution they generate 2 to 11 % more nodes than one thread. If the task were the
    /// lower half of the stack, which has the largest subtrees, they would generate 40 to 50 % more.
    #[inline(never)]
    pub(super) fn split(
        &mut self,
        context: &Context<B, W, M, V, P>,
        origin: Option<&Arc<Origin>>,
    ) -> Option<Task<B, W::Word>> {
        let first = usize::from(self.is_found);
        if self.stack.len() < first + 4 {
            return None;
        }
        let waiting = self.stack.split_off(first);
        let mut task = Task::new(context.views.clone());
        task.origin = origin.cloned();
        let Task { roots, paths, .. } = &mut task;
        for node in waiting.iter().step_by(2).rev() {
            roots.heads.push(node.head());
            roots.sums.extend(&node.sums[..context.views.len()]);
            let placements = &node.placements[..context.lookups.len()];
            roots.placements.extend_from_slice(placements);
            paths.push(self.trail.path(node.trail));
        }
        self.stack.extend(waiting.iter().skip(1).step_by(2));
        Some(task)
    }

    /// Searches the subtrees of all nodes on the stack. `check` is called regularly and may remove
    /// nodes from the stack.
    pub(super) fn run(
        &mut self,
        context: &Context<B, W, M, V, P>,
        iteration: &SharedIteration<Task<B, W::Word>>,
        check: &mut dyn FnMut(&mut Self),
    ) -> End {
        let work = Run {
            search: self,
            context,
            iteration,
            check,
        };
        match M::COUNTS_BITS {
            true => assume_bit_counting(work),
            false => work.run(),
        }
    }

    #[inline(always)]
    fn run_on_any_processor(
        &mut self,
        context: &Context<B, W, M, V, P>,
        iteration: &SharedIteration<Task<B, W::Word>>,
        check: &mut dyn FnMut(&mut Self),
    ) -> End {
        loop {
            let floor = usize::from(self.is_found);
            let waiting = self.stack.len() - floor;
            if waiting == 0 {
                break;
            }
            if let Some(top) = self.stack.last_mut() {
                self.reached += std::mem::take(&mut top.before);
                self.trail.truncate(top.trail);
            }
            if self.trail.is_full() {
                self.tidy_trail();
            }
            let kept = self.stack.len() - waiting.min(BATCH);
            self.batch.clear();
            self.batch.extend_from_slice(&self.stack[kept..]);
            self.stack.truncate(kept);
            let live = self.expand(context);
            if !self.push(context, live, iteration) {
                return End::TooDeep;
            }
            if self.all.generated >= self.next_check {
                self.report(iteration);
                check(self);
                if iteration.is_over() {
                    return End::Done;
                }
                if self.is_found && iteration.is_shared() {
                    // With several threads, it is unknown which goal plain depth-first search would
                    // have found first. Therefore any goal is accepted.
                    self.stack.truncate(1);
                }
            }
        }
        self.settle(context, iteration);
        End::Done
    }

    /// Generates the children of the batch, whose nodes are in reverse depth-first order, as on the
    /// stack. Writes the indices of the children that no view prunes to the start of
    /// `Scratch::live`, and returns the number of these children.
    #[inline(always)]
    fn expand(&mut self, context: &Context<B, W, M, V, P>) -> usize {
        let (scratch, batch) = (&mut *self.scratch, &self.batch[..]);
        let mut least_over = self.least_over;
        let mut count = 0;
        let mut counted = DeferredCounts::default();
        for index in (0..batch.len()).rev() {
            let node = &batch[index];
            let before = count;
            // The loop has no branch, because it is hard to predict which moves are allowed.
            for (by, &transition) in context.moves.from(node.state).iter().enumerate() {
                scratch.children[count % CHILDREN] = DfsChild {
                    parent: index as u16,
                    tile: node.board.get(transition.cell()),
                    slide: (MOVES as u16) * node.blank + by as u16,
                    transition,
                };
                scratch.live[count % CHILDREN] = count as u8;
                count += usize::from(transition.is_allowed());
            }
            counted = counted
                .plus(node.before)
                .plus(DeferredCounts::expansion(count - before));
            scratch.counts[index] = counted;
        }
        self.all.generated += count as u64;
        self.all.expanded += batch.len() as u64;
        // Keeps a child if it is within the bound, without a branch.
        let mut prune = |live: &mut [u8; CHILDREN], kept: &mut usize, index: usize, over: i32| {
            live[*kept % CHILDREN] = index as u8;
            *kept += usize::from(over <= 0);
            least_over = least_over.min(if over <= 0 { i32::MAX } else { over });
        };
        let mut live = count;
        if M::GENERAL {
            if let Some(distance) = &context.distance {
                live = 0;
                for at in 0..count {
                    let (index, child, parent) =
                        child_and_parent(&scratch.children, batch, at as u8);
                    let row = usize::from(child.tile) * context.cells;
                    let at = |cell: u16| distance[row + usize::from(cell)];
                    let manhattan =
                        parent.manhattan - at(child.transition.cell()) + at(parent.blank);
                    scratch.manhattan[index] = manhattan;
                    let over = i32::from(manhattan + 1 - parent.left);
                    prune(&mut scratch.live, &mut live, index, over);
                }
            }
        }
        for view in 0..context.views.len().min(V) {
            let slots = &context.slots[view];
            for &number in &scratch.live[..live] {
                let (index, child, parent) = child_and_parent(&scratch.children, batch, number);
                let slot = slots.of(child.tile);
                let lookup = &context.lookups[slot];
                let (placement, entry) = lookup.after::<M>(parent.placements[slot], child.slide);
                lookup.table.prefetch::<M>(entry);
                scratch.placements[index][view] = placement;
                scratch.entries[index] = entry;
            }
            let mut kept = 0;
            for at in 0..live {
                let (index, child, parent) =
                    child_and_parent(&scratch.children, batch, scratch.live[at]);
                let lookup = &context.lookups[slots.of(child.tile)];
                let placement = scratch.placements[index][view];
                let change = lookup.table.change::<M>(placement, scratch.entries[index]);
                scratch.placements[index][view] = placement.plus(change);
                let sum = i32::from(parent.sums[view]) + change;
                scratch.sums[index][view] = sum as i16;
                let over = sum + 1 - i32::from(parent.left);
                prune(&mut scratch.live, &mut kept, index, over);
            }
            live = kept;
        }
        self.least_over = least_over;
        live
    }

    /// Moves the live children to the stack. The last child in depth-first order is moved first.
    /// Returns `false` if a child shows that tables are wrong.
    #[inline(always)]
    fn push(
        &mut self,
        context: &Context<B, W, M, V, P>,
        live: usize,
        iteration: &SharedIteration<Task<B, W::Word>>,
    ) -> bool {
        let BatchDfs {
            stack,
            trail,
            batch,
            scratch,
            is_found,
            rest,
            ..
        } = self;
        let family =
            |at: usize| child_and_parent(&scratch.children, batch, scratch.live[at % CHILDREN]);
        // Counts of the batch's nodes in depth-first order, up to and including the parent of the
        // live child with the index `at`; 0 if `at` is `None`.
        let counted = |at: Option<usize>| {
            at.map_or(DeferredCounts::default(), |at| {
                let index = usize::from(scratch.live[at % CHILDREN]) % CHILDREN;
                scratch.counts[usize::from(scratch.children[index].parent)]
            })
        };
        // The nodes after the parent of the last live child have no live children. Their counts are
        // added to the next node on the stack.
        let mut until = counted(live.checked_sub(1));
        leave_counts(stack, rest, scratch.counts[0].minus(until));
        for at in (0..live).rev() {
            let (index, child, parent) = family(at);
            let before = counted(at.checked_sub(1));
            // The parent is copied to the stack, and the copy is changed there. If the child were
            // made elsewhere and then copied, the copy would read larger words than those just
            // written, and this stalls the processor.
            let top = stack.len();
            // The parent is passed as a slice, because `push` would copy it to a temporary value
            // first.
            stack.extend_from_slice(std::slice::from_ref(parent));
            let node = &mut stack[top];
            for view in 0..context.views.len().min(V) {
                node.placements[context.slots[view].of(child.tile)] =
                    scratch.placements[index][view];
                node.sums[view] = scratch.sums[index][view];
            }
            let blank = child.transition.cell();
            node.board = parent
                .board
                .slid(child.tile, blank, parent.blank, context.goal_blank);
            node.before = until.minus(before);
            node.trail = trail.push(parent.trail, (child.slide % MOVES as u16) as u8);
            node.left = parent.left - 1;
            node.manhattan = scratch.manhattan[index];
            node.state = child.transition.next();
            context.moves.prefetch(node.state);
            node.blank = blank;
            until = before;
            let is_zero = if M::GENERAL && context.distance.is_some() {
                node.manhattan == 0
            } else {
                node.sums[0] == 0
            };
            if is_zero && node.board == context.goal {
                if iteration.wants_all() {
                    // A solution ends at the goal, so the goal is not expanded.
                    let (counts, step) = (node.before, node.trail);
                    stack.truncate(top);
                    leave_counts(stack, rest, counts);
                    iteration.add_goal(&trail.path(step));
                } else {
                    stack.drain(..top);
                    *is_found = true;
                }
            } else if node.left <= 0 {
                return false;
            }
        }
        true
    }

    /// Ends the work on a stack. If a goal is left on the stack, reports the goal; otherwise adds
    /// the remaining counts.
    #[inline(never)]
    fn settle(
        &mut self,
        context: &Context<B, W, M, V, P>,
        iteration: &SharedIteration<Task<B, W::Word>>,
    ) {
        match self.stack.pop() {
            Some(goal) => {
                let path = self.trail.path(goal.trail);
                self.reached += goal.before;
                if let Some(root) = self.plain_root {
                    let not_reached = context.moves.not_reached(root, &path);
                    // If another thread generated nodes next to the path, the difference is too
                    // small. With several threads it is not used.
                    let reached = &mut self.reached.generated;
                    *reached = reached.saturating_sub(not_reached);
                }
                self.is_found = false;
                iteration.add_goal(&path);
            }
            None => self.reached += self.rest,
        }
        self.rest = DeferredCounts::default();
    }
}

/// Finds the child with the index `number`, and its parent. Returns the index as a `usize`, the
/// child and the parent.
#[inline(always)]
fn child_and_parent<'c, 'n, N>(
    children: &'c [DfsChild; CHILDREN],
    batch: &'n [N],
    number: u8,
) -> (usize, &'c DfsChild, &'n N) {
    let index = usize::from(number) % CHILDREN;
    let child = &children[index];
    (index, child, &batch[usize::from(child.parent)])
}

/// Adds counts to the next node on the stack, or to `rest` if the stack is empty.
#[inline(always)]
fn leave_counts<B, L, const V: usize, const P: usize>(
    stack: &mut [DfsNode<B, L, V, P>],
    rest: &mut DeferredCounts,
    counts: DeferredCounts,
) {
    let next = stack.last_mut().map_or(rest, |top| &mut top.before);
    *next = next.plus(counts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimal::move_table::MoveTable;
    use crate::tables::{AnyProcessor, Cells16, General, Heuristic};
    use puzzle::{Board, Goal, HeuristicSpec};

    use super::super::context::Start;
    use super::super::frontier::{Frontier, Room};
    use super::super::iteration::Want;

    /// Searches with a trail that is first tidied when it has more than `room` entries. Returns the
    /// path, the node counts, and the trail's capacity after the search.
    fn solve<M: LookupMode>(board: &str, length: i32, room: usize) -> (Vec<u8>, NodeCount, usize) {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let spec = HeuristicSpec::parse("manhattan", &goal).unwrap();
        let heuristic: Heuristic<Cells16> = Heuristic::new(&spec, &[], None).unwrap();
        let moves = MoveTable::new(goal.tray(), spec.order(), 2, &|| false).unwrap();
        let state = goal.state(&Board::parse(board, None).unwrap()).unwrap();
        let start = Start::new(&heuristic, &state).unwrap();
        let top = Frontier::<u64, _>::new(
            &start,
            &moves,
            length,
            Room { views: 2, parts: 8 },
            false,
            None,
        );
        let iteration = SharedIteration::new(Want::First, Box::new(top), u64::MAX);
        let mut dfs = BatchDfs::<_, _, M, 2, 8>::new();
        dfs.trail = PackedTrail::new(room);
        let task = iteration.next_task(&mut || ()).unwrap();
        let context = Context::new(&start, &task.views, &moves);
        dfs.take(task, &context, &iteration);
        let end = dfs.run(&context, &iteration, &mut |_| ());
        assert!(matches!(end, End::Done));
        let (reached, most) = (dfs.reached, dfs.trail.capacity());
        let (mut goals, _) = iteration.finish();
        (goals.paths.pop().unwrap().1, reached, most)
    }

    #[test]
    fn results_do_not_depend_on_tidying_or_the_processor() {
        for (board, length) in [
            ("8 6 7/2 5 4/3 0 1", 31),
            ("6 4 7/8 5 0/3 2 1", 31),
            ("1 2 3/4 5 6/0 7 8", 2),
        ] {
            let roomy = solve::<General>(board, length, usize::MAX);
            let tight = solve::<AnyProcessor>(board, length, 1);
            assert_eq!((&roomy.0, roomy.1), (&tight.0, tight.1));
            // A few hundred nodes on the stack with paths of at most 31 moves need at most 8192
            // entries, after doubling and rounding up.
            assert!(tight.2 <= 8192, "{}", tight.2);
        }
    }
}
