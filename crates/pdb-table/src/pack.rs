//! Packed tables: tables compressed for distribution.
//!
//! A packed file is a header and *frames*; each frame can be fetched and unpacked on its own.
//! `docs/format.md` describes every byte. Each value is predicted from neighbouring rows, and an
//! entropy coder writes the deviations, with a fixed probability for each of about a thousand
//! contexts. All arithmetic is integer arithmetic: packing a table produces the same bytes on every
//! machine, with any number of threads. Unpacking needs neither threads nor a C library.
//!
//! ```
//! use pdb_table::{Cancel, Header, Packed, Table, pack};
//! use puzzle::{Cell, CellSet, TableKind, Pattern, Tray};
//!
//! let tray = Tray::new(2, 2)?;
//! let pattern = Pattern::new(tray, CellSet::from_bits(0b0010), Cell::new(0))?;
//! let (id, _) = pattern.table(TableKind::ZeroAware);
//! let values = [1, 0, 2, 1];
//! let header = Header::of_bytes(id, &values);
//! let table = Table::new([&header.encode()[..], &values].concat())?;
//!
//! let cancel = Cancel::default();
//! let bytes = pack(&table, None, &(), &cancel)?;
//! let packed = Packed::new(&bytes, bytes.len() as u64)?;
//! assert_eq!(packed.unpack(&bytes, &(), &cancel)?.bytes(), table.bytes());
//! // One frame alone, as one would fetch it from a server:
//! let range = packed.frames()[0].bytes.clone();
//! let frame = packed.unpack_frame(0, &bytes[range.start as usize..range.end as usize])?;
//! assert_eq!(frame, values);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod coder;
mod container;
mod decode_order;
mod error;
mod frame;
mod manhattan;
mod model;
mod one_bit;
mod predict;

use std::borrow::Cow;

pub use container::{FrameEntry, Packed};
pub use error::{PACK_VERSION, PackError};
pub use frame::{BYTE_FRAME_LENGTH, PackMethod};

use crate::control::{Cancel, Executor};
use crate::encoding::Encoding;
use crate::encoding::to_bits;
use crate::header::{HEADER_LENGTH, Header, TableError};
use crate::table::Table;
use frame::Frames;
use model::{Counts, Model};

/// Maximum memory of [`pack`] with this number of threads, in bytes. For a one-bit table it
/// includes the values of the whole table. Each thread needs four bytes per entry of a frame: two
/// copies of the value, and one decision of two bytes.
#[must_use]
pub fn pack_memory(header: &Header, fixed: Option<usize>, threads: usize) -> u64 {
    let method = PackMethod::choose(header, fixed);
    let frames = method.frames(header.id, header.payload_length());
    let values = match header.encoding {
        Encoding::OneBit => header.entries,
        _ => 0,
    };
    values + 4 * (header.entries / frames) * frames.min(threads as u64)
}

/// Maximum memory of [`Packed::unpack`], in bytes: the packed bytes, the decode order, and the
/// memory of the larger of two phases. The first phase finds the order. The second phase stores two
/// copies of the payload, and for one-bit tables also the values of one frame per thread.
#[must_use]
pub fn unpack_memory(packed: &Packed, threads: usize) -> u64 {
    let header = packed.header();
    let (method, payload) = (packed.method(), header.payload_length());
    let values = match (method, header.encoding) {
        (PackMethod::Predicted { .. }, Encoding::OneBit) => {
            let frames = method.frames(header.id, payload).max(1);
            (header.entries / frames).saturating_mul(frames.min(threads as u64))
        }
        _ => 0,
    };
    let (kept, finding) = match method {
        PackMethod::Predicted { .. } => decode_order::memory(header.id, header.entries),
        PackMethod::Bytes => (0, 0),
    };
    let frames = payload.saturating_mul(2).saturating_add(values);
    packed
        .file_length()
        .saturating_add(kept)
        .saturating_add(finding.max(frames))
}

/// Packs a table whose payload was checked ([`Table::check_payload`]). `fixed` is the number of
/// fixed tiles ([`PackMethod::Predicted`]). A larger `fixed` produces smaller frames and a larger
/// file. [`PackMethod::for_table`] chooses the default. `cancel` is checked at each row.
///
/// Takes O(entries) time and [`pack_memory`] bytes. Incorrect values are packed too, but compress
/// badly.
///
/// # Errors
/// [`PackError::Fixed`], [`PackError::Cancelled`], or [`PackError::Table`] for a wrong number of
/// entries.
pub fn pack<D: AsRef<[u8]>>(
    table: &Table<D>,
    fixed: Option<usize>,
    executor: &impl Executor,
    cancel: &Cancel,
) -> Result<Vec<u8>, PackError> {
    table.check_entries()?;
    let header = table.header();
    let tiles = header.id.tiles().len();
    let max = PackMethod::max_fixed(tiles);
    let method = PackMethod::choose(header, fixed);
    if let Some(fixed) = fixed.filter(|&fixed| fixed > max && method != PackMethod::Bytes) {
        return Err(PackError::Fixed { fixed, tiles, max });
    }
    let values = match header.encoding {
        Encoding::OneBit => Cow::Owned(one_bit::to_values(table, cancel)?),
        _ => Cow::Borrowed(table.payload()),
    };
    let is_true = header.encoding != Encoding::OneBit || are_bits_of(table, &values, cancel)?;
    let packed = match is_true && method != PackMethod::Bytes {
        true => pack_with(table, method, &values, executor, cancel)?,
        false => None,
    };
    drop(values);
    match packed {
        Some(bytes) => Ok(bytes),
        None => {
            let all = table.payload();
            let packed = pack_with(table, PackMethod::Bytes, all, executor, cancel)?;
            // This method can represent any bytes, so `packed` is not `None` here.
            packed.ok_or(PackError::Cancelled)
        }
    }
}

/// Decodes a one-bit table to one byte per entry. Takes O(entries) time and two bytes of memory per
/// entry.
///
/// # Errors
/// [`TableError`] if the table is not a valid one-bit table, and [`PackError::Cancelled`].
pub fn decode_one_bit<D: AsRef<[u8]>>(
    table: &Table<D>,
    cancel: &Cancel,
) -> Result<Table<Vec<u8>>, PackError> {
    let header = table.header();
    if header.encoding != Encoding::OneBit {
        let (found, expected) = (header.encoding.to_string(), Encoding::OneBit.to_string());
        return Err(TableError::WrongTable { found, expected }.into());
    }
    table.check_entries()?;
    let values = one_bit::to_values(table, cancel)?;
    if !are_bits_of(table, &values, cancel)? {
        return Err(TableError::PayloadSum.into());
    }
    let decoded = Header::of_bytes(header.id, &values);
    if decoded.histogram != header.histogram {
        return Err(TableError::Histogram.into());
    }
    let mut bytes = Vec::with_capacity(HEADER_LENGTH + values.len());
    bytes.extend_from_slice(&decoded.encode());
    bytes.extend_from_slice(&values);
    Ok(Table::new(bytes)?)
}

/// Whether the payload of a one-bit table encodes these values.
fn are_bits_of<D: AsRef<[u8]>>(
    table: &Table<D>,
    values: &[u8],
    cancel: &Cancel,
) -> Result<bool, PackError> {
    const PIECE: usize = 1 << 20;
    let pieces = table.payload().chunks(PIECE).zip(values.chunks(8 * PIECE));
    for (payload, values) in pieces {
        PackError::unless_cancelled(cancel)?;
        if to_bits(values) != payload {
            return Ok(false);
        }
    }
    Ok(table.payload().len() == values.len().div_ceil(8))
}

/// Packs with one method; `None` if the method cannot represent the values.
fn pack_with<D: AsRef<[u8]>>(
    table: &Table<D>,
    method: PackMethod,
    values: &[u8],
    executor: &impl Executor,
    cancel: &Cancel,
) -> Result<Option<Vec<u8>>, PackError> {
    let header = table.header();
    let frames = Frames::new(header.id, method, header.payload_length());
    let count = method.frames(header.id, header.payload_length()) as usize;
    let contexts = method.contexts();
    let counted = executor.map(count, |frame| {
        frames.count_decisions(frame, values, contexts, cancel)
    });
    let mut counts = Counts::new(contexts);
    for counted in counted {
        match counted? {
            Some(counted) => counts.merge(&counted),
            None => return Ok(None),
        }
    }
    let model = Model::of(&counts);
    let packed = executor.map(count, |frame| frames.pack(frame, values, &model, cancel));
    let packed = packed.into_iter().collect::<Result<Vec<_>, PackError>>()?;
    Ok(Some(container::write(header, method, &model, &packed)))
}
