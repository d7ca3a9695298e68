//! The directory of a comparison's results.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use command::Failure;
use lab::compare::RunStatus;
use lab::{Comparison, Record};
use pdb_table::AtomicFile;
use plot::comparison::{self, Run, different};
use plot::{Chart, View};
use serde_json::{Value, json};

use super::predictions::{self, Prediction};
use super::table::{self, RecordGroup};
use crate::text_table::TableFormat;

/// Results on disk. The record of each search is written when the search finishes.
pub(crate) struct Results {
    pub(crate) directory: PathBuf,
    runs: File,
}

/// File with one line per search.
const RUNS: &str = "runs.jsonl";
/// File that stores the limits of the searches. They must stay the same when a comparison is
/// resumed.
const SETTINGS: &str = "compare.json";

impl Results {
    /// Opens a directory for new results, or to resume existing ones. Returns the existing records.
    pub(crate) fn open(
        directory: &Path,
        comparison: &Comparison,
        resume: bool,
    ) -> Result<(Results, Vec<Record>), Failure> {
        let cannot = |error: io::Error| failed(directory, &error);
        fs::create_dir_all(directory).map_err(cannot)?;
        let (runs, settings) = (directory.join(RUNS), directory.join(SETTINGS));
        let wanted = settings_of(comparison);
        // A run that failed before its first search leaves an empty file.
        let has_results = fs::metadata(&runs).is_ok_and(|file| file.len() > 0);
        let records = match (has_results, resume) {
            (true, false) => {
                return Err(Failure::input(format!(
                    "{} has results: add --resume to continue them, or name another directory",
                    directory.display()
                )));
            }
            (true, true) => {
                same_limits(directory, &wanted)?;
                let records = read(&runs)?;
                same_boards(directory, &records, comparison)?;
                records
            }
            (false, _) => Vec::new(),
        };
        let text = format!("{wanted}\n");
        AtomicFile::write(&settings, &[text.as_bytes()]).map_err(Failure::table)?;
        // Removes the incomplete last line of a killed run.
        AtomicFile::write(&runs, &[lines(&records).as_bytes()]).map_err(Failure::table)?;
        let file = OpenOptions::new().append(true).open(&runs);
        let results = Results {
            directory: directory.to_owned(),
            runs: file.map_err(|error| failed(&runs, &error))?,
        };
        Ok((results, records))
    }

    /// Appends the record of a search to the file.
    pub(crate) fn add(&self, record: &Record) -> Result<(), Failure> {
        let line = lines(std::slice::from_ref(record));
        // One call per line, so that lines of several threads do not mix.
        let written = (&self.runs).write_all(line.as_bytes());
        written.map_err(|error| failed(&self.directory.join(RUNS), &error))
    }

    /// Writes all files derived from the records, and returns their number.
    pub(crate) fn finish(
        &self,
        records: &[Record],
        groups: &[RecordGroup<'_>],
        predictions: &[Prediction],
    ) -> Result<usize, Failure> {
        let synced = self.runs.sync_all();
        synced.map_err(|error| failed(&self.directory, &error))?;
        let texts = [
            // The final file has the records in the order of the comparison; until now they were in
            // the order in which searches finished.
            (RUNS, lines(records)),
            ("runs.csv", table::records_csv(records)?),
            ("summary.csv", table::write(TableFormat::Csv, &[], groups)),
            (
                "summary.md",
                table::write(TableFormat::Markdown, &[], groups),
            ),
        ];
        let texts = texts.map(|(name, text)| (name.to_owned(), text.into_bytes()));
        let mut files = texts.to_vec();
        if !predictions.is_empty() {
            let csv = predictions::csv(predictions);
            files.push(("predictions.csv".to_owned(), csv.into_bytes()));
        }
        files.extend(plots(groups));
        for (name, bytes) in &files {
            let path = self.directory.join(name);
            AtomicFile::write(&path, &[bytes]).map_err(Failure::table)?;
        }
        Ok(files.len() + 1)
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::table(format!("{}: {error}", path.display()))
}

fn settings_of(comparison: &Comparison) -> Value {
    let order: String = comparison.order.iter().map(|own| own.letter()).collect();
    json!({
        "max_nodes": comparison.limits.max_nodes,
        "max_seconds": comparison.limits.max_time.map(|time| time.as_secs_f64()),
        "max_memory": comparison.limits.max_memory,
        "order": order,
    })
}

fn lines(records: &[Record]) -> String {
    let lines = records.iter().map(|record| object(record) + "\n");
    lines.collect()
}

/// A record as a JSON object on one line, with its fields in the order of [`Record`].
pub(super) fn object(record: &Record) -> String {
    serde_json::to_string(record).unwrap_or_else(|_| json!(record).to_string())
}

/// Names of the limits in [`SETTINGS`], and their options.
const OPTIONS: [(&str, &str); 4] = [
    ("max_nodes", "--max-nodes"),
    ("max_seconds", "--max-time"),
    ("max_memory", "--max-memory"),
    ("order", "--order"),
];

fn settings(directory: &Path) -> Option<Value> {
    let text = fs::read_to_string(directory.join(SETTINGS)).ok()?;
    serde_json::from_str(&text).ok()
}

/// The memory limit of the searches in a directory. By default it depends on the memory that was
/// free when the searches began.
pub(crate) fn max_memory(directory: &Path) -> Option<u64> {
    settings(directory)?["max_memory"].as_u64()
}

/// Rejects limits that differ from those of the existing results.
fn same_limits(directory: &Path, wanted: &Value) -> Result<(), Failure> {
    let Some(found) = settings(directory) else {
        return Err(Failure::input(format!(
            "the limits in {} are missing or damaged: name another directory",
            directory.join(SETTINGS).display()
        )));
    };
    let mut options = OPTIONS.into_iter();
    let different = options.find(|(field, _)| found[field] != wanted[field]);
    different.map_or(Ok(()), |(field, name)| {
        let option = |of: &Value| match &of[field] {
            Value::Null => format!("without {name}"),
            Value::String(value) => format!("with {name} {value}"),
            value => format!("with {name} {value}"),
        };
        Err(Failure::input(format!(
            "the searches in {} were run {}, and this comparison runs them {}: give the same \
             limits, or name another directory",
            directory.display(),
            option(&found),
            option(wanted)
        )))
    })
}

/// Rejects records whose goal or board differs from the comparison's, because a table compares
/// results on the same boards. The number of boards may change.
fn same_boards(
    directory: &Path,
    records: &[Record],
    comparison: &Comparison,
) -> Result<(), Failure> {
    for record in records {
        let Some(set) = comparison.set_of(&record.set, &record.size) else {
            continue;
        };
        let goal = set.goal.to_string();
        let board = record.number.checked_sub(1);
        let board = board.and_then(|place| Some(set.boards.get(place)?.board.to_string()));
        let different = match board {
            _ if goal != record.goal => ("the goal".to_owned(), &record.goal, goal),
            Some(board) if board != record.board => {
                (format!("board {}", record.number), &record.board, board)
            }
            _ => continue,
        };
        let (what, there, here) = different;
        return Err(Failure::input(format!(
            "the results in {} are of other boards: {what} of {} {} is {there}, and here it is \
             {here}; give the same boards, --seed and --goal, or name another directory",
            directory.display(),
            record.size,
            record.set
        )));
    }
    Ok(())
}

/// The records of a file. An incomplete last line is ignored.
fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    let text = fs::read(path).map_err(|error| failed(path, &error))?;
    let mut records = Vec::new();
    for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
        match serde_json::from_slice(line) {
            Ok(record) => records.push(record),
            Err(_) if !line.ends_with(b"\n") => {}
            Err(_) => {
                return Err(Failure::input(format!(
                    "{}, line {number} is damaged, no search of a comparison: delete that line to \
                     have it searched again, or name another directory",
                    path.display()
                )));
            }
        }
    }
    Ok(records)
}

/// All plots by file name.
pub(crate) fn plots(groups: &[RecordGroup<'_>]) -> Vec<(String, Vec<u8>)> {
    let records = groups.iter().flat_map(|(_, records)| records);
    let runs: Vec<Run<'_>> = records.map(|record| run(record)).collect();
    let mut plots = Vec::new();
    for (set, size) in different(runs.iter().map(|own| (own.set, own.size))) {
        for plot in comparison::of_set(&runs, set, size, &[]) {
            plots.push((format!("{}-{size}-{set}", plot.name), plot.chart));
        }
    }
    for size in different(runs.iter().map(|own| own.size)) {
        for plot in comparison::of_walks(&runs, size, &[]) {
            plots.push((format!("{}-{size}", plot.name), plot.chart));
        }
    }
    let svg = |chart: Chart| chart.svg(View::default()).into_bytes();
    let plots = plots.into_iter();
    plots
        .map(|(stem, chart)| (format!("{stem}.svg"), svg(chart)))
        .collect()
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
