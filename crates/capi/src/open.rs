//! Solvers: from a directory of tables, from tables in memory, or built.

use std::collections::HashMap;
use std::ffi::{CString, c_char, c_void};
use std::mem::offset_of;
use std::ptr::null_mut;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pdb_gen::{
    BuildError, BuildEvent, build, estimate_memory, estimate_seconds, free_memory, size,
};
use pdb_table::{
    Encoding, FileErrorKind, PackError, Packed, Table, TableDirectory, TableError, unpack_memory,
};
use puzzle::{Board, CellSet, Goal, HeuristicSpec, Metric, Ranking, TableId, Tray};
use serde::Serialize;
use solver::{
    Cancel, Control, OpenError, OpenEvent, OpenOptions, Solver, SolverError, TableBudget,
    TableChoice, number_of_threads,
};

use crate::callback::{UserData, pumped_in_pool, stp_build_status, stp_on_build};
use crate::cancel::{stp_cancel, token_of_call};
use crate::code::stp_code;
use crate::error::{Failure, guard, guard_quietly, stp_error};
use crate::input::{
    self, Options, Place, number, optional_text, options, pointee, stp_bytes, unless_zero,
};
use crate::text::{c_string, give, to_json};

/// The longest that missing tables may take to build, by estimate, where nothing is said; and in
/// the metric of runs, whose searches get nowhere without tables.
const MAX_BUILD_SECONDS: f64 = 2.0;
const MAX_MULTI_BUILD_SECONDS: f64 = 4.0;
/// Files of this size are loaded where that is asked for. Smaller tables are found in the
/// processor's caches, and so are their pages.
const LOAD_FROM: u64 = 8 << 20;

/// A goal and its tables, ready to solve boards.
#[derive(Debug)]
pub struct stp_solver {
    pub(crate) solver: Solver,
    /// The name of its tables, for C.
    partition: CString,
    /// Lines for the user: tables that could not be kept.
    warnings: Vec<String>,
    /// Threads of calls that do not say how many.
    pub(crate) threads: usize,
}

/// What a solver is for, and where its tables come from. Set all bytes to zero, then `struct_size`,
/// then what is wanted: zero means the default everywhere. NULL instead of the options is the same
/// as zeros. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_open_options {
    /// sizeof(stp_open_options), by which the library knows what the caller was compiled with.
    pub struct_size: usize,
    /// The size, columns x rows, such as "4x4"; NULL: that of the goal where that is a board, else
    /// 4x4.
    pub size: *const c_char,
    /// The goal: "blank-last", "blank-first" or a board; NULL: "blank-last".
    pub goal: *const c_char,
    /// What counts as a move: "single", one tile by one cell, or "multi", a run of tiles; NULL:
    /// "single".
    pub metric: *const c_char,
    /// The heuristic, such as "6-6-3", "best", "manhattan" for none, or lists of tiles. NULL: the
    /// usual one of the size; where its tables are missing and take long to build, one of smaller
    /// parts, and where these do too, none. stp_solver_partition tells which.
    pub partition: *const c_char,
    /// The directory of the tables, which need not exist. Tables that are missing are built and
    /// kept there; where it cannot be written they are used from memory, and the next call builds
    /// them again. NULL: they are built in memory. Files are mapped: as long as the solver is open
    /// they must not be cut or overwritten, for which the system ends the process by SIGBUS
    /// (replacing a file by a new one of its name, as the library does, is no harm).
    pub directory: *const c_char,
    /// Tables in memory, as the bytes of their files, packed or not; those that are missing are
    /// built in memory. They are copied. NULL if there are none; not together with a directory.
    pub tables: *const stp_bytes,
    /// How many tables there are.
    pub table_count: usize,
    /// The longest that missing tables may take to build, in seconds by estimate, before the call
    /// fails with STP_TABLE; INFINITY: as long as it takes. 0: 2 s, and 4 s in the metric "multi";
    /// no limit where a partition is asked for and there is no directory.
    pub max_build_time: f64,
    /// Bytes of memory that the tables may take while they are built; 0: what the system has free.
    pub max_memory: u64,
    /// Threads of calls that do not say how many, and those that build tables, which are never more
    /// than there are cores; 0: as many as there are cores.
    pub threads: u32,
    /// Not 0: files of 8 MiB or more are loaded where memory suffices, not mapped. That takes some
    /// 0.1 s a GB and makes searches up to 28 % faster: it is for many boards.
    pub load: i32,
    /// Stops the call from another thread, or NULL. Must stay valid until the call returns.
    pub cancel: *const stp_cancel,
    /// Hears how far tables are that are being built, or NULL.
    pub on_build: stp_on_build,
    /// Is passed to the callback.
    pub user_data: *mut c_void,
}

// SAFETY: numbers, pointers and optional functions are all valid as zeros, and the first member is
// the size.
unsafe impl Options for stp_open_options {
    const NAME: &'static str = "stp_open_options";
    const SMALLEST: usize = offset_of!(stp_open_options, user_data) + size_of::<*mut c_void>();
}

/// Opens a solver: finds its tables, or builds them. With NULL for the options the usual tables for
/// 4x4 are built in memory, in a tenth of a second.
///
/// The caller frees the solver by stp_solver_free; after a failure `*solver` is NULL. `options` and
/// all that they point to are used until the call returns, and not later; `error` may be NULL. May
/// be called from several threads at once, and by several processes for one directory: a table is
/// built once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_open(
    options: *const stp_open_options,
    solver: *mut *mut stp_solver,
    error: *mut stp_error,
) -> stp_code {
    let call = || {
        // SAFETY: the caller passes what the header asks for.
        let (solver, given) = unsafe {
            (
                Place::new(solver, null_mut(), "solver")?,
                input_of(options)?,
            )
        };
        let opened = Box::new(given.open()?);
        if given.cancel.is_cancelled() {
            return Err(Failure::cancelled());
        }
        solver.put(Box::into_raw(opened));
        Ok(())
    };
    // SAFETY: the caller promises it of `error`.
    unsafe { guard(error, call) }
}

/// Frees a solver; does nothing with NULL.
///
/// No other call may use the solver at the same time or later. Reports stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_free(solver: *mut stp_solver) {
    if !solver.is_null() {
        // SAFETY: the caller passes what `stp_solver_open` has made, once.
        guard_quietly(|| drop(unsafe { Box::from_raw(solver) }));
    }
}

/// The name of the solver's partition, such as "6-6-3". NULL for NULL.
///
/// The text belongs to the solver and is valid as long as that is. May be called from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_partition(solver: *const stp_solver) -> *const c_char {
    // SAFETY: the caller passes NULL or a solver that is not freed.
    let solver = unsafe { solver.as_ref() };
    solver.map_or(std::ptr::null(), |solver| solver.partition.as_ptr())
}

/// What a solver is made of, as JSON: `size`, `goal`, `metric`, `partition`, `threads`, and
/// `tables`, an array of objects with `table`, `kind`, `entries` and `tiles` (the numbers on the
/// tiles of each pattern that it serves). Where tables could not be kept in the directory, so that
/// the next call builds them again, `warnings` is an array of texts that say why.
///
/// The caller frees the text by stp_string_free; after a failure `*json` is NULL. `error` may be
/// NULL. May be called from several threads at once with one solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_info(
    solver: *const stp_solver,
    json: *mut *mut c_char,
    error: *mut stp_error,
) -> stp_code {
    let call = || {
        // SAFETY: the caller passes what the header asks for.
        let (json, solver) = unsafe {
            (
                Place::new(json, null_mut(), "json")?,
                pointee(solver, "solver")?,
            )
        };
        give(json, solver.info()?);
        Ok(())
    };
    // SAFETY: the caller promises it of `error`.
    unsafe { guard(error, call) }
}

impl stp_solver {
    /// Reads a board of the solver's size.
    ///
    /// # Safety
    /// `board` is null or a text that ends with a NUL.
    pub(crate) unsafe fn board(&self, board: *const c_char) -> Result<Board, Failure> {
        // SAFETY: the caller promises it.
        let text = unsafe { input::text(board, "board") }?;
        self.read(text)
    }

    pub(crate) fn read(&self, board: &str) -> Result<Board, Failure> {
        Board::parse(board, Some(self.solver.goal().tray())).map_err(Failure::input)
    }

    fn info(&self) -> Result<String, Failure> {
        let goal = self.solver.goal();
        let spec = self.solver.spec();
        let tables = spec.tables().into_iter().map(|id| {
            let served = spec.patterns();
            let served = served.filter(|(pattern, kind)| pattern.table(*kind).0 == id);
            let numbers = |cells: CellSet| cells.iter().map(|cell| goal.number_at(cell)).collect();
            TableInfo {
                table: id.name(),
                kind: id.kind().name(),
                entries: entries(id),
                tiles: served
                    .map(|(pattern, _)| numbers(pattern.tiles()))
                    .collect(),
            }
        });
        to_json(&Info {
            size: goal.tray().to_string(),
            goal: goal.board().to_string(),
            metric: self.solver.metric().name(),
            partition: spec.name(),
            threads: self.threads,
            tables: tables.collect(),
            warnings: &self.warnings,
        })
    }
}

/// What a solver is made of.
#[derive(Serialize)]
struct Info<'a> {
    size: String,
    goal: String,
    metric: &'static str,
    partition: &'a str,
    threads: usize,
    tables: Vec<TableInfo>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
}

#[derive(Serialize)]
struct TableInfo {
    table: String,
    kind: &'static str,
    entries: u64,
    tiles: Vec<Vec<u16>>,
}

fn entries(id: TableId) -> u64 {
    id.entries()
}

/// Reads a goal, by default with the blank last.
pub(crate) fn read_goal(goal: Option<&str>, size: Option<Tray>) -> Result<Goal, Failure> {
    let goal = Goal::parse(goal.unwrap_or("blank-last"), size);
    goal.map_err(|error| Failure::input(format!("goal: {error}")))
}

/// Reads a size, if there is one.
pub(crate) fn read_size(size: Option<&str>) -> Result<Option<Tray>, Failure> {
    size.map(|size| size.parse().map_err(Failure::input))
        .transpose()
}

/// What a caller wants to be opened.
struct Wanted {
    goal: Goal,
    metric: Metric,
    /// `None` where the library chooses.
    partition: Option<String>,
    source: Source,
    max_build_time: Option<f64>,
    max_memory: Option<u64>,
    threads: usize,
    load: bool,
    cancel: Cancel,
    on_build: stp_on_build,
    user_data: UserData,
    /// Those of the solver that is being opened.
    warnings: Arc<Mutex<Vec<String>>>,
}

/// Where tables come from.
enum Source {
    Directory(String),
    Memory(HashMap<TableId, SharedTable>),
}

impl Source {
    /// The encoding of a table that is there.
    fn encoding_of(&self, id: TableId) -> Option<Encoding> {
        match self {
            Source::Directory(path) => {
                let (encoding, _) = TableDirectory::new(path).file_of(id)?;
                Some(encoding)
            }
            Source::Memory(tables) => Some(tables.get(&id)?.header().encoding),
        }
    }
}

/// A table in memory, of which several tries to open a solver may make use.
type SharedTable = Table<SharedBytes>;

#[derive(Clone, Debug)]
struct SharedBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Why a solver with these tables was not opened.
enum Refused {
    /// Tables are missing and take so many seconds to build, which is too long.
    TooLong(f64),
    /// They need more memory than there is.
    TooLarge(Failure),
    Failed(Failure),
}

impl From<SolverError> for Refused {
    fn from(error: SolverError) -> Refused {
        Refused::Failed(match error {
            SolverError::Build(BuildError::Cancelled { .. }) => Failure::cancelled(),
            SolverError::Table(error) => Failure::table(error),
            error => Failure::input(error),
        })
    }
}

/// Reads the caller's options.
///
/// # Safety
/// As for [`options`], and all that they point to is there until the call returns.
unsafe fn input_of(given: *const stp_open_options) -> Result<Wanted, Failure> {
    // SAFETY: the caller promises it.
    unsafe {
        let given = options(given)?;
        let size = read_size(optional_text(given.size, "size")?)?;
        let metric = match optional_text(given.metric, "metric")? {
            Some(name) => name.parse().map_err(Failure::input)?,
            None => Metric::Single,
        };
        let goal = read_goal(optional_text(given.goal, "goal")?, size)?;
        let cancel = token_of_call(given.cancel);
        let max_build_time = number(given.max_build_time, "max_build_time")?;
        let threads = input::threads(given.threads, || number_of_threads(0))?;
        if cancel.is_cancelled() {
            return Err(Failure::cancelled());
        }
        let max_memory = unless_zero(given.max_memory).or_else(free_memory);
        let source = match optional_text(given.directory, "directory")? {
            Some("") => {
                return Err(Failure::input(
                    "directory is empty: expected a path, or NULL for tables in memory",
                ));
            }
            Some(_) if given.table_count > 0 => {
                return Err(Failure::input(
                    "there are a directory and tables in memory: leave one of them NULL",
                ));
            }
            Some(directory) => Source::Directory(directory.to_owned()),
            None => {
                let most = max_memory.unwrap_or(u64::MAX);
                Source::Memory(tables_of(given.tables, given.table_count, most, &cancel)?)
            }
        };
        Ok(Wanted {
            goal,
            metric,
            partition: optional_text(given.partition, "partition")?.map(str::to_owned),
            source,
            max_build_time: (max_build_time > 0.0).then_some(max_build_time),
            max_memory,
            threads,
            load: given.load != 0,
            cancel,
            on_build: given.on_build,
            user_data: UserData::new(given.user_data),
            warnings: Arc::default(),
        })
    }
}

/// Reads tables from the caller's memory, and checks every sum.
///
/// # Safety
/// `tables` has `count` elements, each of which has as many bytes as it says.
unsafe fn tables_of(
    tables: *const stp_bytes,
    count: usize,
    max_memory: u64,
    cancel: &Cancel,
) -> Result<HashMap<TableId, SharedTable>, Failure> {
    let mut read = HashMap::new();
    if count > 0 && tables.is_null() {
        return Err(Failure::input(format!(
            "tables is NULL: expected {count} of them"
        )));
    }
    for number in 0..count {
        // SAFETY: the caller promises that there are so many.
        let stp_bytes { data, length } = unsafe { tables.add(number).read() };
        if data.is_null() || isize::try_from(length).is_err() {
            return Err(Failure::input(format!("table {number} has no bytes")));
        }
        // SAFETY: the caller promises that there are so many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(data, length) };
        let table = read_table(bytes, max_memory, cancel).map_err(|failure| Failure {
            message: format!("table {number}: {}", failure.message),
            ..failure
        })?;
        // A table whose check was cancelled may be damaged.
        if cancel.is_cancelled() {
            return Err(Failure::cancelled());
        }
        read.insert(table.id(), table);
    }
    Ok(read)
}

/// Reads the bytes of a table's file, packed or not.
fn read_table(bytes: &[u8], max_memory: u64, cancel: &Cancel) -> Result<SharedTable, Failure> {
    const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    let table = if Packed::is_packed(bytes) {
        let packed = Packed::new(bytes, bytes.len() as u64).map_err(Failure::table)?;
        let needed = unpack_memory(&packed, 1);
        if needed > max_memory {
            return Err(too_large("unpack", needed, max_memory));
        }
        packed
            .unpack(bytes, &(), cancel)
            .map_err(|error| match error {
                PackError::Cancelled => Failure::cancelled(),
                error => Failure::table(error),
            })?
    } else if bytes.starts_with(&ZSTD) {
        return Err(Failure::table(
            "compressed by zstd, which is read from directories only: give the bytes uncompressed, \
             or packed by pdb-gen pack",
        ));
    } else {
        Table::new(bytes.to_vec()).map_err(|error: TableError| Failure::table(error))?
    };
    table
        .check_entries()
        .and_then(|()| table.check_payload_unless(cancel))
        .map_err(Failure::table)?;
    Ok(shared(table))
}

fn shared(table: Table<Vec<u8>>) -> SharedTable {
    table.map_data(|bytes| SharedBytes(Arc::new(bytes)))
}

fn too_large(verb: &str, needed: u64, free: u64) -> Failure {
    Failure::memory(format!(
        "the tables need {} of memory to {verb}, and {} are free: choose smaller parts, or make \
         memory free",
        size(needed),
        size(free)
    ))
}

impl Wanted {
    /// Opens the solver that is asked for, or the best of those that come into question.
    fn open(&self) -> Result<stp_solver, Failure> {
        let builder = HeuristicSpec::builder(&self.goal).metric(self.metric);
        let spec = match &self.partition {
            Some(name) => builder.parse(name).map_err(Failure::input)?,
            None => {
                let budget = TableBudget {
                    max_seconds: self.max_seconds(),
                    max_memory: self.max_memory,
                    max_bytes: None,
                    threads: self.build_threads(),
                    there: &|id| self.source.encoding_of(id),
                };
                let choice = TableChoice::of(&builder, &budget);
                choice.map_err(Failure::input)?.spec
            }
        };
        let opened = self.try_open(spec);
        opened.map_err(|refused| self.explain(refused))
    }

    fn explain(&self, refused: Refused) -> Failure {
        match refused {
            Refused::TooLong(seconds) => Failure::table(format!(
                "tables are missing and take about {seconds:.0} s to build: allow it by \
                 max_build_time, or build them before with pdb-gen"
            )),
            Refused::TooLarge(failure) | Refused::Failed(failure) => failure,
        }
    }

    fn try_open(&self, spec: HeuristicSpec) -> Result<stp_solver, Refused> {
        let ids = spec.tables();
        let opened = if ids.is_empty() {
            Solver::build(self.goal.clone(), spec)?
        } else {
            let heard = BuildListener::new(&ids, self);
            // Tables are built in threads of this call, and what they report is heard on this one.
            pumped_in_pool(
                self.build_threads(),
                |events| match &self.source {
                    Source::Directory(directory) => self.open_directory(directory, spec, events),
                    Source::Memory(tables) => self.open_in_memory(tables, spec, events),
                },
                |event| heard.hear(event),
            )
            .map_err(Refused::Failed)??
        };
        Ok(stp_solver {
            partition: c_string(opened.spec().name()),
            solver: opened,
            warnings: std::mem::take(&mut *lock(&self.warnings)),
            threads: self.threads,
        })
    }

    /// Threads that build tables: more than there are cores make nothing faster, and thousands of
    /// them take minutes to start.
    fn build_threads(&self) -> usize {
        self.threads.min(number_of_threads(0))
    }

    /// The longest that tables may take to build.
    fn max_seconds(&self) -> f64 {
        let in_memory = matches!(self.source, Source::Memory(_));
        let usual = match self.metric {
            _ if in_memory && self.partition.is_some() => f64::INFINITY,
            Metric::Single => MAX_BUILD_SECONDS,
            Metric::Multi => MAX_MULTI_BUILD_SECONDS,
        };
        self.max_build_time.unwrap_or(usual)
    }

    fn open_directory(
        &self,
        directory: &str,
        spec: HeuristicSpec,
        events: Sender<Built>,
    ) -> Result<Solver, Refused> {
        let warnings = Arc::clone(&self.warnings);
        let listener = move |event: &OpenEvent| {
            if let OpenEvent::Building(id, event) = event {
                send(&events, *id, event);
            }
            lock(&warnings).extend(event.warning());
        };
        let options = OpenOptions::new(directory)
            .max_build_seconds(self.max_seconds())
            .max_memory(self.max_memory)
            .threads(self.build_threads())
            .load_from(self.load.then_some(LOAD_FROM))
            .control(Control::new(self.cancel.clone(), Some(Arc::new(listener))));
        Solver::open(self.goal.clone(), spec, &options).map_err(|error| match error {
            OpenError::Missing(missing) => Refused::TooLong(missing.seconds),
            OpenError::TooLarge(error) => Refused::TooLarge(Failure::memory(error)),
            // What the system does not let be read is not mended by building it again.
            OpenError::Damaged(error) => Refused::Failed(Failure::table(match error.kind {
                FileErrorKind::Io(_) => error.to_string(),
                _ => format!("{error}; delete the file, or build it again with pdb-gen"),
            })),
            OpenError::Solver(error) => error.into(),
            error => Refused::Failed(Failure::table(error)),
        })
    }

    fn open_in_memory(
        &self,
        tables: &HashMap<TableId, SharedTable>,
        spec: HeuristicSpec,
        events: Sender<Built>,
    ) -> Result<Solver, Refused> {
        let missing = spec.tables().into_iter();
        let missing: Vec<TableId> = missing.filter(|id| !tables.contains_key(id)).collect();
        let seconds = missing
            .iter()
            .map(|&id| estimate_seconds(id, self.build_threads()));
        let seconds: f64 = seconds.sum();
        if seconds > self.max_seconds() {
            return Err(Refused::TooLong(seconds));
        }
        let memory = |id: &TableId| estimate_memory(*id, Encoding::default_for(id.kind()));
        let needed: u64 = missing.iter().map(memory).sum();
        let free = self.max_memory.unwrap_or(u64::MAX);
        if needed > free {
            return Err(Refused::TooLarge(too_large("build", needed, free)));
        }
        Solver::with_tables(self.goal.clone(), spec, |id| {
            if let Some(table) = tables.get(&id) {
                return Ok(table.clone());
            }
            let events = events.clone();
            let listener = move |event: &BuildEvent| send(&events, id, event);
            let control = Control::new(self.cancel.clone(), Some(Arc::new(listener)));
            let built = build(id, Encoding::default_for(id.kind()), &control);
            let built = built.map_err(SolverError::Build)?;
            Ok::<_, Refused>(shared(built.into_table()))
        })
    }
}

/// A panic leaves the lines whole.
fn lock(lines: &Mutex<Vec<String>>) -> MutexGuard<'_, Vec<String>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How far a table is: its share of entries found.
struct Built {
    id: TableId,
    share: f64,
}

/// Reports from any of the build's threads. After the call is stopped nobody needs to hear them.
///
/// This never waits: the build may hold a table's lock, for which a listener that opens the same
/// directory waits.
fn send(events: &Sender<Built>, id: TableId, event: &BuildEvent) {
    if let BuildEvent::Level(level) = event {
        let share = level.found as f64 / level.entries.max(1) as f64;
        let _ = events.send(Built { id, share });
    }
}

/// Whom a build reports to.
struct BuildListener<'a> {
    tables: Vec<(TableId, CString, f64)>,
    wanted: &'a Wanted,
}

impl BuildListener<'_> {
    fn new<'a>(ids: &[TableId], wanted: &'a Wanted) -> BuildListener<'a> {
        let total: u64 = ids.iter().map(|&id| entries(id)).sum();
        let share = |id| entries(id) as f64 / total.max(1) as f64;
        let tables = ids.iter().map(|&id| (id, c_string(id.name()), share(id)));
        BuildListener {
            tables: tables.collect(),
            wanted,
        }
    }

    fn hear(&self, event: Built) {
        let number = self.tables.iter().position(|(id, ..)| *id == event.id);
        let (Some(call), Some(number)) = (self.wanted.on_build, number) else {
            return;
        };
        // Nothing is heard after the callback has stopped the build.
        if self.wanted.cancel.is_cancelled() {
            return;
        }
        let before: f64 = self.tables[..number].iter().map(|(.., share)| share).sum();
        let (_, name, share) = &self.tables[number];
        let status = stp_build_status {
            table: name.as_ptr(),
            number: number as u32,
            tables: self.tables.len() as u32,
            done: (before + share * event.share).clamp(0.0, 1.0),
        };
        // SAFETY: the caller has passed a function of this type with its data, and this is the
        // thread of the call.
        if unsafe { call(&raw const status, self.wanted.user_data.pointer()) } != 0 {
            self.wanted.cancel.cancel();
        }
    }
}
