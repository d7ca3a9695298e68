//! Building, verifying, packing and unpacking tables by partition, file or directory.

use std::path::PathBuf;
use std::sync::Arc;

use pdb_gen::{RayonExecutor, TableStore, free_memory};
use pdb_table::bundle::{Bundle, BundleWriter, Manifest};
use pdb_table::{Compression, Encoding, PackMethod, TableDirectory};
use puzzle::TableId;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use solver::SharedTable;

use crate::error::CallError;
use crate::job::{Job, PyCancel, Work, on_threads};
use crate::session::{PyOpened, PySession, read_open};
use crate::table::{PyTable, path_object};
use crate::table_files::{
    ZSTD_LEVEL, build_table, check_pack_memory, open_table, unpack_all, verify_tables, write_file,
};
use crate::table_view::TableView;
use crate::value::named;

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
    single: bool,
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
        let mut writer = BundleWriter::new(&out, single, manifest)?;
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

/// Unpacks a bundle (a directory, its manifest or a single file) or a packed table, into memory or
/// into the directory `tables`.
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
