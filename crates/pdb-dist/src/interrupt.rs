//! Ctrl-C: all processes save the build at the end of the level and exit.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use command::EXIT_INTERRUPTED;

static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);
static IS_PARENT: AtomicBool = AtomicBool::new(false);
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Signals within this time are treated as one. Ctrl-C in a terminal reaches all processes of
/// `--local`. Their parent also passes it on, so a child receives two signals.
const ONE: Duration = Duration::from_secs(1);

/// Installs a handler: Ctrl-C and the signals TERM and HUP end the work after the current level. A
/// second signal, at least one second later, ends the process.
pub fn catch_interrupts() {
    // If this fails, Ctrl-C kills the process. Even then, each file is complete or absent.
    let _ = ctrlc::set_handler(|| {
        if FIRST.get().is_some_and(|first| first.elapsed() < ONE) {
            return;
        }
        FIRST.get_or_init(Instant::now);
        let before = INTERRUPTS.fetch_add(1, Ordering::SeqCst);
        if before > 0 && !IS_PARENT.load(Ordering::SeqCst) {
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    });
}

/// From now on, signals are only counted and do not end this process: a parent ends after its
/// children.
pub(crate) fn count_only() {
    IS_PARENT.store(true, Ordering::SeqCst);
}

/// Number of signals received.
pub(crate) fn interrupts() -> usize {
    INTERRUPTS.load(Ordering::SeqCst)
}

/// Whether a signal was received.
pub(crate) fn is_interrupted() -> bool {
    interrupts() > 0
}
