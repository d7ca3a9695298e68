//! Terminal output: results, notes, and the progress line of process 0.

use std::fmt;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use command::{EXIT_INTERRUPTED, print_error, progress_bar};
use indicatif::ProgressBar;

/// Prints a line to standard output. Errors of standard output are ignored: the table files are
/// already complete.
pub(crate) fn print_line(line: impl fmt::Display) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Prints a note to standard error. Notes are printed before the sweep, when there is no progress
/// line yet.
pub(crate) fn print_note(line: impl fmt::Display) {
    print_error(format_args!("pdb-gen-dist: {line}"));
}

/// The current progress line, if any.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Removes the progress line, unless a thread that has panicked holds its lock.
pub(crate) fn clear_progress() {
    if let Some(bar) = BAR.try_lock().ok().and_then(|mut bar| bar.take()) {
        bar.finish_and_clear();
    }
}

/// Starts a progress line if standard error is a terminal.
pub(crate) fn begin_progress(title: &str, is_silent: bool) -> ProgressBar {
    let bar = progress_bar(title, "{wide_msg}", is_silent);
    if let Ok(mut shown) = BAR.try_lock() {
        *shown = Some(bar.clone());
    }
    bar
}

pub(crate) fn show_level(bar: &ProgressBar, level: u8, new: u64, found: u64, entries: u64) {
    let (title, seconds) = (bar.prefix(), bar.elapsed().as_secs_f64());
    let share = 100.0 * found as f64 / entries as f64;
    let rate = found as f64 / 1e6 / seconds;
    bar.set_message(format!(
        "{title} {share:3.0}%, {seconds:.0} s, {rate:.1} M/s, level {level}: {new} new"
    ));
}

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
