//! Where a solver's tables come from: built in memory, kept in a directory, shipped as a bundle, or
//! given.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pdb_gen::{RayonExecutor, free_memory};
use pdb_table::bundle::{Bundle, MANIFEST_NAME, Manifest, SingleFile};
use pdb_table::{Cancel, Control, Encoding, Packed, TableDirectory, unpack_memory};
use puzzle::{
    Board, Goal, HeuristicSpec, HeuristicSpecBuilder, Metric, Ranking, TableId, TableKind, Tray,
};
use solver::{
    BuildEvent, OpenEvent, OpenOptions, OverBudget, Solver, TableBudget, TableChoice, open_tables,
};

use crate::failure::Failure;
use crate::progress::Counter;
use crate::table::{SharedTable, build_table, check_memory, open_table, shared, table_of_bytes};

/// Time limit for building the tables of a default partition, in seconds by estimate, where the
/// caller gives no limit.
const MAX_SECONDS: f64 = 4.0;
/// Files of this size in a directory are loaded: many boards are faster then. Smaller tables are
/// found in the processor's caches, and so are their pages.
const LOAD_FROM: u64 = 8 << 20;

/// A table and its file, if it has one.
pub(crate) type Loaded = (SharedTable, Option<PathBuf>);

/// Where tables come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// They are built in memory.
    Memory,
    /// Those of a directory; missing ones are built and kept.
    Directory(PathBuf),
    /// Those of a bundle or of a file.
    File(PathBuf),
    /// Given as bytes or as tables.
    Given(Vec<Given>),
}

/// A table that is given.
#[derive(Debug)]
pub(crate) enum Given {
    Bytes(Vec<u8>),
    Table(SharedTable, Option<PathBuf>),
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The goal, where it is asked for.
    pub(crate) goal: Option<Goal>,
    pub(crate) size: Option<Tray>,
    pub(crate) metric: Metric,
    pub(crate) kind: Option<TableKind>,
    pub(crate) partition: Option<String>,
    /// Time limit for building missing tables, in seconds by estimate.
    pub(crate) max_build_time: Option<f64>,
}

/// What a solver is made of.
pub(crate) struct Ingredients {
    pub(crate) goal: Goal,
    pub(crate) spec: HeuristicSpec,
    /// In the order of the specification.
    pub(crate) tables: Vec<Loaded>,
    /// Lines for the user.
    pub(crate) warnings: Vec<String>,
}

impl Source {
    /// What a path is.
    pub(crate) fn of_path(path: PathBuf) -> Result<Source, Failure> {
        if path.join(MANIFEST_NAME).is_file() || path.is_file() {
            return Ok(Source::File(path));
        }
        // A directory that is to be made does not look like a file.
        const FILES: [&str; 5] = ["pdb", "pdbz", "pack", "json", "zst"];
        let ending = path.extension().and_then(|ending| ending.to_str());
        if !path.exists() && ending.is_some_and(|ending| FILES.contains(&ending)) {
            let missing = std::io::Error::from_raw_os_error(NO_SUCH_FILE);
            return Err(Failure::system(&path, missing));
        }
        Ok(Source::Directory(path))
    }

    /// Whether a table is there already and need not be built.
    fn has(&self, id: TableId) -> bool {
        match self {
            Source::Directory(path) => TableDirectory::new(path).file_of(id).is_some(),
            Source::Given(given) => given.iter().any(|given| match given {
                Given::Table(table, _) => table.id() == id,
                Given::Bytes(_) => false,
            }),
            Source::Memory | Source::File(_) => false,
        }
    }
}

/// The system's number for a file that does not exist, the same everywhere.
const NO_SUCH_FILE: i32 = 2;

impl Wanted {
    fn goal(&self) -> Result<Goal, Failure> {
        match &self.goal {
            Some(goal) => Ok(goal.clone()),
            None => Goal::parse("blank-last", self.size).map_err(Failure::input),
        }
    }

    /// The specification that a goal has by a name.
    fn builder<'a>(&self, goal: &'a Goal) -> HeuristicSpecBuilder<'a> {
        let builder = HeuristicSpec::builder(goal);
        let builder = match self.kind {
            Some(kind) => builder.kind(kind),
            None => builder,
        };
        builder.metric(self.metric)
    }

    fn parse(&self, goal: &Goal, name: &str) -> Result<HeuristicSpec, Failure> {
        let spec = self.builder(goal).parse(name);
        let spec = spec.map_err(|error| Failure::input(format!("partition: {error}")))?;
        Solver::check_room(&spec)?;
        Ok(spec)
    }

    /// The goal and the specification. By default it is the size's own; where building
    /// its missing tables takes too long or too much memory, one of smaller parts, and where all
    /// do, no tables at all.
    pub(crate) fn settle(&self, source: &Source) -> Result<(Goal, HeuristicSpec), Failure> {
        let goal = self.goal()?;
        if let Some(name) = &self.partition {
            let spec = self.parse(&goal, name)?;
            return Ok((goal, spec));
        }
        let there = |id: TableId| source.has(id).then(|| Encoding::default_for(id.kind()));
        let budget = budget(self.max_build_time.unwrap_or(MAX_SECONDS), &there);
        let choice = TableChoice::of(&self.builder(&goal), &budget).map_err(Failure::input)?;
        Ok((goal, choice.spec))
    }

    /// The goal and the specification, where a manifest says what is not asked for.
    fn settle_with(&self, manifest: &Manifest) -> Result<(Goal, HeuristicSpec), Failure> {
        let refused = |error| Failure::table(format!("the manifest's goal: {error}"));
        let tray: Tray = manifest.tray.parse().map_err(Failure::table)?;
        let numbers: Vec<u32> = manifest.goal.iter().copied().map(u32::from).collect();
        let goal = Goal::new(Board::new(tray, &numbers).map_err(refused)?);
        let own = match (&self.goal, self.size) {
            (Some(asked), _) => *asked == goal,
            (None, Some(size)) => size == tray,
            (None, None) => true,
        };
        if !own {
            let asked = self.goal()?;
            return Err(Failure::table(format!(
                "the tables are for the goal {goal}, not for {asked}"
            )));
        }
        let kind = manifest
            .tables
            .first()
            .map(|table| table.table.kind.parse());
        let kind: Option<TableKind> = kind.transpose().map_err(Failure::table)?;
        let wanted = Wanted {
            goal: Some(goal),
            size: None,
            metric: kind.map_or(self.metric, TableKind::metric),
            kind: self.kind.or(kind),
            partition: self.partition.clone(),
            max_build_time: None,
        };
        if wanted.partition.is_some() {
            return wanted.settle(&Source::Memory);
        }
        let mut partitions: BTreeMap<usize, Vec<Vec<u16>>> = BTreeMap::new();
        for part in &manifest.parts {
            let parts = partitions.entry(part.partition).or_default();
            parts.push(part.tiles.clone());
        }
        let partitions: Vec<_> = partitions.into_values().collect();
        let goal = wanted.goal()?;
        let spec = wanted.builder(&goal).parse_parts(&partitions);
        let spec = spec.map_err(Failure::table)?;
        let partition = Some(spec.name().to_owned());
        let wanted = Wanted {
            partition,
            ..wanted
        };
        wanted.settle(&Source::Memory)
    }

    /// The tables, and what they are for.
    pub(crate) fn load(
        &self,
        source: Source,
        cancel: &Cancel,
        counter: &Arc<Counter>,
    ) -> Result<Ingredients, Failure> {
        let source = match source {
            Source::File(path) => return self.load_file(&path, cancel, counter),
            Source::Given(given) => return self.load_given(given, cancel),
            source => source,
        };
        let (goal, spec) = self.settle(&source)?;
        let mut warnings = Vec::new();
        let tables = match source {
            Source::Memory => {
                let limit = self.max_build_time.unwrap_or(f64::INFINITY);
                if let Err(error @ OverBudget::Time { .. }) = budget(limit, &|_| None).check(&spec)
                {
                    return Err(Failure::table(format!(
                        "{error}: expected at most max_build_time={limit}; give more, or a \
                         partition of smaller parts"
                    )));
                }
                let mut tables: Vec<Loaded> = Vec::new();
                let mut before = 0;
                for id in spec.tables() {
                    let encoding = Encoding::default_for(id.kind());
                    let table = build_table(id, encoding, cancel, counter, before)?;
                    tables.push((table, None));
                    before += entries(id);
                    counter.reach(before);
                }
                tables
            }
            Source::Directory(path) => {
                let max_build_time = self.max_build_time.unwrap_or(f64::INFINITY);
                in_directory(&spec, &path, max_build_time, cancel, counter, &mut warnings)?
            }
            Source::File(_) | Source::Given(_) => Vec::new(),
        };
        Ok(Ingredients {
            goal,
            spec,
            tables,
            warnings,
        })
    }

    /// Tables that are given, or those of a bundle whose bytes are.
    fn load_given(&self, given: Vec<Given>, cancel: &Cancel) -> Result<Ingredients, Failure> {
        let of_bytes = |bytes: &[u8]| Ok((table_of_bytes(bytes, cancel)?, None));
        if let [Given::Bytes(bytes)] = &given[..] {
            if SingleFile::is_single(bytes) {
                let SingleFile { manifest, packed } = SingleFile::new(bytes)?;
                let tables = packed.into_iter().map(of_bytes);
                let tables = tables.collect::<Result<_, Failure>>()?;
                return self.ingredients(Some(&manifest), tables);
            }
        }
        let tables = given.into_iter().map(|given| match given {
            Given::Table(table, path) => Ok((table, path)),
            Given::Bytes(bytes) => of_bytes(&bytes),
        });
        self.ingredients(None, tables.collect::<Result<_, Failure>>()?)
    }

    /// The tables of a bundle, or the one of a file.
    fn load_file(
        &self,
        path: &Path,
        cancel: &Cancel,
        counter: &Arc<Counter>,
    ) -> Result<Ingredients, Failure> {
        let (tables, manifest) = match is_table_file(path)? {
            true => {
                let table = open_table(path, true, cancel)?;
                (vec![(table, Some(path.to_owned()))], None)
            }
            false => {
                let bundle = Bundle::open(path)?;
                let tables = unpack_all(&bundle, cancel, counter)?;
                let tables = tables.into_iter().map(|table| (table, None)).collect();
                (tables, bundle.manifest().cloned())
            }
        };
        self.ingredients(manifest.as_ref(), tables)
    }

    /// What tables are for, as their manifest says it, where there is one.
    fn ingredients(
        &self,
        manifest: Option<&Manifest>,
        tables: Vec<Loaded>,
    ) -> Result<Ingredients, Failure> {
        let (goal, spec) = match manifest {
            Some(manifest) => self.settle_with(manifest)?,
            None => {
                let given = tables.iter().cloned();
                let given = given.map(|(table, path)| Given::Table(table, path));
                self.settle(&Source::Given(given.collect()))?
            }
        };
        Ok(Ingredients {
            tables: sorted(&spec, tables)?,
            goal,
            spec,
            warnings: Vec::new(),
        })
    }
}

/// What tables may take: all cores for so many seconds, and half of the memory that is free.
fn budget(max_seconds: f64, there: &dyn Fn(TableId) -> Option<Encoding>) -> TableBudget<'_> {
    TableBudget {
        max_seconds,
        max_memory: free_memory().map(|free| free / 2),
        max_bytes: None,
        threads: 0,
        there,
    }
}

/// The tables of a directory; missing ones are built and kept.
pub(crate) fn in_directory(
    spec: &HeuristicSpec,
    path: &Path,
    max_build_time: f64,
    cancel: &Cancel,
    counter: &Arc<Counter>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Loaded>, Failure> {
    let heard = Arc::clone(counter);
    let order = spec.tables();
    let warned = Arc::new(Mutex::new(Vec::new()));
    let own = Arc::clone(&warned);
    let listener = move |event: &OpenEvent| {
        if let Some(line) = event.warning() {
            own.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(line);
        }
        if let OpenEvent::Building(id, BuildEvent::Level(level)) = event {
            let before = order.iter().take_while(|other| *other != id).copied();
            let before: u64 = before.map(entries).sum();
            heard.reach(before + level.found.min(level.entries));
        }
    };
    let options = OpenOptions::new(path)
        .max_build_seconds(max_build_time)
        .max_memory(free_memory())
        .load_from(Some(LOAD_FROM))
        .control(Control::new(cancel.clone(), Some(Arc::new(listener))));
    let tables = open_tables(spec, &options)?;
    warnings.append(&mut warned.lock().unwrap_or_else(PoisonError::into_inner));
    let tables = tables.into_iter().map(|table| {
        let file = options.directory.file_of(table.id()).map(|(_, file)| file);
        (shared(table), file)
    });
    Ok(tables.collect())
}

/// The tables of a specification, in its order, among those that are given.
fn sorted(spec: &HeuristicSpec, mut given: Vec<Loaded>) -> Result<Vec<Loaded>, Failure> {
    let partition = spec.name();
    let needed = spec.tables();
    let names = |ids: &[TableId]| match ids {
        [] => "none".to_owned(),
        ids => ids.iter().map(TableId::name).collect::<Vec<_>>().join(", "),
    };
    let mut tables = Vec::new();
    for &id in &needed {
        let place = given.iter().position(|(table, _)| table.id() == id);
        let place = place.ok_or_else(|| {
            Failure::table(format!("{} is missing: {partition} needs it", id.name()))
        })?;
        tables.push(given.swap_remove(place));
    }
    match given.first() {
        None => Ok(tables),
        Some((table, _)) if needed.contains(&table.id()) => Err(Failure::table(format!(
            "{} is given twice",
            table.id().name()
        ))),
        Some((table, _)) => Err(Failure::table(format!(
            "{} is not a table of {partition}: expected {}",
            table.id().name(),
            names(&needed)
        ))),
    }
}

/// Whether a file is a table, and nothing packed.
fn is_table_file(path: &Path) -> Result<bool, Failure> {
    if path.is_dir() {
        return Ok(false);
    }
    let mut start = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| Failure::system(path, error))?;
    file.take(8)
        .read_to_end(&mut start)
        .map_err(|error| Failure::system(path, error))?;
    let is_bundle = start.starts_with(b"\x89PDS") || start.starts_with(b"{");
    Ok(!is_bundle && !Packed::is_packed(&start))
}

/// Unpacks all tables of a bundle in memory, one after the other, each on all threads.
pub(crate) fn unpack_all(
    bundle: &Bundle,
    cancel: &Cancel,
    counter: &Arc<Counter>,
) -> Result<Vec<SharedTable>, Failure> {
    let mut tables = Vec::new();
    for number in 0..bundle.tables() {
        let packed = bundle.header(number)?;
        let id = packed.header().id;
        // Before the bytes are read into memory.
        let needed = unpack_memory(&packed, rayon::current_num_threads());
        check_memory(&id.name(), "unpack", needed)?;
        let bytes = bundle.read(number)?;
        let table = bundle.unpack(number, &bytes, &RayonExecutor, cancel)?;
        table.check_entries()?;
        counter.add(packed.header().entries);
        tables.push(crate::table::shared_from_memory(table));
    }
    Ok(tables)
}

/// Entries of a table.
pub(crate) fn entries(id: TableId) -> u64 {
    id.entries()
}
