//! Who hears how far a call is: a function, a bar, or a class of bars such as `tqdm`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyDict, PyType};
use solver::{BuildEvent, Cancel, Control, SearchStatus};

/// The shortest time between two reports.
const PAUSE: Duration = Duration::from_millis(50);

/// How far work is: written by its threads, read by the calling one.
#[derive(Default, Debug)]
pub(crate) struct Counter {
    done: AtomicU64,
    bound: AtomicU32,
}

impl Counter {
    /// So much is done; what was more before stays.
    pub(crate) fn reach(&self, done: u64) {
        self.done.fetch_max(done, Ordering::Relaxed);
    }

    /// So much more is done.
    pub(crate) fn add(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
    }

    /// How a search stands.
    pub(crate) fn hear(&self, status: &SearchStatus) {
        self.reach(status.generated);
        self.bound.fetch_max(status.bound, Ordering::Relaxed);
    }

    /// The connection of a build or a proof, before which so many entries were done.
    pub(crate) fn control(self: &Arc<Self>, cancel: &Cancel, before: u64) -> Control<BuildEvent> {
        let counter = Arc::clone(self);
        let listener = move |event: &BuildEvent| {
            if let BuildEvent::Level(level) = event {
                counter.reach(before + level.found.min(level.entries));
            }
        };
        Control::new(cancel.clone(), Some(Arc::new(listener)))
    }
}

/// What a call does, and in what it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stage {
    /// Its name.
    pub(crate) name: &'static str,
    /// What is counted.
    pub(crate) unit: &'static str,
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

/// Someone who hears of progress, on the calling thread.
pub(crate) struct Listener {
    /// Called with what was done since the last call.
    update: Py<PyAny>,
    /// The bar that was made for the call.
    own_bar: Option<Py<PyAny>>,
    /// Shows the bound of a search.
    postfix: Option<Py<PyAny>>,
    counter: Arc<Counter>,
    stage: Stage,
    total: Option<u64>,
    told: u64,
    bound: u32,
    begun: Instant,
    last: Instant,
}

impl Listener {
    /// Who listens, if anyone.
    ///
    /// # Errors
    /// It is nothing that can, or the bar cannot be made.
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
        // functools.partial(tqdm, leave=False)
        let is_partial = target.hasattr("func")? && is_class(&target.getattr("func")?)?;
        let bar = if is_class(target)? || is_partial {
            let options = PyDict::new(py);
            options.set_item("total", total)?;
            options.set_item("desc", stage.name)?;
            options.set_item("unit", format!(" {}", stage.unit))?;
            options.set_item("unit_scale", total.is_none_or(|total| total > 99_999))?;
            if is_partial {
                // What the caller has chosen counts.
                let chosen = target.getattr("keywords")?.cast_into::<PyDict>()?;
                for name in chosen.keys() {
                    if options.contains(&name)? {
                        options.del_item(&name)?;
                    }
                }
            }
            Some((target.call((), Some(&options))?, true))
        } else if target.hasattr("update")? {
            // A bar that does not know its end yet.
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
            told: 0,
            bound: 0,
            begun: now,
            last: now,
        }))
    }

    /// Shows the collector of garbage what is kept.
    ///
    /// # Errors
    /// The collector's.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.update)?;
        visit.call(&self.own_bar)?;
        visit.call(&self.postfix)
    }

    /// Tells what is new, unless that was done a moment ago.
    ///
    /// # Errors
    /// What who listens raised.
    pub(crate) fn tell(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.last.elapsed() < PAUSE {
            return Ok(());
        }
        self.last = Instant::now();
        self.tell_now(py)
    }

    fn tell_now(&mut self, py: Python<'_>) -> PyResult<()> {
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
        if done == self.told && bound == self.bound {
            return Ok(());
        }
        let class = CLASS.import(py, "sliding_tile_pdb._results", "Progress")?;
        let progress = class.call1((
            done - self.told,
            self.stage.name,
            done,
            self.total,
            has_bound.then_some(bound),
            self.begun.elapsed().as_secs_f64() * 1e3,
        ))?;
        (self.told, self.bound) = (done, bound);
        self.update.call1(py, (progress,))?;
        Ok(())
    }

    /// The last report, with all of it if the work is done, and the end of the call's own bar.
    ///
    /// # Errors
    /// What who listens raised.
    pub(crate) fn finish(mut self, py: Python<'_>, is_done: bool) -> PyResult<()> {
        if let Some(total) = self.total.filter(|_| is_done) {
            self.counter.reach(total);
        }
        let told = self.tell_now(py);
        if let Some(bar) = self.own_bar.take() {
            bar.call_method0(py, "close")?;
        }
        told
    }
}

impl Drop for Listener {
    /// The bar of a call that was given up.
    fn drop(&mut self) {
        let Some(bar) = self.own_bar.take() else {
            return;
        };
        Python::try_attach(|py| {
            let pending = PyErr::take(py);
            // There is nobody who could hear of it.
            let _ = bar.call_method0(py, "close");
            if let Some(pending) = pending {
                pending.restore(py);
            }
        });
    }
}
