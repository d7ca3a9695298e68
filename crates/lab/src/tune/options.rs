//! Options and limits of a tuning.

use std::time::Duration;

use puzzle::{Cell, CellSet, Pattern, PatternError, State, Symmetry, TableKind, Tray};

use super::report::TuneError;

/// Options and limits of a tuning. [`TuneOptions::new`] sets default values for all fields except
/// the goal and the sizes of the parts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TuneOptions {
    /// The size.
    pub tray: Tray,
    /// The blank's goal cell.
    pub goal_blank: Cell,
    /// The kind of the tables, which must be additive. Zero-aware by default.
    pub kind: TableKind,
    /// Number of tiles of each part.
    pub sizes: Vec<usize>,
    /// Number of partitions used together, each with its images under the symmetries that keep the
    /// goal's blank. 1 by default.
    pub together: usize,
    /// Seed of the sample. 1 by default.
    pub seed: u64,
    /// Number of states in the sample. 20,000 by default.
    pub states: usize,
    /// Maximum number of entries that table builds sweep. This number limits the time of every step
    /// that builds tables: 10^9 entries take a few seconds. 6 * 10^10 by default.
    pub max_entries: u64,
    /// Approximate time limit. After this time, the tuning returns the results so far. A minimum
    /// number of tables is built even if the time is over. By default there is no limit, and the
    /// clock is not read.
    pub max_time: Option<Duration>,
    /// Free memory in bytes, if known; a tuning that needs more is rejected.
    pub max_memory: Option<u64>,
    /// Number of the best sets to report, 10 by default. With 0, only the known sets are measured.
    pub finalists: usize,
    /// Start states of the searches that count nodes. The first round compares the sets with the
    /// largest [`super::Candidate::mean`]: six times as many as [`Self::finalists`]. It searches
    /// from a quarter of these states, or from all of them if the tables are large. Later rounds
    /// search from more states with the best sets of the previous round. If the list is empty, as
    /// by default, no nodes are counted.
    pub searched: Vec<State>,
    /// Sets of partitions that are always ranked, such as those of the presets.
    pub known: Vec<Vec<Vec<CellSet>>>,
}

impl TuneOptions {
    /// Options for partitions of a tray's tiles into parts of these sizes. All other fields have
    /// their default values.
    #[must_use]
    pub fn new(tray: Tray, goal_blank: Cell, sizes: Vec<usize>) -> Self {
        TuneOptions {
            tray,
            goal_blank,
            kind: TableKind::ZeroAware,
            sizes,
            together: 1,
            seed: 1,
            states: 20_000,
            max_entries: 60_000_000_000,
            max_time: None,
            max_memory: None,
            finalists: 10,
            searched: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Checks that the tuning is possible with the free memory. Builds nothing.
    ///
    /// # Errors
    /// [`TuneError`] with the reason.
    pub fn check(&self) -> Result<(), TuneError> {
        Pattern::check_tray(self.tray)?;
        if !self.kind.is_additive() {
            return Err(TuneError::TableKind(self.kind));
        }
        let (tray, expected) = (self.tray, self.tray.cells() - 1);
        let max = Pattern::max_tiles(tray);
        if let Some(&found) = self.sizes.iter().find(|k| !(1..=max).contains(*k)) {
            return Err(PatternError::Tiles { found, tray, max }.into());
        }
        let found = self.sizes.iter().sum();
        if found != expected {
            return Err(TuneError::Sum {
                found,
                expected,
                tray,
            });
        }
        for (number, name) in [
            (self.together, "the number of partitions"),
            (self.states, "the number of states"),
        ] {
            if number == 0 {
                return Err(TuneError::Nothing(name));
            }
        }
        self.check_memory()
    }

    /// The symmetries that keep the goal's blank, the identity first.
    pub(super) fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::keeping(self.tray, self.goal_blank).collect()
    }
}
