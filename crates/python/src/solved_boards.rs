//! Many boards, solved on all cores while Python takes the reports.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use puzzle::{Board, Notation};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use solver::{Report, ThreadPermits, ordered_map};

use crate::arguments::try_board;
use crate::call::{Caller, Job, News, TICK, number_of_threads, value_of};
use crate::failure::Failure;
use crate::goal::PyGoal;
use crate::options::Task;
use crate::progress::Counter;
use crate::results::{report_of_json, to_json};
use crate::solver::Engine;

/// The most boards that are taken ahead of the reports.
const MOST_AHEAD: usize = 1024;

/// What a thread takes.
enum Item {
    Board(Board),
    /// What cannot be read.
    Refused(Box<Report>),
}

/// The reports of `solve_many`, in the order of the boards. Dropping it ends the searches.
///
/// Python's iterator is asked for boards by the thread that takes the reports: as many as keep all
/// threads busy, and more while none of the reports is ready.
#[pyclass(module = "sliding_tile_pdb", name = "SolvedBoards")]
pub(crate) struct SolvedBoards {
    running: Option<Running>,
    goal: Py<PyGoal>,
    notation: Notation,
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
    /// Boards that were taken and whose reports were not.
    ahead: usize,
    /// As many keep all threads busy.
    least_ahead: usize,
    /// What the boards' iterator raised, once all reports before it are taken.
    raised: Option<PyErr>,
}

impl SolvedBoards {
    /// Begins.
    pub(crate) fn start<'py>(
        caller: Caller,
        counter: Arc<Counter>,
        engine: Arc<Engine>,
        mut task: Task,
        boards: Bound<'py, PyIterator>,
    ) -> Result<SolvedBoards, Failure> {
        let py = boards.py();
        let threads = number_of_threads(task.options.threads);
        let (notation, goal) = (task.notation, engine.solver.goal().clone());
        let (sender, receiver) = mpsc::channel::<Item>();
        let own = Arc::clone(&engine);
        let job = Job::start(move |mail| {
            // Threads that are out of boards help those that take long.
            let permits = Arc::new(ThreadPermits::default());
            task.options.permits = Some(Arc::clone(&permits));
            let cancel = task.options.cancel.clone();
            let items = receiver.into_iter().take_while(|_| !cancel.is_cancelled());
            let solve = |item| {
                let report = match item {
                    Item::Board(board) => task.solve(&own.solver, &own.partition, &board),
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
            running: Some(Running {
                caller,
                counter,
                job,
                input: Some((boards.unbind(), sender)),
                engine,
                ahead: 0,
                least_ahead: 2 * threads + 2,
                raised: None,
            }),
            goal: Py::new(py, PyGoal::new(goal))?,
            notation,
        })
    }

    /// The next report; `None` after the last.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<String>> {
        let Some(running) = &mut self.running else {
            return Ok(None);
        };
        loop {
            while running.ahead < running.least_ahead && running.pull(py) {}
            let no_time = Duration::ZERO;
            let mut news = running.job.wait(no_time);
            if news.is_none() && !(running.ahead < MOST_AHEAD && running.pull(py)) {
                news = py.detach(|| running.job.wait(TICK));
            }
            running.caller.tick(py)?;
            if running.caller.cancel.is_cancelled() {
                return Err(Failure::cancelled().into_exception(py));
            }
            match news {
                None => {}
                Some(News::Event(json)) => {
                    running.ahead -= 1;
                    running.counter.add(1);
                    return Ok(Some(json));
                }
                Some(News::End(end)) => {
                    value_of(end).map_err(|failure| failure.into_exception(py))?;
                    running.caller.finish(py, running.raised.is_none())?;
                    return match running.raised.take() {
                        Some(error) => Err(error),
                        None => Ok(None),
                    };
                }
            }
        }
    }
}

impl Running {
    /// Takes a board, unless there are no more.
    fn pull(&mut self, py: Python<'_>) -> bool {
        let Some((boards, sender)) = &self.input else {
            return false;
        };
        let item = match next_item(boards.bind(py), &self.engine) {
            Ok(Some(item)) => item,
            Ok(None) => {
                self.input = None;
                return false;
            }
            Err(error) => {
                self.raised = Some(error);
                self.input = None;
                return false;
            }
        };
        // The threads take items until they are cancelled.
        if sender.send(item).is_err() {
            self.input = None;
            return false;
        }
        self.ahead += 1;
        true
    }
}

/// The next board of Python's iterator.
fn next_item(boards: &Bound<'_, PyIterator>, engine: &Engine) -> PyResult<Option<Item>> {
    let Some(board) = boards.clone().next() else {
        return Ok(None);
    };
    let board = board?;
    let failure = match try_board(&board, Some(engine.solver.goal().tray())) {
        Ok(Ok(board)) => return Ok(Some(Item::Board(board))),
        Ok(Err(failure)) => failure,
        Err(error) => Failure::Python(error),
    };
    let message = match failure {
        Failure::Message(_, message) => message,
        failure => failure
            .into_exception(board.py())
            .value(board.py())
            .to_string(),
    };
    let mut report = Report::error(message);
    report.board = match board.cast::<PyString>() {
        Ok(text) => Some(text.to_cow()?.into_owned()),
        Err(_) => Some(board.repr()?.to_string()),
    };
    Ok(Some(Item::Refused(Box::new(report))))
}

#[pymethods]
impl SolvedBoards {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match self.next(py) {
            Ok(Some(json)) => {
                let goal = self.goal.bind(py).as_any().clone();
                report_of_json(py, &json, &goal, self.notation).map(Some)
            }
            Ok(None) => {
                self.running = None;
                Ok(None)
            }
            Err(error) => {
                self.close(py);
                Err(error)
            }
        }
    }

    /// Ends the searches; there are no more reports.
    fn close(&mut self, py: Python<'_>) {
        if let Some(mut running) = self.running.take() {
            running.caller.cancel.cancel();
            // What who listens raises at the end is of no use any more.
            let _ = running.caller.finish(py, false);
        }
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.close(py);
    }
}

impl Drop for Running {
    /// The threads end by themselves, within some milliseconds.
    fn drop(&mut self) {
        self.caller.cancel.cancel();
    }
}
