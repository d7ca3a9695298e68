//! The solvers that are open: which tables they have, and how many there may be.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use pdb_gen::{
    NewTable, TableStore, TableStoreError, build, estimate_memory, estimate_seconds, size,
};
use pdb_table::{Cancel, Control, Encoding, FileError, Table, TableDirectory, TableError};
use puzzle::{Goal, HeuristicSpec, Metric, TableId};
use solver::{Solver, SolverError};

use crate::config::Config;
use crate::problem::Problem;

/// The most solvers that are kept open. Each has move tables of some hundred kilobytes besides the
/// pattern databases, which they share.
const MAX_SOLVERS: usize = 64;
/// Time between two looks of who waits for tables that others build.
const LOOK: Duration = Duration::from_millis(2);

/// The bytes of a table, which solvers of several goals share.
#[derive(Clone)]
pub(crate) struct SharedBytes(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

/// A table that is open.
pub(crate) type SharedTable = Table<SharedBytes>;

/// A solver, the name of its heuristic, and its tables.
pub(crate) struct Opened {
    pub(crate) solver: Solver,
    pub(crate) name: String,
    pub(crate) tables: Vec<SharedTable>,
}

/// Solvers by what they are for.
pub(crate) struct Solvers {
    directory: Option<TableDirectory>,
    max_bytes: u64,
    max_seconds: f64,
    threads: usize,
    opened: Mutex<HashMap<Key, (Instant, Arc<Opened>)>>,
    /// Held while tables are opened or built: one build at a time has all cores and the memory.
    opening: Mutex<()>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    goal: String,
    metric: Metric,
    partition: Option<String>,
}

impl Solvers {
    pub(crate) fn new(config: &Config) -> Solvers {
        Solvers {
            directory: config.tables.as_ref().map(TableDirectory::new),
            max_bytes: config.table_bytes(),
            max_seconds: config.max_build_time,
            threads: thread::available_parallelism().map_or(1, usize::from),
            opened: Mutex::default(),
            opening: Mutex::default(),
        }
    }

    /// The solver for a goal with a partition, by default the size's own, or of smaller parts where
    /// its tables would take too long to build. Builds tables that are missing, until that is
    /// cancelled, so it is called by the threads of searches only.
    ///
    /// # Errors
    /// The partition is none, or its tables take too much time or memory, or are damaged.
    pub(crate) fn open(
        &self,
        goal: &Goal,
        metric: Metric,
        partition: Option<&str>,
        cancel: &Cancel,
    ) -> Result<Arc<Opened>, Problem> {
        let key = Key {
            goal: goal.to_string(),
            metric,
            partition: partition.map(str::to_owned),
        };
        if let Some(found) = self.find(&key) {
            return Ok(found);
        }
        let (spec, name) = match partition {
            Some(name) => (self.read(goal, metric, name)?, name.to_owned()),
            None => self.default_spec(goal, metric)?,
        };
        let _opening = self.turn_to_open(cancel)?;
        if let Some(found) = self.find(&key) {
            return Ok(found);
        }
        let mut tables = Vec::new();
        for id in spec.tables() {
            tables.push(self.table(id, cancel)?);
        }
        let solver = Solver::with_tables(goal.clone(), spec, |id| {
            let table = tables.iter().find(|table| table.id() == id);
            table.cloned().ok_or(SolverError::Table(TableError::Goal))
        });
        let solver = solver.map_err(|error| match error {
            SolverError::Table(error) => Problem::damaged(error),
            error => Problem::input(error),
        })?;
        let opened = Arc::new(Opened {
            solver,
            name,
            tables,
        });
        self.keep(key, &opened);
        Ok(opened)
    }

    /// The solver that needs no tables.
    pub(crate) fn without_tables(
        &self,
        goal: &Goal,
        metric: Metric,
        cancel: &Cancel,
    ) -> Result<Arc<Opened>, Problem> {
        let name = HeuristicSpec::table_free_name(metric);
        self.open(goal, metric, Some(name), cancel)
    }

    /// Waits until no other tables are being opened or built, or nobody wants these any more.
    fn turn_to_open(&self, cancel: &Cancel) -> Result<MutexGuard<'_, ()>, Problem> {
        loop {
            match self.opening.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(error)) => return Ok(error.into_inner()),
                Err(TryLockError::WouldBlock) if cancel.is_cancelled() => {
                    return Err(Problem::cancelled());
                }
                Err(TryLockError::WouldBlock) => thread::sleep(LOOK),
            }
        }
    }

    /// All solvers that are open, those used last first.
    pub(crate) fn all(&self) -> Vec<Arc<Opened>> {
        let opened = lock(&self.opened);
        let mut all: Vec<_> = opened.values().cloned().collect();
        drop(opened);
        all.sort_by_key(|(used, _)| std::cmp::Reverse(*used));
        all.into_iter().map(|(_, opened)| opened).collect()
    }

    /// Bytes of all tables that are open.
    pub(crate) fn bytes(&self) -> u64 {
        bytes(lock(&self.opened).values().map(|(_, opened)| opened))
    }

    fn find(&self, key: &Key) -> Option<Arc<Opened>> {
        let mut opened = lock(&self.opened);
        let (used, found) = opened.get_mut(key)?;
        *used = Instant::now();
        Some(Arc::clone(found))
    }

    /// Keeps a solver, and forgets those not used for longest where there are too many.
    fn keep(&self, key: Key, new: &Arc<Opened>) {
        let mut opened = lock(&self.opened);
        opened.insert(key.clone(), (Instant::now(), Arc::clone(new)));
        let is_too_much = |opened: &HashMap<_, (Instant, Arc<Opened>)>| {
            opened.len() > MAX_SOLVERS
                || bytes(opened.values().map(|(_, opened)| opened)) > self.max_bytes
        };
        while is_too_much(&opened) {
            let others = opened.iter().filter(|(other, _)| **other != key);
            let oldest = others.min_by_key(|(_, (used, _))| *used);
            let Some((oldest, _)) = oldest else { return };
            let oldest = oldest.clone();
            opened.remove(&oldest);
        }
    }

    fn table(&self, id: TableId, cancel: &Cancel) -> Result<SharedTable, Problem> {
        for opened in self.all() {
            if let Some(table) = opened.tables.iter().find(|table| table.id() == id) {
                return Ok(table.clone());
            }
        }
        let damaged = |error: FileError| Problem::damaged(error);
        let control = Control::stopped_by(cancel);
        let Some(directory) = &self.directory else {
            let built = build(id, Encoding::default_for(id.kind()), &control);
            return Ok(shared(
                built
                    .map_err(|error| not_built(error, cancel))?
                    .into_table(),
            ));
        };
        let store = TableStore {
            memory: Some(self.max_bytes),
            ..TableStore::new(directory.clone())
        };
        if let Some(table) = directory.find(id).map_err(damaged)? {
            store.clear_locks(id);
            return Ok(shared(table));
        }
        let new = store.build_or_wait(id, &control);
        match new.map_err(|error| match error {
            TableStoreError::Build(error) => not_built(error, cancel),
            TableStoreError::File(error) => damaged(error),
            error => Problem::memory(error),
        })? {
            NewTable::Found(table) => Ok(shared(table)),
            NewTable::Built { built, kept } => {
                if let Err(error) = kept {
                    tracing::warn!(table = id.name(), %error, "a table could not be kept");
                }
                Ok(shared(built.into_table()))
            }
        }
    }

    fn read(&self, goal: &Goal, metric: Metric, name: &str) -> Result<HeuristicSpec, Problem> {
        let spec = HeuristicSpec::builder(goal).metric(metric).parse(name);
        let spec = spec.map_err(Problem::input)?;
        Solver::check_room(&spec).map_err(Problem::input)?;
        let bytes = self.memory_of(&spec);
        if bytes > self.max_bytes {
            return Err(Problem::memory(format!(
                "the tables of {name} need {} of memory, and {} are the most here: choose smaller \
                 parts",
                size(bytes),
                size(self.max_bytes)
            )));
        }
        let seconds = self.seconds_to_build(&spec);
        if seconds > self.max_seconds {
            return Err(Problem::slow_tables(format!(
                "tables of {name} are missing and take about {seconds:.0} s to build, and {} s are the \
                 most here: choose smaller parts",
                self.max_seconds
            )));
        }
        Ok(spec)
    }

    /// The partition where none is asked for, and its name.
    fn default_spec(
        &self,
        goal: &Goal,
        metric: Metric,
    ) -> Result<(HeuristicSpec, String), Problem> {
        let mut names = HeuristicSpec::default_names(metric, goal.tray());
        names.push(HeuristicSpec::table_free_name(metric).to_owned());
        let mut refused = None;
        for name in names {
            match self.read(goal, metric, &name) {
                Ok(spec) => return Ok((spec, name)),
                Err(problem) => refused = Some(problem),
            }
        }
        Err(refused.unwrap_or_else(Problem::defect))
    }

    fn memory_of(&self, spec: &HeuristicSpec) -> u64 {
        let ids = spec.tables().into_iter();
        ids.map(|id| estimate_memory(id, Encoding::default_for(id.kind())))
            .sum()
    }

    /// Seconds that building the missing tables of a specification takes, by estimate.
    fn seconds_to_build(&self, spec: &HeuristicSpec) -> f64 {
        let is_there = |id: TableId| {
            let usual = Encoding::default_for(id.kind());
            let directory = self.directory.as_ref();
            directory.is_some_and(|directory| directory.file(id, usual, false).is_file())
        };
        let missing = spec.tables().into_iter().filter(|id| !is_there(*id));
        missing.map(|id| estimate_seconds(id, self.threads)).sum()
    }
}

/// Why a table is not there.
fn not_built(error: impl fmt::Display, cancel: &Cancel) -> Problem {
    match cancel.is_cancelled() {
        true => Problem::cancelled(),
        false => Problem::slow_tables(error),
    }
}

fn shared<D: AsRef<[u8]> + Send + Sync + 'static>(table: Table<D>) -> SharedTable {
    table.map_data(|bytes| SharedBytes(Arc::new(bytes)))
}

/// Bytes of all tables of some solvers, each counted once.
fn bytes<'a>(opened: impl Iterator<Item = &'a Arc<Opened>>) -> u64 {
    let tables = opened.flat_map(|opened| &opened.tables);
    let sizes: HashMap<TableId, usize> = tables
        .map(|table| (table.id(), table.bytes().len()))
        .collect();
    sizes.values().map(|size| *size as u64).sum()
}

/// Nothing panics half-way through a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
