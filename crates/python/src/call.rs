//! Calls that can take long.
//!
//! Python runs signal handlers only on its main thread, between two instructions of the
//! interpreter. The work therefore runs on a separate thread. The calling thread, which has
//! released the interpreter's lock, wakes every [`WAKE_INTERVAL`], lets Python check for signals,
//! checks the caller's token, and reports progress. To end the call, the calling thread cancels the
//! work's token. If the work does not end within [`INTERRUPT_GRACE`], the call returns without
//! waiting longer. Ctrl-C therefore ends a call within [`WAKE_INTERVAL`] + [`INTERRUPT_GRACE`]. The
//! cost is one thread per call, about 20 microseconds.
//!
//! There is no thread pool: a forked process would inherit the pool without its threads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use solver::{BuildEvent, Cancel, Control, number_of_threads};

use crate::call_error::CallError;
use crate::cancel::PyCancel;
use crate::progress::{Counter, Listener, Stage};

/// Maximum time for which the calling thread sleeps.
pub(crate) const WAKE_INTERVAL: Duration = Duration::from_millis(10);
/// Time that an interrupted call waits for its work to end.
const INTERRUPT_GRACE: Duration = Duration::from_millis(15);
/// Time that a cancelled call waits for its best answer.
const CANCEL_GRACE: Duration = Duration::from_millis(500);

/// The end of the work: its value, or a panic.
type End<T> = Result<T, Box<dyn Any + Send>>;

/// Sends events of the work to the waiting thread.
pub(crate) struct EventSender<T, E>(Sender<Message<T, E>>);

/// A message of the work to the waiting thread.
pub(crate) enum Message<T, E> {
    /// An intermediate result.
    Event(E),
    /// The end, always the last message.
    End(End<T>),
}

impl<T, E> EventSender<T, E> {
    /// Sends an event. It is discarded if the waiting thread has already returned.
    pub(crate) fn send(&self, event: E) {
        let _ = self.0.send(Message::Event(event));
    }
}

impl<T, E> Clone for EventSender<T, E> {
    fn clone(&self) -> EventSender<T, E> {
        EventSender(self.0.clone())
    }
}

/// Work on a separate thread.
pub(crate) struct Job<T, E>(Receiver<Message<T, E>>);

impl<T: Send + 'static, E: Send + 'static> Job<T, E> {
    /// Starts the work.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start(
        work: impl FnOnce(&EventSender<T, E>) -> T + Send + 'static,
    ) -> Result<Self, CallError> {
        let (sender, receiver) = mpsc::channel();
        let run = move || {
            let events = EventSender(sender);
            let end = catch_unwind(AssertUnwindSafe(|| work(&events)));
            let _ = events.0.send(Message::End(end));
        };
        let started = thread::Builder::new().spawn(run);
        started.map_err(|error| CallError::memory(format!("cannot start a thread: {error}")))?;
        Ok(Job(receiver))
    }

    /// Waits for a message, with a time limit. Takes `&mut self`, because threads cannot share a
    /// receiver.
    pub(crate) fn wait(&mut self, time: Duration) -> Option<Message<T, E>> {
        self.0.recv_timeout(time).ok()
    }

    /// Waits for the end, with a time limit.
    fn wait_for_end(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while let Some(Message::Event(_)) =
            self.wait(until.saturating_duration_since(Instant::now()))
        {}
    }
}

/// The value of finished work. If the work panicked, this function panics too, and PyO3 converts
/// the panic to an exception.
pub(crate) fn value_of<T>(end: End<T>) -> T {
    end.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Handle for work that other threads do.
#[derive(Clone, Default)]
pub(crate) struct WorkControl {
    /// Ends the work.
    pub(crate) cancel: Cancel,
    pub(crate) counter: Arc<Counter>,
}

impl WorkControl {
    /// Control of a build or a proof. `before` is the number of entries that the call has already
    /// finished.
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

/// Connects a call with its caller: cancellation, progress and signals.
#[derive(Default)]
pub(crate) struct Caller {
    /// The caller's token, which several calls can share.
    user: Option<Cancel>,
    /// Control of this call's work.
    pub(crate) control: WorkControl,
    listener: Option<Listener>,
}

impl Caller {
    /// Creates a caller with an optional token.
    pub(crate) fn new(cancel: Option<&Bound<'_, PyCancel>>) -> Caller {
        let user = cancel.map(|cancel| cancel.get().0.clone());
        // A child token is cancelled together with its parent, even if no thread is waiting.
        let cancel = user.as_ref().map(Cancel::child).unwrap_or_default();
        let counter = Arc::default();
        Caller {
            user,
            control: WorkControl { cancel, counter },
            listener: None,
        }
    }

    /// Sets the progress listener, if one is given. `total` is the amount of work, if it is known.
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

    /// Whether the caller's token is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.user.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Called each time that the calling thread wakes.
    ///
    /// # Errors
    /// A signal handler or the listener raised an exception: the call must end.
    pub(crate) fn tick(&mut self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        let listener = self.listener.as_mut();
        listener.map_or(Ok(()), |listener| listener.report(py))
    }

    /// Ends the call: reports progress a last time, and closes the bar if the call created it.
    ///
    /// # Errors
    /// Errors of the listener.
    pub(crate) fn finish(&mut self, py: Python<'_>, is_done: bool) -> PyResult<()> {
        let listener = self.listener.take();
        listener.map_or(Ok(()), |listener| listener.finish(py, is_done))
    }

    /// Traverses the objects of the listener for the garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let listener = self.listener.as_ref();
        listener.map_or(Ok(()), |listener| listener.traverse(visit))
    }

    /// Runs work while the calling thread checks for signals.
    ///
    /// # Errors
    /// Errors of the work, of signal handlers and of the listener.
    pub(crate) fn run<T: Send + 'static>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&WorkControl) -> Result<T, CallError> + Send + 'static,
    ) -> PyResult<T> {
        let control = self.control.clone();
        self.run_with_events(py, |_, ()| Ok(()), move |_| work(&control))
    }

    /// [`Self::run`] with events, which `on_event` receives on the calling thread.
    ///
    /// # Errors
    /// Those of [`Self::run`] and of `on_event`.
    pub(crate) fn run_with_events<T: Send + 'static, E: Send + 'static>(
        mut self,
        py: Python<'_>,
        mut on_event: impl FnMut(Python<'_>, E) -> PyResult<()>,
        work: impl FnOnce(&EventSender<Result<T, CallError>, E>) -> Result<T, CallError>
        + Send
        + 'static,
    ) -> PyResult<T> {
        let mut job = Job::start(work)?;
        let mut cancelled = None;
        let end = loop {
            let heard = match py.detach(|| job.wait(WAKE_INTERVAL)) {
                Some(Message::End(end)) => break end,
                Some(Message::Event(event)) => on_event(py, event),
                None => Ok(()),
            };
            if let Err(error) = heard.and_then(|()| self.tick(py)) {
                self.control.cancel.cancel();
                // This error takes precedence over the result of the work.
                py.detach(|| job.wait_for_end(INTERRUPT_GRACE));
                let _ = self.finish(py, false);
                return Err(error);
            }
            if self.control.cancel.is_cancelled() {
                let since = *cancelled.get_or_insert_with(Instant::now);
                if since.elapsed() > CANCEL_GRACE {
                    let _ = self.finish(py, false);
                    return Err(CallError::cancelled().into());
                }
            }
        };
        let result = value_of(end);
        self.finish(py, result.is_ok())?;
        // Runs the handlers of signals that arrived after the last wait.
        py.check_signals()?;
        Ok(result?)
    }
}

/// Runs work in a temporary pool of `threads` threads, at most one per core. 0 means one per core.
///
/// # Errors
/// Errors of the work, or the system cannot start threads.
pub(crate) fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, CallError> + Send,
) -> Result<T, CallError> {
    let threads = number_of_threads(threads).min(number_of_threads(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| CallError::memory(format!("cannot start threads: {error}")))?;
    pool.install(work)
}
