//! Building, verifying, packing and unpacking tables by partition, file or directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdb_gen::{RayonExecutor, TableStore, free_memory};
use pdb_table::bundle::{Bundle, BundleWriter, Manifest};
use pdb_table::{Compression, Encoding, PackMethod, TableDirectory};
use puzzle::{Goal, Metric, Partition, TableKind};
use pyo3::prelude::*;
use solver::Cancel;

use crate::arguments::{
    Whole, named, read_fixed, read_partition, read_path, read_size_or_goal, read_threads,
};
use crate::boards_array::each;
use crate::call::{Caller, on_threads};
use crate::call_error::CallError;
use crate::cancel::PyCancel;
use crate::open_solver::{OpenSolver, TableAndFile};
use crate::progress::Stage;
use crate::solver::PySolver;
use crate::table::{PyTable, tables_of_spec};
use crate::table_files::{
    ZSTD_LEVEL, build_table, check_pack_memory, open_table, unpack_all, verify_tables, write_file,
};
use crate::table_request::TableRequest;

/// Builds the tables of a partition in memory, or in the directory `tables`. Tables that already
/// exist there are only opened.
///
/// `partition` is as in `Solver`. The default `encoding` of zero-aware tables is one bit per entry.
/// With the encoding `u8`, `Table.values` provides the values as an array. `compress` and `force`
/// apply only to a directory.
///
#[doc = parameters!(
    partition, size, goal, metric, kind, encoding, tables, compress, force, threads, progress,
    cancel
)]
///
/// >>> from sliding_tile_pdb import build
/// >>> tables = build("5-3", "3x3", encoding="u8")
/// >>> [(table.tiles, table.values.size, table.max) for table in tables]
/// [((4, 5, 6, 7, 8), 30720, 20), ((1, 2, 3), 744, 11)]
#[pyfunction]
#[pyo3(signature = (
    partition = None, size = None, *, goal = None, metric = "single", kind = None, encoding = None,
    tables = None, compress = false, force = false, threads = 0, progress = None,
    cancel = None
))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub(crate) fn build(
    py: Python<'_>,
    #[pyo3(from_py_with = read_partition)] partition: Option<String>,
    size: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
    metric: &str,
    kind: Option<&str>,
    encoding: Option<&str>,
    tables: Option<&Bound<'_, PyAny>>,
    compress: bool,
    force: bool,
    #[pyo3(from_py_with = read_threads)] threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Vec<PyTable>> {
    let kind = kind.map(named::<TableKind>).transpose()?;
    let metric: Metric = named(metric)?;
    let (goal, size) = read_size_or_goal(size, goal)?;
    let request = TableRequest {
        goal,
        size,
        metric: kind.map_or(metric, TableKind::metric),
        kind,
        partition,
        max_build_time: None,
    };
    let encoding: Option<Encoding> = encoding.map(named).transpose()?;
    let directory = tables.map(read_path).transpose()?;
    let plan = request.plan(None, &[])?;
    let caller = Caller::new(cancel).listening(progress, Stage::BUILD, Some(plan.entries()))?;
    let (goal, spec) = (plan.goal, plan.spec);
    let ids = spec.tables();
    let built = caller.run(py, move |control| {
        let store = directory.map(|directory| TableStore {
            encoding,
            compression: match compress {
                true => Compression::Zstd(ZSTD_LEVEL),
                false => Compression::None,
            },
            memory: free_memory(),
            ..TableStore::new(TableDirectory::new(directory))
        });
        on_threads(threads, || {
            let mut tables: Vec<TableAndFile> = Vec::new();
            let mut before = 0;
            for id in ids {
                let encoding = encoding.unwrap_or(Encoding::default_for(id.kind()));
                tables.push(match &store {
                    None => (build_table(id, encoding, control, before)?, None),
                    Some(store) => {
                        let events = control.build_control(before);
                        let (stored, _) = store.ensure(id, force, &events)?;
                        let table = store.directory.open(id, encoding, &stored.path)?;
                        (table.shared(), Some(stored.path))
                    }
                });
                before += id.entries();
                control.counter.reach(before);
            }
            Ok(tables)
        })
    })?;
    Ok(tables_of_spec(&goal, &spec, &built).collect())
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
#[doc = parameters!(verify_tables, threads, progress, cancel)]
///
/// >>> from sliding_tile_pdb import build, verify
/// >>> len(verify(build("5-3", "3x3")))
/// 2
#[pyfunction]
#[pyo3(signature = (tables, *, threads = 0, progress = None, cancel = None))]
pub(crate) fn verify(
    py: Python<'_>,
    tables: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = read_threads)] threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Vec<Py<PyTable>>> {
    let mut all: Vec<Py<PyTable>> = Vec::new();
    if let Ok(solver) = tables.cast::<PySolver>() {
        all = solver.getattr("tables")?.extract()?;
    } else if tables.cast::<PyTable>().is_ok() || read_path(tables).is_ok() {
        add_tables(tables, &mut all)?;
    } else {
        for item in each(tables)? {
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
    let path = read_path(tables)?;
    let files = match path.is_dir() {
        true => files_of(&path)?,
        false => vec![path],
    };
    for file in files {
        let path = file.clone();
        // The checksums are not checked here, since the proof checks them.
        let work = move |_: &_| open_table(&path, false, &Cancel::default());
        let table = Caller::default().run(py, work)?;
        all.push(Py::new(py, PyTable::stored(table, Some(file)))?);
    }
    Ok(())
}

/// Packs the tables of a solver into a directory with a manifest or, with `single`, into one file.
/// Returns the path of the manifest or file.
///
/// Packed tables are 3 to 20 times smaller than tables with one bit per entry. Any web server can
/// host the directory, and `Solver(tables=...)`, `unpack`, pdb-gen and the npm package read both
/// the directory and the single file.
///
#[doc = parameters!(solver, out, single, fixed, threads, progress, cancel)]
///
/// >>> import os, tempfile
/// >>> from sliding_tile_pdb import Solver, pack
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     path = pack(Solver("3x3", "5-3"), os.path.join(directory, "tables.pack"), single=True)
/// ...     Solver(tables=path).solve("8 6 7/2 5 4/3 0 1").length
/// 31
#[pyfunction]
#[pyo3(signature = (
    solver, out, *, single = false, fixed = None, threads = 0, progress = None,
    cancel = None
))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub(crate) fn pack(
    py: Python<'_>,
    solver: &Bound<'_, PySolver>,
    out: &Bound<'_, PyAny>,
    single: bool,
    #[pyo3(from_py_with = read_fixed)] fixed: Option<Whole>,
    #[pyo3(from_py_with = read_threads)] threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<PathBuf> {
    let out = read_path(out)?;
    let opened = Arc::clone(&solver.get().0);
    let entries = opened
        .tables
        .iter()
        .map(|(table, _)| table.header().entries);
    let caller = Caller::new(cancel).listening(progress, Stage::PACK, Some(entries.sum()))?;
    let fixed = fixed.map(Whole::index);
    caller.run(py, move |control| {
        let (goal, spec) = (opened.solver.goal(), opened.solver.spec());
        let mut manifest = Manifest::new(
            goal.tray().to_string(),
            goal.board().numbers().to_vec(),
            rebuild_command(&opened, fixed, single),
        );
        manifest.parts = Manifest::parts_of(goal, spec.partitions(), &spec.tables());
        let mut writer = BundleWriter::new(&out, single, manifest)?;
        on_threads(threads, || {
            for (table, _) in &opened.tables {
                check_pack_memory(table, fixed, threads)?;
                let header = table.header();
                let most = PackMethod::max_fixed(header.id.tiles().len());
                let fixed = fixed.map(|fixed| fixed.min(most));
                let file = TableDirectory::new("").file(header.id, header.encoding, false);
                let name = file.to_string_lossy();
                writer.add(&name, table, fixed, &RayonExecutor, &control.cancel)?;
                control.counter.add(header.entries);
            }
            Ok(())
        })?;
        Ok(writer.finish()?)
    })
}

/// The `pdb-gen` command that writes the same bundle.
fn rebuild_command(opened: &OpenSolver, fixed: Option<usize>, single: bool) -> String {
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
    let header = opened.tables.first().map(|(table, _)| table.header());
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
#[doc = parameters!(path, tables, threads, progress, cancel)]
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
    path: &Bound<'_, PyAny>,
    tables: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = read_threads)] threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Vec<PyTable>> {
    let path = read_path(path)?;
    let directory = tables.map(read_path).transpose()?;
    let bundle = Bundle::open(&path).map_err(CallError::from)?;
    let manifest = bundle.manifest();
    let total = manifest.map(|own| own.tables.iter().map(|own| own.table.entries).sum());
    let caller = Caller::new(cancel).listening(progress, Stage::UNPACK, total)?;
    let tables = caller.run(py, move |control| {
        let unpacked = on_threads(threads, || unpack_all(&bundle, control))?;
        let mut tables: Vec<TableAndFile> = Vec::new();
        for table in unpacked {
            tables.push(match &directory {
                None => (table, None),
                Some(directory) => {
                    let directory = TableDirectory::new(directory);
                    directory.create()?;
                    let header = table.header();
                    let path = directory.file(header.id, header.encoding, false);
                    write_file(&path, table.bytes(), &control.cancel)?;
                    (open_table(&path, false, &control.cancel)?, Some(path))
                }
            });
        }
        Ok(tables)
    })?;
    let stored = |(table, path): TableAndFile| PyTable::stored(table, path);
    Ok(tables.into_iter().map(stored).collect())
}
