//! Writer of large files that does not fill the page cache.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// Length up to which a file stays in the page cache, in bytes: the program that writes a small
/// file often reads it again.
const CACHED: u64 = 1 << 30;
/// Number of bytes that are written before they are synced and dropped from the page cache.
const PIECE: u64 = 64 << 20;

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
        if self.written >= self.cached + PIECE {
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
    use std::io::Read;

    use super::*;

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
        assert!((2 * PIECE..2 * PIECE + (4 << 20)).contains(&to.cached));
        let mut read = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut read).unwrap();
        assert!(read[..5] == *b"start" && read[5..] == bytes);
    }
}
