//! Building, verifying, packing and unpacking tables by partition, file or directory.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_gen::{RayonExecutor, TableStore, TooLarge, VerifyError, free_memory};
use pdb_table::bundle::{Bundle, BundleWriter, Manifest};
use pdb_table::{
    AtomicFile, Compression, Encoding, Header, PackMethod, TableDirectory, TableError, TableFile,
    TableReader, decode_one_bit, pack_memory, size,
};
use puzzle::TableId;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use session::{Cancel, Code, Control, Failure};
use solver::{BuildEvent, SharedTable, number_of_threads};

use crate::error::CallError;
use crate::job::{Job, PyCancel, Work, on_threads};
use crate::lookup::TableView;
use crate::session::{PyOpened, PySession, read_open};
use crate::table::{PyTable, path_object};
use crate::value::named;

/// Compression level of files, as for `pdb-gen --compress`.
pub(crate) const ZSTD_LEVEL: i32 = 9;

/// Rejects work that would run out of memory.
fn check_memory(what: &str, verb: &str, needed: u64) -> Result<(), CallError> {
    match free_memory().filter(|&free| needed > free) {
        None => Ok(()),
        Some(free) => {
            let (needed, free) = (size(needed), size(free));
            let message = format!(
                "{what} needs about {needed} of memory to {verb}, {free} are free: choose smaller \
                 parts, or free some memory"
            );
            Err(CallError::new(Code::Memory, message))
        }
    }
}

/// Builds a table in memory, if it fits.
pub(crate) fn build_table(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
) -> Result<SharedTable, CallError> {
    TooLarge::check(id, encoding, free_memory())?;
    let built = pdb_gen::build(id, encoding, control)?;
    Ok(built.into_table().shared())
}

/// Reads a table from the bytes of a table file or of a packed table. All checksums are checked.
pub(crate) fn table_of_bytes<'a>(
    bytes: impl Into<Cow<'a, [u8]>>,
    cancel: &Cancel,
) -> Result<SharedTable, CallError> {
    Ok(TableReader::new(bytes)?.read(free_memory(), &RayonExecutor, cancel)?)
}

/// Opens a table file, and optionally checks every checksum.
pub(crate) fn open_table(
    path: &Path,
    is_checked: bool,
    cancel: &Cancel,
) -> Result<SharedTable, CallError> {
    let table = TableFile::open(path)?;
    let refused = |error: TableError| CallError::table(format!("{}: {error}", path.display()));
    table.check_entries().map_err(refused)?;
    if is_checked {
        table.check_payload_unless(cancel).map_err(refused)?;
        // The table is rejected if its check was cancelled, because it may be damaged.
        if cancel.is_cancelled() {
            return Err(Failure::cancelled().into());
        }
    }
    Ok(table.shared())
}

/// Writes bytes, until the call is cancelled.
pub(crate) fn in_pieces(file: &mut dyn Write, bytes: &[u8], cancel: &Cancel) -> io::Result<()> {
    /// Number of bytes between two checks of the cancellation token.
    const PIECE: usize = 1 << 20;
    for piece in bytes.chunks(PIECE) {
        if cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        file.write_all(piece)?;
    }
    Ok(())
}

/// Writes a file atomically; writes nothing if the call is cancelled meanwhile.
pub(crate) fn write_file(path: &Path, bytes: &[u8], cancel: &Cancel) -> Result<(), CallError> {
    let mut whole = AtomicFile::create(path)?;
    let file = whole.file_mut();
    let written = in_pieces(file, bytes, cancel).and_then(|()| file.sync_all());
    if cancel.is_cancelled() {
        return Err(Failure::cancelled().into());
    }
    written.map_err(|error| CallError::system(path, &error))?;
    Ok(whole.finish()?)
}

/// Rejects a table that is too large to pack.
pub(crate) fn check_pack_memory(
    table: &SharedTable,
    fixed: Option<usize>,
    threads: usize,
) -> Result<(), CallError> {
    let header = table.header();
    let fixed = fixed.map(|fixed| fixed.min(PackMethod::max_fixed(header.id.tiles().len())));
    let needed = pack_memory(header, fixed, number_of_threads(threads));
    check_memory(&header.id.name(), "pack", needed)
}

/// The same table with one byte per entry.
pub(crate) fn decode(table: &SharedTable, cancel: &Cancel) -> Result<SharedTable, CallError> {
    let (id, header) = (table.id(), table.header());
    check_memory(&id.name(), "decode", 2 * header.entries)?;
    if header.encoding == Encoding::OneBit {
        return Ok(decode_one_bit(table, cancel)?.shared());
    }
    // Entries modulo 3 do not determine the values. The table is therefore built again, and each
    // new value is compared with the old entry.
    let control = Control::stopped_by(cancel);
    let built = pdb_gen::build(id, Encoding::U8, &control)?.into_table();
    for (entry, &value) in (0..).zip(built.payload()) {
        if !table.entry_matches(entry, (value != u8::MAX).then_some(value)) {
            return Err(CallError::table(format!(
                "{}: entry {entry} is wrong",
                id.name()
            )));
        }
    }
    Ok(built.shared())
}

/// Proves tables one after the other, each on all threads.
pub(crate) fn verify_tables(
    tables: Vec<SharedTable>,
    threads: usize,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Job> {
    let total = tables.iter().map(|table| table.header().entries).sum();
    let work = move |work: &Work| {
        on_threads(threads, || {
            let mut before = 0;
            for table in &tables {
                let proved = pdb_gen::verify(table, &work.entries("verify", before, total));
                proved.map_err(|error| match error {
                    VerifyError::Cancelled => error.into(),
                    error => CallError::table(format_args!("{}: {error}", table.id().name())),
                })?;
                before += table.header().entries;
                work.reach("verify", before, total, None);
            }
            Ok(())
        })
    };
    Job::start(cancel, work, |py, ()| Ok(py.None()))
}

/// Unpacks all tables of a bundle into memory.
pub(crate) fn unpack_all(bundle: &Bundle, work: &Work) -> Result<Vec<SharedTable>, CallError> {
    let entries = bundle
        .manifest()
        .map(|own| own.tables.iter().map(|own| own.table.entries).sum());
    let (total, finished) = (entries.unwrap_or(0), AtomicU64::new(0));
    let done = |header: &Header| {
        let before = finished.fetch_add(header.entries, Ordering::Relaxed);
        work.reach("unpack", before + header.entries, total, None);
    };
    Ok(bundle.unpack_all(free_memory(), &RayonExecutor, &work.cancel, done)?)
}

/// A list of tables.
fn list(py: Python<'_>, tables: Vec<PyTable>) -> PyResult<Py<PyAny>> {
    let tables = tables.into_iter().map(|table| Py::new(py, table));
    let tables: Vec<_> = tables.collect::<PyResult<_>>()?;
    Ok(PyList::new(py, tables)?.into_any().unbind())
}

/// Builds tables: see `build` of `_solver.py`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub(crate) fn build(
    session: &PySession,
    given: &Bound<'_, PyDict>,
    encoding: Option<&str>,
    tables: Option<PathBuf>,
    compress: bool,
    force: bool,
    threads: usize,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Job> {
    let encoding: Option<Encoding> = encoding.map(named).transpose()?;
    let request = read_open(given)?;
    let goal = request.place.goal().map_err(CallError::from)?;
    let spec = session
        .session()
        .spec(&goal, &request.tables)
        .map_err(CallError::from)?;
    let store = tables.map(|directory| TableStore {
        encoding,
        compression: match compress {
            true => Compression::Zstd(ZSTD_LEVEL),
            false => Compression::None,
        },
        memory: free_memory(),
        ..TableStore::new(TableDirectory::new(directory))
    });
    let work = move |work: &Work| {
        let ids = spec.tables();
        let total = ids.iter().map(TableId::entries).sum();
        on_threads(threads, || {
            let (mut tables, mut before) = (Vec::new(), 0);
            for id in ids {
                let encoding = encoding.unwrap_or(Encoding::default_for(id.kind()));
                let events = work.entries("build", before, total);
                let (table, path) = match &store {
                    None => (build_table(id, encoding, &events)?, None),
                    Some(store) => {
                        let (stored, _) = store.ensure(id, force, &events)?;
                        let table = store.directory.open(id, encoding, &stored.path)?;
                        (table.shared(), Some(stored.path))
                    }
                };
                tables.push(PyTable::new(
                    table,
                    TableView::of_spec(&goal, &spec, id),
                    path,
                ));
                before += id.entries();
                work.reach("build", before, total, None);
            }
            Ok(tables)
        })
    };
    Job::start(cancel, work, list)
}

/// Proves every entry of tables.
#[pyfunction]
pub(crate) fn verify(
    tables: Vec<Py<PyTable>>,
    threads: usize,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Job> {
    let tables = tables.iter().map(|table| table.get().table.clone());
    verify_tables(tables.collect(), threads, cancel)
}

/// Packs tables: see `pack` of `_solver.py`.
#[pyfunction]
pub(crate) fn pack(
    opened: &PyOpened,
    out: PathBuf,
    fixed: Option<usize>,
    rebuild: String,
    threads: usize,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Job> {
    let opened = Arc::clone(&opened.0);
    let work = move |work: &Work| {
        let (goal, spec) = (opened.solver.goal(), opened.solver.spec());
        let mut manifest = Manifest::new(
            goal.tray().to_string(),
            goal.board().numbers().to_vec(),
            rebuild,
        );
        manifest.parts = Manifest::parts_of(goal, spec.partitions(), &spec.tables());
        let mut writer = BundleWriter::new(&out, manifest)?;
        let entries = |table: &SharedTable| table.header().entries;
        let (total, mut before) = (opened.tables.iter().map(entries).sum(), 0);
        on_threads(threads, || {
            for table in &opened.tables {
                check_pack_memory(table, fixed, threads)?;
                let header = table.header();
                let most = PackMethod::max_fixed(header.id.tiles().len());
                let fixed = fixed.map(|fixed| fixed.min(most));
                let file = TableDirectory::new("").file(header.id, header.encoding, false);
                let name = file.to_string_lossy();
                writer.add(&name, table, fixed, &RayonExecutor, &work.cancel)?;
                before += header.entries;
                work.reach("pack", before, total, None);
            }
            Ok(())
        })?;
        Ok(writer.finish()?)
    };
    Job::start(cancel, work, path_object)
}

/// Unpacks a bundle (a directory or its manifest) or a packed table, into memory or into the
/// directory `tables`.
///
/// - `path`: the path of the file or directory.
/// - `tables`: a directory that stores the tables; by default they are in memory.
/// - `threads`: number of threads, at most one per core; 0 (default) is one per core.
/// - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes
///   `Progress`.
/// - `cancel`: a `Cancel`, which cancels the call from another thread.
///
/// >>> import tempfile
/// >>> from sliding_tile_pdb import Solver, pack, unpack
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     path = pack(Solver("3x3", "5-3"), directory)
/// ...     [table.max for table in unpack(path)]
/// [20, 11]
#[pyfunction]
#[pyo3(signature = (path, *, tables = None, threads = 0, progress = None, cancel = None))]
pub(crate) fn unpack(
    py: Python<'_>,
    path: PathBuf,
    tables: Option<PathBuf>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Py<PyAny>> {
    let bundle = Bundle::open(&path).map_err(CallError::from)?;
    let work = move |work: &Work| {
        let unpacked = on_threads(threads, || unpack_all(&bundle, work))?;
        let mut found = Vec::new();
        for table in unpacked {
            found.push(match &tables {
                None => PyTable::stored(table, None),
                Some(directory) => {
                    let directory = TableDirectory::new(directory);
                    directory.create()?;
                    let header = table.header();
                    let path = directory.file(header.id, header.encoding, false);
                    write_file(&path, table.bytes(), &work.cancel)?;
                    PyTable::stored(open_table(&path, false, &work.cancel)?, Some(path))
                }
            });
        }
        Ok(found)
    };
    Job::start(cancel, work, list)?.wait(py, progress)
}
