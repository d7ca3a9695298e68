//! `pdb-gen plan`: forecasts the cost of a build.

use command::{Failure, print_line, until_interrupted};
use pdb_gen::{Forecast, TableStore, size};
use puzzle::TableId;
use serde_json::{Value, json};

use crate::build::explain_store;
use crate::pictures::Pictures;
use crate::selection::Selection;

/// Prints the partitions, the forecast of each table and the total. Then fails if the free memory
/// or the free disk space is too small.
pub(crate) fn plan(selection: &Selection) -> Result<u8, Failure> {
    let shared = &selection.shared;
    let tables = selection.tables_to_build()?;
    let pictures = Pictures::new(selection)?;
    let store = selection.store()?;
    let plan = until_interrupted(move || Plan::new(store, &tables));
    let incomplete = || Failure::interrupted("interrupted: the plan is incomplete");
    let plan = plan.ok_or_else(incomplete)?;
    if shared.json {
        print_line(plan.object(&pictures));
    } else {
        if !shared.quiet {
            pictures.print();
        }
        for (forecast, is_there) in &plan.forecasts {
            let (line, served) = (line(forecast, *is_there), pictures.served(forecast.id));
            print_line(format_args!("{line}, {served}"));
        }
        print_line(plan.total(shared.thread_count()));
    }
    plan.problem
        .map_or(Ok(0), |problem| Err(Failure::input(problem)))
}

fn line(forecast: &Forecast, is_there: bool) -> String {
    let name = forecast.id.name();
    let (entries, file) = (forecast.entries, size(forecast.file));
    if is_there {
        return format!("{name}: {entries} entries, {file}, already built");
    }
    let (memory, seconds) = (size(forecast.memory), duration(forecast.seconds));
    format!("{name}: {entries} entries, file {file}, memory {memory}, {seconds}")
}

/// The cost of building all missing tables.
struct Plan {
    store: TableStore,
    /// The forecast of each table, and whether its file already exists.
    forecasts: Vec<(Forecast, bool)>,
    /// Memory in bytes for the table that needs the most. The tables are built one after another,
    /// so this amount is sufficient for all of them.
    memory: u64,
    disk: u64,
    seconds: f64,
    /// The reason why the tables cannot be built here, and the option that helps.
    problem: Option<String>,
}

impl Plan {
    fn new(store: TableStore, tables: &[TableId]) -> Self {
        let there: Vec<bool> = tables.iter().map(|&id| store.has(id)).collect();
        let tables = || tables.iter().copied().zip(there.iter().copied());
        let missing = tables().filter(|(_, is_there)| !is_there);
        let missing: Vec<TableId> = missing.map(|(id, _)| id).collect();
        let speed = store.calibrate(&missing);
        let forecast = |(id, is_there)| (store.forecast(id, &speed), is_there);
        let forecasts: Vec<(Forecast, bool)> = tables().map(forecast).collect();
        let of_missing = || forecasts.iter().filter(|own| !own.1).map(|own| &own.0);
        let checked = missing.iter().try_for_each(|&id| store.check_memory(id));
        let checked = checked.and_then(|()| store.check_disk(&missing));
        Plan {
            memory: of_missing().map(|own| own.memory).max().unwrap_or(0),
            disk: of_missing().map(|own| own.file).sum(),
            seconds: of_missing().fold(0.0, |all, own| all + own.seconds),
            problem: checked.err().map(|error| explain_store(&error)),
            store,
            forecasts,
        }
    }

    fn object(&self, pictures: &Pictures) -> Value {
        let tables = self.forecasts.iter().map(|(forecast, is_there)| {
            json!({
                "table": forecast.id.name(),
                "kind": forecast.id.kind().name(),
                "encoding": forecast.encoding.name(),
                "entries": forecast.entries,
                "file": forecast.file,
                "memory": forecast.memory,
                "seconds": forecast.seconds,
                "there": is_there,
                "serves": pictures.served_as_json(forecast.id),
            })
        });
        json!({
            "partitions": pictures.as_json(),
            "tables": tables.collect::<Vec<_>>(),
            "memory": self.memory,
            "disk": self.disk,
            "seconds": self.seconds,
            "free_memory": self.store.memory,
            "free_disk": self.store.free_disk(),
            "fits": self.problem.is_none(),
            "message": self.problem,
        })
    }

    /// The line with the total of all tables.
    fn total(&self, threads: usize) -> String {
        let directory = self.store.directory.path().display();
        if self.disk == 0 {
            return format!("nothing to build: all tables are in {directory}");
        }
        let free = |bytes: Option<u64>| bytes.map_or("?".to_owned(), size);
        format!(
            "to build: {} with {threads} threads, memory {} of {} free, disk {} of {} free in \
             {directory}",
            duration(self.seconds),
            size(self.memory),
            free(self.store.memory),
            size(self.disk),
            free(self.store.free_disk()),
        )
    }
}

/// A duration in a readable unit.
fn duration(seconds: f64) -> String {
    match seconds {
        ..1.0 => format!("{seconds:.2} s"),
        ..120.0 => format!("{seconds:.1} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
