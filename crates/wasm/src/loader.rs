//! Tables for a goal, built here or read from bytes.

use std::sync::Arc;

use js_sys::Function;
use pdb_table::TableReader;
use puzzle::{Goal, HeuristicSpec, Metric};
use solver::{Control, OpenError, OpenEvent, OpenOptions, SharedTable, Solver, place_of};
use wasm_bindgen::prelude::*;

use crate::host;
use crate::json_error::{JsonAnswer, JsonError, to_json};
use crate::json_solver::JsonSolver;
use crate::request::Request;
use crate::rules::{read_goal, read_size};
use crate::tables::{CheckLevel, TableProgress, file_name};

/// Maximum estimated memory of all tables, in bytes. The actual peak is up to three times this
/// estimate plus the size of the finished files. This peak fits into the 4 GiB of 32-bit addresses.
const MAX_MEMORY: u64 = 1 << 30;

/// Default limit of the estimated build time in seconds, for one core of a desktop machine.
/// WebAssembly takes about twice as long, and phones several times as long. For the metric `single`
/// the limit is smaller than in the other frontends. For `multi` it is the same as in the other
/// frontends, because searches in this metric depend on tables.
fn usual_seconds(metric: Metric) -> f64 {
    match metric {
        Metric::Single => 1.5,
        Metric::Multi => OpenOptions::usual_seconds(metric),
    }
}

/// A goal, and its available tables.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Loader {
    goal: Goal,
    spec: HeuristicSpec,
    /// The reason why the default tables of the tray's size were not chosen.
    reason: Option<String>,
    options: OpenOptions,
    /// The needed tables, in the order of the specification.
    tables: Vec<Option<(SharedTable, CheckLevel)>>,
    /// Tables read from bytes, for goals whose blank is on another cell than in `goal`.
    others: Vec<SharedTable>,
    /// The solver, if [`Loader::build`] has created it.
    solver: Option<Solver>,
}

#[wasm_bindgen]
impl Loader {
    /// Chooses the tables for a goal: the tables of the requested partition, or the best tables
    /// that can be built within the build time.
    #[wasm_bindgen(constructor)]
    pub fn new(request: &str) -> Result<Loader, JsonError> {
        let names = "size, goal, metric, kind, partition, parts, max_build_time, both_sides";
        let request = Request::read(request, names)?;
        let goal = read_goal(request.text("goal")?, read_size(request.text("size")?)?)?;
        let mut builder = HeuristicSpec::builder(&goal);
        if let Some(kind) = request.parsed("kind")? {
            builder = builder.kind(kind);
        }
        if let Some(metric) = request.parsed("metric")? {
            builder = builder.metric(metric);
        }
        let name = request.text("partition")?;
        let parts = request.parts("parts")?.filter(|_| name.is_none());
        let is_asked = name.is_some() || parts.is_some();
        let usual = match is_asked {
            true => f64::INFINITY,
            false => usual_seconds(builder.table_metric()),
        };
        let seconds = request.number("max_build_time")?.unwrap_or(usual);
        let unhurried = OpenOptions::in_memory()
            .threads(1)
            .max_bytes(Some(MAX_MEMORY))
            .both_sides(request.flag("both_sides")?.unwrap_or(true));
        let options = unhurried.clone().max_build_seconds(seconds);
        let (spec, reason) = match parts {
            Some(parts) => (builder.parse_parts(&parts).map_err(JsonError::input)?, None),
            None => {
                let choice = options.choose(&builder, name).map_err(JsonError::input)?;
                let reason = choice.reason();
                (choice.spec, reason)
            }
        };
        // Checks only the memory limit, because a build that exhausts the memory would trap. The
        // time limit is checked by `build`.
        unhurried
            .check(spec.name(), &spec.tables())
            .map_err(OpenError::from)?;
        Ok(Loader {
            tables: vec![None; spec.tables().len()],
            others: Vec::new(),
            solver: None,
            goal,
            spec,
            reason,
            options,
        })
    }

    /// File names of the tables as JSON: the needed tables, and the tables of other goal cells of
    /// the blank that fit the memory limit.
    pub fn files(&self) -> JsonAnswer {
        // The listed tables can be read from bytes instead of built, so the time limit is ignored.
        let options = self.options.clone().max_build_seconds(f64::MAX);
        let specs = options.other_goals(&self.spec);
        let ids = HeuristicSpec::tables_of([&self.spec].into_iter().chain(&specs));
        let mut files: Vec<String> = ids.into_iter().map(file_name).collect();
        let others = files.split_off(self.tables.len());
        to_json(&[files, others])
    }

    /// Adds a table from the bytes of its file, packed or not, after checking every checksum.
    /// Returns the file name.
    pub fn add(&mut self, bytes: &[u8]) -> JsonAnswer {
        let reader = TableReader::new(bytes)?;
        let id = reader.header().id;
        let place = place_of(&self.spec, id)?;
        // The limit applies to the memory for reading; `read` computes it from the file's header.
        let table = reader.read(Some(3 * MAX_MEMORY), &(), &host::cancel())?;
        match place {
            Some(place) => self.tables[place] = Some((table, CheckLevel::Sums)),
            None => self.others.push(table),
        }
        Ok(file_name(id))
    }

    /// Builds the missing tables of the specification, and tables for goals whose blank is on
    /// another cell. The host receives the progress of the specification's tables only.
    pub fn build(&mut self, on_progress: Option<Function>) -> Result<(), JsonError> {
        let needed = self.spec.tables();
        let listener = move |event: &OpenEvent| {
            if let OpenEvent::Progress(progress) = event
                && needed.contains(&progress.id)
            {
                host::report_progress(|| TableProgress {
                    stage: "build",
                    table: progress.number,
                    tables: progress.tables,
                    done: progress.share(),
                });
            }
        };
        let control = Control::new(host::cancel(), Some(Arc::new(listener)));
        let mut given = self.given();
        given.extend_from_slice(&self.others);
        let options = self.options.clone().given(given).control(control);
        let (goal, spec) = (self.goal.clone(), self.spec.clone());
        let solver = host::heard(on_progress, || Solver::open(goal, spec, &options))?;
        for (place, table) in self.tables.iter_mut().zip(solver.tables()) {
            place.get_or_insert((table, CheckLevel::Built));
        }
        self.solver = Some(solver);
        Ok(())
    }

    /// Creates the solver with the available tables.
    pub fn finish(self) -> Result<JsonSolver, JsonError> {
        let given = self.given();
        let solver = match self.solver {
            Some(solver) => solver,
            None => {
                let mut solver = Solver::of_tables(self.goal, self.spec, &given)?;
                let options = self.options.clone().given(self.others);
                solver.open_other_goals(&options.max_build_seconds(0.0))?;
                solver
            }
        };
        Ok(JsonSolver {
            solver,
            options: self.options,
            reason: self.reason,
            tables: self.tables.into_iter().flatten().collect(),
        })
    }
}

impl Loader {
    fn given(&self) -> Vec<SharedTable> {
        let tables = self.tables.iter().flatten();
        tables.map(|(table, _)| table.clone()).collect()
    }
}
