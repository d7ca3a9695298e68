//! Calls that can take long.
//!
//! Python runs signal handlers only on its main thread, between two instructions of the
//! interpreter. The work therefore runs on a separate thread, and `run` of `_calls.py` waits for
//! it. `run` wakes every 10 ms, reports progress, and cancels the work after an exception. Ctrl-C
//! therefore ends a call within 25 ms. The cost is one thread per call, about 20 microseconds.
//!
//! There is no thread pool: a forked process would inherit the pool without its threads.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pdb_table::lock;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use session::{Cancel, Code, Control, Event};
use solver::{BuildEvent, number_of_threads};

use crate::error::CallError;
use crate::value::{Item, board_text_of};

/// Makes the value of a call, on the calling thread.
type Value = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// A message of the work to the waiting thread.
enum Message {
    /// An event, as JSON.
    Event(String),
    /// The end, always the last message.
    End(thread::Result<Result<Value, CallError>>),
}

/// Progress: name of the work, finished amount, total if it is known, and bound of a search.
#[derive(Clone, Copy, Default, Debug)]
struct Status(Option<&'static str>, u64, Option<u64>, Option<u32>);

/// The work's side of a job.
#[derive(Clone)]
pub(crate) struct Work {
    /// Ends the work.
    pub(crate) cancel: Cancel,
    status: Arc<Mutex<Status>>,
    messages: Sender<Message>,
}

impl Work {
    /// Sends an event. It is discarded if the waiting thread has already returned.
    pub(crate) fn send(&self, json: String) {
        let _ = self.messages.send(Message::Event(json));
    }

    /// Records progress; the finished amount of a stage never falls.
    pub(crate) fn reach(&self, stage: &'static str, done: u64, total: u64, bound: Option<u32>) {
        let mut status = lock(&self.status);
        let before = if status.0 == Some(stage) { status.1 } else { 0 };
        let total = (total > 0).then_some(total);
        *status = Status(Some(stage), before.max(done), total, bound);
    }

    /// Control of a build or a proof, after `before` of `total` entries of the same call.
    pub(crate) fn entries(
        &self,
        stage: &'static str,
        before: u64,
        total: u64,
    ) -> Control<BuildEvent> {
        let work = self.clone();
        let listener = move |event: &BuildEvent| {
            if let BuildEvent::Level(level) = event {
                work.reach(stage, before + level.found.min(level.entries), total, None);
            }
        };
        Control::new(self.cancel.clone(), Some(Arc::new(listener)))
    }

    /// Control of a session's call.
    pub(crate) fn control(&self) -> Control<Event> {
        let work = self.clone();
        let listener = move |event: &Event| match event {
            Event::Tables { progress } => {
                work.reach(progress.stage, (progress.done * 1e3) as u64, 1000, None);
            }
            Event::Progress { bound, nodes, .. } => work.reach("search", *nodes, 0, Some(*bound)),
            Event::Record { finished, runs, .. } => {
                work.reach("compare", *finished as u64, *runs as u64, None);
            }
            Event::Warning { .. } | Event::Improved { .. } => {
                work.send(serde_json::to_string(event).unwrap_or_default());
            }
            _ => {}
        };
        Control::new(self.cancel.clone(), Some(Arc::new(listener)))
    }
}

/// A call whose work runs on another thread.
#[pyclass(frozen, module = "sliding_tile_pdb._native")]
pub(crate) struct Job {
    messages: Mutex<Receiver<Message>>,
    status: Arc<Mutex<Status>>,
    cancel: Cancel,
    pub(crate) input: Mutex<Option<Sender<Item>>>,
    /// Id of the process that started the work: a forked process has not its threads.
    process: u32,
}

impl Job {
    /// Starts work; `finish` makes the value of the call on the calling thread.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start<T: Send + 'static>(
        cancel: Option<&Bound<'_, PyCancel>>,
        work: impl FnOnce(&Work) -> Result<T, CallError> + Send + 'static,
        finish: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
    ) -> PyResult<Job> {
        let (sender, receiver) = mpsc::channel();
        // A child token is cancelled together with its parent, even if no thread is waiting.
        let cancel = cancel.map(|cancel| cancel.get().0.child());
        let own = Work {
            cancel: cancel.unwrap_or_default(),
            status: Arc::default(),
            messages: sender,
        };
        let job = Job {
            messages: Mutex::new(receiver),
            status: Arc::clone(&own.status),
            cancel: own.cancel.clone(),
            input: Mutex::default(),
            process: process::id(),
        };
        let run = move || {
            let end = catch_unwind(AssertUnwindSafe(|| -> Result<Value, CallError> {
                let value = work(&own)?;
                Ok(Box::new(move |py| finish(py, value)))
            }));
            let _ = own.messages.send(Message::End(end));
        };
        let started = thread::Builder::new().spawn(run);
        started.map_err(|error| {
            CallError::new(Code::Memory, format_args!("cannot start a thread: {error}"))
        })?;
        Ok(job)
    }

    /// Waits for the job as `run` of `_calls.py` does.
    pub(crate) fn wait(
        self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let run = py.import("sliding_tile_pdb._calls")?.getattr("run")?;
        Ok(run.call1((self, progress))?.unbind())
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[pymethods]
impl Job {
    /// The next message: whether it is the end, and an event or the value. None after `seconds`.
    fn receive<'py>(&self, py: Python<'py>, seconds: f64) -> PyResult<Option<Bound<'py, PyTuple>>> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "the search belongs to the process that started it, not to a forked one: call the \
                 solver there",
            ));
        }
        let time = Duration::from_secs_f64(seconds);
        let message = py.detach(|| lock(&self.messages).recv_timeout(time));
        let (is_end, value) = match message {
            Err(_) => return Ok(None),
            Ok(Message::Event(json)) => (false, json.into_pyobject(py)?.into_any().unbind()),
            // PyO3 converts a panic to an exception.
            Ok(Message::End(end)) => {
                let value = end.unwrap_or_else(|panic| resume_unwind(panic))?;
                (true, value(py)?)
            }
        };
        (is_end, value).into_pyobject(py).map(Some)
    }

    /// Stage, finished amount, total and bound.
    fn progress(&self) -> (Option<&'static str>, u64, Option<u64>, Option<u32>) {
        let Status(stage, done, total, bound) = *lock(&self.status);
        (stage, done, total, bound)
    }

    /// Adds a board to a job of `solve_many`; None ends the list.
    fn send(&self, board: &Bound<'_, PyAny>) -> Result<(), CallError> {
        let mut input = lock(&self.input);
        if board.is_none() {
            *input = None;
        }
        if let Some(input) = &*input {
            // Sending fails if the work was cancelled.
            let _ = input.send(Item::Board(board_text_of(board)?));
        }
        Ok(())
    }

    /// Adds something that is not a board, and the reason.
    fn refuse(&self, text: &Bound<'_, PyString>, message: &Bound<'_, PyString>) {
        if let Some(input) = &*lock(&self.input) {
            let (text, message) = (text.to_string_lossy(), message.to_string_lossy());
            let _ = input.send(Item::Wrong(text.into_owned(), message.into_owned()));
        }
    }

    /// Ends the work.
    fn cancel(&self) {
        self.cancel.cancel();
    }

    #[getter]
    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
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
    let pool = pool.map_err(|error| {
        CallError::new(Code::Memory, format_args!("cannot start threads: {error}"))
    })?;
    pool.install(work)
}

/// Cancels calls from another thread: each call with this object as `cancel` raises CancelledError.
///
/// >>> from sliding_tile_pdb import Cancel, CancelledError, Solver
/// >>> cancel = Cancel()
/// >>> cancel.cancel()
/// >>> try:
/// ...     Solver("3x3").solve("8 6 7/2 5 4/3 0 1", cancel=cancel)
/// ... except CancelledError as error:
/// ...     print(error)
/// cancelled
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Cancel")]
#[derive(Debug, Default)]
pub(crate) struct PyCancel(pub(crate) Cancel);

#[pymethods]
impl PyCancel {
    #[new]
    fn new() -> PyCancel {
        PyCancel::default()
    }

    /// Cancels all calls with this object, present and future. May be called from any thread.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether `cancel` has been called.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn __repr__(&self) -> &'static str {
        match self.0.is_cancelled() {
            true => "<Cancel: cancelled>",
            false => "<Cancel>",
        }
    }
}
