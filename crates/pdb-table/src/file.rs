//! Tables on disk: mapped for reading, and written atomically.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use memmap2::{Mmap, MmapMut};
use sha2::{Digest, Sha256};

use crate::atomic_file::AtomicFile;
use crate::header::{HEADER_LENGTH, Header, TableError};
use crate::table::Table;
#[cfg(feature = "zstd")]
use crate::zstd_frame::{self, MAX_INFLATION, inflate, is_zstd};

/// The bytes of a table file.
#[derive(Debug)]
pub enum TableBytes {
    /// The file, mapped.
    Mapped(Mmap),
    /// A copy in anonymous pages. These are huge pages if the system supports them.
    Loaded(MmapMut),
    /// A copy on the heap.
    Owned(Vec<u8>),
}

impl AsRef<[u8]> for TableBytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            TableBytes::Mapped(pages) => pages,
            TableBytes::Loaded(pages) => pages,
            TableBytes::Owned(bytes) => bytes,
        }
    }
}

/// A table opened from a file.
pub type TableFile = Table<TableBytes>;

/// Opens a regular file, also through a link; `None` for anything else. The type is checked before
/// opening, because opening a pipe would block, and a device may have no end.
pub fn open_regular(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path).map(Some),
        false => Ok(None),
    }
}

/// Reads a file of `length` bytes into huge pages. Reading is ten times faster than copying from a
/// mapping.
fn load(file: &mut File, length: u64) -> io::Result<MmapMut> {
    let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    let mut pages = MmapMut::map_anon(length)?;
    // The system may reject the advice. Without huge pages, lookups are only slower.
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut pages)?;
    Ok(pages)
}

/// Maps a file.
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes of a mapping must not change while it exists. `write_table` writes under
    // another name, renames the complete file and never changes it again. Another program may still
    // overwrite a file in place. Readers check all indices and derive only numbers from the bytes,
    // so overwritten bytes cause wrong numbers, never an invalid reference. If another program
    // truncates the file, the system ends this process (SIGBUS). docs/format.md tells users to
    // replace files by renaming.
    #[allow(unsafe_code, reason = "maps a file")]
    unsafe {
        Mmap::map(file)
    }
}

impl TableFile {
    /// Opens a table file and checks header and length. Maps the file, or inflates a zstd frame.
    pub fn open(path: &Path) -> Result<TableFile, FileError> {
        TableFile::open_loading(path, u64::MAX)
    }

    /// Like [`Self::open`], but copies files of at least `load_from` bytes into memory. Uses huge
    /// pages if the system supports them. The copy speeds up large numbers of lookups in a large
    /// table.
    pub fn open_loading(path: &Path, load_from: u64) -> Result<TableFile, FileError> {
        let io = |error| FileError::io(path, error);
        let refused = |error| FileError::table(path, error);
        let (mut file, length, start) = open_start(path)?;
        #[cfg(feature = "zstd")]
        if is_zstd(&start) {
            let table = inflate(start.chain(file), length).map_err(refused)?;
            return Ok(table.map_data(TableBytes::Owned));
        }
        // The header is checked before the file is mapped, so that short files and other kinds of
        // files get specific errors.
        Header::decode(&start).map_err(refused)?;
        let bytes = match length >= load_from {
            true => load(&mut file, length).map(TableBytes::Loaded),
            false => map(&file).map(TableBytes::Mapped),
        };
        Table::new(bytes.map_err(io)?).map_err(refused)
    }

    /// Reads only the header of a table file. Checks the file's length unless it is compressed.
    pub fn read_header(path: &Path) -> Result<Header, FileError> {
        let refused = |error| FileError::table(path, error);
        let (_file, length, start) = open_start(path)?;
        #[cfg(feature = "zstd")]
        if is_zstd(&start) {
            return zstd_frame::read_header(start.chain(_file)).map_err(refused);
        }
        let header = Header::decode(&start).map_err(refused)?;
        header.check_length(length).map_err(refused)?;
        Ok(header)
    }
}

/// Opens a regular file and reads up to the length of a header. Returns the file, its length, and
/// the bytes read.
fn open_start(path: &Path) -> Result<(File, u64, Vec<u8>), FileError> {
    let io = |error| FileError::io(path, error);
    let file = open_regular(path).map_err(io)?;
    let mut file = file.ok_or_else(|| FileError::table(path, TableError::NotATable))?;
    let length = file.metadata().map_err(io)?.len();
    let mut start = Vec::new();
    let mut header = (&mut file).take(HEADER_LENGTH as u64);
    header.read_to_end(&mut start).map_err(io)?;
    Ok((file, length, start))
}

/// Compression of a table file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Compression {
    /// Uncompressed: the file can be mapped.
    None,
    /// A zstd frame of this compression level. The file is smaller, but opening it inflates it into
    /// memory.
    #[cfg(feature = "zstd")]
    Zstd(i32),
}

/// Writes a table file as an [`AtomicFile`]. For compressed files `payload` is called twice.
/// `header` receives the payload's SHA-256.
pub fn write_table(
    path: &Path,
    compression: Compression,
    payload: impl Fn(&mut dyn Write) -> io::Result<()>,
    header: impl FnOnce([u8; 32]) -> Header,
) -> Result<Header, FileError> {
    let mut whole = AtomicFile::create(path)?;
    let file = whole.file_mut();
    let written = match compression {
        Compression::None => write_plain(file, payload, header),
        #[cfg(feature = "zstd")]
        Compression::Zstd(level) => write_zstd(file, level, payload, header),
    };
    let header = written.map_err(|error| FileError::io(path, error))?;
    whole.finish()?;
    Ok(header)
}

/// Length of the pieces in which payloads are hashed and written, in bytes.
const PIECE: usize = 1 << 20;
/// Largest number of pieces that wait between the hashing and the writing thread.
const PIECES: usize = 4;

/// Collects bytes into pieces, hashes them, and passes them to the writing thread.
struct PieceWriter {
    sum: Sha256,
    piece: Vec<u8>,
    full: SyncSender<Vec<u8>>,
    written: Receiver<Vec<u8>>,
}

impl PieceWriter {
    fn pass_on(&mut self) -> io::Result<()> {
        self.sum.update(&self.piece);
        let next = self.written.try_recv();
        let next = next.unwrap_or_else(|_| Vec::with_capacity(PIECE));
        // After a write error, the writing thread accepts no more pieces and reports the error
        // itself.
        let gone = |_| io::ErrorKind::BrokenPipe;
        self.full
            .send(std::mem::replace(&mut self.piece, next))
            .map_err(gone)?;
        self.piece.clear();
        Ok(())
    }
}

impl Write for PieceWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() == PIECE {
            self.pass_on()?;
        }
        let count = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes an uncompressed table. This thread hashes the payload while another one writes it.
fn write_plain(
    file: &mut File,
    payload: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    header: impl FnOnce([u8; 32]) -> Header,
) -> io::Result<Header> {
    file.seek(SeekFrom::Start(HEADER_LENGTH as u64))?;
    let (full, pieces) = mpsc::sync_channel::<Vec<u8>>(PIECES);
    let (returned, written) = mpsc::channel();
    let mut summing = PieceWriter {
        sum: Sha256::new(),
        piece: Vec::with_capacity(PIECE),
        full,
        written,
    };
    let mut to = UncachedFile::new(file);
    let sum = thread::scope(|scope| {
        let writer = scope.spawn(move || {
            pieces.into_iter().try_for_each(|piece| {
                // Written pieces are sent back for reuse. After the last piece was hashed, the
                // receiver no longer exists and sending fails. This error is ignored.
                to.write_all(&piece).map(|()| drop(returned.send(piece)))
            })
        });
        let made = payload(&mut summing).and_then(|()| summing.pass_on());
        let PieceWriter { sum, full, .. } = summing;
        drop(full);
        let written = writer.join();
        written.unwrap_or_else(|_| Err(io::Error::other("the writing thread failed")))?;
        made.map(|()| sum)
    })?;
    let header = header(sum.finalize().into());
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.encode())?;
    Ok(header)
}

/// Hashes the bytes written to it.
#[cfg(feature = "zstd")]
struct SumWriter(Sha256);

#[cfg(feature = "zstd")]
impl Write for SumWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a zstd frame. The payload is generated twice, because its hash precedes it in the header.
#[cfg(feature = "zstd")]
fn write_zstd(
    file: &mut File,
    level: i32,
    payload: impl Fn(&mut dyn Write) -> io::Result<()>,
    header: impl FnOnce([u8; 32]) -> Header,
) -> io::Result<Header> {
    let mut sum = SumWriter(Sha256::new());
    payload(&mut sum)?;
    let header = header(sum.0.finalize().into());
    let mut stream = zstd::Encoder::new(file, level)?;
    stream.include_checksum(true)?;
    stream.write_all(&header.encode())?;
    payload(&mut stream)?;
    let length = stream.finish()?.stream_position()?;
    if header.payload_length() / MAX_INFLATION > length {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!(
                "the file would be more than {MAX_INFLATION} times smaller than the table, which \
                 readers reject: write it uncompressed"
            ),
        ));
    }
    Ok(header)
}

/// Error of reading or writing a file, with its path.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct FileError {
    /// Path of the file.
    pub path: PathBuf,
    /// The kind of error.
    pub kind: FileErrorKind,
}

/// Kinds of file errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// An error of the operating system.
    #[error("{0}")]
    Io(io::Error),
    /// The bytes are not a valid table.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl FileError {
    /// An operating system error for a file.
    #[must_use]
    pub fn io(path: &Path, error: io::Error) -> Self {
        let (path, kind) = (path.to_owned(), FileErrorKind::Io(error));
        FileError { path, kind }
    }

    pub(crate) fn table(path: &Path, error: TableError) -> Self {
        let (path, kind) = (path.to_owned(), FileErrorKind::Table(error));
        FileError { path, kind }
    }

    /// Whether the file does not exist.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        let absent = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        matches!(&self.kind, FileErrorKind::Io(error) if absent.contains(&error.kind()))
    }

    /// Whether the disk or the user's quota is full.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        matches!(&self.kind, FileErrorKind::Io(error) if full.contains(&error.kind()))
    }
}

/// Length up to which a file stays in the page cache, in bytes: the program that writes a small
/// file often reads it again.
const CACHED: u64 = 1 << 30;
/// Number of bytes that are written before they are synced and dropped from the page cache.
const SYNCED: u64 = 64 << 20;

/// Writer of a file. After the first 1 GiB, the writer keeps only about 64 MiB of the file in the
/// page cache, because a process that builds a table also has the whole table in memory.
#[derive(Debug)]
pub struct UncachedFile<'a> {
    file: &'a File,
    /// Value of `written` when data was last dropped from the page cache. Initially [`CACHED`], or
    /// 0 in a writer from [`UncachedFile::of_long_file`].
    cached: u64,
    written: u64,
}

impl<'a> UncachedFile<'a> {
    /// A writer that begins at the file's current position.
    #[must_use]
    pub fn new(file: &'a File) -> Self {
        UncachedFile {
            file,
            cached: CACHED,
            written: 0,
        }
    }

    /// A writer for files known to be long. It begins to drop data from the page cache after 64 MiB
    /// instead of 1 GiB.
    #[must_use]
    pub fn of_long_file(file: &'a File) -> Self {
        UncachedFile {
            cached: 0,
            ..UncachedFile::new(file)
        }
    }

    /// Syncs the written data, so that the system can drop it from the page cache.
    pub fn give_up_copies(&mut self) -> io::Result<()> {
        self.cached = self.written;
        self.file.sync_data()?;
        // This is only advice: a system that ignores it manages the cache itself.
        #[cfg(target_os = "linux")]
        let _ = rustix::fs::fadvise(self.file, 0, None, rustix::fs::Advice::DontNeed);
        Ok(())
    }
}

impl Write for UncachedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.written += count as u64;
        if self.written >= self.cached + SYNCED {
            self.give_up_copies()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for UncachedFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn written_bytes_are_in_the_file() {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..150_u32 << 20).map(|at| (at * 7 / 3) as u8).collect();
        let mut to = UncachedFile::of_long_file(&file);
        to.seek(SeekFrom::Start(5)).unwrap();
        for piece in bytes.chunks((1 << 20) + 17) {
            to.write_all(piece).unwrap();
        }
        to.seek(SeekFrom::Start(0)).unwrap();
        to.write_all(b"start").unwrap();
        assert!((2 * SYNCED..2 * SYNCED + (4 << 20)).contains(&to.cached));
        let mut read = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut read).unwrap();
        assert!(read[..5] == *b"start" && read[5..] == bytes);
    }
}
