//! Bundles: directories with packed tables and a manifest, which any web server can serve. The
//! manifest states the contents and the files, and the command that reproduces the bundle.
//!
//! `docs/format.md` describes the files. Readers check names, lengths and checksums before they
//! write anything.

mod storage;

use std::collections::BTreeMap;
use std::path::Path;

use puzzle::{Board, Cell, CellSet, Goal, Partition, TableId, Tray};
use serde::{Deserialize, Serialize};

use crate::header::{HEADER_LENGTH, Header};
use crate::pack::Packed;
use crate::size::hex;
pub use storage::{Bundle, BundleError, BundleWriter, MANIFEST_NAME, write_unpacked};

/// The manifest version that this code reads and writes. Version 1 had bundles in one file, too.
pub const MANIFEST_VERSION: u32 = 2;
/// The value of `format` in every manifest.
const FORMAT: &str = "sliding-tile pattern databases, packed";

/// The contents of a bundle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Always [`FORMAT`].
    format: String,
    /// [`MANIFEST_VERSION`].
    pub version: u32,
    /// Size of the tray, such as `4x4`.
    pub tray: String,
    /// The numbers of the goal board in reading order, 0 for the blank.
    pub goal: Vec<u16>,
    /// The command that builds and packs the tables.
    pub rebuild: String,
    /// The requested patterns, ordered by partition.
    pub parts: Vec<ManifestPart>,
    /// The tables of these patterns, each once.
    pub tables: Vec<PackedTable>,
}

/// A pattern and its table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPart {
    /// Number of the pattern's partition, from 0. The heuristic adds the values of a partition's
    /// patterns.
    pub partition: usize,
    /// Numbers of the pattern's tiles in the goal, ascending by goal cell.
    pub tiles: Vec<u16>,
    /// Index of the pattern's table in [`Manifest::tables`], from 0.
    pub table: usize,
}

/// A packed table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedTable {
    /// The packed file.
    pub packed: PackedFile,
    /// Length of the packed file's header, in bytes: fetch these bytes first.
    pub header: u64,
    /// Number of frames.
    pub frames: usize,
    /// The table file that unpacking produces.
    pub table: TableInfo,
}

/// A packed table's file in the directory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedFile {
    /// Name of the file.
    pub file: String,
    /// Length in bytes.
    pub length: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// Description of a table file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableInfo {
    /// File name in a tables directory.
    pub file: String,
    /// Length of header and payload, in bytes.
    pub length: u64,
    /// SHA-256 of the whole file in hexadecimal.
    pub sha256: String,
    /// The table file's format version.
    pub format: u32,
    /// Size of the tray, such as `4x4`.
    pub tray: String,
    /// Kind of the table.
    pub kind: String,
    /// Encoding of the entries.
    pub encoding: String,
    /// Goal cells of the tiles, numbered from 0 in the table's orientation.
    pub tiles: Vec<usize>,
    /// Cells of the goal's blank class, numbered from 0 in the table's orientation.
    pub blank: Vec<usize>,
    /// Number of entries.
    pub entries: u64,
    /// Number of reachable entries.
    pub reached: u64,
    /// The largest value.
    pub max: u8,
}

impl Manifest {
    /// A manifest without parts and tables; the caller adds them.
    #[must_use]
    pub fn new(tray: String, goal: Vec<u16>, rebuild: String) -> Self {
        Manifest {
            format: FORMAT.to_owned(),
            version: MANIFEST_VERSION,
            tray,
            goal,
            rebuild,
            parts: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// The patterns of the partitions, each with the index of its table in `tables`.
    #[must_use]
    pub fn parts_of(
        goal: &Goal,
        partitions: &[Partition],
        tables: &[TableId],
    ) -> Vec<ManifestPart> {
        let mut parts = Vec::new();
        for (number, partition) in partitions.iter().enumerate() {
            for pattern in partition.patterns() {
                let (id, _) = pattern.table(partition.kind());
                let numbers = pattern.tiles().iter().map(|cell| goal.number_at(cell));
                parts.push(ManifestPart {
                    partition: number,
                    tiles: numbers.collect(),
                    table: tables.iter().position(|table| *table == id).unwrap_or(0),
                });
            }
        }
        parts
    }

    /// The goal of the tables. This function never fails for a manifest from [`Self::from_text`],
    /// which checks the goal.
    pub fn read_goal(&self) -> Result<Goal, String> {
        let no_size = |_| format!("`{}` is not a size", self.tray.escape_debug());
        let tray: Tray = self.tray.parse().map_err(no_size)?;
        let goal: Vec<u32> = self.goal.iter().map(|&number| number.into()).collect();
        let goal =
            Board::new(tray, &goal).map_err(|_| format!("the goal is not a {tray} board"))?;
        Ok(Goal::new(goal))
    }

    /// The tiles of each pattern, by partition, in the form that
    /// [`puzzle::HeuristicSpecBuilder::parse_parts`] accepts.
    #[must_use]
    pub fn partitions(&self) -> Vec<Vec<Vec<u16>>> {
        let mut partitions: BTreeMap<usize, Vec<Vec<u16>>> = BTreeMap::new();
        for part in &self.parts {
            let parts = partitions.entry(part.partition).or_default();
            parts.push(part.tiles.clone());
        }
        partitions.into_values().collect()
    }

    /// The text of the manifest: indented JSON with a line end.
    #[must_use]
    pub fn to_text(&self) -> String {
        // Strings, numbers and lists can always be serialised.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads and checks a manifest. File names must be plain: only letters, digits, dots, dashes
    /// and underscores.
    pub fn from_text(text: &[u8]) -> Result<Self, String> {
        /// Fields that a manifest of every version has. They are read first, to report an
        /// unsupported version.
        #[derive(Deserialize)]
        struct Beginning {
            format: String,
            version: u32,
        }
        let foreign = "not a manifest of packed tables";
        let beginning: Beginning = serde_json::from_slice(text).map_err(|_| foreign.to_owned())?;
        if beginning.format != FORMAT {
            return Err(foreign.to_owned());
        }
        if beginning.version != MANIFEST_VERSION {
            return Err(format!(
                "manifest version {}, but this program reads version {MANIFEST_VERSION}: \
                 update it, or pack the tables again",
                beginning.version
            ));
        }
        let manifest: Manifest = serde_json::from_slice(text).map_err(|error| {
            // The error quotes unknown fields verbatim, so control characters are replaced.
            let error = error.to_string().replace(char::is_control, "\u{fffd}");
            format!("damaged manifest: {error}")
        })?;
        for table in &manifest.tables {
            for name in [&table.packed.file, &table.table.file] {
                if !is_plain(name) {
                    return Err(format!(
                        "`{}` is not a plain file name",
                        name.escape_debug()
                    ));
                }
            }
        }
        manifest.check_parts()?;
        Ok(manifest)
    }

    /// Checks the goal. Then checks for each part that the goal contains the part's tiles, and that
    /// the part's table exists and has the same number of tiles as the part.
    fn check_parts(&self) -> Result<(), String> {
        let goal = self.read_goal()?;
        let goal = goal.board();
        for part in &self.parts {
            let table = self.tables.get(part.table);
            let table = table.ok_or_else(|| format!("table number {} not found", part.table))?;
            let cell = |&number: &u16| goal.find(number).filter(|_| number != 0);
            let cells: Option<Vec<Cell>> = part.tiles.iter().map(cell).collect();
            let is_sound = cells.is_some_and(|cells| {
                cells.is_sorted_by(|a, b| a < b) && cells.len() == table.table.tiles.len()
            });
            if !is_sound {
                let (number, tiles) = (part.table, part.tiles.iter().map(u16::to_string));
                let tiles = tiles.collect::<Vec<_>>().join(",");
                return Err(format!(
                    "table number {number} has no part of tiles {tiles}"
                ));
            }
        }
        Ok(())
    }
}

/// Whether a name consists of 1 to 200 ASCII letters, digits, dots, dashes and underscores, and
/// does not begin with a dot.
fn is_plain(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    !name.starts_with('.') && (1..=200).contains(&name.len()) && name.chars().all(allowed)
}

impl PackedTable {
    /// The record of the packed file `file`; `name` and `sha256` belong to the table file.
    #[must_use]
    pub fn new(packed: &Packed, file: PackedFile, name: String, sha256: String) -> Self {
        let header = packed.header();
        let id = header.id;
        let cells = |set: CellSet| set.iter().map(Cell::index).collect();
        let first_frame = packed.frames().first();
        PackedTable {
            packed: file,
            header: first_frame.map_or(packed.file_length(), |frame| frame.bytes.start),
            frames: packed.frames().len(),
            table: TableInfo {
                file: name,
                length: HEADER_LENGTH as u64 + header.payload_length(),
                sha256,
                format: header.version(),
                tray: id.tray().to_string(),
                kind: id.kind().name().to_owned(),
                encoding: header.encoding.name().to_owned(),
                tiles: cells(id.tiles()),
                blank: cells(id.blank()),
                entries: header.entries,
                reached: header.reached(),
                max: header.histogram.max(),
            },
        }
    }
}

/// The packed form of `NAME.pdb` is `NAME.pdbz`.
fn packed_name(name: &str) -> String {
    format!("{name}z")
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_one_line() {
        let manifest = Manifest::new("2x2".to_owned(), vec![1, 2, 3, 0], "make".to_owned());
        let text = manifest.to_text();
        assert_eq!(Manifest::from_text(text.as_bytes()), Ok(manifest));
        let text = text.replacen("\"rebuild\"", "\"re\\n\\u001bbuild\"", 1);
        let line = Manifest::from_text(text.as_bytes()).unwrap_err();
        assert!(line.contains("re\u{fffd}\u{fffd}build"), "{line:?}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
}
