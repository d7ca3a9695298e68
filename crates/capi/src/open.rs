//! Opening solvers: tables from a directory, from memory, or built.

use std::ffi::{c_char, c_void};
use std::mem::offset_of;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use pdb_gen::{RayonExecutor, free_memory};
use pdb_table::{FileErrorKind, ReadError, TableReader};
use puzzle::{Goal, HeuristicSpec, Metric};
use solver::{
    Cancel, Control, OpenError, OpenEvent, OpenOptions, OpenProgress, SharedTable, Solver,
    SolverError, number_of_threads,
};

use crate::callback::{UserData, pumped_in_pool, stp_build_status, stp_on_build};
use crate::cancel::{stp_cancel, token_of_call};
use crate::code::stp_code;
use crate::error::{CallError, guarded, stp_error};
use crate::input::{Options, Place, array, optional_text, options, stp_bytes};
use crate::solver::stp_solver;
use crate::text::c_string;
use crate::values::{number, read_goal, read_size, threads, unless_zero};

/// Purpose of a solver, and the source of its tables. Set all bytes to zero, then `struct_size`,
/// then the options: zero means the default everywhere. NULL instead of the options is the same
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
    /// The metric: "single", one tile by one cell, or "multi", a run of tiles; NULL:
    /// "single".
    pub metric: *const c_char,
    /// The heuristic, such as "6-6-3", "best", "manhattan" for none, or lists of tiles. NULL: the
    /// usual one of the size; where its tables are missing and take long to build, or more memory
    /// than there is, one of smaller parts, and where these do too, none. stp_solver_partition
    /// tells which, and stp_solver_info why.
    pub partition: *const c_char,
    /// The directory of the tables, which need not exist. Tables that are missing are built and
    /// kept there; where it cannot be written they are used from memory, and the next call builds
    /// them again. NULL: they are built in memory. Files are mapped: as long as the solver is open
    /// they must not be cut or overwritten, for which the system ends the process by SIGBUS
    /// (replacing a file by a new one of its name, as the library does, is no harm).
    pub directory: *const c_char,
    /// Tables in memory, as the bytes of their files, which may be packed or compressed by zstd;
    /// those that are missing are built in memory. They are copied. NULL if there are none; not
    /// together with a directory.
    pub tables: *const stp_bytes,
    /// Number of tables.
    pub table_count: usize,
    /// The longest that missing tables may take to build, in seconds by estimate, before the call
    /// fails with STP_TABLE; INFINITY: as long as it takes. 0: 2 s, and 4 s in the metric "multi";
    /// no limit where a partition is asked for and there is no directory.
    pub max_build_time: f64,
    /// Bytes of memory that the tables may take while they are built, and each table in memory
    /// while it is read; 0: what the system has free.
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
    guarded!(error, {
        // SAFETY: the caller passes what the header asks for.
        let (solver, request) = unsafe {
            let solver = Place::new(solver, null_mut(), "solver")?;
            (solver, read_request(options)?)
        };
        solver.put(Box::into_raw(Box::new(request.open()?)));
    })
}

/// The tables and options to open.
struct OpenRequest<'a> {
    goal: Goal,
    metric: Metric,
    /// `None` where the library chooses.
    partition: Option<&'a str>,
    /// Files of tables in memory.
    files: Vec<&'a [u8]>,
    options: OpenOptions,
    threads: usize,
    on_build: stp_on_build,
    user_data: UserData,
}

/// Reads the caller's options.
///
/// # Safety
/// As for [`options`], and all that they point to is there until the call returns.
unsafe fn read_request<'a>(given: *const stp_open_options) -> Result<OpenRequest<'a>, CallError> {
    // SAFETY: the caller promises it.
    unsafe {
        let given = options(given)?;
        let size = read_size(optional_text(given.size, "size")?)?;
        let metric = match optional_text(given.metric, "metric")? {
            Some(name) => name.parse().map_err(CallError::input)?,
            None => Metric::Single,
        };
        let partition = optional_text(given.partition, "partition")?;
        let options = match optional_text(given.directory, "directory")? {
            Some("") => {
                return Err(CallError::input(
                    "directory is empty: expected a path, or NULL for tables in memory",
                ));
            }
            Some(_) if given.table_count > 0 => {
                return Err(CallError::input(
                    "there are a directory and tables in memory: leave one of them NULL",
                ));
            }
            Some(directory) => OpenOptions::new(directory),
            None => OpenOptions::in_memory(),
        };
        let usual = match partition {
            Some(_) if given.directory.is_null() => f64::INFINITY,
            _ => OpenOptions::usual_seconds(metric),
        };
        let max_build_time = match number(given.max_build_time, "max_build_time")? {
            0.0 => usual,
            seconds => seconds,
        };
        let threads = threads(given.threads, || number_of_threads(0))?;
        Ok(OpenRequest {
            goal: read_goal(optional_text(given.goal, "goal")?, size)?,
            metric,
            partition,
            files: files_of(given.tables, given.table_count)?,
            options: options
                .max_build_seconds(max_build_time)
                .max_memory(unless_zero(given.max_memory).or_else(free_memory))
                // More than there are cores make nothing faster, and thousands take minutes to
                // start.
                .threads(threads.min(number_of_threads(0)))
                .load_from((given.load != 0).then_some(OpenOptions::LOAD_FROM))
                .control(Control::stopped_by(&token_of_call(given.cancel))),
            threads,
            on_build: given.on_build,
            user_data: UserData(given.user_data),
        })
    }
}

/// The caller's tables, which are not copied here.
///
/// # Safety
/// `tables` has `count` elements, each of which has as many bytes as it says, until the call
/// returns.
unsafe fn files_of<'a>(tables: *const stp_bytes, count: usize) -> Result<Vec<&'a [u8]>, CallError> {
    // SAFETY: the caller promises this number of elements.
    let tables = unsafe { array(tables, count, "tables") }?;
    let bytes = tables.iter().enumerate().map(|(number, bytes)| {
        if bytes.data.is_null() || isize::try_from(bytes.length).is_err() {
            return Err(CallError::input(format!("table {number} has no bytes")));
        }
        // SAFETY: the caller promises this number of bytes.
        Ok(unsafe { std::slice::from_raw_parts(bytes.data, bytes.length) })
    });
    bytes.collect()
}

/// A message of the threads that open tables to the thread of the call.
enum OpenMessage {
    Progress(OpenProgress),
    Warning(String),
}

/// Sends what there is to hear. It never waits: the build may hold a table's lock, for which a
/// callback that opens the same directory waits.
fn send(events: &Sender<OpenMessage>, event: &OpenEvent) {
    let message = match event {
        OpenEvent::Progress(progress) => Some(OpenMessage::Progress(*progress)),
        event => event.warning().map(OpenMessage::Warning),
    };
    // After the call is stopped no listener needs the message.
    let _ = message.map(|message| events.send(message));
}

impl OpenRequest<'_> {
    /// Opens the solver that is asked for, or the best of those that come into question. Threads
    /// are started only where there are tables.
    fn open(mut self) -> Result<stp_solver, CallError> {
        if !self.files.is_empty() {
            let read = |_: Sender<()>| self.read_tables();
            self.options.given = pumped_in_pool(self.options.budget.threads, read, |()| ())??;
        }
        let builder = HeuristicSpec::builder(&self.goal).metric(self.metric);
        let choice = self.options.choose(&builder, self.partition);
        let choice = choice.map_err(CallError::input)?;
        let (reason, spec) = (choice.reason(), choice.spec);
        let mut warnings = Vec::new();
        let opened = if spec.tables().is_empty() {
            Solver::open(self.goal.clone(), spec, &self.options)
        } else {
            let work = |events| {
                let listener = move |event: &OpenEvent| send(&events, event);
                let control = Control::new(self.cancel().clone(), Some(Arc::new(listener)));
                let options = self.options.clone().control(control);
                Solver::open(self.goal.clone(), spec, &options)
            };
            pumped_in_pool(self.options.budget.threads, work, |news| match news {
                OpenMessage::Progress(progress) => self.hear(progress),
                OpenMessage::Warning(line) => warnings.push(line),
            })?
        };
        let solver = opened.map_err(open_error)?;
        if self.cancel().is_cancelled() {
            return Err(CallError::cancelled());
        }
        Ok(stp_solver {
            partition: c_string(solver.spec().name()),
            solver,
            threads: self.threads,
            warnings,
            reason,
        })
    }

    fn cancel(&self) -> &Cancel {
        &self.options.control.cancel
    }

    /// Reads the tables in memory and checks every sum.
    fn read_tables(&self) -> Result<Vec<SharedTable>, CallError> {
        let read = |bytes: &[u8]| {
            let memory = self.options.budget.max_memory;
            TableReader::new(bytes)?.read(memory, &RayonExecutor, self.cancel())
        };
        let tables = self.files.iter().enumerate().map(|(number, bytes)| {
            read(bytes).map_err(|error| match error {
                ReadError::Cancelled => CallError::cancelled(),
                ReadError::TooLarge { .. } => CallError::memory(format!("table {number}: {error}")),
                error => CallError::table(format!("table {number}: {error}")),
            })
        });
        tables.collect()
    }

    /// Tells the callback how far tables are.
    fn hear(&self, progress: OpenProgress) {
        // Nothing is heard after the callback has stopped the build.
        let Some(call) = self.on_build.filter(|_| !self.cancel().is_cancelled()) else {
            return;
        };
        let table = c_string(progress.id.name());
        let status = stp_build_status {
            table: table.as_ptr(),
            number: progress.number as u32,
            tables: progress.tables as u32,
            done: progress.share(),
        };
        // SAFETY: the caller has passed a function of this type with its data, and this is the
        // thread of the call.
        if unsafe { call(&raw const status, self.user_data.pointer()) } != 0 {
            self.cancel().cancel();
        }
    }
}

/// Why tables were not opened.
fn open_error(error: OpenError) -> CallError {
    match error {
        OpenError::Missing(missing) => CallError::table(format!(
            "{missing}: allow it by max_build_time, or build them before with pdb-gen"
        )),
        OpenError::TooLarge(error) => CallError::memory(error),
        // A file that the system cannot read is not repaired by building it again.
        OpenError::Damaged(error) if matches!(error.kind, FileErrorKind::Io(_)) => {
            CallError::table(error)
        }
        OpenError::Damaged(error) => CallError::table(format!(
            "{error}; delete the file, or build it again with pdb-gen"
        )),
        OpenError::Cancelled => CallError::cancelled(),
        OpenError::Solver(SolverError::Table(error)) => CallError::table(error),
        OpenError::Solver(error) => CallError::input(error),
        error => CallError::table(error),
    }
}
