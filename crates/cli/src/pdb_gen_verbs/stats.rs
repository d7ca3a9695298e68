//! `pdb-gen stats`: shows the distribution of the values of tables.

mod sample;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use command::quantity::{count, count_within};
use command::table::csv_field;
use command::words::counted;
use command::{Failure, interrupted};
use indicatif::HumanCount;
use pdb_table::{Header, LevelStats, Stats, TableFile};
use plot::PALETTE;
use plot::distribution::{Curve, PatternCell, svg};
use puzzle::{TableId, TableKind};
use serde_json::json;

use crate::selection::Selection;
use crate::table_files::{FilesArguments, describe, each_file, refused};
use sample::Sample;

#[derive(clap::Args, Debug)]
pub(crate) struct StatsArguments {
    #[command(flatten)]
    tables: FilesArguments,
    /// Format of the output: text, csv or svg, a plot [default: chosen by the extension of --out,
    /// else text]
    #[arg(long)]
    format: Option<Format>,
    /// Number of random states, such as 10k. The values shown are then the values of the whole
    /// partition on these states (the maximum over its symmetric images), not the values in table
    /// files
    #[arg(long, value_name = "N", value_parser = count_within(1..=MAX_SAMPLE),
          conflicts_with = "files", allow_negative_numbers = true)]
    sample: Option<u64>,
    /// Seed of the random states
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, requires = "sample")]
    seed: u64,
    /// File to write, or - for standard output. Plots need this option [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Maximum number of states in a sample; this number takes about an hour.
const MAX_SAMPLE: u64 = 1_000_000_000;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Csv,
    Svg,
}

/// Shows the distribution of values in table files or on random states. Continues after a bad file,
/// and returns the highest exit code.
pub(crate) fn stats(selection: &Selection, arguments: &StatsArguments) -> Result<u8, Failure> {
    let shared = &selection.shared;
    let format = arguments.format()?;
    if shared.json && format == Format::Csv {
        return Err(Failure::input("--json and CSV are two formats: choose one"));
    }
    if let Some(states) = arguments.sample {
        let sample = Sample::new(selection, states, arguments.seed)?;
        let text = match format {
            Format::Text if shared.json => sample.json_line(),
            Format::Text => sample.text(),
            Format::Csv => sample.csv(),
            Format::Svg => sample.svg(),
        };
        write(selection, arguments, &text, (states, "state"))?;
        return Ok(0);
    }
    let mut tables = Vec::new();
    let exit = each_file(selection, &arguments.tables.files, |_, path| {
        let table = TableFile::open(path).map_err(refused)?;
        tables.push(TableStats::new(path, table.header()));
        Ok(())
    })?;
    if tables.is_empty() || interrupted() {
        return Ok(exit);
    }
    let text = match format {
        Format::Text if shared.json => tables_json(&tables),
        Format::Text => tables_text(&tables),
        Format::Csv => tables_csv(&tables),
        Format::Svg => plot_of_tables(&tables)?,
    };
    let number = tables.len() as u64;
    write(selection, arguments, &text, (number, "table"))?;
    Ok(exit)
}

/// Writes the text, and reports the file and the number of tables or states in it.
fn write(
    selection: &Selection,
    arguments: &StatsArguments,
    text: &str,
    (number, thing): (u64, &str),
) -> Result<(), Failure> {
    let out = arguments.out.as_deref().unwrap_or(Path::new("-"));
    let name = out.display().to_string();
    let line = format!("wrote {name}: {}", counted(number, thing));
    let object = json!({ "file": name, (format!("{thing}s")): number, "bytes": text.len() });
    selection.shared.write(out, text, object, line)
}

impl StatsArguments {
    fn format(&self) -> Result<Format, Failure> {
        let ending = self.out.as_ref().and_then(|out| out.extension()?.to_str());
        let by_name = ending.and_then(|ending| Format::from_str(ending, true).ok());
        if self.format.is_none() && by_name.is_none() && ending.is_some_and(|name| name != "txt") {
            return Err(Failure::input(
                "unknown extension of --out: add --format text, csv or svg",
            ));
        }
        let format = self.format.or(by_name).unwrap_or(Format::Text);
        if self.out.is_none() && format == Format::Svg {
            return Err(Failure::input(
                "a plot needs a file: add --out FILE, or --out - for standard output",
            ));
        }
        Ok(format)
    }
}

/// The histogram: column names, then one line per value in ascending order.
fn level_lines(stats: &Stats) -> String {
    let mut text = "    value          count    share   growth  over two\n".to_owned();
    for level in stats.levels().skip_while(|level| level.count == 0) {
        let three = |growth: Option<f64>| growth.map_or(String::new(), |g| format!("{g:.3}"));
        let (growth, growth2) = (three(level.growth), three(level.growth2));
        let line = format!(
            "    {:>5} {:>14} {:>7.3}% {growth:>8} {growth2:>9}",
            level.value,
            level.count,
            100.0 * level.share
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// CSV lines without a header line. Each line consists of `prefix`, value, count, share, growth and
/// growth2.
fn csv_lines(stats: &Stats, prefix: &str) -> String {
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let line = |level: LevelStats| {
        let (growth, growth2) = (number(level.growth), number(level.growth2));
        let (value, count, share) = (level.value, level.count, level.share);
        format!("{prefix}{value},{count},{share},{growth},{growth2}\n")
    };
    stats.levels().map(line).collect()
}

/// A table file and its statistics.
#[derive(Debug)]
struct TableStats {
    path: PathBuf,
    header: Header,
    stats: Stats,
}

impl TableStats {
    fn new(path: &Path, header: &Header) -> Self {
        TableStats {
            path: path.to_owned(),
            header: header.clone(),
            stats: Stats::new(&header.histogram),
        }
    }
}

fn tables_text(tables: &[TableStats]) -> String {
    let mut text = String::new();
    for table in tables {
        let (id, stats) = (table.header.id, &table.stats);
        text += &format!(
            "{}\n  {} {} table of {}, {} entries reached\n\
             \x20 mean {:.4}, standard deviation {:.4}, median {}, largest {}\n",
            table.path.display(),
            id.tray(),
            id.kind(),
            counted(id.tiles().len() as u64, "tile"),
            stats.entries(),
            stats.mean(),
            stats.deviation(),
            stats.median(),
            stats.max()
        );
        text += &level_lines(stats);
    }
    text
}

fn tables_csv(tables: &[TableStats]) -> String {
    let lines = tables.iter().map(|table| {
        let name = csv_field(&table.path.to_string_lossy());
        csv_lines(&table.stats, &format!("{name},"))
    });
    format!(
        "file,value,count,share,growth,growth2\n{}",
        lines.collect::<String>()
    )
}

/// The object of `info --json` for each table, with the table's statistics added.
fn tables_json(tables: &[TableStats]) -> String {
    let line = |table: &TableStats| {
        let stats = &table.stats;
        let fields = json!({
            "mean": stats.mean(),
            "deviation": stats.deviation(),
            "median": stats.median(),
            "growth": stats.levels().map(|level| level.growth).collect::<Vec<_>>(),
            "growth2": stats.levels().map(|level| level.growth2).collect::<Vec<_>>(),
        });
        let object = describe(&table.path, &table.header, fields);
        format!("{object}\n")
    };
    tables.iter().map(line).collect()
}

/// Maximum number of tables in one plot: each table has its own colour.
const MAX_TABLES: usize = PALETTE.len();

/// The plot of one or more tables, as SVG.
fn plot_of_tables(tables: &[TableStats]) -> Result<String, Failure> {
    if tables.len() > MAX_TABLES {
        return Err(Failure::input(format!(
            "{} tables are too many for one plot: name at most {MAX_TABLES} files",
            tables.len()
        )));
    }
    let name = |id: TableId| format!("{} {}", id.tray(), kind(id));
    let first = name(tables[0].header.id);
    // If all tables have the same tray and kind, the title contains both.
    let is_uniform = tables.iter().all(|table| name(table.header.id) == first);
    let title = match (is_uniform, tables.len()) {
        (true, 1) => format!("{first} table"),
        (true, _) => format!("{first} tables"),
        (false, _) => "Pattern databases".to_owned(),
    };
    let curve = |table: &TableStats| {
        let id = table.header.id;
        let name = (!is_uniform).then(|| format!("{}, ", name(id)));
        let tiles = counted(id.tiles().len() as u64, "tile");
        let label = format!("{}{tiles}, ", name.unwrap_or_default());
        let cells = id.tray().iter().map(|cell| PatternCell {
            place: (id.tray().column(cell), id.tray().row(cell)),
            is_tile: id.tiles().contains(cell),
            is_blank: id.blank().contains(cell),
        });
        curve(&table.stats, "entries", &label, cells.collect())
    };
    let curves: Vec<Curve> = tables.iter().map(curve).collect();
    Ok(svg(&title, "entries", &curves))
}

/// The plot of the values of random states, as SVG.
fn plot_of_sample(title: &str, stats: &Stats) -> String {
    let curve = curve(stats, "random states", "", Vec::new());
    svg(title, "states", &[curve])
}

fn curve(stats: &Stats, things: &str, before: &str, pattern: Vec<PatternCell>) -> Curve {
    let (entries, mean, largest) = (HumanCount(stats.entries()), stats.mean(), stats.max());
    let points = |number: fn(LevelStats) -> Option<f64>| {
        let levels = stats.levels();
        let points = levels.filter_map(|level| Some((level.value as f64, number(level)?)));
        points.collect()
    };
    Curve {
        label: format!("{before}{entries} {things}, mean {mean:.2}, largest {largest}"),
        pattern,
        mean,
        shares: points(|level| Some(100.0 * level.share)),
        growth: points(|level| level.growth),
        growth2: points(|level| level.growth2),
    }
}

/// Name of a table kind in plots. Options use [`TableKind::name`].
fn kind(id: TableId) -> &'static str {
    match id.kind() {
        TableKind::FullCost => "full-cost",
        TableKind::MultiTile => "multi-tile",
        kind => kind.name(),
    }
}
