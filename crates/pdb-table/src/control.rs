//! Progress, cancellation and threads of long calls: builds, searches, tuning and packing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Locks data, even if a thread has panicked while it held the lock. For data whose changes are
/// single steps, so that a panic never leaves it incomplete.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A cancellation token. All clones share one state.
///
/// ```
/// use pdb_table::Cancel;
/// let cancel = Cancel::default();
/// let token = cancel.clone();
/// std::thread::spawn(move || token.cancel()).join().unwrap();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Default, Debug)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    poll: Option<fn() -> bool>,
    parent: Option<Arc<Cancel>>,
}

impl Cancel {
    /// A token that also polls a function, for programs in which no other code runs during a call,
    /// such as single-threaded WebAssembly. The function should be fast: it is called 100 times per
    /// second or more.
    ///
    /// ```
    /// use pdb_table::Cancel;
    /// assert!(Cancel::asking(|| true).is_cancelled());
    /// ```
    #[must_use]
    pub fn asking(is_cancelled: fn() -> bool) -> Self {
        Cancel {
            poll: Some(is_cancelled),
            ..Cancel::default()
        }
    }

    /// Returns a new token for one of several calls. Cancelling the new token does not cancel this
    /// one, but cancelling this token also cancels the new one.
    ///
    /// ```
    /// use pdb_table::Cancel;
    /// let all = Cancel::default();
    /// let (one, other) = (all.child(), all.child());
    /// one.cancel();
    /// assert!(one.is_cancelled() && !other.is_cancelled());
    /// all.cancel();
    /// assert!(other.is_cancelled());
    /// ```
    #[must_use]
    pub fn child(&self) -> Self {
        Cancel {
            parent: Some(Arc::new(self.clone())),
            ..Cancel::default()
        }
    }

    /// Stops all current and future work with this token or one of its clones.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the token is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        if self.flag.load(Ordering::Relaxed) {
            return true;
        }
        let parent = self.parent.as_ref();
        let is_cancelled = self.poll.is_some_and(|is_cancelled| is_cancelled())
            || parent.is_some_and(|parent| parent.is_cancelled());
        if is_cancelled {
            self.cancel();
        }
        is_cancelled
    }
}

/// Receives the events of a long call. A closure can be a listener.
///
/// Any thread of the call can report events, so a listener should return quickly.
pub trait Progress<E>: Send + Sync {
    /// Called for each event.
    fn report(&self, event: &E);
}

impl<E, F: Fn(&E) + Send + Sync> Progress<E> for F {
    fn report(&self, event: &E) {
        self(event);
    }
}

impl<E> std::fmt::Debug for dyn Progress<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Progress")
    }
}

/// The controls of a long call: a cancellation token and an optional listener. By default the call
/// is never cancelled and reports no events.
///
/// ```
/// use pdb_table::Control;
/// let control = Control::listening(|percent: &u32| println!("{percent} %"));
/// control.report(&50);
/// control.cancel.cancel();
/// assert!(control.is_cancelled());
/// ```
pub struct Control<E> {
    /// Cancels the call.
    pub cancel: Cancel,
    progress: Option<Arc<dyn Progress<E>>>,
}

impl<E> Control<E> {
    /// A control with a progress listener and a new cancellation token.
    pub fn listening(progress: impl Progress<E> + 'static) -> Self {
        Control::new(Cancel::default(), Some(Arc::new(progress)))
    }

    /// A control with this token and no listener.
    #[must_use]
    pub fn stopped_by(cancel: &Cancel) -> Self {
        Control::new(cancel.clone(), None)
    }

    /// A control with this token and an optional listener.
    #[must_use]
    pub fn new(cancel: Cancel, progress: Option<Arc<dyn Progress<E>>>) -> Self {
        Control { cancel, progress }
    }

    /// Whether the call must stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Whether a listener receives the events.
    #[must_use]
    pub fn has_listener(&self) -> bool {
        self.progress.is_some()
    }

    /// Passes an event to the listener.
    pub fn report(&self, event: &E) {
        if let Some(progress) = &self.progress {
            progress.report(event);
        }
    }
}

impl<E> Clone for Control<E> {
    fn clone(&self) -> Self {
        Control::new(self.cancel.clone(), self.progress.clone())
    }
}

impl<E> Default for Control<E> {
    fn default() -> Self {
        Control::new(Cancel::default(), None)
    }
}

impl<E> std::fmt::Debug for Control<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("cancel", &self.cancel)
            .field("listens", &self.progress.is_some())
            .finish()
    }
}

/// Runs independent jobs; `()` runs them one after the other.
pub trait Executor: Sync {
    /// Runs jobs 0 to `jobs` - 1 and returns their results in order.
    fn map<T: Send>(&self, jobs: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T>;

    /// Largest number of jobs that run at once.
    fn threads(&self) -> usize {
        1
    }
}

impl Executor for () {
    fn map<T: Send>(&self, jobs: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
        (0..jobs).map(job).collect()
    }
}
