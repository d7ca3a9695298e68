//! Many boards, solved on all cores while Python takes the reports.

use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use puzzle::{Board, Notation};
use pyo3::exceptions::{PyBaseException, PyException, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use solver::{Cancel, Mode, Question, Report, ThreadPermits, number_of_threads, ordered_map};

use crate::arguments::{text_of, try_board};
use crate::call::{Caller, Job, News, TICK, value_of};
use crate::failure::Failure;
use crate::goal::PyGoal;
use crate::progress::Counter;
use crate::results::{report_of_json, to_json};
use crate::slot::{Slot, unless_forked};
use crate::solver::Engine;

/// The most boards that are taken ahead of the reports.
const MOST_AHEAD: usize = 1024;

/// What a thread takes.
enum Item {
    Board(Board),
    /// What cannot be read.
    Refused(Box<Report>),
}

/// A generator that gives a board within this time is asked for another one before a report that is
/// ready is given.
const QUICK: Duration = Duration::from_millis(1);

/// The reports of `solve_many`, in the order of the boards. Dropping it ends the searches.
///
/// Python's iterator is asked for boards by the thread that takes the reports, up to 1024 ahead: as
/// many as keep all threads busy, and more while no report is ready. So it must not wait for
/// reports.
#[pyclass(frozen, module = "sliding_tile_pdb", name = "SolvedBoards")]
pub(crate) struct SolvedBoards {
    running: Mutex<Slot<Running>>,
    /// Ends the searches, from any thread and at any time.
    cancel: Cancel,
    goal: Py<PyGoal>,
    notation: Notation,
    /// A process that is forked has the object, but not its threads.
    process: u32,
}

/// Searches under way.
struct Running {
    caller: Caller,
    counter: Arc<Counter>,
    job: Job<Result<(), Failure>, String>,
    /// Where boards go, until there are no more.
    input: Option<(Py<PyIterator>, Sender<Item>)>,
    /// Of boards.
    engine: Arc<Engine>,
    mode: Mode,
    /// Boards that were taken and whose reports were not.
    ahead: usize,
    /// As many keep all threads busy.
    least_ahead: usize,
    /// What the boards' iterator raised, once all reports before it are taken.
    raised: Option<Py<PyBaseException>>,
    /// Whether the last board came at once.
    is_quick: bool,
}

impl SolvedBoards {
    /// Begins.
    pub(crate) fn start<'py>(
        caller: Caller,
        counter: Arc<Counter>,
        engine: Arc<Engine>,
        mut question: Question,
        boards: Bound<'py, PyIterator>,
    ) -> Result<SolvedBoards, Failure> {
        let py = boards.py();
        let threads = number_of_threads(question.options.threads);
        let (notation, mode) = (question.notation, question.options.mode);
        let goal = engine.solver.goal().clone();
        let (sender, receiver) = mpsc::channel::<Item>();
        let own = Arc::clone(&engine);
        let job = Job::start(move |mail| {
            // Threads that are out of boards help those that take long.
            let permits = Arc::new(ThreadPermits::default());
            question.options.permits = Some(Arc::clone(&permits));
            let cancel = question.options.cancel.clone();
            let items = receiver.into_iter().take_while(|_| !cancel.is_cancelled());
            let solve = |item| {
                let report = match item {
                    Item::Board(board) => own.solver.answer(&board, &question).report,
                    Item::Refused(report) => *report,
                };
                to_json(&report)
            };
            let mut failed = Ok(());
            ordered_map(items, threads, &permits, solve, |_, json| match json {
                Ok(json) => mail.send(json),
                Err(failure) => failed = Err(failure),
            });
            failed
        })?;
        Ok(SolvedBoards {
            cancel: caller.cancel.clone(),
            running: Mutex::new(Slot::Ready(Box::new(Running {
                caller,
                counter,
                job,
                input: Some((boards.unbind(), sender)),
                engine,
                mode,
                ahead: 0,
                least_ahead: (2 * threads + 2).min(MOST_AHEAD),
                raised: None,
                is_quick: false,
            }))),
            goal: Py::new(py, PyGoal::new(goal))?,
            notation,
            process: std::process::id(),
        })
    }
}

impl Running {
    /// The next report; `None` after the last.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<String>> {
        loop {
            self.caller.tick(py)?;
            if self.caller.is_cancelled() {
                return Err(Failure::cancelled().into_exception(py));
            }
            // Closed by another thread, or by the boards' iterator.
            if self.caller.cancel.is_cancelled() {
                return Ok(None);
            }
            let mut news = self.job.wait(Duration::ZERO);
            if news.is_none() {
                if self.ahead < MOST_AHEAD && self.pull(py)? {
                    continue;
                }
                news = py.detach(|| self.job.wait(TICK));
            }
            // A report of a search that was ended is none.
            if self.caller.cancel.is_cancelled() {
                continue;
            }
            match news {
                None => {}
                Some(News::Event(json)) => {
                    self.ahead -= 1;
                    self.counter.add(1);
                    // Threads have work while the caller is busy with the report.
                    if self.is_quick && self.ahead < self.least_ahead {
                        self.pull(py)?;
                    }
                    return Ok(Some(json));
                }
                Some(News::End(end)) => {
                    value_of(end).map_err(|failure| failure.into_exception(py))?;
                    self.caller.finish(py, self.raised.is_none())?;
                    return match self.raised.take() {
                        Some(error) => Err(PyErr::from_value(error.into_bound(py).into_any())),
                        None => Ok(None),
                    };
                }
            }
        }
    }

    /// Takes a board, unless there are no more.
    ///
    /// # Errors
    /// The iterator raised what is no `Exception`, such as KeyboardInterrupt: that cannot wait.
    fn pull(&mut self, py: Python<'_>) -> PyResult<bool> {
        let Some((boards, sender)) = &self.input else {
            return Ok(false);
        };
        let begun = Instant::now();
        let item = match next_item(boards.bind(py), &self.engine, self.mode) {
            Ok(Some(item)) => item,
            Ok(None) => {
                self.input = None;
                return Ok(false);
            }
            Err(error) => {
                self.input = None;
                if !error.is_instance_of::<PyException>(py) {
                    return Err(error);
                }
                self.raised = Some(error.into_value(py));
                return Ok(false);
            }
        };
        self.is_quick = begun.elapsed() < QUICK;
        // The threads take items until they are cancelled.
        if sender.send(item).is_err() {
            self.input = None;
            return Ok(false);
        }
        self.ahead += 1;
        Ok(true)
    }

    /// The call is over; what who listens raises at the end is of no use any more.
    fn end(&mut self, py: Python<'_>) {
        self.caller.cancel.cancel();
        let _ = self.caller.finish(py, false);
    }
}

/// The next board of Python's iterator.
fn next_item(
    boards: &Bound<'_, PyIterator>,
    engine: &Engine,
    mode: Mode,
) -> PyResult<Option<Item>> {
    let Some(board) = boards.clone().next() else {
        return Ok(None);
    };
    let board = board?;
    let py = board.py();
    let failure = match try_board(&board, Some(engine.solver.goal().tray())) {
        Ok(Ok(board)) => return Ok(Some(Item::Board(board))),
        Ok(Err(failure)) => failure,
        // What is no board. Other errors are no matter of the board.
        Err(error)
            if error.is_instance_of::<PyTypeError>(py)
                || error.is_instance_of::<PyValueError>(py) =>
        {
            Failure::Python(error)
        }
        Err(error) => return Err(error),
    };
    let message = match failure {
        Failure::Message(_, message) => message,
        failure => failure.into_exception(py).value(py).to_string(),
    };
    let mut report = Report::error(message).with_mode(mode);
    report.board = Some(match board.cast::<PyString>() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => text_of(&board)?,
    });
    Ok(Some(Item::Refused(Box::new(report))))
}

#[pymethods]
impl SolvedBoards {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        unless_forked(self.process)?;
        let Some(mut running) = Slot::take(&self.running)? else {
            return Ok(None);
        };
        let next = running.next(py);
        match next {
            Ok(Some(json)) => {
                Slot::put(&self.running, running);
                let goal = self.goal.bind(py).as_any().clone();
                report_of_json(py, &json, &goal, self.notation).map(Some)
            }
            next => {
                Slot::end(&self.running);
                running.end(py);
                next.map(|_| None)
            }
        }
    }

    /// Ends the searches; there are no more reports. May be called from any thread.
    fn close(&self) {
        self.cancel.cancel();
        Slot::close(&self.running);
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.goal)?;
        Slot::look(&self.running, |running| {
            if let Some((boards, _)) = &running.input {
                visit.call(boards)?;
            }
            visit.call(&running.raised)?;
            running.caller.traverse(&visit)
        })
    }

    fn __clear__(&self) {
        self.close();
    }
}

impl Drop for Running {
    /// The threads end by themselves, within some milliseconds.
    fn drop(&mut self) {
        self.caller.cancel.cancel();
    }
}
