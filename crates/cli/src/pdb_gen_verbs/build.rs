//! `pdb-gen` without a subcommand builds missing tables, and `pdb-gen plan` forecasts the cost.

use std::time::Instant;

use command::quantity::checkpoint;
use command::{BuildBar, Failure, SharedArgs, print_error, print_line, until_interrupted};
use pdb_gen::{
    BuildError, CheckpointError, CheckpointPolicy, EnsureOutcome, Forecast, Resume, StoredTable,
    TableStore, TableStoreError, size,
};
use puzzle::TableId;
use serde_json::{Value, json};

use crate::pictures::Pictures;
use crate::selection::Selection;
use crate::table_files::describe;

#[derive(clap::Args, Debug)]
pub(crate) struct BuildArguments {
    /// Rebuild tables that already exist
    #[arg(long)]
    force: bool,
    /// Resume an interrupted or killed build from its checkpoint, if a checkpoint exists
    #[arg(long)]
    resume: bool,
    /// Time between checkpoints, in seconds or with a unit such as 10m; off disables checkpoints
    /// [default: on Ctrl-C, and after 15 s at intervals such that checkpoints take at most 8 % of
    /// the time]
    #[arg(long, value_name = "TIME|off", value_parser = checkpoint,
          allow_hyphen_values = true)]
    checkpoint: Option<CheckpointPolicy>,
}

pub(crate) fn build(selection: &Selection, arguments: &BuildArguments) -> Result<(), Failure> {
    let tables = selection.tables_to_build()?;
    let mut store = selection.store()?;
    if arguments.resume {
        store.resume = Resume::Always;
    }
    store.checkpoints = arguments.checkpoint.unwrap_or(store.checkpoints);
    for (number, &id) in (1..).zip(&tables) {
        let title = match tables.len() {
            1 => id.name(),
            all => format!("table {number} of {all}: {}", id.name()),
        };
        build_table(&selection.shared, &store, (id, &title), arguments.force)?;
    }
    if selection.has_more_sides()? && !selection.shared.quiet && !selection.shared.json {
        print_error("pdb-gen: --both-sides also builds tables for searches from the goal");
    }
    Ok(())
}

fn build_table(
    shared: &SharedArgs,
    store: &TableStore,
    (id, title): (TableId, &str),
    force: bool,
) -> Result<(), Failure> {
    let start = Instant::now();
    let (table, ensured) = ensure_table(shared, store, (id, title), force)?;
    let length = std::fs::metadata(&table.path).map_or(0, |metadata| metadata.len());
    let seconds = start.elapsed().as_secs_f64();
    let written = matches!(ensured, EnsureOutcome::Written { .. });
    let done = json!({ "written": written, "seconds": seconds });
    shared.report(
        describe(&table.path, &table.header, done),
        format_args!(
            "{} {}: {} entries, h up to {}, {}, {seconds:.2} s",
            if written { "wrote" } else { "kept " },
            table.path.display(),
            table.header.entries,
            table.header.histogram.max(),
            size(length),
        ),
    );
    Ok(())
}

/// Explains a table error, with the options that help.
pub(crate) fn explain_store(error: &TableStoreError) -> String {
    match error {
        TableStoreError::DiskFull { .. } => format!("{error}, or give --tables DIR"),
        error => error.to_string(),
    }
}

/// Builds a table if it is missing, with a progress bar of this title. Prints why an existing file
/// is replaced.
pub(crate) fn ensure_table(
    shared: &SharedArgs,
    store: &TableStore,
    (id, title): (TableId, &str),
    force: bool,
) -> Result<(StoredTable, EnsureOutcome), Failure> {
    let bar = BuildBar::new(title, shared.quiet || shared.json);
    let ensured = store.ensure(id, force, &bar.control());
    bar.clear();
    let ensured = ensured.map_err(|error| match error {
        TableStoreError::Build(BuildError::Cancelled { saved }) => {
            let again = if force { "--force " } else { "" };
            let state = match saved {
                Some(level) => {
                    format!("was saved at level {level}; {again}--resume continues")
                }
                None => "was not written; tables finished earlier are complete".to_owned(),
            };
            Failure::interrupted(format!("interrupted: {} {state}", id.name()))
        }
        TableStoreError::Build(BuildError::Checkpoint(CheckpointError::Unusable(line))) => {
            Failure::table(format!("{line}: build again without --resume"))
        }
        TableStoreError::Build(BuildError::Checkpoint(_)) | TableStoreError::File(_) => {
            Failure::table(error)
        }
        error => Failure::input(explain_store(&error)),
    })?;
    if let (
        _,
        EnsureOutcome::Written {
            replaced: Some(error),
        },
    ) = &ensured
    {
        print_error(format_args!("pdb-gen: {error}; it was built again"));
    }
    Ok(ensured)
}

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
