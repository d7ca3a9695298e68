//! Opens solvers. Their tables are read from a directory or from memory, or are built.

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

/// Options of a solver and the source of its tables. Set all bytes to zero, then set `struct_size`,
/// then the options: zero is the default of every option. NULL instead of the struct means the
/// defaults. Later versions may add members at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct stp_open_options {
    /// sizeof(stp_open_options), which tells the library the caller's version.
    pub struct_size: usize,
    /// The size, columns x rows, such as "4x4". NULL means the size of the goal if it is a board,
    /// else 4x4.
    pub size: *const c_char,
    /// The goal: "blank-last", "blank-first", "snail", "columns" or a board. NULL means "blank-last".
    pub goal: *const c_char,
    /// The metric: "single" (each move slides one tile) or "multi" (each move slides a run of
    /// tiles). NULL means "single".
    pub metric: *const c_char,
    /// The heuristic, such as "6-6-3", "best", "manhattan" for no tables, or lists of tiles. NULL
    /// means the default heuristic of the size. If the tables of the default are missing and take
    /// too long to build or need too much memory, the solver uses smaller tables or none.
    /// stp_solver_partition returns the choice, and stp_solver_info returns the reason for it.
    pub partition: *const c_char,
    /// The directory of the tables. It need not exist. Missing tables are built and stored there.
    /// If the directory cannot be written, the new tables are used from memory, and the next call
    /// builds them again. If NULL, tables are built in memory. Files are mapped, so they must not
    /// be truncated or overwritten while the solver is open; otherwise the system ends the process
    /// with SIGBUS. Replacing a file by a new one of the same name, as the library does, is safe.
    pub directory: *const c_char,
    /// Tables in memory, as the bytes of their files. The files may be packed or compressed with
    /// zstd. Missing tables are built in memory. The bytes are copied. NULL if there are no tables;
    /// must be NULL if a directory is set.
    pub tables: *const stp_bytes,
    /// Number of tables.
    pub table_count: usize,
    /// Maximum time to build missing tables, in seconds. If the estimated time is longer, the call
    /// fails with STP_TABLE. INFINITY means no limit. 0 means 2 s, or 4 s in the metric "multi"; if
    /// a partition is requested without a directory, 0 means no limit.
    pub max_build_time: f64,
    /// Maximum memory in bytes for building missing tables, and for reading each table of `tables`.
    /// 0 means the free memory of the system.
    pub max_memory: u64,
    /// Default number of threads of each call. 0 means the number of cores. Table builds use this
    /// number of threads, but at most one per core.
    pub threads: u32,
    /// If this is not 0 and enough memory is free, files of 8 MiB or more are loaded into memory
    /// rather than mapped. Loading takes about 0.1 s per GB and makes searches up to 28 % faster,
    /// so it pays off for many boards.
    pub load: i32,
    /// Token with which another thread can stop the call, or NULL. Must stay valid until the call
    /// returns.
    pub cancel: *const stp_cancel,
    /// Callback that receives the progress of builds, or NULL.
    pub on_build: stp_on_build,
    /// Passed to the callback.
    pub user_data: *mut c_void,
}

// SAFETY: numbers, pointers and optional functions are all valid as zeros, and the first member is
// `struct_size`.
unsafe impl Options for stp_open_options {
    const NAME: &'static str = "stp_open_options";
    const SMALLEST: usize = offset_of!(stp_open_options, user_data) + size_of::<*mut c_void>();
}

/// Opens a solver: finds its tables, or builds them. NULL options build the default tables for 4x4
/// in memory, in a tenth of a second.
///
/// The caller frees the solver with stp_solver_free; after a failure `*solver` is NULL. `options`
/// and everything that they point to are used only until the call returns; `error` may be NULL. May
/// be called from several threads at once. Threads and processes that open the same directory build
/// each table only once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stp_solver_open(
    options: *const stp_open_options,
    solver: *mut *mut stp_solver,
    error: *mut stp_error,
) -> stp_code {
    guarded!(error, {
        // SAFETY: the caller's pointers meet the header's requirements.
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
    /// `None` if the library chooses the partition.
    partition: Option<&'a str>,
    /// The caller's tables, as the bytes of their files.
    files: Vec<&'a [u8]>,
    options: OpenOptions,
    threads: usize,
    on_build: stp_on_build,
    user_data: UserData,
}

/// Reads the caller's options.
///
/// # Safety
/// As for [`options`]. Each pointer in the options is null or valid until the call returns.
unsafe fn read_request<'a>(given: *const stp_open_options) -> Result<OpenRequest<'a>, CallError> {
    // SAFETY: the caller promises that the options, and everything that they point to, are valid.
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
                    "directory and tables are both set: one of them must be NULL",
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
                // More threads than cores are not faster, and thousands take minutes to start.
                .threads(threads.min(number_of_threads(0)))
                .load_from((given.load != 0).then_some(OpenOptions::LOAD_FROM))
                .control(Control::stopped_by(&token_of_call(given.cancel))),
            threads,
            on_build: given.on_build,
            user_data: UserData(given.user_data),
        })
    }
}

/// Returns the caller's tables without copying them.
///
/// # Safety
/// `tables` has `count` elements. They, and the bytes to which they point, are valid until the call
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

/// A message to the calling thread from the threads that open tables.
enum OpenMessage {
    Progress(OpenProgress),
    Warning(String),
}

/// Sends an event to the listener without blocking. Blocking could cause a deadlock: the build can
/// hold the lock of a table while a callback that opens the same directory waits for that lock.
fn send(events: &Sender<OpenMessage>, event: &OpenEvent) {
    let message = match event {
        OpenEvent::Progress(progress) => Some(OpenMessage::Progress(*progress)),
        event => event.warning().map(OpenMessage::Warning),
    };
    // Sending fails once the call has stopped. The message is not needed then.
    let _ = message.map(|message| events.send(message));
}

impl OpenRequest<'_> {
    /// Opens a solver for the requested heuristic or, if none is requested, for the best candidate.
    /// Starts threads only to read or build tables.
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

    /// Reads the caller's tables from memory and checks all checksums.
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

    /// Passes the progress of the tables to the callback.
    fn hear(&self, progress: OpenProgress) {
        // A callback that has stopped the build receives no further progress.
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
        // SAFETY: the caller supplied this callback and `user_data`, and this is the thread of the
        // call.
        if unsafe { call(&raw const status, self.user_data.pointer()) } != 0 {
            self.cancel().cancel();
        }
    }
}

/// Converts the error of opening tables.
fn open_error(error: OpenError) -> CallError {
    match error {
        OpenError::Missing(missing) => CallError::table(format!(
            "{missing}: raise max_build_time, or build them with pdb-gen first"
        )),
        OpenError::TooLarge(error) => CallError::memory(error),
        // Rebuilding does not help if the system cannot read the file.
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
