//! The directory of a comparison's results.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use cli::Failure;
use lab::compare::Group;
use lab::{Comparison, Record};
use pdb_table::AtomicFile;
use serde_json::{Value, json};

use super::plots;
use super::table::{self, Prediction};

/// Results on disk: each search is there as soon as it is done.
pub(crate) struct Results {
    directory: PathBuf,
    runs: File,
    /// Those of before.
    records: Vec<Record>,
}

/// A line for each search.
const RUNS: &str = "runs.jsonl";
/// The limits, which must be the same when a comparison goes on.
const SETTINGS: &str = "compare.json";

impl Results {
    /// Opens a directory for new results, or to go on with those that are there.
    pub(crate) fn open(
        directory: &Path,
        comparison: &Comparison,
        resume: bool,
    ) -> Result<Results, Failure> {
        let cannot = |error: io::Error| failed(directory, &error);
        fs::create_dir_all(directory).map_err(cannot)?;
        let (runs, settings) = (directory.join(RUNS), directory.join(SETTINGS));
        let wanted = settings_of(comparison);
        let records = match (runs.exists(), resume) {
            (true, false) => {
                return Err(Failure::input(format!(
                    "{} has results: add --resume to go on with them, or name another directory",
                    directory.display()
                )));
            }
            (true, true) => {
                let found = fs::read_to_string(&settings);
                let found: Option<Value> = serde_json::from_str(&found.unwrap_or_default()).ok();
                if found.as_ref() != Some(&wanted) {
                    return Err(Failure::input(format!(
                        "the results in {} are of searches with other limits: expected {wanted}, \
                         found {}; name another directory",
                        directory.display(),
                        found.map_or("none".to_owned(), |found| found.to_string())
                    )));
                }
                read(&runs)?
            }
            (false, _) => Vec::new(),
        };
        AtomicFile::write(&settings, &[format!("{wanted}\n").as_bytes()])
            .map_err(Failure::table)?;
        // What a killed run left of its last line goes.
        AtomicFile::write(&runs, &[lines(&records).as_bytes()]).map_err(Failure::table)?;
        let file = OpenOptions::new().append(true).open(&runs);
        Ok(Results {
            directory: directory.to_owned(),
            runs: file.map_err(|error| failed(&runs, &error))?,
            records,
        })
    }

    /// The records of before, once.
    pub(crate) fn take(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Adds a search.
    pub(crate) fn add(&mut self, record: &Record) -> Result<(), Failure> {
        let line = lines(std::slice::from_ref(record));
        let written = self.runs.write_all(line.as_bytes());
        written.map_err(|error| failed(&self.directory.join(RUNS), &error))
    }

    /// Writes everything that is made of the records, and gives the number of files.
    pub(crate) fn finish(
        &self,
        records: &[Record],
        groups: &[(Group, Vec<&Record>)],
        predictions: &[Prediction],
    ) -> Result<usize, Failure> {
        self.runs
            .sync_all()
            .map_err(|error| failed(&self.directory, &error))?;
        let mut files = vec![
            (
                "runs.csv".to_owned(),
                table::records_csv(records)?.into_bytes(),
            ),
            (
                "summary.csv".to_owned(),
                table::csv(groups, predictions).into_bytes(),
            ),
            (
                "summary.md".to_owned(),
                table::markdown(groups, predictions).into_bytes(),
            ),
        ];
        files.extend(plots::all(groups)?);
        for (name, bytes) in &files {
            let path = self.directory.join(name);
            AtomicFile::write(&path, &[bytes]).map_err(Failure::table)?;
        }
        Ok(files.len() + 2)
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
    records
        .iter()
        .map(|record| format!("{}\n", object(record)))
        .collect()
}

/// A search as a JSON object on one line, with its fields in the order of [`Record`].
pub(super) fn object(record: &Record) -> String {
    serde_json::to_string(record).unwrap_or_else(|_| json!(record).to_string())
}

/// The records of a file. Its last line may be torn.
fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| failed(path, &error))?;
    let mut records = Vec::new();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        match serde_json::from_str(line) {
            Ok(record) => records.push(record),
            Err(_) if !line.ends_with('\n') => {}
            Err(error) => {
                return Err(Failure::input(format!(
                    "{}, line {number}: {error}: it is no search of a comparison",
                    path.display()
                )));
            }
        }
    }
    Ok(records)
}
