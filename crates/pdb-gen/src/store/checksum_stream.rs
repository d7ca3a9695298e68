//! Files with fields and a checksum: checkpoints, and parts of tables.
//!
//! Layout: magic (eight bytes), length of the fields (four bytes), the fields as JSON, the content,
//! and the XXH3 checksum of all preceding bytes (eight bytes).

use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use twox_hash::XxHash3_64;

const BUFFER: usize = 1 << 20;
/// Maximum length of the fields, in bytes.
const LONGEST_FIELDS: u32 = 1 << 16;

/// A file being written or read, with the checksum of its bytes so far.
#[expect(missing_debug_implementations, reason = "the hash has none")]
pub struct ChecksumStream<F> {
    file: F,
    sum: XxHash3_64,
}

/// A file being written.
pub type ChecksumWriter<W> = ChecksumStream<BufWriter<W>>;
/// A file being read.
pub type ChecksumReader = ChecksumStream<BufReader<File>>;

impl<W: Write> ChecksumWriter<W> {
    /// Writes the magic and the fields; the content follows.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn new(file: W, magic: [u8; 8], fields: &impl Serialize) -> io::Result<Self> {
        let (file, sum) = (BufWriter::with_capacity(BUFFER, file), XxHash3_64::new());
        let mut writer = ChecksumStream { file, sum };
        let fields = serde_json::to_vec(fields)?;
        writer.write_all(&magic)?;
        writer.write_all(&(fields.len() as u32).to_le_bytes())?;
        writer.write_all(&fields)?;
        Ok(writer)
    }

    /// Writes the checksum.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn finish(mut self) -> io::Result<()> {
        let sum = self.sum.finish();
        self.file.write_all(&sum.to_le_bytes())?;
        self.file.flush()
    }
}

impl<F: Write> Write for ChecksumStream<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.sum.write(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl ChecksumReader {
    /// Opens a file and reads its fields.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] for another magic, or fields that cannot be read, and errors
    /// of the system.
    pub fn open<T: DeserializeOwned>(file: File, magic: [u8; 8]) -> io::Result<(Self, T)> {
        let (file, sum) = (BufReader::with_capacity(BUFFER, file), XxHash3_64::new());
        let mut reader = ChecksumStream { file, sum };
        let (mut found, mut length) = ([0; 8], [0; 4]);
        reader.read_exact(&mut found)?;
        reader.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        if found != magic || length > LONGEST_FIELDS {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut fields = vec![0; length as usize];
        reader.read_exact(&mut fields)?;
        match serde_json::from_slice(&fields) {
            Ok(fields) => Ok((reader, fields)),
            Err(_) => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Reads the rest of the file and checks the checksum.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn check(mut self) -> io::Result<()> {
        let end = self.file.get_ref().metadata()?.len();
        let left = end.saturating_sub(self.file.stream_position()?);
        let sum = size_of::<u64>() as u64;
        io::copy(
            &mut (&mut self).take(left.saturating_sub(sum)),
            &mut io::sink(),
        )?;
        self.finish()
    }

    /// Checks that the checksum matches and that the file ends after it.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] if not, and errors of the system.
    pub fn finish(mut self) -> io::Result<()> {
        let expected = self.sum.finish().to_le_bytes();
        let mut found = [0; 8];
        self.file.read_exact(&mut found)?;
        match found == expected && self.file.read(&mut [0])? == 0 {
            true => Ok(()),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl<F: Read> Read for ChecksumStream<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(bytes)?;
        self.sum.write(&bytes[..count]);
        Ok(count)
    }
}

/// Whether a read error means that the file is damaged.
#[must_use]
pub fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, UnexpectedEof};
    matches!(error.kind(), InvalidData | UnexpectedEof)
}
