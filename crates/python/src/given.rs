//! Tables that are given: bundles, files, bytes and objects.

use std::path::PathBuf;

use pdb_gen::{RayonExecutor, free_memory};
use pdb_table::Header;
use pdb_table::bundle::{Bundle, Manifest, SingleFile};
use puzzle::TableKind;
use solver::{Cancel, SharedTable, SolverError, place_of};

use crate::failure::Failure;
use crate::loader::{Loaded, Wanted};
use crate::progress::Counter;
use crate::solver::Engine;
use crate::table::{open_table, table_of_bytes};

/// What is given.
#[derive(Debug)]
pub(crate) enum Given {
    /// A bundle or a table file.
    File(PathBuf),
    /// The bytes of a bundle's single file, of a table file or of a packed table.
    Bytes(Vec<u8>),
    Table(Loaded),
}

impl Wanted {
    /// What is asked for where a manifest says the rest.
    fn of_manifest(self, manifest: &Manifest) -> Result<Wanted, Failure> {
        let goal = manifest.read_goal().map_err(Failure::table)?;
        let is_own = match (&self.goal, self.size) {
            (Some(asked), _) => *asked == goal,
            (None, Some(size)) => size == goal.tray(),
            (None, None) => true,
        };
        if !is_own {
            let asked = self.goal()?;
            return Err(Failure::table(format!(
                "the tables are for the goal {goal}, not for {asked}"
            )));
        }
        let kind = manifest.tables.first();
        let kind = kind.map(|table| table.table.kind.parse::<TableKind>());
        let kind = kind.transpose().map_err(Failure::table)?;
        let mut wanted = Wanted {
            goal: Some(goal.clone()),
            metric: kind.map_or(self.metric, TableKind::metric),
            kind: self.kind.or(kind),
            ..self
        };
        if wanted.partition.is_none() {
            let spec = wanted.builder(&goal).parse_parts(&manifest.partitions());
            wanted.partition = Some(spec.map_err(Failure::table)?.name().to_owned());
        }
        Ok(wanted)
    }

    /// A solver of the tables that are given.
    pub(crate) fn take(
        self,
        given: Vec<Given>,
        cancel: &Cancel,
        counter: &Counter,
    ) -> Result<Engine, Failure> {
        let (mut tables, mut manifest): (Vec<Loaded>, _) = (Vec::new(), None);
        for given in given {
            match given {
                Given::Table(loaded) => tables.push(loaded),
                Given::Bytes(bytes) if SingleFile::is_single(&bytes) => {
                    let bundle = SingleFile::new(&bytes)?;
                    for packed in bundle.packed {
                        tables.push((table_of_bytes(packed, cancel)?, None));
                    }
                    manifest = Some(bundle.manifest);
                }
                Given::Bytes(bytes) => tables.push((table_of_bytes(bytes, cancel)?, None)),
                Given::File(path) => match Bundle::find(&path)? {
                    Some(bundle) => {
                        let unpacked = unpack_all(&bundle, cancel, counter)?;
                        tables.extend(unpacked.into_iter().map(|table| (table, None)));
                        manifest = bundle.manifest().cloned();
                    }
                    None => tables.push((open_table(&path, true, cancel)?, Some(path))),
                },
            }
        }
        let wanted = match &manifest {
            Some(manifest) => self.of_manifest(manifest)?,
            None => self,
        };
        let chosen = wanted.choose(None, &tables)?;
        let mut places: Vec<Option<Loaded>> = vec![None; chosen.spec.tables().len()];
        for loaded in tables {
            let id = loaded.0.id();
            let place = place_of(&chosen.spec, id)?;
            if places[place].replace(loaded).is_some() {
                return Err(SolverError::GivenTwice(id.name()).into());
            }
        }
        // The solver says which is missing where a place is empty.
        Engine::new(chosen, places.into_iter().flatten().collect(), Vec::new())
    }
}

/// All tables of a bundle, in memory.
pub(crate) fn unpack_all(
    bundle: &Bundle,
    cancel: &Cancel,
    counter: &Counter,
) -> Result<Vec<SharedTable>, Failure> {
    let done = |header: &Header| counter.add(header.entries);
    Ok(bundle.unpack_all(free_memory(), &RayonExecutor, cancel, done)?)
}
