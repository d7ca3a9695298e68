//! When a build is saved, in one process or in each of several.

use std::time::{Duration, Instant};

/// When a build is saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckpointPolicy {
    /// Never.
    Off,
    /// On cancellation, after the first seconds of a build, and at intervals in long
    /// builds, so that saving uses at most about 8 % of the time.
    Auto,
    /// At the first level that ends this long after the last checkpoint or the start, and when a
    /// build is stopped.
    Every(Duration),
}

/// Builds are not saved before they have taken this long: they are as quickly done again.
const SHORTEST_STOPPED: Duration = Duration::from_secs(5);
const SHORTEST_SAVED: Duration = Duration::from_secs(15);
/// The part of a build's time that saving may take with [`CheckpointPolicy::Auto`].
const SHARE: f64 = 0.08;
/// Bytes a second that are assumed to be written until it is measured: the page cache takes the
/// first GiB, and the time of a slower disk is cut short.
pub(crate) const FIRST_RATE: f64 = 1.2e9;
/// Fewer bytes may not have been written to the file yet, and say nothing about its speed.
const MEASURED_FROM: u64 = 1 << 20;

/// The time of a build, and what saving took of it.
#[derive(Debug)]
pub struct SaveClock {
    policy: CheckpointPolicy,
    start: Instant,
    /// Time spent on the build by processes before this one.
    before: Duration,
    last: Instant,
    /// Time spent on saving.
    spent: Duration,
    /// Bytes written a second.
    pub(crate) rate: f64,
}

impl SaveClock {
    /// A build begins.
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

    /// The build goes on from a checkpoint, before which it took this long.
    pub fn go_on(&mut self, before: Duration) {
        self.before = before;
        // The time that the processes before may have used for saving.
        self.spent = before.mul_f64(SHARE);
    }

    /// The time of the build in all processes so far.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.before + self.start.elapsed()
    }

    /// Whether a checkpoint is due between two levels, and how long writing it may take at most.
    /// `is_syncing` says that the one before is still on its way to the disk, and would be waited
    /// for. `bytes`, the length of the checkpoint, is asked only if nothing else is against it.
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
                // Compared as numbers: a rate near 0 gives a time that no `Duration` can hold.
                let fits = || bytes() as f64 / self.rate <= left.as_secs_f64();
                (!is_syncing && elapsed >= SHORTEST_SAVED && fits()).then_some(left)
            }
        }
    }

    /// Whether a build that is stopped now is saved.
    #[must_use]
    pub fn is_due_when_stopped(&self) -> bool {
        match self.policy {
            CheckpointPolicy::Off => false,
            CheckpointPolicy::Auto => self.elapsed() >= SHORTEST_STOPPED,
            CheckpointPolicy::Every(_) => true,
        }
    }

    /// A checkpoint was written, completely or not: `bytes` bytes since `begin`.
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

    /// A build that has gone on for so long, none of which was spent on saving.
    fn after(time: Duration) -> SaveClock {
        let mut clock = SaveClock::start(CheckpointPolicy::Auto);
        clock.before = time;
        clock
    }

    #[test]
    fn auto_saves_in_long_builds_for_a_small_part_of_their_time() {
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
        // A disk that was measured to be slow.
        saved.rate = FIRST_RATE / 10.0;
        assert_eq!(saved.due(false, || second / 2), None);
        // The resumed part has used its share of saving.
        let mut resumed = SaveClock::start(CheckpointPolicy::Auto);
        resumed.go_on(Duration::from_secs(1000));
        assert_eq!(resumed.due(false, || second), None);
    }

    #[test]
    fn the_length_of_a_checkpoint_is_not_asked_when_none_can_be_due() {
        let asked = || -> u64 { panic!("all rows would be gone through") };
        assert_eq!(after(Duration::from_secs(10)).due(false, asked), None);
        assert_eq!(after(Duration::from_secs(1000)).due(true, asked), None);
        let every = SaveClock::start(CheckpointPolicy::Every(Duration::ZERO));
        assert_eq!(every.due(false, asked), Some(Duration::MAX));
    }

    /// Whatever was measured, and whatever time a file claims.
    #[test]
    fn no_rate_and_no_time_ends_a_build() {
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
