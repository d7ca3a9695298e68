//! Results on standard output: tables that are built, kept or proved, and what a build took.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use pdb_gen::{PartSweep, size};
use pdb_table::Histogram;
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cluster::Cluster;
use crate::job::Job;
use crate::terminal::print_line;

/// Prints a result as the job asks for it: as JSON, as a line, or not at all.
pub(crate) fn print_result(job: &Job, object: Value, line: impl fmt::Display) {
    match (job.json, job.quiet) {
        (true, _) => print_line(object),
        (false, true) => {}
        (false, false) => print_line(line),
    }
}

/// Says that a table is there already.
pub(crate) fn print_kept(job: &Job, id: TableId) {
    let (name, directory) = (id.name(), job.directory.path().display());
    let object = json!({ "table": name, "written": false });
    print_result(job, object, format_args!("kept  {name} in {directory}"));
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
        cluster: &Cluster,
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
pub(crate) fn print_written(
    all: &[Report],
    job: &Job,
    path: &Path,
    sweep: &PartSweep,
    histogram: &Histogram,
) {
    let (entries, seconds) = (sweep.entries(), all.first().map_or(0.0, |own| own.seconds));
    let sent: u64 = all.iter().map(|report| report.bytes_sent).sum();
    let per_entry = sent as f64 / entries as f64;
    let memory = all.iter().filter_map(|report| report.peak_memory).max();
    let max = histogram.max();
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
    let object = json!({
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
    });
    let parts = if job.parts {
        " and the other parts"
    } else {
        ""
    };
    let memory = memory.map(|bytes| format!(", at most {} of memory a process", size(bytes)));
    let line = format_args!(
        "wrote {}{parts}: {entries} entries, h up to {max}, {seconds:.2} s, {} processes, \
         {per_entry:.2} bytes sent an entry{}",
        path.display(),
        all.len(),
        memory.unwrap_or_default()
    );
    print_result(job, object, line);
}

/// The most memory that this process has had.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
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
