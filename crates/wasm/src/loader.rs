//! Tables for a goal: built here, or from bytes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use pdb_gen::{BuildError, BuildEvent, build, estimate_memory, size};
use pdb_table::{Control, Encoding, PackError, Packed, Table, TableError, unpack_memory};
use puzzle::{Goal, HeuristicSpec, Metric, Ranking, TableId};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use solver::{OverBudget, Solver, SolverError, TableBudget, TableChoice};

use crate::engine::Engine;
use crate::failure::{Failure, to_json};
use crate::host;
use crate::request::Request;
use crate::rules::{read_goal, read_size};

/// Memory that the tables may take by [`estimate_memory`]. The truth is up to three times as much
/// and the finished files, which still fits the 4 GiB that 32-bit addresses reach.
const MAX_MEMORY: u64 = 1 << 30;
/// Where nothing is asked for, tables that a desktop machine's core builds in so many seconds by
/// estimate. WebAssembly takes about twice as long, and telephones a few times that.
const MAX_SECONDS: f64 = 1.5;
/// The same in the multi-tile metric, whose searches get nowhere without tables.
const MAX_MULTI_SECONDS: f64 = 4.0;

/// The bytes of a table, which the solver and the host both read.
#[derive(Clone, Debug)]
pub struct SharedBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A table in memory.
pub type SharedTable = Table<SharedBytes>;

/// How far a table is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verified {
    /// Built here.
    Built,
    /// From bytes all of whose sums agree.
    Sums,
    /// Every entry was proved by the puzzle's moves.
    Proved,
}

/// A goal, and the tables for it as far as they are there.
#[derive(Debug)]
pub struct Loader {
    goal: Goal,
    spec: HeuristicSpec,
    tables: BTreeMap<usize, (SharedTable, Verified)>,
}

/// A table that a solver needs.
#[derive(Serialize)]
struct NeededTable {
    file: String,
    entries: u64,
    build_memory: u64,
}

/// How far tables are.
#[derive(Serialize)]
pub(crate) struct TableProgress {
    pub(crate) stage: &'static str,
    pub(crate) table: usize,
    pub(crate) tables: usize,
    pub(crate) done: f64,
}

impl Loader {
    /// What tables are needed for a goal. Where no partition is asked for it is the size's own; if
    /// that would take long here one of smaller parts, and where there is none no tables at all.
    ///
    /// # Errors
    /// Something that was asked for is wrong, or takes more memory than there is.
    pub fn new(request: &str) -> Result<Loader, Failure> {
        let request = Request::read(request, &["size", "goal", "metric", "partition"])?;
        let goal = read_goal(request.text("goal")?, read_size(request.text("size")?)?)?;
        let metric = request.parsed("metric")?.unwrap_or(Metric::Single);
        let name = request.text("partition")?;
        let budget = TableBudget {
            max_seconds: match metric {
                _ if name.is_some() => f64::INFINITY,
                Metric::Single => MAX_SECONDS,
                Metric::Multi => MAX_MULTI_SECONDS,
            },
            max_memory: Some(MAX_MEMORY),
            max_bytes: None,
            threads: 1,
            there: &|_| None,
        };
        let builder = HeuristicSpec::builder(&goal).metric(metric);
        let spec = match name {
            None => {
                TableChoice::of(&builder, &budget)
                    .map_err(Failure::input)?
                    .spec
            }
            Some(name) => {
                let spec = builder.parse(name).map_err(Failure::input)?;
                // What runs out of memory traps.
                budget.check(&spec).map_err(|error| match error {
                    OverBudget::Memory { .. } => too_large(error),
                    error => Failure::input(error),
                })?;
                spec
            }
        };
        Ok(Loader {
            goal,
            spec,
            tables: BTreeMap::new(),
        })
    }

    /// The tables, as JSON.
    ///
    /// # Errors
    /// None.
    pub fn needed(&self) -> Result<String, Failure> {
        let tables = self.spec.tables();
        let needed = tables.iter().map(|&id| {
            let encoding = Encoding::default_for(id.kind());
            NeededTable {
                file: file_name(id),
                entries: entries(id),
                build_memory: estimate_memory(id, encoding),
            }
        });
        to_json(&needed.collect::<Vec<_>>())
    }

    /// Takes a table from the bytes of its file, packed or not, and checks every sum. Returns the
    /// name of its file.
    ///
    /// # Errors
    /// The bytes are damaged, or those of another table.
    pub fn add(&mut self, bytes: &[u8]) -> Result<String, Failure> {
        let table = match Packed::is_packed(bytes) {
            true => self.unpack(bytes)?,
            false => read_table(bytes)?,
        };
        let place = self.place(table.id())?;
        table
            .check_entries()
            .and_then(|()| table.check_payload())
            .map_err(Failure::table)?;
        let name = file_name(table.id());
        self.tables.insert(place, (shared(table), Verified::Sums));
        Ok(name)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Table<Vec<u8>>, Failure> {
        let packed = Packed::new(bytes, bytes.len() as u64).map_err(Failure::table)?;
        self.place(packed.header().id)?;
        let needed = unpack_memory(&packed, 1);
        // What comes out, the frames and the packed bytes, as large as the file says.
        if needed > 3 * MAX_MEMORY {
            return Err(too_large(format_args!(
                "the tables need {} of memory to unpack",
                size(needed)
            )));
        }
        packed
            .unpack(bytes, &(), &host::cancel())
            .map_err(|error| match error {
                PackError::Cancelled => Failure::cancelled(),
                error => Failure::table(error),
            })
    }

    /// The number of a table among those needed.
    fn place(&self, id: TableId) -> Result<usize, Failure> {
        let tables = self.spec.tables();
        let place = tables.iter().position(|needed| *needed == id);
        place.ok_or_else(|| {
            let needed: Vec<String> = tables.iter().map(|id| file_name(*id)).collect();
            Failure::table(format!(
                "{} is not a table of {}: expected {}",
                file_name(id),
                self.spec.name(),
                match needed.is_empty() {
                    true => "none".to_owned(),
                    false => needed.join(", "),
                }
            ))
        })
    }

    /// Builds the tables that are not there. The host hears how far they are.
    ///
    /// # Errors
    /// The host wants no more of it.
    pub fn build(&mut self) -> Result<(), Failure> {
        let ids = self.spec.tables();
        let sizes: Vec<u64> = ids.iter().map(|&id| entries(id)).collect();
        let total = sizes.iter().sum::<u64>().max(1) as f64;
        let mut before = 0.0;
        for (table, &id) in ids.iter().enumerate() {
            let share = sizes[table] as f64 / total;
            if let Entry::Vacant(place) = self.tables.entry(table) {
                let tables = ids.len();
                let control = control("build", table, tables, before, share);
                let encoding = Encoding::default_for(id.kind());
                let built = build(id, encoding, &control).map_err(|error| match error {
                    BuildError::Cancelled { .. } => Failure::cancelled(),
                    error => Failure::input(error),
                })?;
                place.insert((shared(built.into_table()), Verified::Built));
            }
            before += share;
        }
        Ok(())
    }

    /// The solver with these tables.
    ///
    /// # Errors
    /// Tables are missing.
    pub fn finish(self) -> Result<Engine, Failure> {
        let ids = self.spec.tables();
        let solver = Solver::with_tables(self.goal, self.spec, |id| {
            let place = ids.iter().position(|other| *other == id);
            let table = place.and_then(|place| self.tables.get(&place));
            let table = table.ok_or_else(|| {
                Failure::table(format!("{} is missing: add or build it", file_name(id)))
            })?;
            Ok::<_, Failure>(table.0.clone())
        })?;
        let tables = self.tables.into_values().collect();
        Ok(Engine::new(solver, tables))
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        Failure::input(error)
    }
}

fn entries(id: TableId) -> u64 {
    id.entries()
}

/// The name of a table's file.
pub(crate) fn file_name(id: TableId) -> String {
    id.name() + ".pdb"
}

fn shared(table: Table<Vec<u8>>) -> SharedTable {
    table.map_data(|bytes| SharedBytes(Arc::new(bytes)))
}

/// Listens to the build or the check of one of several tables, which is a share of the work.
pub(crate) fn control(
    stage: &'static str,
    table: usize,
    tables: usize,
    before: f64,
    share: f64,
) -> Control<BuildEvent> {
    let listener = move |event: &BuildEvent| {
        if let BuildEvent::Level(level) = event {
            let done = level.found as f64 / level.entries.max(1) as f64;
            host::report_progress(|| TableProgress {
                stage,
                table,
                tables,
                done: (before + share * done).min(1.0),
            });
        }
    };
    Control::new(host::cancel(), Some(Arc::new(listener)))
}

/// Reads a table's file.
fn read_table(bytes: &[u8]) -> Result<Table<Vec<u8>>, Failure> {
    const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    if bytes.starts_with(&ZSTD) {
        return Err(Failure::table(
            "the table is compressed by zstd, which is not read here: pack it with pdb-gen pack",
        ));
    }
    Table::new(bytes.to_vec()).map_err(|error: TableError| Failure::table(error))
}

fn too_large(needed: impl std::fmt::Display) -> Failure {
    Failure::memory(format!(
        "{needed}, too much for WebAssembly: choose smaller parts"
    ))
}

/// The sum of bytes, in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    pdb_table::hex(&Sha256::digest(bytes))
}
