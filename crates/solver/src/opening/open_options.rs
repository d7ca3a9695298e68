//! Sources of a solver's tables: memory, a directory, or a build.

use std::fmt;
#[cfg(feature = "file")]
use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "file")]
use pdb_gen::TableStore;
#[cfg(feature = "file")]
use pdb_table::TableDirectory;
use pdb_table::{Control, Encoding, SharedTable};
#[cfg(feature = "file")]
use puzzle::HeuristicSpec;
use puzzle::{HeuristicSpecBuilder, Metric, PartitionError, TableId};

use super::open_event::OpenEvent;
use super::table_choice::{Missing, OverBudget, TableBudget, TableChoice};
use crate::calls::setters;

/// Which tables of other goal cells of the blank are opened. Searches from the goal need them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum OtherGoals {
    /// None.
    Never,
    /// Those that exist, and those of the default set ([`HeuristicSpec::usual_goals`]), which are
    /// built if they are missing.
    #[default]
    Usual,
    /// All that the budget allows.
    All,
}

/// Sources of tables, and limits for building missing tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Tables in memory. They take precedence over tables in the directory.
    pub given: Vec<SharedTable>,
    /// The directory, if there is one.
    #[cfg(feature = "file")]
    pub directory: Option<TableDirectory>,
    /// Limits of building missing tables.
    pub budget: TableBudget,
    /// Files of at least this many bytes are loaded instead of mapped, if all tables together need
    /// less than half of the budget's memory: see [`OpenOptions::LOAD_FROM`]. `None` maps all
    /// files.
    pub load_from: Option<u64>,
    /// The tables of other goal cells of the blank that are opened too, so that boards can be
    /// searched from both sides. See [`OpenOptions::other_goals`].
    pub both_sides: OtherGoals,
    /// Selects the built tables that are written to the directory.
    pub keep: Keep,
    /// The listener for builds, and the token that stops builds and file checks.
    pub control: Control<OpenEvent>,
}

impl Default for OpenOptions {
    /// [`OpenOptions::in_memory`].
    fn default() -> OpenOptions {
        OpenOptions::in_memory()
    }
}

/// Selects the built tables that are kept.
#[derive(Clone, Default)]
pub enum Keep {
    /// All tables that can be written.
    #[default]
    All,
    /// Tables for which the function returns true. The function is called before each build.
    If(Arc<dyn Fn(TableId) -> bool + Send + Sync>),
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Keep::All => "All",
            Keep::If(_) => "If",
        })
    }
}

impl OpenOptions {
    /// Minimum size of a file, in bytes, for which loading instead of mapping pays if there are
    /// many boards. A smaller mapped file fits in the processor's caches, together with its page
    /// tables. Loading takes about 0.1 s per GB and makes searches up to 28 % faster.
    pub const LOAD_FROM: u64 = 8 << 20;

    /// Default limit of the estimated build time, in seconds. Longer builds need confirmation. The
    /// limit is 2 s in the single-tile metric. It is 4 s in the multi-tile metric, because the
    /// estimate for its default tables is about 3 s on one thread.
    #[must_use]
    pub fn usual_seconds(metric: Metric) -> f64 {
        match metric {
            Metric::Single => 2.0,
            Metric::Multi => 4.0,
        }
    }

    /// Uses no existing tables: all tables are built in memory, however long the builds take.
    #[must_use]
    pub fn in_memory() -> Self {
        OpenOptions {
            given: Vec::new(),
            #[cfg(feature = "file")]
            directory: None,
            budget: TableBudget {
                max_seconds: f64::INFINITY,
                max_memory: None,
                max_bytes: None,
                threads: 0,
            },
            load_from: None,
            both_sides: OtherGoals::Usual,
            keep: Keep::All,
            control: Control::default(),
        }
    }

    /// Uses the tables of a directory. The directory need not exist yet. Missing tables are built
    /// if the estimated time is at most 2 s. Files are mapped, not loaded.
    #[cfg(feature = "file")]
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        let mut options = OpenOptions::in_memory();
        options.directory = Some(TableDirectory::new(directory));
        options.max_build_seconds(OpenOptions::usual_seconds(Metric::Single))
    }

    setters! {
        /// Uses these tables, which are already in memory.
        given(tables: Vec<SharedTable>) => given = tables;
        /// Builds missing tables if the estimated time for all of them is at most this number of
        /// seconds.
        max_build_seconds(seconds: f64) => budget.max_seconds = seconds;
        /// Limits the memory of builds to this number of bytes, and the memory of loaded tables to
        /// half of this number.
        max_memory(bytes: Option<u64>) => budget.max_memory = bytes;
        /// Limits the memory of all tables together, in bytes.
        max_bytes(bytes: Option<u64>) => budget.max_bytes = bytes;
        /// Estimates build times for this many threads, 0 for all cores.
        threads(threads: usize) => budget.threads = threads;
        /// Loads files of at least this many bytes, if memory suffices.
        load_from(bytes: Option<u64>) => load_from = bytes;
        /// Selects the tables of other goal cells that are opened too, for searches from both sides.
        both_sides(both_sides: OtherGoals) => both_sides = both_sides;
        /// Selects the built tables that are written.
        keep(keep: Keep) => keep = keep;
        /// Reports builds to the listener of this control, and stops builds when the control's
        /// token is cancelled.
        control(control: Control<OpenEvent>) => control = control;
    }

    /// The specification with the name `name`; without a name, the best specification within the
    /// budget. The builder contains the goal, the metric and the kind.
    ///
    /// # Errors
    /// [`PartitionError`] if the name is invalid.
    pub fn choose(
        &self,
        builder: &HeuristicSpecBuilder,
        name: Option<&str>,
    ) -> Result<TableChoice, PartitionError> {
        match name {
            Some(name) => Ok(TableChoice {
                spec: builder.parse(name)?,
                instead_of: None,
            }),
            None => TableChoice::of(builder, &self.budget, &|id| self.encoding_of(id)),
        }
    }

    /// The missing tables among `tables`, if all of `tables` are within the budget. `name` is the
    /// heuristic that needs them.
    ///
    /// # Errors
    /// [`OverBudget`].
    pub fn check(&self, name: &str, tables: &[TableId]) -> Result<Missing, OverBudget> {
        self.budget.check(name, tables, &|id| self.encoding_of(id))
    }

    pub(super) fn given_table(&self, id: TableId) -> Option<&SharedTable> {
        self.given.iter().find(|table| table.id() == id)
    }

    /// The encoding of an existing table.
    pub(super) fn encoding_of(&self, id: TableId) -> Option<Encoding> {
        if let Some(table) = self.given_table(id) {
            return Some(table.header().encoding);
        }
        #[cfg(feature = "file")]
        if let Some(directory) = &self.directory {
            return Some(directory.file_of(id)?.0);
        }
        None
    }

    /// The directory as a table store. Files are loaded if the options request it and the memory
    /// suffices; otherwise they are mapped.
    #[cfg(feature = "file")]
    pub(super) fn store(&self, spec: &HeuristicSpec) -> Option<TableStore> {
        let directory = self.directory.as_ref()?;
        let length = |id: TableId| {
            let usual = Encoding::default_for(id.kind());
            let file = directory.file(id, usual, false);
            Some(std::fs::metadata(file).ok()?.len())
        };
        let bytes: u64 = spec.tables().into_iter().filter_map(length).sum();
        let memory = self.budget.max_memory;
        let fits = memory.is_some_and(|memory| bytes < memory / 2);
        let directory = directory.clone();
        let directory = directory.checking_unless(self.control.cancel.clone());
        let directory = match self.load_from.filter(|_| fits) {
            Some(load_from) => directory.loading_from(load_from),
            None => directory,
        };
        // The store needs no memory limit, because the budget has already been checked.
        Some(TableStore::new(directory))
    }
}
