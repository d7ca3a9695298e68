//! `pdb-gen stats`: how the values of tables are spread.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use clap::ValueEnum;
use cli::{EXIT_INTERRUPTED, Failure, SharedArgs, print_line};
use pdb_table::{AtomicFile, FileError, Header, Stats, TableFile};
use serde_json::json;

use crate::plot;
use crate::selection::Selection;
use crate::table_files::{describe, each_file};

#[derive(clap::Args)]
pub(crate) struct StatsArguments {
    /// Table files [default: those chosen by --partition or --tiles, else all in the tables directory]
    files: Vec<PathBuf>,
    /// text, csv, svg or png [default: by the ending of --out, else text]
    #[arg(long)]
    format: Option<Format>,
    /// File to write instead of standard output; plots need one
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Csv,
    Svg,
    Png,
}

/// A table and what is told of it.
pub(crate) struct Described {
    pub(crate) path: PathBuf,
    pub(crate) header: Header,
    pub(crate) stats: Stats,
}

/// Tells how the values of table files are spread; goes on after a bad file and gives the highest exit code.
pub(crate) fn stats(
    shared: &SharedArgs,
    choice: &Selection,
    arguments: &StatsArguments,
) -> Result<u8, Failure> {
    let format = arguments.format()?;
    if shared.json && format == Format::Csv {
        return Err(Failure::input("--json and CSV are two formats: choose one"));
    }
    let mut tables = Vec::new();
    let exit = each_file(shared, choice, &arguments.files, |_, path| {
        let header = TableFile::open(path).map_err(Failure::table)?;
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
    let Some(out) = &arguments.out else {
        // Plots have a file, so this is text.
        print_line(String::from_utf8_lossy(&bytes).trim_end());
        return Ok(exit);
    };
    let failure = |error| Failure::table(FileError::io(out, error));
    let mut file = AtomicFile::create(out).map_err(Failure::table)?;
    file.file_mut().write_all(&bytes).map_err(failure)?;
    file.finish().map_err(Failure::table)?;
    let (name, count) = (out.display(), tables.len());
    if shared.json {
        print_line(json!({ "file": name.to_string(), "tables": count, "bytes": bytes.len() }));
    } else if !shared.quiet {
        print_line(format_args!("wrote {name}: {}", counted(count, "table")));
    }
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
            return Err(Failure::input("a plot needs a file: add --out FILE"));
        }
        Ok(format)
    }
}

/// A number of things.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

fn text(tables: &[Described]) -> String {
    let mut text = String::new();
    for Described {
        path,
        header,
        stats,
    } in tables
    {
        let id = header.id;
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", path.display());
        let _ = writeln!(
            text,
            "  {} {} table of {}, {} entries reached",
            id.tray(),
            id.kind(),
            counted(id.tiles().len(), "tile"),
            stats.entries()
        );
        let _ = writeln!(
            text,
            "  mean {:.4}, standard deviation {:.4}, median {}, largest {}",
            stats.mean(),
            stats.deviation(),
            stats.median(),
            stats.max()
        );
        let _ = writeln!(text, "    value          count    share   growth  over two");
        for level in stats.levels() {
            let growth = level.growth.map_or(String::new(), |g| format!("{g:.3}"));
            let growth2 = level.growth2.map_or(String::new(), |g| format!("{g:.3}"));
            let line = format!(
                "    {:>5} {:>14} {:>7.3}% {growth:>8} {growth2:>9}",
                level.value,
                level.count,
                100.0 * level.share
            );
            let _ = writeln!(text, "{}", line.trim_end());
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
            let _ = writeln!(
                text,
                "{name},{},{},{},{},{}",
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

/// A field of CSV: in quotes where it would be more than one otherwise.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// What `info --json` says of each table, and the statistics.
fn json_lines(tables: &[Described]) -> String {
    let mut text = String::new();
    for table in tables {
        let mut object = describe(&table.path, &table.header);
        let stats = &table.stats;
        object["mean"] = json!(stats.mean());
        object["deviation"] = json!(stats.deviation());
        object["median"] = json!(stats.median());
        let levels = || stats.levels();
        object["growth"] = json!(levels().map(|level| level.growth).collect::<Vec<_>>());
        object["growth2"] = json!(levels().map(|level| level.growth2).collect::<Vec<_>>());
        let _ = writeln!(text, "{object}");
    }
    text
}
