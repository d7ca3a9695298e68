//! The verbs that read table files: which files, and what they are.

use std::path::{Path, PathBuf};

use cli::{EXIT_INTERRUPTED, Failure, SharedArgs, interrupted};
use pdb_table::{Header, TableDirectory, hex};
use puzzle::Cell;
use serde_json::{Value, json};

use crate::selection::Selection;

/// Runs over the files given, or those of the selected tables, or all of the tables directory. Goes
/// on after a bad file, and gives the highest exit code.
pub(crate) fn each_file(
    selection: &Selection,
    files: &[PathBuf],
    mut act: impl FnMut(&SharedArgs, &Path) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let shared = &selection.shared;
    let files = match (files.is_empty(), selection.is_given()) {
        (false, false) => files.to_vec(),
        (false, true) => {
            return Err(Failure::input(
                "name files, or choose tables by --partition, --tiles and the like, not both",
            ));
        }
        (true, false) => table_files(&shared.directory()?)?,
        (true, true) => {
            let store = selection.store()?;
            let tables = selection.tables()?.into_iter();
            tables.map(|id| store.path(id)).collect()
        }
    };
    let mut worst = 0;
    for file in &files {
        if let Err(failure) = act(shared, file) {
            failure.report("pdb-gen");
            worst = worst.max(failure.exit());
        }
        if interrupted() {
            return Ok(worst.max(EXIT_INTERRUPTED));
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

fn cells(cells: impl Iterator<Item = Cell>) -> Vec<usize> {
    cells.map(Cell::index).collect()
}

/// The header as a JSON object. Cells count from 0, in the orientation in which the table is
/// stored.
pub(crate) fn describe(path: &Path, header: &Header) -> Value {
    json!({
        "file": path.display().to_string(),
        "format": pdb_table::FORMAT_VERSION,
        "tray": header.id.tray().to_string(),
        "goal": cells(header.id.blank().iter()),
        "tiles": cells(header.id.tiles().iter()),
        "kind": header.id.kind().name(),
        "encoding": header.encoding.name(),
        "entries": header.entries,
        "reached": header.reached(),
        "max": header.histogram.max(),
        "histogram": header.histogram.counts(),
        "payload": header.payload_length(),
        "sha256": hex(&header.payload_sha256),
    })
}

/// The header as a JSON object, with what was done besides: the fields of another object.
pub(crate) fn describe_with(path: &Path, header: &Header, done: Value) -> Value {
    let mut object = describe(path, header);
    if let (Some(fields), Value::Object(done)) = (object.as_object_mut(), done) {
        fields.extend(done);
    }
    object
}
