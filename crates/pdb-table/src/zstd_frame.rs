//! Table files inside zstd frames.

#[cfg(feature = "zstd")]
use std::io::{self, Read};

#[cfg(feature = "zstd")]
use crate::header::{HEADER_LENGTH, Header, TableError};
#[cfg(feature = "zstd")]
use crate::table::Table;

/// The largest ratio of a table's length to its compressed file's: no real table comes near it, and
/// a small file never leads to a large allocation.
#[cfg(feature = "zstd")]
pub(crate) const MAX_INFLATION: u64 = 512;

/// Whether bytes begin like a zstd frame.
pub(crate) fn is_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

#[cfg(feature = "zstd")]
fn damaged(error: io::Error) -> TableError {
    TableError::Compressed(error.to_string())
}

/// The header of a table in a frame, and no more.
#[cfg(feature = "zstd")]
pub(crate) fn read_header(frame: impl Read) -> Result<Header, TableError> {
    open(frame).map(|(header, _, _)| header)
}

/// The header of a table in a frame, its bytes, and the stream after them.
#[cfg(feature = "zstd")]
fn open(frame: impl Read) -> Result<(Header, Vec<u8>, impl Read), TableError> {
    let mut stream = zstd::Decoder::new(frame).map_err(damaged)?;
    let mut start = Vec::new();
    let mut header = (&mut stream).take(HEADER_LENGTH as u64);
    header.read_to_end(&mut start).map_err(damaged)?;
    Ok((Header::decode(&start)?, start, stream))
}

/// Inflates a table from `length` bytes. Memory grows with the output, up to the header's length.
#[cfg(feature = "zstd")]
pub(crate) fn inflate(frame: impl Read, length: u64) -> Result<Table<Vec<u8>>, TableError> {
    let (header, mut bytes, stream) = open(frame)?;
    let payload = header.payload_length();
    if payload / MAX_INFLATION > length {
        return Err(TableError::Compressed(format!(
            "{length} bytes cannot hold a table of {payload}"
        )));
    }
    // Reading one byte more than expected finds a file that is too long.
    let mut rest = stream.take(payload + 1);
    rest.read_to_end(&mut bytes).map_err(damaged)?;
    Table::new(bytes)
}
