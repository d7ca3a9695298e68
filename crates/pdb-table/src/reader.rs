//! A table from bytes in memory, whatever its form.

use std::borrow::Cow;

use crate::control::{Cancel, Executor};
use crate::header::{Header, TableError};
use crate::pack::{PackError, Packed, unpack_memory};
use crate::shared::SharedTable;
use crate::size::size;
use crate::table::Table;
use crate::zstd_frame::is_zstd;
#[cfg(feature = "zstd")]
use crate::zstd_frame::{inflate, read_header};

/// Why no table was read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are not those of a table, or damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The bytes are those of a packed table, and damaged.
    #[error(transparent)]
    Packed(PackError),
    /// The table is in a zstd frame, and the feature `zstd` is off.
    #[error("tables compressed by zstd are not supported here: pack the table with pdb-gen pack")]
    Zstd,
    /// The table takes more memory than the caller allows.
    #[error(
        "{name} needs about {} of memory to be read, and {} are free: choose smaller parts, or make \
         memory free",
        size(*needed), size(*free)
    )]
    TooLarge {
        /// The table.
        name: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes that the caller allows.
        free: u64,
    },
    /// The caller's [`Cancel`] stopped the call.
    #[error("interrupted")]
    Cancelled,
}

impl ReadError {
    /// Rejects a table that needs more than the limit of memory, if there is one.
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

/// Reads a table from memory: plain, packed, or a zstd frame (feature `zstd`); the header first.
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
    /// Reads the header. Time and memory in proportion to it.
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

    /// Reads the table and checks every sum, not that the values are right. `max_memory` limits the
    /// bytes that the table and the work on it take.
    pub fn read(
        self,
        max_memory: Option<u64>,
        executor: &impl Executor,
        cancel: &Cancel,
    ) -> Result<SharedTable, ReadError> {
        let needed = match &self.form {
            TableForm::Packed(packed) => unpack_memory(packed, executor.threads()),
            // It moves.
            TableForm::Plain if matches!(self.bytes, Cow::Owned(_)) => 0,
            TableForm::Plain => self.header.payload_length(),
            // The bytes grow by doubling.
            #[cfg(feature = "zstd")]
            TableForm::Zstd => self.header.payload_length().saturating_mul(2),
        };
        ReadError::refuse(&self.header, needed, max_memory)?;
        // Before the payload is inflated.
        self.header.check_entries()?;
        let table = match &self.form {
            TableForm::Packed(packed) => packed.unpack(&self.bytes, executor, cancel)?,
            #[cfg(feature = "zstd")]
            TableForm::Zstd => inflate(&self.bytes[..], self.bytes.len() as u64)?,
            TableForm::Plain => Table::new(self.bytes.into_owned())?,
        };
        // Unpacking has checked it.
        if !matches!(self.form, TableForm::Packed(_)) {
            table.check_payload_unless(cancel)?;
        }
        // A table whose check was cancelled may be damaged.
        match cancel.is_cancelled() {
            true => Err(ReadError::Cancelled),
            false => Ok(table.shared()),
        }
    }
}
