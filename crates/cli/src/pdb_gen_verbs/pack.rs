//! `pdb-gen pack` packs tables for distribution, and `pdb-gen unpack` unpacks them.

use std::path::PathBuf;
use std::time::Instant;

use command::quantity::count_within;
use command::words::counted;
use command::{BuildCommand, Failure, SharedArgs, print_line};
use pdb_gen::{RayonExecutor, TableStore, free_memory, size};
use pdb_table::bundle::{Bundle, BundleError, BundleWriter, Manifest, write_unpacked};
use pdb_table::{
    Executor, HEADER_LENGTH, Header, PackError, PackMethod, Packed, Table, pack_memory,
    unpack_memory,
};
use puzzle::Goal;
use rayon::ThreadPoolBuilder;
use serde_json::json;

use crate::build::ensure_table;
use crate::selection::Selection;
use crate::table_files::{check_disk, describe};

#[derive(clap::Args, Debug)]
pub(crate) struct PackArguments {
    /// Directory for the packed tables and manifest.json
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
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
    let writer = BundleWriter::new(&arguments.out, manifest);
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
    command.add("--out", "DIR");
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

/// Maximum size in bytes of tables that are unpacked at the same time.
const MAX_TOGETHER: u64 = 1 << 30;

/// A table to unpack.
struct PackedTable<'a> {
    bundle: &'a Bundle,
    number: usize,
    packed: Packed,
}

/// The largest number of threads with which these tables can be unpacked at the same time; `None`
/// if not even one thread has enough free memory.
fn fitting_threads(tables: &[PackedTable<'_>], threads: usize, free: u64) -> Option<usize> {
    let needed = |threads: usize| {
        let needed = tables.iter().map(|own| unpack_memory(&own.packed, threads));
        needed.fold(0, u64::saturating_add)
    };
    (1..=threads).rev().find(|&threads| needed(threads) <= free)
}

/// Unpacks tables into the tables directory. All packed bytes are checked against their manifests
/// before anything is written.
pub(crate) fn unpack(shared: &SharedArgs, paths: &[PathBuf]) -> Result<(), Failure> {
    let directory = shared.directory()?;
    let bundles = paths.iter().map(|path| Bundle::open(path));
    let bundles: Vec<Bundle> = bundles.collect::<Result<_, _>>().map_err(failure)?;
    let (threads, free) = (shared.thread_count(), free_memory().unwrap_or(u64::MAX));
    let mut tables = Vec::new();
    for bundle in &bundles {
        for number in 0..bundle.tables() {
            let packed = bundle.header(number).map_err(failure)?;
            tables.push(PackedTable {
                bundle,
                number,
                packed,
            });
            // The free memory is checked before the payload is read into memory.
            let alone = &tables[tables.len() - 1..];
            fitting_threads(alone, threads, free).ok_or_else(|| too_large(alone, free))?;
            bundle.read(number).map_err(failure)?;
        }
    }
    let length =
        |own: &PackedTable<'_>| HEADER_LENGTH as u64 + own.packed.header().payload_length();
    let length = tables.iter().map(length).fold(0, u64::saturating_add);
    check_disk(directory.path(), length)?;
    let together =
        length <= MAX_TOGETHER && fitting_threads(&tables, threads, free) == Some(threads);
    for tables in tables.chunks(if together { tables.len() } else { 1 }) {
        let free = free_memory().unwrap_or(u64::MAX);
        let threads = fitting_threads(tables, threads, free);
        let threads = threads.ok_or_else(|| too_large(tables, free))?;
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let refused = |error| Failure::input(format!("cannot start threads: {error}"));
        let pool = pool.map_err(refused)?;
        let unpack = |number: usize| tables[number].unpack();
        let unpacked = pool.install(|| RayonExecutor.map(tables.len(), unpack));
        // Nothing is written if one of the tables is bad.
        let unpacked: Result<Vec<_>, _> = unpacked.into_iter().collect();
        for (table, length, unpacking) in unpacked.map_err(failure)? {
            let start = Instant::now();
            let path = write_unpacked(&directory, &table).map_err(failure)?;
            let seconds = unpacking + start.elapsed().as_secs_f64();
            let done = json!({ "packed": length, "seconds": seconds });
            shared.report(
                describe(&path, table.header(), done),
                format_args!(
                    "unpacked {}: {} entries, {} from {}, {seconds:.2} s",
                    path.display(),
                    table.header().entries,
                    size(table.bytes().len() as u64),
                    size(length as u64),
                ),
            );
        }
    }
    Ok(())
}

fn too_large(tables: &[PackedTable<'_>], free: u64) -> Failure {
    let names = tables.iter().map(|own| own.packed.header().id.name());
    let needed = tables.iter().map(|own| unpack_memory(&own.packed, 1)).sum();
    Failure::input(format!(
        "{} needs about {} of memory to unpack on one thread, {} are free: \
         free some, or pack with larger --fixed or --encoding one-bit",
        names.collect::<Vec<_>>().join(", "),
        size(needed),
        size(free)
    ))
}

impl PackedTable<'_> {
    /// The table, the packed length in bytes, and the time in seconds.
    fn unpack(&self) -> Result<(Table<Vec<u8>>, usize, f64), BundleError> {
        let start = Instant::now();
        let bytes = self.bundle.read(self.number)?;
        let cancel = command::cancel();
        let table = (self.bundle).unpack(self.number, &bytes, &RayonExecutor, &cancel)?;
        Ok((table, bytes.len(), start.elapsed().as_secs_f64()))
    }
}
