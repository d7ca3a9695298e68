//! `pdb-gen plan`: what a build will take, before anything is built.

use command::{Failure, print_line, until_interrupted};
use pdb_gen::{Forecast, TableStore, size};
use puzzle::TableId;
use serde_json::json;

use crate::build::explain_store;
use crate::pictures::Pictures;
use crate::selection::Selection;

/// Prints the partitions, and the forecast of each table and of all; refuses, after that,
/// what does not fit.
pub(crate) fn plan(selection: &Selection) -> Result<u8, Failure> {
    let shared = &selection.shared;
    let tables = selection.tables()?;
    let pictures = Pictures::new(selection)?;
    let store = selection.store()?;
    let planned = until_interrupted(move || (forecasts(&store, &tables), store));
    let Some((forecasts, store)) = planned else {
        return Err(Failure::interrupted(
            "interrupted: the plan is not complete",
        ));
    };
    let total = Total::new(&forecasts);
    let problem = Total::problem(&store, &forecasts);
    if shared.json {
        let mut object = as_json(&forecasts, &total, &store, problem.as_deref());
        object["partitions"] = pictures.as_json();
        for (table, (forecast, _)) in forecasts.iter().enumerate() {
            object["tables"][table]["serves"] = pictures.served_as_json(forecast.id);
        }
        print_line(object);
    } else {
        if !shared.quiet {
            pictures.print();
        }
        for (forecast, is_there) in &forecasts {
            let (line, served) = (line(forecast, *is_there), pictures.served(forecast.id));
            print_line(format_args!("{line}, {served}"));
        }
        print_line(total.line(&store, shared.thread_count()));
    }
    match problem {
        Some(problem) => Err(Failure::input(problem)),
        None => Ok(0),
    }
}

/// The forecast of each table, and whether its file is there already.
fn forecasts(store: &TableStore, tables: &[TableId]) -> Vec<(Forecast, bool)> {
    let there: Vec<bool> = tables.iter().map(|&id| store.has(id)).collect();
    let tables = || tables.iter().copied().zip(there.iter().copied());
    let missing = tables().filter(|(_, is_there)| !is_there);
    let speed = store.calibrate(&missing.map(|(id, _)| id).collect::<Vec<_>>());
    let forecast = |(id, is_there)| (store.forecast(id, &speed), is_there);
    tables().map(forecast).collect()
}

fn line(forecast: &Forecast, is_there: bool) -> String {
    let name = forecast.id.name();
    let (entries, file) = (forecast.entries, size(forecast.file));
    if is_there {
        return format!("{name}: {entries} entries, {file}, there already");
    }
    let (memory, seconds) = (size(forecast.memory), duration(forecast.seconds));
    format!("{name}: {entries} entries, file {file}, memory {memory}, {seconds}")
}

fn as_json(
    forecasts: &[(Forecast, bool)],
    total: &Total,
    store: &TableStore,
    problem: Option<&str>,
) -> serde_json::Value {
    let tables = forecasts.iter().map(|(forecast, is_there)| {
        json!({
            "table": forecast.id.name(),
            "kind": forecast.id.kind().name(),
            "encoding": forecast.encoding.name(),
            "entries": forecast.entries,
            "file": forecast.file,
            "memory": forecast.memory,
            "seconds": forecast.seconds,
            "there": is_there,
        })
    });
    json!({
        "tables": tables.collect::<Vec<_>>(),
        "memory": total.memory,
        "disk": total.disk,
        "seconds": total.seconds,
        "free_memory": store.memory,
        "free_disk": store.free_disk(),
        "fits": problem.is_none(),
        "message": problem,
    })
}

/// What building all that is missing takes.
struct Total {
    /// Tables are built one after the other, so the largest counts.
    memory: u64,
    disk: u64,
    seconds: f64,
}

impl Total {
    fn new(forecasts: &[(Forecast, bool)]) -> Self {
        let missing = || forecasts.iter().filter(|(_, is_there)| !is_there);
        Total {
            memory: missing().map(|(one, _)| one.memory).max().unwrap_or(0),
            disk: missing().map(|(one, _)| one.file).sum(),
            seconds: missing().fold(0.0, |all, (one, _)| all + one.seconds),
        }
    }

    fn line(&self, store: &TableStore, threads: usize) -> String {
        if self.disk == 0 {
            let directory = store.directory.path().display();
            return format!("nothing to build: all tables are in {directory}");
        }
        let free = |bytes: Option<u64>| bytes.map_or("?".to_owned(), size);
        format!(
            "to build: {} with {threads} threads, memory {} of {} free, disk {} of {} free in {}",
            duration(self.seconds),
            size(self.memory),
            free(store.memory),
            size(self.disk),
            free(store.free_disk()),
            store.directory.path().display(),
        )
    }

    /// Why it cannot be built here, and the way out.
    fn problem(store: &TableStore, forecasts: &[(Forecast, bool)]) -> Option<String> {
        for (forecast, _) in forecasts.iter().filter(|(_, is_there)| !is_there) {
            if let Err(error) = store.check_memory(forecast.id) {
                return Some(explain_store(&error));
            }
        }
        let missing = forecasts.iter().filter(|(_, is_there)| !is_there);
        let missing: Vec<TableId> = missing.map(|(forecast, _)| forecast.id).collect();
        let refused = store.check_disk(&missing).err();
        refused.map(|error| explain_store(&error))
    }
}

/// A time in the unit in which people think of it.
fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{seconds:.2} s")
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else if seconds < 7200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}
