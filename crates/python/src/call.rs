//! Calls that may take long.
//!
//! Python runs the handlers of signals on its main thread alone, and only when that comes to it. So
//! the work is done on a thread of its own, and the calling thread, which has given up the
//! interpreter's lock, wakes every [`TICK`]: it lets Python look for signals, looks whether the
//! caller's token was cancelled, and tells who listens how far the work is. When the call must end,
//! the work's token is cancelled; work that has not ended [`PATIENCE`] after that is left to end by
//! itself, so that Ctrl-C takes at most the two together. The price is a thread for each call, some
//! 20 microseconds.
//!
//! There is no pool of threads that stays: a process that is forked would have the pool, but not
//! its threads.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use solver::{Cancel, number_of_threads};

use crate::failure::Failure;
use crate::progress::Listener;

/// How often the calling thread wakes.
pub(crate) const TICK: Duration = Duration::from_millis(10);
/// How long a call that is interrupted waits for its work to end.
const PATIENCE: Duration = Duration::from_millis(15);
/// How long one that is cancelled waits for the best answer so far.
const PATIENCE_FOR_ANSWER: Duration = Duration::from_millis(500);

/// How work ended: with its value, or with a panic.
type End<T> = Result<T, Box<dyn Any + Send>>;

struct State<T, E> {
    events: VecDeque<E>,
    end: Option<End<T>>,
}

/// What work tells the thread that waits for it.
pub(crate) struct Mail<T, E> {
    state: Mutex<State<T, E>>,
    changed: Condvar,
}

/// What work told.
pub(crate) enum News<T, E> {
    /// Something on the way.
    Event(E),
    /// How it ended; nothing comes after this.
    End(End<T>),
}

impl<T, E> Mail<T, E> {
    /// Tells of something on the way.
    pub(crate) fn send(&self, event: E) {
        self.lock().events.push_back(event);
        self.changed.notify_all();
    }

    /// What is left behind by a panic is whole: every change is made in one step.
    fn lock(&self) -> MutexGuard<'_, State<T, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Work on a thread of its own.
pub(crate) struct Job<T, E>(Arc<Mail<T, E>>);

impl<T: Send + 'static, E: Send + 'static> Job<T, E> {
    /// Begins the work.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn start(
        work: impl FnOnce(&Arc<Mail<T, E>>) -> T + Send + 'static,
    ) -> Result<Self, Failure> {
        let mail = Arc::new(Mail {
            state: Mutex::new(State {
                events: VecDeque::new(),
                end: None,
            }),
            changed: Condvar::new(),
        });
        let own = Arc::clone(&mail);
        let run = move || {
            let end = catch_unwind(AssertUnwindSafe(|| work(&own)));
            own.lock().end = Some(end);
            own.changed.notify_all();
        };
        let started = thread::Builder::new().spawn(run);
        started.map_err(|error| Failure::memory(format!("cannot start a thread: {error}")))?;
        Ok(Job(mail))
    }

    /// Waits for news, at most this long.
    pub(crate) fn wait(&self, time: Duration) -> Option<News<T, E>> {
        let is_quiet = |state: &mut State<T, E>| state.events.is_empty() && state.end.is_none();
        let waited = self
            .0
            .changed
            .wait_timeout_while(self.0.lock(), time, is_quiet);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match state.events.pop_front() {
            Some(event) => Some(News::Event(event)),
            None => state.end.take().map(News::End),
        }
    }

    /// Waits for the end, at most this long.
    fn wait_for_end(&self, time: Duration) -> Option<End<T>> {
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.wait(left)? {
                News::End(end) => return Some(end),
                News::Event(_) => {}
            }
        }
    }
}

/// The value of work that ended; its panic goes on here, where it becomes an exception.
pub(crate) fn value_of<T>(end: End<T>) -> T {
    end.unwrap_or_else(|panic| resume_unwind(panic))
}

/// What connects a call with its caller.
#[derive(Default)]
pub(crate) struct Caller {
    /// The caller's token, which may be that of many calls.
    user: Option<Cancel>,
    /// Ends this call's work.
    pub(crate) cancel: Cancel,
    listener: Option<Listener>,
}

impl Caller {
    /// A caller with a token, if any.
    pub(crate) fn new(user: Option<Cancel>) -> Caller {
        // Work hears of it at once, whether or not anyone waits for it.
        let cancel = user.as_ref().map(Cancel::child).unwrap_or_default();
        Caller {
            user,
            cancel,
            listener: None,
        }
    }

    /// With someone who listens.
    pub(crate) fn listening(self, listener: Option<Listener>) -> Caller {
        Caller { listener, ..self }
    }

    /// Whether the caller's token was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.user.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// What is done each time that the calling thread wakes.
    ///
    /// # Errors
    /// What a handler of a signal, or who listens, raised: the call must end.
    pub(crate) fn tick(&mut self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        match &mut self.listener {
            Some(listener) => listener.tell(py),
            None => Ok(()),
        }
    }

    /// The call is over: the last report, and the end of a bar that was made for it.
    ///
    /// # Errors
    /// What who listens raised.
    pub(crate) fn finish(&mut self, py: Python<'_>, is_done: bool) -> PyResult<()> {
        match self.listener.take() {
            Some(listener) => listener.finish(py, is_done),
            None => Ok(()),
        }
    }

    /// Shows the collector of garbage what who listens keeps.
    ///
    /// # Errors
    /// The collector's.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.listener {
            Some(listener) => listener.traverse(visit),
            None => Ok(()),
        }
    }

    /// Does work, while the calling thread listens to signals. `on_event` hears what it tells, on
    /// the calling thread.
    ///
    /// # Errors
    /// The work's, and what a handler of a signal, `on_event` or who listens raised.
    pub(crate) fn run<T: Send + 'static, E: Send + 'static>(
        mut self,
        py: Python<'_>,
        mut on_event: impl FnMut(Python<'_>, E) -> PyResult<()>,
        work: impl FnOnce(&Arc<Mail<Result<T, Failure>, E>>) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let started = Job::start(work);
        let job = started.map_err(|failure| failure.into_exception(py))?;
        let mut cancelled = None;
        let end = loop {
            let told = match py.detach(|| job.wait(TICK)) {
                Some(News::End(end)) => break end,
                Some(News::Event(event)) => on_event(py, event),
                None => Ok(()),
            };
            if let Err(error) = told.and_then(|()| self.tick(py)) {
                self.cancel.cancel();
                // The error counts, not how the work ends.
                py.detach(|| job.wait_for_end(PATIENCE));
                let _ = self.finish(py, false);
                return Err(error);
            }
            if self.cancel.is_cancelled() {
                let since = *cancelled.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE_FOR_ANSWER {
                    let _ = self.finish(py, false);
                    return Err(Failure::cancelled().into_exception(py));
                }
            }
        };
        let result = value_of(end);
        self.finish(py, result.is_ok())?;
        // Handlers of signals that came with the end.
        py.check_signals()?;
        result.map_err(|failure| failure.into_exception(py))
    }

    /// [`Self::run`] of work that tells nothing on the way.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn run_quietly<T: Send + 'static>(
        self,
        py: Python<'_>,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        self.run(py, |_, ()| Ok(()), move |_| work())
    }
}

/// Does work in a pool of this many threads, 0 for all cores and never more than these, that ends
/// with it.
///
/// # Errors
/// The work's, and where the system gives no threads.
pub(crate) fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let threads = number_of_threads(threads).min(number_of_threads(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::memory(format!("cannot start threads: {error}")))?;
    pool.install(work)
}
