//! Estimates of random boards.

use puzzle::Scrambler;

use super::solver::Solver;
use crate::calls::SolveError;

/// The heuristic's values of random boards: see [`Solver::sample`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EstimateSample {
    counts: Vec<u64>,
}

impl EstimateSample {
    /// Number of boards with each value, for the values from 0 to the largest one.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of boards.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean value; 0 without boards.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.average(|value| value)
    }

    /// The standard deviation, estimated with the divisor n - 1 for a sample of n boards; 0 for
    /// fewer than two boards.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        let (mean, boards) = (self.mean(), self.boards() as f64);
        let spread = self.average(|value| (value - mean).powi(2));
        (spread * boards / (boards - 1.0).max(1.0)).sqrt()
    }

    /// The standard error of [`Self::mean`]: the deviation divided by the square root of the number
    /// of boards.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        self.deviation() / (self.boards() as f64).sqrt().max(1.0)
    }

    fn average(&self, of: impl Fn(f64) -> f64) -> f64 {
        let weighted = self.counts.iter().enumerate();
        let sum: f64 = weighted
            .map(|(value, &count)| of(value as f64) * count as f64)
            .sum();
        sum / (self.boards() as f64).max(1.0)
    }

    fn add(&mut self, value: u32) {
        let value = value as usize;
        if self.counts.len() <= value {
            self.counts.resize(value + 1, 0);
        }
        self.counts[value] += 1;
    }
}

impl Solver {
    /// The heuristic's values of `boards` uniformly random solvable boards. The histogram in a
    /// table's header counts the entries of one pattern. This function samples boards of the whole
    /// puzzle instead, and each value combines all views. The same seed produces the same boards on
    /// every machine. Uses one thread and takes a few microseconds per board.
    ///
    /// # Errors
    /// [`SolveError::Damaged`].
    ///
    /// ```
    /// use puzzle::{Goal, HeuristicSpec};
    /// use solver::Solver;
    ///
    /// let goal = Goal::blank_last("3x3".parse()?);
    /// let spec = HeuristicSpec::parse("8", &goal)?; // whole distances
    /// let sample = Solver::build(goal, spec)?.sample(1000, 1)?;
    /// let mean_of_all = 21.97; // of 181,440
    /// assert!((sample.mean() - mean_of_all).abs() < 3.0 * sample.standard_error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&self, boards: u64, seed: u64) -> Result<EstimateSample, SolveError> {
        let mut scrambler = Scrambler::new(seed);
        let mut sample = EstimateSample::default();
        for _ in 0..boards {
            let state = scrambler.draw(self.goal().tray(), self.goal().blank());
            sample.add(self.search.start.estimate(&state)?);
        }
        Ok(sample)
    }
}
