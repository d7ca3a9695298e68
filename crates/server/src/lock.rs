//! Locks. A thread that holds a lock never panics in the middle of a change, so the data of a
//! poisoned lock is valid.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
