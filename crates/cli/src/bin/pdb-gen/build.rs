//! Building what is missing: what the command does without a subcommand.

use std::time::{Duration, Instant};

use cli::{BuildBar, Failure, SharedArgs, print_error, print_line};
use pdb_gen::{
    BuildError, CheckpointError, CheckpointPolicy, Ensured, Resume, StoredTable, TableStore,
    TableStoreError,
};
use puzzle::TableId;
use serde_json::json;

use crate::selection::Selection;
use crate::table_files::describe;

#[derive(clap::Args)]
pub(crate) struct BuildArguments {
    /// Build again what is there already
    #[arg(long)]
    force: bool,
    /// Go on from where a build was interrupted or killed, if it was saved
    #[arg(long)]
    resume: bool,
    /// Save the build after so many seconds, again and again; `off` never saves [default: when interrupted, and now
    /// and then in builds of more than some 15 s, for at most 8 % of their time]
    #[arg(long, value_name = "SECONDS|off", value_parser = parse_saving)]
    checkpoint: Option<CheckpointPolicy>,
}

impl BuildArguments {
    /// Whether any was given.
    pub(crate) fn are_given(&self) -> bool {
        self.force || self.resume || self.checkpoint.is_some()
    }
}

fn parse_saving(text: &str) -> Result<CheckpointPolicy, String> {
    if text == "off" {
        return Ok(CheckpointPolicy::Off);
    }
    let seconds = text.parse::<u32>();
    seconds
        .map(|seconds| CheckpointPolicy::Every(Duration::from_secs(seconds.into())))
        .map_err(|_| "expected a whole number of seconds, or off".to_owned())
}

pub(crate) fn build_tables(
    shared: &SharedArgs,
    choice: &Selection,
    arguments: &BuildArguments,
) -> Result<(), Failure> {
    let tables = choice.tables(shared)?;
    let mut stock = choice.stock(shared)?;
    if arguments.resume {
        stock.resume = Resume::Always;
    }
    stock.checkpoints = arguments.checkpoint.unwrap_or(stock.checkpoints);
    for id in tables {
        build_table(shared, &stock, id, arguments.force)?;
    }
    Ok(())
}

fn build_table(
    shared: &SharedArgs,
    stock: &TableStore,
    id: TableId,
    force: bool,
) -> Result<(), Failure> {
    let start = Instant::now();
    let (table, outcome) = ensure_table(shared, stock, id, force)?;
    let length = std::fs::metadata(&table.path).map_or(0, |metadata| metadata.len());
    let seconds = start.elapsed().as_secs_f64();
    let written = matches!(outcome, Ensured::Written { .. });
    if shared.json {
        let mut object = describe(&table.path, &table.header);
        object["written"] = json!(written);
        object["seconds"] = json!(seconds);
        print_line(object);
    } else if !shared.quiet {
        let done = if written { "wrote" } else { "kept " };
        print_line(format_args!(
            "{done} {}: {} entries, h up to {}, {}, {seconds:.2} s",
            table.path.display(),
            table.header.entries,
            table.header.histogram.max(),
            pdb_gen::size(length),
        ));
    }
    Ok(())
}

/// The way out of a full disk.
pub(crate) fn disk_full(error: &TableStoreError) -> String {
    format!("{error}, or give --tables DIR")
}

/// Builds a table that is missing, under a progress bar, and says why a file that was there is replaced.
pub(crate) fn ensure_table(
    shared: &SharedArgs,
    stock: &TableStore,
    id: TableId,
    force: bool,
) -> Result<(StoredTable, Ensured), Failure> {
    let bar = BuildBar::new(&id.name(), shared.quiet || shared.json);
    let ensured = stock.ensure(id, force, &bar.control());
    drop(bar);
    let ensured = ensured.map_err(|error| match error {
        TableStoreError::Build(BuildError::Cancelled { saved }) => {
            let name = id.name();
            Failure::interrupted(match saved {
                Some(level) => {
                    let again = if force {
                        "--force --resume"
                    } else {
                        "--resume"
                    };
                    format!(
                        "interrupted: {name} is saved at level {level}, {again} goes on with it"
                    )
                }
                None => {
                    format!("interrupted: {name} was not written, tables finished before are whole")
                }
            })
        }
        TableStoreError::Build(BuildError::Checkpoint(CheckpointError::Unusable(line))) => {
            Failure::table(format!("{line}: build again without --resume"))
        }
        TableStoreError::Build(BuildError::Checkpoint(_)) => Failure::table(error),
        TableStoreError::DiskFull { .. } => Failure::input(disk_full(&error)),
        TableStoreError::File(_) => Failure::table(error),
        error => Failure::input(error),
    })?;
    if let Ensured::Written {
        replaced: Some(error),
    } = &ensured.1
    {
        print_error(format_args!("pdb-gen: {error}; it was built again"));
    }
    Ok(ensured)
}
