//! Table files in zstd frames.

#[cfg(feature = "zstd")]
use std::io::{self, Read};

#[cfg(feature = "zstd")]
use crate::header::{HEADER_LENGTH, Header, TableError};
#[cfg(feature = "zstd")]
use crate::table::Table;

/// Largest ratio of a table's size to the size of its compressed file. Real tables are far below
/// this limit. The limit keeps a small file from causing a large allocation.
#[cfg(feature = "zstd")]
pub(crate) const MAX_INFLATION: u64 = 512;

/// Whether the bytes start like a zstd frame.
pub(crate) fn is_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

#[cfg(feature = "zstd")]
fn damaged(error: io::Error) -> TableError {
    TableError::Compressed(error.to_string())
}

/// Reads the header of a table in a zstd frame, and nothing after the header.
#[cfg(feature = "zstd")]
pub(crate) fn read_header(frame: impl Read) -> Result<Header, TableError> {
    open(frame).map(|(header, _, _)| header)
}

/// The header of a table in a frame, the header's bytes, and the rest of the stream.
#[cfg(feature = "zstd")]
fn open(frame: impl Read) -> Result<(Header, Vec<u8>, impl Read), TableError> {
    let mut stream = zstd::Decoder::new(frame).map_err(damaged)?;
    let mut start = Vec::new();
    let mut header = (&mut stream).take(HEADER_LENGTH as u64);
    header.read_to_end(&mut start).map_err(damaged)?;
    Ok((Header::decode(&start)?, start, stream))
}

/// Inflates a table from `length` bytes. Memory grows with the output, up to the size that the
/// header states.
#[cfg(feature = "zstd")]
pub(crate) fn inflate(frame: impl Read, length: u64) -> Result<Table<Vec<u8>>, TableError> {
    let (header, mut bytes, stream) = open(frame)?;
    let payload = header.payload_length();
    if payload / MAX_INFLATION > length {
        return Err(TableError::Compressed(format!(
            "{length} bytes cannot hold a table of {payload}"
        )));
    }
    // One byte more than expected is read, to detect a file that is too long.
    let mut rest = stream.take(payload + 1);
    rest.read_to_end(&mut bytes).map_err(damaged)?;
    Table::new(bytes)
}
