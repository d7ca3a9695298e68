//! State of a build's processes, shared by all threads of a process.

use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use command::Failure;

use crate::terminal::clear_progress;

/// Origin of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// This process. The message to the other processes names this process.
    Here,
    /// The loss of a partner. All processes are likely to detect the loss and to report it with the
    /// same message.
    Everywhere,
    /// Another process, which has sent the failure.
    There,
}

#[derive(Default)]
struct Partner {
    /// The partner is on this machine. Blocks for it are never compressed.
    is_near: AtomicBool,
    /// Time of the last bytes received from the partner, in milliseconds since the start.
    heard: AtomicU64,
}

/// The processes of a build, from the view of one of them.
pub(crate) struct Cluster {
    pub(crate) me: usize,
    pub(crate) hosts: Vec<String>,
    partners: Vec<Partner>,
    start: Instant,
    pub(crate) failure: OnceLock<(Failure, Origin)>,
    /// This process no longer needs the other processes: they may close their connections.
    finished: AtomicBool,
    /// All processes have saved a level of the current table.
    saved: AtomicBool,
    /// Bytes received on all connections.
    received: AtomicU64,
    /// Bytes sent on all connections.
    sent: AtomicU64,
}

impl Cluster {
    pub(crate) fn new(me: usize, hosts: Vec<String>) -> Self {
        Cluster {
            me,
            partners: hosts.iter().map(|_| Partner::default()).collect(),
            hosts,
            start: Instant::now(),
            failure: OnceLock::new(),
            finished: AtomicBool::default(),
            saved: AtomicBool::default(),
            received: AtomicU64::default(),
            sent: AtomicU64::default(),
        }
    }

    pub(crate) fn processes(&self) -> usize {
        self.hosts.len()
    }

    /// Name of a process in messages.
    pub(crate) fn name(&self, process: usize) -> String {
        let host = self.hosts.get(process).map_or("?", String::as_str);
        format!("process {process} ({host})")
    }

    /// Stores a failure, unless one is stored already.
    pub(crate) fn fail(&self, failure: Failure, origin: Origin) {
        let _ = self.failure.set((failure, origin));
    }

    /// Stores the loss of a partner as the failure.
    pub(crate) fn lost(&self, process: usize, how: &str) {
        let line = format!("{} {how}; {}", self.name(process), self.way_on());
        self.fail(Failure::table(line), Origin::Everywhere);
    }

    pub(crate) fn set_saved(&self, saved: bool) {
        self.saved.store(saved, Relaxed);
    }

    /// Advice for a build that ended early.
    pub(crate) fn way_on(&self) -> &'static str {
        match self.saved.load(Relaxed) {
            true => "resume with --resume",
            false => "no level was saved by all processes: start all again",
        }
    }

    pub(crate) fn finish(&self) {
        self.finished.store(true, SeqCst);
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(SeqCst)
    }

    /// Counts bytes received from a process.
    pub(crate) fn hear(&self, process: usize, bytes: usize) {
        let now = self.start.elapsed().as_millis() as u64;
        self.partners[process].heard.store(now, Relaxed);
        self.received.fetch_add(bytes as u64, Relaxed);
    }

    pub(crate) fn count_sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Relaxed);
    }

    pub(crate) fn set_near(&self, process: usize) {
        self.partners[process].is_near.store(true, Relaxed);
    }

    pub(crate) fn is_near(&self, process: usize) -> bool {
        self.partners[process].is_near.load(Relaxed)
    }

    /// Number of processes on this machine, including this one.
    pub(crate) fn processes_here(&self) -> usize {
        let is_here = |process: &usize| *process == self.me || self.is_near(*process);
        (0..self.processes()).filter(is_here).count()
    }

    pub(crate) fn received(&self) -> u64 {
        self.received.load(Relaxed)
    }

    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Relaxed)
    }

    /// Restarts the measurement of silence for all processes.
    pub(crate) fn hear_all(&self) {
        (0..self.processes()).for_each(|process| self.hear(process, 0));
    }

    /// The partner that has been silent for the longest time, and the duration of its silence.
    pub(crate) fn most_silent(&self) -> Option<(usize, Duration)> {
        let now = self.start.elapsed();
        let others = (0..self.processes()).filter(|&process| process != self.me);
        let silent = others.map(|process| {
            let heard = self.partners[process].heard.load(Relaxed);
            (process, now.saturating_sub(Duration::from_millis(heard)))
        });
        silent.max_by_key(|(_, time)| *time)
    }
}

/// Ends the process with a message and an exit code. Only the first call prints.
pub(crate) fn end(failure: &Failure) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, SeqCst) {
        wait_for_end();
    }
    clear_progress();
    failure.report("pdb-gen-dist", false);
    std::process::exit(failure.exit().into());
}

/// Waits for another thread to end the process.
pub(crate) fn wait_for_end() -> ! {
    loop {
        std::thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Cluster {
        Cluster::new(1, ["a:1", "b:1", "c:1"].map(str::to_owned).to_vec())
    }

    #[test]
    fn processes_on_this_machine_are_counted() {
        let cluster = three();
        assert!(!cluster.is_near(0) && !cluster.is_near(2));
        assert_eq!(cluster.processes_here(), 1);
        cluster.set_near(0);
        assert!(cluster.is_near(0) && !cluster.is_near(2));
        assert_eq!(cluster.processes_here(), 2);
        cluster.set_near(2);
        assert_eq!(cluster.processes_here(), 3);
    }

    #[test]
    fn traffic_is_counted() {
        let cluster = three();
        cluster.count_sent(100);
        cluster.count_sent(80);
        cluster.hear(2, 9);
        assert_eq!((cluster.received(), cluster.sent()), (9, 180));
    }
}
