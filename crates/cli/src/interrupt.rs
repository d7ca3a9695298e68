//! Ctrl-C: it stops work at the next safe point instead of killing the process.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use pdb_table::Cancel;

use crate::failure::EXIT_INTERRUPTED;
use crate::terminal::leave_progress;

static INTERRUPTED: LazyLock<Cancel> = LazyLock::new(Cancel::default);
/// How many [`ActiveGuard`]s there are.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// What Ctrl-C does while no [`ActiveGuard`] is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdleInterrupt {
    /// It cancels [`cancel`]'s token only: the command is always at work.
    Finish,
    /// It ends the process, which may be waiting for input.
    Exit,
}

/// Makes Ctrl-C stop work at the next safe point; pressed again, it ends the process.
pub fn catch_interrupts(when_idle: IdleInterrupt) {
    // Without a handler Ctrl-C kills at once, and each file is still complete or absent.
    let _ = ctrlc::set_handler(move || {
        let again = interrupted();
        cancel().cancel();
        let idle = when_idle == IdleInterrupt::Exit && ACTIVE.load(Ordering::SeqCst) == 0;
        if again || idle {
            leave_progress();
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    });
}

/// Held while something is worked on. When the last one is dropped after Ctrl-C the process ends,
/// since other threads may be waiting for input that never comes.
#[derive(Debug)]
pub struct ActiveGuard(());

impl ActiveGuard {
    /// Begins a piece of work.
    #[must_use]
    pub fn begin() -> Self {
        ACTIVE.fetch_add(1, Ordering::SeqCst);
        ActiveGuard(())
    }
}

impl Drop for ActiveGuard {
    fn drop(&mut self) {
        if ACTIVE.fetch_sub(1, Ordering::SeqCst) == 1 && interrupted() {
            leave_progress();
            std::process::exit(EXIT_INTERRUPTED.into());
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
