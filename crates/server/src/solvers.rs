//! The solvers that are open: which tables they have, and how many there may be.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use pdb_gen::{
    Calibration, NewTable, TableStore, TableStoreError, build, estimate_memory, estimate_seconds,
    size,
};
use pdb_table::{Cancel, Control, Encoding, FileError, Table, TableDirectory, TableError};
use puzzle::{Goal, HeuristicSpec, Metric, TableId};
use solver::{Solver, SolverError, TableBudget, TableChoice};

use crate::config::Config;
use crate::memory::FreeMemory;
use crate::problem::Problem;

/// The most solvers that are kept open. Each has move tables of some hundred kilobytes besides the
/// pattern databases, which they share.
const MAX_SOLVERS: usize = 64;
/// Solvers whose tables have fewer bytes than this make no room for others: those of 3x3 are built
/// again only after the builds of others.
const SMALL: u64 = 128 << 10;
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
    pub(crate) tables: Vec<SharedTable>,
}

/// The solvers that are kept open, and when each was last used.
type OpenedByKey = HashMap<Key, (Instant, Arc<Opened>)>;

/// Solvers by what they are for.
pub(crate) struct Solvers {
    directory: Option<TableDirectory>,
    max_bytes: u64,
    max_seconds: f64,
    max_disk: u64,
    threads: usize,
    pub(crate) memory: FreeMemory,
    opened: Mutex<OpenedByKey>,
    /// All that a search may still hold, kept open or not.
    alive: Mutex<Vec<Weak<Opened>>>,
    /// Those that open or build tables, in turn: one build at a time has all cores and the memory.
    opening: Turns,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    goal: String,
    metric: Metric,
    partition: Option<String>,
}

impl Key {
    /// Whether its tables come first, on disk and in memory: those of requests that name no
    /// partition, and of partitions that have a name of their own.
    fn comes_first(&self) -> bool {
        let is_name = |name: &String| name.starts_with(|sign: char| sign.is_ascii_alphabetic());
        self.partition.as_ref().is_none_or(is_name)
    }
}

/// Places in a line: the first one has the turn.
#[derive(Default)]
struct Turns(Mutex<(u64, VecDeque<u64>)>);

/// A place in the line, which is left when this is dropped.
struct Turn<'a> {
    turns: &'a Turns,
    number: u64,
}

impl Turns {
    /// A place at the end of the line.
    fn join(&self) -> Turn<'_> {
        let (next, line) = &mut *lock(&self.0);
        *next += 1;
        line.push_back(*next);
        Turn {
            turns: self,
            number: *next,
        }
    }
}

impl Turn<'_> {
    fn is_first(&self) -> bool {
        lock(&self.turns.0).1.front() == Some(&self.number)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        lock(&self.turns.0)
            .1
            .retain(|number| *number != self.number);
    }
}

impl Solvers {
    pub(crate) fn new(config: &Config) -> Solvers {
        Solvers {
            directory: config.tables.as_ref().map(TableDirectory::new),
            max_bytes: config.table_bytes(),
            max_seconds: config.max_build_time,
            max_disk: config.max_disk << 20,
            memory: FreeMemory::default(),
            alive: Mutex::default(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            opened: Mutex::default(),
            opening: Turns::default(),
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
        self.open_after(|| Ok(()), goal, metric, partition, cancel)
    }

    /// [`Self::open`], which calls `before` if the solver has tables, is not open and keeps to the
    /// limits.
    ///
    /// # Errors
    /// Those of `before` and of [`Self::open`].
    pub(crate) fn open_after(
        &self,
        before: impl FnOnce() -> Result<(), Problem>,
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
        let spec = match partition {
            Some(name) => self.read(goal, metric, name)?,
            None => self.default_spec(goal, metric)?,
        };
        if !spec.tables().is_empty() {
            before()?;
        }
        self.open_new(key, goal, spec, cancel)
    }

    /// The tables of specifications that heuristics to explain have, under the limits of
    /// [`Self::open`]. `name` says which these are for a goal.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub(crate) fn tables_of(
        &self,
        goal: &Goal,
        name: &str,
        specs: Vec<HeuristicSpec>,
        cancel: &Cancel,
    ) -> Result<Vec<Arc<Opened>>, Problem> {
        self.check(name, &specs)?;
        let open = |(number, spec): (usize, HeuristicSpec)| {
            let key = Key {
                goal: goal.to_string(),
                metric: spec.metric(),
                // Not a text that names a partition.
                partition: Some(format!("{number}: {name}")),
            };
            match self.find(&key) {
                Some(found) => Ok(found),
                None => self.open_new(key, goal, spec, cancel),
            }
        };
        specs.into_iter().enumerate().map(open).collect()
    }

    /// Opens a solver whose specification keeps to the limits.
    fn open_new(
        &self,
        key: Key,
        goal: &Goal,
        spec: HeuristicSpec,
        cancel: &Cancel,
    ) -> Result<Arc<Opened>, Problem> {
        // A solver without tables does not wait for the builds of others.
        let _turn = match spec.tables().is_empty() {
            true => None,
            false => Some(self.turn_to_open(cancel)?),
        };
        if let Some(found) = self.find(&key) {
            return Ok(found);
        }
        let mut tables = self.make_room(&spec)?;
        for id in spec.tables() {
            if !tables.iter().any(|table| table.id() == id) {
                tables.push(self.table(id, key.comes_first(), cancel)?);
            }
        }
        let solver = Solver::with_tables(goal.clone(), spec, |id| {
            let table = tables.iter().find(|table| table.id() == id);
            table.cloned().ok_or(SolverError::Table(TableError::Goal))
        });
        let solver = solver.map_err(|error| match error {
            SolverError::Table(error) => Problem::damaged(error),
            error => Problem::input(error),
        })?;
        let opened = Arc::new(Opened { solver, tables });
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
    fn turn_to_open(&self, cancel: &Cancel) -> Result<Turn<'_>, Problem> {
        let turn = self.opening.join();
        while !turn.is_first() {
            if cancel.is_cancelled() {
                return Err(Problem::cancelled());
            }
            thread::sleep(LOOK);
        }
        Ok(turn)
    }

    /// The tables of a specification that are open. Closes solvers so that there is room for the
    /// others. Searches may hold tables that are closed, so there are up to twice `max_bytes`.
    fn make_room(&self, spec: &HeuristicSpec) -> Result<Vec<SharedTable>, Problem> {
        let alive = |all: &mut Vec<Weak<Opened>>| {
            all.retain(|opened| opened.strong_count() > 0);
            all.iter().filter_map(Weak::upgrade).collect::<Vec<_>>()
        };
        let held = alive(&mut lock(&self.alive));
        let is_wanted = spec.tables();
        let mut found: Vec<SharedTable> = Vec::new();
        for table in held.iter().flat_map(|opened| &opened.tables) {
            let is_new = found.iter().all(|other| other.id() != table.id());
            if is_new && is_wanted.contains(&table.id()) {
                found.push(table.clone());
            }
        }
        drop(held);
        let is_missing = |id: &TableId| found.iter().all(|table| table.id() != *id);
        let missing = is_wanted.into_iter().filter(is_missing);
        let needed: u64 = missing.map(|id| self.memory_of(id)).sum();
        let mut opened = lock(&self.opened);
        while bytes(opened.values().map(|(_, opened)| opened)) + needed > self.max_bytes {
            if !close_oldest(&mut opened, None, SMALL) {
                break;
            }
        }
        drop(opened);
        let held = alive(&mut lock(&self.alive));
        if bytes(held.iter()) + needed > 2 * self.max_bytes {
            return Err(Problem::no_memory(
                "not enough memory for more tables while other searches use theirs: try again later",
            ));
        }
        drop(held);
        self.memory.check(needed)?;
        Ok(found)
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

    /// Keeps a solver, and closes others where there are too many.
    fn keep(&self, key: Key, new: &Arc<Opened>) {
        lock(&self.alive).push(Arc::downgrade(new));
        let mut opened = lock(&self.opened);
        opened.insert(key.clone(), (Instant::now(), Arc::clone(new)));
        while opened.len() > MAX_SOLVERS && close_oldest(&mut opened, Some(&key), 0) {}
        while bytes(opened.values().map(|(_, opened)| opened)) > self.max_bytes
            && close_oldest(&mut opened, Some(&key), SMALL)
        {}
    }

    /// Opens or builds a table. `comes_first`: see [`Key::comes_first`].
    fn table(
        &self,
        id: TableId,
        comes_first: bool,
        cancel: &Cancel,
    ) -> Result<SharedTable, Problem> {
        let damaged = |error: FileError| Problem::damaged(error);
        let control = Control::stopped_by(cancel);
        if let Some(directory) = &self.directory {
            let store = TableStore {
                memory: Some(self.max_bytes),
                ..TableStore::new(directory.clone())
            };
            if let Some(table) = directory.find(id).map_err(damaged)? {
                store.clear_locks(id);
                return Ok(shared(table));
            }
            if self.has_disk_for(id, &store, comes_first) {
                let new = store.build_or_wait(id, &control);
                return match new.map_err(|error| match error {
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
                };
            }
        }
        let built = build(id, Encoding::default_for(id.kind()), &control);
        let built = built.map_err(|error| not_built(error, cancel))?;
        Ok(shared(built.into_table()))
    }

    /// Whether a table may be written to the directory: all its files may take `max_disk` bytes,
    /// and half of that when tables are written that do not come first.
    fn has_disk_for(&self, id: TableId, store: &TableStore, comes_first: bool) -> bool {
        let most = match comes_first {
            true => self.max_disk,
            false => self.max_disk / 2,
        };
        let files = std::fs::read_dir(store.directory.path());
        let files = files.into_iter().flatten().flatten();
        let lengths = files.filter_map(|file| file.metadata().ok().map(|data| data.len()));
        let taken: u64 = lengths.sum();
        taken + store.forecast(id, &Calibration::UNIT).file <= most
    }

    fn read(&self, goal: &Goal, metric: Metric, name: &str) -> Result<HeuristicSpec, Problem> {
        let spec = HeuristicSpec::builder(goal).metric(metric).parse(name);
        let spec = spec.map_err(Problem::input)?;
        Solver::check_room(&spec).map_err(Problem::input)?;
        self.check(name, std::slice::from_ref(&spec))?;
        Ok(spec)
    }

    /// Rejects specifications whose tables take too much memory, or too long to build.
    pub(crate) fn check(&self, name: &str, specs: &[HeuristicSpec]) -> Result<(), Problem> {
        for spec in specs {
            Solver::check_room(spec).map_err(Problem::input)?;
        }
        let ids: HashSet<TableId> = specs.iter().flat_map(HeuristicSpec::tables).collect();
        let bytes: u64 = ids.iter().map(|id| self.memory_of(*id)).sum();
        if bytes > self.max_bytes {
            return Err(Problem::memory(format!(
                "the tables of {name} need {} of memory, and {} are the most here: choose smaller \
                 parts",
                size(bytes),
                size(self.max_bytes)
            )));
        }
        let missing = ids.iter().filter(|id| self.file_of(**id).is_none());
        let seconds: f64 = missing.map(|id| estimate_seconds(*id, self.threads)).sum();
        if seconds > self.max_seconds {
            return Err(Problem::slow_tables(format!(
                "tables of {name} are missing and take about {seconds:.0} s to build, and {} s are the \
                 most here: choose smaller parts",
                self.max_seconds
            )));
        }
        Ok(())
    }

    /// The partition where none is asked for.
    fn default_spec(&self, goal: &Goal, metric: Metric) -> Result<HeuristicSpec, Problem> {
        let budget = TableBudget {
            max_seconds: self.max_seconds,
            max_memory: None,
            max_bytes: Some(self.max_bytes),
            threads: self.threads,
            there: &|id| self.file_of(id),
        };
        let builder = HeuristicSpec::builder(goal).metric(metric);
        let choice = TableChoice::of(&builder, &budget).map_err(Problem::input)?;
        Ok(choice.spec)
    }

    /// Bytes that opening or building a table takes, by estimate.
    fn memory_of(&self, id: TableId) -> u64 {
        let usual = Encoding::default_for(id.kind());
        estimate_memory(id, self.file_of(id).unwrap_or(usual))
    }

    /// The encoding of the file that a table has in the directory.
    fn file_of(&self, id: TableId) -> Option<Encoding> {
        let (encoding, _) = self.directory.as_ref()?.file_of(id)?;
        Some(encoding)
    }
}

/// Closes the solver that was not used for longest, of those that do not come first if there are
/// any, and whose tables have `least` bytes or more; `false` if there is none but that of a key.
fn close_oldest(opened: &mut OpenedByKey, but: Option<&Key>, least: u64) -> bool {
    let others = opened.iter().filter(|(other, (_, opened))| {
        Some(*other) != but && bytes(std::iter::once(opened)) >= least
    });
    let oldest = others.min_by_key(|(other, (used, _))| (other.comes_first(), *used));
    let Some((oldest, _)) = oldest else {
        return false;
    };
    let oldest = oldest.clone();
    opened.remove(&oldest).is_some()
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
