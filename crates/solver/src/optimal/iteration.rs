//! One iteration of IDA*, shared by its threads.

use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::calls::NodeCount;
use crate::threads::lock;

/// The top of the search tree, whose subtrees are the tasks.
pub(super) trait Source<T>: Send {
    /// Works until a task is ready, for about a millisecond at most.
    fn next(&mut self, iteration: &SharedIteration<T>) -> Supply<T>;

    /// Result of the work so far.
    fn total(&self) -> Total;
}

/// Result of the work of a thread, or of the top of the search tree.
pub(super) struct Total {
    /// Counts of the nodes that plain depth-first search has reached.
    pub(super) reached: NodeCount,
    /// Counts of all nodes.
    pub(super) all: NodeCount,
    /// Smallest excess of a pruned node over the bound; `i32::MAX` if none was pruned.
    pub(super) least_over: i32,
    pub(super) is_too_deep: bool,
}

impl Total {
    pub(super) fn new() -> Self {
        Total {
            reached: NodeCount::default(),
            all: NodeCount::default(),
            least_over: i32::MAX,
            is_too_deep: false,
        }
    }

    pub(super) fn add_to(self, total: &Mutex<Total>) {
        let mut total = lock(total);
        total.reached += self.reached;
        total.all += self.all;
        total.least_over = total.least_over.min(self.least_over);
        total.is_too_deep |= self.is_too_deep;
    }
}

/// What a [`Source`] returns.
pub(super) enum Supply<T> {
    Task(T),
    /// No task is ready yet.
    Later,
    /// The whole top has been searched.
    End,
}

/// The goals found so far.
#[derive(Default)]
pub(super) struct Goals {
    /// Lengths and paths of at most the requested number of goals: the first goals by length, and
    /// among equal lengths in depth-first order. The top of the heap is the last goal in this
    /// order.
    pub(super) paths: BinaryHeap<(usize, Vec<u8>)>,
    /// Number of solutions of each length.
    pub(super) lengths: Vec<u64>,
}

/// Requested solutions.
#[derive(Clone, Copy)]
pub(super) enum Want {
    /// The first solution.
    First,
    /// All solutions within the bound are counted. The value is the maximum number of solutions
    /// whose paths are kept.
    All(usize),
}

/// Waiting work, and the number of working threads.
struct Queue<T> {
    tasks: Vec<T>,
    working: usize,
}

/// Number of nodes that a thread generates between two checks. This takes about half a millisecond.
/// A check compares the counters with the limits, and looks for threads that wait for work.
const NODES_PER_CHECK: u64 = 1 << 14;
/// Time that a thread waits for work before it checks the limits.
const IDLE: Duration = Duration::from_millis(10);

/// Data of one iteration that its threads share.
pub(super) struct SharedIteration<'s, T> {
    want: Want,
    /// Provides tasks when the queue is empty.
    source: Mutex<Box<dyn Source<T> + 's>>,
    has_source: AtomicBool,
    queue: Mutex<Queue<T>>,
    /// Signals a change of the queue, or the end of the iteration.
    changed: Condvar,
    /// Number of threads that wait for work.
    waiting: AtomicUsize,
    /// Whether more than one thread works or has worked.
    is_shared: AtomicBool,
    is_over: AtomicBool,
    goals: Mutex<Goals>,
    /// Number of generated nodes that the threads have reported.
    generated: AtomicU64,
    max_nodes: u64,
}

impl<'s, T> SharedIteration<'s, T> {
    /// Begins with one thread, which generates at most `max_nodes` nodes.
    pub(super) fn new(want: Want, source: Box<dyn Source<T> + 's>, max_nodes: u64) -> Self {
        SharedIteration {
            want,
            source: Mutex::new(source),
            has_source: AtomicBool::new(true),
            queue: Mutex::new(Queue {
                tasks: Vec::new(),
                working: 1,
            }),
            changed: Condvar::new(),
            waiting: AtomicUsize::new(0),
            is_shared: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            goals: Mutex::default(),
            generated: AtomicU64::new(0),
            max_nodes,
        }
    }

    /// Adds a number of nodes that a thread has generated.
    pub(super) fn add_nodes(&self, generated: u64) {
        self.generated.fetch_add(generated, Ordering::Relaxed);
    }

    /// Number of generated nodes that the threads have reported.
    pub(super) fn generated(&self) -> u64 {
        self.generated.load(Ordering::Relaxed)
    }

    /// Number of nodes that a thread generates before it checks the limits again.
    pub(super) fn nodes_to_check(&self) -> u64 {
        NODES_PER_CHECK.min(self.max_nodes.saturating_sub(self.generated()))
    }

    pub(super) fn wants_all(&self) -> bool {
        matches!(self.want, Want::All(_))
    }

    /// Adds the calling thread, which must then request work.
    pub(super) fn join(&self) {
        self.is_shared.store(true, Ordering::Relaxed);
        lock(&self.queue).working += 1;
    }

    pub(super) fn is_shared(&self) -> bool {
        self.is_shared.load(Ordering::Relaxed)
    }

    /// Waits until there is a task for an idle thread; `None` when the iteration is over. Calls
    /// `idle` regularly while the thread waits.
    #[inline(never)]
    pub(super) fn next_task(&self, idle: &mut dyn FnMut()) -> Option<T> {
        let mut queue = lock(&self.queue);
        let mut is_waiting = false;
        loop {
            if self.is_over() {
                return None;
            }
            // One thread searches the top while the others wait for it. They count as working.
            if queue.tasks.is_empty() && self.has_source.load(Ordering::Relaxed) {
                drop(queue);
                let supply = lock(&self.source).next(self);
                match supply {
                    Supply::Task(task) => return Some(task),
                    Supply::Later => idle(),
                    Supply::End => self.has_source.store(false, Ordering::Relaxed),
                }
                queue = lock(&self.queue);
                continue;
            }
            if let Some(task) = queue.tasks.pop() {
                if is_waiting {
                    queue.working += 1;
                    self.waiting.fetch_sub(1, Ordering::Relaxed);
                }
                return Some(task);
            }
            if !is_waiting {
                is_waiting = true;
                queue.working -= 1;
                self.waiting.fetch_add(1, Ordering::Relaxed);
            }
            if queue.working == 0 {
                self.is_over.store(true, Ordering::Relaxed);
                self.changed.notify_all();
                continue;
            }
            let waited = self.changed.wait_timeout(queue, IDLE);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
            if queue.tasks.is_empty() && !self.is_over() {
                drop(queue);
                idle();
                queue = lock(&self.queue);
            }
        }
    }

    /// Whether a thread waits for work and no other thread has provided work yet.
    pub(super) fn wants_work(&self) -> bool {
        let waiting = self.waiting.load(Ordering::Relaxed);
        waiting > 0 && lock(&self.queue).tasks.len() < waiting
    }

    pub(super) fn give(&self, task: T) {
        lock(&self.queue).tasks.push(task);
        self.changed.notify_one();
    }

    /// Ends the iteration for all threads.
    pub(super) fn end(&self) {
        // The lock is held, so that no thread begins to wait between the store and the
        // notification.
        let _queue = lock(&self.queue);
        self.is_over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Adds a goal.
    #[inline(never)]
    pub(super) fn add_goal(&self, path: &[u8]) {
        let mut goals = lock(&self.goals);
        let max = match self.want {
            Want::First => 1,
            Want::All(max) => max,
        };
        // The kept paths do not depend on the order in which the threads find paths.
        let is_kept = |(length, last): &(usize, Vec<u8>)| (path.len(), path) < (*length, last);
        if goals.paths.len() < max || goals.paths.peek().is_some_and(is_kept) {
            goals.paths.push((path.len(), path.to_vec()));
        }
        if goals.paths.len() > max {
            goals.paths.pop();
        }
        if goals.lengths.len() <= path.len() {
            goals.lengths.resize(path.len() + 1, 0);
        }
        goals.lengths[path.len()] += 1;
        // The iteration can end: shorter solutions are ruled out, and a single thread adds a goal
        // only after it has searched all nodes that precede the goal.
        if matches!(self.want, Want::First) {
            drop(goals);
            self.end();
        }
    }

    /// The goals, and the result of the work of the source.
    pub(super) fn finish(self) -> (Goals, Total) {
        let goals = std::mem::take(&mut *lock(&self.goals));
        let total = lock(&self.source).total();
        (goals, total)
    }
}
