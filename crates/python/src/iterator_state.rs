//! State of an iterator, which several threads can share.
//!
//! The call that waits for the next result takes the work out of the state, so that no lock is held
//! while Python runs or the thread waits. Meanwhile other threads can close the iterator, and the
//! garbage collector can traverse it.

use std::mem;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use solver::Cancel;

use crate::call::Caller;

/// Work that produces a sequence of results.
pub(crate) trait ResultSource {
    /// The next result; `None` after the last.
    fn next(&mut self, py: Python<'_>, caller: &mut Caller) -> PyResult<Option<Py<PyAny>>>;

    /// Traverses the stored objects for the garbage collector.
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
}

/// State of an iterator over the results of a call. Dropping it ends the work.
pub(crate) struct IteratorState<S> {
    place: Mutex<Place<S>>,
    /// Ends the work, from any thread and at any time.
    cancel: Cancel,
    /// Id of the process that created the state. A forked process inherits the state, but not the
    /// threads of the work.
    process: u32,
}

/// Place of the work.
enum Place<S> {
    Here(Box<Work<S>>),
    /// A call that waits for the next result holds the work.
    WithCall,
    Over,
}

struct Work<S> {
    caller: Caller,
    source: S,
}

impl<S> Drop for Work<S> {
    /// Cancels the work. Its threads end on their own within a few milliseconds.
    fn drop(&mut self) {
        self.caller.control.cancel.cancel();
    }
}

impl<S: ResultSource> IteratorState<S> {
    /// Creates the state of a call whose work has started.
    pub(crate) fn new(caller: Caller, source: S) -> IteratorState<S> {
        IteratorState {
            cancel: caller.control.cancel.clone(),
            place: Mutex::new(Place::Here(Box::new(Work { caller, source }))),
            process: process::id(),
        }
    }

    /// The next result; `None` after the last one, and after the iterator was closed.
    ///
    /// # Errors
    /// The work failed; another call is waiting for a result; or the process was forked.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "the search belongs to the process that started it, not to a forked one: call the \
                 solver there",
            ));
        }
        let Some(mut work) = self.take()? else {
            return Ok(None);
        };
        let next = work.source.next(py, &mut work.caller);
        if let Ok(Some(_)) = next {
            self.put_back(work);
        } else {
            *self.lock() = Place::Over;
            self.cancel.cancel();
            // An error of the listener is irrelevant now.
            let _ = work.caller.finish(py, false);
        }
        next
    }

    /// Ends the work; results that already exist can still be read.
    pub(crate) fn stop(&self) {
        self.cancel.cancel();
    }

    /// Ends the work and discards the remaining results.
    pub(crate) fn close(&self) {
        self.cancel.cancel();
        let closed = mem::replace(&mut *self.lock(), Place::Over);
        // Dropping can run Python code, so the lock is not held.
        drop(closed);
    }

    /// Traverses the stored objects for the garbage collector. Never waits.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let place = match self.place.try_lock() {
            Ok(place) => place,
            Err(TryLockError::Poisoned(place)) => place.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        let Place::Here(work) = &*place else {
            return Ok(());
        };
        work.source.traverse(visit)?;
        work.caller.traverse(visit)
    }

    /// Removes the work from the state; `None` if the work has ended.
    ///
    /// # Errors
    /// Another call holds the work. The message is the same as for Python's generators.
    fn take(&self) -> PyResult<Option<Box<Work<S>>>> {
        let mut place = self.lock();
        match mem::replace(&mut *place, Place::WithCall) {
            Place::Here(work) => Ok(Some(work)),
            Place::WithCall => Err(PyValueError::new_err("iterator already executing")),
            Place::Over => {
                *place = Place::Over;
                Ok(None)
            }
        }
    }

    /// Puts the work back, or drops it if the iterator was closed meanwhile.
    fn put_back(&self, work: Box<Work<S>>) {
        let mut place = self.lock();
        if let Place::WithCall = *place {
            *place = Place::Here(work);
        } else {
            drop(place);
            drop(work);
        }
    }

    /// Locks the state, even if a thread panicked while it held the lock: every change is a single
    /// assignment, so a panic leaves no partial change.
    fn lock(&self) -> MutexGuard<'_, Place<S>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
