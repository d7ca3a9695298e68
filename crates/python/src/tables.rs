//! Tables by the partition, the file or the directory: built, proved, packed and unpacked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdb_gen::{RayonExecutor, TableStore, free_memory};
use pdb_table::bundle::{Bundle, BundleWriter, Manifest};
use pdb_table::{Compression, Encoding, PackMethod, TableDirectory};
use puzzle::{Goal, HeuristicSpec, Metric, Partition, TableKind};
use pyo3::prelude::*;
use solver::Cancel;

use crate::arguments::{
    Whole, named, read_fixed, read_partition, read_path, read_size_and_goal, read_threads,
};
use crate::boards_array::each;
use crate::call::{Caller, on_threads};
use crate::cancel::PyCancel;
use crate::failure::{Failure, OrRaise as _};
use crate::given::unpack_all;
use crate::loader::{Loaded, Wanted};
use crate::parameters::parameter;
use crate::progress::{Counter, Listener, Stage};
use crate::solver::{Engine, PySolver};
use crate::table::{
    PyTable, View, ZSTD_LEVEL, build_table, check_pack_memory, open_table, verify_tables,
    write_file,
};

/// Tables as Python sees them, from a goal that has patterns of them.
fn seen_from(goal: &Goal, spec: &HeuristicSpec, tables: Vec<Loaded>) -> Vec<PyTable> {
    let seen = |(table, path): Loaded| {
        let view = View::of_spec(goal, spec, table.id());
        PyTable::new(table, view, path)
    };
    tables.into_iter().map(seen).collect()
}

/// Builds the tables of a partition: in memory, or in the directory `tables`, where those that are
/// there are only opened.
///
/// `partition` is as in `Solver`. `encoding` is by default the usual one of the kind: a bit an
/// entry for zero-aware tables; with `u8` the values are arrays. In a directory `compress` writes
/// smaller files, and `force` builds again what is there.
///
#[doc = parameter!(partition)]
#[doc = parameter!(size)]
#[doc = parameter!(goal)]
#[doc = parameter!(metric)]
#[doc = parameter!(kind)]
#[doc = parameter!(encoding)]
#[doc = parameter!(tables)]
#[doc = parameter!(compress)]
#[doc = parameter!(force)]
#[doc = parameter!(threads)]
#[doc = parameter!(progress)]
#[doc = parameter!(cancel)]
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
    let kind = kind.map(|kind| named::<TableKind>(py, kind)).transpose()?;
    let metric: Metric = named(py, metric)?;
    let wanted = Wanted {
        goal: Some(read_size_and_goal(py, size, goal)?),
        size: None,
        metric: kind.map_or(metric, TableKind::metric),
        kind,
        partition,
        max_build_time: None,
    };
    let encoding: Option<Encoding> = encoding.map(|name| named(py, name)).transpose()?;
    let directory = tables.map(read_path).transpose()?;
    let chosen = wanted.choose(None, &[]).or_raise(py)?;
    let total = chosen.entries();
    let (goal, spec) = (chosen.goal, chosen.spec);
    let counter = Arc::new(Counter::default());
    let listener = Listener::new(progress, &counter, Stage::BUILD, Some(total))?;
    let caller = Caller::new(cancel.map(|cancel| cancel.get().token())).listening(listener);
    let (token, of) = (caller.cancel.clone(), spec.clone());
    let built = caller.run_quietly(py, move || {
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
            let mut tables: Vec<Loaded> = Vec::new();
            let mut before = 0;
            for id in of.tables() {
                let encoding = encoding.unwrap_or(Encoding::default_for(id.kind()));
                tables.push(match &store {
                    None => (build_table(id, encoding, &token, &counter, before)?, None),
                    Some(store) => {
                        let control = counter.control(&token, before);
                        let (stored, _) = store.ensure(id, force, &control)?;
                        let table = store.directory.open(id, encoding, &stored.path)?;
                        (table.shared(), Some(stored.path))
                    }
                });
                before += id.entries();
                counter.reach(before);
            }
            Ok(tables)
        })
    })?;
    Ok(seen_from(&goal, &spec, built))
}

/// The table files of a directory, by name.
fn files_of(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let system = |error| Failure::system(directory, error);
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
        true => Err(Failure::table(format!(
            "there are no tables in {}",
            directory.display()
        ))),
    }
}

/// Proves every entry of tables, files, or all files of a directory by the puzzle's moves. Returns
/// the tables; raises TableError at the first that is wrong.
///
#[doc = parameter!(verify_tables)]
#[doc = parameter!(threads)]
#[doc = parameter!(progress)]
#[doc = parameter!(cancel)]
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
    let shared = all.iter().map(|table| table.get().table().clone());
    verify_tables(py, shared.collect(), threads, progress, cancel)?;
    Ok(all)
}

/// Adds a table, that of a file, or those of a directory.
fn add_tables(tables: &Bound<'_, PyAny>, all: &mut Vec<Py<PyTable>>) -> PyResult<()> {
    let py = tables.py();
    if let Ok(table) = tables.cast::<PyTable>() {
        all.push(table.clone().unbind());
        return Ok(());
    }
    let path = read_path(tables)?;
    let files = match path.is_dir() {
        true => files_of(&path).or_raise(py)?,
        false => vec![path],
    };
    for file in files {
        let of = file.clone();
        // The proof checks the sums.
        let work = move || open_table(&of, false, &Cancel::default());
        let table = Caller::default().run_quietly(py, work)?;
        all.push(Py::new(py, PyTable::stored(table, Some(file)))?);
    }
    Ok(())
}

/// Packs the tables of a solver: into a directory with a manifest, or with `single` into one file.
/// Returns the path of the manifest or file.
///
/// Packed tables are 3 to 20 times smaller than one bit an entry. Any web server can host the
/// directory, and `Solver(tables=...)`, `unpack`, pdb-gen and the npm package read both.
///
#[doc = parameter!(solver)]
#[doc = parameter!(out)]
#[doc = parameter!(single)]
#[doc = parameter!(fixed)]
#[doc = parameter!(threads)]
#[doc = parameter!(progress)]
#[doc = parameter!(cancel)]
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
    let engine = Arc::clone(solver.get().engine());
    let entries = engine
        .tables()
        .iter()
        .map(|(table, _)| table.header().entries);
    let counter = Arc::new(Counter::default());
    let listener = Listener::new(progress, &counter, Stage::PACK, Some(entries.sum()))?;
    let caller = Caller::new(cancel.map(|cancel| cancel.get().token())).listening(listener);
    let token = caller.cancel.clone();
    let fixed = fixed.map(Whole::index);
    caller.run_quietly(py, move || {
        let (goal, spec) = (engine.solver.goal(), engine.solver.spec());
        let mut manifest = Manifest::new(
            goal.tray().to_string(),
            goal.board().numbers().to_vec(),
            rebuild_command(&engine, fixed, single),
        );
        manifest.parts = Manifest::parts_of(goal, spec.partitions(), &spec.tables());
        let mut writer = BundleWriter::new(&out, single, manifest)?;
        on_threads(threads, || {
            for (table, _) in engine.tables() {
                check_pack_memory(table, fixed, threads)?;
                let header = table.header();
                let most = PackMethod::max_fixed(header.id.tiles().len());
                let fixed = fixed.map(|fixed| fixed.min(most));
                let file = TableDirectory::new("").file(header.id, header.encoding, false);
                let name = file.to_string_lossy();
                writer.add(&name, table, fixed, &RayonExecutor, &token)?;
                counter.add(header.entries);
            }
            Ok(())
        })?;
        Ok(writer.finish()?)
    })
}

/// The command that makes the same files again.
fn rebuild_command(engine: &Engine, fixed: Option<usize>, single: bool) -> String {
    let (goal, spec) = (engine.solver.goal(), engine.solver.spec());
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
    let header = engine.tables().first().map(|(table, _)| table.header());
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
#[doc = parameter!(path)]
#[doc = parameter!(tables)]
#[doc = parameter!(threads)]
#[doc = parameter!(progress)]
#[doc = parameter!(cancel)]
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
    let bundle = Bundle::open(&path).map_err(Failure::from).or_raise(py)?;
    let manifest = bundle.manifest();
    let total = manifest.map(|own| own.tables.iter().map(|own| own.table.entries).sum());
    let counter = Arc::new(Counter::default());
    let listener = Listener::new(progress, &counter, Stage::UNPACK, total)?;
    let caller = Caller::new(cancel.map(|cancel| cancel.get().token())).listening(listener);
    let token = caller.cancel.clone();
    let tables = caller.run_quietly(py, move || {
        let unpacked = on_threads(threads, || unpack_all(&bundle, &token, &counter))?;
        let mut tables: Vec<Loaded> = Vec::new();
        for table in unpacked {
            tables.push(match &directory {
                None => (table, None),
                Some(directory) => {
                    let directory = TableDirectory::new(directory);
                    directory.create()?;
                    let header = table.header();
                    let path = directory.file(header.id, header.encoding, false);
                    write_file(&path, table.bytes(), &token)?;
                    (open_table(&path, false, &token)?, Some(path))
                }
            });
        }
        Ok(tables)
    })?;
    let stored = |(table, path): Loaded| PyTable::stored(table, path);
    Ok(tables.into_iter().map(stored).collect())
}
