//! What is printed: progress, results with figures, notes.

use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use command::{print_error, progress_bar};
use indicatif::ProgressBar;
use pdb_gen::{PartSweep, size};
use pdb_table::Histogram;
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::cluster::Cluster;
use crate::job::Job;

/// Prints a line to standard output. Errors of writing are ignored: the table is what counts.
pub(crate) fn print_line(line: impl fmt::Display) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// The bar that is on the terminal, if there is one.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Removes the progress line, so that another line can be printed. If a thread is at it that has
/// panicked it stays.
pub(crate) fn clear_progress() {
    if let Some(bar) = BAR.try_lock().ok().and_then(|mut bar| bar.take()) {
        bar.finish_and_clear();
    }
}

/// Prints a note to standard error.
pub(crate) fn print_note(line: impl fmt::Display) {
    let bar = BAR.try_lock().ok().and_then(|bar| bar.clone());
    let print = || print_error(format_args!("pdb-gen-dist: {line}"));
    match bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// Says that a table is there already.
pub(crate) fn print_kept(job: &Job, id: TableId) {
    let name = id.name();
    if job.json {
        print_line(json!({ "table": name, "written": false }));
    } else if !job.quiet {
        let directory = job.directory.path().display();
        print_line(format_args!("kept  {name} in {directory}"));
    }
}

/// The progress line of process 0, if standard error is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(job: &Job, process: usize, name: &str) -> Self {
        let is_silent = job.quiet || job.json || process > 0;
        let bar = progress_bar(name, "{wide_msg}", is_silent);
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
        let (name, seconds) = (self.bar.prefix(), self.start.elapsed().as_secs_f64());
        let (share, rate) = (
            100.0 * found as f64 / entries as f64,
            found as f64 / 1e6 / seconds,
        );
        self.bar.set_message(format!(
            "{name} {share:3.0}%, {seconds:.0} s, {rate:.1} M/s, level {level}: {new} new"
        ));
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// What one process has taken for a table.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) seconds: f64,
    /// Time without anything to do.
    pub(crate) waited: Duration,
    /// The most memory that the process has ever had, in bytes, where the system says it.
    pub(crate) peak_memory: Option<u64>,
    /// Bytes of all connections: what timely has read and written.
    pub(crate) bytes_received: u64,
    pub(crate) bytes_sent: u64,
    /// Bytes of blocks of rows before they were packed.
    pub(crate) block_bytes: u64,
    pub(crate) rows_as_bits: u64,
    pub(crate) rows_as_positions: u64,
    pub(crate) own_entries: u64,
}

impl Report {
    /// Adds what is known at the end: `start` is when the table was begun, `before` the bytes
    /// received and sent till then.
    pub(crate) fn finish(
        &mut self,
        (start, before): (Instant, (u64, u64)),
        cluster: &Arc<Cluster>,
        sweep: &PartSweep,
    ) {
        self.seconds = start.elapsed().as_secs_f64();
        self.peak_memory = peak_memory();
        let (received, sent) = cluster.traffic();
        (self.bytes_received, self.bytes_sent) = (received - before.0, sent - before.1);
        let sums = sweep.sums();
        self.block_bytes = sums.bytes;
        (self.rows_as_bits, self.rows_as_positions) = (sums.as_bits, sums.as_positions);
        self.own_entries = sweep.own_entries();
    }
}

/// Prints the reports of all processes, of which the first is this one's.
pub(crate) fn print(
    all: &[Report],
    job: &Job,
    path: &Path,
    sweep: &PartSweep,
    histogram: &Histogram,
) {
    let (entries, seconds) = (sweep.entries(), all.first().map_or(0.0, |own| own.seconds));
    let sent: u64 = all.iter().map(|report| report.bytes_sent).sum();
    let memory = all.iter().filter_map(|report| report.peak_memory).max();
    let max = histogram.max();
    let per_entry = sent as f64 / entries as f64;
    if job.json {
        let processes = all.iter().map(|report| {
            json!({
                "seconds": report.seconds,
                "waited": report.waited.as_secs_f64(),
                "peak_memory": report.peak_memory,
                "bytes_received": report.bytes_received,
                "bytes_sent": report.bytes_sent,
                "block_bytes": report.block_bytes,
                "rows_as_bits": report.rows_as_bits,
                "rows_as_positions": report.rows_as_positions,
                "entries": report.own_entries,
            })
        });
        print_line(json!({
            "table": sweep.id().name(),
            "file": path.display().to_string(),
            "written": true,
            "entries": entries,
            "max": max,
            "seconds": seconds,
            "peak_memory": memory,
            "bytes_sent": sent,
            "bytes_per_entry": per_entry,
            "processes": processes.collect::<Vec<_>>(),
        }));
    } else if !job.quiet {
        let memory = memory.map_or(String::new(), |bytes| {
            format!(", at most {} of memory a process", size(bytes))
        });
        print_line(format_args!(
            "wrote {}{}: {entries} entries, h up to {max}, {seconds:.2} s, {} processes, \
             {per_entry:.2} bytes sent an entry{memory}",
            path.display(),
            if job.parts {
                " and the other parts"
            } else {
                ""
            },
            all.len(),
        ));
    }
}

/// The most memory that this process has had.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(number << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_at_least_what_was_filled() {
        let before = peak_memory().unwrap();
        let filled = vec![1_u8; 64 << 20];
        let after = peak_memory().unwrap();
        assert!(filled.iter().all(|&byte| byte == 1));
        assert!(after >= 64 << 20 && after >= before, "{before} {after}");
        assert!(after < 64 << 30, "{after}");
    }
}
