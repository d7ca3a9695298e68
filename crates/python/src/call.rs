//! Calls that may take long.
//!
//! Python runs signal handlers on its main thread alone, between its own instructions. So the work
//! is done on a thread of its own, and the calling thread, which has given up the interpreter's
//! lock, wakes every [`TICK`]: it lets Python look for signals, looks whether the caller's token was
//! cancelled, and reports progress. When the call must end, the work's token is cancelled; work that
//! has not ended [`PATIENCE`] after that is left to end by itself, so that Ctrl-C takes at most the
//! two together. The price is a thread per call, about 20 microseconds.
//!
//! No pool of threads is kept: a forked process would have the pool, but not its threads.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use solver::{BuildEvent, Cancel, Control, number_of_threads};

use crate::call_error::CallError;
use crate::cancel::PyCancel;
use crate::progress::{Counter, Listener, Stage};

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

/// Messages of work to the thread that waits for it.
pub(crate) struct Mail<T, E> {
    state: Mutex<State<T, E>>,
    changed: Condvar,
}

/// A message of work.
pub(crate) enum News<T, E> {
    /// A result before the end.
    Event(E),
    /// Its end, the last message.
    End(End<T>),
}

impl<T, E> Mail<T, E> {
    /// Sends an event.
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
    ) -> Result<Self, CallError> {
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
        started.map_err(|error| CallError::memory(format!("cannot start a thread: {error}")))?;
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

/// The value of work that ended; its panic continues here, where it becomes an exception.
pub(crate) fn value_of<T>(end: End<T>) -> T {
    end.unwrap_or_else(|panic| resume_unwind(panic))
}

/// The caller's hold on work that other threads do.
#[derive(Clone, Default)]
pub(crate) struct WorkControl {
    /// Ends the work.
    pub(crate) cancel: Cancel,
    pub(crate) counter: Arc<Counter>,
}

impl WorkControl {
    /// For a build or a proof, before which this many entries were done.
    pub(crate) fn build_control(&self, before: u64) -> Control<BuildEvent> {
        let counter = Arc::clone(&self.counter);
        let listener = move |event: &BuildEvent| {
            if let BuildEvent::Level(level) = event {
                counter.reach(before + level.found.min(level.entries));
            }
        };
        Control::new(self.cancel.clone(), Some(Arc::new(listener)))
    }
}

/// Connects a call with its caller.
#[derive(Default)]
pub(crate) struct Caller {
    /// The caller's token, which may be that of many calls.
    user: Option<Cancel>,
    /// The work of this call.
    pub(crate) control: WorkControl,
    listener: Option<Listener>,
}

impl Caller {
    /// A caller with a token, if any.
    pub(crate) fn new(cancel: Option<&Bound<'_, PyCancel>>) -> Caller {
        let user = cancel.map(|cancel| cancel.get().0.clone());
        // A child is cancelled at once, whether or not any thread waits for the work.
        let cancel = user.as_ref().map(Cancel::child).unwrap_or_default();
        let counter = Arc::default();
        Caller {
            user,
            control: WorkControl { cancel, counter },
            listener: None,
        }
    }

    /// With a listener, if any, to work whose total may be known.
    ///
    /// # Errors
    /// Those of [`Listener::new`].
    pub(crate) fn listening(
        mut self,
        progress: Option<&Bound<'_, PyAny>>,
        stage: Stage,
        total: Option<u64>,
    ) -> PyResult<Caller> {
        self.listener = Listener::new(progress, &self.control.counter, stage, total)?;
        Ok(self)
    }

    /// Whether the caller's token was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.user.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Called each time that the calling thread wakes.
    ///
    /// # Errors
    /// A signal handler or the listener raised: the call must end.
    pub(crate) fn tick(&mut self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        match &mut self.listener {
            Some(listener) => listener.tell(py),
            None => Ok(()),
        }
    }

    /// Ends the call: the last report, and the end of a bar that was made for it.
    ///
    /// # Errors
    /// The listener's.
    pub(crate) fn finish(&mut self, py: Python<'_>, is_done: bool) -> PyResult<()> {
        match self.listener.take() {
            Some(listener) => listener.finish(py, is_done),
            None => Ok(()),
        }
    }

    /// Shows the garbage collector the objects of the listener.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.listener {
            Some(listener) => listener.traverse(visit),
            None => Ok(()),
        }
    }

    /// Does work, while the calling thread listens to signals.
    ///
    /// # Errors
    /// The work's, and those of signal handlers and the listener.
    pub(crate) fn run<T: Send + 'static>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&WorkControl) -> Result<T, CallError> + Send + 'static,
    ) -> PyResult<T> {
        let control = self.control.clone();
        self.run_with_events(py, |_, ()| Ok(()), move |_| work(&control))
    }

    /// [`Self::run`] with events, which `on_event` hears on the calling thread.
    ///
    /// # Errors
    /// Those of [`Self::run`] and of `on_event`.
    pub(crate) fn run_with_events<T: Send + 'static, E: Send + 'static>(
        mut self,
        py: Python<'_>,
        mut on_event: impl FnMut(Python<'_>, E) -> PyResult<()>,
        work: impl FnOnce(&Arc<Mail<Result<T, CallError>, E>>) -> Result<T, CallError> + Send + 'static,
    ) -> PyResult<T> {
        let job = Job::start(work)?;
        let mut cancelled = None;
        let end = loop {
            let heard = match py.detach(|| job.wait(TICK)) {
                Some(News::End(end)) => break end,
                Some(News::Event(event)) => on_event(py, event),
                None => Ok(()),
            };
            if let Err(error) = heard.and_then(|()| self.tick(py)) {
                self.control.cancel.cancel();
                // The error counts, not how the work ends.
                py.detach(|| job.wait_for_end(PATIENCE));
                let _ = self.finish(py, false);
                return Err(error);
            }
            if self.control.cancel.is_cancelled() {
                let since = *cancelled.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE_FOR_ANSWER {
                    let _ = self.finish(py, false);
                    return Err(CallError::cancelled().into());
                }
            }
        };
        let result = value_of(end);
        self.finish(py, result.is_ok())?;
        // Handlers of signals that came with the end.
        py.check_signals()?;
        Ok(result?)
    }
}

/// Does work in a pool of this many threads, 0 for all cores and never more than these, that ends
/// with it.
///
/// # Errors
/// The work's, and where the system gives no threads.
pub(crate) fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, CallError> + Send,
) -> Result<T, CallError> {
    let threads = number_of_threads(threads).min(number_of_threads(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| CallError::memory(format!("cannot start threads: {error}")))?;
    pool.install(work)
}
