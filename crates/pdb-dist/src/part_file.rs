//! Writes part files, each with one process's part of a table, and joins parts into tables.
//!
//! The format is that of checkpoints, see [`ChecksumWriter`].

use std::cell::Cell;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use command::Failure;
use pdb_gen::{ChecksumReader, ChecksumWriter, ShapePartition, is_damage};
use pdb_table::{
    AtomicFile, Compression, Encoding, FileError, FileErrorKind, Header, TableDirectory,
    open_regular, write_table,
};
use puzzle::{Ranking, TableId};
use serde::{Deserialize, Serialize};

use crate::job::TableSweep;

/// Fields that part files and checkpoints share: the identity of the part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PartId {
    pub(crate) version: u32,
    /// Name of the table.
    pub(crate) table: String,
    /// Name of the encoding.
    pub(crate) encoding: String,
    pub(crate) parts: usize,
    pub(crate) part: usize,
}

impl PartId {
    pub(crate) fn new(version: u32, id: TableId, part: usize, parts: usize) -> Self {
        PartId {
            version,
            table: id.name(),
            encoding: Encoding::OneBit.name().to_owned(),
            parts,
            part,
        }
    }
}

const MAGIC: [u8; 8] = *b"\x89PDP\r\n\x1a\n";
const VERSION: u32 = 1;

/// Fields of a part file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct PartFields {
    #[serde(flatten)]
    id: PartId,
    /// [`ShapePartition::weights`] of the build.
    #[serde(rename = "deal")]
    shape_partition: Vec<u16>,
    /// Number of entries of the table at each distance.
    counts: Vec<u64>,
    /// Header of the whole table, without the payload's checksum.
    header: Vec<u8>,
}

/// Path and fields of a part file.
type Part = (PathBuf, PartFields);

/// Path of a part file, next to the table's path.
pub(crate) fn path(directory: &TableDirectory, id: TableId, part: usize, parts: usize) -> PathBuf {
    let table = directory.file(id, Encoding::OneBit, false);
    with_suffix(&table, &format!(".part-{part}-of-{parts}"))
}

/// The path of a file next to a table.
pub(crate) fn with_suffix(table: &Path, suffix: &str) -> PathBuf {
    let mut path = table.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Whether a part file exists that [`join`] would accept: it is undamaged, and its version and its
/// [`ShapePartition`] are those of this program. Reads the whole file.
pub(crate) fn exists(path: &Path, id: TableId, part: usize, parts: usize) -> bool {
    let file = open_regular(path).ok().flatten();
    let fields = file.and_then(|file| ChecksumReader::open::<PartFields>(file, MAGIC).ok());
    fields.is_some_and(|(rows, fields)| {
        let shape_partition = ShapePartition::new(id.tray(), id.tiles().len(), parts);
        fields.id == PartId::new(VERSION, id, part, parts)
            && fields.shape_partition == shape_partition.weights()
            && rows.check().is_ok()
    })
}

/// Writes the part file of a finished sweep.
pub(crate) fn write(path: &Path, part: usize, sweep: &TableSweep) -> Result<(), FileError> {
    let mut whole = AtomicFile::create(path)?;
    let shape_partition = sweep.part.shape_partition();
    let fields = PartFields {
        id: PartId::new(VERSION, sweep.part.id(), part, shape_partition.parts()),
        shape_partition: shape_partition.weights().to_vec(),
        counts: sweep.histogram.counts().to_vec(),
        header: sweep.header([0; 32]).encode(),
    };
    let mut write = || {
        let mut to = ChecksumWriter::new(whole.file_mut(), MAGIC, &fields)?;
        sweep.part.each_row(|_, row| to.write_all(row))?;
        to.finish()
    };
    write().map_err(|error| FileError::io(path, error))?;
    whole.finish()
}

/// Joins the parts in these directories or files into tables in `directory`. Returns the paths of
/// the tables.
///
/// # Errors
/// Parts are missing or do not belong together, or a file cannot be read or written.
pub fn join(from: &[PathBuf], directory: &TableDirectory) -> Result<Vec<PathBuf>, Failure> {
    let mut found: Vec<Part> = Vec::new();
    for place in from {
        for path in files(place)? {
            let refused = |error: io::Error| Failure::table(format!("{}: {error}", path.display()));
            let file = File::open(&path).map_err(refused)?;
            let (_, fields) = ChecksumReader::open::<PartFields>(file, MAGIC)
                .map_err(|_| Failure::table(format!("{}: not a part", path.display())))?;
            found.push((path, fields));
        }
    }
    if found.is_empty() {
        return Err(Failure::input(
            "no parts found: give the directories to which --parts has written them",
        ));
    }
    // The same directory may be listed twice.
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found.dedup_by(|(a, _), (b, _)| a == b);
    let table = |(_, fields): &Part| (fields.id.table.clone(), fields.id.parts);
    found.sort_by_cached_key(|part| (table(part), part.1.id.part));
    let tables = found.chunk_by(|a, b| table(a) == table(b));
    tables.map(|parts| join_table(parts, directory)).collect()
}

/// The part files in `place` if it is a directory; otherwise `place` itself.
fn files(place: &Path) -> Result<Vec<PathBuf>, Failure> {
    if place.is_file() {
        return Ok(vec![place.to_owned()]);
    }
    let refused = |error| Failure::table(format!("{}: {error}", place.display()));
    let entries = std::fs::read_dir(place).map_err(refused)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>().map_err(refused)?;
    paths.retain(|path| {
        let end = path.extension().unwrap_or_default().to_string_lossy();
        end.starts_with("part-") && end.contains("-of-")
    });
    paths.sort();
    Ok(paths)
}

/// Error for a part that cannot be joined.
fn unfit(path: &Path, what: impl Display) -> Failure {
    Failure::table(format!("{}: {what}: build the table again", path.display()))
}

/// Checks that these are all parts of one build of a table; returns the table's header and
/// [`ShapePartition`].
fn check_parts(parts: &[Part]) -> Result<(Header, ShapePartition), Failure> {
    let (first_path, first) = &parts[0];
    let missing: Vec<String> = (0..first.id.parts)
        .filter(|&part| parts.iter().all(|(_, fields)| fields.id.part != part))
        .map(|part| part.to_string())
        .collect();
    if !missing.is_empty() {
        return Err(Failure::input(format!(
            "part {} of {} is missing: give the directories of all processes",
            missing.join(", "),
            first.id.table
        )));
    }
    let mut pairs = parts.windows(2);
    if let Some(twice) = pairs.find(|two| two[0].1.id.part == two[1].1.id.part) {
        return Err(Failure::input(format!(
            "{} and {} are the same part: leave out one of them",
            twice[0].0.display(),
            twice[1].0.display()
        )));
    }
    if first.id.version != VERSION {
        let what = "a part of another version of this program";
        return Err(unfit(first_path, what));
    }
    for (path, fields) in parts {
        let mut alike = fields.clone();
        alike.id.part = first.id.part;
        if alike != *first {
            return Err(unfit(path, "a part of another build"));
        }
    }
    // Decoding checks the header's own checksum.
    let header = Header::decode(&first.header).map_err(|error| unfit(first_path, error))?;
    let shape_partition =
        ShapePartition::new(header.id.tray(), header.id.tiles().len(), first.id.parts);
    if shape_partition.weights() != first.shape_partition {
        let what = "a part with another assignment of shapes";
        return Err(unfit(first_path, what));
    }
    Ok((header, shape_partition))
}

fn join_table(parts: &[Part], directory: &TableDirectory) -> Result<PathBuf, Failure> {
    let (header, shape_partition) = check_parts(parts)?;
    let path = directory.file(header.id, Encoding::OneBit, false);
    if path.symlink_metadata().is_ok() {
        return Err(Failure::input(format!(
            "{} already exists: remove it, or try: --tables DIR",
            path.display()
        )));
    }
    directory.create().map_err(Failure::table)?;
    // The part being read, for the error message.
    let reading = Cell::new(None);
    let payload = |to: &mut dyn Write| {
        let mut readers = Vec::new();
        for (part, (path, _)) in parts.iter().enumerate() {
            reading.set(Some(part));
            readers.push(ChecksumReader::open::<PartFields>(File::open(path)?, MAGIC)?.0);
        }
        let mut read = |part: usize, bytes: &mut [u8]| {
            reading.set(Some(part));
            readers[part].read_exact(bytes)?;
            reading.set(None);
            Ok(())
        };
        join_rows(&header, &shape_partition, &mut read, to)?;
        // All parts must end here, with matching checksums.
        for (part, reader) in readers.into_iter().enumerate() {
            reading.set(Some(part));
            reader.finish()?;
        }
        reading.set(None);
        Ok(())
    };
    let with_sum = |sum| Header {
        payload_sha256: sum,
        ..header.clone()
    };
    let written = write_table(&path, Compression::None, payload, with_sum);
    written.map_err(|error| match (&error.kind, reading.get()) {
        (FileErrorKind::Io(io), Some(part)) => {
            let part_path = &parts[part].0;
            match is_damage(io) {
                true => unfit(part_path, "the part is damaged"),
                false => Failure::table(format!("{}: {io}", part_path.display())),
            }
        }
        _ => Failure::table(error),
    })?;
    Ok(path)
}

/// Writes the rows of all parts in table order.
fn join_rows(
    header: &Header,
    shape_partition: &ShapePartition,
    read: &mut impl FnMut(usize, &mut [u8]) -> io::Result<()>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let id = header.id;
    let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind());
    let bits = ranking.row_entries();
    if bits % 8 != 0 {
        // Tables whose rows may end inside a byte are not divided: the first part contains all
        // rows.
        let mut all = vec![0; header.payload_length() as usize];
        read(0, &mut all)?;
        return to.write_all(&all);
    }
    let mut rows = Vec::new();
    for (index, &shape) in ranking.shapes().iter().enumerate() {
        rows.resize(ranking.shape_rows(index).len() * (bits / 8), 0);
        read(shape_partition.part(shape), &mut rows)?;
        to.write_all(&rows)?;
    }
    Ok(())
}
