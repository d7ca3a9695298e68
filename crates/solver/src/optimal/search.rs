//! One iteration of IDA* in the single-tile metric, on one thread or several.
//!
//! The heuristic is the maximum over views of the sum over a view's parts. It is updated after each
//! move. A move changes one part of each view: the part's shape, the order of its tiles and its
//! value.

use std::sync::Mutex;

use puzzle::{Direction, State};

use super::batch_dfs::{BatchDfs, End};
use super::context::{Context, Start};
use super::frontier::{Frontier, Room};
use super::iteration::{Goals, SharedIteration, Total, Want};
use super::move_table::{MoveTable, PruningSchedule};
use super::node::Task;
use crate::boards::PackedBoard;
use crate::calls::{DuplicatePruning, Finished, Limits, Request, SearchRecord, SearchStatus};
use crate::deepening::{Deepen, Iterate, IterationResult};
use crate::tables::{CellRoom, DamagedTable, Heuristic, LookupMode};
use crate::threads::{OnPanic, ThreadPermits, lock, scope};

/// Number of generated nodes after which the subtrees of an iteration are searched in the order of
/// [`Frontier`]. This saves 17 % of the nodes of 1,500 random 4x4 boards with 6-6-3, 4 % with 7-8.
const LONG_SEARCH: u64 = 30_000;

/// A copy of the depth-first search, with nodes of a fixed size.
pub(super) struct SearchCopy<B, W: CellRoom> {
    room: Room,
    work: Work<B, W>,
}

/// Works on an iteration until no work is left.
type Work<B, W> = for<'a, 'b> fn(
    &'a Start<'b, W>,
    &'a MoveTable,
    &SharedIteration<'_, Task<B, <W as CellRoom>::Word>>,
    Option<&SearchRecord>,
    &mut dyn FnMut(),
) -> Total;

impl<B: PackedBoard, W: CellRoom> SearchCopy<B, W> {
    /// The copy with room for `V` views and `P` parts.
    pub(super) fn new<M: LookupMode, const V: usize, const P: usize>() -> Self {
        SearchCopy {
            room: Room { views: V, parts: P },
            work: work::<B, W, M, V, P>,
        }
    }

    /// Begins a search and passes it to `deepen`. If there are more views or parts than a node has
    /// room for, each subtree is searched with some of the views.
    pub(super) fn search(
        self,
        heuristic: &Heuristic<W>,
        state: &State,
        schedule: &PruningSchedule,
        limits: Limits,
        deepen: &mut Deepen,
    ) -> Result<(), DamagedTable> {
        deepen(&mut SingleTileSearch {
            start: Start::new(heuristic, state)?,
            copy: self,
            schedule,
            limits,
        })
    }
}

/// A search of one board.
struct SingleTileSearch<'a, B, W: CellRoom> {
    start: Start<'a, W>,
    copy: SearchCopy<B, W>,
    schedule: &'a PruningSchedule,
    limits: Limits<'a>,
}

impl<B: PackedBoard, W: CellRoom> Iterate for SingleTileSearch<'_, B, W> {
    fn h0(&self) -> i32 {
        self.start.h0()
    }

    /// The cost grows with the number of views: a node of `best` takes 83 ns with four views and
    /// 128 ns with six views.
    fn node_cost(&self) -> f64 {
        self.start.views.len().clamp(1, self.copy.room.views) as f64
    }

    fn iterate(
        &mut self,
        bound: i32,
        request: Request,
        status: SearchStatus,
    ) -> Result<IterationResult, DamagedTable> {
        let (moves, want) = match request {
            Request::Shortest(pruning) => {
                let is_over = || self.limits.is_over(&status);
                let moves = self.schedule.at(status.generated, pruning, &is_over);
                (moves, Want::First)
            }
            // The automaton prunes alternative paths to an arrangement. A search for all solutions
            // needs these paths.
            Request::UpTo { most, .. } => (self.schedule.parent_only(), Want::All(most)),
        };
        let limits = self.limits;
        let most = limits
            .nodes
            .map_or(u64::MAX, |most| most.saturating_sub(status.generated));
        let total = Mutex::new(Total::new());
        let SearchCopy { room, work } = self.copy;
        // With `ParentOnly` the search is plain IDA*, whose node counts are published.
        let is_automaton = matches!(request, Request::Shortest(DuplicatePruning::Automaton));
        let (start, has_order) = (&self.start, is_automaton && status.generated >= LONG_SEARCH);
        let frontier = Frontier::<B, W>::new(start, moves, bound, room, has_order, limits.record);
        let iteration = SharedIteration::new(want, Box::new(frontier), most);
        let mut is_stopped = false;
        scope(&mut |scope| {
            let (mut threads, mut may_spawn) = (1, true);
            let mut check = || {
                let in_iteration = iteration.generated();
                let status = SearchStatus {
                    in_iteration,
                    generated: status.generated + in_iteration,
                    threads,
                    ..status
                };
                if limits.is_over(&status) {
                    is_stopped = true;
                    iteration.end();
                }
                // No thread is added at the first check, before the first node, because short
                // searches need no help. A node limit applies to a single thread, so a search with
                // a node limit uses no other threads.
                let may_share = may_spawn && in_iteration > 0 && limits.nodes.is_none();
                let Some(permit) = limits
                    .permits
                    .filter(|_| may_share)
                    .and_then(ThreadPermits::take)
                else {
                    return;
                };
                let help = || {
                    let _permit = permit;
                    iteration.join();
                    work(&self.start, moves, &iteration, limits.record, &mut || ()).add_to(&total);
                };
                // If the system cannot start another thread, the running threads do all the work.
                match scope.start(help) {
                    true => threads += 1,
                    false => may_spawn = false,
                }
            };
            check();
            work(&self.start, moves, &iteration, limits.record, &mut check).add_to(&total);
        });
        let is_exact = !is_stopped && !iteration.is_shared();
        let (goals, top) = iteration.finish();
        top.add_to(&total);
        let (solutions, lengths) = solutions(goals, self.schedule);
        let total = std::mem::replace(&mut *lock(&total), Total::new());
        if total.is_too_deep {
            return Err(DamagedTable(None));
        }
        Ok(IterationResult {
            nodes: if is_exact { total.reached } else { total.all },
            next: (total.least_over < i32::MAX).then(|| bound + total.least_over),
            solutions,
            lengths,
            is_stopped,
        })
    }
}

/// The tile moves of the solutions found, and the number of solutions by length.
fn solutions(goals: Goals, schedule: &PruningSchedule) -> (Vec<Vec<Direction>>, Vec<u64>) {
    let (moves, paths) = (schedule.parent_only(), goals.paths.into_sorted_vec());
    let solutions = paths.iter().map(|(_, path)| moves.tile_moves(path));
    (solutions.collect(), goals.lengths)
}

/// Works on an iteration until no work is left, with nodes that have room for `V` views and `P`
/// parts.
fn work<B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize>(
    start: &Start<W>,
    moves: &MoveTable,
    iteration: &SharedIteration<Task<B, W::Word>>,
    record: Option<&SearchRecord>,
    check: &mut dyn FnMut(),
) -> Total {
    // Without this guard, the other threads would wait for ever after a panic. The panic continues
    // when all threads have ended.
    let _panics = OnPanic(|| iteration.end());
    let mut dfs = BatchDfs::<B, W, M, V, P>::new();
    let (mut least_over, mut is_too_deep) = (i32::MAX, false);
    while let Some(task) = iteration.next_task(check) {
        let context = Context::new(start, &task.views, moves);
        let (origin, before) = (task.origin.clone(), dfs.all);
        dfs.take(task, &context, iteration);
        let end = dfs.run(&context, iteration, &mut |dfs| {
            check();
            if iteration.wants_work() {
                dfs.split(&context, origin.as_ref())
                    .into_iter()
                    .for_each(|task| iteration.give(task));
            }
        });
        if matches!(end, End::TooDeep) {
            iteration.end();
            is_too_deep = true;
        }
        if let Some((origin, record)) = origin.zip(record) {
            let finished = Finished {
                nodes: dfs.all.since(before),
                least_over: dfs.least_over,
            };
            origin.end_piece((!iteration.is_over()).then_some(finished), record);
        }
        least_over = least_over.min(dfs.least_over);
        dfs.least_over = i32::MAX;
    }
    Total {
        reached: dfs.reached,
        all: dfs.all,
        least_over,
        is_too_deep,
    }
}
