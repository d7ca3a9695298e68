//! Times at which a build is saved, in one process or in each of several processes.

use std::time::{Duration, Instant};

/// Policy for saving a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckpointPolicy {
    /// Never saves.
    Off,
    /// Saves long builds at intervals, so that saving uses at most about 8 % of the build's time.
    /// Also saves a build that is cancelled, except in its first seconds.
    Auto,
    /// Saves at the first level that ends at least this long after the last checkpoint, or after
    /// the start of the build. Also saves a build that is cancelled.
    Every(Duration),
}

/// Minimum time of a build that is saved on cancellation. Shorter builds are quickly repeated.
const SHORTEST_STOPPED: Duration = Duration::from_secs(5);
/// Minimum time of a build before it is saved at intervals.
const SHORTEST_SAVED: Duration = Duration::from_secs(15);
/// Fraction of a build's time that saving may take with [`CheckpointPolicy::Auto`].
const SHARE: f64 = 0.08;
/// Write speed in bytes per second that is assumed until the actual speed has been measured. The
/// page cache absorbs the first GiB. If the actual speed is lower, the time limit from
/// [`SaveClock::due`] ends the attempt to save.
pub(crate) const FIRST_RATE: f64 = 1.2e9;
/// Minimum number of bytes for measuring the write speed: fewer bytes may still be in the write
/// buffer.
const MEASURED_FROM: u64 = 1 << 20;

/// Measures the time of a build, and the time that is spent on saving the build.
#[derive(Debug)]
pub struct SaveClock {
    policy: CheckpointPolicy,
    start: Instant,
    /// Time spent on the build by earlier processes.
    before: Duration,
    last: Instant,
    /// Time spent on saving.
    spent: Duration,
    /// Write speed, in bytes per second.
    pub(crate) rate: f64,
}

impl SaveClock {
    /// Starts the clock of a build.
    #[must_use]
    pub fn start(policy: CheckpointPolicy) -> Self {
        SaveClock {
            policy,
            start: Instant::now(),
            before: Duration::ZERO,
            last: Instant::now(),
            spent: Duration::ZERO,
            rate: FIRST_RATE,
        }
    }

    /// Resumes a build from a checkpoint. `before` is the time of the build up to the checkpoint.
    pub fn go_on(&mut self, before: Duration) {
        self.before = before;
        // Assume that the earlier processes used the largest allowed share of their time for
        // saving.
        self.spent = before.mul_f64(SHARE);
    }

    /// Time of the build so far, including the time that earlier processes spent on it.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.before + self.start.elapsed()
    }

    /// Returns the time limit for writing a checkpoint between two levels, or `None` if no
    /// checkpoint is due. `is_syncing` means that the previous checkpoint is still being written to
    /// the disk, so that a new one would have to wait. `bytes` computes the length of the
    /// checkpoint; it is called only if all other conditions hold.
    #[must_use]
    pub fn due(&self, is_syncing: bool, bytes: impl FnOnce() -> u64) -> Option<Duration> {
        match self.policy {
            CheckpointPolicy::Off => None,
            CheckpointPolicy::Every(interval) => {
                (self.last.elapsed() >= interval).then_some(Duration::MAX)
            }
            CheckpointPolicy::Auto => {
                let elapsed = self.elapsed();
                let left = elapsed.mul_f64(SHARE).saturating_sub(self.spent);
                // The times are compared as floating-point numbers: with a rate near 0, the time to
                // save would not fit into a `Duration`.
                let fits = || bytes() as f64 / self.rate <= left.as_secs_f64();
                (!is_syncing && elapsed >= SHORTEST_SAVED && fits()).then_some(left)
            }
        }
    }

    /// Whether a build that is cancelled now is saved.
    #[must_use]
    pub fn is_due_when_stopped(&self) -> bool {
        match self.policy {
            CheckpointPolicy::Off => false,
            CheckpointPolicy::Auto => self.elapsed() >= SHORTEST_STOPPED,
            CheckpointPolicy::Every(_) => true,
        }
    }

    /// Records that `bytes` bytes of a checkpoint, complete or not, were written since `begin`.
    pub fn wrote(&mut self, bytes: u64, begin: Instant) {
        let took = begin.elapsed();
        self.spent += took;
        if bytes >= MEASURED_FROM {
            self.rate = bytes as f64 / took.as_secs_f64().max(1e-3);
        }
        self.last = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clock of a build that has run for `time` without saving.
    fn after(time: Duration) -> SaveClock {
        let mut clock = SaveClock::start(CheckpointPolicy::Auto);
        clock.before = time;
        clock
    }

    #[test]
    fn auto_saves_long_builds_within_its_share_of_time() {
        let after = |seconds| after(Duration::from_secs(seconds));
        let second = FIRST_RATE as u64;
        assert_eq!(after(10).due(false, || 1), None);
        assert!(after(16).due(false, || second).is_some());
        assert_eq!(after(16).due(true, || second), None);
        assert_eq!(after(16).due(false, || 2 * second), None);
        let most = after(1000).due(false, || second).unwrap();
        assert!(Duration::from_secs(80) <= most && most < Duration::from_secs(85));
        let mut saved = after(1000);
        saved.spent = Duration::from_secs(79);
        assert!(saved.due(false, || second / 2).is_some());
        assert_eq!(saved.due(false, || 5 * second), None);
        // The disk was measured to be slow.
        saved.rate = FIRST_RATE / 10.0;
        assert_eq!(saved.due(false, || second / 2), None);
        // The resumed build has used its share of the time for saving.
        let mut resumed = SaveClock::start(CheckpointPolicy::Auto);
        resumed.go_on(Duration::from_secs(1000));
        assert_eq!(resumed.due(false, || second), None);
    }

    #[test]
    fn the_checkpoint_length_is_computed_only_when_needed() {
        let asked = || -> u64 { panic!("the length would be computed from all rows") };
        assert_eq!(after(Duration::from_secs(10)).due(false, asked), None);
        assert_eq!(after(Duration::from_secs(1000)).due(true, asked), None);
        let every = SaveClock::start(CheckpointPolicy::Every(Duration::ZERO));
        assert_eq!(every.due(false, asked), Some(Duration::MAX));
    }

    /// Covers extreme rates, and times up to the largest time that a file can store.
    #[test]
    fn extreme_rates_and_times_cause_no_panic() {
        let times = [0, 1, 15_000, 1 << 40, u64::MAX].map(Duration::from_millis);
        for time in times {
            let mut clock = after(time);
            let rates = [0.0, -0.0, f64::MIN_POSITIVE, 1e-300, FIRST_RATE, f64::MAX];
            for rate in rates.into_iter().chain([f64::INFINITY, f64::NAN, -1.0]) {
                clock.rate = rate;
                for bytes in [0, 1, 1 << 20, u64::MAX] {
                    let _ = clock.due(false, || bytes);
                }
            }
            clock.rate = 0.0;
            assert_eq!(clock.due(false, || 1), None);
        }
    }
}
