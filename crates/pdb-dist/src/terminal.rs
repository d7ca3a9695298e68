//! Lines on the terminal: results, notes, and the progress line of process 0.

use std::fmt;
use std::io::Write as _;
use std::sync::Mutex;
use std::time::Instant;

use command::{print_error, progress_bar};
use indicatif::ProgressBar;
use pdb_table::Histogram;

/// Prints a line to standard output. Errors of writing are ignored: the table is what counts.
pub(crate) fn print_line(line: impl fmt::Display) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// The bar that is on the terminal, if there is one.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Removes the progress line, so that another line can be printed. It stays if a thread that has
/// panicked holds it.
pub(crate) fn clear_progress() {
    if let Some(bar) = BAR.try_lock().ok().and_then(|mut bar| bar.take()) {
        bar.finish_and_clear();
    }
}

/// Prints a note to standard error. No progress line is there: notes come before the sweep.
pub(crate) fn print_note(line: impl fmt::Display) {
    print_error(format_args!("pdb-gen-dist: {line}"));
}

/// The progress line of process 0, if standard error is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(title: &str, is_silent: bool) -> Self {
        let bar = progress_bar(title, "{wide_msg}", is_silent);
        if let Ok(mut shown) = BAR.try_lock() {
            *shown = Some(bar.clone());
        }
        Progress {
            bar,
            start: Instant::now(),
        }
    }

    pub(crate) fn show(&self, level: u8, new: u64, histogram: &Histogram, entries: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let found = histogram.total();
        let (title, seconds) = (self.bar.prefix(), self.start.elapsed().as_secs_f64());
        let share = 100.0 * found as f64 / entries as f64;
        let rate = found as f64 / 1e6 / seconds;
        self.bar.set_message(format!(
            "{title} {share:3.0}%, {seconds:.0} s, {rate:.1} M/s, level {level}: {new} new"
        ));
    }
}
