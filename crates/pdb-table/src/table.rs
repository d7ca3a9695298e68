//! Checked access to the bytes of a whole table file.

use std::fmt;
use std::sync::Arc;

use puzzle::{Ranking, Reindex, TableId};
use sha2::{Digest, Sha256};

use crate::control::Cancel;
use crate::descent::{Descent, EntryPosition};
use crate::encoding::{Encoding, UNREACHABLE};
use crate::header::{HEADER_LENGTH, Header, Histogram, TableError};

/// A table over the bytes of a whole file. `D` must return the same bytes on every call.
#[derive(Clone, Debug)]
pub struct Table<D> {
    header: Header,
    data: D,
}

impl<D: AsRef<[u8]>> Table<D> {
    /// Checks the header and the length of the bytes of a table file. Does not read the payload.
    /// Time: O(1).
    pub fn new(data: D) -> Result<Self, TableError> {
        let bytes = data.as_ref();
        let header = Header::decode(bytes)?;
        header.check_length(bytes.len() as u64)?;
        Ok(Table { header, data })
    }

    /// The same table over borrowed bytes, for functions that are compiled once for all storage
    /// types.
    pub fn borrowed(&self) -> Table<&[u8]> {
        Table {
            header: self.header.clone(),
            data: self.data.as_ref(),
        }
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The table's identity.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.header.id
    }

    /// The bytes of the whole file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.data.as_ref()
    }

    /// The payload.
    #[inline]
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        &self.data.as_ref()[HEADER_LENGTH..]
    }

    /// Checks the payload's SHA-256 and padding bits, and for `u8` tables its histogram. This shows
    /// that the bytes are unchanged, not that the values are correct. Time: O(payload).
    pub fn check_payload(&self) -> Result<(), TableError> {
        self.check_payload_unless(&Cancel::default())
    }

    /// Like [`Self::check_payload`], but stops without an error when `cancel` is cancelled. The
    /// caller must therefore check `cancel` afterwards.
    pub fn check_payload_unless(&self, cancel: &Cancel) -> Result<(), TableError> {
        /// Number of bytes that are hashed between two checks of the token. Hashing them takes a
        /// few milliseconds.
        const PIECE: usize = 1 << 22;
        let mut sum = Sha256::new();
        for piece in self.payload().chunks(PIECE) {
            if cancel.is_cancelled() {
                return Ok(());
            }
            sum.update(piece);
        }
        if sum.finalize()[..] != self.header.payload_sha256 {
            return Err(TableError::PayloadSum);
        }
        let (encoding, payload) = (self.header.encoding, self.payload());
        if !encoding.is_padded_with_zeros(payload, self.header.entries) {
            return Err(TableError::PaddingBits);
        }
        // Only `u8` entries are complete values, which can be compared with the histogram.
        let is_counted =
            encoding != Encoding::U8 || Histogram::count(payload) == self.header.histogram;
        is_counted.then_some(()).ok_or(TableError::Histogram)
    }

    /// Checks that the table has this identity.
    pub fn check_id(&self, wanted: TableId) -> Result<(), TableError> {
        if self.id() == wanted {
            return Ok(());
        }
        Err(TableError::WrongTable {
            found: self.id().name(),
            expected: wanted.name(),
        })
    }

    /// Checks that the number of entries matches the table's rows. Time: O(shapes).
    ///
    /// # Errors
    /// [`TableError::Entries`], or [`TableError::TooLarge`] on 32-bit machines.
    pub fn check_entries(&self) -> Result<(), TableError> {
        self.header.check_entries()
    }

    /// [`Self::check_entries`] for callers that know the number of entries. Time: O(1).
    pub fn expect_entries(&self, expected: u64) -> Result<(), TableError> {
        self.header.expect_entries(expected)
    }

    /// The ranking of the table's entries. The number of entries is checked, so every entry number
    /// of the ranking is inside the payload. Time: O(shapes).
    pub fn ranking(&self) -> Result<Ranking, TableError> {
        let id = self.id();
        // A small file cannot cause a large ranking: decoding the header has checked that the table
        // has at least one row per shape.
        let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind());
        self.expect_entries(ranking.entries())?;
        Ok(ranking)
    }

    /// The byte of an entry of a `u8` table, 255 for an unreachable one; `None` past the end.
    #[inline]
    #[must_use]
    pub fn byte(&self, entry: u64) -> Option<u8> {
        Encoding::U8.read(self.payload(), entry)
    }

    /// The value of an entry of a `u8` table; `None` if unreachable or past the end.
    #[inline]
    #[must_use]
    pub fn value(&self, entry: u64) -> Option<u8> {
        self.byte(entry).filter(|&value| value != UNREACHABLE)
    }

    /// The bit of an entry of a one-bit table; `None` past the end.
    #[inline]
    #[must_use]
    pub fn bit(&self, entry: u64) -> Option<bool> {
        let bit = Encoding::OneBit.read(self.payload(), entry);
        bit.map(|bit| bit == 1)
    }

    /// The two bits of an entry of a mod-3 table, see [`Encoding::Mod3`]; `None` past the end.
    #[inline]
    #[must_use]
    pub fn mod3_code(&self, entry: u64) -> Option<u8> {
        Encoding::Mod3.read(self.payload(), entry)
    }

    /// Whether the stored bits of an entry are those of `value`; `None` means an unreachable entry.
    #[must_use]
    pub fn entry_matches(&self, entry: u64, value: Option<u8>) -> bool {
        let encoding = self.header.encoding;
        encoding.read(self.payload(), entry) == Some(encoding.stored(value))
    }

    /// The value h of an entry of a one-bit table, found by a [`Descent`]. `None` if the descent
    /// does not reach the goal, because the table is damaged or the entry is unreachable. Time:
    /// O(h).
    #[must_use]
    pub fn value_by_descent(
        &self,
        ranking: &Ranking,
        reindex: &Reindex,
        row: usize,
        rank: u32,
    ) -> Option<u8> {
        let start = EntryPosition::of(ranking, row, rank);
        Descent::new(self, ranking, reindex, start).finish().value()
    }

    /// The same table over other storage, which must contain the same bytes.
    #[must_use]
    pub fn map_data<E: AsRef<[u8]>>(self, wrap: impl FnOnce(D) -> E) -> Table<E> {
        Table {
            header: self.header,
            data: wrap(self.data),
        }
    }
}

/// The bytes of a table in any storage. Clones share the bytes.
#[derive(Clone)]
pub struct SharedBytes(Arc<dyn AsRef<[u8]> + Send + Sync>);

/// A table whose clones share its bytes.
pub type SharedTable = Table<SharedBytes>;

impl AsRef<[u8]> for SharedBytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.as_ref().len();
        f.debug_struct("SharedBytes")
            .field("length", &length)
            .finish()
    }
}

impl<D: AsRef<[u8]> + Send + Sync + 'static> Table<D> {
    /// The same table with shared bytes.
    #[must_use]
    pub fn shared(self) -> SharedTable {
        self.map_data(|bytes| SharedBytes(Arc::new(bytes)))
    }
}
