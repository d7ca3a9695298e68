//! Headers as JSON objects, for users and programs without a table reader.

use std::path::Path;

use puzzle::{Cell, CellSet};
use serde::Serialize;

use crate::header::Header;
use crate::hex::hex;

/// Description of a table as a JSON object. Cells are numbered from 0, in the table's orientation.
#[derive(Serialize)]
struct Description<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    format: u32,
    tray: String,
    goal: Vec<usize>,
    tiles: Vec<usize>,
    kind: &'static str,
    encoding: &'static str,
    entries: u64,
    reached: u64,
    max: u8,
    histogram: &'a [u64],
    payload: u64,
    sha256: String,
}

fn cells(set: CellSet) -> Vec<usize> {
    set.iter().map(Cell::index).collect()
}

impl Header {
    /// The object of `pdb-gen info --json` (docs/json.md) for this header, with the path of the
    /// file if it is given.
    #[must_use]
    pub fn describe<'a>(&'a self, file: Option<&Path>) -> impl Serialize + use<'a> {
        Description {
            file: file.map(|file| file.display().to_string()),
            format: self.version(),
            tray: self.id.tray().to_string(),
            goal: cells(self.id.blank()),
            tiles: cells(self.id.tiles()),
            kind: self.id.kind().name(),
            encoding: self.encoding.name(),
            entries: self.entries,
            reached: self.reached(),
            max: self.histogram.max(),
            histogram: self.histogram.counts(),
            payload: self.payload_length(),
            sha256: hex(&self.payload_sha256),
        }
    }
}
