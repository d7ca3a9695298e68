//! `pdb-gen pack`: packs tables for distribution.

use std::path::PathBuf;
use std::time::Instant;

use command::quantity::count_within;
use command::words::counted;
use command::{BuildCommand, Failure, SharedArgs, print_line};
use pdb_gen::{RayonExecutor, TableStore, size};
use pdb_table::bundle::{BundleError, BundleWriter, Manifest};
use pdb_table::{Header, PackError, PackMethod, pack_memory};
use puzzle::Goal;
use serde_json::json;

use crate::build::ensure_table;
use crate::selection::Selection;

#[derive(clap::Args, Debug)]
pub(crate) struct PackArguments {
    /// Directory for the packed tables and manifest.json; with --single, the file to write
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Write one file instead of a directory
    #[arg(long)]
    single: bool,
    /// Number of tiles that are fixed within a frame. More fixed tiles mean more and smaller
    /// frames, and larger files [default: the smallest number with at most 180,000,000 entries per
    /// frame]
    #[arg(long, value_name = "N", value_parser = count_within(0..=8))]
    fixed: Option<u64>,
}

impl PackArguments {
    /// Number of fixed tiles in a table of `tiles` tiles; `None` without `--fixed`.
    fn fixed(&self, tiles: usize) -> Option<usize> {
        let max = PackMethod::max_fixed(tiles);
        self.fixed.map(|fixed| (fixed as usize).min(max))
    }
}

/// Packs the selected tables, after building missing ones.
pub(crate) fn pack(selection: &Selection, arguments: &PackArguments) -> Result<(), Failure> {
    let shared = &selection.shared;
    let tables = selection.tables()?;
    let store = selection.store()?;
    let goal = shared.goal(None)?;
    let mut manifest = Manifest::new(
        goal.tray().to_string(),
        goal.board().numbers().to_vec(),
        rebuild_command(selection, arguments, &goal).to_string(),
    );
    manifest.parts = Manifest::parts_of(&goal, &selection.partitions(&goal)?, &tables);
    let writer = BundleWriter::new(&arguments.out, arguments.single, manifest);
    let mut writer = writer.map_err(failure)?;
    for id in tables {
        let (stored, _) = ensure_table(shared, &store, (id, &id.name()), false)?;
        let fixed = arguments.fixed(id.tiles().len());
        check_memory(shared, &store, &stored.header, fixed)?;
        let start = Instant::now();
        let encoding = stored.header.encoding;
        let opened = store.directory.open(id, encoding, &stored.path);
        let table = opened.map_err(Failure::table)?;
        let path = store.directory.file(id, encoding, false);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let packed = writer.add(&name, &table, fixed, &RayonExecutor, &command::cancel());
        let packed = packed.map_err(failure)?;
        let seconds = start.elapsed().as_secs_f64();
        let mut object = serde_json::to_value(packed).unwrap_or_default();
        object["seconds"] = json!(seconds);
        shared.report(
            object,
            format_args!(
                "packed {}: {} entries, {} to {}, {}, {seconds:.2} s",
                packed.packed.file,
                packed.table.entries,
                size(packed.table.length),
                size(packed.packed.length),
                counted(packed.frames as u64, "frame"),
            ),
        );
    }
    let written = writer.finish().map_err(failure)?;
    if !shared.quiet && !shared.json {
        print_line(format_args!("wrote  {}", written.display()));
    }
    Ok(())
}

/// Rejects a table that needs more memory to pack than is free.
fn check_memory(
    shared: &SharedArgs,
    store: &TableStore,
    header: &Header,
    fixed: Option<usize>,
) -> Result<(), Failure> {
    let needed = pack_memory(header, fixed, shared.thread_count());
    match store.memory.filter(|&free| needed > free) {
        None => Ok(()),
        Some(free) => Err(Failure::input(format!(
            "{} needs about {} of memory to pack, {} are free: \
             try --fixed 2, or fewer --threads",
            header.id.name(),
            size(needed),
            size(free)
        ))),
    }
}

/// The command that packs the same tables again, for the manifest. It contains no `--tables`, so it
/// works with any tables directory.
fn rebuild_command(selection: &Selection, arguments: &PackArguments, goal: &Goal) -> BuildCommand {
    let tiles = selection.pattern.tiles.as_ref().map(|list| {
        let numbers = list.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<&str> = numbers.filter(|number| !number.is_empty()).collect();
        numbers.join(",")
    });
    let mut command = selection.command(&["pack"], goal, tiles);
    if let Some(fixed) = arguments.fixed {
        command.add("--fixed", fixed);
    }
    if arguments.single {
        command.add_flag("--single");
    }
    command.add("--out", "PATH");
    command
}

/// The failure of packing or unpacking.
pub(crate) fn failure(error: BundleError) -> Failure {
    match error {
        BundleError::Pack {
            error: PackError::Cancelled,
            path,
        } => Failure::interrupted(format!("{path}: interrupted, not written")),
        error => Failure::table(error),
    }
}
