//! The stop signal and the listener of a tuning.

use std::time::Duration;

use pdb_table::Control;

use super::report::{Stage, TuneError, TuneEvent};

/// The caller's control, and the time limit.
pub(super) struct TuneControl<'a> {
    pub(super) caller: &'a Control<TuneEvent>,
    pub(super) max_time: Option<Duration>,
    /// The time since the start.
    pub(super) clock: &'a (dyn Fn() -> Duration + Sync),
}

impl TuneControl<'_> {
    pub(super) fn report(&self, stage: Stage, done: u64, total: u64) {
        self.caller.report(&TuneEvent { stage, done, total });
    }

    pub(super) fn check(&self) -> Result<(), TuneError> {
        match self.caller.is_cancelled() {
            true => Err(TuneError::Cancelled),
            false => Ok(()),
        }
    }

    /// Whether this share of the maximum time, from 0 to 1, has passed.
    pub(super) fn is_over(&self, share: f64) -> bool {
        let is_over = |max: Duration| (self.clock)().as_secs_f64() >= max.as_secs_f64() * share;
        self.max_time.is_some_and(is_over)
    }
}
