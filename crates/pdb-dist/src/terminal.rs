//! Terminal output: notes, the progress line of process 0, the results for tables, and the time and
//! memory of builds.

use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use command::{EXIT_INTERRUPTED, print_error, progress_bar};
use indicatif::ProgressBar;
use pdb_gen::size;
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::job::{Job, TableSweep};

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

/// Result for a table, as JSON and as text.
pub(crate) struct TableResult {
    pub(crate) object: Value,
    pub(crate) line: String,
}

impl TableResult {
    /// Result for an existing table.
    pub(crate) fn kept(job: &Job, id: TableId) -> Self {
        let (name, directory) = (id.name(), job.directory.path().display());
        let object = json!({ "table": name, "written": false });
        let line = format!("kept  {name} in {directory}");
        TableResult { object, line }
    }

    /// Result for a written table. `all` are the reports of all processes, in process order.
    pub(crate) fn written(job: &Job, path: &Path, sweep: &TableSweep, all: &[Report]) -> Self {
        let (entries, max) = (sweep.part.entries(), sweep.histogram.max());
        let seconds = all[0].seconds;
        let sent: u64 = all.iter().map(|report| report.bytes_sent).sum();
        let per_entry = sent as f64 / entries as f64;
        let memory = all.iter().filter_map(|report| report.peak_memory).max();
        let object = json!({
            "table": sweep.part.id().name(),
            "file": path.display().to_string(),
            "written": true,
            "entries": entries,
            "max": max,
            "seconds": seconds,
            "peak_memory": memory,
            "bytes_sent": sent,
            "bytes_per_entry": per_entry,
            "processes": all.iter().map(Report::object).collect::<Vec<_>>(),
        });
        let parts = if job.parts {
            " and the other parts"
        } else {
            ""
        };
        let memory = memory.map(|bytes| format!(", at most {} of memory per process", size(bytes)));
        let line = format!(
            "wrote {}{parts}: {entries} entries, h up to {max}, {seconds:.2} s, {} processes, \
             {per_entry:.2} bytes sent per entry{}",
            path.display(),
            all.len(),
            memory.unwrap_or_default()
        );
        TableResult { object, line }
    }

    /// Prints the result in the format of the job.
    pub(crate) fn print(&self, job: &Job) {
        match (job.json, job.quiet) {
            (true, _) => print_line(&self.object),
            (false, true) => {}
            (false, false) => print_line(&self.line),
        }
    }
}

/// Time, memory and traffic of one process for a table.
#[derive(Serialize, Deserialize)]
pub(crate) struct Report {
    seconds: f64,
    /// Idle time.
    waited: Duration,
    /// Peak memory of the process since its start, in bytes, if the system reports it.
    peak_memory: Option<u64>,
    /// Bytes received by timely on all connections.
    bytes_received: u64,
    /// Bytes sent by timely on all connections.
    bytes_sent: u64,
    /// Bytes of the sent blocks of rows, before compression.
    block_bytes: u64,
    rows_as_bits: u64,
    rows_as_positions: u64,
    own_entries: u64,
}

impl Report {
    /// Report for a table. `start` contains the start time of the build, and the bytes received and
    /// sent before that time.
    pub(crate) fn new(start: (Instant, u64, u64), sweep: &TableSweep, cluster: &Cluster) -> Self {
        let ((start, received, sent), blocks) = (start, sweep.part.sums());
        Report {
            seconds: start.elapsed().as_secs_f64(),
            waited: sweep.waited,
            peak_memory: peak_memory(),
            bytes_received: cluster.received() - received,
            bytes_sent: cluster.sent() - sent,
            block_bytes: blocks.bytes,
            rows_as_bits: blocks.as_bits,
            rows_as_positions: blocks.as_positions,
            own_entries: sweep.part.own_entries(),
        }
    }

    fn object(&self) -> Value {
        json!({
            "seconds": self.seconds,
            "waited": self.waited.as_secs_f64(),
            "peak_memory": self.peak_memory,
            "bytes_received": self.bytes_received,
            "bytes_sent": self.bytes_sent,
            "block_bytes": self.block_bytes,
            "rows_as_bits": self.rows_as_bits,
            "rows_as_positions": self.rows_as_positions,
            "entries": self.own_entries,
        })
    }
}

/// Peak memory of this process, in bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(number << 10)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn peak_memory_includes_a_filled_array() {
        let before = peak_memory().unwrap();
        let filled = vec![1_u8; 64 << 20];
        let after = peak_memory().unwrap();
        assert!(filled.iter().all(|&byte| byte == 1));
        assert!(after >= 64 << 20 && after >= before, "{before} {after}");
        assert!(after < 64 << 30, "{after}");
    }
}
