//! The solvers that a session keeps open, within its limits of memory and number.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError, Weak};
use std::thread::{self, ThreadId};
use std::time::Duration;

use pdb_table::{Cancel, Code, Encoding, HEADER_LENGTH, SharedTable, lock};
use puzzle::{Goal, HeuristicSpec, TableId};
use serde::Serialize;
use solver::{OpenOptions, OtherGoals, Solver};

use crate::Failure;
use crate::failure::Cause;
use crate::request::Tables;

/// Solvers with tables of fewer bytes, such as those of 3x3, are not closed to free memory: a call
/// that builds them again may have to wait for other builds.
const SMALL: u64 = 256 << 10;

/// Level of the checks of a table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CheckLevel {
    /// It was built here.
    #[default]
    Built,
    /// It was read, and its checksums are correct.
    Sums,
    /// Every entry was proved by the moves of the puzzle.
    Proved,
}

/// An open solver.
#[derive(Debug)]
#[non_exhaustive]
pub struct Opened {
    /// The solver.
    pub solver: Solver,
    /// Its tables, in the order of the specification.
    pub tables: Vec<SharedTable>,
    /// Reason why the default tables of the size were not chosen.
    pub reason: Option<String>,
    pub(crate) other_goals: OtherGoals,
    /// The memory of its tables, including those of other goal cells of the blank, in bytes.
    pub(crate) sizes: Sizes,
}

/// Goal and tables of an open solver.
pub(crate) type Key = (Goal, Tables);

/// Tables, and their memory in bytes.
pub(crate) type Sizes = Vec<(TableId, u64)>;

/// The solvers that a session keeps; the most recently used one is last.
#[derive(Default, Debug)]
pub(crate) struct OpenSolvers {
    solvers: Mutex<Vec<(Key, Arc<Opened>)>>,
    /// Open solvers, and closed ones that calls still use.
    used: Mutex<Vec<Weak<Opened>>>,
    /// Tables from bytes, for solvers that are opened later.
    given: Mutex<Vec<SharedTable>>,
    levels: Mutex<Vec<(TableId, CheckLevel)>>,
    /// Held while tables are opened or built, which can use all cores and much memory.
    turn: Mutex<()>,
    /// The thread that holds `turn`.
    owner: Mutex<Option<ThreadId>>,
}

/// The right to open tables.
pub(crate) struct Turn<'a> {
    _turn: MutexGuard<'a, ()>,
    owner: &'a Mutex<Option<ThreadId>>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *lock(self.owner) = None;
    }
}

impl OpenSolvers {
    /// The open solvers; the most recently used one is last.
    pub(crate) fn all(&self) -> Vec<Arc<Opened>> {
        let solvers = lock(&self.solvers);
        solvers.iter().map(|(_, own)| Arc::clone(own)).collect()
    }

    /// Memory of the tables of all open solvers and of further tables, in bytes.
    pub(crate) fn bytes_with(&self, sizes: &[(TableId, u64)]) -> u64 {
        bytes(&lock(&self.solvers), sizes)
    }

    /// Adds a table from bytes.
    pub(crate) fn give(&self, table: SharedTable) {
        self.mark(table.id(), CheckLevel::Sums);
        let mut given = lock(&self.given);
        given.retain(|own| own.id() != table.id());
        given.push(table);
    }

    /// The tables from bytes.
    pub(crate) fn given(&self) -> Vec<SharedTable> {
        lock(&self.given).clone()
    }

    /// Closes all solvers, and forgets the tables from bytes.
    pub(crate) fn close(&self) {
        lock(&self.solvers).clear();
        lock(&self.given).clear();
    }

    pub(crate) fn find(&self, key: &Key, least: OtherGoals) -> Option<Arc<Opened>> {
        let mut solvers = lock(&self.solvers);
        let is_same =
            |(own, opened): &(Key, Arc<Opened>)| own == key && opened.other_goals >= least;
        let place = solvers.iter().position(is_same)?;
        let found = solvers.remove(place);
        solvers.push(found);
        solvers.last().map(|(_, opened)| Arc::clone(opened))
    }

    /// Waits until no other thread opens tables.
    pub(crate) fn turn(&self, cancel: &Cancel) -> Result<Turn<'_>, Failure> {
        let here = Some(thread::current().id());
        let turn = loop {
            match self.turn.try_lock() {
                Ok(turn) => break turn,
                Err(TryLockError::Poisoned(turn)) => break turn.into_inner(),
                Err(TryLockError::WouldBlock) if cancel.is_cancelled() => {
                    return Err(Failure::cancelled());
                }
                Err(TryLockError::WouldBlock) if *lock(&self.owner) == here => {
                    return Err(Failure::input(
                        "a listener cannot open tables in the session that opens tables",
                    ));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(2)),
            }
        };
        *lock(&self.owner) = here;
        Ok(Turn {
            _turn: turn,
            owner: &self.owner,
        })
    }

    pub(crate) fn mark(&self, id: TableId, level: CheckLevel) {
        let mut levels = lock(&self.levels);
        levels.retain(|(own, _)| *own != id);
        levels.push((id, level));
    }

    pub(crate) fn level(&self, id: TableId) -> CheckLevel {
        let levels = lock(&self.levels);
        let found = levels.iter().find(|(own, _)| *own == id);
        found.map(|(_, level)| *level).unwrap_or_default()
    }

    /// The tables in memory: given ones, and those of open solvers. Tables of other goal cells only
    /// if they are in memory, too: opening their files would check the whole of them.
    pub(crate) fn held(&self, sources: &OpenOptions) -> Vec<SharedTable> {
        let solvers = lock(&self.solvers);
        let open = solvers.iter().flat_map(|(_, opened)| {
            let others = match has_directory(sources) {
                true => Vec::new(),
                false => opened.solver.other_tables().unwrap_or_default(),
            };
            opened.tables.iter().cloned().chain(others)
        });
        let mut held = self.given();
        for table in open {
            if !held.iter().any(|own| own.id() == table.id()) {
                held.push(table);
            }
        }
        held
    }

    /// Keeps a solver, and closes others if there are more than `most`.
    pub(crate) fn keep(&self, key: Key, opened: &Arc<Opened>, most: usize) {
        lock(&self.used).push(Arc::downgrade(opened));
        let mut solvers = lock(&self.solvers);
        solvers.retain(|(own, _)| *own != key);
        while solvers.len() >= most.max(1) && close_one(&mut solvers, 0) {}
        solvers.push((key, Arc::clone(opened)));
    }

    /// Closes solvers until the tables of the others and these tables need at most `most` bytes.
    ///
    /// # Errors
    /// Calls use tables of closed solvers, and all tables together would need more than twice as
    /// much.
    pub(crate) fn make_room(&self, sizes: &[(TableId, u64)], most: u64) -> Result<(), Failure> {
        let mut solvers = lock(&self.solvers);
        while bytes(&solvers, sizes) > most && close_one(&mut solvers, SMALL) {}
        drop(solvers);
        let mut used = lock(&self.used);
        used.retain(|opened| opened.strong_count() > 0);
        let used: Vec<_> = used.iter().filter_map(Weak::upgrade).collect();
        let all = sum(used.iter().flat_map(|opened| &opened.sizes).chain(sizes));
        let own = sum(sizes.iter());
        match own > SMALL && all > most.saturating_mul(2).max(own) {
            true => Err(Failure {
                cause: Cause::Shortage,
                ..Failure::new(
                    Code::Memory,
                    "not enough memory for more tables while other searches use theirs",
                )
            }),
            false => Ok(()),
        }
    }
}

/// Closes the solver that was not used for the longest time, of those with tables of at least
/// `least` bytes. Solvers whose tables a request named are closed before those with default tables.
/// Returns whether there was one.
fn close_one(solvers: &mut Vec<(Key, Arc<Opened>)>, least: u64) -> bool {
    let places = solvers.iter().enumerate();
    let large = places.filter(|(_, (_, opened))| sum(opened.sizes.iter()) >= least);
    let place = large.min_by_key(|(place, ((_, tables), _))| (!tables.is_named(), *place));
    let place = place.map(|(place, _)| place);
    place
        .inspect(|place| drop(solvers.remove(*place)))
        .is_some()
}

/// The memory of the tables of solvers, and of further tables, in bytes.
fn bytes(solvers: &[(Key, Arc<Opened>)], sizes: &[(TableId, u64)]) -> u64 {
    let open = solvers.iter().flat_map(|(_, opened)| &opened.sizes);
    sum(open.chain(sizes))
}

/// The sum of the sizes of tables; a table that occurs several times is counted once.
fn sum<'a>(sizes: impl Iterator<Item = &'a (TableId, u64)>) -> u64 {
    let mut counted = Vec::<TableId>::new();
    let mut all = 0;
    for (id, size) in sizes {
        if !counted.contains(id) {
            counted.push(*id);
            all += size;
        }
    }
    all
}

/// The memory of the tables of a specification, and of those for other goal cells.
pub(crate) fn sizes_of(spec: &HeuristicSpec, options: &OpenOptions) -> Sizes {
    let others = options.other_goals(spec);
    let all = HeuristicSpec::tables_of([spec].into_iter().chain(&others));
    let size = |id: TableId| {
        let payload = Encoding::default_for(id.kind()).payload_length(id.entries());
        (id, HEADER_LENGTH as u64 + payload)
    };
    all.into_iter().map(size).collect()
}

/// Whether tables are read from a directory and written to it.
pub(crate) fn has_directory(options: &OpenOptions) -> bool {
    #[cfg(feature = "file")]
    let has_directory = options.directory.is_some();
    #[cfg(not(feature = "file"))]
    let (_, has_directory) = (options, false);
    has_directory
}
