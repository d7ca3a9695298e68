//! Writing large files without filling the system's memory with copies of them.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// Files up to this size are written through the cache: the process that wrote one often reads it.
const CACHED: u64 = 1 << 30;
/// Bytes after which what is written goes to the disk and its copy in memory is given up.
const PIECE: u64 = 64 << 20;

/// Writes to a file. From 1 GiB on only some megabytes of it stay in the system's memory, where the
/// builder's own copy may leave no room.
#[derive(Debug)]
pub struct UncachedFile<'a> {
    file: &'a File,
    /// Bytes written when copies were last given up.
    cached: u64,
    written: u64,
}

impl<'a> UncachedFile<'a> {
    /// From where the file stands.
    #[must_use]
    pub fn new(file: &'a File) -> Self {
        UncachedFile {
            file,
            cached: CACHED,
            written: 0,
        }
    }

    /// Gives copies up from the first bytes on: the file is long.
    #[must_use]
    pub fn of_long_file(file: &'a File) -> Self {
        UncachedFile {
            cached: 0,
            ..UncachedFile::new(file)
        }
    }

    /// Brings what is written to the disk; then the system need not keep it in memory.
    pub fn give_up_copies(&mut self) -> io::Result<()> {
        self.cached = self.written;
        self.file.sync_data()?;
        // A request only: elsewhere, or refused, the system finds out by itself.
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
