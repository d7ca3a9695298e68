//! The tables and files of a comparison.

use std::fs;
use std::path::Path;

use command::Failure;
use command::table::{TableFormat, TextTable, brief, plain};
use lab::Record;
use lab::compare::{Group, RunStatus};
use pdb_table::AtomicFile;
use plot::comparison::{self, Run, different};
use plot::{Chart, View};
use serde_json::Value;
use solver::Spread;

use super::predictions::{self, Prediction};

/// A group and its searches.
pub(crate) type RecordGroup<'a> = (Group, Vec<&'a Record>);

/// Writes the groups in a format. Without `columns`, the format's default columns are used.
pub(crate) fn write(format: TableFormat, columns: &[String], groups: &[RecordGroup<'_>]) -> String {
    if format == TableFormat::Csv {
        return csv(groups);
    }
    let names = match (columns, format) {
        ([], TableFormat::Text) => NARROW.to_vec(),
        _ if columns.is_empty() || columns.iter().any(|name| name == "all") => {
            COLUMNS.map(|(name, _)| name).to_vec()
        }
        _ => columns.iter().map(String::as_str).collect(),
    };
    let columns = names
        .iter()
        .filter_map(|name| COLUMNS.iter().find(|own| own.0 == *name));
    let columns: Vec<_> = columns.collect();
    let head = |name: &str| name.replace('-', " ").replace("kb", "kB");
    let row = |group: &Group| columns.iter().map(|(_, cell)| cell(group)).collect();
    let is_of_words = |name: &&&str| COLUMNS[..WORDS].iter().any(|own| own.0 == **name);
    let table = TextTable {
        rows: groups.iter().map(|(group, _)| row(group)).collect(),
        columns: names.iter().map(|name| head(name)).collect(),
        words: names.iter().take_while(is_of_words).count(),
    };
    let mut text = table.write(format);
    let has_limits = groups.iter().any(|(group, _)| !group.limits.is_empty());
    if has_limits && format == TableFormat::Text {
        let of_solved = |name: &&&str| ["length", "median-length", "branching"].contains(*name);
        let heads: Vec<String> = names
            .iter()
            .filter(of_solved)
            .map(|name| head(name))
            .collect();
        if !heads.is_empty() {
            text += &format!("{}: of the solved boards; ", heads.join(", "));
        }
        text += ">: of all boards, up to the limit\n";
    }
    text
}

/// Default columns in text: a line has at most 100 characters, even with the longest names of
/// searches and heuristics.
const NARROW: [&str; 8] = [
    "boards",
    "search",
    "heuristic",
    "solved",
    "length",
    "h0",
    "generated",
    "ms",
];

/// A column of the text or Markdown table: its name, and its text for a group.
type Column = (&'static str, fn(&Group) -> String);

/// All columns. Figures are means over the group's boards, except in columns with another name, such
/// as `median-length`. If a limit stopped a search, the nodes and time up to the limit are counted,
/// and these figures are lower bounds.
const COLUMNS: [Column; 14] = [
    ("boards", |own| {
        format!("{} {} {}", own.boards, own.size, own.set)
    }),
    ("search", |own| own.search.clone()),
    ("heuristic", |own| own.heuristic.clone()),
    ("solved", solved),
    ("length", |own| {
        optional(own.length.map(|spread| spread.mean), 2)
    }),
    ("median-length", |own| {
        optional(own.length.map(|spread| spread.median), 0)
    }),
    ("h0", |own| format!("{:.2}", own.h0.mean)),
    ("generated", |own| cost(own, own.generated.mean, 0)),
    ("expanded", |own| cost(own, own.expanded.mean, 0)),
    ("branching", |own| optional(own.branching_factor, 3)),
    ("ms", |own| cost(own, own.ms.mean, 3)),
    ("median-ms", |own| cost(own, own.ms.median, 3)),
    ("kept-nodes", |own| cost(own, own.peak.mean, 0)),
    ("kept-kb", |own| cost(own, own.peak_bytes.mean / 1e3, 1)),
];
/// Number of the first [`COLUMNS`] that contain words; the others contain numbers.
const WORDS: usize = 4;

/// The names that `--columns` accepts.
pub(crate) fn column_names() -> impl Iterator<Item = &'static str> {
    COLUMNS.iter().map(|(name, _)| *name).chain(["all"])
}

fn cost(group: &Group, number: f64, digits: usize) -> String {
    let at_least = if group.limits.is_empty() { "" } else { ">" };
    format!("{at_least}{}", brief(number, digits))
}

fn optional(number: Option<f64>, digits: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
}

/// Number of solved boards of a group, and the limits that stopped the unsolved boards.
fn solved(group: &Group) -> String {
    let limits = group.limits.iter().map(|(limit, count)| {
        let limit = limit.trim_end_matches('s');
        format!("{count} at the {limit} limit")
    });
    match limits.collect::<Vec<_>>().join(", ").as_str() {
        "" => group.solved.to_string(),
        limits => format!("{} ({limits})", group.solved),
    }
}

/// The table as CSV, with one column per figure. If a limit stopped the search of a board in a
/// group, the group's figures are lower bounds.
fn csv(groups: &[RecordGroup<'_>]) -> String {
    const WORDS: &str = "set,size,search,heuristic,boards,solved,limit_nodes,limit_memory,\
                         limit_time,length_mean,length_median,length_worst,h0_mean";
    const COSTS: &str = "generated expanded reopened peak peak_bytes ms";
    let of_cost = |name| format!(",{name}_mean,{name}_median,{name}_worst,{name}_total");
    let costs: String = COSTS.split(' ').map(of_cost).collect();
    let number = |number: Option<f64>| number.map_or(String::new(), |number| plain(number, 4));
    let row = |(group, _): &RecordGroup<'_>| {
        let words = [&group.set, &group.size, &group.search, &group.heuristic];
        let mut row = words.map(String::clone).to_vec();
        row.extend([group.boards, group.solved].map(|count| count.to_string()));
        row.extend(["nodes", "memory", "time"].map(|name| {
            let own = group.limits.iter().find(|(own, _)| own == name);
            own.map_or(0, |(_, count)| *count).to_string()
        }));
        let length = |value: fn(&Spread) -> f64| number(group.length.as_ref().map(value));
        row.extend([
            length(|own| own.mean),
            length(|own| own.median),
            length(|own| own.worst),
        ]);
        row.push(plain(group.h0.mean, 4));
        let costs = [group.generated, group.expanded, group.reopened, group.peak];
        for cost in costs.into_iter().chain([group.peak_bytes, group.ms]) {
            row.extend([cost.mean, cost.median, cost.worst, cost.total].map(|n| plain(n, 4)));
        }
        row.push(number(group.branching_factor));
        row
    };
    let columns = format!("{WORDS}{costs},branching_factor");
    TextTable::new(&columns, 4, groups.iter().map(row).collect()).write(TableFormat::Csv)
}

/// One row per search, with the fields of the search's record. A field without a value is an empty
/// cell.
fn records_csv(records: &[Record]) -> Result<String, Failure> {
    const FIELDS: &str = "set,size,goal,number,board,search,heuristic,status,limit,length,\
                          optimal_length,moves,h0,generated,expanded,reopened,peak,peak_bytes,\
                          branching_factor,ms";
    let row = |record| {
        let object = serde_json::to_value(record)?;
        let cell = |field: &str| match &object[field] {
            Value::Null => String::new(),
            Value::String(words) => words.clone(),
            Value::Number(number) if number.is_f64() => plain(number.as_f64().unwrap_or(0.0), 4),
            value => value.to_string(),
        };
        Ok(FIELDS.split(',').map(cell).collect())
    };
    let rows = records.iter().map(row).collect::<serde_json::Result<_>>();
    let table = TextTable::new(FIELDS, 0, rows.map_err(Failure::table)?);
    Ok(table.write(TableFormat::Csv))
}

/// File with one line per search. It is written last, so that only complete results contain it.
const RUNS: &str = "runs.jsonl";

/// Creates the directory of a comparison's results, unless it has results.
pub(crate) fn create(directory: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::table(format!("{}: {error}", directory.display()));
    fs::create_dir_all(directory).map_err(failed)?;
    // An unwritable directory is rejected before the searches, which may take hours.
    AtomicFile::create(&directory.join(RUNS)).map_err(Failure::table)?;
    match directory.join(RUNS).exists() {
        false => Ok(()),
        true => Err(Failure::input(format!(
            "{} has results: name another directory",
            directory.display()
        ))),
    }
}

/// Writes all files of the results, and returns their number.
pub(crate) fn write_files(
    directory: &Path,
    records: &[Record],
    groups: &[RecordGroup<'_>],
    predictions: &[Prediction],
) -> Result<usize, Failure> {
    let mut files = vec![
        ("runs.csv".to_owned(), records_csv(records)?),
        ("summary.csv".to_owned(), csv(groups)),
        (
            "summary.md".to_owned(),
            write(TableFormat::Markdown, &[], groups),
        ),
    ];
    if !predictions.is_empty() {
        let csv = predictions::write(predictions, TableFormat::Csv);
        files.push(("predictions.csv".to_owned(), csv));
    }
    files.extend(plots(records));
    let lines = records.iter().map(|record| object(record) + "\n");
    files.push((RUNS.to_owned(), lines.collect()));
    for (name, text) in &files {
        let path = directory.join(name);
        AtomicFile::write(&path, &[text.as_bytes()]).map_err(Failure::table)?;
    }
    Ok(files.len())
}

/// A record as a JSON object on one line, with its fields in the order of [`Record`].
pub(crate) fn object(record: &Record) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

/// All plots: their file names, and SVG.
fn plots(records: &[Record]) -> Vec<(String, String)> {
    let runs: Vec<Run<'_>> = records.iter().map(run).collect();
    let mut plots = Vec::new();
    for (set, size) in different(runs.iter().map(|own| (own.set, own.size))) {
        for plot in comparison::of_set(&runs, set, size, &[]) {
            plots.push((format!("{}-{size}-{set}.svg", plot.name), plot.chart));
        }
    }
    for size in different(runs.iter().map(|own| own.size)) {
        for plot in comparison::of_walks(&runs, size, &[]) {
            plots.push((format!("{}-{size}.svg", plot.name), plot.chart));
        }
    }
    let plots = plots.into_iter();
    let svg = |(name, chart): (String, Chart)| (name, chart.svg(View::default()));
    plots.map(svg).collect()
}

fn run(record: &Record) -> Run<'_> {
    Run {
        set: &record.set,
        size: &record.size,
        number: record.number as u32,
        search: &record.search,
        heuristic: &record.heuristic,
        is_solved: record.status == RunStatus::Solved,
        length: record.length,
        optimal_length: record.optimal_length,
        h0: record.h0,
        generated: record.generated as f64,
        ms: record.ms,
    }
}
