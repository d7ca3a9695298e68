//! Bundles on disk: a directory with a manifest, a single file, or one packed table without a
//! manifest.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{FileRange, Manifest, PackedTable, packed_name};
use crate::atomic_file::AtomicFile;
use crate::code::Code;
use crate::codes;
use crate::control::{Cancel, Executor};
use crate::directory::TableDirectory;
use crate::file::{FileError, open_regular};
use crate::header::{HEADER_LENGTH, Header, TableError};
use crate::pack::{PackError, Packed, pack, unpack_memory};
use crate::reader::ReadError;
use crate::size::hex;
use crate::table::{SharedTable, Table};

/// File name of the manifest in a directory.
pub const MANIFEST_NAME: &str = "manifest.json";

/// Error of packing or unpacking tables.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A packed file is invalid.
    #[error("{path}: {error}")]
    Pack {
        /// Path of the file.
        path: String,
        /// The error in the packed bytes.
        error: PackError,
    },
    /// A table needs more memory than the limit.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The manifest is invalid.
    #[error("{path}: {reason}")]
    Manifest {
        /// Path of the file.
        path: String,
        /// The reason.
        reason: String,
    },
}

codes! {
    BundleError {
        BundleError::Pack { error,
        .. } => error.code(),
        BundleError::Read(error) => error.code(),
        _ => Code::Table,
    }
}

/// The first bytes of a single file.
const SINGLE_MAGIC: [u8; 8] = *b"\x89PDS\r\n\x1a\n";
/// Length of magic, manifest length and manifest SHA-256, in bytes.
const SINGLE_START: usize = 48;
/// Largest manifest that is read, in bytes.
const MAX_MANIFEST: u64 = 16 << 20;
/// Largest header of a packed table that is read, in bytes. A header of this length describes six
/// million frames.
const MAX_HEADER: u64 = 256 << 20;
/// Bytes hashed between two checks of a [`Cancel`].
const SUMMED: usize = 1 << 24;
/// Number of bytes at the start of a packed table that are needed to read its header's length.
const PACKED_START: u64 = 16;

/// Writer of packed tables. An earlier bundle at the same path is unchanged until
/// [`BundleWriter::finish`].
#[derive(Debug)]
pub struct BundleWriter {
    manifest: Manifest,
    /// The single file, or the manifest of a directory.
    out: AtomicFile,
    /// Packed tables of the single file; empty for a directory.
    packed: Vec<Vec<u8>>,
    /// The other files of a directory, not yet renamed to their final names.
    files: Vec<AtomicFile>,
    single: bool,
}

impl BundleWriter {
    /// Starts a bundle at `out`: a directory, or a single file.
    pub fn new(out: &Path, single: bool, manifest: Manifest) -> Result<Self, BundleError> {
        let out = match single {
            true => out.to_owned(),
            false => out.join(MANIFEST_NAME),
        };
        let directory = AtomicFile::directory(&out);
        fs::create_dir_all(directory).map_err(|error| io(directory, error))?;
        Ok(BundleWriter {
            manifest,
            out: AtomicFile::create(&out)?,
            packed: Vec::new(),
            files: Vec::new(),
            single,
        })
    }

    /// Packs a table like [`pack`]; `name` is its file name in a tables directory. If the bundle is
    /// a directory, writes the packed file immediately, under a temporary name.
    ///
    /// # Errors
    /// [`BundleError`], also if the payload does not match the header's SHA-256.
    pub fn add<D: AsRef<[u8]>>(
        &mut self,
        name: &str,
        table: &Table<D>,
        fixed: Option<usize>,
        executor: &impl Executor,
        cancel: &Cancel,
    ) -> Result<&PackedTable, BundleError> {
        let failed = |path: String| move |error| BundleError::Pack { path, error };
        let sum = checked_sum(table, cancel).map_err(failed(name.to_owned()))?;
        let packed = pack(table, fixed, executor, cancel);
        let bytes = packed.map_err(failed(packed_name(name)))?;
        let header = Packed::new(&bytes, bytes.len() as u64);
        let header = header.map_err(failed(packed_name(name)))?;
        let offset = self.packed.iter().map(|bytes| bytes.len() as u64).sum();
        let place = FileRange {
            file: packed_name(name),
            offset,
            length: bytes.len() as u64,
            sha256: hex(&Sha256::digest(&bytes)),
        };
        let added = PackedTable::new(&header, place, name.to_owned(), sum);
        if self.single {
            self.packed.push(bytes);
        } else {
            let path = self.out.path().with_file_name(&added.packed.file);
            let mut file = AtomicFile::create(&path)?;
            file.append(&[&bytes])?;
            self.files.push(file);
        }
        self.manifest.tables.push(added);
        Ok(&self.manifest.tables[self.manifest.tables.len() - 1])
    }

    /// Writes the manifest or the single file, and returns its path. Renames all files to their
    /// final names; the manifest is the last of them. Does not remove other packed files of an
    /// earlier bundle.
    pub fn finish(mut self) -> Result<PathBuf, BundleError> {
        let manifest = self.manifest.to_text().into_bytes();
        if self.single {
            let length = (manifest.len() as u64).to_le_bytes();
            let sum = Sha256::digest(&manifest);
            let mut parts: Vec<&[u8]> = vec![&SINGLE_MAGIC, &length, &sum, &manifest];
            parts.extend(self.packed.iter().map(Vec::as_slice));
            self.out.append(&parts)?;
        } else {
            self.out.append(&[&manifest])?;
            // All data is on the disk, so only renames are left.
            self.files.into_iter().try_for_each(AtomicFile::finish)?;
        }
        let path = self.out.path().to_owned();
        self.out.finish()?;
        Ok(path)
    }
}

/// SHA-256 of a table file. Also checks the payload, because the table may have been opened without
/// this check.
fn checked_sum<D: AsRef<[u8]>>(table: &Table<D>, cancel: &Cancel) -> Result<String, PackError> {
    let (head, payload) = table.bytes().split_at(HEADER_LENGTH);
    let mut all = Sha256::new_with_prefix(head);
    let mut alone = Sha256::new();
    for piece in payload.chunks(SUMMED) {
        PackError::unless_cancelled(cancel)?;
        all.update(piece);
        alone.update(piece);
    }
    match alone.finalize()[..] == table.header().payload_sha256 {
        true => Ok(hex(&all.finalize())),
        false => Err(TableError::PayloadSum.into()),
    }
}

/// A bundle to be unpacked.
#[derive(Debug)]
pub struct Bundle {
    /// Path of the manifest, of the single file or of the packed table.
    path: PathBuf,
    /// `None` for a packed table without a manifest.
    manifest: Option<Manifest>,
    /// Start of the packed tables in a single file, in bytes; `None` for a directory and for a
    /// packed table without a manifest.
    single: Option<u64>,
}

impl Bundle {
    /// Opens a bundle: a directory, its manifest, a single file or a packed table.
    pub fn open(path: &Path) -> Result<Self, BundleError> {
        let found = fs::metadata(path).map_err(|error| io(path, error))?;
        let path = match found.is_dir() {
            true => path.join(MANIFEST_NAME),
            false => path.to_owned(),
        };
        let mut file = BundleFile::new(&path)?;
        let start = file.read(0, file.length.min(SINGLE_START as u64))?;
        let (manifest, single) = if Packed::is_packed(&start) {
            (None, None)
        } else if start.starts_with(&SINGLE_MAGIC) {
            let (manifest, first) = open_single(&mut file, &start)?;
            (Some(manifest), Some(first))
        } else if file.length > MAX_MANIFEST {
            return Err(bad(&path, "not a manifest of packed tables"));
        } else {
            let text = file.read(0, file.length)?;
            let manifest = Manifest::from_text(&text, false);
            (Some(manifest.map_err(|reason| bad(&path, reason))?), None)
        };
        Ok(Bundle {
            path,
            manifest,
            single,
        })
    }

    /// Like [`Self::open`], but returns `None` for a file of another kind, such as a table.
    pub fn find(path: &Path) -> Result<Option<Self>, BundleError> {
        if !path.is_dir() {
            let mut file = BundleFile::new(path)?;
            let start = file.read(0, file.length.min(SINGLE_MAGIC.len() as u64))?;
            let is_manifest = start.starts_with(b"{");
            if !is_manifest && !SingleFile::is_single(&start) && !Packed::is_packed(&start) {
                return Ok(None);
            }
        }
        Bundle::open(path).map(Some)
    }

    /// The manifest; `None` for a packed table without one.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Number of tables.
    #[must_use]
    pub fn tables(&self) -> usize {
        let manifest = self.manifest.as_ref();
        manifest.map_or(1, |manifest| manifest.tables.len())
    }

    /// Reads a table's packed bytes and checks their SHA-256. Reads no more bytes than the header
    /// states.
    pub fn read(&self, table: usize) -> Result<Vec<u8>, BundleError> {
        self.header(table)?;
        let (mut file, range) = self.packed_range(table)?;
        let bytes = file.read(range.start, range.end - range.start)?;
        if let Some(record) = self.record(table) {
            let sound = check_packed_sum(&bytes, &record.packed);
            sound.map_err(|reason| bad(&file.path, reason))?;
        }
        Ok(bytes)
    }

    /// Unpacks all tables and checks everything except the values. `max_memory` is the maximum
    /// memory in bytes, for all unpacked tables and for the unpacking. `done` is called after each
    /// table.
    pub fn unpack_all(
        &self,
        max_memory: Option<u64>,
        executor: &impl Executor,
        cancel: &Cancel,
        mut done: impl FnMut(&Header),
    ) -> Result<Vec<SharedTable>, BundleError> {
        let mut left = max_memory;
        let mut tables = Vec::new();
        for number in 0..self.tables() {
            let packed = self.header(number)?;
            let header = packed.header();
            // The memory limit is checked before the bytes are read into memory.
            ReadError::refuse(header, unpack_memory(&packed, executor.threads()), left)?;
            let entries = header.check_entries();
            entries.map_err(|error| self.pack_error(error.into()))?;
            let bytes = self.read(number)?;
            let table = self.unpack(number, &bytes, executor, cancel)?.shared();
            left = left.map(|left| left.saturating_sub(table.bytes().len() as u64));
            done(table.header());
            tables.push(table);
        }
        Ok(tables)
    }

    /// The file that contains a table's packed bytes, and their range.
    fn packed_range(&self, table: usize) -> Result<(BundleFile, Range<u64>), BundleError> {
        let Some(manifest) = &self.manifest else {
            let file = BundleFile::new(&self.path)?;
            let length = file.length;
            return Ok((file, 0..length));
        };
        let place = &manifest.tables[table].packed;
        if let Some(first) = self.single {
            // Opening has checked that the tables are contiguous and end with the file.
            let start = first + place.offset;
            return Ok((BundleFile::new(&self.path)?, start..start + place.length));
        }
        let file = BundleFile::new(&self.path.with_file_name(&place.file))?;
        let (found, expected) = (file.length, place.length);
        if found != expected {
            let reason =
                format!("the packed file has {found} bytes, but the manifest says {expected}");
            return Err(bad(&file.path, reason));
        }
        Ok((file, 0..expected))
    }

    /// Unpacks a table from its packed bytes and checks it against the manifest.
    pub fn unpack(
        &self,
        table: usize,
        bytes: &[u8],
        executor: &impl Executor,
        cancel: &Cancel,
    ) -> Result<Table<Vec<u8>>, BundleError> {
        let packed = Packed::new(bytes, bytes.len() as u64);
        let packed = packed.map_err(|error| self.pack_error(error))?;
        self.check_record(table, &packed, hex(&Sha256::digest(bytes)))?;
        let unpacked = packed.unpack(bytes, executor, cancel);
        let unpacked = unpacked.map_err(|error| self.pack_error(error))?;
        match self.record(table) {
            Some(record) if hex(&Sha256::digest(unpacked.bytes())) != record.table.sha256 => {
                Err(self.is_untrue(&record.table.file))
            }
            _ => Ok(unpacked),
        }
    }

    /// The manifest's record of a table, if any.
    fn record(&self, table: usize) -> Option<&PackedTable> {
        self.manifest.as_ref()?.tables.get(table)
    }

    fn is_untrue(&self, file: &str) -> BundleError {
        let reason = format!("the manifest does not match {file}");
        bad(&self.path, reason)
    }

    fn pack_error(&self, error: PackError) -> BundleError {
        let path = self.path.display().to_string();
        BundleError::Pack { path, error }
    }

    /// Reads the header of a table's packed bytes. Checks that the manifest's record of the table
    /// agrees with this header, except for hashes.
    pub fn header(&self, table: usize) -> Result<Packed, BundleError> {
        let (mut file, range) = self.packed_range(table)?;
        let found = range.end - range.start;
        let start = file.read(range.start, found.min(PACKED_START))?;
        let length = Packed::header_length(&start).map_err(|error| self.pack_error(error))?;
        // A header longer than the packed bytes or `MAX_HEADER` is truncated here, so its check
        // fails and the table is rejected.
        let length = found.min(length as u64).min(MAX_HEADER);
        let bytes = file.read(range.start, length)?;
        let packed = Packed::new(&bytes, found).map_err(|error| self.pack_error(error))?;
        if let Some(record) = self.record(table) {
            self.check_record(table, &packed, record.packed.sha256.clone())?;
        }
        Ok(packed)
    }

    /// Checks the manifest's record of a table against the header; `sha256` is the hash of the
    /// packed bytes.
    fn check_record(
        &self,
        table: usize,
        packed: &Packed,
        sha256: String,
    ) -> Result<(), BundleError> {
        let Some(record) = self.record(table) else {
            return Ok(());
        };
        let name = table_name(packed);
        if record.table.file != name {
            let reason = format!("the packed table is {name}, not {}", record.table.file);
            return Err(bad(&self.path, reason));
        }
        let place = FileRange {
            file: packed_name(&name),
            offset: record.packed.offset,
            length: packed.file_length(),
            sha256,
        };
        match PackedTable::new(packed, place, name, record.table.sha256.clone()) == *record {
            true => Ok(()),
            false => Err(self.is_untrue(&record.table.file)),
        }
    }
}

/// A single file in memory. The packed tables match the SHA-256 sums in its manifest.
#[derive(Clone, Debug)]
pub struct SingleFile<'a> {
    /// The manifest.
    pub manifest: Manifest,
    /// The packed bytes of each table.
    pub packed: Vec<&'a [u8]>,
}

impl<'a> SingleFile<'a> {
    /// Whether the bytes start like a single file.
    #[must_use]
    pub fn is_single(bytes: &[u8]) -> bool {
        bytes.starts_with(&SINGLE_MAGIC)
    }

    /// Splits a single file into its manifest and packed tables.
    pub fn new(bytes: &'a [u8]) -> Result<SingleFile<'a>, BundleError> {
        let bad = |reason: String| bad(Path::new("the bundle"), reason);
        let (length, sum) = single_start(bytes).map_err(bad)?;
        let mut rest = &bytes[SINGLE_START..];
        let mut take = |length: u64| {
            let length = usize::try_from(length).ok();
            let (own, left) = length.and_then(|length| rest.split_at_checked(length))?;
            rest = left;
            Some(own)
        };
        let text = take(length).ok_or_else(|| bad(CUT_SHORT.to_owned()))?;
        let manifest = single_manifest(text, sum).map_err(bad)?;
        let mut tables = Vec::new();
        for PackedTable { packed, .. } in &manifest.tables {
            let own = take(packed.length).ok_or_else(|| bad(CUT_SHORT.to_owned()))?;
            check_packed_sum(own, packed).map_err(bad)?;
            tables.push(own);
        }
        if !rest.is_empty() {
            return Err(bad(
                "the file is longer than its manifest implies".to_owned()
            ));
        }
        Ok(SingleFile {
            manifest,
            packed: tables,
        })
    }
}

/// Writes an unpacked table atomically under its name. Returns its path.
pub fn write_unpacked(
    directory: &TableDirectory,
    table: &Table<Vec<u8>>,
) -> Result<PathBuf, BundleError> {
    directory.create()?;
    let header = table.header();
    let path = directory.file(header.id, header.encoding, false);
    AtomicFile::write(&path, &[table.bytes()])?;
    Ok(path)
}

/// The file name of a packed table in a tables directory.
fn table_name(packed: &Packed) -> String {
    let header = packed.header();
    let path = TableDirectory::new("").file(header.id, header.encoding, false);
    path.to_string_lossy().into_owned()
}

/// Length and SHA-256 of the manifest, from the start of a single file.
fn single_start(start: &[u8]) -> Result<(u64, &[u8; 32]), String> {
    let rest = start.strip_prefix(&SINGLE_MAGIC);
    let rest = rest.ok_or("not a file of packed tables")?;
    let (length, rest) = rest.split_first_chunk().ok_or(CUT_SHORT)?;
    let sum = rest.first_chunk().ok_or(CUT_SHORT)?;
    Ok((u64::from_le_bytes(*length), sum))
}

fn single_manifest(text: &[u8], sum: &[u8; 32]) -> Result<Manifest, String> {
    match Sha256::digest(text)[..] == *sum {
        true => Manifest::from_text(text, true),
        false => Err("the manifest is damaged: its SHA-256 does not match".to_owned()),
    }
}

/// Checks packed bytes against the SHA-256 in the manifest.
fn check_packed_sum(bytes: &[u8], place: &FileRange) -> Result<(), String> {
    if hex(&Sha256::digest(bytes)) == place.sha256 {
        return Ok(());
    }
    let name = &place.file;
    Err(format!(
        "{name} is damaged: its SHA-256 does not match the manifest's"
    ))
}

/// Reads the manifest of a single file. Also returns the byte offset of the packed tables.
fn open_single(file: &mut BundleFile, start: &[u8]) -> Result<(Manifest, u64), BundleError> {
    let path = &file.path.clone();
    let bad = |reason: String| bad(path, reason);
    let (length, sum) = single_start(start).map_err(bad)?;
    if length > MAX_MANIFEST {
        return Err(bad("the manifest is damaged".to_owned()));
    }
    let text = file.read(SINGLE_START as u64, length)?;
    let manifest = single_manifest(&text, sum).map_err(bad)?;
    let first = SINGLE_START as u64 + length;
    let end = manifest.tables.last().map_or(0, |last| {
        last.packed.offset.saturating_add(last.packed.length)
    });
    let (found, expected) = (file.length, first.saturating_add(end));
    if found != expected {
        let reason = format!("the file has {found} bytes, but its manifest implies {expected}");
        return Err(bad(reason));
    }
    Ok((manifest, first))
}

const CUT_SHORT: &str = "the file is cut short";

/// A regular file, open for reading.
struct BundleFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl BundleFile {
    fn new(path: &Path) -> Result<Self, BundleError> {
        let io = |error| io(path, error);
        let file = open_regular(path).map_err(io)?;
        let file = file.ok_or_else(|| bad(path, "not a file"))?;
        let length = file.metadata().map_err(io)?.len();
        let path = path.to_owned();
        Ok(BundleFile { path, file, length })
    }

    /// Reads this range. Allocates memory only for bytes that are present.
    fn read(&mut self, start: u64, length: u64) -> Result<Vec<u8>, BundleError> {
        let mut bytes = Vec::new();
        let found = self.file.seek(SeekFrom::Start(start));
        let read = found.and_then(|_| (&mut self.file).take(length).read_to_end(&mut bytes));
        match read.map_err(|error| io(&self.path, error))? as u64 == length {
            true => Ok(bytes),
            false => Err(bad(&self.path, CUT_SHORT)),
        }
    }
}

fn io(path: &Path, error: std::io::Error) -> BundleError {
    FileError::io(path, error).into()
}

fn bad(path: &Path, reason: impl Into<String>) -> BundleError {
    BundleError::Manifest {
        path: path.display().to_string(),
        reason: reason.into(),
    }
}

#[cfg(test)]
mod tests {
    use puzzle::{Cell, CellSet, Pattern, TableKind};

    use super::*;
    use crate::{Header, TableFile};

    /// The payload is not hashed when a single table file is opened, or when a directory contains
    /// the note of an earlier check. Packing hashes it in both cases.
    #[test]
    fn damaged_tables_are_not_packed() {
        let tiles = CellSet::EMPTY.with(Cell::new(1));
        let pattern = Pattern::new("2x2".parse().unwrap(), tiles, Cell::new(0)).unwrap();
        let (id, _) = pattern.table(TableKind::ZeroAware);
        let values = [1, 0, 2, 1];
        let header = Header::of_bytes(id, &values).encode();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("the.pdb");
        let out = folder.path().join("out");
        for (last, is_sound) in [(1, true), (3, false)] {
            let payload = [&values[..3], &[last]].concat();
            fs::write(&path, [&header, &payload[..]].concat()).unwrap();
            let table = TableFile::open(&path).unwrap();
            let manifest = Manifest::new(String::new(), Vec::new(), String::new());
            let mut writer = BundleWriter::new(&out, false, manifest).unwrap();
            match writer.add("the.pdb", &table, None, &(), &Cancel::default()) {
                Ok(added) => {
                    let sum = hex(&Sha256::digest(table.bytes()));
                    assert!(is_sound && added.table.sha256 == sum);
                }
                Err(error) => {
                    assert!(!is_sound, "{error}");
                    assert!(
                        error
                            .to_string()
                            .starts_with("the.pdb: the payload is damaged")
                    );
                }
            }
        }
    }
}
