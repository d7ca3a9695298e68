//! Tables for a goal: built here, or from bytes.

use std::sync::Arc;

use js_sys::Function;
use pdb_table::TableReader;
use puzzle::{Goal, HeuristicSpec, Metric};
use solver::{
    Control, OpenError, OpenEvent, OpenOptions, SharedTable, Solver, open_tables, place_of,
};
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

/// Where nothing is asked for, seconds by the estimate for a desktop machine's core. WebAssembly
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
}

#[wasm_bindgen]
impl Loader {
    /// Which tables are needed for a goal: those of a partition by its name or its parts, else the
    /// best ones that are built within a time.
    #[wasm_bindgen(constructor)]
    pub fn new(request: &str) -> Result<Loader, JsonError> {
        let names = "size, goal, metric, kind, partition, parts, max_build_time";
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
            .max_bytes(Some(MAX_MEMORY));
        let options = unhurried.clone().max_build_seconds(seconds);
        let (spec, reason) = match parts {
            Some(parts) => (builder.parse_parts(&parts).map_err(JsonError::input)?, None),
            None => {
                let choice = options.choose(&builder, name).map_err(JsonError::input)?;
                let reason = choice.reason();
                (choice.spec, reason)
            }
        };
        // What runs out of memory traps. Time counts for those that do not come from bytes.
        unhurried
            .check(spec.name(), &spec.tables())
            .map_err(OpenError::from)?;
        Ok(Loader {
            tables: vec![None; spec.tables().len()],
            goal,
            spec,
            reason,
            options,
        })
    }

    /// The names of the tables' files, as JSON.
    pub fn needed(&self) -> JsonAnswer {
        let files = self.spec.tables().into_iter().map(file_name);
        to_json(&files.collect::<Vec<_>>())
    }

    /// Takes a table from the bytes of its file, packed or not, and checks every sum. Returns the
    /// name of its file.
    pub fn add(&mut self, bytes: &[u8]) -> JsonAnswer {
        let reader = TableReader::new(bytes)?;
        let place = place_of(&self.spec, reader.header().id)?;
        // What comes out, the frames and the packed bytes, as large as the file says.
        let table = reader.read(Some(3 * MAX_MEMORY), &(), &host::cancel())?;
        let name = file_name(table.id());
        self.tables[place] = Some((table, CheckLevel::Sums));
        Ok(name)
    }

    /// Builds the tables that are not there. The host hears how far they are.
    pub fn build(&mut self, on_progress: Option<Function>) -> Result<(), JsonError> {
        let listener = |event: &OpenEvent| {
            if let OpenEvent::Progress(progress) = event {
                host::report_progress(|| TableProgress {
                    stage: "build",
                    table: progress.number,
                    tables: progress.tables,
                    done: progress.share(),
                });
            }
        };
        let control = Control::new(host::cancel(), Some(Arc::new(listener)));
        // Memory was checked before anything was added.
        let options = self.options.clone().max_bytes(None);
        let options = options.given(self.given()).control(control);
        let opened = host::heard(on_progress, || open_tables(&self.spec, &options))?;
        for (place, table) in self.tables.iter_mut().zip(opened) {
            place.get_or_insert((table, CheckLevel::Built));
        }
        Ok(())
    }

    /// The solver with these tables.
    pub fn finish(self) -> Result<JsonSolver, JsonError> {
        let given = self.given();
        let solver = Solver::of_tables(self.goal, self.spec, &given)?;
        Ok(JsonSolver {
            solver,
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
