//! One call of the solver.

use super::limits::Limits;
use super::options::SolveOptions;
use crate::machine::{HAS_CLOCK, Instant};
use crate::threads::ThreadPermits;

/// One call with its options, its deadline, and the threads that it may start.
pub(crate) struct Call<'a> {
    pub(crate) options: &'a SolveOptions,
    pub(crate) deadline: Option<Instant>,
    helpers: ThreadPermits,
}

impl<'a> Call<'a> {
    pub(crate) fn begin(options: &'a SolveOptions) -> Self {
        // A time limit beyond the range of the clock has no effect.
        let end = |time| Instant::now().checked_add(time);
        Call {
            options,
            deadline: options.max_time.filter(|_| HAS_CLOCK).and_then(end),
            helpers: ThreadPermits::new(options.thread_count() - 1),
        }
    }

    /// The limits of one search of the call. Earlier searches generated `generated` nodes.
    pub(crate) fn limits(&self, generated: u64) -> Limits<'_> {
        let options = self.options;
        let left = |most: u64| most.saturating_sub(generated);
        Limits {
            nodes: options.max_nodes.map(left),
            deadline: self.deadline,
            cancel: Some(&options.cancel),
            progress: options.progress.as_deref(),
            permits: Some(self.permits()),
            side: options.side,
            ..Limits::default()
        }
    }

    pub(crate) fn permits(&self) -> &ThreadPermits {
        self.options.permits.as_deref().unwrap_or(&self.helpers)
    }

    /// Whether the call must end, because it was cancelled or its time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.options.cancel.is_cancelled() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}
