//! `pdb-gen`: builds pattern databases, shows and proves them. Arguments in, library calls, words out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use pdb_gen::command::{
    Bar, Failure, SharedArgs, WhenIdle, catch_interrupts, free_memory, interrupted, remark, say,
};
use pdb_gen::{BuildError, Outcome, Stock, StockError, VerifyError, verify};
use pdb_table::{Encoding, Header, OuterLayer, TableDirectory, TableFile};
use puzzle::{Cell, Kind, Pattern, Plan, TableId};
use serde_json::json;

/// Builds pattern databases for sliding-tile puzzles.
///
/// Without a subcommand: builds the tables of a partition that the tables directory does not have yet.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = false)]
struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    shared: SharedArgs,
    #[command(flatten)]
    build: BuildArguments,
}

#[derive(clap::Args)]
struct BuildArguments {
    /// One pattern alone instead of a partition: the numbers on its tiles, such as 1,2,5,6
    #[arg(long, value_name = "LIST", conflicts_with = "partition")]
    tiles: Option<String>,
    /// Build again what is there already
    #[arg(long)]
    force: bool,
    /// one-bit (zero-aware only) or u8 [default: one-bit where possible]
    #[arg(long)]
    encoding: Option<Encoding>,
    /// Write files inside a zstd frame of this level (1 to 22): smaller, inflated when opened
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "19",
          value_parser = clap::value_parser!(i32).range(1..=22))]
    zstd: Option<i32>,
}

#[derive(Subcommand)]
enum Verb {
    /// Show what table files are: header and histogram
    Info {
        /// Table files [default: all in the tables directory]
        files: Vec<PathBuf>,
    },
    /// Prove table files: sums, and every value against the moves of the puzzle
    Verify {
        /// Table files [default: all in the tables directory]
        files: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    catch_interrupts(WhenIdle::Finish);
    let shared = &arguments.shared;
    let done = shared.start_threads().and_then(|()| match &arguments.verb {
        None => build_tables(shared, &arguments.build).map(|()| 0),
        Some(Verb::Info { files }) => each_file(shared, files, info),
        Some(Verb::Verify { files }) => each_file(shared, files, prove),
    });
    match done {
        Ok(exit) => ExitCode::from(exit),
        Err(failure) => failure.report("pdb-gen"),
    }
}

fn build_tables(shared: &SharedArgs, arguments: &BuildArguments) -> Result<(), Failure> {
    let goal = shared.goal(None)?;
    let tables = match &arguments.tiles {
        Some(list) => {
            let tiles = Plan::parse_tiles(list, &goal).map_err(Failure::input)?;
            let pattern = Pattern::new(goal.tray(), tiles.into_iter().collect(), goal.blank());
            vec![pattern.map_err(Failure::input)?.table(shared.kind).0]
        }
        None => shared.plan(&goal).map_err(Failure::input)?.tables(),
    };
    if tables.is_empty() {
        return Err(Failure::input(
            "manhattan distance needs no tables; name a partition, such as --partition 6-6-3",
        ));
    }
    if let Some(encoding) = arguments.encoding {
        if let Some(id) = tables.iter().find(|id| !encoding.suits(id.kind)) {
            let kind = id.kind;
            return Err(Failure::input(BuildError::Encoding { kind, encoding }));
        }
    }
    let mut stock = Stock::new(shared.directory()?);
    stock.encoding = arguments.encoding;
    stock.layer = arguments.zstd.map_or(OuterLayer::None, OuterLayer::Zstd);
    stock.memory = free_memory();
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
    let length = std::fs::metadata(&table.path).map_or(0, |metadata| metadata.len());
    let seconds = start.elapsed().as_secs_f64();
    let written = matches!(outcome, Outcome::Written { .. });
    if let Outcome::Written {
        replaced: Some(error),
    } = &outcome
    {
        remark(format_args!("pdb-gen: {error}; it was built again"));
    }
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

/// Runs over the files given, or all of the tables directory; goes on after a bad one, and gives the highest exit code.
fn each_file(
    shared: &SharedArgs,
    files: &[PathBuf],
    act: impl Fn(&SharedArgs, &Path) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let all;
    let files = if files.is_empty() {
        all = table_files(&shared.directory()?)?;
        &all
    } else {
        files
    };
    let mut worst = 0;
    for file in files {
        if let Err(failure) = act(shared, file) {
            failure.report("pdb-gen");
            worst = worst.max(failure.exit());
        }
        if interrupted() {
            break;
        }
    }
    Ok(worst)
}

fn table_files(directory: &TableDirectory) -> Result<Vec<PathBuf>, Failure> {
    let path = directory.path();
    let read = std::fs::read_dir(path);
    let entries = read.map_err(|error| Failure::table(format!("{}: {error}", path.display())))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.to_string_lossy();
            name.ends_with(".pdb") || name.ends_with(".pdb.zst")
        })
        .collect();
    files.sort();
    if files.is_empty() {
        let path = path.display();
        return Err(Failure::table(format!(
            "{path} has no table files: build some with pdb-gen --partition 6-6-3"
        )));
    }
    Ok(files)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn cells(cells: impl Iterator<Item = Cell>) -> Vec<usize> {
    cells.map(Cell::index).collect()
}

/// The header as a JSON object. Cells count from 0, in the orientation in which the table is stored.
fn describe(path: &Path, header: &Header) -> serde_json::Value {
    json!({
        "file": path.display().to_string(),
        "format": pdb_table::VERSION,
        "tray": header.id.tray.to_string(),
        "goal": cells(header.id.blank.iter()),
        "tiles": cells(header.id.tiles.iter()),
        "kind": header.id.kind.name(),
        "encoding": header.encoding.name(),
        "entries": header.entries,
        "reached": header.reached(),
        "max": header.values.max(),
        "histogram": header.values.histogram(),
        "payload": header.payload_length(),
        "sha256": hex(&header.payload_sha256),
    })
}

fn info(shared: &SharedArgs, path: &Path) -> Result<(), Failure> {
    let table = TableFile::open(path).map_err(Failure::table)?;
    let header = table.header();
    if shared.json {
        say(format_args!("{}", describe(path, header)));
        return Ok(());
    }
    let id = header.id;
    say(format_args!("{}", path.display()));
    say(format_args!(
        "  {} {} table, {}",
        id.tray, id.kind, header.encoding
    ));
    for row in 0..id.tray.height() {
        let sign = |column| {
            let cell = id.tray.cell(column, row);
            match (id.tiles.contains(cell), id.blank.contains(cell)) {
                (true, _) => 'a',
                (_, true) => '.',
                _ => '-',
            }
        };
        let signs: Vec<String> = (0..id.tray.width()).map(|c| sign(c).to_string()).collect();
        say(format_args!("    {}", signs.join(" ")));
    }
    let blank = if id.kind == Kind::Full {
        "the blank's goal cell"
    } else {
        "where the blank may end"
    };
    say(format_args!(
        "    (a: the pattern's tiles at home, .: {blank})"
    ));
    say(format_args!(
        "  {} entries, {} reached",
        header.entries,
        header.reached()
    ));
    say(format_args!(
        "  payload {}, sha256 {}",
        pdb_gen::size(header.payload_length()),
        hex(&header.payload_sha256)
    ));
    say(format_args!("  entries by value:"));
    for (value, count) in header.values.histogram().iter().enumerate() {
        say(format_args!("    {value:>3} {count:>14}"));
    }
    Ok(())
}

fn prove(shared: &SharedArgs, path: &Path) -> Result<(), Failure> {
    let start = Instant::now();
    let table = TableFile::open(path).map_err(Failure::table)?;
    let mut bar = Bar::new(&table.id().name(), shared.quiet || shared.json);
    let proof = verify(&table, &mut bar);
    drop(bar);
    let name = path.display();
    proof.map_err(|error| match error {
        VerifyError::Cancelled => Failure::interrupted(format!("{name}: interrupted, not proved")),
        error => Failure::table(format!("{name}: {error}")),
    })?;
    let (entries, seconds) = (table.header().entries, start.elapsed().as_secs_f64());
    if shared.json {
        let mut object = describe(path, table.header());
        object["proved"] = json!(true);
        object["seconds"] = json!(seconds);
        say(object);
    } else if !shared.quiet {
        say(format_args!(
            "{name}: proved, {entries} entries, {seconds:.2} s"
        ));
    }
    Ok(())
}
