//! Tables from the caller: bundles, files, bytes and objects.

use std::io;
use std::path::PathBuf;

use pdb_table::bundle::{Bundle, MANIFEST_NAME, Manifest, SingleFile};
use puzzle::TableKind;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use solver::{OpenOptions, SolverError, place_of};

use crate::arguments::{read_bytes, read_path, wrong_type};
use crate::boards_array::each;
use crate::call::WorkControl;
use crate::call_error::CallError;
use crate::open_solver::{OpenSolver, TableAndFile};
use crate::table::PyTable;
use crate::table_files::{open_table, table_of_bytes, unpack_all};
use crate::table_request::TableRequest;

/// The argument `tables` of a solver.
#[derive(Debug)]
pub(crate) enum TableSource {
    /// Without a directory, tables are built in memory. With a directory, existing tables are
    /// opened there, and missing tables are built and stored there.
    Built(Option<PathBuf>),
    /// The caller supplies the tables; none is built.
    Inputs(Vec<TableInput>),
}

/// A source of tables from the caller.
#[derive(Debug)]
pub(crate) enum TableInput {
    /// A bundle or a table file.
    File(PathBuf),
    /// The bytes of a table file, of a packed table, or of a bundle in a single file.
    Bytes(Vec<u8>),
    Table(TableAndFile),
}

impl TableSource {
    /// Reads the argument.
    pub(crate) fn read(tables: Option<&Bound<'_, PyAny>>) -> Result<TableSource, CallError> {
        let Some(tables) = tables.filter(|tables| !tables.is_none()) else {
            return Ok(TableSource::Built(None));
        };
        if let Some(input) = TableInput::read(tables)? {
            return Ok(TableSource::Inputs(vec![input]));
        }
        if let Ok(path) = read_path(tables) {
            return TableSource::of_path(path);
        }
        let expected = "tables is a path, bytes, or a list of Table objects and bytes";
        let items = each(tables).map_err(|error| {
            match error.is_instance_of::<PyTypeError>(tables.py()) {
                true => wrong_type(expected, tables),
                false => error,
            }
        })?;
        let mut inputs = Vec::new();
        for item in items {
            let item = item?;
            inputs.push(TableInput::read(&item)?.ok_or_else(|| wrong_type(expected, &item))?);
        }
        Ok(TableSource::Inputs(inputs))
    }

    fn of_path(path: PathBuf) -> Result<TableSource, CallError> {
        /// Extensions of table files and bundles. If a path with one of these extensions does not
        /// exist, a file is missing. Other paths can be new directories.
        const ENDINGS: [&str; 5] = ["pdb", "pdbz", "pack", "json", "zst"];
        /// The system's error number for a missing file, the same on all systems.
        const NO_SUCH_FILE: i32 = 2;
        if path.join(MANIFEST_NAME).is_file() || path.is_file() {
            return Ok(TableSource::Inputs(vec![TableInput::File(path)]));
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        if !path.exists() && ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            let missing = io::Error::from_raw_os_error(NO_SUCH_FILE);
            return Err(CallError::system(&path, missing));
        }
        Ok(TableSource::Built(Some(path)))
    }
}

impl TableInput {
    /// Reads bytes or a `Table`; `None` for other objects.
    fn read(item: &Bound<'_, PyAny>) -> PyResult<Option<TableInput>> {
        if let Some(bytes) = read_bytes(item)? {
            return Ok(Some(TableInput::Bytes(bytes)));
        }
        let table = item.cast::<PyTable>().map(Bound::get);
        Ok(table
            .map(|table| TableInput::Table((table.table.clone(), table.path.clone())))
            .ok())
    }
}

impl TableRequest {
    /// The request with the goal, metric, kind and partition of a manifest.
    fn of_manifest(self, manifest: &Manifest) -> Result<TableRequest, CallError> {
        let goal = manifest.read_goal().map_err(CallError::table)?;
        let is_own = match (&self.goal, self.size) {
            (Some(own), _) => *own == goal,
            (None, Some(size)) => size == goal.tray(),
            (None, None) => true,
        };
        if !is_own {
            let own = self.goal()?;
            return Err(CallError::table(format!(
                "the tables are for the goal {goal}, not for {own}"
            )));
        }
        let kind = manifest.tables.first();
        let kind = kind.map(|table| table.table.kind.parse::<TableKind>());
        let kind = kind.transpose().map_err(CallError::table)?;
        let mut request = TableRequest {
            goal: Some(goal.clone()),
            metric: kind.map_or(self.metric, TableKind::metric),
            kind: self.kind.or(kind),
            ..self
        };
        if request.partition.is_none() {
            let spec = request.builder(&goal).parse_parts(&manifest.partitions());
            request.partition = Some(spec.map_err(CallError::table)?.name().to_owned());
        }
        Ok(request)
    }

    /// Opens a solver with the caller's tables.
    pub(crate) fn open_inputs(
        self,
        inputs: Vec<TableInput>,
        control: &WorkControl,
    ) -> Result<OpenSolver, CallError> {
        let cancel = &control.cancel;
        let (mut tables, mut manifest): (Vec<TableAndFile>, _) = (Vec::new(), None);
        for input in inputs {
            match input {
                TableInput::Table(table) => tables.push(table),
                TableInput::Bytes(bytes) if SingleFile::is_single(&bytes) => {
                    let bundle = SingleFile::new(&bytes)?;
                    for packed in bundle.packed {
                        tables.push((table_of_bytes(packed, cancel)?, None));
                    }
                    manifest = Some(bundle.manifest);
                }
                TableInput::Bytes(bytes) => tables.push((table_of_bytes(bytes, cancel)?, None)),
                TableInput::File(path) => match Bundle::find(&path)? {
                    Some(bundle) => {
                        let unpacked = unpack_all(&bundle, control)?;
                        tables.extend(unpacked.into_iter().map(|table| (table, None)));
                        manifest = bundle.manifest().cloned();
                    }
                    None => tables.push((open_table(&path, true, cancel)?, Some(path))),
                },
            }
        }
        let request = match &manifest {
            Some(manifest) => self.of_manifest(manifest)?,
            None => self,
        };
        let plan = request.plan(None, &tables)?;
        let mut places: Vec<Option<TableAndFile>> = vec![None; plan.spec.tables().len()];
        let mut of_others = Vec::new();
        for table in tables {
            let id = table.0.id();
            let Some(place) = place_of(&plan.spec, id)? else {
                of_others.push(table.0);
                continue;
            };
            if places[place].replace(table).is_some() {
                return Err(SolverError::GivenTwice(id.name()).into());
            }
        }
        // `solver` reports an error if the caller did not supply every table of the specification.
        let mut opened = plan.solver(places.into_iter().flatten().collect())?;
        let options = OpenOptions::in_memory()
            .given(of_others)
            .max_build_seconds(0.0);
        opened.solver.open_other_goals(&options)?;
        Ok(opened)
    }
}
