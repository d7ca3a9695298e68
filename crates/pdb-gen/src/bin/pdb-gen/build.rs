//! Building what is missing: what the command does without a subcommand.

use std::time::Instant;

use pdb_gen::command::{Bar, Failure, SharedArgs, remark, say};
use pdb_gen::{BuildError, Outcome, Stock, StockError, TableHead};
use puzzle::TableId;
use serde_json::json;

use crate::choice::Choice;
use crate::files::describe;

#[derive(clap::Args)]
pub(crate) struct BuildArguments {
    /// Build again what is there already
    #[arg(long)]
    force: bool,
}

pub(crate) fn build_tables(
    shared: &SharedArgs,
    choice: &Choice,
    arguments: &BuildArguments,
) -> Result<(), Failure> {
    let tables = choice.tables(shared)?;
    let stock = choice.stock(shared)?;
    for id in tables {
        build_table(shared, &stock, id, arguments.force)?;
    }
    Ok(())
}

fn build_table(
    shared: &SharedArgs,
    stock: &Stock,
    id: TableId,
    force: bool,
) -> Result<(), Failure> {
    let start = Instant::now();
    let (table, outcome) = ensure(shared, stock, id, force)?;
    let length = std::fs::metadata(&table.path).map_or(0, |metadata| metadata.len());
    let seconds = start.elapsed().as_secs_f64();
    let written = matches!(outcome, Outcome::Written { .. });
    if shared.json {
        let mut object = describe(&table.path, &table.header);
        object["written"] = json!(written);
        object["seconds"] = json!(seconds);
        say(object);
    } else if !shared.quiet {
        let done = if written { "wrote" } else { "kept " };
        say(format_args!(
            "{done} {}: {} entries, h up to {}, {}, {seconds:.2} s",
            table.path.display(),
            table.header.entries,
            table.header.values.max(),
            pdb_gen::size(length),
        ));
    }
    Ok(())
}

/// Sees to it that a table is there; says so when it replaces a damaged file.
pub(crate) fn ensure(
    shared: &SharedArgs,
    stock: &Stock,
    id: TableId,
    force: bool,
) -> Result<(TableHead, Outcome), Failure> {
    let mut bar = Bar::new(&id.name(), shared.quiet || shared.json);
    let ensured = stock.ensure(id, force, &mut bar);
    drop(bar);
    let (table, outcome) = ensured.map_err(|error| match error {
        StockError::Build(BuildError::Cancelled) => Failure::interrupted(format!(
            "interrupted: {} was not written, tables finished before are whole",
            id.name()
        )),
        StockError::Build(_) | StockError::TooLarge { .. } => Failure::input(error),
        StockError::File(_) => Failure::table(error),
    })?;
    if let Outcome::Written {
        replaced: Some(error),
    } = &outcome
    {
        remark(format_args!("pdb-gen: {error}; it was built again"));
    }
    Ok((table, outcome))
}
