//! Opening solvers: the choice of their tables, limits and sources.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use pdb_gen::{BuildEvent, VerifyError, verify};
#[cfg(feature = "file")]
use pdb_table::FileErrorKind;
use pdb_table::{Code, Control, SharedTable};
use puzzle::{Goal, HeuristicSpec, HeuristicSpecBuilder, Metric, TableId, TableKind};
use serde::Serialize;
use solver::{OpenError, OpenEvent, OpenOptions, OtherGoals, Solver, place_of};
#[cfg(feature = "file")]
use {
    pdb_gen::{Calibration, TableStore},
    pdb_table::TableDirectory,
    solver::Keep,
};

use crate::failure::Cause;
use crate::open_solvers::{CheckLevel, Opened, has_directory, sizes_of};
use crate::request::{Choose, Open, Tables, Verify};
use crate::response::{Event, Response, WrittenBoard};
use crate::session::Session;
use crate::{Failure, Spelling};

/// The progress of building or proving tables.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableProgress {
    /// `build` or `verify`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["build", "verify"])))]
    pub stage: &'static str,
    /// Index of the current table, from 0.
    pub table: usize,
    /// Number of tables.
    pub tables: usize,
    /// Finished share of all tables, from 0 to 1.
    pub done: f64,
}

/// A table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableInfo {
    /// Name of its file.
    pub file: String,
    /// The numbers on the tiles of the first part that it serves.
    pub tiles: Vec<u16>,
    /// The tiles of all parts that it serves: parts that are images of each other share a table.
    pub serves: Vec<Vec<u16>>,
    /// The kind of the table.
    pub kind: &'static str,
    /// The encoding of its entries.
    pub encoding: &'static str,
    /// Number of entries.
    pub entries: u64,
    /// Size of the file in bytes.
    pub bytes: usize,
    /// The largest value.
    pub max: u8,
    /// Level of the checks that the table passed.
    pub verified: CheckLevel,
}

/// The tables of a goal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TablesInfo {
    /// The goal.
    pub goal: WrittenBoard,
    /// Unit of a move.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub metric: Metric,
    /// Name of the partition.
    pub partition: String,
    /// Reason why the default tables of the size were not chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Names of the files of the needed tables.
    pub files: Vec<String>,
    /// Names of the files of tables for other goal cells of the blank that fit the memory limit.
    pub other_files: Vec<String>,
    /// The open tables, in the order of `files`; empty after `choose`.
    pub tables: Vec<TableInfo>,
}

impl Eq for Tables {}

impl Hash for Tables {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.metric, self.kind, &self.partition, &self.parts).hash(state);
    }
}

impl Tables {
    /// The metric, which can follow from the kind.
    pub fn metric(&self) -> Metric {
        let of_kind = || self.kind.map_or(Metric::Single, TableKind::metric);
        self.metric.unwrap_or_else(of_kind)
    }

    /// The specification of these tables, or the best one within the options' budget if they have
    /// no partition; and the reason why it is not the default one of the size.
    fn chosen(
        &self,
        builder: &HeuristicSpecBuilder,
        options: &OpenOptions,
        spelling: Spelling,
    ) -> Result<(HeuristicSpec, Option<String>), Failure> {
        match (&self.partition, &self.parts) {
            (Some(_), Some(_)) => {
                let [partition, parts] = ["partition", "parts"].map(|own| spelling.name(own));
                Err(Failure::input(format_args!(
                    "{partition} and {parts} exclude each other: leave one out"
                )))
            }
            (None, Some(parts)) => Ok((builder.parse_parts(parts).map_err(Failure::input)?, None)),
            (name, None) => {
                let choice = options.choose(builder, name.as_deref());
                let choice = choice.map_err(Failure::input)?;
                let reason = choice.reason();
                Ok((choice.spec, reason))
            }
        }
    }

    /// Whether a partition is named.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.partition.is_some() || self.parts.is_some()
    }

    fn builder<'a>(&self, goal: &'a Goal) -> HeuristicSpecBuilder<'a> {
        let mut builder = HeuristicSpec::builder(goal);
        if let Some(kind) = self.kind {
            builder = builder.kind(kind);
        }
        match self.metric {
            Some(metric) => builder.metric(metric),
            None => builder,
        }
    }
}

impl Session {
    /// Adds a table in memory, for solvers that are opened later.
    pub fn give(&self, table: SharedTable) {
        self.open.give(table);
    }

    /// Adds a table from the bytes of its file, packed or not, after checking every checksum.
    /// Returns the name of its file.
    ///
    /// # Errors
    /// Damaged bytes, too little memory, or a stopped call.
    #[cfg(feature = "pack")]
    pub fn give_bytes(&self, bytes: &[u8], cancel: &pdb_table::Cancel) -> Result<String, Failure> {
        // Reading a packed table needs up to three times its memory.
        let memory = self
            .limits
            .table_memory
            .map(|bytes| bytes.saturating_mul(3));
        let table = pdb_table::TableReader::new(bytes)?.read(memory, &(), cancel)?;
        let name = file_name(&table.id());
        self.give(table);
        Ok(name)
    }

    /// The open table with this file name.
    #[must_use]
    pub fn table(&self, file: &str) -> Option<SharedTable> {
        let mut tables = self.open.held(&self.sources).into_iter();
        tables.find(|table| file_name(&table.id()) == file)
    }

    /// Descriptions of the open solvers, the most recently used one first.
    #[must_use]
    pub fn open_tables(&self) -> Vec<TablesInfo> {
        let solvers = self.open.all();
        let solvers = solvers.iter().rev();
        solvers.map(|opened| self.describe(opened)).collect()
    }

    /// Memory of the tables of all open solvers, in bytes.
    #[must_use]
    pub fn open_bytes(&self) -> u64 {
        self.open.bytes_with(&[])
    }

    /// Whether the solver of a goal is open.
    #[must_use]
    pub fn is_open(&self, goal: &Goal, tables: &Tables) -> bool {
        let key = (goal.clone(), tables.clone());
        self.open.find(&key, OtherGoals::Never).is_some()
    }

    /// Closes all solvers, and forgets given tables.
    pub fn close(&self) {
        self.open.close();
    }

    /// The limits and sources of tables. `seconds` replaces the session's limit of build times.
    fn options(&self, tables: &Tables, seconds: Option<Duration>) -> OpenOptions {
        let usual = self
            .limits
            .build_seconds(tables.metric(), tables.is_named());
        let mut options = self.sources.clone();
        options.given.extend(self.open.held(&self.sources));
        // Default tables leave half of the memory for other purposes.
        #[cfg(feature = "file")]
        let free =
            pdb_gen::free_memory().map(|free| if tables.is_named() { free } else { free / 2 });
        #[cfg(feature = "file")]
        let mut options = options.max_memory(self.sources.budget.max_memory.or(free));
        #[cfg(feature = "file")]
        if let (Some(most), Some(directory)) = (self.limits.disk, &options.directory) {
            let most = most[usize::from(tables.is_named())];
            options.keep = keep_within(most, directory.clone());
        }
        options
            .max_build_seconds(seconds.map_or(usual, |time| time.as_secs_f64()))
            .max_bytes(self.limits.table_memory)
    }

    /// The specification that a request names, or the default one.
    ///
    /// # Errors
    /// An invalid partition.
    pub fn spec(&self, goal: &Goal, tables: &Tables) -> Result<HeuristicSpec, Failure> {
        Ok(self.choice(goal, tables, &self.options(tables, None))?.0)
    }

    /// The specification that a request names, or the best one within the options' budget; and the
    /// reason why it is not the default one of the size.
    fn choice(
        &self,
        goal: &Goal,
        tables: &Tables,
        options: &OpenOptions,
    ) -> Result<(HeuristicSpec, Option<String>), Failure> {
        let mut builder = tables.builder(goal);
        for (name, text) in &self.files {
            builder = builder.file(name, text.clone());
        }
        let (spec, reason) = tables.chosen(&builder, options, self.spelling)?;
        let spec = match self.order {
            Some(order) => spec.with_order(order),
            None => spec,
        };
        Ok((spec, reason))
    }

    /// The solver of a goal: an open one, or a new one whose missing tables are built. A call that
    /// waits for other builds can be stopped.
    ///
    /// # Errors
    /// An invalid partition, tables that are damaged or take too much time or memory, or a stopped
    /// call.
    pub fn open_solver(
        &self,
        goal: &Goal,
        tables: &Tables,
        control: &Control<Event>,
    ) -> Result<Arc<Opened>, Failure> {
        self.open_with(goal, tables, None, None, None, control)
    }

    /// The solver of a specification, without the tables of other goal cells. Calls with the same
    /// goal and the same `name` must have the same specification.
    ///
    /// # Errors
    /// As [`Self::open_solver`].
    #[cfg(feature = "lab")]
    pub(crate) fn open_spec(
        &self,
        goal: &Goal,
        name: &str,
        spec: HeuristicSpec,
        control: &Control<Event>,
    ) -> Result<Arc<Opened>, Failure> {
        let tables = Tables {
            metric: Some(spec.metric()),
            // No partition has this name.
            partition: Some(format!(": {name}")),
            ..Tables::default()
        };
        self.open_with(
            goal,
            &tables,
            Some(spec),
            None,
            Some(OtherGoals::Never),
            control,
        )
    }

    /// Checks that all tables of specifications together are within the limits.
    ///
    /// # Errors
    /// Tables that take too much time or memory.
    #[cfg(feature = "lab")]
    pub(crate) fn check_specs(&self, name: &str, specs: &[HeuristicSpec]) -> Result<(), Failure> {
        let named = Tables {
            partition: Some(name.to_owned()),
            ..Tables::default()
        };
        let checked = self
            .options(&named, None)
            .check(name, &HeuristicSpec::tables_of(specs));
        checked.map_err(|error| self.open_failure(error.into()))?;
        Ok(())
    }

    /// Opens a solver. Without `both_sides`, any open solver is sufficient, and a new one gets both
    /// sides if no other solver must be closed for them. `spec` replaces the specification of
    /// `tables`.
    pub(crate) fn open_with(
        &self,
        goal: &Goal,
        tables: &Tables,
        spec: Option<HeuristicSpec>,
        seconds: Option<Duration>,
        both_sides: Option<OtherGoals>,
        control: &Control<Event>,
    ) -> Result<Arc<Opened>, Failure> {
        let key = (goal.clone(), tables.clone());
        let least = both_sides.unwrap_or(OtherGoals::Never);
        if let Some(found) = self.open.find(&key, least) {
            return Ok(found);
        }
        let chosen = match spec {
            Some(spec) => (spec, None),
            None => self.choice(goal, tables, &self.options(tables, seconds))?,
        };
        // A solver without tables does not wait for builds.
        let mut turn = None;
        if !chosen.0.tables().is_empty() {
            turn = Some(self.open.turn(&control.cancel)?);
            if let Some(found) = self.open.find(&key, least) {
                return Ok(found);
            }
        }
        // Without a directory, all tables are given.
        let must_exist = seconds == Some(Duration::ZERO) && !has_directory(&self.sources);
        // A solver that is open for one side keeps its partition.
        let one_sided = self.open.find(&key, OtherGoals::Never);
        let (spec, reason) = match &one_sided {
            Some(opened) => (opened.solver.spec().clone(), opened.reason.clone()),
            None => chosen,
        };
        // Other calls may have opened tables before this call's turn.
        let options = self.options(tables, seconds);
        let most = self.limits.open_memory;
        let mut options = options.both_sides(both_sides.unwrap_or_default());
        let mut sizes = sizes_of(&spec, &options);
        if both_sides.is_none() && self.open.bytes_with(&sizes) > most {
            options = options.both_sides(OtherGoals::Never);
            sizes = sizes_of(&spec, &options);
        }
        let other_goals = options.both_sides;
        self.open.make_room(&sizes, most)?;
        let solver = if must_exist || one_sided.is_some() {
            // Given tables must not be for another purpose.
            for table in self.open.given().iter().filter(|_| must_exist) {
                place_of(&spec, table.id())?;
            }
            let options = options.control(Control::new(control.cancel.clone(), None));
            let mut solver = Solver::of_tables(goal.clone(), spec, &options.given)?;
            let opened = solver.open_other_goals(&options);
            opened.map_err(|error| self.open_failure(error))?;
            solver
        } else {
            let needed = spec.tables();
            let is_free = needed.is_empty();
            let open = |control: &Control<Event>| {
                let progress = control.clone();
                let listener = move |event: &OpenEvent| match event {
                    OpenEvent::Progress(now) if needed.contains(&now.id) => {
                        let (table, tables, done) = (now.number, now.tables, now.share());
                        let stage = "build";
                        let progress_of = TableProgress {
                            stage,
                            table,
                            tables,
                            done,
                        };
                        progress.report(&Event::Tables {
                            progress: progress_of,
                        });
                    }
                    #[cfg(feature = "file")]
                    OpenEvent::Kept(id) => progress.report(&Event::Stored {
                        file: file_name(id),
                    }),
                    event => {
                        if let Some(message) = event.warning() {
                            progress.report(&Event::Warning { message });
                        }
                    }
                };
                let opening = Control::new(control.cancel.clone(), Some(Arc::new(listener)));
                Solver::open(goal.clone(), spec, &options.control(opening))
            };
            let solver = match is_free {
                true => open(control),
                false => self.in_pool(control, open)?,
            };
            solver.map_err(|error| self.open_failure(error))?
        };
        let opened = Arc::new(Opened {
            tables: solver.tables(),
            solver,
            reason,
            // Tables of the other side can be missing then, and are built by a later call.
            other_goals: match must_exist {
                true => OtherGoals::Never,
                false => other_goals,
            },
            sizes,
        });
        self.open.keep(key, &opened, self.limits.solvers);
        drop(turn);
        Ok(opened)
    }

    fn open_failure(&self, error: OpenError) -> Failure {
        let code = error.code();
        match error {
            OpenError::Missing(missing) => {
                let cure = match self.spelling {
                    Spelling::Option => {
                        format!(
                            "give {} to build and store them",
                            self.spelling.name("build")
                        )
                    }
                    spelling => {
                        let option = spelling.name("max_build_time");
                        format!("choose smaller parts, or raise {option}")
                    }
                };
                Failure::new(code, format_args!("{missing}: {cure}"))
            }
            // Another file does not help if the system cannot read it.
            #[cfg(feature = "file")]
            OpenError::Damaged(error) if matches!(error.kind, FileErrorKind::Table(_)) => {
                let cure = "delete the file, or build it again with pdb-gen";
                Failure::damaged(format_args!("{error}; {cure}"))
            }
            #[cfg(feature = "file")]
            OpenError::Damaged(error) => Failure::damaged(error),
            OpenError::Cancelled => Failure::cancelled(),
            OpenError::TooLarge(error) => {
                let (needed, most) = (error.needed, self.limits.table_memory);
                let (name, free) = (error.name, pdb_table::size(error.free));
                let needs = pdb_table::size(needed);
                let cure = "choose smaller parts";
                let failure = Failure::new(
                    code,
                    format_args!(
                        "the tables of {name} need {needs} of memory, maximum {free}: {cure}"
                    ),
                );
                match most.is_some_and(|most| needed <= most) {
                    true => Failure {
                        cause: Cause::Shortage,
                        ..failure
                    },
                    false => failure,
                }
            }
            error => Failure::new(code, error),
        }
    }

    pub(crate) fn choose(&self, request: &Choose) -> Result<Response, Failure> {
        let goal = request.place.goal()?;
        self.check_cells(goal.tray())?;
        let tables = &request.tables;
        let options = self.options(tables, request.max_build_time);
        let (spec, reason) = self.choice(&goal, tables, &options)?;
        // Only memory is checked: the tables can be given instead of built.
        let unhurried = options.max_build_seconds(f64::MAX);
        let fits = unhurried.check(spec.name(), &spec.tables());
        fits.map_err(|error| self.open_failure(error.into()))?;
        let mut info = TablesInfo::new(&goal, &spec, reason);
        let others = unhurried.other_goals(&spec);
        let all = HeuristicSpec::tables_of([&spec].into_iter().chain(&others));
        info.other_files = all[info.files.len()..].iter().map(file_name).collect();
        Ok(Response::Tables(Box::new(info)))
    }

    pub(crate) fn open(
        &self,
        request: &Open,
        control: &Control<Event>,
    ) -> Result<Response, Failure> {
        let goal = request.place.goal()?;
        self.check_cells(goal.tray())?;
        let both_sides = Some(match request.both_sides {
            None => OtherGoals::Usual,
            Some(true) => OtherGoals::All,
            Some(false) => OtherGoals::Never,
        });
        let (tables, time) = (&request.tables, request.max_build_time);
        Ok(self.info(&*self.open_with(&goal, tables, None, time, both_sides, control)?))
    }

    fn info(&self, opened: &Opened) -> Response {
        Response::Tables(Box::new(self.describe(opened)))
    }

    fn describe(&self, opened: &Opened) -> TablesInfo {
        let (goal, spec) = (opened.solver.goal(), opened.solver.spec());
        let mut info = TablesInfo::new(goal, spec, opened.reason.clone());
        let patterns = spec.patterns();
        let patterns: Vec<_> = patterns
            .map(|(own, kind)| (own, own.table(kind).0))
            .collect();
        let describe = |table: &SharedTable| {
            let of_table = patterns.iter().filter(|(_, id)| *id == table.id());
            let numbers = |cells: puzzle::CellSet| cells.iter().map(|cell| goal.number_at(cell));
            let serves = of_table.map(|(pattern, _)| numbers(pattern.tiles()).collect());
            let serves: Vec<Vec<u16>> = serves.collect();
            let header = table.header();
            TableInfo {
                file: file_name(&table.id()),
                tiles: serves.first().cloned().unwrap_or_default(),
                serves,
                kind: header.id.kind().name(),
                encoding: header.encoding.name(),
                entries: header.entries,
                bytes: table.bytes().len(),
                max: header.histogram.max(),
                verified: self.open.level(table.id()),
            }
        };
        info.tables = opened.tables.iter().map(describe).collect();
        info
    }

    pub(crate) fn verify(
        &self,
        request: &Verify,
        control: &Control<Event>,
    ) -> Result<Response, Failure> {
        let goal = request.place.goal()?;
        let opened = self.open_solver(&goal, &request.tables, control)?;
        let tables = opened.tables.len();
        let entries = opened.tables.iter().map(|table| table.header().entries);
        let entries: u64 = entries.sum();
        let mut before = 0.0;
        for (number, table) in opened.tables.iter().enumerate() {
            let share = table.header().entries as f64 / entries.max(1) as f64;
            let check = |control: &Control<Event>| {
                let listener = control.clone();
                let listener = move |event: &BuildEvent| {
                    if let BuildEvent::Level(level) = event {
                        let done = level.found as f64 / level.entries.max(1) as f64;
                        let progress = TableProgress {
                            stage: "verify",
                            table: number,
                            tables,
                            done: (before + share * done).min(1.0),
                        };
                        listener.report(&Event::Tables { progress });
                    }
                };
                let checking = Control::new(control.cancel.clone(), Some(Arc::new(listener)));
                verify(table, &checking)
            };
            self.in_pool(control, check)?.map_err(|error| match error {
                VerifyError::Cancelled => Failure::cancelled(),
                error => {
                    let file = file_name(&table.id());
                    Failure::new(Code::Table, format_args!("{file}: {error}"))
                }
            })?;
            self.open.mark(table.id(), CheckLevel::Proved);
            before += share;
        }
        Ok(self.info(&opened))
    }
}

impl TablesInfo {
    fn new(goal: &Goal, spec: &HeuristicSpec, reason: Option<String>) -> TablesInfo {
        TablesInfo {
            goal: goal.board().into(),
            metric: spec.metric(),
            partition: spec.name().to_owned(),
            reason,
            files: spec.tables().iter().map(file_name).collect(),
            other_files: Vec::new(),
            tables: Vec::new(),
        }
    }
}

/// Tables are written to a directory only while its files need at most `most` bytes.
#[cfg(feature = "file")]
fn keep_within(most: u64, directory: TableDirectory) -> Keep {
    Keep::If(Arc::new(move |id| {
        let files = std::fs::read_dir(directory.path()).into_iter().flatten();
        let lengths = files.filter_map(|file| Some(file.ok()?.metadata().ok()?.len()));
        let store = TableStore::new(directory.clone());
        lengths.sum::<u64>() + store.forecast(id, &Calibration::UNIT).file <= most
    }))
}

/// The name of a table's file.
pub(crate) fn file_name(id: &TableId) -> String {
    id.name() + ".pdb"
}
