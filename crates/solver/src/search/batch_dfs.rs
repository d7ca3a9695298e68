//! Depth-first search in bands: the last nodes of the stack are expanded together, so that their look-ups overlap.
//!
//! A look-up in a large table waits some hundred nanoseconds for the memory, and the children of one node are too few to fill that
//! time. So the topmost [`BATCH`] nodes of the stack are taken at once. Their children are made view by view: all
//! entries are worked out and prefetched, then all are looked at, and those that the view prunes are dropped without a branch.
//! What is left goes back to the stack in the same order.
//!
//! **The order is kept.** The stack always holds the unexpanded nodes in depth-first order, the next on top. So the search
//! is depth-first search looking a little ahead, and can say exactly what plain depth-first search would have done:
//! - A goal cuts off everything below it, and the search goes on until nothing is left above it. The goal that remains is the
//!   first in depth-first order.
//! - A node expanded ahead of its turn leaves its counts with the next node of the stack, which passes them on when it is
//!   on top, or loses them when a goal cuts it off. So the counts are those of plain depth-first search to the last node.

use crate::move_table::Turn;
use crate::packed_board::PackedBoard;
use crate::row_index::RowWord;
use crate::slide::MOVES;
use crate::table_set::{Mode, Placement};

use super::context::{Context, TILES};
use super::iteration::{Round, Task};
use super::node::{Count, DeferredCounts, Node};

/// Nodes expanded together: 16 to 32 are equally fast, 8 and 60 some 8 % slower.
const BATCH: usize = 24;

/// Room for the children of a batch, rounded up so that any index masked is within.
const CHILDREN: usize = (BATCH * MOVES).next_power_of_two();

/// Generated nodes between two looks at the world outside: some half a millisecond.
pub(super) const NODES_PER_CHECK: u64 = 1 << 14;

/// Steps of a trail before it is tidied: 16 MiB. Paths of the few hundred nodes of a stack are some ten thousand steps, so tidying is
/// rare.
const TRAIL_ROOM: usize = 1 << 21;

/// One thread's part of an iteration.
pub(super) struct BatchDfs<'f, 'a, B, W, M, const V: usize, const P: usize> {
    field: &'f Context<'a, B, W, M, V, P>,
    stack: Vec<Node<B, V, P>>,
    /// The paths of all nodes of the stack. Nodes further up have later steps, so what comes after the top's is garbage;
    /// in between there is more, which is cleared away when the trail outgrows its room.
    trail: Vec<Step>,
    trail_room: usize,
    batch: Vec<Node<B, V, P>>,
    scratch: Box<Scratch<V>>,
    /// By how much the nearest pruned node was over the bound.
    least_over: i32,
    /// Whether the bottom of the stack is a goal.
    is_found: bool,
    /// Nodes that depth-first search has come to.
    pub(super) reached: Count,
    /// Nodes after the last of the stack that are not counted yet.
    rest: DeferredCounts,
    /// All nodes, reached or not.
    pub(super) all: Count,
    /// Generated nodes that the round knows of, and when to tell it of more.
    told: u64,
    next_check: u64,
}

/// A move of a path and the step before it; step 0 is the root.
#[derive(Clone, Copy)]
struct Step {
    before: u32,
    by: u8,
}

#[derive(Clone, Copy, Default)]
struct Child {
    /// Its place in the batch.
    parent: u16,
    tile: u16,
    /// [`MOVES`] times the blank's cell before, and the number of the move.
    slide: u16,
    turn: Turn,
}

/// The children of a batch.
struct Scratch<const V: usize> {
    /// In depth-first order.
    children: [Child; CHILDREN],
    /// Those that no view has pruned yet, in the same order.
    live: [u8; CHILDREN],
    /// Entries in the view that is being looked up.
    entries: [usize; CHILDREN],
    places: [[Placement; V]; CHILDREN],
    sums: [[i16; V]; CHILDREN],
    manhattan: [i16; CHILDREN],
    /// Counts of all nodes of the batch up to each in depth-first order, its own included.
    counts: [DeferredCounts; BATCH],
}

/// How a thread's work on its stack ended.
pub(super) enum End {
    /// Nothing is left, or another thread or a limit has ended the iteration.
    Done,
    /// A path as long as the bound whose end is not the goal, although its estimate leaves no move to make: only
    /// wrong values allow that.
    TooDeep,
}

impl<'f, 'a, B: PackedBoard, W: RowWord, M: Mode, const V: usize, const P: usize>
    BatchDfs<'f, 'a, B, W, M, V, P>
{
    pub(super) fn new(field: &'f Context<'a, B, W, M, V, P>) -> Self {
        BatchDfs {
            field,
            stack: Vec::new(),
            trail: vec![Step { before: 0, by: 0 }],
            trail_room: TRAIL_ROOM,
            batch: Vec::new(),
            scratch: Box::new(Scratch {
                children: [Child::default(); CHILDREN],
                live: [0; CHILDREN],
                entries: [0; CHILDREN],
                places: [[Placement::default(); V]; CHILDREN],
                sums: [[0; V]; CHILDREN],
                manhattan: [0; CHILDREN],
                counts: [DeferredCounts::default(); BATCH],
            }),
            least_over: i32::MAX,
            is_found: false,
            reached: Count::default(),
            rest: DeferredCounts::default(),
            all: Count::default(),
            told: 0,
            next_check: 0,
        }
    }

    /// By how much the nearest node pruned by this band was over the bound, if there was one.
    pub(super) fn least_over(&self) -> Option<i32> {
        Some(self.least_over).filter(|&over| over < i32::MAX)
    }

    /// Takes nodes with their paths onto the empty stack.
    pub(super) fn take(&mut self, task: Task<Node<B, V, P>>, round: &Round<Node<B, V, P>>) {
        self.tell(round);
        self.trail.truncate(1);
        for (path, node) in task {
            let mut before = 0;
            for by in path {
                self.trail.push(Step { before, by });
                before = self.trail.len() as u32 - 1;
            }
            self.stack.push(Node {
                trail: before,
                ..node
            });
        }
    }

    /// Tells the round of the nodes generated since the last time.
    pub(super) fn tell(&mut self, round: &Round<Node<B, V, P>>) {
        round.add_nodes(self.all.generated - self.told);
        self.told = self.all.generated;
        self.next_check = self.told + round.nodes_to_check();
    }

    /// Gives every second node of the stack away, nothing of a short stack. So two threads go through the tree side by
    /// side in depth-first order, and come to the first solution with hardly more nodes than one; giving the lower half away, where the
    /// largest subtrees are, made them search in the last iteration what one thread never comes to.
    pub(super) fn give(&mut self) -> Option<Task<Node<B, V, P>>> {
        let first = usize::from(self.is_found);
        if self.stack.len() < first + 4 {
            return None;
        }
        let waiting = self.stack.split_off(first);
        let mut task = Vec::new();
        for (index, node) in waiting.into_iter().enumerate() {
            if index % 2 == 0 {
                task.push((path(&self.trail, node.trail as usize), node));
            } else {
                self.stack.push(node);
            }
        }
        Some(task)
    }

    /// Clears steps away that are on no path, without changing the order of the others.
    #[cold]
    #[inline(never)]
    fn tidy_trail(&mut self) {
        let mut is_used = vec![false; self.trail.len()];
        is_used[0] = true;
        for node in &self.stack {
            let mut at = node.trail as usize;
            while !std::mem::replace(&mut is_used[at], true) {
                at = self.trail[at].before as usize;
            }
        }
        let mut moved = vec![0_u32; self.trail.len()];
        let mut used = 0;
        for (at, _) in is_used.iter().enumerate().filter(|&(_, &is_used)| is_used) {
            let Step { before, by } = self.trail[at];
            // The step before is earlier and has its new place already.
            let before = moved[before as usize];
            self.trail[used] = Step { before, by };
            moved[at] = used as u32;
            used += 1;
        }
        self.trail.truncate(used);
        for node in &mut self.stack {
            node.trail = moved[node.trail as usize];
        }
        self.trail_room = self.trail_room.max(2 * used);
    }

    /// Searches the subtrees of all nodes of the stack. `check` is called from time to time and may take nodes away.
    pub(super) fn run(
        &mut self,
        round: &Round<Node<B, V, P>>,
        check: &mut dyn FnMut(&mut Self),
    ) -> End {
        #[cfg(target_arch = "x86_64")]
        if has_counting_instructions() {
            // SAFETY: the processor has the instructions, which has just been asked.
            #[allow(unsafe_code)]
            return unsafe { self.run_counting(round, check) };
        }
        self.run_anywhere(round, check)
    }

    /// [`Self::run_anywhere`] with instructions that count bits and shift by variable numbers, 15 % faster.
    ///
    /// # Safety
    /// The processor must have them.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    #[allow(unsafe_code)]
    unsafe fn run_counting(
        &mut self,
        round: &Round<Node<B, V, P>>,
        check: &mut dyn FnMut(&mut Self),
    ) -> End {
        self.run_anywhere(round, check)
    }

    #[inline(always)]
    fn run_anywhere(
        &mut self,
        round: &Round<Node<B, V, P>>,
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
                self.trail.truncate(top.trail as usize + 1);
            }
            if self.trail.len() > self.trail_room {
                self.tidy_trail();
            }
            let kept = self.stack.len() - waiting.min(BATCH);
            self.batch.clear();
            self.batch.extend_from_slice(&self.stack[kept..]);
            self.stack.truncate(kept);
            let live = self.expand();
            if !self.push(live, round) {
                return End::TooDeep;
            }
            if self.all.generated >= self.next_check {
                self.tell(round);
                check(self);
                if round.is_over() {
                    return End::Done;
                }
                if self.is_found && round.is_shared() {
                    // No thread can say what plain depth-first search would have found first: any goal will do.
                    self.stack.truncate(1);
                }
            }
        }
        self.settle(round);
        End::Done
    }

    /// Generates the children of the batch, which is in the stack's order, the last node first. Those that no view
    /// prunes are the first of the scratch's live ones; returns their number.
    #[inline(always)]
    fn expand(&mut self) -> usize {
        let (field, scratch, batch) = (self.field, &mut *self.scratch, &self.batch[..]);
        let mut over_all = self.least_over;
        let mut count = 0;
        let mut counted = DeferredCounts::default();
        for index in (0..batch.len()).rev() {
            let node = &batch[index];
            let before = count;
            // Without a branch: which moves are allowed is hard to predict.
            for (by, &turn) in field.turns.from(node.turn).iter().enumerate() {
                scratch.children[count % CHILDREN] = Child {
                    parent: index as u16,
                    tile: node.pieces.get(turn.cell()),
                    slide: (MOVES as u16) * node.blank + by as u16,
                    turn,
                };
                scratch.live[count % CHILDREN] = count as u8;
                count += usize::from(turn.is_allowed());
            }
            counted = counted
                .plus(node.before)
                .plus(DeferredCounts::expansion(count - before));
            scratch.counts[index] = counted;
        }
        self.all.generated += count as u64;
        self.all.expanded += batch.len() as u64;
        let mut live = count;
        if M::GENERAL {
            if let Some(distance) = &field.distance {
                live = 0;
                for (index, child) in scratch.children[..count].iter().enumerate() {
                    let parent = &batch[usize::from(child.parent)];
                    let row = usize::from(child.tile) * field.cells;
                    let at = |cell: u16| distance[row + usize::from(cell)];
                    let manhattan = parent.manhattan - at(child.turn.cell()) + at(parent.blank);
                    scratch.manhattan[index] = manhattan;
                    let over = i32::from(manhattan + 1 - parent.left);
                    scratch.live[live] = index as u8;
                    live += usize::from(over <= 0);
                    over_all = over_all.min(if over <= 0 { i32::MAX } else { over });
                }
            }
        }
        for view in 0..field.views.min(V) {
            let slots = &field.slots[view];
            for &index in &scratch.live[..live] {
                let index = usize::from(index) % CHILDREN;
                let child = &scratch.children[index];
                let slot = slots[usize::from(child.tile) % TILES];
                let parent = &batch[usize::from(child.parent)];
                let place = parent.places[usize::from(slot)];
                let lookup = &field.lookups[usize::from(slot)];
                let (place, entry) = lookup.after::<M>(place, child.slide);
                lookup.prefetch::<M>(entry);
                scratch.places[index][view] = place;
                scratch.entries[index] = entry;
            }
            let mut kept = 0;
            for at in 0..live {
                let index = usize::from(scratch.live[at]) % CHILDREN;
                let child = &scratch.children[index];
                let slot = slots[usize::from(child.tile) % TILES];
                let parent = &batch[usize::from(child.parent)];
                let place = scratch.places[index][view];
                let change =
                    field.lookups[usize::from(slot)].change::<M>(place, scratch.entries[index]);
                scratch.places[index][view] = place.plus(change);
                let sum = i32::from(parent.sums[view]) + change;
                scratch.sums[index][view] = sum as i16;
                let over = sum + 1 - i32::from(parent.left);
                scratch.live[kept % CHILDREN] = index as u8;
                kept += usize::from(over <= 0);
                over_all = over_all.min(if over <= 0 { i32::MAX } else { over });
            }
            live = kept;
        }
        self.least_over = over_all;
        live
    }

    /// Puts the live children on the stack, the last in depth-first order first. `false` if one shows that tables are wrong.
    #[inline(always)]
    fn push(&mut self, live: usize, round: &Round<Node<B, V, P>>) -> bool {
        let BatchDfs {
            field,
            stack,
            trail,
            batch,
            scratch,
            is_found,
            rest,
            ..
        } = self;
        // Nodes up to the parent of a live child, in depth-first order; `None` for the one before the first.
        let counted = |at: Option<usize>| {
            at.map_or(DeferredCounts::default(), |at| {
                let index = usize::from(scratch.live[at % CHILDREN]) % CHILDREN;
                scratch.counts[usize::from(scratch.children[index].parent)]
            })
        };
        // Counts of nodes after the last child's parent go to whatever comes next.
        let mut until = counted(live.checked_sub(1));
        leave(stack, rest, scratch.counts[0].minus(until));
        for at in (0..live).rev() {
            let index = usize::from(scratch.live[at]) % CHILDREN;
            let child = &scratch.children[index];
            let parent = &batch[usize::from(child.parent)];
            let before = counted(at.checked_sub(1));
            trail.push(Step {
                before: parent.trail,
                by: (child.slide % MOVES as u16) as u8,
            });
            // Copied first and changed in its place: a node made elsewhere and then copied would be read in larger words
            // than it was written, which stalls the processor.
            let top = stack.len();
            stack.push(*parent);
            let node = &mut stack[top];
            for view in 0..field.views.min(V) {
                let slot = field.slots[view][usize::from(child.tile) % TILES];
                node.places[usize::from(slot)] = scratch.places[index][view];
                node.sums[view] = scratch.sums[index][view];
            }
            let blank = child.turn.cell();
            node.pieces = parent
                .pieces
                .slid(child.tile, blank, parent.blank, field.goal_blank);
            node.before = until.minus(before);
            node.trail = trail.len() as u32 - 1;
            node.left = parent.left - 1;
            node.manhattan = scratch.manhattan[index];
            node.turn = child.turn.next();
            node.blank = blank;
            until = before;
            let is_zero = if M::GENERAL && field.distance.is_some() {
                node.manhattan == 0
            } else {
                node.sums[0] == 0
            };
            if is_zero && node.pieces == field.goal {
                if round.wants_all() {
                    // No solution goes on through the goal.
                    let counts = node.before;
                    stack.truncate(top);
                    leave(stack, rest, counts);
                    round.add_goal(&path(trail, trail.len() - 1));
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

    /// Counts what is left when nothing waits any more, and hands a goal over.
    fn settle(&mut self, round: &Round<Node<B, V, P>>) {
        match self.stack.pop() {
            Some(goal) => {
                let path = path(&self.trail, goal.trail as usize);
                self.reached += goal.before;
                self.reached.generated -= self.field.not_reached(&path);
                self.is_found = false;
                round.add_goal(&path);
            }
            None => self.reached += self.rest,
        }
        self.rest = DeferredCounts::default();
    }
}

/// The moves on the path to a step of the trail, by their numbers in the order.
fn path(trail: &[Step], at: usize) -> Vec<u8> {
    let (mut path, mut at) = (Vec::new(), at);
    while at > 0 {
        path.push(trail[at].by);
        at = trail[at].before as usize;
    }
    path.reverse();
    path
}

/// Leaves counts to the next node of the stack, or to those after the last.
#[inline(always)]
fn leave<B, const V: usize, const P: usize>(
    stack: &mut [Node<B, V, P>],
    rest: &mut DeferredCounts,
    counts: DeferredCounts,
) {
    let next = stack.last_mut().map_or(rest, |top| &mut top.before);
    *next = next.plus(counts);
}

/// Whether the processor has the instructions of [`BatchDfs::run_counting`].
#[cfg(target_arch = "x86_64")]
fn has_counting_instructions() -> bool {
    is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move_table::MoveTable;
    use crate::table_set::{General, Heuristic};
    use pdb_table::{Table, TableError};
    use puzzle::{Board, Goal, HeuristicSpec, TableKind};

    use super::super::iteration::Want;

    /// Found with a trail of any room, and the most steps that it had.
    fn solve(board: &str, length: i16, room: usize) -> (Vec<u8>, Count, usize) {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let spec = HeuristicSpec::parse("manhattan", &goal).unwrap();
        let open = |_| -> Result<Table<crate::table_set::AnyBytes>, TableError> { unreachable!() };
        let heuristic: Heuristic<u64> = Heuristic::new(&spec, open).unwrap();
        let turns = MoveTable::new(goal.tray(), spec.order(), 2);
        let state = goal.state(&Board::parse(board, None).unwrap()).unwrap();
        let field = Context::<u64, u64, General, 2, 8>::new(&heuristic, &state, &turns).unwrap();
        let root = Node {
            left: length,
            ..field.root
        };
        let round = Round::new(Want::First, root, u64::MAX);
        let mut band = BatchDfs::new(&field);
        band.trail_room = room;
        let task = round.next_task(&mut || ()).unwrap();
        band.take(task, &round);
        assert!(matches!(band.run(&round, &mut |_| ()), End::Done));
        let (reached, most) = (band.reached, band.trail_room.max(band.trail.capacity()));
        let mut goals = round.goals();
        (goals.paths.pop().unwrap().1, reached, most)
    }

    #[test]
    fn tidying_the_trail_changes_nothing() {
        for (board, length) in [
            ("8 6 7/2 5 4/3 0 1", 31),
            ("6 4 7/8 5 0/3 2 1", 31),
            ("1 2 3/4 5 6/0 7 8", 2),
        ] {
            let roomy = solve(board, length, usize::MAX);
            let tight = solve(board, length, 1);
            assert_eq!((&roomy.0, roomy.1), (&tight.0, tight.1));
            // Some hundred nodes on the stack with paths of 31 steps at most, twice, and rounded up.
            assert!(tight.2 <= 8192, "{}", tight.2);
        }
    }
}
