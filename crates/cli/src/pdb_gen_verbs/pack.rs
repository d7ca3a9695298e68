//! `pdb-gen pack` packs tables for distribution, and `pdb-gen unpack` unpacks them.

use std::path::PathBuf;
use std::time::Instant;

use command::quantity::count_within;
use command::words::counted;
use command::{BuildCommand, Failure, SharedArgs, print_line};
use pdb_gen::{RayonExecutor, TableStore, free_disk, free_memory, size};
use pdb_table::bundle::{Bundle, BundleError, BundleWriter, Manifest, write_unpacked};
use pdb_table::{
    Executor, HEADER_LENGTH, Header, PackError, PackMethod, Packed, Table, TableDirectory,
    pack_memory, unpack_memory,
};
use puzzle::Goal;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

use crate::build::ensure_table;
use crate::selection::Selection;
use crate::table_files::describe_with;

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

/// Maximum size of a batch in bytes, unless a single table is larger.
const MAX_BATCH_LENGTH: u64 = 1 << 30;

/// Tables that are unpacked at the same time.
#[derive(Default)]
struct Batch<'a> {
    tables: Vec<(&'a Bundle, usize)>,
    /// Names of the tables, for messages.
    names: Vec<String>,
    /// Total length of the payloads in bytes.
    length: u64,
    /// Memory in bytes needed with 1, 2, ... threads.
    memory: Vec<u64>,
}

impl<'a> Batch<'a> {
    /// A batch with one table, on at most `threads` threads.
    fn new(bundle: &'a Bundle, table: usize, packed: &Packed, threads: usize) -> Self {
        let memory = (1..=threads).map(|threads| unpack_memory(packed, threads));
        Batch {
            tables: vec![(bundle, table)],
            names: vec![packed.header().id.name()],
            length: packed.header().payload_length(),
            memory: memory.collect(),
        }
    }

    /// Adds the tables of another batch if both batches fit together. Otherwise returns the other
    /// batch.
    fn join(&mut self, other: Batch<'a>, free: u64) -> Option<Batch<'a>> {
        let memory = self.memory.iter().zip(&other.memory);
        let memory: Vec<u64> = memory.map(|(a, b)| a.saturating_add(*b)).collect();
        let length = self.length.saturating_add(other.length);
        if length > MAX_BATCH_LENGTH || memory.last().is_none_or(|&needed| needed > free) {
            return Some(other);
        }
        self.tables.extend(other.tables);
        self.names.extend(other.names);
        (self.length, self.memory) = (length, memory);
        None
    }

    /// The largest number of threads for which the free memory is sufficient.
    fn threads(&self, free: u64) -> Result<usize, Failure> {
        let fitting = self.memory.iter().rposition(|&needed| needed <= free);
        fitting.map(|less_one| less_one + 1).ok_or_else(|| {
            Failure::input(format!(
                "{} needs about {} of memory to unpack on one thread, {} are free: \
                 free some, or pack with larger --fixed or --encoding one-bit",
                self.names.join(", "),
                size(self.memory.first().copied().unwrap_or(0)),
                size(free)
            ))
        })
    }
}

/// Rejects tables that exceed the free disk space. If the free space is unknown, a full disk makes
/// the write fail.
fn check_disk(directory: &TableDirectory, batches: &[Batch<'_>]) -> Result<(), Failure> {
    let length = |batch: &Batch<'_>| (batch.tables.len() * HEADER_LENGTH) as u64 + batch.length;
    let needed = batches.iter().map(length).fold(0, u64::saturating_add);
    match free_disk(directory.path()).filter(|&free| needed > free) {
        None => Ok(()),
        Some(free) => Err(Failure::input(format!(
            "not enough disk space: the tables need {}, {} are free in {}: \
             free some, or give another directory with --tables",
            size(needed),
            size(free),
            directory.path().display()
        ))),
    }
}

/// Unpacks tables into the tables directory. All packed bytes are checked against their manifests
/// before anything is written.
pub(crate) fn unpack(shared: &SharedArgs, paths: &[PathBuf]) -> Result<(), Failure> {
    let directory = shared.directory()?;
    let bundles = paths.iter().map(|path| Bundle::open(path));
    let bundles: Vec<Bundle> = bundles.collect::<Result<_, _>>().map_err(failure)?;
    let free = || free_memory().unwrap_or(u64::MAX);
    let free_now = free();
    let mut batches: Vec<Batch<'_>> = Vec::new();
    for bundle in &bundles {
        for table in 0..bundle.tables() {
            let packed = bundle.header(table).map_err(failure)?;
            let alone = Batch::new(bundle, table, &packed, shared.thread_count());
            // The free memory is checked before the payload is read into memory.
            alone.threads(free_now)?;
            bundle.read(table).map_err(failure)?;
            let left = match batches.last_mut() {
                Some(batch) => batch.join(alone, free_now),
                None => Some(alone),
            };
            batches.extend(left);
        }
    }
    check_disk(&directory, &batches)?;
    for batch in batches {
        let threads = batch.threads(free())?;
        let unpack = |index: usize| {
            let (bundle, table) = batch.tables[index];
            UnpackedTable::new(bundle, table)
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let refused = |error| Failure::input(format!("cannot start threads: {error}"));
        let pool = pool.map_err(refused)?;
        let unpacked = pool.install(|| RayonExecutor.map(batch.tables.len(), unpack));
        let unpacked = unpacked.into_iter().collect::<Result<Vec<_>, _>>();
        let unpacked = unpacked.map_err(failure)?;
        let write = |index: usize| unpacked[index].write(&directory);
        for written in RayonExecutor.map(unpacked.len(), write) {
            let (object, line) = written.map_err(failure)?;
            shared.report(object, line);
        }
    }
    Ok(())
}

/// A table after unpacking.
struct UnpackedTable {
    table: Table<Vec<u8>>,
    packed_length: usize,
    seconds: f64,
}

impl UnpackedTable {
    fn new(bundle: &Bundle, table: usize) -> Result<Self, BundleError> {
        let start = Instant::now();
        let bytes = bundle.read(table)?;
        Ok(UnpackedTable {
            table: bundle.unpack(table, &bytes, &RayonExecutor, &command::cancel())?,
            packed_length: bytes.len(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Writes the table's file. Returns a report as an object and as a line.
    fn write(&self, directory: &TableDirectory) -> Result<(Value, String), BundleError> {
        let start = Instant::now();
        let path = write_unpacked(directory, &self.table)?;
        let seconds = self.seconds + start.elapsed().as_secs_f64();
        let done = json!({ "packed": self.packed_length, "seconds": seconds });
        let line = format!(
            "unpacked {}: {} entries, {} from {}, {seconds:.2} s",
            path.display(),
            self.table.header().entries,
            size(self.table.bytes().len() as u64),
            size(self.packed_length as u64),
        );
        Ok((describe_with(&path, self.table.header(), done), line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(length: u64, memory: &[u64]) -> Batch<'static> {
        Batch {
            length,
            memory: memory.to_vec(),
            ..Batch::default()
        }
    }

    #[test]
    fn tables_are_unpacked_together_and_on_all_threads_if_memory_allows() {
        let mut first = batch(10, &[40, 50, 60]);
        assert!(first.join(batch(10, &[40, 50, 60]), 119).is_some());
        assert_eq!(first.memory, [40, 50, 60]);
        assert!(first.join(batch(10, &[40, 50, 60]), 120).is_none());
        assert_eq!((first.length, &first.memory[..]), (20, &[80, 100, 120][..]));
        assert!(
            first
                .join(batch(MAX_BATCH_LENGTH, &[0, 0, 0]), 120)
                .is_some()
        );
        let threads = |free| first.threads(free).map_err(|_| ());
        assert_eq!(
            [120, 119, 99, 80].map(threads),
            [Ok(3), Ok(2), Ok(1), Ok(1)]
        );
        assert_eq!(threads(79), Err(()));
    }
}
