//! What counts as one move.

use std::fmt;
use std::str::FromStr;

use crate::Direction;

/// What a length counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Metric {
    /// Each tile that moves by one cell.
    #[default]
    Single,
    /// Each run: one or more tiles of a line that slide together by one cell.
    Multi,
}

impl Metric {
    /// The name: `single` or `multi`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Single => "single",
            Metric::Multi => "multi",
        }
    }

    /// The length of single moves that lead from one arrangement to another without detours: in the
    /// multi-tile metric the number of stretches of equal directions.
    ///
    /// ```
    /// use puzzle::{Direction::{Left, Up}, Metric};
    /// assert_eq!(Metric::Single.length(&[Up, Up, Left]), 3);
    /// assert_eq!(Metric::Multi.length(&[Up, Up, Left]), 2);
    /// ```
    #[must_use]
    pub fn length(self, moves: &[Direction]) -> usize {
        match self {
            Metric::Single => moves.len(),
            Metric::Multi => moves.chunk_by(|a, b| a == b).count(),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name of no metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("metric `{0}` is not known: single or multi")]
pub struct MetricError(String);

impl FromStr for Metric {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Self, MetricError> {
        [Metric::Single, Metric::Multi]
            .into_iter()
            .find(|metric| metric.name() == text)
            .ok_or_else(|| MetricError(text.to_owned()))
    }
}
