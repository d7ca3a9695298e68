//! Open solvers and their tables, within the memory limit.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use puzzle::{Goal, HeuristicSpec, Metric, TableId};
use session::request::Tables;
use solver::{Cancel, SharedTable, Solver};

use crate::config::Config;
use crate::lock::lock;
use crate::memory::FreeMemory;
use crate::opener::Opener;
use crate::problem::Problem;
use crate::turns::Turns;

/// Maximum number of open solvers. Each solver has its own move tables of a few hundred kilobytes;
/// the pattern databases are shared.
const MAX_SOLVERS: usize = 64;
/// To free memory, the service closes only solvers whose tables have at least this number of bytes.
/// Solvers with smaller tables, such as those of 3x3, stay open, because a request that rebuilt the
/// tables might have to wait for the builds of other requests.
const SMALL: u64 = 128 << 10;

/// A solver with its tables, and the reason for their choice.
pub(crate) struct OpenSolver {
    pub(crate) solver: Solver,
    /// Tables of the specification, in its order.
    pub(crate) tables: Vec<SharedTable>,
    /// Tables of other goal cells of the blank.
    others: Vec<SharedTable>,
    /// The reason why the tables are not the default ones. `None` if they are, or if the request
    /// named a partition.
    pub(crate) reason: Option<String>,
}

impl OpenSolver {
    fn all_tables(&self) -> impl Iterator<Item = &SharedTable> {
        self.tables.iter().chain(&self.others)
    }
}

/// The specification of a solver, and [`OpenSolver::reason`].
type SpecAndReason = (HeuristicSpec, Option<String>);

/// Open solvers, with the time of their last use.
type SolversByKey = HashMap<Key, (Instant, Arc<OpenSolver>)>;

pub(crate) struct Solvers {
    opener: Opener,
    max_bytes: u64,
    pub(crate) memory: FreeMemory,
    by_key: Mutex<SolversByKey>,
    /// All open solvers, and the closed solvers that searches still use.
    alive: Mutex<Vec<Weak<OpenSolver>>>,
    /// Lets one thread at a time open or build tables, because a build can use all cores and the
    /// memory.
    opening: Turns,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    goal: String,
    tables: Tables,
}

impl Key {
    /// Whether the tables have priority over other tables on disk and in memory. Tables of requests
    /// without a partition have priority, and tables of partitions with a name, such as `best`.
    fn comes_first(&self) -> bool {
        let is_name = |name: &String| name.starts_with(|sign: char| sign.is_ascii_alphabetic());
        self.tables.partition.as_ref().is_none_or(is_name)
    }
}

impl Solvers {
    pub(crate) fn new(config: &Config) -> Solvers {
        Solvers {
            opener: Opener::new(config),
            max_bytes: config.table_bytes(),
            memory: FreeMemory::default(),
            alive: Mutex::default(),
            by_key: Mutex::default(),
            opening: Turns::new(),
        }
    }

    /// Opens the solver of a goal and a partition. Without a partition, uses the default partition
    /// of the size, or smaller patterns if the default tables take too long to build. Building
    /// missing tables blocks the calling thread, so only search threads call this function.
    /// Errors: the partition is invalid, or its tables need too much time or memory, or are
    /// damaged.
    pub(crate) fn open(
        &self,
        goal: &Goal,
        tables: &Tables,
        cancel: &Cancel,
    ) -> Result<Arc<OpenSolver>, Problem> {
        self.open_after(|| Ok(()), goal, tables, cancel)
    }

    /// Like [`Self::open`], but first calls `before` if the solver has tables, is not open yet and
    /// is within the limits.
    pub(crate) fn open_after(
        &self,
        before: impl FnOnce() -> Result<(), Problem>,
        goal: &Goal,
        tables: &Tables,
        cancel: &Cancel,
    ) -> Result<Arc<OpenSolver>, Problem> {
        let key = Key {
            goal: goal.to_string(),
            tables: tables.clone(),
        };
        let choose = |given: &[SharedTable]| self.opener.choose(goal, tables, given);
        self.open_by_key(before, key, goal, choose, true, cancel)
    }

    /// Opens one solver per specification, for explanations. The limits of [`Self::open`] apply.
    /// Calls with the same goal and the same `name` must have the same `specs`.
    pub(crate) fn tables_of(
        &self,
        goal: &Goal,
        name: &str,
        specs: Vec<HeuristicSpec>,
        cancel: &Cancel,
    ) -> Result<Vec<Arc<OpenSolver>>, Problem> {
        self.check(name, &specs)?;
        let nothing = || Ok(());
        let open = |(number, spec): (usize, HeuristicSpec)| {
            let key = Key {
                goal: goal.to_string(),
                tables: Tables {
                    metric: Some(spec.metric()),
                    // This key cannot be the text of a partition.
                    partition: Some(format!("{number}: {name}")),
                    ..Tables::default()
                },
            };
            let choose = |_: &[SharedTable]| Ok((spec.clone(), None));
            self.open_by_key(nothing, key, goal, choose, false, cancel)
        };
        specs.into_iter().enumerate().map(open).collect()
    }

    /// Checks that the tables of specifications are within the limits.
    pub(crate) fn check(&self, name: &str, specs: &[HeuristicSpec]) -> Result<(), Problem> {
        self.opener.check(name, specs, &self.held())
    }

    /// Returns the open solver of a key, or opens one. `choose` receives the open tables and
    /// selects the tables of the new solver. `both_sides` adds the tables for other goal cells of
    /// the blank, unless other solvers would have to be closed for them.
    fn open_by_key(
        &self,
        before: impl FnOnce() -> Result<(), Problem>,
        key: Key,
        goal: &Goal,
        choose: impl Fn(&[SharedTable]) -> Result<SpecAndReason, Problem>,
        both_sides: bool,
        cancel: &Cancel,
    ) -> Result<Arc<OpenSolver>, Problem> {
        if let Some(found) = self.find(&key) {
            return Ok(found);
        }
        let (mut spec, mut reason) = choose(&self.held())?;
        let mut given = Vec::new();
        let mut turn = None;
        // A solver without tables does not wait for other builds.
        if !spec.tables().is_empty() {
            before()?;
            turn = Some(self.opening.wait(cancel)?);
            if let Some(found) = self.find(&key) {
                return Ok(found);
            }
            // Tables may have been opened or closed in the meantime.
            given = self.held();
            (spec, reason) = choose(&given)?;
        }
        let mut wanted = self.opener.tables(&spec, both_sides, &given);
        let both_sides = both_sides && self.has_room(&wanted, &given);
        if !both_sides {
            wanted = spec.tables();
            self.make_room(&wanted, &given)?;
        }
        given.retain(|table| wanted.contains(&table.id()));
        let comes_first = key.comes_first();
        let solver = (self.opener).open(goal, spec, &given, comes_first, both_sides, cancel)?;
        let others = solver.other_tables().map_err(Problem::damaged)?;
        let new = Arc::new(OpenSolver {
            tables: solver.tables(),
            solver,
            others,
            reason,
        });
        self.keep(key, &new);
        // The next waiting request finds the open solver.
        drop(turn);
        Ok(new)
    }

    pub(crate) fn without_tables(
        &self,
        goal: &Goal,
        metric: Metric,
        cancel: &Cancel,
    ) -> Result<Arc<OpenSolver>, Problem> {
        let tables = Tables {
            metric: Some(metric),
            partition: Some(HeuristicSpec::table_free_name(metric).to_owned()),
            ..Tables::default()
        };
        self.open(goal, &tables, cancel)
    }

    /// All open solvers, and the closed solvers that searches still use.
    fn alive(&self) -> Vec<Arc<OpenSolver>> {
        let mut all = lock(&self.alive);
        all.retain(|opened| opened.strong_count() > 0);
        all.iter().filter_map(Weak::upgrade).collect()
    }

    fn held(&self) -> Vec<SharedTable> {
        let mut found = HashSet::new();
        let alive = self.alive();
        let tables = alive.iter().flat_map(|opened| opened.all_tables());
        tables
            .filter(|table| found.insert(table.id()))
            .cloned()
            .collect()
    }

    fn memory_of_missing(&self, wanted: &[TableId], given: &[SharedTable]) -> u64 {
        let is_missing = |id: &&TableId| given.iter().all(|table| table.id() != **id);
        self.opener.memory_of(wanted.iter().filter(is_missing))
    }

    /// Whether the wanted tables fit into memory without closing solvers.
    fn has_room(&self, wanted: &[TableId], given: &[SharedTable]) -> bool {
        let needed = self.memory_of_missing(wanted, given);
        let has_room = bytes(self.alive().iter()) + needed <= self.max_bytes;
        has_room && self.memory.check(needed).is_ok()
    }

    /// Closes solvers to make room for the wanted tables that are not in `given`. Searches can keep
    /// the tables of closed solvers, so the total can reach twice `max_bytes`.
    fn make_room(&self, wanted: &[TableId], given: &[SharedTable]) -> Result<(), Problem> {
        let needed = self.memory_of_missing(wanted, given);
        let mut opened = lock(&self.by_key);
        while bytes(opened.values().map(|(_, opened)| opened)) + needed > self.max_bytes {
            if !close_oldest(&mut opened, None, SMALL) {
                break;
            }
        }
        drop(opened);
        if bytes(self.alive().iter()) + needed > 2 * self.max_bytes {
            return Err(Problem::no_memory(
                "not enough memory for more tables while other searches use them: try again later",
            ));
        }
        self.memory.check(needed)
    }

    /// All open solvers, most recently used first.
    pub(crate) fn all(&self) -> Vec<Arc<OpenSolver>> {
        let opened = lock(&self.by_key);
        let mut all: Vec<_> = opened.values().cloned().collect();
        drop(opened);
        all.sort_by_key(|(used, _)| std::cmp::Reverse(*used));
        all.into_iter().map(|(_, opened)| opened).collect()
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes(lock(&self.by_key).values().map(|(_, opened)| opened))
    }

    fn find(&self, key: &Key) -> Option<Arc<OpenSolver>> {
        let mut opened = lock(&self.by_key);
        let (used, found) = opened.get_mut(key)?;
        *used = Instant::now();
        Some(Arc::clone(found))
    }

    /// Stores a solver, and closes other solvers if too many are open.
    fn keep(&self, key: Key, new: &Arc<OpenSolver>) {
        lock(&self.alive).push(Arc::downgrade(new));
        let mut opened = lock(&self.by_key);
        opened.insert(key.clone(), (Instant::now(), Arc::clone(new)));
        while opened.len() > MAX_SOLVERS && close_oldest(&mut opened, Some(&key), 0) {}
        while bytes(opened.values().map(|(_, opened)| opened)) > self.max_bytes
            && close_oldest(&mut opened, Some(&key), SMALL)
        {}
    }
}

/// Closes the least recently used solver whose tables have at least `least` bytes, preferring
/// solvers without priority. Never closes the solver of the key `but`. Returns `false` if no solver
/// can be closed.
fn close_oldest(opened: &mut SolversByKey, but: Option<&Key>, least: u64) -> bool {
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

/// Total bytes of the tables of some solvers; a table that several solvers share is added once.
fn bytes<'a>(opened: impl Iterator<Item = &'a Arc<OpenSolver>>) -> u64 {
    let tables = opened.flat_map(|opened| opened.all_tables());
    let sizes: HashMap<TableId, usize> = tables
        .map(|table| (table.id(), table.bytes().len()))
        .collect();
    sizes.values().map(|size| *size as u64).sum()
}
