//! IDA* (Korf 1985): depth-first searches with growing bounds on the length of the solution, by one
//! thread or several.
//!
//! The heuristic is the maximum over views of the sum over a view's parts, and is carried along: a
//! move changes one part of each view, and of that only the shape, the order of the tiles and the
//! value.

use std::sync::Mutex;

use puzzle::State;

use super::batch_dfs::{BatchDfs, End};
use super::context::Context;
use super::iteration::{Goals, SharedIteration, Want};
use super::move_table::{MoveTable, PruningSchedule};
use super::node::DfsNode;
use crate::boards::PackedBoard;
use crate::calls::{Limits, NodeCount, Request, SearchOutcome, SearchStatus};
use crate::tables::{CellRoom, DamagedTable, Heuristic, LookupMode};
use crate::threads::{OnPanic, ThreadPermits, lock, scope};

/// Searches, with room for `V` views and `P` parts.
pub(crate) fn search<B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize>(
    heuristic: &Heuristic<W>,
    state: &State,
    schedule: &PruningSchedule,
    request: Request,
    limits: Limits,
) -> Result<SearchOutcome, DamagedTable> {
    let mut context = Context::<B, W, M, V, P>::new(heuristic, state, schedule.parent_only())?;
    deepen(&mut context, state, schedule, request, limits)
}

/// A search of one board that can do one iteration: [`deepen`] is compiled once for all of them.
trait Iterate<'a> {
    /// The estimate of the root.
    fn h0(&self) -> i32;
    /// Sets the automaton that prunes duplicates.
    fn set_moves(&mut self, moves: &'a MoveTable);
    /// Searches all paths from the root whose estimates stay within the bound.
    fn iterate(
        &self,
        bound: i32,
        want: Want,
        status: SearchStatus,
        limits: Limits,
    ) -> Result<IterationResult, DamagedTable>;
}

impl<'a, B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize> Iterate<'a>
    for Context<'a, B, W, M, V, P>
{
    fn h0(&self) -> i32 {
        let sums = self.root.sums.iter().copied();
        i32::from(sums.fold(self.root.manhattan, i16::max))
    }

    fn set_moves(&mut self, moves: &'a MoveTable) {
        self.moves = moves;
    }

    fn iterate(
        &self,
        bound: i32,
        want: Want,
        status: SearchStatus,
        limits: Limits,
    ) -> Result<IterationResult, DamagedTable> {
        let root = DfsNode {
            left: i16::try_from(bound).unwrap_or(i16::MAX),
            ..self.root
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
                // The first check is before the first node: searches that end soon need no help. A
                // limit of nodes holds for one thread.
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
                    work(BatchDfs::new(self), &iteration, &mut || ()).add_to(&total);
                };
                // Where the system gives no more threads, the others do the work.
                match scope.start(help) {
                    true => threads += 1,
                    false => may_spawn = false,
                }
            };
            check();
            work(BatchDfs::new(self), &iteration, &mut check).add_to(&total);
        });
        let total = std::mem::take(&mut *lock(&total));
        if total.is_too_deep {
            return Err(DamagedTable(None));
        }
        let is_exact = !is_stopped && !iteration.is_shared();
        Ok(IterationResult {
            nodes: if is_exact { total.reached } else { total.all },
            next: total.least_over.map(|over| bound + over),
            goals: iteration.goals(),
            is_stopped,
        })
    }
}

/// Searches with growing bounds, up to the first with a solution.
fn deepen<'a>(
    context: &mut dyn Iterate<'a>,
    state: &State,
    schedule: &'a PruningSchedule,
    request: Request,
    limits: Limits,
) -> Result<SearchOutcome, DamagedTable> {
    let h0 = context.h0();
    let mut report = SearchOutcome {
        is_finished: true,
        solutions: Vec::new(),
        lengths: Vec::new(),
        bound: h0 as u32,
        h0: h0 as u32,
        iterations: Vec::new(),
    };
    if state.is_goal() {
        // The way from the goal to the goal has no moves, and every other one goes through it.
        report.solutions.push(Vec::new());
        report.lengths.push(1);
        return Ok(report);
    }
    let (mut bound, want) = match request {
        // Bounds keep their parity, which is that of the lengths of all solutions.
        Request::Shortest(_) => (h0.max(limits.from as i32), Want::First),
        Request::UpTo { length, most, .. } => {
            let length = i32::try_from(length).unwrap_or(i32::MAX);
            (length, Want::All(most))
        }
    };
    let (mut generated, mut last) = (0, [0, 0]);
    loop {
        if limits.is_too_long(bound as u32) {
            (report.is_finished, report.bound) = (false, bound as u32);
            return Ok(report);
        }
        let status = SearchStatus {
            bound: match request {
                Request::Shortest(_) => bound as u32,
                Request::UpTo { shortest, .. } => shortest,
            },
            generated,
            last,
            threads: 1,
            longest: request.longest(),
            ..SearchStatus::default()
        };
        // Strings of moves are forbidden since another path leads to the same arrangement: all
        // solutions need all paths.
        if let Request::Shortest(pruning) = request {
            context.set_moves(schedule.at(generated, pruning));
        }
        let IterationResult {
            nodes,
            next,
            goals,
            is_stopped,
        } = context.iterate(bound, want, status, limits)?;
        generated += nodes.generated;
        report.iterations.push(nodes.of_iteration(bound));
        report.bound = status.bound;
        last = [nodes.generated, last[0]];
        if is_stopped {
            report.is_finished = false;
            return Ok(report);
        }
        if matches!(request, Request::UpTo { .. }) || !goals.paths.is_empty() {
            let (moves, paths) = (schedule.parent_only(), goals.paths.into_sorted_vec());
            let paths = paths.iter();
            report.solutions = paths.map(|(_, path)| moves.tile_moves(path)).collect();
            report.lengths = goals.lengths;
            return Ok(report);
        }
        // Where nothing was pruned and nothing found, although the state is solvable, the values
        // are wrong.
        bound = next
            .filter(|&next| next > bound)
            .ok_or(DamagedTable(None))?;
    }
}

/// What an iteration came to.
struct IterationResult {
    nodes: NodeCount,
    /// The smallest estimate above the bound.
    next: Option<i32>,
    goals: Goals,
    is_stopped: bool,
}

/// What a thread's work comes to.
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

/// Works on an iteration until there is nothing left to do.
fn work<B: PackedBoard, W: CellRoom, M: LookupMode, const V: usize, const P: usize>(
    mut dfs: BatchDfs<B, W, M, V, P>,
    iteration: &SharedIteration<DfsNode<B, W::Word, V, P>>,
    check: &mut dyn FnMut(),
) -> Total {
    // The others would wait for this thread for ever. A panic goes on when all have ended.
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
