//! Work under way behind an iterator, which several threads may hold.
//!
//! The call that waits for the next result takes the work out, so that no lock is held while Python
//! runs or the thread waits: other threads can close the iterator meanwhile, and the collector of
//! garbage can look at it.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::PyTraverseError;
use pyo3::prelude::*;

/// Where the work is.
pub(crate) enum Slot<T> {
    /// Here.
    Ready(Box<T>),
    /// With a call.
    Busy,
    /// There is none any more.
    Over,
}

/// Refuses a call in a process that was forked from that which began the work: its threads are
/// there.
///
/// # Errors
/// The process is another one.
pub(crate) fn unless_forked(process: u32) -> PyResult<()> {
    match process == std::process::id() {
        true => Ok(()),
        false => Err(PyRuntimeError::new_err(
            "the search is in the process that began it, not in one that was forked: call the \
             solver there",
        )),
    }
}

/// Every change is made in one step, so that a panic leaves nothing half done.
fn lock<T>(slot: &Mutex<Slot<T>>) -> MutexGuard<'_, Slot<T>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Slot<T> {
    /// Takes the work out; `None` if it is over.
    ///
    /// # Errors
    /// Another call has it, as a generator says it.
    pub(crate) fn take(slot: &Mutex<Self>) -> PyResult<Option<Box<T>>> {
        let mut slot = lock(slot);
        match std::mem::replace(&mut *slot, Slot::Busy) {
            Slot::Ready(work) => Ok(Some(work)),
            Slot::Busy => Err(PyValueError::new_err("iterator already executing")),
            Slot::Over => {
                *slot = Slot::Over;
                Ok(None)
            }
        }
    }

    /// Puts the work back, unless the iterator was closed meanwhile.
    pub(crate) fn put(slot: &Mutex<Self>, work: Box<T>) {
        let mut own = lock(slot);
        let closed = match &*own {
            Slot::Over => Some(work),
            _ => {
                *own = Slot::Ready(work);
                None
            }
        };
        // Python may run where it is dropped, without the lock.
        drop(own);
        drop(closed);
    }

    /// The work is over.
    pub(crate) fn end(slot: &Mutex<Self>) {
        *lock(slot) = Slot::Over;
    }

    /// The work is over; drops it, if no call has it.
    pub(crate) fn close(slot: &Mutex<Self>) {
        let closed = std::mem::replace(&mut *lock(slot), Slot::Over);
        drop(closed);
    }

    /// Looks at the work if it is here, and never waits.
    ///
    /// # Errors
    /// What the look says.
    pub(crate) fn look(
        slot: &Mutex<Self>,
        look: impl FnOnce(&T) -> Result<(), PyTraverseError>,
    ) -> Result<(), PyTraverseError> {
        let own = match slot.try_lock() {
            Ok(own) => own,
            Err(TryLockError::Poisoned(own)) => own.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        match &*own {
            Slot::Ready(work) => look(work),
            Slot::Busy | Slot::Over => Ok(()),
        }
    }
}
