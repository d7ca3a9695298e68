//! Process metrics with the standard names of Prometheus.

use std::fmt;
use std::fs::{read_dir, read_to_string};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;
use rustix::time::{ClockId, clock_gettime};

/// Metrics that are read at each request for /metrics. Those that the system does not provide are
/// omitted.
#[derive(Debug)]
pub(crate) struct Process {
    started: Duration,
}

impl Process {
    pub(crate) fn new() -> Process {
        Process {
            started: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default(),
        }
    }
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut write = |name, help, unit: Option<Unit>, metric: &dyn EncodeMetric| {
            let kind = metric.metric_type();
            metric.encode(encoder.encode_descriptor(name, help, unit.as_ref(), kind)?)
        };
        if let Some(bytes) = resident_bytes() {
            let (name, help) = ("process_resident_memory", "Resident memory.");
            write(name, help, Some(Unit::Bytes), &ConstGauge::new(bytes))?;
        }
        if let Ok(files) = read_dir("/proc/self/fd") {
            // The metric excludes the handle of the directory itself.
            let files = ConstGauge::new(files.count() as i64 - 1);
            let help = "Open files and connections.";
            write("process_open_fds", help, None, &files)?;
        }
        if cfg!(target_os = "linux") {
            let time = clock_gettime(ClockId::ProcessCPUTime);
            let time = ConstCounter::new(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9);
            let help = "Processor time of all threads.";
            write("process_cpu", help, Some(Unit::Seconds), &time)?;
            let started = ConstGauge::new(self.started.as_secs_f64());
            let help = "Start time of the service since 1970.";
            write("process_start_time", help, Some(Unit::Seconds), &started)?;
        }
        Ok(())
    }
}

/// Resident memory of the process.
fn resident_bytes() -> Option<i64> {
    let status = read_to_string("/proc/self/status").ok()?;
    let field = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: i64 = field.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}
