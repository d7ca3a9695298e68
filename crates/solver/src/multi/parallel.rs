//! One search up to a bound, shared between threads.
//!
//! Start nodes are a few moves away from the board. Each free thread receives the next start node
//! and searches from this node. Shorter solutions are already ruled out, so the first solution
//! found ends the search.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pdb_table::Progress;

use super::MultiHeuristic;
use super::search::{BoundEnd, Run, RunSearch, StartNode};
use crate::calls::{Limits, NodeCount, SearchStatus};
use crate::threads::{lock, scope};

/// Minimum number of start nodes per thread: with more start nodes the threads share the work more
/// evenly.
const STARTS_PER_THREAD: usize = 64;

/// State shared by all threads.
struct SharedStarts<F> {
    starts: Vec<StartNode>,
    next: AtomicUsize,
    is_over: AtomicBool,
    sum: Mutex<Sum<F>>,
}

struct Sum<F> {
    nodes: NodeCount,
    smallest: Option<i32>,
    ended: Option<BoundEnd>,
    solved: F,
}

/// [`RunSearch::iterate`] on several threads. Ignores the node limit.
pub(super) fn iterate_in_parallel<G: MultiHeuristic>(
    search: &mut RunSearch<'_, G>,
    start: &StartNode,
    bound: i32,
    threads: usize,
    solved: impl FnMut(&[Run]) -> ControlFlow<()> + Send,
) -> BoundEnd {
    let mut starts = vec![start.clone()];
    let mut smallest = None;
    let enough = threads * STARTS_PER_THREAD;
    // Shorter solutions are ruled out, so a node whose path is shorter than `bound` is not a goal
    // and can be replaced with its children. A node whose path has `bound` moves may be a goal and
    // must be kept.
    for _ in start.path.len()..usize::try_from(bound).unwrap_or(0) {
        if starts.is_empty() || starts.len() >= enough {
            break;
        }
        let mut next = Vec::new();
        for start in &starts {
            let (children, above) = search.split(start, bound);
            next.extend(children);
            smallest = least(smallest, above);
        }
        starts = next;
    }
    let (status, limits) = (search.status, search.limits);
    let shared = SharedStarts {
        starts,
        next: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
        sum: Mutex::new(Sum {
            nodes: NodeCount::default(),
            smallest,
            ended: None,
            solved,
        }),
    };
    let origin = &*search;
    let work = |is_first: bool| {
        // The first thread reports for all threads: it multiplies its own counts by the number of
        // threads, since all threads have about the same amount of work.
        let relay = limits.progress.map(|progress| {
            move |of_thread: &SearchStatus| {
                let in_iteration = of_thread.generated * threads as u64;
                progress.report(&SearchStatus {
                    generated: status.generated + in_iteration,
                    in_iteration,
                    threads,
                    ..status
                });
            }
        });
        let relay = relay.as_ref().filter(|_| is_first);
        let limits = Limits {
            nodes: None,
            ended: Some(&shared.is_over),
            progress: relay.map(|relay| relay as &dyn Progress<_>),
            ..limits
        };
        let mut search = origin.fork(limits);
        shared.work(&mut search, bound);
        let mut sum = lock(&shared.sum);
        sum.nodes += search.nodes;
    };
    scope(&mut |scope| {
        for _ in 1..threads {
            // If the system cannot start another thread, the running threads do all the work.
            if !scope.start(|| work(false)) {
                break;
            }
        }
        work(true);
    });
    let sum = lock(&shared.sum);
    search.nodes += sum.nodes;
    sum.ended.unwrap_or(BoundEnd::Exhausted(sum.smallest))
}

impl<F: FnMut(&[Run]) -> ControlFlow<()>> SharedStarts<F> {
    /// Searches from one start node after another until no start node is left or the search is
    /// over.
    fn work<G: MultiHeuristic>(&self, search: &mut RunSearch<'_, G>, bound: i32) {
        while !self.is_over.load(Ordering::Relaxed) {
            let Some(start) = self.starts.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let iteration = search.iterate(start, bound, |runs| {
                let mut sum = lock(&self.sum);
                match sum.ended {
                    // Another thread found a solution first.
                    Some(_) => ControlFlow::Break(()),
                    None => (sum.solved)(runs),
                }
            });
            let mut sum = lock(&self.sum);
            match iteration {
                BoundEnd::Exhausted(above) => sum.smallest = least(sum.smallest, above),
                ended => {
                    sum.ended.get_or_insert(ended);
                    self.is_over.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    }
}

/// The smaller of two optional values; a missing value is ignored.
fn least(a: Option<i32>, b: Option<i32>) -> Option<i32> {
    a.into_iter().chain(b).min()
}
