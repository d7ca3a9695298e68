//! Heuristics by name.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex};

use pdb_gen::{BuildError, build, estimate_memory, size};
use pdb_table::{Cancel, Code, Control, Encoding, TableError, codes, lock};
use puzzle::{Cell, Goal, HeuristicSpec, Metric, PartitionError, TableId, TableKind, Tray};
use solver::{PatternGeometry, PatternLookup, PatternTable};

use super::inversion_distance::InversionDistance;
use super::linear_conflict::LinearConflict;
use super::manhattan::{Manhattan, Misplaced, Zero};
use super::pattern_database::{PatternDatabase, TableView, ViewPart};
use super::walking_distance::WalkingDistance;
use super::{AnyHeuristic, Maximum};

/// A heuristic by name, for any goal. The name is `zero`, `misplaced`, `manhattan`,
/// `linear-conflict`, `inversion-distance`, `walking-distance`, or a partition of pattern databases
/// such as `6-6-3`. If the tables of a partition are not zero-aware, their kind is a prefix of the
/// name, as in `blank-compressed:6-6-3`. Names joined by `+` mean the maximum of the heuristics.
///
/// ```
/// use lab::{HeuristicChoice, HeuristicFactory, Position};
/// use puzzle::{Board, Goal};
///
/// let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
/// let goal = Goal::blank_last(board.tray());
/// let position = Position::new(&goal.state(&board).ok_or("another size")?)?;
/// let factory = HeuristicFactory::default();
/// let mut values = Vec::new();
/// for name in ["manhattan", "linear-conflict", "walking-distance", "5-3", "manhattan+fringe"] {
///     let choice: HeuristicChoice = name.parse()?;
///     values.push(factory.heuristic(&choice, &goal)?.estimate(&position));
/// }
/// assert_eq!(values, [21, 23, 25, 29, 27]); // 31 moves are needed
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HeuristicChoice(Vec<Member>);

/// A member of a maximum.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Member {
    /// A heuristic without pattern databases, as an index into [`PLAIN`].
    Plain(usize),
    /// Partitions joined by `+`, and the kind of their tables.
    Partitions(String, TableKind),
}

type HeuristicResult = Result<Box<dyn AnyHeuristic>, HeuristicError>;
type Constructor = fn(&HeuristicFactory, &Goal) -> HeuristicResult;

/// Names and constructors of the heuristics without pattern databases.
const PLAIN: [(&str, Constructor); 6] = [
    ("zero", |_, _| Ok(Box::new(Zero))),
    ("misplaced", |_, _| Ok(Box::new(Misplaced))),
    ("manhattan", |_, goal| {
        Ok(Box::new(Manhattan::new(goal.tray())))
    }),
    ("linear-conflict", |_, goal| {
        Ok(Box::new(LinearConflict::new(goal.tray())))
    }),
    ("inversion-distance", |_, goal| {
        Ok(Box::new(InversionDistance::new(goal.tray())))
    }),
    ("walking-distance", |factory, goal| {
        Ok(Box::new(factory.walk(goal)?))
    }),
];

/// Error of a heuristic that does not exist, in general or for the requested goal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeuristicError {
    /// An empty name.
    #[error("a heuristic has no name: expected one such as manhattan or 6-6-3")]
    Empty,
    /// The kind of tables is unknown, or the kind belongs to the multi-tile metric.
    #[error(
        "the lab has no tables of the kind `{0}`: expected zero-aware, blank-compressed or full"
    )]
    TableKind(String),
    /// Neither a heuristic nor a partition of this tray.
    #[error(
        "the heuristic `{name}` is neither zero, misplaced, manhattan, linear-conflict, \
         inversion-distance, walking-distance nor a partition of {tray}: {source}"
    )]
    Partition {
        /// The name.
        name: String,
        /// The size.
        tray: Tray,
        /// The error of the partition.
        source: PartitionError,
    },
    /// A tray whose table of walking distances would be too large.
    #[error(
        "the table of walking-distance is too large for {0}: expected a tray of at most 5x5, or a \
         longer one with at most 4 rows or columns"
    )]
    WalkingDistance(Tray),
    /// Too little memory to build a pattern database.
    #[error(
        "building {table} needs about {} of memory, including the tables already built, {} are \
         free: choose smaller patterns",
        size(*needed),
        size(*free)
    )]
    Memory {
        /// The table.
        table: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// A pattern database is missing, and the factory builds no tables.
    #[error("the table {0} is missing")]
    NoTable(String),
    /// A pattern database could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A pattern database cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
}

codes! {
    HeuristicError {
        HeuristicError::Memory { .. } => Code::Memory,
        HeuristicError::Build(error) => error.code(),
        HeuristicError::NoTable(_) | HeuristicError::Table(_) => Code::Table,
        _ => Code::Input,
    }
}

impl HeuristicChoice {
    /// The names of the heuristics without pattern databases.
    pub fn plain_names() -> impl Iterator<Item = &'static str> {
        PLAIN.iter().map(|(name, _)| *name)
    }

    /// Names of a tray's heuristics that are quick to build, including pattern databases.
    #[must_use]
    pub fn names_at_hand(tray: Tray) -> Vec<String> {
        let has_walking = tray.cells() <= MAX_WALKING_CELLS
            && tray.width().max(tray.height()) <= MAX_WALKING_LINES;
        let is_quick = |name: &&str| *name != "walking-distance" || has_walking;
        let mut names: Vec<String> = Self::plain_names()
            .filter(is_quick)
            .map(str::to_owned)
            .collect();
        if (tray.width(), tray.height()) == (3, 3) {
            names.extend(["fringe", "5-3"].map(str::to_owned));
        }
        let default = HeuristicSpec::default_name(Metric::Single, tray);
        let is_table = default != HeuristicSpec::table_free_name(Metric::Single);
        if is_table && tray.cells() <= MAX_PARTITION_CELLS {
            names.push(default);
        }
        names
    }

    /// The specifications of the choice's pattern databases for a goal.
    ///
    /// # Errors
    /// [`HeuristicError::Partition`] if a partition does not exist.
    pub fn specs(&self, goal: &Goal) -> Result<Vec<HeuristicSpec>, HeuristicError> {
        let specs = self.0.iter().filter_map(|member| match member {
            Member::Plain(_) => None,
            Member::Partitions(text, kind) => Some(spec(text, *kind, goal)),
        });
        specs.collect()
    }
}

fn spec(text: &str, kind: TableKind, goal: &Goal) -> Result<HeuristicSpec, HeuristicError> {
    let refused = |source| HeuristicError::Partition {
        name: text.to_owned(),
        tray: goal.tray(),
        source,
    };
    let spec = HeuristicSpec::builder(goal).kind(kind).parse(text);
    spec.map_err(refused)
}

impl FromStr for HeuristicChoice {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<Self, HeuristicError> {
        let mut members: Vec<Member> = Vec::new();
        for item in text.split('+').map(str::trim) {
            if item.is_empty() {
                return Err(HeuristicError::Empty);
            }
            if let Some(place) = PLAIN.iter().position(|(name, _)| *name == item) {
                members.push(Member::Plain(place));
                continue;
            }
            let (kind, name) = match item.split_once(':') {
                None => (TableKind::ZeroAware, item),
                Some((kind, name)) => {
                    let known: Option<TableKind> = kind.parse().ok();
                    let known = known.filter(|known| known.metric() == Metric::Single);
                    let unknown = || HeuristicError::TableKind(kind.to_owned());
                    (known.ok_or_else(unknown)?, name)
                }
            };
            match members.last_mut() {
                // Joined names become one specification, which drops duplicate views.
                Some(Member::Partitions(names, of)) if *of == kind => {
                    *names += "+";
                    *names += name;
                }
                _ => members.push(Member::Partitions(name.to_owned(), kind)),
            }
        }
        Ok(HeuristicChoice(members))
    }
}

impl fmt::Display for HeuristicChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members: Vec<String> = self.0.iter().map(Member::to_string).collect();
        f.write_str(&members.join("+"))
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Member::Plain(place) => f.write_str(PLAIN[*place].0),
            Member::Partitions(text, TableKind::ZeroAware) => f.write_str(text),
            Member::Partitions(text, kind) => {
                write!(f, "{kind}:{}", text.replace('+', &format!("+{kind}:")))
            }
        }
    }
}

/// Maximum width and height of trays whose walking distances are quick to build; 8x2 is too wide.
const MAX_WALKING_LINES: usize = 7;
/// Maximum number of cells of a tray whose walking distances are quick to build.
const MAX_WALKING_CELLS: usize = 20;
/// Maximum number of cells of a tray whose default partition is quick to build.
const MAX_PARTITION_CELLS: usize = 16;

/// Finds a stored table. If it returns `None`, the table is built.
pub type TableOpener = dyn Fn(TableId, &PatternGeometry) -> Option<PatternTable> + Send + Sync;

/// Creates heuristics, and keeps their shared tables. The default factory builds all tables.
#[derive(Default)]
pub struct HeuristicFactory {
    open: Option<Arc<TableOpener>>,
    cancel: Cancel,
    max_memory: Option<u64>,
    /// Whether all tables come from `open`, and none is built.
    only_opens: bool,
    tables: Arc<Mutex<HashMap<TableId, PatternTable>>>,
    walks: Arc<Mutex<Walks>>,
}

/// Tables of walking distances; `None` for trays without such a table.
type Walks = HashMap<(Tray, Cell), Option<WalkingDistance>>;

/// Maximum number of walking-distance tables that are kept. A table for 4x4 takes 2 MB.
const MAX_WALKS: usize = 16;

/// Maximum number of entries of tables built with one byte per entry. Such a table stores each
/// value directly, which speeds up A*; larger tables have one bit per entry.
const LARGEST_IN_BYTES: u64 = 1 << 24;

impl HeuristicFactory {
    /// A factory that uses stored tables of one bit per entry if they exist, stops builds when
    /// cancelled, and rejects builds that need more than `max_memory` bytes.
    #[must_use]
    pub fn new(
        open: impl Fn(TableId, &PatternGeometry) -> Option<PatternTable> + Send + Sync + 'static,
        cancel: &Cancel,
        max_memory: Option<u64>,
    ) -> Self {
        HeuristicFactory {
            open: Some(Arc::new(open)),
            cancel: cancel.clone(),
            max_memory,
            ..HeuristicFactory::default()
        }
    }

    /// A factory that gets every pattern database from `open` and builds none. It is for programs
    /// that limit time and memory themselves. The new factory shares this factory's
    /// walking-distance tables.
    #[must_use]
    pub fn with_tables(
        &self,
        open: impl Fn(TableId, &PatternGeometry) -> Option<PatternTable> + Send + Sync + 'static,
    ) -> Self {
        HeuristicFactory {
            open: Some(Arc::new(open)),
            only_opens: true,
            walks: Arc::clone(&self.walks),
            ..HeuristicFactory::default()
        }
    }

    /// This factory for one call: stops builds when cancelled, and rejects builds that need more
    /// than `max_memory` bytes. The new factory shares all tables with this one.
    #[must_use]
    pub fn for_call(&self, cancel: &Cancel, max_memory: Option<u64>) -> Self {
        HeuristicFactory {
            cancel: cancel.clone(),
            max_memory,
            open: self.open.clone(),
            only_opens: self.only_opens,
            tables: Arc::clone(&self.tables),
            walks: Arc::clone(&self.walks),
        }
    }

    /// The heuristic for a goal. Builds its tables on the threads of rayon's current pool, unless
    /// the factory already has them. Building 6-6-3 takes a tenth of a second, and 7-8 takes two
    /// seconds.
    ///
    /// # Errors
    /// [`HeuristicError`]: the goal's tray has no such heuristic, or a table could not be built.
    pub fn heuristic(
        &self,
        choice: &HeuristicChoice,
        goal: &Goal,
    ) -> Result<Box<dyn AnyHeuristic>, HeuristicError> {
        let members = choice.0.iter().map(|member| self.member(member, goal));
        let mut members = members.collect::<Result<Vec<_>, HeuristicError>>()?;
        Ok(match members.len() {
            1 => members.remove(0),
            _ => Box::new(Maximum::new(members)),
        })
    }

    fn member(&self, member: &Member, goal: &Goal) -> HeuristicResult {
        match member {
            Member::Plain(place) => PLAIN[*place].1(self, goal),
            Member::Partitions(text, kind) => {
                let views = self.views(&spec(text, *kind, goal)?)?;
                let name = member.to_string();
                Ok(Box::new(PatternDatabase { name, views }))
            }
        }
    }

    fn walk(&self, goal: &Goal) -> Result<WalkingDistance, HeuristicError> {
        let key = (goal.tray(), goal.blank());
        let mut walks = lock(&self.walks);
        if walks.len() == MAX_WALKS && !walks.contains_key(&key) {
            walks.clear();
        }
        let walk = walks.entry(key);
        let walk = walk.or_insert_with(|| WalkingDistance::new(key.0, key.1));
        walk.clone().ok_or(HeuristicError::WalkingDistance(key.0))
    }

    fn views(&self, spec: &HeuristicSpec) -> Result<Vec<TableView>, HeuristicError> {
        let views = spec.views().into_iter().map(|partition| {
            let mut view = TableView {
                kind: partition.kind(),
                parts: Vec::new(),
                part_of_tile: vec![None; spec.tray().cells()],
            };
            for pattern in partition.patterns() {
                let tiles: Vec<Cell> = pattern.tiles().iter().collect();
                for tile in &tiles {
                    view.part_of_tile[tile.index()] = Some(view.parts.len() as u16);
                }
                let (id, symmetry) = pattern.table(view.kind);
                let lookup = PatternLookup::new(&self.table(id)?, symmetry);
                view.parts.push(ViewPart { tiles, lookup });
            }
            Ok(view)
        });
        views.collect()
    }

    fn table(&self, id: TableId) -> Result<PatternTable, HeuristicError> {
        let mut tables = lock(&self.tables);
        if let Some(table) = tables.get(&id) {
            return Ok(table.clone());
        }
        let like = |table: &&PatternTable| {
            let other = table.table().id();
            (other.tray(), other.kind(), other.tiles().len())
                == (id.tray(), id.kind(), id.tiles().len())
        };
        let geometry = match tables.values().find(like) {
            Some(table) => table.geometry(),
            None => PatternGeometry::new(id.tray(), id.tiles().len(), id.kind())?,
        };
        let is_small = geometry.ranking().entries() <= LARGEST_IN_BYTES;
        let has_bits = Encoding::OneBit.suits(id.kind()) && !is_small;
        let kept = self.open.as_ref().filter(|_| has_bits || self.only_opens);
        let table = match kept.and_then(|open| open(id, &geometry)) {
            Some(table) => table,
            None if self.only_opens => return Err(HeuristicError::NoTable(id.name())),
            None => {
                let encoding = match has_bits {
                    true => Encoding::OneBit,
                    false => Encoding::U8,
                };
                let kept: usize = tables.values().map(|own| own.table().payload().len()).sum();
                let needed = estimate_memory(id, encoding) + kept as u64;
                if let Some(free) = self.max_memory.filter(|&free| needed > free) {
                    return Err(HeuristicError::Memory {
                        table: id.name(),
                        needed,
                        free,
                    });
                }
                let control = Control::stopped_by(&self.cancel);
                PatternTable::new(build(id, encoding, &control)?.into_table(), &geometry)?
            }
        };
        tables.insert(id, table.clone());
        Ok(table)
    }
}

impl fmt::Debug for HeuristicFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeuristicFactory")
            .field("tables", &lock(&self.tables).keys())
            .finish_non_exhaustive()
    }
}
