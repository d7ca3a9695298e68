//! Better and better solutions of a board, as they are found.

use std::sync::{Arc, Mutex};

use pdb_table::Cancel;
use puzzle::{Board, Notation};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use solver::Report;

use crate::call::{Caller, Job, News, TICK, value_of};
use crate::failure::{Failure, Kind};
use crate::options::Task;
use crate::results::report_object;
use crate::slot::{Slot, unless_forked};
use crate::solver::{Engine, unless_solved};

/// The reports of an anytime search. Dropping it ends the search.
///
/// Each report is of a whole solution; all but the last have the status `improved`.
#[pyclass(frozen, module = "sliding_tile_pdb", name = "Anytime")]
pub(crate) struct Anytime {
    running: Mutex<Slot<Running>>,
    /// Ends the search, from any thread and at any time.
    cancel: Cancel,
    engine: Arc<Engine>,
    notation: Notation,
    /// A process that is forked has the object, but not its threads.
    process: u32,
}

/// The search under way.
struct Running {
    caller: Caller,
    job: Job<Report, Report>,
}

impl Anytime {
    /// Begins.
    pub(crate) fn start(
        caller: Caller,
        engine: Arc<Engine>,
        task: Task,
        board: Board,
    ) -> Result<Anytime, Failure> {
        let notation = task.notation;
        let own = Arc::clone(&engine);
        let job = Job::start(move |mail: &Arc<_>| {
            let mail = Arc::clone(mail);
            let task = task.improving(&board, &own.partition, move |report| mail.send(report));
            task.solve(&own.solver, &own.partition, &board)
        })?;
        Ok(Anytime {
            cancel: caller.cancel.clone(),
            running: Mutex::new(Slot::Ready(Box::new(Running { caller, job }))),
            engine,
            notation,
            process: std::process::id(),
        })
    }
}

impl Running {
    /// What comes next, and whether it is the last.
    fn wait(&mut self, py: Python<'_>) -> PyResult<(Report, bool)> {
        loop {
            let news = py.detach(|| self.job.wait(TICK));
            self.caller.tick(py)?;
            match news {
                None => {}
                Some(News::Event(report)) => return Ok((report, false)),
                Some(News::End(end)) => return Ok((value_of(end), true)),
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
        let context = self.engine.context(self.notation);
        let (report, is_last) = match running.wait(py) {
            Ok(next) => next,
            Err(error) => {
                Slot::end(&self.running);
                return Err(error);
            }
        };
        if !is_last {
            Slot::put(&self.running, running);
            return report_object(py, &report, &context).map(Some);
        }
        Slot::end(&self.running);
        if running.caller.is_cancelled() {
            let report = Box::new((report, context));
            return Err(Failure::Report(Kind::Cancelled, report).into_exception(py));
        }
        let never = Cancel::default();
        let solved = unless_solved(&self.engine, report, self.notation, &never);
        let (report, context) = solved.map_err(|failure| failure.into_exception(py))?;
        report_object(py, &report, &context).map(Some)
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
