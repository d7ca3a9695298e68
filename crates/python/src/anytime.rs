//! The class `Anytime`: improving solutions of a board.

use std::sync::Arc;

use puzzle::Board;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use solver::{Answer, Question, Report};

use crate::call::{Caller, Job, Message, WAKE_INTERVAL, value_of};
use crate::call_error::CallError;
use crate::iterator_state::{IteratorState, ResultSource};
use crate::open_solver::OpenSolver;
use crate::options::with_improvements;
use crate::results::{Context, report_object};

/// The reports of an anytime search. Dropping this iterator ends the search.
///
/// Each report contains a complete solution; all but the last have the status `improved`.
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Anytime")]
pub(crate) struct Anytime(IteratorState<BetterSolutions>);

struct BetterSolutions {
    /// `None` after the end of the search.
    job: Option<Job<Answer, Report>>,
    context: Context,
}

impl Anytime {
    /// Starts the search.
    pub(crate) fn start(
        caller: Caller,
        opened: Arc<OpenSolver>,
        question: Question,
        board: Board,
    ) -> Result<Anytime, CallError> {
        let context = opened.context(question.notation);
        let work = move |events: &_| {
            let question = with_improvements(question, events);
            opened.solver.answer(&board, &question)
        };
        let job = Some(Job::start(work)?);
        let solutions = BetterSolutions { job, context };
        Ok(Anytime(IteratorState::new(caller, solutions)))
    }
}

impl ResultSource for BetterSolutions {
    fn next(&mut self, py: Python<'_>, caller: &mut Caller) -> PyResult<Option<Py<PyAny>>> {
        while let Some(job) = &mut self.job {
            let message = py.detach(|| job.wait(WAKE_INTERVAL));
            caller.tick(py)?;
            let report = match message {
                None => continue,
                Some(Message::Event(report)) => report,
                Some(Message::End(end)) => {
                    self.job = None;
                    let context = self.context.clone();
                    CallError::unless_solved(value_of(end), context, caller.is_cancelled())?
                }
            };
            return report_object(py, &report, &self.context).map(Some);
        }
        Ok(None)
    }

    fn traverse(&self, _visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }
}

#[pymethods]
impl Anytime {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.next(py)
    }

    /// Ends the search. The remaining reports can still be read; the last one has the status
    /// `solved`. May be called from any thread.
    fn stop(&self) {
        self.0.stop();
    }

    /// Ends the search and discards the remaining reports.
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
