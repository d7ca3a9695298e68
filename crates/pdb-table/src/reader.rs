//! Reader of tables from bytes in memory: plain, packed or compressed.

use std::borrow::Cow;

use crate::code::Code;
use crate::codes;
use crate::control::{Cancel, Executor};
use crate::header::{Header, TableError};
use crate::pack::{PackError, Packed, unpack_memory};
use crate::size::size;
use crate::table::{SharedTable, Table};
use crate::zstd_frame::is_zstd;
#[cfg(feature = "zstd")]
use crate::zstd_frame::{inflate, read_header};

/// Error of reading a table from bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are not a table, or are damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A packed table is damaged.
    #[error(transparent)]
    Packed(PackError),
    /// The table is compressed by zstd, and the feature `zstd` is off.
    #[error("tables compressed by zstd are not supported here: pack the table with pdb-gen pack")]
    Zstd,
    /// The table needs more memory than the limit.
    #[error(
        "{name} needs about {} of memory to be read, and {} are free: choose smaller parts, or make \
         memory free",
        size(*needed), size(*free)
    )]
    TooLarge {
        /// Name of the table.
        name: String,
        /// Required memory, in bytes.
        needed: u64,
        /// Memory limit, in bytes.
        free: u64,
    },
    /// The call was cancelled by its [`Cancel`].
    #[error("interrupted")]
    Cancelled,
}

codes! {
    ReadError {
        ReadError::TooLarge { .. } => Code::Memory,
        ReadError::Cancelled => Code::Cancelled,
        _ => Code::Table,
    }
}

impl ReadError {
    /// Rejects a table that needs more memory than the limit, if any.
    pub(crate) fn refuse(table: &Header, needed: u64, free: Option<u64>) -> Result<(), ReadError> {
        match free.filter(|&free| needed > free) {
            None => Ok(()),
            Some(free) => Err(ReadError::TooLarge {
                name: table.id.name(),
                needed,
                free,
            }),
        }
    }
}

impl From<PackError> for ReadError {
    fn from(error: PackError) -> ReadError {
        match error {
            PackError::Cancelled => ReadError::Cancelled,
            PackError::Table(error) => ReadError::Table(error),
            error => ReadError::Packed(error),
        }
    }
}

/// Reads a table from memory: plain, packed, or in a zstd frame (feature `zstd`).
///
/// ```
/// use pdb_table::{Cancel, Header, ReadError, TableReader};
/// use puzzle::{Cell, CellSet, Pattern, TableKind, Tray};
///
/// let pattern = Pattern::new(Tray::new(2, 2)?, CellSet::from_bits(0b0010), Cell::new(0))?;
/// let (id, _) = pattern.table(TableKind::ZeroAware);
/// let values = [1, 0, 2, 1];
/// let bytes = [&Header::of_bytes(id, &values).encode()[..], &values].concat();
///
/// let reader = TableReader::new(&bytes[..])?;
/// assert_eq!(reader.header().id, id);
/// let table = reader.read(None, &(), &Cancel::default())?;
/// assert_eq!(table.value(2), Some(2));
///
/// let reader = TableReader::new(&bytes[..])?;
/// let refused = reader.read(Some(3), &(), &Cancel::default());
/// assert!(matches!(refused, Err(ReadError::TooLarge { free: 3, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableReader<'a> {
    bytes: Cow<'a, [u8]>,
    header: Header,
    form: TableForm,
}

/// Forms of a stored table.
#[derive(Debug)]
enum TableForm {
    Plain,
    Packed(Box<Packed>),
    #[cfg(feature = "zstd")]
    Zstd,
}

impl<'a> TableReader<'a> {
    /// Reads the header. Time and memory are proportional to the header's length.
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, ReadError> {
        let bytes = bytes.into();
        let (header, form) = if Packed::is_packed(&bytes) {
            let packed = Packed::new(&bytes, bytes.len() as u64)?;
            (packed.header().clone(), TableForm::Packed(Box::new(packed)))
        } else if is_zstd(&bytes) {
            #[cfg(not(feature = "zstd"))]
            return Err(ReadError::Zstd);
            #[cfg(feature = "zstd")]
            (read_header(&bytes[..])?, TableForm::Zstd)
        } else {
            (Table::new(&bytes[..])?.header().clone(), TableForm::Plain)
        };
        Ok(TableReader {
            bytes,
            header,
            form,
        })
    }

    /// The table's header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the table and checks all SHA-256 sums. It does not verify that the values are correct.
    /// `max_memory` limits the memory for the table and for reading it, in bytes.
    pub fn read(
        self,
        max_memory: Option<u64>,
        executor: &impl Executor,
        cancel: &Cancel,
    ) -> Result<SharedTable, ReadError> {
        let needed = match &self.form {
            TableForm::Packed(packed) => unpack_memory(packed, executor.threads()),
            // The bytes are moved, not copied.
            TableForm::Plain if matches!(self.bytes, Cow::Owned(_)) => 0,
            TableForm::Plain => self.header.payload_length(),
            // The buffer doubles when it is full, so it can be twice as long as the payload.
            #[cfg(feature = "zstd")]
            TableForm::Zstd => self.header.payload_length().saturating_mul(2),
        };
        ReadError::refuse(&self.header, needed, max_memory)?;
        // The number of entries is checked before the payload is inflated.
        self.header.check_entries()?;
        let table = match &self.form {
            TableForm::Packed(packed) => packed.unpack(&self.bytes, executor, cancel)?,
            #[cfg(feature = "zstd")]
            TableForm::Zstd => inflate(&self.bytes[..], self.bytes.len() as u64)?,
            TableForm::Plain => Table::new(self.bytes.into_owned())?,
        };
        // Unpacking has already checked the payload of a packed table.
        if !matches!(self.form, TableForm::Packed(_)) {
            table.check_payload_unless(cancel)?;
        }
        // A cancelled check returns no error, although it has not read the whole payload.
        match cancel.is_cancelled() {
            true => Err(ReadError::Cancelled),
            false => Ok(table.shared()),
        }
    }
}
