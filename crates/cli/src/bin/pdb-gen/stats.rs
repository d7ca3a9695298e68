//! `pdb-gen stats`: how the values of tables are spread.

use std::io::Write as _;
use std::path::PathBuf;

use clap::ValueEnum;
use cli::words::counted;
use cli::{EXIT_INTERRUPTED, Failure, StandardOutput, is_standard_output};
use pdb_table::{AtomicFile, Header, Stats, TableFile};
use serde_json::json;

use crate::plot;
use crate::selection::Selection;
use crate::table_files::{describe_with, each_file, refused};

/// The options of `stats`.
#[derive(clap::Args, Debug)]
pub(crate) struct StatsArguments {
    /// Table files [default: those chosen by --partition or --tiles, else all in the tables
    /// directory]
    files: Vec<PathBuf>,
    /// text, csv, svg or png [default: by the ending of --out, else text]
    #[arg(long)]
    format: Option<Format>,
    /// File to write instead of standard output, which - stands for too; plots need one of them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
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
    if tables.is_empty() || exit == EXIT_INTERRUPTED {
        return Ok(exit);
    }
    let bytes = match format {
        Format::Text if shared.json => json_lines(&tables).into_bytes(),
        Format::Text => text(&tables).into_bytes(),
        Format::Csv => csv(&tables).into_bytes(),
        Format::Svg => plot::svg(&tables)?.into_bytes(),
        Format::Png => plot::png(&tables)?,
    };
    let out = match &arguments.out {
        Some(out) if !is_standard_output(out) => out,
        _ => {
            let mut output = match format {
                Format::Png => StandardOutput::for_bytes()?,
                _ => StandardOutput::for_text(),
            };
            output
                .write_all(&bytes)
                .and_then(|()| output.flush())
                .map_err(Failure::table)?;
            return Ok(exit);
        }
    };
    AtomicFile::write(out, &[&bytes]).map_err(Failure::table)?;
    let (name, count) = (out.display(), tables.len());
    let tables = counted(count as u64, "table");
    shared.report(
        json!({ "file": name.to_string(), "tables": count, "bytes": bytes.len() }),
        format_args!("wrote {name}: {tables}"),
    );
    Ok(exit)
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
             \x20 mean {:.4}, standard deviation {:.4}, median {}, largest {}\n\
             \x20   value          count    share   growth  over two\n",
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
        for level in stats.levels() {
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
    }
    text
}

fn csv(tables: &[Described]) -> String {
    let mut text = "file,value,count,share,growth,growth2\n".to_owned();
    for table in tables {
        let name = quoted(&table.path.to_string_lossy());
        for level in table.stats.levels() {
            let number = |number: Option<f64>| number.map_or(String::new(), |n| n.to_string());
            text += &format!(
                "{name},{},{},{},{},{}\n",
                level.value,
                level.count,
                level.share,
                number(level.growth),
                number(level.growth2)
            );
        }
    }
    text
}

/// A field of CSV, in quotes where it needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
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
