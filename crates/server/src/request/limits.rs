//! Limits and starting point of a search. Limits above those of the service are rejected.

use std::time::Duration;

use solver::{Side, SolveOptions};

use super::puzzle::parse;
use crate::config::{Config, time};
use crate::problem::Problem;

#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) max_time: Duration,
    pub(crate) max_nodes: Option<u64>,
    pub(crate) threads: usize,
    pub(crate) side: Side,
}

impl Limits {
    pub(crate) fn new(
        config: &Config,
        max_time: Option<f64>,
        max_nodes: Option<u64>,
        threads: Option<u64>,
        side: Option<&str>,
    ) -> Result<Limits, Problem> {
        let most = config.max_time;
        let max_time = match max_time {
            None => config.default_time.min(most),
            Some(seconds) if seconds > 0.0 && seconds <= most => seconds,
            Some(seconds) => {
                return Err(Problem::input(format!(
                    "max_time is {seconds}: expected seconds, above 0 and at most {most}"
                )));
            }
        };
        if max_nodes == Some(0) {
            return Err(Problem::input("max_nodes is 0: expected at least 1"));
        }
        let most = config.max_threads.max(1) as u64;
        let threads = match threads {
            // The maximum allowed.
            Some(0) => most,
            Some(threads) if threads > most => {
                return Err(Problem::input(format!(
                    "threads is {threads}: expected at most {most}, or 0 for the maximum"
                )));
            }
            threads => threads.unwrap_or(1),
        };
        Ok(Limits {
            max_time: time(max_time),
            max_nodes,
            threads: threads as usize,
            side: parse(side)?.unwrap_or_default(),
        })
    }

    pub(crate) fn options(&self) -> SolveOptions {
        let mut options = SolveOptions::default()
            .threads(self.threads)
            .side(self.side)
            .max_time(self.max_time);
        options.max_nodes = self.max_nodes;
        options
    }
}
