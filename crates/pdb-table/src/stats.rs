//! What a table's histogram says of its values.

use crate::Histogram;

/// The spread of a table's values over its entries: those that some position has, each counted once. In zero-aware
/// tables a region counts once however many cells it has, so the mean over positions is another; in blank-compressed and
/// full-cost tables every entry stands for equally many positions.
///
/// ```
/// use pdb_table::Stats;
/// use pdb_table::Histogram;
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

/// The entries of one value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LevelStats {
    /// The value.
    pub value: usize,
    /// Entries that have it.
    pub count: u64,
    /// Their part of all entries, 0 to 1.
    pub share: f64,
    /// How many times as many they are as those of the value before; `None` where there are none of that.
    pub growth: Option<f64>,
    /// The same over two values, a value's share of it: the square root of the count by that of the value two before.
    /// Smooth where even and odd values alternate.
    pub growth2: Option<f64>,
}

impl Stats {
    /// The statistics of a histogram, as a table's header has it. O(values).
    #[must_use]
    pub fn new(values: &Histogram) -> Self {
        Stats {
            counts: values.counts().to_vec(),
            entries: values.total(),
        }
    }

    /// Entries that some position has.
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

    /// The smallest value that at least half of the entries do not exceed.
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

    /// The entries of every value from 0 to the largest.
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
