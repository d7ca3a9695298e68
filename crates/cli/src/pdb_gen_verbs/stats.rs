//! `pdb-gen stats`: shows the distribution of the values of tables or, with `--sample`, of a
//! heuristic on random states.

use std::path::{Path, PathBuf};

use ::plot::PALETTE;
use ::plot::distribution::{Curve, PatternCell, svg};
use clap::ValueEnum;
use command::quantity::{count, count_within};
use command::table::csv_field;
use command::words::counted;
use command::{Failure, interrupted, until_interrupted};
use indicatif::HumanCount;
use pdb_gen::free_memory;
use pdb_table::{Header, LevelStats, Stats, TableFile};
use puzzle::TableKind;
use serde_json::{Value, json};
use solver::{OpenError, OpenOptions, OtherGoals, Solver};

use crate::selection::Selection;
use crate::table_files::{FilesArguments, describe, each_file, refused};

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
    let is_json = selection.shared.json;
    let format = arguments.format()?;
    if is_json && format == Format::Csv {
        return Err(Failure::input("--json and CSV are two formats: choose one"));
    }
    let mut shown = Vec::new();
    let (exit, number, thing) = match arguments.sample {
        Some(states) => {
            shown.push(of_sample(selection, states, arguments.seed)?);
            (0, states, "state")
        }
        None => {
            let exit = each_file(selection, &arguments.tables.files, |_, path| {
                let table = TableFile::open(path).map_err(refused)?;
                shown.push(of_table(path, table.header()));
                Ok(())
            })?;
            (exit, shown.len() as u64, "table")
        }
    };
    if shown.is_empty() || (interrupted() && arguments.sample.is_none()) {
        return Ok(exit);
    }
    let all = shown.iter();
    let text: String = match format {
        Format::Text if is_json => all.map(|own| format!("{}\n", own.object)).collect(),
        Format::Text => all
            .map(|own| own.heading.clone() + &level_lines(&own.stats))
            .collect(),
        Format::Csv => {
            let file = if thing == "table" { "file," } else { "" };
            let head = format!("{file}value,count,share,growth,growth2\n");
            head + &all
                .map(|own| csv_lines(&own.stats, &own.prefix))
                .collect::<String>()
        }
        Format::Svg => plot(&shown, thing)?,
    };
    write(selection, arguments, &text, (number, thing))?;
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

/// The distribution of a table's values, or of those of random states.
struct Distribution {
    stats: Stats,
    /// The lines before the histogram.
    heading: String,
    /// The object of `--json`.
    object: Value,
    /// The first columns in CSV.
    prefix: String,
    /// Name in a plot, and the start of the legend after it.
    name: String,
    label: String,
    pattern: Vec<PatternCell>,
}

fn of_table(path: &Path, header: &Header) -> Distribution {
    let (id, stats) = (header.id, Stats::new(&header.histogram));
    let tiles = counted(id.tiles().len() as u64, "tile");
    // The object of `info --json`, with the statistics added.
    let fields = json!({
        "mean": stats.mean(),
        "deviation": stats.deviation(),
        "median": stats.median(),
        "growth": stats.levels().map(|level| level.growth).collect::<Vec<_>>(),
        "growth2": stats.levels().map(|level| level.growth2).collect::<Vec<_>>(),
    });
    // Options use the names of `TableKind::name`.
    let kind = match id.kind() {
        TableKind::FullCost => "full-cost",
        TableKind::MultiTile => "multi-tile",
        kind => kind.name(),
    };
    let pattern = id.tray().iter().map(|cell| PatternCell {
        place: (id.tray().column(cell), id.tray().row(cell)),
        is_tile: id.tiles().contains(cell),
        is_blank: id.blank().contains(cell),
    });
    Distribution {
        heading: format!(
            "{}\n  {} {} table of {tiles}, {} entries reached\n\
             \x20 mean {:.4}, standard deviation {:.4}, median {}, largest {}\n",
            path.display(),
            id.tray(),
            id.kind(),
            stats.entries(),
            stats.mean(),
            stats.deviation(),
            stats.median(),
            stats.max()
        ),
        object: describe(path, header, fields),
        prefix: csv_field(&path.to_string_lossy()) + ",",
        name: format!("{} {kind}", id.tray()),
        label: format!("{tiles}, {} entries", HumanCount(stats.entries())),
        pattern: pattern.collect(),
        stats,
    }
}

/// Draws random states and looks up the values of the requested partition.
fn of_sample(selection: &Selection, states: u64, seed: u64) -> Result<Distribution, Failure> {
    let shared = &selection.shared;
    let unused = [
        ("--tiles", selection.pattern.tiles.is_some()),
        ("--encoding", selection.encoding.is_some()),
        ("--zstd", selection.zstd.is_some()),
    ];
    if let Some((option, _)) = unused.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::input(format!(
            "{option} does not apply to --sample, which covers a whole partition: leave it out"
        )));
    }
    let goal = shared.goal(None)?;
    let spec = shared.spec(&goal)?;
    let (tray, name, views) = (goal.tray(), spec.name().to_owned(), spec.views().len());
    let options = OpenOptions::new(shared.directory()?.path())
        .both_sides(OtherGoals::Never)
        .max_memory(free_memory())
        .max_build_seconds(0.0);
    let opened = Solver::open(goal.clone(), spec.clone(), &options);
    let solver = opened.map_err(|error| match error {
        OpenError::Missing(_) => Failure::table(format!(
            "tables of {name} are missing: build them with {}",
            selection.build_command(&goal)
        )),
        error => Failure::table(error),
    })?;
    let values = until_interrupted(move || solver.sample(states, seed));
    let values =
        values.ok_or_else(|| Failure::interrupted("interrupted: the sample is incomplete"))?;
    let values = values.map_err(Failure::table)?;
    let stats = Stats::of_counts(values.counts());
    let over = match views {
        0 | 1 => String::new(),
        views => format!(", maximum over {views} views"),
    };
    Ok(Distribution {
        heading: format!(
            "{tray} {name}: {} random states, seed {seed}{over}\n\
             \x20 mean {:.4}, standard error {:.4}, standard deviation {:.4}, \
             median {}, largest {}\n",
            values.boards(),
            values.mean(),
            values.standard_error(),
            values.deviation(),
            stats.median(),
            stats.max(),
        ),
        object: json!({
            "tray": tray.to_string(),
            "tables": name,
            "metric": spec.metric().to_string(),
            "views": views,
            "states": values.boards(),
            "seed": seed,
            "mean": values.mean(),
            "standard_error": values.standard_error(),
            "deviation": values.deviation(),
            "median": stats.median(),
            "max": stats.max(),
            "histogram": values.counts(),
        }),
        prefix: String::new(),
        name: format!("{tray} {name}: values of random states"),
        label: format!("{} random states", HumanCount(stats.entries())),
        pattern: Vec::new(),
        stats,
    })
}

/// Maximum number of tables in one plot: each table has its own colour.
const MAX_TABLES: usize = PALETTE.len();

/// The plot of one or more distributions of `table`s or of one of `state`s, as SVG.
fn plot(all: &[Distribution], thing: &str) -> Result<String, Failure> {
    if all.len() > MAX_TABLES {
        return Err(Failure::input(format!(
            "{} tables are too many for one plot: name at most {MAX_TABLES} files",
            all.len()
        )));
    }
    let first = &all[0].name;
    // If all tables have the same tray and kind, the title contains both.
    let is_uniform = all.iter().all(|own| own.name == *first);
    let (title, things) = match (thing, is_uniform, all.len()) {
        ("state", ..) => (first.clone(), "states"),
        (_, true, 1) => (format!("{first} table"), "entries"),
        (_, true, _) => (format!("{first} tables"), "entries"),
        (_, false, _) => ("Pattern databases".to_owned(), "entries"),
    };
    let curve = |own: &Distribution| {
        let points = |number: fn(LevelStats) -> Option<f64>| {
            let levels = own.stats.levels();
            let points = levels.filter_map(|level| Some((level.value as f64, number(level)?)));
            points.collect()
        };
        let name = (!is_uniform).then(|| format!("{}, ", own.name));
        let (name, label) = (name.unwrap_or_default(), &own.label);
        let (mean, largest) = (own.stats.mean(), own.stats.max());
        Curve {
            label: format!("{name}{label}, mean {mean:.2}, largest {largest}"),
            pattern: own.pattern.clone(),
            mean,
            shares: points(|level| Some(100.0 * level.share)),
            growth: points(|level| level.growth),
            growth2: points(|level| level.growth2),
        }
    };
    Ok(svg(
        &title,
        things,
        &all.iter().map(curve).collect::<Vec<_>>(),
    ))
}
