//! Source of the tables of a solver: memory, a directory, or a build.

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

/// Source of tables, and the limits of building missing ones.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Tables in memory. A table that is also in the directory is taken from here.
    pub given: Vec<SharedTable>,
    /// The directory, if there is one.
    #[cfg(feature = "file")]
    pub directory: Option<TableDirectory>,
    /// Limits of building missing tables.
    pub budget: TableBudget,
    /// Files of at least this many bytes are loaded and not mapped, if all tables together take
    /// less than half of the budget's memory: see [`OpenOptions::LOAD_FROM`]. `None` maps all
    /// files.
    pub load_from: Option<u64>,
    /// Whether the tables of other goal cells of the blank are opened too, so that boards can be
    /// searched from both sides: [`OpenOptions::other_goals`].
    pub both_sides: bool,
    /// Which tables that are built are written to the directory.
    pub keep: Keep,
    /// The listener for builds, and the token that stops builds and checks of files.
    pub control: Control<OpenEvent>,
}

/// Which tables that are built are kept.
#[derive(Clone, Default)]
pub enum Keep {
    /// All that can be written.
    #[default]
    All,
    /// Only tables for which the function returns true. It is called before each build.
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
    /// The size from which it pays to load files for many boards: smaller tables and their pages
    /// are in the processor's caches. Loading takes about 0.1 s per GB, and makes searches up to 28
    /// % faster.
    pub const LOAD_FROM: u64 = 8 << 20;

    /// The longest time to build missing tables without asking: 2 s by estimate. 4 s for runs of
    /// tiles, whose usual tables take about 3 s by estimate on one thread.
    #[must_use]
    pub fn usual_seconds(metric: Metric) -> f64 {
        match metric {
            Metric::Single => 2.0,
            Metric::Multi => 4.0,
        }
    }

    /// No tables that are there: all are built in memory, however long it takes.
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
            both_sides: true,
            keep: Keep::All,
            control: Control::default(),
        }
    }

    /// The tables of a directory, which need not exist yet: missing tables are built if that takes
    /// up to 2 s by estimate, and no file is loaded.
    #[cfg(feature = "file")]
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        let mut options = OpenOptions::in_memory();
        options.directory = Some(TableDirectory::new(directory));
        options.max_build_seconds(OpenOptions::usual_seconds(Metric::Single))
    }

    setters! {
        /// Takes tables that are there in memory.
        given(tables: Vec<SharedTable>) => given = tables;
        /// Builds missing tables that take up to this many seconds.
        max_build_seconds(seconds: f64) => budget.max_seconds = seconds;
        /// Limits the memory of builds, and of loaded tables to half of it.
        max_memory(bytes: Option<u64>) => budget.max_memory = bytes;
        /// Limits the memory of all tables together.
        max_bytes(bytes: Option<u64>) => budget.max_bytes = bytes;
        /// Estimates for this many threads, 0 for all cores.
        threads(threads: usize) => budget.threads = threads;
        /// Loads files of at least this many bytes, if memory suffices.
        load_from(bytes: Option<u64>) => load_from = bytes;
        /// Opens the tables of other goal cells too, for searches from both sides.
        both_sides(both_sides: bool) => both_sides = both_sides;
        /// Writes only these of the tables that are built.
        keep(keep: Keep) => keep = keep;
        /// Reports builds here, and stops them by its token.
        control(control: Control<OpenEvent>) => control = control;
    }

    /// The specification of this name, or the best one that keeps to the budget. The builder has
    /// goal, metric and kind.
    ///
    /// # Errors
    /// [`PartitionError`] if it is no name.
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

    /// The missing tables of a heuristic of this name, if all keep to the budget.
    ///
    /// # Errors
    /// [`OverBudget`].
    pub fn check(&self, name: &str, tables: &[TableId]) -> Result<Missing, OverBudget> {
        self.budget.check(name, tables, &|id| self.encoding_of(id))
    }

    pub(super) fn given_table(&self, id: TableId) -> Option<&SharedTable> {
        self.given.iter().find(|table| table.id() == id)
    }

    /// The encoding of a table that is there.
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

    /// The directory, which loads files where that is wanted and they fit.
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
        // The budget has checked the memory of builds.
        Some(TableStore::new(directory))
    }
}
