//! Better and better solutions of a board, as they are found.

use std::sync::{Arc, Mutex};

use puzzle::Board;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use solver::{Answer, Cancel, Question, Report};

use crate::call::{Caller, Job, News, TICK, value_of};
use crate::failure::{Failure, OrRaise as _};
use crate::options::mailing;
use crate::results::{Context, report_object};
use crate::slot::{Slot, unless_forked};
use crate::solver::Engine;

/// The reports of an anytime search. Dropping it ends the search.
///
/// Each report is of a whole solution; all but the last have the status `improved`.
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Anytime")]
pub(crate) struct Anytime {
    running: Mutex<Slot<Running>>,
    /// Ends the search, from any thread and at any time.
    cancel: Cancel,
    context: Context,
    /// A process that is forked has the object, but not its threads.
    process: u32,
}

/// The search under way.
struct Running {
    caller: Caller,
    job: Job<Answer, Report>,
}

impl Anytime {
    /// Begins.
    pub(crate) fn start(
        caller: Caller,
        engine: Arc<Engine>,
        question: Question,
        board: Board,
    ) -> Result<Anytime, Failure> {
        let context = engine.context(question.notation);
        let job = Job::start(move |mail| engine.solver.answer(&board, &mailing(question, mail)))?;
        Ok(Anytime {
            cancel: caller.cancel.clone(),
            running: Mutex::new(Slot::Ready(Box::new(Running { caller, job }))),
            context,
            process: std::process::id(),
        })
    }
}

impl Running {
    /// The next news.
    fn wait(&mut self, py: Python<'_>) -> PyResult<News<Answer, Report>> {
        loop {
            let news = py.detach(|| self.job.wait(TICK));
            self.caller.tick(py)?;
            if let Some(news) = news {
                return Ok(news);
            }
        }
    }
}

#[pymethods]
impl Anytime {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        unless_forked(self.process)?;
        let Some(mut running) = Slot::take(&self.running)? else {
            return Ok(None);
        };
        let report = match running.wait(py) {
            Ok(News::Event(report)) => {
                Slot::put(&self.running, running);
                report
            }
            Ok(News::End(end)) => {
                Slot::end(&self.running);
                let (context, is_cancelled) = (self.context.clone(), running.caller.is_cancelled());
                Failure::unless_solved(value_of(end), context, is_cancelled).or_raise(py)?
            }
            Err(error) => {
                Slot::end(&self.running);
                return Err(error);
            }
        };
        report_object(py, &report, &self.context).map(Some)
    }

    /// Ends the search: the next reports are those that are there, the last one `solved`. May be
    /// called from any thread.
    fn stop(&self) {
        self.cancel.cancel();
    }

    /// Ends the search; there are no more reports.
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
        Slot::look(&self.running, |running| running.caller.traverse(&visit))
    }

    fn __clear__(&self) {
        self.close();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.caller.cancel.cancel();
    }
}
