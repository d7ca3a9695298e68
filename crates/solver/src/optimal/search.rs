//! One iteration of IDA* in the single-tile metric, on one thread or several.
//!
//! The heuristic is the maximum over views of the sum over a view's parts. It is updated after each
//! move. A move changes one part of each view: the part's shape, the order of its tiles and its
//! value.

use std::sync::Mutex;

use puzzle::{Direction, State};

use super::batch_dfs::{BatchDfs, End};
use super::context::Context;
use super::iteration::{Goals, SharedIteration, Want};
use super::move_table::PruningSchedule;
use super::node::DfsNode;
use crate::boards::PackedBoard;
use crate::calls::{Limits, NodeCount, Request, SearchStatus};
use crate::deepening::{Deepen, Iterate, IterationResult};
use crate::tables::{CellRoom, DamagedTable, Heuristic, LookupMode};
use crate::threads::{OnPanic, ThreadPermits, lock, scope};

/// Begins a search with room for `V` views and `P` parts, and passes it to `deepen`.
pub(super) fn search<B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize>(
    heuristic: &Heuristic<W>,
    state: &State,
    schedule: &PruningSchedule,
    limits: Limits,
    deepen: &mut Deepen,
) -> Result<(), DamagedTable> {
    let context = Context::<B, W, M, V, P>::new(heuristic, state, schedule.parent_only())?;
    deepen(&mut SingleTileSearch {
        context,
        schedule,
        limits,
    })
}

/// A search of one board.
struct SingleTileSearch<'a, B, W: CellRoom, M, const V: usize, const P: usize> {
    context: Context<'a, B, W, M, V, P>,
    schedule: &'a PruningSchedule,
    limits: Limits<'a>,
}

impl<B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize> Iterate
    for SingleTileSearch<'_, B, W, M, V, P>
{
    fn h0(&self) -> i32 {
        let root = &self.context.root;
        let sums = root.sums.iter().copied();
        i32::from(sums.fold(root.manhattan, i16::max))
    }

    /// The cost grows with the number of views: a node of `best` takes 83 ns with four views and
    /// 128 ns with six views.
    fn node_cost(&self) -> f64 {
        self.context.views.max(1) as f64
    }

    fn iterate(
        &mut self,
        bound: i32,
        request: Request,
        status: SearchStatus,
    ) -> Result<IterationResult, DamagedTable> {
        let want = match request {
            Request::Shortest(pruning) => {
                self.context.moves = self.schedule.at(status.generated, pruning);
                Want::First
            }
            // The automaton prunes alternative paths to an arrangement. A search for all solutions
            // needs these paths.
            Request::UpTo { most, .. } => Want::All(most),
        };
        let (context, limits) = (&self.context, self.limits);
        let root = DfsNode {
            left: i16::try_from(bound).unwrap_or(i16::MAX),
            ..context.root
        };
        let most = limits
            .nodes
            .map_or(u64::MAX, |most| most.saturating_sub(status.generated));
        let iteration = SharedIteration::new(want, root, most);
        let total = Mutex::new(Total::default());
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
                    work(BatchDfs::new(context), &iteration, &mut || ()).add_to(&total);
                };
                // If the system cannot start another thread, the running threads do all the work.
                match scope.start(help) {
                    true => threads += 1,
                    false => may_spawn = false,
                }
            };
            check();
            work(BatchDfs::new(context), &iteration, &mut check).add_to(&total);
        });
        let total = std::mem::take(&mut *lock(&total));
        if total.is_too_deep {
            return Err(DamagedTable(None));
        }
        let is_exact = !is_stopped && !iteration.is_shared();
        let (solutions, lengths) = solutions(iteration.goals(), self.schedule);
        Ok(IterationResult {
            nodes: if is_exact { total.reached } else { total.all },
            next: total.least_over.map(|over| bound + over),
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

/// Result of a thread's work.
#[derive(Default)]
struct Total {
    reached: NodeCount,
    all: NodeCount,
    least_over: Option<i32>,
    is_too_deep: bool,
}

impl Total {
    fn add_to(self, total: &Mutex<Total>) {
        let mut total = lock(total);
        total.reached += self.reached;
        total.all += self.all;
        let both = total.least_over.into_iter().chain(self.least_over);
        total.least_over = both.min();
        total.is_too_deep |= self.is_too_deep;
    }
}

/// Works on an iteration until no work is left.
fn work<B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize>(
    mut dfs: BatchDfs<B, W, M, V, P>,
    iteration: &SharedIteration<DfsNode<B, W::Word, V, P>>,
    check: &mut dyn FnMut(),
) -> Total {
    // Without this guard, the other threads would wait for ever after a panic. The panic continues
    // when all threads have ended.
    let _panics = OnPanic(|| iteration.end());
    let mut is_too_deep = false;
    while let Some(task) = iteration.next_task(check) {
        dfs.take(task, iteration);
        let end = dfs.run(iteration, &mut |dfs| {
            check();
            if iteration.wants_work() {
                dfs.split()
                    .into_iter()
                    .for_each(|task| iteration.give(task));
            }
        });
        if matches!(end, End::TooDeep) {
            iteration.end();
            is_too_deep = true;
        }
    }
    Total {
        reached: dfs.reached,
        all: dfs.all,
        least_over: dfs.least_over(),
        is_too_deep,
    }
}
