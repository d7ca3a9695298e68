//! Building, verifying, packing and unpacking tables by partition, file or directory.

use std::path::{Path, PathBuf};

use pdb_gen::{RayonExecutor, TableStore, free_memory};
use pdb_table::bundle::{Bundle, BundleWriter, Manifest};
use pdb_table::{Compression, Encoding, PackMethod, Table, TableDirectory};
use puzzle::{Goal, Metric, Partition, TableId, TableKind};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use session::{Cancel, Opened};
use solver::SharedTable;

use crate::error::CallError;
use crate::job::{Job, PyCancel, Work, on_threads};
use crate::session::{PySession, opened, read_open};
use crate::table::{PyTable, named, path_object};
use crate::table_files::{
    ZSTD_LEVEL, build_table, check_pack_memory, open_table, unpack_all, verify_tables, write_file,
};
use crate::table_view::TableView;

/// A list of tables.
fn list(py: Python<'_>, tables: Vec<PyTable>) -> PyResult<Py<PyAny>> {
    let tables = tables.into_iter().map(|table| Py::new(py, table));
    let tables: Vec<_> = tables.collect::<PyResult<_>>()?;
    Ok(PyList::new(py, tables)?.into_any().unbind())
}

/// Builds tables: see `build` of `_solver.py`.
#[pyfunction]
#[pyo3(signature = (
    session, given, encoding, tables, compress, force, threads, progress, cancel
))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub(crate) fn build(
    py: Python<'_>,
    session: &PySession,
    given: &Bound<'_, PyDict>,
    encoding: Option<&str>,
    tables: Option<PathBuf>,
    compress: bool,
    force: bool,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Py<PyAny>> {
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
    Job::start(cancel, work, list)?.wait(py, progress)
}

/// The table files of a directory, sorted by name.
fn files_of(directory: &Path) -> Result<Vec<PathBuf>, CallError> {
    let system = |error| CallError::system(directory, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(system)? {
        let path = entry.map_err(system)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".pdb") || name.ends_with(".pdb.zst") {
            files.push(path);
        }
    }
    files.sort();
    match files.is_empty() {
        false => Ok(files),
        true => Err(CallError::table(format!(
            "no tables found in {}",
            directory.display()
        ))),
    }
}

/// Proves every entry of tables by the moves of the puzzle. The tables are given as objects, as
/// files, or as a directory of files. Returns the tables; raises TableError at the first wrong one.
///
/// - `tables`: a `Table`, a `Solver`, the path of a file or directory, or a list of them.
/// - `threads`: number of threads, at most one per core; 0 (default) is one per core.
/// - `progress`: a class of progress bars such as tqdm, a bar, or a function that takes
///   `Progress`.
/// - `cancel`: a `Cancel`, which cancels the call from another thread.
///
/// >>> from sliding_tile_pdb import build, verify
/// >>> len(verify(build("5-3", "3x3")))
/// 2
#[pyfunction]
#[pyo3(signature = (tables, *, threads = 0, progress = None, cancel = None))]
pub(crate) fn verify(
    py: Python<'_>,
    tables: &Bound<'_, PyAny>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Vec<Py<PyTable>>> {
    let mut all: Vec<Py<PyTable>> = Vec::new();
    let of_solver = tables.getattr("tables").ok();
    let tables = of_solver.as_ref().unwrap_or(tables);
    if tables.cast::<PyTable>().is_ok() || tables.extract::<PathBuf>().is_ok() {
        add_tables(tables, &mut all)?;
    } else {
        for item in tables.try_iter()? {
            add_tables(&item?, &mut all)?;
        }
    }
    let shared = all.iter().map(|table| table.get().table.clone());
    verify_tables(py, shared.collect(), threads, progress, cancel)?;
    Ok(all)
}

/// Adds a table, a file, or the files of a directory.
fn add_tables(tables: &Bound<'_, PyAny>, all: &mut Vec<Py<PyTable>>) -> PyResult<()> {
    let py = tables.py();
    if let Ok(table) = tables.cast::<PyTable>() {
        all.push(table.clone().unbind());
        return Ok(());
    }
    let path: PathBuf = tables.extract()?;
    let files = match path.is_dir() {
        true => files_of(&path)?,
        false => vec![path],
    };
    for file in files {
        // The checksums are not checked here, since the proof checks them.
        let table = py.detach(|| open_table(&file, false, &Cancel::default()))?;
        all.push(Py::new(py, PyTable::stored(table, Some(file)))?);
    }
    Ok(())
}

/// Packs tables: see `pack` of `_solver.py`.
#[pyfunction]
#[pyo3(signature = (session, given, out, single, fixed, threads, progress, cancel))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub(crate) fn pack(
    py: Python<'_>,
    session: &PySession,
    given: &Bound<'_, PyDict>,
    out: PathBuf,
    single: bool,
    fixed: Option<usize>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Py<PyAny>> {
    let (session, request) = (session.session(), read_open(given)?);
    let work = move |work: &Work| {
        let opened = opened(&session, &request, work)?;
        let (goal, spec) = (opened.solver.goal(), opened.solver.spec());
        let mut manifest = Manifest::new(
            goal.tray().to_string(),
            goal.board().numbers().to_vec(),
            rebuild_command(&opened, fixed, single),
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
    Job::start(cancel, work, path_object)?.wait(py, progress)
}

/// The `pdb-gen` command that writes the same bundle.
fn rebuild_command(opened: &Opened, fixed: Option<usize>, single: bool) -> String {
    let (goal, spec) = (opened.solver.goal(), opened.solver.spec());
    let tray = goal.tray();
    let mut command = "pdb-gen pack".to_owned();
    let mut add = |option: &str, value: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,+".contains(c);
        command += &match value.chars().all(is_plain) {
            true => format!(" {option} {value}"),
            false => format!(" {option} '{}'", value.replace('\'', r"'\''")),
        };
    };
    if tray.to_string() != "4x4" {
        add("--size", &tray.to_string());
    }
    if *goal == Goal::blank_first(tray) {
        add("--goal", "blank-first");
    } else if *goal != Goal::blank_last(tray) {
        add("--goal", &goal.to_string());
    }
    if spec.metric() != Metric::Single {
        add("--metric", spec.metric().name());
    }
    add("--partition", spec.name());
    let kind = spec.partitions().first().map(Partition::kind);
    if let Some(kind) =
        kind.filter(|kind| kind.metric() == Metric::Single && *kind != TableKind::ZeroAware)
    {
        add("--kind", kind.name());
    }
    let header = opened.tables.first().map(Table::header);
    if let Some(header) =
        header.filter(|header| header.encoding != Encoding::default_for(header.id.kind()))
    {
        add("--encoding", header.encoding.name());
    }
    if let Some(fixed) = fixed {
        add("--fixed", &fixed.to_string());
    }
    if single {
        command += " --single";
    }
    command + " --out PATH"
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
