//! Errors of packing and unpacking.

use crate::control::Cancel;
use crate::header::{LARGE_FORMAT_VERSION, TableError};

/// The newest version of packed files: the versions are those of table files.
pub const PACK_VERSION: u32 = LARGE_FORMAT_VERSION;
/// Why bytes cannot be unpacked, or a table cannot be packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The file is of another kind.
    #[error("not a packed table: the first bytes are not those of a .pdbz file")]
    NotPacked,
    /// Line ends were changed on the way.
    #[error(
        "the file was copied in text mode, which changes its bytes: copy it again in binary mode"
    )]
    TextModeCopy,
    /// The file is shorter than it must be.
    #[error("the packed file is cut short")]
    CutShort,
    /// The header's sum is wrong.
    #[error("the packed file's header is damaged: its SHA-256 does not match")]
    HeaderSum,
    /// A version that this code does not know.
    #[error(
        "packed format version {0}, but this program reads versions up to {PACK_VERSION}: update it, or build the table"
    )]
    Version(u32),
    /// A field has an impossible value.
    #[error("the packed file's header is not believable: {0} is impossible")]
    Field(&'static str),
    /// The file is longer or shorter than its header says.
    #[error("the packed file has {found} bytes, but its header implies {expected}")]
    Length {
        /// Bytes of the file.
        found: u64,
        /// Bytes that the header implies.
        expected: u64,
    },
    /// A frame is not what was written, or there is none of this number.
    #[error("frame {0} of the packed file is damaged")]
    Frame(usize),
    /// The table is not valid, or what comes out is not.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The number of tiles that are the same throughout a frame is out of range.
    #[error("{fixed} tiles cannot be fixed in frames of a table of {tiles}: 0 to {max} can")]
    Fixed {
        /// Tiles asked for.
        fixed: usize,
        /// Tiles of the table.
        tiles: usize,
        /// The most that can.
        max: usize,
    },
    /// The caller's [`Cancel`] stopped the call.
    #[error("interrupted")]
    Cancelled,
}

impl PackError {
    /// An error if the call was cancelled.
    pub(crate) fn unless_cancelled(cancel: &Cancel) -> Result<(), PackError> {
        match cancel.is_cancelled() {
            true => Err(PackError::Cancelled),
            false => Ok(()),
        }
    }
}
