//! Packed tables where they are kept: a directory with a manifest, a single file, or one packed
//! table alone.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::manifest::packed_name;
use super::{BundleError, MANIFEST_NAME, Manifest, PackedTable};
use crate::{
    AtomicFile, Cancel, Executor, FileError, PackError, Packed, Table, TableDirectory, TableFile,
    hex, pack,
};

/// How a single file begins.
const SINGLE_MAGIC: [u8; 8] = *b"\x89PDS\r\n\x1a\n";
/// Magic, the manifest's length and its sum.
const SINGLE_START: usize = 48;
/// The longest manifest that is read.
const MAX_MANIFEST: u64 = 16 << 20;

/// Writes packed tables. What was packed before stays as it is until [`BundleWriter::finish`], and
/// for ever if that is not called.
#[derive(Debug)]
pub struct BundleWriter {
    manifest: Manifest,
    /// The single file, or the manifest's.
    out: AtomicFile,
    packed: PackedFiles,
}

/// Packed tables that wait for the end.
#[derive(Debug)]
enum PackedFiles {
    /// What goes into a single file.
    Single(Vec<Vec<u8>>),
    /// Files of a directory, written but not yet under their names.
    Directory(PathBuf, Vec<AtomicFile>),
}

impl BundleWriter {
    /// Begins a bundle: `out` becomes a directory, or a single file.
    ///
    /// # Errors
    /// [`BundleError`] if it cannot be written.
    pub fn new(out: &Path, single: bool, manifest: Manifest) -> Result<Self, BundleError> {
        let directory = if single {
            out.parent().unwrap_or(Path::new(""))
        } else {
            out
        };
        if !directory.as_os_str().is_empty() {
            fs::create_dir_all(directory).map_err(|error| io(directory, error))?;
        }
        let (out, packed) = match single {
            true => (out.to_owned(), PackedFiles::Single(Vec::new())),
            false => (
                out.join(MANIFEST_NAME),
                PackedFiles::Directory(out.to_owned(), Vec::new()),
            ),
        };
        Ok(BundleWriter {
            manifest,
            out: AtomicFile::create(&out)?,
            packed,
        })
    }

    /// Packs a table, whose payload was checked, as [`pack`] does; `name` is its file's in a tables
    /// directory. In a directory the packed file is written at once, under a temporary name.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn add(
        &mut self,
        name: &str,
        table: &TableFile,
        fixed: Option<usize>,
        executor: &impl Executor,
        cancel: &Cancel,
    ) -> Result<&PackedTable, BundleError> {
        let failed = |error| BundleError::Pack {
            path: packed_name(name),
            error,
        };
        let bytes = pack(table, fixed, executor, cancel).map_err(failed)?;
        let header = Packed::new(&bytes, bytes.len() as u64).map_err(failed)?;
        let offset = match &self.packed {
            PackedFiles::Single(packed) => packed.iter().map(|bytes| bytes.len() as u64).sum(),
            PackedFiles::Directory(..) => 0,
        };
        let sum = hex(&Sha256::digest(table.bytes()));
        let added = PackedTable::new(name, &header, &bytes, offset, sum);
        match &mut self.packed {
            PackedFiles::Single(packed) => packed.push(bytes),
            PackedFiles::Directory(directory, files) => {
                let mut file = AtomicFile::create(&directory.join(&added.packed.file))?;
                file.append(&[&bytes])?;
                files.push(file);
            }
        }
        self.manifest.tables.push(added);
        Ok(&self.manifest.tables[self.manifest.tables.len() - 1])
    }

    /// Writes the manifest, or the single file, and gives all files their names, the manifest last.
    /// Packed files of an earlier bundle that have other names stay. Returns the path of the
    /// manifest or of the single file.
    ///
    /// # Errors
    /// [`BundleError::File`].
    pub fn finish(mut self) -> Result<PathBuf, BundleError> {
        let manifest = self.manifest.to_text().into_bytes();
        match self.packed {
            PackedFiles::Single(packed) => {
                let length = (manifest.len() as u64).to_le_bytes();
                let sum = Sha256::digest(&manifest);
                let mut parts: Vec<&[u8]> = vec![&SINGLE_MAGIC, &length, &sum, &manifest];
                parts.extend(packed.iter().map(Vec::as_slice));
                self.out.append(&parts)?;
            }
            PackedFiles::Directory(_, files) => {
                self.out.append(&[&manifest])?;
                // Everything is on the disk by now, so that only renaming is left.
                files.into_iter().try_for_each(AtomicFile::finish)?;
            }
        }
        let path = self.out.path().to_owned();
        self.out.finish()?;
        Ok(path)
    }
}

/// Packed tables to be unpacked.
#[derive(Debug)]
pub struct Bundle {
    /// The path that was given, for messages.
    path: PathBuf,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// A manifest, and the directory of its files.
    Directory(Manifest, PathBuf),
    /// A manifest, and where the packed tables begin.
    Single(Manifest, u64),
    /// One packed table without a manifest.
    Alone,
}

impl Bundle {
    /// Opens packed tables: a directory, its manifest, a single file or a packed table.
    ///
    /// # Errors
    /// [`BundleError`] if the path is none of them.
    pub fn open(path: &Path) -> Result<Self, BundleError> {
        let found = fs::metadata(path).map_err(|error| io(path, error))?;
        let path = match found.is_dir() {
            true => path.join(MANIFEST_NAME),
            false => path.to_owned(),
        };
        let mut file = open(&path)?;
        let length = length(&path, &file)?;
        let mut start = Vec::new();
        let reading = (&mut file)
            .take(SINGLE_START as u64)
            .read_to_end(&mut start);
        reading.map_err(|error| io(&path, error))?;
        let form = if Packed::is_packed(&start) {
            Form::Alone
        } else if start.starts_with(&SINGLE_MAGIC) {
            open_single(&path, &mut file, &start, length)?
        } else {
            if length > MAX_MANIFEST {
                return Err(bad(&path, "not a manifest of packed tables"));
            }
            let text = read(&path, &mut file, 0, length)?;
            let manifest =
                Manifest::from_text(&text, false).map_err(|reason| bad(&path, reason))?;
            let directory = path.parent().unwrap_or(Path::new("")).to_owned();
            Form::Directory(manifest, directory)
        };
        Ok(Bundle { path, form })
    }

    /// Number of tables.
    #[must_use]
    pub fn tables(&self) -> usize {
        match &self.form {
            Form::Directory(manifest, _) | Form::Single(manifest, _) => manifest.tables.len(),
            Form::Alone => 1,
        }
    }

    /// Reads a table's packed bytes and checks them against the manifest.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn read(&self, table: usize) -> Result<Vec<u8>, BundleError> {
        let (path, start, said) = match &self.form {
            Form::Alone => {
                let mut file = open(&self.path)?;
                let length = length(&self.path, &file)?;
                return read(&self.path, &mut file, 0, length);
            }
            Form::Directory(manifest, directory) => {
                let said = &manifest.tables[table].packed;
                (directory.join(&said.file), 0, said)
            }
            Form::Single(manifest, start) => {
                let said = &manifest.tables[table].packed;
                (self.path.clone(), start + said.offset, said)
            }
        };
        let mut file = open(&path)?;
        let (found, expected) = (length(&path, &file)?, said.length);
        if matches!(self.form, Form::Directory(..)) && found != expected {
            return Err(bad(
                &path,
                format!("the packed file has {found} bytes, but the manifest says {expected}"),
            ));
        }
        let bytes = read(&path, &mut file, start, expected)?;
        if hex(&Sha256::digest(&bytes)) != said.sha256 {
            return Err(bad(
                &path,
                format!(
                    "{} is damaged: its SHA-256 is not the manifest's",
                    said.file
                ),
            ));
        }
        Ok(bytes)
    }

    /// Unpacks a table from its packed bytes and checks all that the manifest says of it.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn unpack(
        &self,
        table: usize,
        bytes: &[u8],
        executor: &impl Executor,
        cancel: &Cancel,
    ) -> Result<Table<Vec<u8>>, BundleError> {
        let packed = self.header(table, bytes)?;
        let unpacked = packed.unpack(bytes, executor, cancel);
        let unpacked = unpacked.map_err(|error| self.pack_error(error))?;
        match self.said(table) {
            Some(said) if hex(&Sha256::digest(unpacked.bytes())) != said.table.sha256 => {
                Err(self.is_untrue(&said.table.file))
            }
            _ => Ok(unpacked),
        }
    }

    /// What the manifest says of a table, if there is one.
    fn said(&self, table: usize) -> Option<&PackedTable> {
        match &self.form {
            Form::Directory(manifest, _) | Form::Single(manifest, _) => manifest.tables.get(table),
            Form::Alone => None,
        }
    }

    fn is_untrue(&self, file: &str) -> BundleError {
        let reason = format!("what the manifest says of {file} is not true");
        bad(&self.path, reason)
    }

    fn pack_error(&self, error: PackError) -> BundleError {
        let path = self.path.display().to_string();
        BundleError::Pack { path, error }
    }

    /// Reads the header of a table's packed bytes, and checks all that the manifest says of it
    /// except for the sum of the table.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn header(&self, table: usize, bytes: &[u8]) -> Result<Packed, BundleError> {
        let packed = Packed::new(bytes, bytes.len() as u64);
        let packed = packed.map_err(|error| self.pack_error(error))?;
        if let Some(said) = self.said(table) {
            let name = table_name(&packed);
            if said.table.file != name {
                let said = &said.table.file;
                let reason = format!("what is said to be {said} is {name}");
                return Err(bad(&self.path, reason));
            }
            let (offset, sum) = (said.packed.offset, said.table.sha256.clone());
            if PackedTable::new(&name, &packed, bytes, offset, sum) != *said {
                return Err(self.is_untrue(&name));
            }
        }
        Ok(packed)
    }
}

/// Writes an unpacked table under its name, whole or not at all. Returns its path.
///
/// # Errors
/// [`BundleError::File`].
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

/// The name of a packed table's file in a tables directory.
fn table_name(packed: &Packed) -> String {
    let header = packed.header();
    let path = TableDirectory::new("").file(header.id, header.encoding, false);
    path.to_string_lossy().into_owned()
}

fn open_single(
    path: &Path,
    file: &mut File,
    start: &[u8],
    length: u64,
) -> Result<Form, BundleError> {
    let cut = || bad(path, "the file is cut short");
    let field = start[SINGLE_MAGIC.len()..].first_chunk().ok_or_else(cut)?;
    let sum = start.get(16..SINGLE_START).ok_or_else(cut)?;
    let manifest_length = u64::from_le_bytes(*field);
    if manifest_length > MAX_MANIFEST {
        return Err(bad(path, "the manifest is damaged"));
    }
    let text = read(path, file, SINGLE_START as u64, manifest_length)?;
    if Sha256::digest(&text)[..] != *sum {
        return Err(bad(
            path,
            "the manifest is damaged: its SHA-256 does not match",
        ));
    }
    let manifest = Manifest::from_text(&text, true).map_err(|reason| bad(path, reason))?;
    let first = SINGLE_START as u64 + manifest_length;
    let expected = manifest.tables.last().map_or(first, |last| {
        first
            .saturating_add(last.packed.offset)
            .saturating_add(last.packed.length)
    });
    if length != expected {
        return Err(bad(
            path,
            format!("the file has {length} bytes, but its manifest implies {expected}"),
        ));
    }
    Ok(Form::Single(manifest, first))
}

/// Opens a regular file; a pipe would keep the reader waiting.
fn open(path: &Path) -> Result<File, BundleError> {
    let found = fs::metadata(path).map_err(|error| io(path, error))?;
    if !found.is_file() {
        return Err(bad(path, "not a file"));
    }
    File::open(path).map_err(|error| io(path, error))
}

/// Reads this many bytes. Memory grows with the bytes that are really there.
fn read(path: &Path, file: &mut File, start: u64, length: u64) -> Result<Vec<u8>, BundleError> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))
        .map_err(|error| io(path, error))?;
    let reading = file.take(length).read_to_end(&mut bytes);
    reading.map_err(|error| io(path, error))?;
    match bytes.len() as u64 == length {
        true => Ok(bytes),
        false => Err(bad(path, "the file is cut short")),
    }
}

fn length(path: &Path, file: &File) -> Result<u64, BundleError> {
    let found = file.metadata().map_err(|error| io(path, error))?;
    Ok(found.len())
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
