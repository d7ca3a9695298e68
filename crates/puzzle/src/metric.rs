//! Metrics: the definition of one move.

use crate::name_variants;
use crate::tray::Direction;

/// The unit of solution lengths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[must_use]
pub enum Metric {
    /// Each tile that slides by one cell counts as a move.
    #[default]
    Single,
    /// Each run counts as a move: one or more tiles of a line that slide together by one cell.
    Multi,
}

name_variants! { "metric", Metric { Single: "single", Multi: "multi" } }

impl Metric {
    /// The length of a list of single moves. In the multi-tile metric, consecutive moves in one
    /// direction count as one run.
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
