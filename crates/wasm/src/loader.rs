//! Tables for a goal: built here, or from bytes.

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

/// Memory that all tables may take by estimate. The truth is up to three times as much and the
/// finished files, which still fits the 4 GiB that 32-bit addresses reach.
const MAX_MEMORY: u64 = 1 << 30;

/// Default limit, in seconds by the estimate for a core of a desktop machine. WebAssembly
/// takes about twice as long, and telephones a few times that: less than elsewhere, but where
/// searches get nowhere without tables.
fn usual_seconds(metric: Metric) -> f64 {
    match metric {
        Metric::Single => 1.5,
        Metric::Multi => OpenOptions::usual_seconds(metric),
    }
}

/// A goal, and the tables for it as far as they are there.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Loader {
    goal: Goal,
    spec: HeuristicSpec,
    /// Why these tables and not the size's usual ones.
    reason: Option<String>,
    options: OpenOptions,
    /// In the order of the specification.
    tables: Vec<Option<(SharedTable, CheckLevel)>>,
    /// Tables of other goal cells of the blank, from bytes.
    others: Vec<SharedTable>,
    /// The solver of tables that were built here.
    solver: Option<Solver>,
}

#[wasm_bindgen]
impl Loader {
    /// Which tables are needed for a goal: those of a partition by its name or its parts, else the
    /// best ones that are built within a time.
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
        // Running out of memory is a trap. Time counts for tables that do not come from bytes.
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

    /// The names of the tables' files as JSON: those that are needed, and those of other goal cells
    /// of the blank that fit.
    pub fn files(&self) -> JsonAnswer {
        // From bytes, they take no time to build.
        let options = self.options.clone().max_build_seconds(f64::MAX);
        let specs = options.other_goals(&self.spec);
        let ids = HeuristicSpec::tables_of([&self.spec].into_iter().chain(&specs));
        let mut files: Vec<String> = ids.into_iter().map(file_name).collect();
        let others = files.split_off(self.tables.len());
        to_json(&[files, others])
    }

    /// Takes a table from the bytes of its file, packed or not, and checks every sum. Returns the
    /// name of its file.
    pub fn add(&mut self, bytes: &[u8]) -> JsonAnswer {
        let reader = TableReader::new(bytes)?;
        let id = reader.header().id;
        let place = place_of(&self.spec, id)?;
        // Sizes by the file's header: unpacked table, frames and packed bytes.
        let table = reader.read(Some(3 * MAX_MEMORY), &(), &host::cancel())?;
        match place {
            Some(place) => self.tables[place] = Some((table, CheckLevel::Sums)),
            None => self.others.push(table),
        }
        Ok(file_name(id))
    }

    /// Builds the tables that are not there, and those of other goal cells of the blank. The host
    /// receives the progress of the needed ones.
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

    /// The solver with these tables.
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
