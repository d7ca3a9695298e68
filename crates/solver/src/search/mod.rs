//! IDA* (Korf 1985): depth-first searches with growing bounds on the length of the solution, by one
//! thread or several.
//!
//! The heuristic is the maximum over views of the sum over a view's parts, and is carried along: a
//! move changes one part of each view, and of that only the shape, the order of the tiles and the
//! value.
//!
//! - `context.rs`: what is read and never changed.
//! - `node.rs`, `batch_dfs.rs`: depth-first search, the hot path; `trail.rs`: the paths of its
//!   nodes; `deferred_counts.rs`: exact node counts.
//! - `iteration.rs`: one iteration by several threads. A thread without work gets every second node
//!   of another's stack.
//! - `limits.rs`: limits, cancelling, progress.

mod batch_dfs;
mod context;
mod deferred_counts;
mod iteration;
mod limits;
mod node;
mod trail;

use std::sync::{Mutex, PoisonError};

use puzzle::{Direction, State};

use crate::cell_room::CellRoom;
use crate::lookup::{Heuristic, Mode};
use crate::move_table::{DuplicatePruning, MoveTable, PruningSchedule};
use crate::packed_board::PackedBoard;
use crate::scope::scope;
use crate::table_set::DamagedTable;

use batch_dfs::{BatchDfs, End};
use context::Context;
use iteration::{Goals, Iteration, Want};
use node::Node;

pub(crate) use deferred_counts::NodeCount;
pub(crate) use limits::Limits;
pub use limits::{SearchStatus, ThreadPermits};

/// What to search for.
#[derive(Clone, Copy)]
pub(crate) enum Request {
    /// A shortest solution.
    Shortest(DuplicatePruning),
    /// All solutions of up to `length` moves, and the moves of the first `most` of them by length,
    /// then depth-first.
    UpTo {
        /// The longest.
        length: u32,
        /// What is proved already: none is shorter.
        shortest: u32,
        /// The most to keep.
        most: usize,
    },
}

impl Request {
    /// The length of the longest solution wanted, where all are.
    pub(crate) fn longest(self) -> Option<u32> {
        match self {
            Request::Shortest(_) => None,
            Request::UpTo { length, .. } => Some(length),
        }
    }
}

/// How a search ended, and what it cost.
pub(crate) struct SearchOutcome {
    /// Whether it came to its end.
    pub(crate) is_finished: bool,
    /// The moves of the tiles of the solutions found.
    pub(crate) solutions: Vec<Vec<Direction>>,
    /// How many solutions there are of each length.
    pub(crate) lengths: Vec<u64>,
    /// No solution is shorter than this.
    pub(crate) bound: u32,
    pub(crate) h0: u32,
    /// What each iteration cost, the one that was stopped included.
    pub(crate) iterations: Vec<crate::Iteration>,
}

/// Searches, with room for `V` views and `P` parts.
pub(crate) fn search<B: PackedBoard, W: CellRoom, M: Mode, const V: usize, const P: usize>(
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

impl<'a, B: PackedBoard, W: CellRoom, M: Mode, const V: usize, const P: usize> Iterate<'a>
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
        iterate(self, bound, want, status, limits)
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
            in_iteration: 0,
            last,
            threads: 1,
            longest: request.longest(),
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

/// Searches all paths from the root whose estimates stay within the bound.
fn iterate<B: PackedBoard, W: CellRoom, M: Mode, const V: usize, const P: usize>(
    context: &Context<B, W, M, V, P>,
    bound: i32,
    want: Want,
    status: SearchStatus,
    limits: Limits,
) -> Result<IterationResult, DamagedTable> {
    let root = Node {
        left: i16::try_from(bound).unwrap_or(i16::MAX),
        ..context.root
    };
    let most = limits
        .nodes
        .map_or(u64::MAX, |most| most.saturating_sub(status.generated));
    let iteration = Iteration::new(want, root, most);
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
                Total::of(work(BatchDfs::new(context), &iteration, &mut || ())).add_to(&total);
            };
            // Where the system gives no more threads, the others do the work.
            match scope.start(help) {
                true => threads += 1,
                false => may_spawn = false,
            }
        };
        check();
        let worked = work(BatchDfs::new(context), &iteration, &mut check);
        Total::of(worked).add_to(&total);
    });
    let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
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

/// What a thread's work comes to.
#[derive(Default)]
struct Total {
    reached: NodeCount,
    all: NodeCount,
    least_over: Option<i32>,
    is_too_deep: bool,
}

impl Total {
    fn of<B: PackedBoard, W: CellRoom, M: Mode, const V: usize, const P: usize>(
        (dfs, end): (BatchDfs<B, W, M, V, P>, End),
    ) -> Total {
        Total {
            reached: dfs.reached,
            all: dfs.all,
            least_over: dfs.least_over(),
            is_too_deep: matches!(end, End::TooDeep),
        }
    }

    fn add_to(self, total: &Mutex<Total>) {
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        total.reached += self.reached;
        total.all += self.all;
        let both = total.least_over.into_iter().chain(self.least_over);
        total.least_over = both.min();
        total.is_too_deep |= self.is_too_deep;
    }
}

/// Works on an iteration until there is nothing left to do.
fn work<'f, 'a, B: PackedBoard, W: CellRoom, M: Mode, const V: usize, const P: usize>(
    mut dfs: BatchDfs<'f, 'a, B, W, M, V, P>,
    iteration: &Iteration<Node<B, W::Word, V, P>>,
    check: &mut dyn FnMut(),
) -> (BatchDfs<'f, 'a, B, W, M, V, P>, End) {
    let _panics = EndOnPanic(iteration);
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
            return (dfs, end);
        }
    }
    (dfs, End::Done)
}

/// A thread that panics ends the iteration, since the others would wait for it for ever. The panic
/// goes on when all have ended.
struct EndOnPanic<'r, N>(&'r Iteration<N>);

impl<N> Drop for EndOnPanic<'_, N> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}
