//! The class `SolvedBoards`: boards solved on all cores while Python reads the reports.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use puzzle::board_text::ListedBoard;
use puzzle::{Goal, Notation};
use pyo3::exceptions::{PyBaseException, PyException, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use solver::{Mode, Question, Report, ThreadPermits, number_of_threads, ordered_map};

use crate::arguments::{read_board_for, text_of};
use crate::call::{Caller, Job, Message, WAKE_INTERVAL, value_of};
use crate::call_error::CallError;
use crate::classes::PyGoal;
use crate::iterator_state::{IteratorState, ResultSource};
use crate::open_solver::OpenSolver;
use crate::progress::Counter;
use crate::results::{report_of_json, to_json};

/// Maximum number of boards read ahead of the reports.
const MOST_AHEAD: usize = 1024;

/// An item of the caller's list.
enum Item {
    Board(ListedBoard),
    /// The report of an item that is not a board.
    Unreadable(Box<Report>),
}

/// Time limit for reading one board from the iterator. If the last board took less time, another
/// board is read before a finished report is returned.
const QUICK: Duration = Duration::from_millis(1);

/// The reports of `solve_many`, in the order of the boards. Dropping this iterator ends the
/// searches.
///
/// The thread that reads the reports also reads boards from Python's iterator. It reads enough
/// boards ahead to keep all threads busy; while no report is ready, it reads up to 1024 boards
/// ahead. The iterator of boards must not wait for a report: no other thread can return the report,
/// so the wait might never end.
#[pyclass(frozen, module = "sliding_tile_pdb", name = "SolvedBoards")]
pub(crate) struct SolvedBoards(IteratorState<Reports>);

/// The running searches.
struct Reports {
    job: Job<PyResult<()>, String>,
    /// The iterator of boards, and the channel to the threads; `None` after the last board.
    input: Option<(Py<PyIterator>, Sender<Item>)>,
    counter: Arc<Counter>,
    /// The goal of the solver.
    goal: Py<PyGoal>,
    mode: Mode,
    notation: Notation,
    /// Number of boards that have been read, but whose reports have not been returned.
    ahead: usize,
    /// Number of boards that must be read ahead to keep all threads busy.
    least_ahead: usize,
    /// The error of the boards' iterator, raised after all earlier reports have been returned.
    raised: Option<Py<PyBaseException>>,
    /// Whether the last board arrived within [`QUICK`].
    is_quick: bool,
}

impl SolvedBoards {
    /// Starts the searches.
    pub(crate) fn start(
        caller: Caller,
        opened: Arc<OpenSolver>,
        mut question: Question,
        boards: &Bound<'_, PyIterator>,
    ) -> PyResult<SolvedBoards> {
        let threads = number_of_threads(question.options.threads);
        let (notation, mode) = (question.notation, question.options.mode);
        let goal = opened.solver.goal().clone();
        let (sender, receiver) = mpsc::channel::<Item>();
        let job = Job::start(move |events| {
            // When no boards are left to start, idle threads help with the running searches.
            let permits = Arc::new(ThreadPermits::default());
            question.options.permits = Some(Arc::clone(&permits));
            let cancel = question.options.cancel.clone();
            let items = receiver.into_iter().take_while(|_| !cancel.is_cancelled());
            let solve = |item| {
                let report = match item {
                    Item::Board(listed) => {
                        let report = opened.solver.answer(&listed.board, &question).report;
                        report.with_notes(&listed.notes)
                    }
                    Item::Unreadable(report) => *report,
                };
                to_json(&report)
            };
            let mut failed = Ok(());
            ordered_map(items, threads, &permits, solve, |_, json| match json {
                Ok(json) => events.send(json),
                Err(error) => failed = Err(error),
            });
            failed
        })?;
        let reports = Reports {
            job,
            input: Some((boards.clone().unbind(), sender)),
            counter: Arc::clone(&caller.control.counter),
            goal: Py::new(boards.py(), PyGoal(goal))?,
            mode,
            notation,
            ahead: 0,
            least_ahead: (2 * threads + 2).min(MOST_AHEAD),
            raised: None,
            is_quick: false,
        };
        Ok(SolvedBoards(IteratorState::new(caller, reports)))
    }
}

impl ResultSource for Reports {
    fn next(&mut self, py: Python<'_>, caller: &mut Caller) -> PyResult<Option<Py<PyAny>>> {
        loop {
            caller.tick(py)?;
            if caller.is_cancelled() {
                return Err(CallError::cancelled().into());
            }
            // `close` was called by another thread, or by the iterator of boards.
            if caller.control.cancel.is_cancelled() {
                return Ok(None);
            }
            let mut message = self.job.wait(Duration::ZERO);
            if message.is_none() {
                if self.ahead < MOST_AHEAD && self.pull(py)? {
                    continue;
                }
                message = py.detach(|| self.job.wait(WAKE_INTERVAL));
            }
            // The report of a cancelled search is discarded.
            if caller.control.cancel.is_cancelled() {
                continue;
            }
            match message {
                None => {}
                Some(Message::Event(json)) => {
                    self.ahead -= 1;
                    self.counter.add(1);
                    // Another board keeps the threads busy while the caller processes the report.
                    if self.is_quick && self.ahead < self.least_ahead {
                        self.pull(py)?;
                    }
                    let goal = self.goal.bind(py).as_any();
                    return report_of_json(py, &json, goal, self.notation).map(Some);
                }
                Some(Message::End(end)) => {
                    value_of(end)?;
                    caller.finish(py, self.raised.is_none())?;
                    return match self.raised.take() {
                        Some(error) => Err(PyErr::from_value(error.into_bound(py).into_any())),
                        None => Ok(None),
                    };
                }
            }
        }
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.goal)?;
        if let Some((boards, _)) = &self.input {
            visit.call(boards)?;
        }
        visit.call(&self.raised)
    }
}

impl Reports {
    /// Reads a board; returns false if there are no more boards.
    ///
    /// # Errors
    /// The iterator raised something other than `Exception`, such as KeyboardInterrupt, which must
    /// not be delayed.
    fn pull(&mut self, py: Python<'_>) -> PyResult<bool> {
        let Some((boards, sender)) = &self.input else {
            return Ok(false);
        };
        let begun = Instant::now();
        let item = next_item(boards.bind(py), &self.goal.get().0, self.mode);
        self.is_quick = begun.elapsed() < QUICK;
        // Sending fails if the search threads have been cancelled.
        let is_sent = match item {
            Ok(Some(item)) => sender.send(item).is_ok(),
            Ok(None) => false,
            Err(error) if error.is_instance_of::<PyException>(py) => {
                self.raised = Some(error.into_value(py));
                false
            }
            Err(error) => {
                self.input = None;
                return Err(error);
            }
        };
        match is_sent {
            true => self.ahead += 1,
            false => self.input = None,
        }
        Ok(is_sent)
    }
}

/// The next board of Python's iterator.
fn next_item(boards: &Bound<'_, PyIterator>, goal: &Goal, mode: Mode) -> PyResult<Option<Item>> {
    let Some(board) = boards.clone().next() else {
        return Ok(None);
    };
    let board = board?;
    let py = board.py();
    let message = match read_board_for(&board, goal) {
        Ok(listed) => return Ok(Some(Item::Board(listed))),
        Err(CallError::Message(_, message)) => message,
        Err(error) => {
            let error = PyErr::from(error);
            // Only TypeError and ValueError mean that the item is not a board.
            if !error.is_instance_of::<PyTypeError>(py) && !error.is_instance_of::<PyValueError>(py)
            {
                return Err(error);
            }
            error.value(py).to_string()
        }
    };
    let mut report = Report::error(message).with_mode(mode);
    report.board = Some(match board.cast::<PyString>() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => text_of(&board)?,
    });
    Ok(Some(Item::Unreadable(Box::new(report))))
}

#[pymethods]
impl SolvedBoards {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.next(py)
    }

    /// Ends the searches and discards the remaining reports. May be called from any thread.
    fn close(&self) {
        self.0.close();
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.traverse(&visit)
    }

    fn __clear__(&self) {
        self.close();
    }
}
