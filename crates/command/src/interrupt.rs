//! Ctrl-C handling: work in progress stops at the next safe point.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pdb_table::Cancel;

use crate::output::EXIT_INTERRUPTED;
use crate::progress::leave_progress;

static INTERRUPTED: LazyLock<Cancel> = LazyLock::new(Cancel::default);
/// Number of active tasks. Each [`ActiveGuard`] is one task. The command itself is another task,
/// except while it waits for input.
static ACTIVE: AtomicUsize = AtomicUsize::new(1);

/// Makes Ctrl-C stop work at the next safe point, so that the command reports its results so far.
/// If no task is active, or Ctrl-C is pressed again, the process ends immediately.
pub fn catch_interrupts() {
    // Errors are ignored: without a handler Ctrl-C kills the process, but each file is still either
    // complete or absent.
    let _ = ctrlc::set_handler(move || {
        let again = interrupted();
        cancel().cancel();
        if again || ACTIVE.load(Ordering::SeqCst) == 0 {
            end();
        }
    });
}

/// Ends the process after Ctrl-C.
fn end() -> ! {
    leave_progress();
    std::process::exit(EXIT_INTERRUPTED.into());
}

/// Calls a function that may wait for input. Meanwhile Ctrl-C ends the process, unless an
/// [`ActiveGuard`] is held.
pub fn waiting_for_input<T>(wait: impl FnOnce() -> T) -> T {
    drop(ActiveGuard(()));
    let result = wait();
    std::mem::forget(ActiveGuard::begin());
    result
}

/// Guard of a task in a command that otherwise waits for input. Dropping the last guard after
/// Ctrl-C ends the process, because other threads may be waiting for input that never arrives.
#[derive(Debug)]
pub struct ActiveGuard(());

impl ActiveGuard {
    /// Begins a task.
    #[must_use]
    pub fn begin() -> Self {
        ACTIVE.fetch_add(1, Ordering::SeqCst);
        ActiveGuard(())
    }
}

impl Drop for ActiveGuard {
    fn drop(&mut self) {
        if ACTIVE.fetch_sub(1, Ordering::SeqCst) == 1 && interrupted() {
            end();
        }
    }
}

/// Runs a function that cannot be cancelled, on a separate thread, and returns its result. Returns
/// `None` as soon as Ctrl-C is pressed; the thread then ends with the process.
#[must_use]
pub fn until_interrupted<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = channel();
    let worker = thread::spawn(move || sender.send(work()).is_ok());
    loop {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Timeout) if !interrupted() => {}
            Err(RecvTimeoutError::Timeout) => return None,
            // The function panicked.
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(_) => return None,
            },
        }
    }
}

/// The token that Ctrl-C cancels.
#[must_use]
pub fn cancel() -> Cancel {
    INTERRUPTED.clone()
}

/// Whether Ctrl-C was pressed since [`catch_interrupts`].
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.is_cancelled()
}
