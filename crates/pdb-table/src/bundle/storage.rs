//! Bundles on disk: a directory with a manifest, or one packed table without a manifest.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{Manifest, PackedFile, PackedTable, packed_name};
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
    /// The manifest's file.
    out: AtomicFile,
    /// The other files, not yet renamed to their final names.
    files: Vec<AtomicFile>,
}

impl BundleWriter {
    /// Starts a bundle in the directory `out`.
    pub fn new(out: &Path, manifest: Manifest) -> Result<Self, BundleError> {
        fs::create_dir_all(out).map_err(|error| io(out, error))?;
        Ok(BundleWriter {
            manifest,
            out: AtomicFile::create(&out.join(MANIFEST_NAME))?,
            files: Vec::new(),
        })
    }

    /// Packs a table like [`pack`], and writes the packed file under a temporary name. `name` is
    /// the file name of the table in a tables directory.
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
        let file = PackedFile {
            file: packed_name(name),
            length: bytes.len() as u64,
            sha256: hex(&Sha256::digest(&bytes)),
        };
        let added = PackedTable::new(&header, file, name.to_owned(), sum);
        let path = self.out.path().with_file_name(&added.packed.file);
        let mut file = AtomicFile::create(&path)?;
        file.append(&[&bytes])?;
        self.files.push(file);
        self.manifest.tables.push(added);
        Ok(&self.manifest.tables[self.manifest.tables.len() - 1])
    }

    /// Writes the manifest, and returns its path. Renames all files to their final names; the
    /// manifest is the last of them. Does not remove other packed files of an earlier bundle.
    pub fn finish(mut self) -> Result<PathBuf, BundleError> {
        self.out.append(&[self.manifest.to_text().as_bytes()])?;
        // All data is on the disk, so only renames are left.
        self.files.into_iter().try_for_each(AtomicFile::finish)?;
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
    /// Path of the manifest or of the packed table.
    path: PathBuf,
    /// `None` for a packed table without a manifest.
    manifest: Option<Manifest>,
}

impl Bundle {
    /// Opens a bundle: a directory, its manifest, or a packed table.
    pub fn open(path: &Path) -> Result<Self, BundleError> {
        let found = fs::metadata(path).map_err(|error| io(path, error))?;
        let path = match found.is_dir() {
            true => path.join(MANIFEST_NAME),
            false => path.to_owned(),
        };
        let mut file = BundleFile::new(&path)?;
        let manifest = if Packed::is_packed(&file.start()?) {
            None
        } else if file.length > MAX_MANIFEST {
            return Err(bad(&path, "not a manifest of packed tables"));
        } else {
            let manifest = Manifest::from_text(&file.read(file.length)?);
            Some(manifest.map_err(|reason| bad(&path, reason))?)
        };
        Ok(Bundle { path, manifest })
    }

    /// Like [`Self::open`], but returns `None` for a file of another kind, such as a table.
    pub fn find(path: &Path) -> Result<Option<Self>, BundleError> {
        if !path.is_dir() {
            let start = BundleFile::new(path)?.start()?;
            if !start.starts_with(b"{") && !Packed::is_packed(&start) {
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
        let mut file = self.packed_file(table)?;
        let bytes = file.read(file.length)?;
        if let Some(record) = self.record(table) {
            if hex(&Sha256::digest(&bytes)) != record.packed.sha256 {
                let reason = "damaged: its SHA-256 does not match the manifest's";
                return Err(bad(&file.path, reason));
            }
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

    /// The file of a table's packed bytes.
    fn packed_file(&self, table: usize) -> Result<BundleFile, BundleError> {
        let Some(record) = self.record(table) else {
            return BundleFile::new(&self.path);
        };
        let file = BundleFile::new(&self.path.with_file_name(&record.packed.file))?;
        let (found, expected) = (file.length, record.packed.length);
        if found != expected {
            let reason =
                format!("the packed file has {found} bytes, but the manifest says {expected}");
            return Err(bad(&file.path, reason));
        }
        Ok(file)
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
        let mut file = self.packed_file(table)?;
        let found = file.length;
        let length =
            Packed::header_length(&file.start()?).map_err(|error| self.pack_error(error))?;
        // A header longer than the packed bytes or `MAX_HEADER` is truncated here, so its check
        // fails and the table is rejected.
        let length = found.min(length as u64).min(MAX_HEADER);
        let bytes = file.read(length)?;
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
        let file = PackedFile {
            file: packed_name(&name),
            length: packed.file_length(),
            sha256,
        };
        match PackedTable::new(packed, file, name, record.table.sha256.clone()) == *record {
            true => Ok(()),
            false => Err(self.is_untrue(&record.table.file)),
        }
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

    /// Reads the first bytes, which state the kind of the file and the length of a packed header.
    fn start(&mut self) -> Result<Vec<u8>, BundleError> {
        self.read(self.length.min(PACKED_START))
    }

    /// Reads the first `length` bytes. Allocates memory only for bytes that are present.
    fn read(&mut self, length: u64) -> Result<Vec<u8>, BundleError> {
        let mut bytes = Vec::new();
        let found = self.file.rewind();
        let read = found.and_then(|()| (&mut self.file).take(length).read_to_end(&mut bytes));
        match read.map_err(|error| io(&self.path, error))? as u64 == length {
            true => Ok(bytes),
            false => Err(bad(&self.path, "the file is cut short")),
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
            let mut writer = BundleWriter::new(&out, manifest).unwrap();
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
