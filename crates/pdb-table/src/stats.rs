//! Statistics of a table's histogram.

use crate::header::Histogram;

/// The distribution of a table's values over its reachable entries. In zero-aware tables an entry
/// represents all blank cells of a region, and regions differ in size. The mean over entries
/// therefore differs from the mean over positions. In blank-compressed and full-cost tables all
/// entries represent the same number of positions.
///
/// ```
/// use pdb_table::{Histogram, Stats};
///
/// let stats = Stats::new(&Histogram::count(&[0, 1, 1, 2, 2, 2, 2, 255]));
/// assert_eq!((stats.entries(), stats.median()), (7, 2));
/// assert_eq!(stats.mean(), 10.0 / 7.0);
/// let last = stats.levels().last().unwrap();
/// assert_eq!((last.count, last.growth, last.growth2), (4, Some(2.0), Some(2.0)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    counts: Vec<u64>,
    entries: u64,
}

/// Statistics of one value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LevelStats {
    /// The value.
    pub value: usize,
    /// Number of entries with this value.
    pub count: u64,
    /// Share of all reachable entries, 0 to 1.
    pub share: f64,
    /// Count divided by the count of the previous value; `None` if that count is 0, and for value
    /// 0.
    pub growth: Option<f64>,
    /// Mean growth per value from value - 2 to this value: the square root of the ratio of their
    /// counts. `None` if the count of value - 2 is 0, and for values 0 and 1. This mean is smooth
    /// even where the counts of even values are much larger or smaller than those of odd values.
    pub growth2: Option<f64>,
}

impl Stats {
    /// The statistics of a table's histogram. Time: O(values).
    #[must_use]
    pub fn new(histogram: &Histogram) -> Self {
        Stats::of_counts(histogram.counts())
    }

    /// The statistics of a histogram, such as that of a sample of states. `counts[v]` is the number
    /// of entries or states with value v.
    ///
    /// ```
    /// let stats = pdb_table::Stats::of_counts(&[0, 0, 3, 1, 0]);
    /// assert_eq!((stats.entries(), stats.mean(), stats.median(), stats.max()), (4, 2.25, 2, 3));
    /// ```
    #[must_use]
    pub fn of_counts(counts: &[u64]) -> Self {
        let last = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        let mut counts = counts.to_vec();
        counts.resize(last + 1, 0);
        let entries = counts.iter().fold(0_u64, |sum, &n| sum.saturating_add(n));
        Stats { counts, entries }
    }

    /// Number of reachable entries.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The largest value.
    #[must_use]
    pub fn max(&self) -> usize {
        self.counts.len() - 1
    }

    /// The mean value.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.average(|value| value)
    }

    /// The standard deviation of the values.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        self.average(|value| (value - mean).powi(2)).sqrt()
    }

    fn average(&self, of: impl Fn(f64) -> f64) -> f64 {
        let weighted = self.counts.iter().enumerate();
        let sum: f64 = weighted
            .map(|(value, &count)| of(value as f64) * count as f64)
            .sum();
        sum / self.entries.max(1) as f64
    }

    /// The median: the middle value, or the lower of the two middle values.
    #[must_use]
    pub fn median(&self) -> usize {
        let mut below = 0;
        let reaches_half = |&count: &u64| {
            below += count;
            below >= self.entries.div_ceil(2)
        };
        let median = self.counts.iter().position(reaches_half);
        median.unwrap_or(self.max())
    }

    /// The statistics of every value from 0 to the largest.
    pub fn levels(&self) -> impl Iterator<Item = LevelStats> {
        self.counts.iter().enumerate().map(|(value, &count)| {
            let ratio = |back: usize| {
                let before = *self.counts.get(value.checked_sub(back)?)?;
                (before > 0).then(|| count as f64 / before as f64)
            };
            LevelStats {
                value,
                count,
                share: count as f64 / self.entries.max(1) as f64,
                growth: ratio(1),
                growth2: ratio(2).map(f64::sqrt),
            }
        })
    }
}
