//! Solvers over a tables directory: tables are mapped where they are there, built and kept where
//! that is quick.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use pdb_gen::{
    BuildError, BuildEvent, Calibration, Forecast, NewTable, TableStore, TableStoreError,
    estimate_seconds,
};
use pdb_table::{Control, Encoding, FileError, TableBytes, TableDirectory, TableFile};
use puzzle::{Goal, HeuristicSpec, TableId};

use crate::options::number_of_threads;
use crate::{Solver, SolverError};

/// Where tables come from, and what building those that are missing may take.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The directory.
    pub directory: TableDirectory,
    /// The longest time, in seconds by estimate, that all missing tables may take to build.
    pub max_build_seconds: f64,
    /// Bytes of memory that a build, and twice that loaded tables, may take, where it is known.
    pub max_memory: Option<u64>,
    /// Threads that a build has, for the estimate of its time; 0 means as many as the machine has
    /// cores.
    pub threads: usize,
    /// Files of at least this many bytes are loaded and not mapped, if all tables together take
    /// less than half of `max_memory`. Loading takes some 0.1 s a GB, and makes searches in large
    /// tables up to 28 % faster: it is for many boards. `None` maps all files.
    pub load_from: Option<u64>,
    /// Hears of builds; its token stops them, and the checks of files.
    pub control: Control<OpenEvent>,
}

impl OpenOptions {
    /// The tables of a directory, which need not exist yet: missing tables are built if that takes
    /// up to 2 s by estimate, and no file is loaded.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        OpenOptions {
            directory: TableDirectory::new(directory),
            max_build_seconds: 2.0,
            max_memory: None,
            threads: 0,
            load_from: None,
            control: Control::default(),
        }
    }

    /// Builds missing tables that take up to this many seconds.
    #[must_use]
    pub fn max_build_seconds(mut self, seconds: f64) -> Self {
        self.max_build_seconds = seconds;
        self
    }

    /// Limits the memory of builds, and of loaded tables to half of it.
    #[must_use]
    pub fn max_memory(mut self, bytes: Option<u64>) -> Self {
        self.max_memory = bytes;
        self
    }

    /// Estimates for this many threads, 0 for all cores.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Loads files of at least this many bytes, if memory suffices.
    #[must_use]
    pub fn load_from(mut self, bytes: Option<u64>) -> Self {
        self.load_from = bytes;
        self
    }

    /// Reports builds here, and stops them by its token.
    #[must_use]
    pub fn control(mut self, control: Control<OpenEvent>) -> Self {
        self.control = control;
        self
    }

    /// The directory, which loads files where that is wanted and they fit.
    fn directory_for(&self, spec: &HeuristicSpec) -> TableDirectory {
        let length = |id: TableId| {
            let usual = Encoding::default_for(id.kind());
            let file = self.directory.file(id, usual, false);
            Some(std::fs::metadata(file).ok()?.len())
        };
        let bytes: u64 = spec.tables().into_iter().filter_map(length).sum();
        let fits = self.max_memory.is_some_and(|memory| bytes < memory / 2);
        let directory = self.directory.clone();
        let directory = directory.checking_unless(self.control.cancel.clone());
        match self.load_from.filter(|_| fits) {
            Some(load_from) => directory.loading_from(load_from),
            None => directory,
        }
    }
}

/// What [`Solver::open`] reports.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenEvent {
    /// How far the build of a table is.
    Building(TableId, BuildEvent),
    /// A table was built and is kept.
    Kept(TableId),
    /// A table was built but could not be kept.
    NotKept(TableId, FileError),
}

impl OpenEvent {
    /// A line for the user, where something went wrong that does not stop the call: a table that
    /// cannot be kept, so that every later call builds it again.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        match self {
            OpenEvent::NotKept(id, error) => Some(format!(
                "built {} in memory; it could not be kept: {error}",
                id.name()
            )),
            _ => None,
        }
    }
}

/// Tables that are missing, and what building them takes.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Missing {
    /// The tables.
    pub tables: Vec<TableId>,
    /// Their entries together.
    pub entries: u64,
    /// Seconds to build them, by an estimate that is rather too high.
    pub seconds: f64,
    /// Bytes of their files together.
    pub bytes: u64,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds;
        write!(
            f,
            "tables are missing and take about {seconds:.0} s to build"
        )
    }
}

/// Why a solver could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A table file is damaged.
    #[error(transparent)]
    Damaged(FileError),
    /// Tables are missing and would take longer to build than the options allow.
    #[error("{0}")]
    Missing(Missing),
    /// A table is larger than the machine.
    #[error(transparent)]
    TooLarge(TableStoreError),
    /// Something else.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl Solver {
    /// Opens a specification's tables. Those that are missing are built and kept in the directory
    /// if all together are estimated to take no longer than the options allow; where the directory
    /// cannot be written they are used from memory.
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
    /// assert!(missing.seconds > options.max_build_seconds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(
        goal: Goal,
        spec: HeuristicSpec,
        options: &OpenOptions,
    ) -> Result<Solver, OpenError> {
        let mut tables = open_tables(&spec, options)?;
        Solver::with_tables(goal, spec, |id| {
            let place = tables.iter().position(|table| table.id() == id);
            match place {
                Some(place) => Ok(tables.swap_remove(place)),
                // Not reached: all of the specification's tables were opened.
                None => Err(OpenError::Solver(SolverError::OtherGoal)),
            }
        })
    }
}

/// The tables of a specification, in its order, opened and built as [`Solver::open`] does: for
/// callers who use them besides a solver, which [`Solver::with_tables`] makes of them.
///
/// # Errors
/// [`OpenError`].
pub fn open_tables(
    spec: &HeuristicSpec,
    options: &OpenOptions,
) -> Result<Vec<TableFile>, OpenError> {
    Solver::check_room(spec)?;
    let store = TableStore {
        memory: options.max_memory,
        ..TableStore::new(options.directory_for(spec))
    };
    let mut found = find(spec, &store, options)?;
    let mut open = |id| match found.iter().position(|table| table.id() == id) {
        Some(index) => Ok(found.swap_remove(index)),
        None => build_and_keep(id, &store, &options.control),
    };
    spec.tables().into_iter().map(&mut open).collect()
}

/// The tables that are there, unless the others would take too long to build.
fn find(
    spec: &HeuristicSpec,
    store: &TableStore,
    options: &OpenOptions,
) -> Result<Vec<TableFile>, OpenError> {
    // More threads than cores make nothing faster.
    let threads = number_of_threads(options.threads).min(number_of_threads(0));
    let mut found = Vec::new();
    let mut missing = Missing {
        tables: Vec::new(),
        entries: 0,
        seconds: 0.0,
        bytes: 0,
    };
    for id in spec.tables() {
        let table = store.directory.find(id).map_err(OpenError::Damaged)?;
        // A table whose check was cancelled may be damaged.
        if options.control.cancel.is_cancelled() {
            return Err(SolverError::Build(BuildError::Cancelled { saved: None }).into());
        }
        if let Some(table) = table {
            store.clear_locks(id);
            found.push(table);
            continue;
        }
        let forecast = Forecast::new(id, Encoding::default_for(id.kind()), &Calibration::UNIT);
        missing.tables.push(id);
        missing.entries += forecast.entries;
        missing.bytes += forecast.file;
        missing.seconds += estimate_seconds(id, threads);
    }
    if !missing.tables.is_empty() && missing.seconds > options.max_build_seconds {
        return Err(OpenError::Missing(missing));
    }
    Ok(found)
}

fn build_and_keep(
    id: TableId,
    store: &TableStore,
    control: &Control<OpenEvent>,
) -> Result<TableFile, OpenError> {
    let listener = control.clone();
    let progress = move |event: &BuildEvent| {
        listener.report(&OpenEvent::Building(id, event.clone()));
    };
    let builds = Control::new(control.cancel.clone(), Some(Arc::new(progress)));
    let new = store
        .build_or_wait(id, &builds)
        .map_err(|error| match error {
            TableStoreError::Build(error) => SolverError::Build(error).into(),
            TableStoreError::File(error) => OpenError::Damaged(error),
            error => OpenError::TooLarge(error),
        })?;
    let (built, kept) = match new {
        NewTable::Found(table) => return Ok(table),
        NewTable::Built { built, kept } => (built, kept),
    };
    control.report(&match kept {
        Ok(()) => OpenEvent::Kept(id),
        Err(error) => OpenEvent::NotKept(id, error),
    });
    Ok(built.into_table().map_data(TableBytes::Owned))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

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
        assert!(matches!(
            ended,
            Err(OpenError::Solver(SolverError::Build(
                BuildError::Cancelled { .. }
            )))
        ));
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
            let mut loaded = 0;
            for table in open_tables(&spec, &options).unwrap() {
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
