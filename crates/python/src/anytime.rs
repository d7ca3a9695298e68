//! Better and better solutions of a board, as they are found.

use std::sync::Arc;

use puzzle::{Board, Notation};
use pyo3::prelude::*;
use solver::Report;

use crate::call::{Caller, Job, News, TICK, value_of};
use crate::failure::{Failure, Kind};
use crate::options::Task;
use crate::results::report_object;
use crate::solver::{Engine, unless_solved};

/// The reports of an anytime search. Dropping it ends the search.
///
/// Each report is of a whole solution; all but the last have the status `improved`.
#[pyclass(module = "sliding_tile_pdb", name = "Anytime")]
pub(crate) struct Anytime {
    running: Option<Running>,
    engine: Arc<Engine>,
    notation: Notation,
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
            running: Some(Running { caller, job }),
            engine,
            notation,
        })
    }

    /// What comes next, and whether it is the last.
    fn wait(&mut self, py: Python<'_>) -> PyResult<Option<(Report, bool)>> {
        let Some(running) = &mut self.running else {
            return Ok(None);
        };
        loop {
            let news = py.detach(|| running.job.wait(TICK));
            running.caller.tick(py)?;
            match news {
                None => {}
                Some(News::Event(report)) => return Ok(Some((report, false))),
                Some(News::End(end)) => return Ok(Some((value_of(end), true))),
            }
        }
    }
}

#[pymethods]
impl Anytime {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let next = self.wait(py);
        let context = self.engine.context(self.notation);
        match next {
            Ok(None) => Ok(None),
            Ok(Some((report, false))) => report_object(py, &report, &context).map(Some),
            Ok(Some((report, true))) => {
                let is_cancelled = self
                    .running
                    .take()
                    .is_some_and(|own| own.caller.is_cancelled());
                if is_cancelled {
                    let report = Box::new((report, context));
                    return Err(Failure::Report(Kind::Cancelled, report).into_exception(py));
                }
                let never = pdb_table::Cancel::default();
                let solved = unless_solved(&self.engine, report, self.notation, &never);
                let (report, context) = solved.map_err(|failure| failure.into_exception(py))?;
                report_object(py, &report, &context).map(Some)
            }
            Err(error) => {
                self.running = None;
                Err(error)
            }
        }
    }

    /// Ends the search: the next reports are those that are there, the last one `solved`.
    fn stop(&self) {
        if let Some(running) = &self.running {
            running.caller.cancel.cancel();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.caller.cancel.cancel();
    }
}
