//! `pdb-gen pack` and `unpack`: tables in a form to ship.

use std::path::PathBuf;
use std::time::Instant;

use cli::{Failure, SharedArgs, free_memory, interrupted, print_line};
use pdb_gen::{RayonExecutor, TableStore};
use pdb_table::bundle::{Bundle, BundleError, BundleWriter, Manifest, Part, write_unpacked};
use pdb_table::{
    Executor, HEADER_LENGTH, Header, PackError, PackMethod, Packed, Table, TableDirectory,
};
use puzzle::Goal;
use serde_json::json;

use crate::build::ensure_table;
use crate::selection::{Selection, one_pattern};
use crate::table_files::describe;

#[derive(clap::Args)]
pub(crate) struct PackArguments {
    /// Directory for the packed tables and manifest.json, or with --single a file
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Write one file instead of a directory
    #[arg(long)]
    single: bool,
    /// Tiles that are the same throughout a frame, or as many as a table can have: more make more and smaller frames, and
    /// larger files [default: as few as make frames of 256 Mi entries at most]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=8))]
    fixed: Option<u8>,
}

impl PackArguments {
    /// How many tiles are fixed in a table of so many.
    fn fixed(&self, tiles: usize) -> Option<usize> {
        let most = PackMethod::max_fixed(tiles);
        self.fixed.map(|fixed| usize::from(fixed).min(most))
    }
}

/// Packs the tables of a choice, after building those that are missing.
pub(crate) fn pack_tables(
    shared: &SharedArgs,
    choice: &Selection,
    arguments: &PackArguments,
) -> Result<(), Failure> {
    let tables = choice.tables(shared)?;
    let stock = choice.stock(shared)?;
    let goal = shared.goal(None)?;
    let mut manifest = Manifest::new(
        goal.tray().to_string(),
        goal.board().numbers().to_vec(),
        rebuild_command(shared, choice, arguments, &goal),
    );
    manifest.parts = parts(shared, choice, &goal, &tables)?;
    let mut writer =
        BundleWriter::new(&arguments.out, arguments.single, manifest).map_err(failure)?;
    for id in tables {
        let (head, _) = ensure_table(shared, &stock, id, false)?;
        let fixed = arguments.fixed(id.tiles().len());
        check_memory(shared, &stock, &head.header, fixed)?;
        let start = Instant::now();
        let encoding = head.header.encoding;
        let opened = stock.directory.open(id, encoding, &head.path);
        let table = opened.map_err(Failure::table)?;
        let path = stock.directory.file(id, encoding, false);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let packed = writer.add(&name, &table, fixed, &RayonExecutor, &cli::cancel());
        let packed = packed.map_err(failure)?;
        let seconds = start.elapsed().as_secs_f64();
        if shared.json {
            let mut object = serde_json::to_value(packed).unwrap_or_default();
            object["seconds"] = json!(seconds);
            print_line(object);
        } else if !shared.quiet {
            print_line(format_args!(
                "packed {}: {} entries, {} to {}, {} frame{}, {seconds:.2} s",
                packed.packed.file,
                packed.table.entries,
                pdb_gen::size(packed.table.length),
                pdb_gen::size(packed.packed.length),
                packed.frames,
                if packed.frames == 1 { "" } else { "s" },
            ));
        }
    }
    let written = writer.finish().map_err(failure)?;
    if !shared.quiet && !shared.json {
        print_line(format_args!("wrote  {}", written.display()));
    }
    Ok(())
}

/// Refuses a table that is too large to pack here.
fn check_memory(
    shared: &SharedArgs,
    stock: &TableStore,
    header: &Header,
    fixed: Option<usize>,
) -> Result<(), Failure> {
    let needed = pdb_table::pack_memory(header, fixed, shared.thread_count());
    match stock.memory.filter(|&free| needed > free) {
        None => Ok(()),
        Some(free) => Err(Failure::input(format!(
            "{} needs about {} of memory to pack, and {} are free: try --fixed 2, or fewer --threads",
            header.id.name(),
            pdb_gen::size(needed),
            pdb_gen::size(free)
        ))),
    }
}

/// The patterns asked for, and which table serves each.
fn parts(
    shared: &SharedArgs,
    choice: &Selection,
    goal: &Goal,
    tables: &[puzzle::TableId],
) -> Result<Vec<Part>, Failure> {
    let part = |partition: usize, pattern: puzzle::Pattern, kind: puzzle::TableKind| {
        let (id, _) = pattern.table(kind);
        Part {
            partition,
            tiles: pattern
                .tiles()
                .iter()
                .map(|cell| goal.number_at(cell))
                .collect(),
            table: tables.iter().position(|table| *table == id).unwrap_or(0),
        }
    };
    if let Some(list) = &choice.tiles {
        return Ok(vec![part(0, one_pattern(list, goal)?.1, shared.kind())]);
    }
    let plan = shared.spec(goal).map_err(Failure::input)?;
    let sizes = plan
        .partitions()
        .iter()
        .map(|partition| partition.patterns().len());
    let numbers = sizes
        .enumerate()
        .flat_map(|(number, size)| std::iter::repeat_n(number, size));
    let patterns = plan.patterns().zip(numbers);
    Ok(patterns
        .map(|((pattern, kind), number)| part(number, pattern, kind))
        .collect())
}

/// The command that makes the same files again, wherever the tables are kept.
fn rebuild_command(
    shared: &SharedArgs,
    choice: &Selection,
    arguments: &PackArguments,
    goal: &Goal,
) -> String {
    let anywhere = SharedArgs {
        tables: None,
        ..shared.clone()
    };
    let mut command = anywhere.build_command(goal);
    if let Some(list) = &choice.tiles {
        let numbers = list.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<&str> = numbers.filter(|number| !number.is_empty()).collect();
        let default = puzzle::HeuristicSpec::default_name(puzzle::Metric::Single, goal.tray());
        let tiles = format!(" --tiles {}", numbers.join(","));
        command = command.replace(&format!(" --partition {default}"), &tiles);
    }
    if let Some(encoding) = choice.encoding {
        command.push_str(&format!(" --encoding {encoding}"));
    }
    let mut pack = command.replacen("pdb-gen", "pdb-gen pack", 1);
    if let Some(fixed) = arguments.fixed {
        pack.push_str(&format!(" --fixed {fixed}"));
    }
    if arguments.single {
        pack.push_str(" --single");
    }
    pack.push_str(" --out PATH");
    pack
}

/// Tables that are unpacked at the same time have so many bytes together, unless one alone has more.
const AT_ONCE: u64 = 1 << 30;

/// Tables that are unpacked at the same time.
#[derive(Default)]
struct Batch<'a> {
    tables: Vec<(&'a Bundle, usize)>,
    /// What they are called.
    names: Vec<String>,
    /// Bytes of their payloads.
    length: u64,
    /// Bytes of memory that they need by the number of threads, less one.
    memory: Vec<u64>,
}

impl<'a> Batch<'a> {
    /// One table alone, on so many threads at most.
    fn new(site: &'a Bundle, table: usize, packed: &Packed, threads: usize) -> Self {
        let memory = (1..=threads).map(|threads| pdb_table::unpack_memory(packed, threads));
        Batch {
            tables: vec![(site, table)],
            names: vec![packed.header().id.name()],
            length: packed.header().payload_length(),
            memory: memory.collect(),
        }
    }

    /// Takes another's tables along if all fit together, else gives the other back.
    fn join(&mut self, other: Batch<'a>, free: u64) -> Option<Batch<'a>> {
        let memory = self.memory.iter().zip(&other.memory);
        let memory: Vec<u64> = memory.map(|(a, b)| a.saturating_add(*b)).collect();
        let length = self.length.saturating_add(other.length);
        if length > AT_ONCE || memory.last().is_none_or(|&needed| needed > free) {
            return Some(other);
        }
        self.tables.extend(other.tables);
        self.names.extend(other.names);
        (self.length, self.memory) = (length, memory);
        None
    }

    /// As many threads as there is memory for.
    fn threads(&self, free: u64) -> Result<usize, Failure> {
        let fitting = self.memory.iter().rposition(|&needed| needed <= free);
        fitting.map(|less_one| less_one + 1).ok_or_else(|| {
            Failure::input(format!(
                "{} needs about {} of memory to unpack on one thread, and {} are free: free some, or pack with larger --fixed or --encoding one-bit",
                self.names.join(", "),
                pdb_gen::size(self.memory.first().copied().unwrap_or(0)),
                pdb_gen::size(free)
            ))
        })
    }
}

/// Refuses tables that do not fit the disk. Where the system does not tell, writing will.
fn check_disk(directory: &TableDirectory, batches: &[Batch<'_>]) -> Result<(), Failure> {
    let length = |batch: &Batch<'_>| (batch.tables.len() * HEADER_LENGTH) as u64 + batch.length;
    let needed = batches.iter().map(length).fold(0, u64::saturating_add);
    match pdb_gen::free_disk(directory.path()).filter(|&free| needed > free) {
        None => Ok(()),
        Some(free) => Err(Failure::input(format!(
            "the tables take {} of disk, and {} are free in {}: make room, or give another directory with --tables",
            pdb_gen::size(needed),
            pdb_gen::size(free),
            directory.path().display()
        ))),
    }
}

/// Unpacks tables into the tables directory. All packed bytes are checked against their manifests before anything is written.
pub(crate) fn unpack_tables(shared: &SharedArgs, paths: &[PathBuf]) -> Result<(), Failure> {
    let directory = shared.directory()?;
    let sites: Result<Vec<Bundle>, BundleError> =
        paths.iter().map(|path| Bundle::open(path)).collect();
    let sites = sites.map_err(failure)?;
    let free = || free_memory().unwrap_or(u64::MAX);
    let free_now = free();
    let mut batches: Vec<Batch<'_>> = Vec::new();
    for site in &sites {
        for table in 0..site.tables() {
            let bytes = site.read(table).map_err(failure)?;
            let packed = site.header(table, &bytes).map_err(failure)?;
            let alone = Batch::new(site, table, &packed, shared.thread_count());
            alone.threads(free_now)?;
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
            let (site, table) = batch.tables[index];
            Unpacked::new(site, table)
        };
        let all = || RayonExecutor.map(batch.tables.len(), unpack);
        let unpacked = match threads == shared.thread_count() {
            true => all(),
            false => shared.on_threads(threads, all)?,
        };
        let unpacked = unpacked.into_iter().collect::<Result<Vec<_>, _>>();
        let unpacked = unpacked.map_err(failure)?;
        let write = |index: usize| unpacked[index].write(shared, &directory);
        for line in RayonExecutor.map(unpacked.len(), write) {
            let line = line.map_err(failure)?;
            if shared.json || !shared.quiet {
                print_line(line);
            }
        }
    }
    Ok(())
}

/// A table that is whole again.
struct Unpacked {
    table: Table<Vec<u8>>,
    packed_length: usize,
    seconds: f64,
}

impl Unpacked {
    fn new(site: &Bundle, table: usize) -> Result<Self, BundleError> {
        let start = Instant::now();
        let bytes = site.read(table)?;
        Ok(Unpacked {
            table: site.unpack(table, &bytes, &RayonExecutor, &cli::cancel())?,
            packed_length: bytes.len(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Writes the table's file. Returns what there is to say.
    fn write(
        &self,
        shared: &SharedArgs,
        directory: &TableDirectory,
    ) -> Result<String, BundleError> {
        let start = Instant::now();
        let path = write_unpacked(directory, &self.table)?;
        let seconds = self.seconds + start.elapsed().as_secs_f64();
        if shared.json {
            let mut object = describe(&path, self.table.header());
            object["packed"] = json!(self.packed_length);
            object["seconds"] = json!(seconds);
            return Ok(object.to_string());
        }
        Ok(format!(
            "unpacked {}: {} entries, {} from {}, {seconds:.2} s",
            path.display(),
            self.table.header().entries,
            pdb_gen::size(self.table.bytes().len() as u64),
            pdb_gen::size(self.packed_length as u64),
        ))
    }
}

fn failure(error: BundleError) -> Failure {
    match error {
        BundleError::Pack {
            error: PackError::Cancelled,
            path,
        } => Failure::interrupted(format!("{path}: interrupted, not written")),
        error => Failure::table(error),
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
        assert!(first.join(batch(AT_ONCE, &[0, 0, 0]), 120).is_some());
        let threads = |free| first.threads(free).map_err(|_| ());
        assert_eq!(
            [120, 119, 99, 80].map(threads),
            [Ok(3), Ok(2), Ok(1), Ok(1)]
        );
        assert_eq!(threads(79), Err(()));
    }
}
