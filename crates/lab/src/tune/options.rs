//! Options and limits of a tuning.

use std::time::Duration;

use puzzle::{Cell, CellSet, Pattern, PatternError, State, Symmetry, TableKind, Tray};

use super::report::TuneError;

/// Options and limits of a tuning. [`TuneOptions::new`] has a default for all but the
/// goal and the parts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TuneOptions {
    /// The size.
    pub tray: Tray,
    /// The blank's goal cell.
    pub goal_blank: Cell,
    /// The kind of the tables, of those whose values add up. Zero-aware by default.
    pub kind: TableKind,
    /// Tiles of each part.
    pub sizes: Vec<usize>,
    /// Number of partitions that work together, each with its images under the symmetries that keep
    /// the goal's blank. 1 by default.
    pub together: usize,
    /// Seed of the sample. 1 by default.
    pub seed: u64,
    /// States of the sample. 20,000 by default.
    pub states: usize,
    /// Entries that may be swept, which bounds the time of every step that builds tables: 10^9 take
    /// some seconds. 6 * 10^10 by default.
    pub max_entries: u64,
    /// The time to spend, about: when it is over the tuning ends with what is known by then. Only
    /// the end of the tables that are always built is waited for. By default there is no limit, and
    /// the clock is not asked.
    pub max_time: Option<Duration>,
    /// Memory that there is, in bytes, where it is known: what needs more is refused.
    pub max_memory: Option<u64>,
    /// Number of the best sets to report, 10 by default; with 0, partitions are not searched for,
    /// and only the known ones measured.
    pub finalists: usize,
    /// The states to search from: the best sets by the sample, six times as many as are reported,
    /// are searched with from a quarter of them, the best of these from more. Without any, as by
    /// default, nodes are not counted.
    pub searched: Vec<State>,
    /// Sets of partitions to be ranked in any case, such as those in use now.
    pub known: Vec<Vec<Vec<CellSet>>>,
}

impl TuneOptions {
    /// Tunes partitions of a tray's tiles into parts of these sizes, with the defaults of the
    /// fields.
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

    /// Whether the tuning is possible with the memory there is. Builds nothing.
    ///
    /// # Errors
    /// [`TuneError`] says why not.
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
