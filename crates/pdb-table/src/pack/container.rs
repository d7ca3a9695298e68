//! Packed files: the header and the positions of the frames.

use std::ops::Range;
use std::sync::{Mutex, OnceLock};

use puzzle::factorial;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::frame::{BYTE_FRAME_LENGTH, Frames, PackMethod};
use super::model::Model;
use super::{PACK_VERSION, PackError};
use crate::control::{Cancel, Executor};
use crate::header::{
    FORMAT_VERSION, HEADER_LENGTH, Header, Histogram, MaskHalves, Prefix, SUM_LENGTH, SumField,
    layout, read_sum, sum_field,
};
use crate::table::Table;

/// Magic of a packed file: the magic of a table file, with Z in place of B.
pub(crate) const MAGIC: [u8; 8] = *b"\x89PDZ\r\n\x1a\n";
/// Length of the fields before the histogram, in bytes.
const FIELDS_LENGTH: usize = 112;
/// Length of a frame's index entry, in bytes: the frame's length and the frame's SHA-256.
const FRAME_LENGTH: usize = 8 + SUM_LENGTH;

/// Largest number of entries per byte of a packed file. Real tables have at most about 300.
const MAX_ENTRIES_PER_BYTE: u64 = 4096;

/// The header's fields in file order, written by bincode as fixed-width little-endian integers.
#[derive(Serialize, Deserialize)]
struct PackedFields {
    /// `method` contains the number of the method, the number of fixed tiles and a zero.
    prefix: Prefix,
    payload_length: u64,
    file_length: u64,
    max: u32,
    frames: u32,
    model_length: u32,
    reserved: u32,
    payload_sha256: SumField,
    high: MaskHalves,
}

/// Position of a frame in a packed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameEntry {
    /// Range of the frame in the file, in bytes.
    pub bytes: Range<u64>,
    /// SHA-256 of these bytes.
    pub sha256: [u8; 32],
}

/// The header of a packed file. With the header, any frame can be unpacked on its own.
pub struct Packed {
    header: Header,
    method: PackMethod,
    model: Model,
    index: Vec<FrameEntry>,
    file_length: u64,
    /// Created on first use, because creating it takes longer than reading the header.
    frames: OnceLock<Frames>,
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("Packed");
        let out = out
            .field("header", &self.header)
            .field("method", &self.method);
        out.field("index", &self.index).finish_non_exhaustive()
    }
}

/// Writes a packed file.
pub(crate) fn write(
    header: &Header,
    method: PackMethod,
    model: &Model,
    frames: &[Vec<u8>],
) -> Vec<u8> {
    let model = model.to_bytes();
    let histogram = header.histogram.counts();
    let model_end = FIELDS_LENGTH + 8 * histogram.len() + model.len().next_multiple_of(8);
    let header_length = model_end + FRAME_LENGTH * frames.len() + SUM_LENGTH;
    let file_length = header_length + frames.iter().map(Vec::len).sum::<usize>();
    let (number, fixed) = match method {
        PackMethod::Predicted { fixed } => (0, fixed as u8),
        PackMethod::Bytes => (1, 0),
    };
    let mut prefix = Prefix::new(MAGIC, header_length, header);
    prefix.method = [number, fixed, 0];
    let fields = PackedFields {
        prefix,
        payload_length: header.payload_length(),
        file_length: file_length as u64,
        max: u32::from(header.histogram.max()),
        frames: frames.len() as u32,
        model_length: model.len() as u32,
        reserved: 0,
        payload_sha256: sum_field(&header.payload_sha256),
        high: MaskHalves::new(header.id),
    };
    let mut bytes = vec![0; FIELDS_LENGTH];
    // The fields have a fixed size, the length of the slice, so encoding cannot fail.
    let _ = bincode::serde::encode_into_slice(fields, &mut bytes, layout::<FIELDS_LENGTH>());
    bytes.extend(histogram.iter().flat_map(|count| count.to_le_bytes()));
    bytes.extend(model);
    bytes.resize(model_end, 0);
    for frame in frames {
        bytes.extend((frame.len() as u64).to_le_bytes());
        bytes.extend(Sha256::digest(frame));
    }
    let sum = Sha256::digest(&bytes);
    bytes.extend(sum);
    bytes.extend(frames.iter().flatten());
    bytes
}

impl Packed {
    /// Whether the bytes start like a packed file.
    #[must_use]
    pub fn is_packed(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Reads the length of the header, in bytes. `bytes` are the first bytes of the file; 16 bytes
    /// are sufficient.
    pub fn header_length(bytes: &[u8]) -> Result<usize, PackError> {
        if bytes.is_empty() {
            return Err(PackError::CutShort);
        }
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            let is_text = bytes.starts_with(b"\x89PDZ\n") || bytes.starts_with(b"\x89PDZ\r\r");
            return Err(if is_text {
                PackError::TextModeCopy
            } else {
                PackError::NotPacked
            });
        }
        let field = bytes.get(12..).and_then(|field| field.first_chunk());
        let field = field.ok_or(PackError::CutShort)?;
        Ok(u32::from_le_bytes(*field) as usize)
    }

    /// Reads and checks the header of a packed file from its first bytes. `file_length` is the
    /// length of the whole file. Takes O(shapes) time, and memory proportional to the header.
    pub fn new(bytes: &[u8], file_length: u64) -> Result<Packed, PackError> {
        let length = Packed::header_length(bytes)?;
        if length < FIELDS_LENGTH + SUM_LENGTH {
            return Err(PackError::HeaderSum);
        }
        let bytes = bytes.get(..length).ok_or(PackError::CutShort)?;
        let (bytes, sum) = bytes.split_at(length - SUM_LENGTH);
        if Sha256::digest(bytes)[..] != *sum {
            return Err(PackError::HeaderSum);
        }
        let (fields, rest) = bytes.split_at(FIELDS_LENGTH);
        let (fields, _): (PackedFields, _) =
            bincode::serde::decode_from_slice(fields, layout::<FIELDS_LENGTH>())
                .map_err(|_| PackError::Field("layout"))?;
        if !(FORMAT_VERSION..=PACK_VERSION).contains(&fields.prefix.version) {
            return Err(PackError::Version(fields.prefix.version));
        }
        if fields.file_length != file_length {
            return Err(PackError::Length {
                found: file_length,
                expected: fields.file_length,
            });
        }
        Packed::from_fields(&fields, rest)
    }

    fn from_fields(fields: &PackedFields, rest: &[u8]) -> Result<Packed, PackError> {
        let check = |holds: bool, field| holds.then_some(()).ok_or(PackError::Field(field));
        let histogram_length = 8 * (fields.max as usize).saturating_add(1).min(256);
        let (histogram, rest) = rest
            .split_at_checked(histogram_length)
            .ok_or(PackError::Field("largest value"))?;
        let header = table_header(fields, histogram)?;
        let payload_length = header.payload_length();
        check(fields.payload_length == payload_length, "payload length")?;
        let is_possible = header.entries / MAX_ENTRIES_PER_BYTE <= fields.file_length;
        check(is_possible, "number of entries in a file so short")?;
        let tiles = header.id.tiles().len();
        let [number, fixed, reserved] = fields.prefix.method;
        let fixed = usize::from(fixed);
        let method = match number {
            0 if fixed <= PackMethod::max_fixed(tiles)
                && PackMethod::can_predict(header.id.kind()) =>
            {
                PackMethod::Predicted { fixed }
            }
            1 if fixed == 0 => PackMethod::Bytes,
            _ => return Err(PackError::Field("method")),
        };
        let model_length = fields.model_length as usize;
        let (model, index) = model_length
            .checked_next_multiple_of(8)
            .and_then(|padded| rest.split_at_checked(padded))
            .ok_or(PackError::Field("model"))?;
        let (model, padding) = model.split_at(model_length);
        let model = Model::from_bytes(model, method.contexts()).ok_or(PackError::Field("model"))?;
        let is_zero = reserved == 0 && fields.reserved == 0 && padding.iter().all(|&b| b == 0);
        check(is_zero, "reserved bytes")?;
        // The file's length bounds the number of rows, because each row has at least one entry.
        header.check_entries()?;
        let frames = method.frames(header.id, payload_length);
        check(frames == u64::from(fields.frames), "number of frames")?;
        let index_length = frames.saturating_mul(FRAME_LENGTH as u64);
        check(index.len() as u64 == index_length, "header length")?;
        let mut end = u64::from(fields.prefix.header_length);
        let mut frames = Vec::with_capacity(index.len() / FRAME_LENGTH);
        for entry in index.chunks_exact(FRAME_LENGTH) {
            let (length, sum) = entry.split_at(8);
            let start = end;
            let next = end.checked_add(read_u64(length));
            end = next.ok_or(PackError::Field("frame length"))?;
            let (bytes, mut sha256) = (start..end, [0; SUM_LENGTH]);
            sha256.copy_from_slice(sum);
            frames.push(FrameEntry { bytes, sha256 });
        }
        check(end == fields.file_length, "frame length")?;
        Ok(Packed {
            header,
            method,
            model,
            index: frames,
            file_length: fields.file_length,
            frames: OnceLock::new(),
        })
    }

    fn frame_rows(&self) -> &Frames {
        let length = self.header.payload_length();
        let new = || Frames::new(self.header.id, self.method, length);
        self.frames.get_or_init(new)
    }

    /// The header of the unpacked table.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The packing method.
    #[must_use]
    pub fn method(&self) -> PackMethod {
        self.method
    }

    /// Length of the file, in bytes.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        self.file_length
    }

    /// Positions of the frames.
    #[must_use]
    pub fn frames(&self) -> &[FrameEntry] {
        &self.index
    }

    /// The frame of an entry and the entry's index in the frame. For an entry past the end of the
    /// table, the index is past the end of the frame.
    #[must_use]
    pub fn locate(&self, entry: u64) -> (usize, u64) {
        match self.method {
            PackMethod::Predicted { fixed } => {
                let tiles = self.header.id.tiles().len();
                let row_entries = u64::from(factorial(tiles));
                let stretch = u64::from(factorial(tiles - fixed));
                let (row, rank) = (entry / row_entries, entry % row_entries);
                ((rank / stretch) as usize, row * stretch + rank % stretch)
            }
            PackMethod::Bytes => {
                let per_byte = self.header.encoding.entries_per_byte();
                let frame_entries = BYTE_FRAME_LENGTH * per_byte;
                ((entry / frame_entries) as usize, entry % frame_entries)
            }
        }
    }

    /// Unpacks one frame. The result contains the frame's entries without gaps, encoded like the
    /// table's payload.
    ///
    /// # Errors
    /// [`PackError::Frame`] if the bytes are not this frame.
    pub fn unpack_frame(&self, frame: usize, bytes: &[u8]) -> Result<Vec<u8>, PackError> {
        self.unpack_frame_in(frame, bytes, &mut Vec::new(), &Cancel::default())
    }

    fn unpack_frame_in(
        &self,
        frame: usize,
        bytes: &[u8],
        buffer: &mut Vec<u8>,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, PackError> {
        let entry = self.index.get(frame).ok_or(PackError::Frame(frame))?;
        if Sha256::digest(bytes)[..] != entry.sha256 {
            return Err(PackError::Frame(frame));
        }
        let (rows, encoding) = (self.frame_rows(), self.header.encoding);
        rows.unpack(frame, bytes, &self.model, encoding, buffer, cancel)
    }

    /// Unpacks the whole file and checks the payload's SHA-256. `cancel` is checked at each row.
    pub fn unpack(
        &self,
        bytes: &[u8],
        executor: &impl Executor,
        cancel: &Cancel,
    ) -> Result<Table<Vec<u8>>, PackError> {
        // At most one buffer per thread.
        let buffers = Mutex::new(Vec::new());
        let unpack = |frame: usize| {
            PackError::unless_cancelled(cancel)?;
            let place = &self.index[frame].bytes;
            let [start, end] = [place.start, place.end].map(|at| usize::try_from(at).ok());
            let bytes = start
                .zip(end)
                .and_then(|(start, end)| bytes.get(start..end));
            let bytes = bytes.ok_or(PackError::CutShort)?;
            let spare = buffers.lock().ok().and_then(|mut buffers| buffers.pop());
            let mut buffer = spare.unwrap_or_default();
            let unpacked = self.unpack_frame_in(frame, bytes, &mut buffer, cancel);
            if let Ok(mut buffers) = buffers.lock() {
                buffers.push(buffer);
            }
            unpacked
        };
        let frames = executor.map(self.index.len(), unpack);
        let frames = frames.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut file = Vec::with_capacity(HEADER_LENGTH + self.header.payload_length() as usize);
        file.extend(self.header.encode());
        let rows = self.frame_rows();
        rows.assemble(&frames, self.header.encoding, &mut file);
        let table = Table::new(file)?;
        table.check_payload()?;
        Ok(table)
    }
}

/// The table's header, with the same checks and errors as for a table file.
fn table_header(fields: &PackedFields, counts: &[u8]) -> Result<Header, PackError> {
    let (id, encoding) = fields.prefix.table(fields.high)?;
    let mut histogram = Histogram::default();
    for (value, count) in counts.chunks_exact(8).enumerate() {
        histogram.add(value as u8, read_u64(count));
    }
    if u32::from(histogram.max()) != fields.max {
        return Err(PackError::Field("largest value"));
    }
    let header = Header {
        id,
        encoding,
        entries: fields.prefix.entries,
        histogram,
        payload_sha256: read_sum(&fields.payload_sha256),
    };
    match Header::decode(&header.encode()) {
        Ok(checked) if checked == header => Ok(header),
        Ok(_) => Err(PackError::Field("histogram")),
        Err(error) => Err(PackError::Table(error)),
    }
}

/// A little-endian integer of eight bytes.
fn read_u64(bytes: &[u8]) -> u64 {
    let bytes = bytes.first_chunk();
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
