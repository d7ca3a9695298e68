//! Progress of calls, and its listener: a function, a bar, or a class of bars such as `tqdm`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyDict, PyMapping, PyType};
use solver::SearchStatus;

/// Minimum time between two reports.
const PAUSE: Duration = Duration::from_millis(50);

/// Progress of work, written by its threads and read by the calling thread.
#[derive(Default, Debug)]
pub(crate) struct Counter {
    done: AtomicU64,
    bound: AtomicU32,
}

impl Counter {
    /// Raises the number of finished units of work to `done`; never lowers it.
    pub(crate) fn reach(&self, done: u64) {
        self.done.fetch_max(done, Ordering::Relaxed);
    }

    /// Adds `done` to the number of finished units of work.
    pub(crate) fn add(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
    }

    /// Records the state of a search.
    pub(crate) fn record(&self, status: &SearchStatus) {
        self.reach(status.generated);
        self.bound.fetch_max(status.bound, Ordering::Relaxed);
    }
}

/// The name of a call's work, and its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stage {
    name: &'static str,
    unit: &'static str,
}

impl Stage {
    pub(crate) const BUILD: Stage = Stage::of("build", "entries");
    pub(crate) const VERIFY: Stage = Stage::of("verify", "entries");
    pub(crate) const PACK: Stage = Stage::of("pack", "entries");
    pub(crate) const UNPACK: Stage = Stage::of("unpack", "entries");
    pub(crate) const SEARCH: Stage = Stage::of("search", "nodes");
    pub(crate) const BOARDS: Stage = Stage::of("boards", "boards");
    pub(crate) const COMPARE: Stage = Stage::of("compare", "searches");

    const fn of(name: &'static str, unit: &'static str) -> Stage {
        Stage { name, unit }
    }
}

/// The caller's function or bar, called on the calling thread.
pub(crate) struct Listener {
    /// Called with the work done since the last call.
    update: Py<PyAny>,
    /// The bar that was created for the call.
    own_bar: Option<Py<PyAny>>,
    /// The bar's method `set_postfix_str`, which shows the bound of a search.
    postfix: Option<Py<PyAny>>,
    counter: Arc<Counter>,
    stage: Stage,
    total: Option<u64>,
    reported: u64,
    bound: u32,
    begun: Instant,
    last: Instant,
}

impl Listener {
    /// Creates the listener, if one is requested.
    ///
    /// # Errors
    /// The object is not a listener, or the bar cannot be created.
    pub(crate) fn new(
        target: Option<&Bound<'_, PyAny>>,
        counter: &Arc<Counter>,
        stage: Stage,
        total: Option<u64>,
    ) -> PyResult<Option<Listener>> {
        let Some(target) = target else {
            return Ok(None);
        };
        let py = target.py();
        let is_class = |target: &Bound<'_, PyAny>| {
            Ok::<_, PyErr>(target.is_instance_of::<PyType>() && target.hasattr("update")?)
        };
        // A class with preset options, such as `functools.partial(tqdm, leave=False)`.
        let is_partial = target.hasattr("func")? && is_class(&target.getattr("func")?)?;
        let bar = if is_class(target)? || is_partial {
            let options = PyDict::new(py);
            options.set_item("total", total)?;
            options.set_item("desc", stage.name)?;
            options.set_item("unit", format!(" {}", stage.unit))?;
            options.set_item("unit_scale", total.is_none_or(|total| total > 99_999))?;
            if is_partial {
                // The caller's own options have priority.
                let own = target.getattr("keywords")?;
                options.update(own.cast::<PyMapping>()?)?;
            }
            Some((target.call((), Some(&options))?, true))
        } else if target.hasattr("update")? {
            // Sets the total if the bar has none yet.
            let lacks_total = target.hasattr("total")? && target.getattr("total")?.is_none();
            if lacks_total && total.is_some() {
                target.setattr("total", total)?;
            }
            Some((target.clone(), false))
        } else {
            None
        };
        let (update, own_bar, postfix) = match bar {
            Some((bar, is_own)) => {
                let postfix = match bar.hasattr("set_postfix_str")? {
                    true => Some(bar.getattr("set_postfix_str")?.unbind()),
                    false => None,
                };
                let update = bar.getattr("update")?.unbind();
                (update, is_own.then(|| bar.unbind()), postfix)
            }
            None if target.is_callable() => (target.clone().unbind(), None, None),
            None => {
                return Err(PyTypeError::new_err(format!(
                    "progress must be a function, such as bar.update, a bar, or a class of bars, \
                     such as tqdm; not {}",
                    target.get_type().name()?
                )));
            }
        };
        let now = Instant::now();
        Ok(Some(Listener {
            update,
            own_bar,
            postfix,
            counter: Arc::clone(counter),
            stage,
            total,
            reported: 0,
            bound: 0,
            begun: now,
            last: now,
        }))
    }

    /// Traverses the stored objects for the garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.update)?;
        visit.call(&self.own_bar)?;
        visit.call(&self.postfix)
    }

    /// Reports progress, unless less than `PAUSE` has passed since the last report.
    ///
    /// # Errors
    /// The listener raised an exception.
    pub(crate) fn report(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.last.elapsed() < PAUSE {
            return Ok(());
        }
        self.last = Instant::now();
        self.report_now(py)
    }

    fn report_now(&mut self, py: Python<'_>) -> PyResult<()> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let done = self.counter.done.load(Ordering::Relaxed);
        let bound = self.counter.bound.load(Ordering::Relaxed);
        let has_bound = self.stage == Stage::SEARCH && bound > 0;
        if has_bound && bound != self.bound {
            if let Some(postfix) = &self.postfix {
                let options = [("refresh", false)].into_py_dict(py)?;
                postfix.call(py, (format!("bound {bound}"),), Some(&options))?;
            }
        }
        if done == self.reported && bound == self.bound {
            return Ok(());
        }
        let class = CLASS.import(py, "sliding_tile_pdb._results", "Progress")?;
        let progress = class.call1((
            done - self.reported,
            self.stage.name,
            done,
            self.total,
            has_bound.then_some(bound),
            self.begun.elapsed().as_secs_f64() * 1e3,
        ))?;
        (self.reported, self.bound) = (done, bound);
        self.update.call1(py, (progress,))?;
        Ok(())
    }

    /// Sends the last report, with the total if the work is finished. Closes the bar if the call
    /// created it.
    ///
    /// # Errors
    /// The listener raised an exception.
    pub(crate) fn finish(mut self, py: Python<'_>, is_done: bool) -> PyResult<()> {
        if let Some(total) = self.total.filter(|_| is_done) {
            self.counter.reach(total);
        }
        let reported = self.report_now(py);
        if let Some(bar) = self.own_bar.take() {
            bar.call_method0(py, "close")?;
        }
        reported
    }
}

impl Drop for Listener {
    /// Closes the bar of an abandoned call.
    fn drop(&mut self) {
        let Some(bar) = self.own_bar.take() else {
            return;
        };
        Python::try_attach(|py| {
            let pending = PyErr::take(py);
            // No caller is left to receive the error.
            let _ = bar.call_method0(py, "close");
            if let Some(pending) = pending {
                pending.restore(py);
            }
        });
    }
}
