//! Where the tables of a solver come from: memory, a directory, or a build.

use std::fmt;
#[cfg(feature = "file")]
use std::path::PathBuf;
use std::sync::Arc;

use pdb_gen::{BuildError, BuildEvent, TooLarge, build};
#[cfg(feature = "file")]
use pdb_gen::{NewTable, TableStore, TableStoreError};
use pdb_table::{Control, Encoding, SharedTable};
#[cfg(feature = "file")]
use pdb_table::{FileError, TableDirectory};
use puzzle::{Goal, HeuristicSpec, HeuristicSpecBuilder, Metric, PartitionError, TableId};

use crate::table_choice::{Missing, OverBudget, TableBudget, TableChoice};
use crate::{Solver, SolverError};

/// Where tables come from, and what building those that are missing may take.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Tables in memory. A table that is also in the directory is taken from here.
    pub given: Vec<SharedTable>,
    /// The directory, if there is one.
    #[cfg(feature = "file")]
    pub directory: Option<TableDirectory>,
    /// What building missing tables may take.
    pub budget: TableBudget,
    /// Files of at least this many bytes are loaded and not mapped, if all tables together take
    /// less than half of the budget's memory: see [`OpenOptions::LOAD_FROM`]. `None` maps all
    /// files.
    pub load_from: Option<u64>,
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
    /// The size from which it pays to load files where there will be many boards: smaller tables,
    /// and their pages, are found in the processor's caches. Loading takes about 0.1 s per GB, and
    /// makes searches in large tables up to 28 % faster.
    pub const LOAD_FROM: u64 = 8 << 20;

    /// The longest that users like to wait, without being asked, for tables that are missing: 2 s
    /// by estimate. 4 s for runs of tiles, whose searches get nowhere without tables, and whose
    /// usual tables take about 3 s by estimate on one thread.
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

    /// Takes tables that are there in memory.
    #[must_use]
    pub fn given(mut self, tables: Vec<SharedTable>) -> Self {
        self.given = tables;
        self
    }

    /// Builds missing tables that take up to this many seconds.
    #[must_use]
    pub fn max_build_seconds(mut self, seconds: f64) -> Self {
        self.budget.max_seconds = seconds;
        self
    }

    /// Limits the memory of builds, and of loaded tables to half of it.
    #[must_use]
    pub fn max_memory(mut self, bytes: Option<u64>) -> Self {
        self.budget.max_memory = bytes;
        self
    }

    /// Limits the memory of all tables together.
    #[must_use]
    pub fn max_bytes(mut self, bytes: Option<u64>) -> Self {
        self.budget.max_bytes = bytes;
        self
    }

    /// Estimates for this many threads, 0 for all cores.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.budget.threads = threads;
        self
    }

    /// Loads files of at least this many bytes, if memory suffices.
    #[must_use]
    pub fn load_from(mut self, bytes: Option<u64>) -> Self {
        self.load_from = bytes;
        self
    }

    /// Writes only these of the tables that are built.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// Reports builds here, and stops them by its token.
    #[must_use]
    pub fn control(mut self, control: Control<OpenEvent>) -> Self {
        self.control = control;
        self
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

    /// What is missing of the tables of a heuristic of this name, if all keep to the budget.
    ///
    /// # Errors
    /// [`OverBudget`].
    pub fn check(&self, name: &str, tables: &[TableId]) -> Result<Missing, OverBudget> {
        self.budget.check(name, tables, &|id| self.encoding_of(id))
    }

    fn given_table(&self, id: TableId) -> Option<&SharedTable> {
        self.given.iter().find(|table| table.id() == id)
    }

    /// The encoding of a table that is there.
    fn encoding_of(&self, id: TableId) -> Option<Encoding> {
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
    fn store(&self, spec: &HeuristicSpec) -> Option<TableStore> {
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

/// What opening reports.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenEvent {
    /// How far the build of a table is.
    Building(TableId, BuildEvent),
    /// How far all builds of the call are.
    Progress(OpenProgress),
    /// A table was built and is kept.
    #[cfg(feature = "file")]
    Kept(TableId),
    /// A table was built but could not be kept.
    #[cfg(feature = "file")]
    NotKept(TableId, FileError),
}

/// How far all tables of a solver are.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OpenProgress {
    /// The table that is being built.
    pub id: TableId,
    /// Its number among all tables, from 0.
    pub number: usize,
    /// All tables.
    pub tables: usize,
    /// Entries of tables that are done, and those that are found of this one.
    pub found: u64,
    /// Entries of all tables.
    pub entries: u64,
}

impl OpenProgress {
    /// The share that is done, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        (self.found as f64 / self.entries.max(1) as f64).min(1.0)
    }
}

impl OpenEvent {
    /// A line for the user, where something went wrong that does not stop the call: a table that
    /// cannot be kept, so that every later call builds it again.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        match self {
            #[cfg(feature = "file")]
            OpenEvent::NotKept(id, error) => Some(format!(
                "built {} in memory; it could not be kept: {error}",
                id.name()
            )),
            _ => None,
        }
    }
}

/// Why a solver could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A table file is damaged.
    #[cfg(feature = "file")]
    #[error(transparent)]
    Damaged(FileError),
    /// Tables are missing and would take longer to build than the options allow.
    #[error("{0}")]
    Missing(Missing),
    /// Tables need more memory than there is.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The directory cannot be used.
    #[cfg(feature = "file")]
    #[error(transparent)]
    Store(TableStoreError),
    /// The call was cancelled.
    #[error("interrupted")]
    Cancelled,
    /// Something else.
    #[error(transparent)]
    Solver(SolverError),
}

impl From<SolverError> for OpenError {
    fn from(error: SolverError) -> OpenError {
        match error {
            SolverError::Build(BuildError::Cancelled { .. }) => OpenError::Cancelled,
            error => OpenError::Solver(error),
        }
    }
}

impl From<BuildError> for OpenError {
    fn from(error: BuildError) -> OpenError {
        SolverError::Build(error).into()
    }
}

impl From<OverBudget> for OpenError {
    fn from(error: OverBudget) -> OpenError {
        match error {
            OverBudget::Missing(missing) => OpenError::Missing(missing),
            OverBudget::TooLarge(error) => OpenError::TooLarge(error),
            OverBudget::Solver(error) => error.into(),
        }
    }
}

impl Solver {
    /// Opens a specification's tables. Those that are missing are built, and kept in the directory
    /// where there is one, if all together are estimated to take no longer than the options allow;
    /// where the directory cannot be written they are used from memory.
    ///
    /// # Errors
    /// [`OpenError`].
    ///
    /// ```
    /// use pdb_table::Control;
    /// use puzzle::{Goal, HeuristicSpec};
    /// use solver::{OpenError, OpenEvent, OpenOptions, Solver};
    ///
    /// let directory = tempfile::tempdir()?; // in earnest a directory that stays
    /// let goal = Goal::blank_last("4x4".parse()?);
    /// let control = Control::listening(|event: &OpenEvent| {
    ///     if let OpenEvent::Kept(id) = event {
    ///         println!("built {}", id.name());
    ///     }
    /// });
    /// let options = OpenOptions::new(directory.path()).control(control);
    /// let solver = Solver::open(goal.clone(), HeuristicSpec::parse("4-4-4-3", &goal)?, &options)?;
    /// assert_eq!(solver.spec().tables().len(), 4);
    ///
    /// // Tables that take long to build are data for the caller, who may ask a user.
    /// let large = Solver::open(goal.clone(), HeuristicSpec::parse("7-8", &goal)?, &options);
    /// let Err(OpenError::Missing(missing)) = large else { panic!() };
    /// assert_eq!(missing.tables.len(), 2);
    /// assert!(missing.seconds > options.budget.max_seconds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(
        goal: Goal,
        spec: HeuristicSpec,
        options: &OpenOptions,
    ) -> Result<Solver, OpenError> {
        let tables = open_tables(&spec, options)?;
        Ok(Solver::of_tables(goal, spec, &tables)?)
    }

    /// A solver of tables that are there, among which may be others: their sums are not checked
    /// here, see [`Table::check_payload`](pdb_table::Table::check_payload).
    ///
    /// # Errors
    /// [`SolverError`], if one of the specification's is not among them.
    pub fn of_tables(
        goal: Goal,
        spec: HeuristicSpec,
        tables: &[SharedTable],
    ) -> Result<Solver, SolverError> {
        let name = spec.name().to_owned();
        Solver::with_tables(goal, spec, |id| {
            let table = tables.iter().find(|table| table.id() == id);
            table.cloned().ok_or_else(|| SolverError::NotGiven {
                table: id.name(),
                name: name.clone(),
            })
        })
    }
}

/// The number of a table among those of a specification, which says where it belongs.
///
/// # Errors
/// [`SolverError::NotNeeded`].
pub fn place_of(spec: &HeuristicSpec, id: TableId) -> Result<usize, SolverError> {
    let tables = spec.tables();
    let place = tables.iter().position(|needed| *needed == id);
    place.ok_or_else(|| SolverError::NotNeeded {
        table: id.name(),
        name: spec.name().to_owned(),
        expected: match &tables[..] {
            [] => "none".to_owned(),
            tables => {
                let names: Vec<String> = tables.iter().map(TableId::name).collect();
                names.join(", ")
            }
        },
    })
}

/// The tables of a specification, in its order, opened and built as [`Solver::open`] does: for
/// callers who use them besides a solver, which [`Solver::of_tables`] makes of them.
///
/// # Errors
/// [`OpenError`].
pub fn open_tables(
    spec: &HeuristicSpec,
    options: &OpenOptions,
) -> Result<Vec<SharedTable>, OpenError> {
    Solver::check_room(spec)?;
    let ids = spec.tables();
    #[cfg(feature = "file")]
    let store = options.store(spec);
    let mut tables = Vec::new();
    for &id in &ids {
        let found = options.given_table(id).cloned();
        #[cfg(feature = "file")]
        let found = match (&store, found) {
            (Some(store), None) => find(id, store)?,
            (_, found) => found,
        };
        tables.push(found);
        // A table whose check was cancelled may be damaged.
        if options.control.is_cancelled() {
            return Err(OpenError::Cancelled);
        }
    }
    let there = |id: TableId| {
        let table = tables.iter().flatten().find(|table| table.id() == id)?;
        Some(table.header().encoding)
    };
    options.budget.check(spec.name(), &ids, &there)?;
    let entries: u64 = ids.iter().map(TableId::entries).sum();
    let mut before = 0;
    let mut opened = Vec::new();
    for (number, (&id, table)) in ids.iter().zip(tables).enumerate() {
        let progress = OpenProgress {
            id,
            number,
            tables: ids.len(),
            found: before,
            entries,
        };
        before += id.entries();
        if let Some(table) = table {
            opened.push(table);
            continue;
        }
        let listener = options.control.clone();
        let report = move |event: &BuildEvent| {
            listener.report(&OpenEvent::Building(id, event.clone()));
            if let BuildEvent::Level(level) = event {
                let found = progress.found + level.found.min(level.entries);
                listener.report(&OpenEvent::Progress(OpenProgress { found, ..progress }));
            }
        };
        let control = Control::new(options.control.cancel.clone(), Some(Arc::new(report)));
        #[cfg(feature = "file")]
        if let Some(store) = store.as_ref().filter(|_| match &options.keep {
            Keep::All => true,
            Keep::If(is_kept) => is_kept(id),
        }) {
            opened.push(build_and_keep(id, store, &control, &options.control)?);
            continue;
        }
        let built = build(id, Encoding::default_for(id.kind()), &control)?;
        opened.push(built.into_table().shared());
    }
    // The same of one that another process has built meanwhile.
    match options.control.is_cancelled() {
        true => Err(OpenError::Cancelled),
        false => Ok(opened),
    }
}

/// A table that is in the directory.
#[cfg(feature = "file")]
fn find(id: TableId, store: &TableStore) -> Result<Option<SharedTable>, OpenError> {
    let found = store.directory.find(id).map_err(OpenError::Damaged)?;
    Ok(found.map(|table| {
        store.clear_locks(id);
        table.shared()
    }))
}

#[cfg(feature = "file")]
fn build_and_keep(
    id: TableId,
    store: &TableStore,
    builds: &Control<BuildEvent>,
    control: &Control<OpenEvent>,
) -> Result<SharedTable, OpenError> {
    let new = store
        .build_or_wait(id, builds)
        .map_err(|error| match error {
            TableStoreError::Build(error) => error.into(),
            TableStoreError::File(error) => OpenError::Damaged(error),
            error => OpenError::Store(error),
        })?;
    let (built, kept) = match new {
        NewTable::Found(table) => return Ok(table.shared()),
        NewTable::Built { built, kept } => (built, kept),
    };
    control.report(&match kept {
        Ok(()) => OpenEvent::Kept(id),
        Err(error) => OpenEvent::NotKept(id, error),
    });
    Ok(built.into_table().shared())
}

#[cfg(test)]
#[cfg(feature = "file")]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use pdb_table::TableBytes;

    use super::*;

    /// A folder without tables, and two tables that are soon built.
    fn empty_folder() -> (tempfile::TempDir, Goal, HeuristicSpec) {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let spec = HeuristicSpec::parse("5-3", &goal).unwrap();
        (tempfile::tempdir().unwrap(), goal, spec)
    }

    #[test]
    fn solvers_opened_at_once_build_each_table_once() {
        let (folder, goal, spec) = empty_folder();
        let kept = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&kept);
        let control = Control::listening(move |event: &OpenEvent| {
            if let OpenEvent::Kept(_) = event {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        let options = OpenOptions::new(folder.path()).control(control);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| Solver::open(goal.clone(), spec.clone(), &options).unwrap());
            }
        });
        assert_eq!(kept.load(Ordering::SeqCst), spec.tables().len());
    }

    /// What a process leaves that is killed once its table has its name.
    #[test]
    fn locks_that_nobody_holds_are_removed() {
        let (folder, goal, spec) = empty_folder();
        let options = OpenOptions::new(folder.path());
        let open = || Solver::open(goal.clone(), spec.clone(), &options).unwrap();
        let names = || {
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            names.sort();
            names
        };
        open();
        let tables = names();
        for table in &tables {
            std::fs::write(format!("{}.lock", table.display()), "").unwrap();
        }
        open();
        assert_eq!(names(), tables);
    }

    #[test]
    fn a_cancelled_token_stops_opening_and_records_no_check() {
        let (folder, goal, spec) = empty_folder();
        let options = OpenOptions::new(folder.path());
        Solver::open(goal.clone(), spec.clone(), &options).unwrap();
        let control = Control::default();
        control.cancel.cancel();
        let ended = Solver::open(goal, spec, &options.control(control));
        assert!(matches!(ended, Err(OpenError::Cancelled)));
    }

    #[test]
    fn files_are_loaded_where_all_fit_half_of_the_memory() {
        let (folder, goal, spec) = empty_folder();
        let options = OpenOptions::new(folder.path());
        Solver::open(goal, spec.clone(), &options).unwrap();
        let files = std::fs::read_dir(folder.path()).unwrap();
        let files = files.map(|file| file.unwrap().metadata().unwrap().len());
        let lengths: Vec<u64> = files.collect();
        assert_eq!(lengths.len(), 2);
        let all: u64 = lengths.iter().sum();
        let loaded = |memory: Option<u64>, load_from: Option<u64>| {
            let options = OpenOptions::new(folder.path())
                .max_memory(memory)
                .load_from(load_from);
            let store = options.store(&spec).unwrap();
            let mut loaded = 0;
            for id in spec.tables() {
                let table = store.directory.find(id).unwrap().unwrap();
                let _ = table.map_data(|data| {
                    loaded += usize::from(matches!(data, TableBytes::Loaded(_)));
                    data
                });
            }
            loaded
        };
        assert_eq!(loaded(Some(2 * all + 2), Some(1)), 2);
        assert_eq!(loaded(Some(2 * all), Some(1)), 0);
        assert_eq!(loaded(Some(2 * all + 2), lengths.iter().max().copied()), 1);
        assert_eq!(loaded(Some(2 * all + 2), Some(all)), 0);
        assert_eq!(loaded(Some(2 * all + 2), None), 0);
        assert_eq!(loaded(None, Some(1)), 0);
    }
}
