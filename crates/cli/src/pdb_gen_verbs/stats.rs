//! `pdb-gen stats`: how the values of tables are spread.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use command::quantity::{count, count_within};
use command::words::{counted, csv_field};
use command::{Failure, StandardOutput, interrupted, is_standard_output};
use pdb_table::{AtomicFile, Header, LevelStats, Stats, TableFile};
use serde_json::json;

use crate::plot::{self, Subject};
use crate::sample::Sample;
use crate::selection::Selection;
use crate::table_files::{describe_with, each_file, refused};

/// The options of `stats`.
#[derive(clap::Args, Debug)]
pub(crate) struct StatsArguments {
    /// Table files [default: those of --partition or --tiles, else all in the tables directory that
    /// have the --size, --kind, --metric and --encoding given]
    files: Vec<PathBuf>,
    /// text, csv, svg or png [default: by the ending of --out, else text]
    #[arg(long)]
    format: Option<Format>,
    /// Instead of tables: the values of a whole partition, the maximum over its images, on this
    /// many random states, such as 10k
    #[arg(long, value_name = "N", value_parser = count_within(1..=MAX_SAMPLE),
          conflicts_with = "files", allow_negative_numbers = true)]
    sample: Option<u64>,
    /// Seed of the random states
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, requires = "sample")]
    seed: u64,
    /// File to write instead of standard output, which - stands for too; plots need one of them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The most states of a sample: they take about an hour.
const MAX_SAMPLE: u64 = 1_000_000_000;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Text,
    Csv,
    Svg,
    Png,
}

/// A table file and its statistics.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) path: PathBuf,
    pub(crate) header: Header,
    pub(crate) stats: Stats,
}

/// Shows how the values of table files are spread. Goes on after a bad file, and gives the highest
/// exit code.
pub(crate) fn stats(selection: &Selection, arguments: &StatsArguments) -> Result<u8, Failure> {
    let shared = &selection.shared;
    let format = arguments.format()?;
    if shared.json && format == Format::Csv {
        return Err(Failure::input("--json and CSV are two formats: choose one"));
    }
    if let Some(states) = arguments.sample {
        let sample = Sample::new(selection, states, arguments.seed)?;
        let bytes = sample.bytes(format, shared.json)?;
        if let Some(out) = write(arguments, format, &bytes)? {
            let name = out.display();
            shared.report(
                json!({ "file": name.to_string(), "states": states, "bytes": bytes.len() }),
                format_args!("wrote {name}: {}", counted(states, "state")),
            );
        }
        return Ok(0);
    }
    let mut tables = Vec::new();
    let exit = each_file(selection, &arguments.files, |_, path| {
        let header = TableFile::open(path).map_err(refused)?;
        let header = header.header().clone();
        tables.push(Described {
            path: path.to_owned(),
            stats: Stats::new(&header.histogram),
            header,
        });
        Ok(())
    })?;
    if tables.is_empty() || interrupted() {
        return Ok(exit);
    }
    let bytes = match format {
        Format::Text if shared.json => json_lines(&tables).into_bytes(),
        Format::Text => text(&tables).into_bytes(),
        Format::Csv => csv(&tables).into_bytes(),
        Format::Svg => plot::svg(&Subject::tables(&tables))?.into_bytes(),
        Format::Png => plot::png(&Subject::tables(&tables))?,
    };
    let Some(out) = write(arguments, format, &bytes)? else {
        return Ok(exit);
    };
    let (name, count) = (out.display(), tables.len());
    let tables = counted(count as u64, "table");
    shared.report(
        json!({ "file": name.to_string(), "tables": count, "bytes": bytes.len() }),
        format_args!("wrote {name}: {tables}"),
    );
    Ok(exit)
}

/// Writes the bytes to where they are wanted, and gives the file's path if that is a file.
fn write<'a>(
    arguments: &'a StatsArguments,
    format: Format,
    bytes: &[u8],
) -> Result<Option<&'a Path>, Failure> {
    if let Some(out) = arguments
        .out
        .as_deref()
        .filter(|out| !is_standard_output(out))
    {
        AtomicFile::write(out, &[bytes]).map_err(Failure::table)?;
        return Ok(Some(out));
    }
    let mut output = match format {
        Format::Png => StandardOutput::for_bytes()?,
        _ => StandardOutput::for_text(),
    };
    let written = output.write_all(bytes).and_then(|()| output.flush());
    written.map(|()| None).map_err(Failure::table)
}

impl StatsArguments {
    fn format(&self) -> Result<Format, Failure> {
        let ending = self.out.as_ref().and_then(|out| out.extension()?.to_str());
        let by_name = ending.and_then(|ending| Format::from_str(ending, true).ok());
        if self.format.is_none() && by_name.is_none() && ending.is_some_and(|name| name != "txt") {
            return Err(Failure::input(
                "what --out ends in is no format: add --format text, csv, svg or png",
            ));
        }
        let format = self.format.or(by_name).unwrap_or(Format::Text);
        if self.out.is_none() && matches!(format, Format::Svg | Format::Png) {
            return Err(Failure::input(
                "a plot needs a file: add --out FILE, or --out - for standard output",
            ));
        }
        Ok(format)
    }
}

fn text(tables: &[Described]) -> String {
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

/// The histogram, a line for each value from the smallest on, under a line that names the columns.
pub(crate) fn level_lines(stats: &Stats) -> String {
    let mut text = "    value          count    share   growth  over two\n".to_owned();
    for level in stats.levels().skip_while(|level| level.count == 0) {
        let growth = level.growth.map_or(String::new(), |g| format!("{g:.3}"));
        let growth2 = level.growth2.map_or(String::new(), |g| format!("{g:.3}"));
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

/// The columns of a level in CSV: value, count, share, growth and growth2.
pub(crate) fn csv_columns(level: &LevelStats) -> String {
    format!(
        "{},{},{},{},{}",
        level.value,
        level.count,
        level.share,
        number(level.growth),
        number(level.growth2)
    )
}

/// A number in CSV; nothing where there is none.
fn number(number: Option<f64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

fn csv(tables: &[Described]) -> String {
    let mut text = "file,value,count,share,growth,growth2\n".to_owned();
    for table in tables {
        let name = csv_field(&table.path.to_string_lossy());
        for level in table.stats.levels() {
            text += &format!("{name},{}\n", csv_columns(&level));
        }
    }
    text
}

/// The object of `info --json` for each table, with the statistics.
fn json_lines(tables: &[Described]) -> String {
    let mut text = String::new();
    for Described {
        path,
        header,
        stats,
    } in tables
    {
        let growth: Vec<_> = stats.levels().map(|level| level.growth).collect();
        let growth2: Vec<_> = stats.levels().map(|level| level.growth2).collect();
        let done = json!({
            "mean": stats.mean(),
            "deviation": stats.deviation(),
            "median": stats.median(),
            "growth": growth,
            "growth2": growth2,
        });
        text += &format!("{}\n", describe_with(path, header, done));
    }
    text
}
