//! Errors of packing and unpacking.

use crate::code::Code;
use crate::codes;
use crate::control::Cancel;
use crate::header::{LARGE_FORMAT_VERSION, TableError};

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
