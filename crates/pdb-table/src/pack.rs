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
mod frame;
mod manhattan;
mod model;
mod predict;

use std::borrow::Cow;
use std::collections::VecDeque;

use puzzle::Reindex;

use crate::code::Code;
use crate::codes;
use crate::control::{Cancel, Executor};
use crate::descent::{Descent, EntryPosition};
use crate::encoding::{Encoding, UNREACHABLE, to_bits};
use crate::header::{HEADER_LENGTH, Header, LARGE_FORMAT_VERSION, TableError};
use crate::table::Table;
pub use container::{FrameEntry, Packed};
use frame::Frames;
pub use frame::{BYTE_FRAME_LENGTH, PackMethod};
use model::{Counts, Model};
use predict::parity_of_rank;

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
        Encoding::OneBit => Cow::Owned(to_values(table, cancel)?),
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
    let values = to_values(table, cancel)?;
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

/// Newest version of packed files. Packed files use the version numbers of table files.
pub const PACK_VERSION: u32 = LARGE_FORMAT_VERSION;
/// Error of packing a table or unpacking bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The file is not a packed table.
    #[error("not a packed table: the first bytes are not those of a .pdbz file")]
    NotPacked,
    /// A text-mode copy changed the line ends.
    #[error(
        "the file was copied in text mode, which changes its bytes: copy it again in binary mode"
    )]
    TextModeCopy,
    /// The file is too short.
    #[error("the packed file is cut short")]
    CutShort,
    /// The header does not match its SHA-256.
    #[error("the packed file's header is damaged: its SHA-256 does not match")]
    HeaderSum,
    /// A version that this code does not support.
    #[error(
        "packed format version {0}, but this program reads versions up to {PACK_VERSION}: update it, or build the table"
    )]
    Version(u32),
    /// A field has an impossible value.
    #[error("invalid header of the packed file: impossible {0}")]
    Field(&'static str),
    /// The file's length differs from the length in its header.
    #[error("the packed file has {found} bytes, but its header implies {expected}")]
    Length {
        /// Bytes of the file.
        found: u64,
        /// Bytes that the header implies.
        expected: u64,
    },
    /// A frame is damaged or does not exist.
    #[error("frame {0} of the packed file is damaged")]
    Frame(usize),
    /// The table is invalid, before packing or after unpacking.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The number of fixed tiles is out of range.
    #[error("the number of fixed tiles of a table of {tiles} must be 0 to {max}, not {fixed}")]
    Fixed {
        /// Requested number of fixed tiles.
        fixed: usize,
        /// Number of tiles of the table.
        tiles: usize,
        /// Largest number of fixed tiles.
        max: usize,
    },
    /// The call was cancelled by its [`Cancel`].
    #[error("interrupted")]
    Cancelled,
}

codes! {
    PackError {
        PackError::Cancelled => Code::Cancelled,
        PackError::Fixed { .. } => Code::Input,
        _ => Code::Table,
    }
}

impl PackError {
    /// Returns an error if the call was cancelled.
    pub(crate) fn unless_cancelled(cancel: &Cancel) -> Result<(), PackError> {
        match cancel.is_cancelled() {
            true => Err(PackError::Cancelled),
            false => Ok(()),
        }
    }
}

/// The value of every entry of a one-bit table, 255 for unreachable ones. For incorrect tables the
/// values are arbitrary. Takes O(entries) time and one byte of memory per entry.
///
/// The values of neighbouring entries differ by one, so an entry's value follows from its value mod
/// 4 and the value of a neighbour. [`Descent`] finds the values of the goal's row. The other
/// rows are visited outwards from the goal's row.
pub(crate) fn to_values<D: AsRef<[u8]>>(
    table: &Table<D>,
    cancel: &Cancel,
) -> Result<Vec<u8>, PackError> {
    debug_assert!(table.header().encoding == Encoding::OneBit);
    let (id, payload, ranking) = (table.id(), table.payload(), table.ranking()?);
    let tiles = id.tiles().len();
    let reindex = Reindex::for_tray(id.tray(), tiles);
    let entries = ranking.row_entries();
    // Zeroed memory takes no time to allocate; each row is filled when it is visited.
    let mut values = vec![0; ranking.rows() * entries];
    let goal_row = ranking.goal_row(id);
    values[goal_row * entries..][..entries].fill(UNREACHABLE);
    let has_unreachable = tiles + 2 >= id.tray().cells();
    for rank in 0..entries as u32 {
        PackError::unless_cancelled(cancel)?;
        if !(has_unreachable && parity_of_rank(rank as usize) == 1) {
            let start = EntryPosition::of(&ranking, goal_row, rank);
            let descent = Descent::new(table, &ranking, &reindex, start);
            values[goal_row * entries + rank as usize] = descent.finish().steps;
        }
    }
    let mut met = vec![false; ranking.rows()];
    met[goal_row] = true;
    let mut queue = VecDeque::from([goal_row]);
    while let Some(row) = queue.pop_front() {
        let (shape, blank) = ranking.row_shape(row);
        for out in ranking.row_moves(shape, blank) {
            if std::mem::replace(&mut met[out.row], true) {
                continue;
            }
            PackError::unless_cancelled(cancel)?;
            queue.push_back(out.row);
            values[out.row * entries..][..entries].fill(UNREACHABLE);
            let (shape, blank) = ranking.row_shape(out.row);
            let parity = id.parity(shape, blank);
            for rank in 0..entries as u32 {
                let known = values[row * entries + rank as usize];
                if known == UNREACHABLE {
                    continue;
                }
                let entry = out.row * entries + reindex.apply(out.from, out.to, rank) as usize;
                let mod_4 = (payload[entry / 8] >> (entry % 8) & 1) << 1 | parity;
                let is_above = (known.wrapping_add(1) ^ mod_4) & 2 == 0;
                values[entry] = if is_above {
                    known.wrapping_add(1)
                } else {
                    known.wrapping_sub(1)
                };
            }
        }
    }
    for (row, _) in met.iter().enumerate().filter(|(_, is_met)| !**is_met) {
        values[row * entries..][..entries].fill(UNREACHABLE);
    }
    Ok(values)
}
