//! `pdb-gen` without a subcommand: builds missing tables.

use std::time::Instant;

use command::quantity::checkpoint;
use command::{BuildBar, Failure, SharedArgs, print_error};
use pdb_gen::{
    BuildError, CheckpointError, CheckpointPolicy, EnsureOutcome, Resume, StoredTable, TableStore,
    TableStoreError, size,
};
use puzzle::TableId;
use serde_json::json;

use crate::selection::Selection;
use crate::table_files::describe_with;

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
        describe_with(&table.path, &table.header, done),
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
