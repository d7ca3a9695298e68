//! Headers of table files: one page with the table's identity, and the length and SHA-256 of its
//! payload.
//!
//! `docs/format.md` documents the layout. The tests check every byte.

use puzzle::{CellSet, TableId, TableKind, Tray, binomial, factorial};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::encoding::{Encoding, UNREACHABLE};

/// First bytes of every table file: a byte that is not text (its high bit is set), letters, and
/// line ends, which a text-mode copy would change.
const MAGIC: [u8; 8] = *b"\x89PDB\r\n\x1a\n";
/// Version of files for trays of up to 25 cells.
pub const FORMAT_VERSION: u32 = 1;
/// Newest version, for trays of more than 25 cells. Each mask of cells has a second field, for the
/// mask's high 32 bits.
pub const LARGE_FORMAT_VERSION: u32 = 2;
/// Largest number of cells of trays in [`FORMAT_VERSION`].
const SMALL_CELLS: usize = 25;
/// Length of the header in bytes: one page, so that a mapped payload is page-aligned.
pub const HEADER_LENGTH: usize = 4096;
/// Length of a SHA-256 in bytes. The header's own SHA-256 is its last field.
pub(crate) const SUM_LENGTH: usize = 32;
const SUM_START: usize = HEADER_LENGTH - SUM_LENGTH;
/// Number that identifies the order of rows and entries. There is only one order: shapes by
/// colexicographic rank, blank classes by first cell, permutations by Lehmer rank.
const ROW_ORDER: u8 = 1;

/// Error for bytes that are not a valid table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The file is not a table file.
    #[error("not a pattern database: the first bytes are not those of a .pdb file")]
    NotATable,
    /// A text-mode copy changed the line ends.
    #[error(
        "the file was copied in text mode, which changes its bytes: copy it again in binary mode"
    )]
    TextModeCopy,
    /// The file is shorter than a header.
    #[error("the file is cut short: {0} bytes, but the header alone has {HEADER_LENGTH}")]
    CutShort(u64),
    /// A version that this code does not support.
    #[error(
        "format version {found}, but this program reads versions up to {newest}: update it, or rebuild the table"
    )]
    Version {
        /// Version of the file.
        found: u32,
        /// Newest supported version.
        newest: u32,
    },
    /// The header does not match its SHA-256.
    #[error("the header is damaged: its SHA-256 does not match")]
    HeaderSum,
    /// A field has an impossible value.
    #[error("invalid header: impossible {0}")]
    Field(&'static str),
    /// The file's length differs from the length in its header.
    #[error("the file has {found} bytes, but its header implies {expected}")]
    Length {
        /// Bytes of the file.
        found: u64,
        /// Bytes that the header implies.
        expected: u64,
    },
    /// The payload does not match its SHA-256.
    #[error("the payload is damaged: its SHA-256 does not match the header's")]
    PayloadSum,
    /// The goal's entry is not 0.
    #[error("the payload is wrong: the goal's entry is not 0")]
    Goal,
    /// The table has more entries than an index of this machine can represent.
    #[error("the table has {0} entries, more than this machine can index")]
    TooLarge(u64),
    /// The padding of a one-bit or mod-3 payload is not zero.
    #[error("the payload is damaged: the bits after the last entry are not 0")]
    PaddingBits,
    /// The payload's values do not match the histogram.
    #[error("the payload is damaged: its values are not those of the header's histogram")]
    Histogram,
    /// The number of entries does not match the table's rows.
    #[error("invalid header: {found} entries, but this table must have {expected}")]
    Entries {
        /// Entries in the header.
        found: u64,
        /// Entries of a table with this tray, kind and number of tiles.
        expected: u64,
    },
    /// A valid table, but not the expected one.
    #[error("the file holds {found}, but {expected} was expected here")]
    WrongTable {
        /// The table in the file, or its encoding.
        found: String,
        /// The expected table or encoding.
        expected: String,
    },
    /// The zstd frame is damaged, or is too short to contain a table of the size in its header.
    #[error("the compressed file is damaged: {0}")]
    Compressed(String),
}

/// The first fields of table files and packed files: the identity of the table.
#[derive(Serialize, Deserialize)]
pub(crate) struct Prefix {
    pub(crate) magic: [u8; 8],
    pub(crate) version: u32,
    pub(crate) header_length: u32,
    width: u8,
    height: u8,
    kind: u8,
    encoding: u8,
    row_order: u8,
    /// Method of a packed file; zeros in a table file.
    pub(crate) method: [u8; 3],
    /// The low halves of the masks of cells. [`MaskHalves`] contains the high halves.
    tiles: u32,
    blank: u32,
    pub(crate) entries: u64,
}

/// The high halves of the masks of cells, 0 on trays of up to 32 cells. In files of version 1,
/// these bytes of the header are 0.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct MaskHalves {
    tiles: u32,
    blank: u32,
}

impl MaskHalves {
    pub(crate) fn new(id: TableId) -> Self {
        let high = |set: CellSet| (set.bits() >> 32) as u32;
        MaskHalves {
            tiles: high(id.tiles()),
            blank: high(id.blank()),
        }
    }
}

/// Version of table files and packed files for this tray.
pub(crate) fn format_version(tray: Tray) -> u32 {
    match tray.cells() <= SMALL_CELLS {
        true => FORMAT_VERSION,
        false => LARGE_FORMAT_VERSION,
    }
}

impl Prefix {
    /// The first fields of a file for this table.
    pub(crate) fn new(magic: [u8; 8], header_length: usize, table: &Header) -> Self {
        let id = table.id;
        let kind = TableKind::ALL.iter().position(|&kind| kind == id.kind());
        Prefix {
            magic,
            version: format_version(id.tray()),
            header_length: header_length as u32,
            width: id.tray().width() as u8,
            height: id.tray().height() as u8,
            kind: kind.unwrap_or(0) as u8,
            encoding: table.encoding as u8,
            row_order: ROW_ORDER,
            method: [0; 3],
            tiles: id.tiles().bits() as u32,
            blank: id.blank().bits() as u32,
            entries: table.entries,
        }
    }

    /// The table's identity and encoding; checks both.
    pub(crate) fn table(&self, high: MaskHalves) -> Result<(TableId, Encoding), TableError> {
        if self.row_order != ROW_ORDER {
            return Err(TableError::Field("row order"));
        }
        let kind = TableKind::ALL.get(usize::from(self.kind)).copied();
        let kind = kind.ok_or(TableError::Field("kind"))?;
        let encoding = Encoding::ALL.get(usize::from(self.encoding)).copied();
        let encoding = encoding
            .filter(|encoding| encoding.suits(kind))
            .ok_or(TableError::Field("encoding"))?;
        let tray = Tray::new(usize::from(self.width), usize::from(self.height))
            .map_err(|_| TableError::Field("size"))?;
        if self.version != format_version(tray) {
            return Err(TableError::Field("version for this size"));
        }
        let cells =
            |low: u32, high: u32| CellSet::from_bits(u64::from(high) << 32 | u64::from(low));
        let (tiles, blank) = (cells(self.tiles, high.tiles), cells(self.blank, high.blank));
        let id = TableId::new(tray, kind, tiles, blank);
        Ok((id.ok_or(TableError::Field("tiles and blank"))?, encoding))
    }
}

/// The header's fields in file order, written by bincode as fixed-width little-endian integers.
#[derive(Serialize, Deserialize)]
struct HeaderFields {
    prefix: Prefix,
    reached: u64,
    payload_length: u64,
    max: u32,
    reserved: u32,
    /// The 256 counts of the histogram.
    histogram: [[u64; 8]; 32],
    payload_sha256: SumField,
    high: MaskHalves,
}

/// A SHA-256 in short arrays: serde's code for one array of 32 bytes adds 7 kB to the WebAssembly
/// module.
pub(crate) type SumField = [[u8; 8]; SUM_LENGTH / 8];

/// Splits a SHA-256 into short arrays.
pub(crate) fn sum_field(sum: &[u8; SUM_LENGTH]) -> SumField {
    let mut written = SumField::default();
    written.as_flattened_mut().copy_from_slice(sum);
    written
}

/// Joins the pieces of a SHA-256 field into one array.
pub(crate) fn read_sum(written: &SumField) -> [u8; SUM_LENGTH] {
    let mut sum = [0; SUM_LENGTH];
    sum.copy_from_slice(written.as_flattened());
    sum
}

/// Bincode's configuration for fields of at most `LENGTH` bytes.
pub(crate) fn layout<const LENGTH: usize>() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_fixed_int_encoding()
        .with_little_endian()
        .with_limit::<LENGTH>()
}

/// Number of entries per value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram {
    counts: Box<[u64; 256]>,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram {
            counts: Box::new([0; 256]),
        }
    }
}

impl Histogram {
    /// Counts the bytes of a `u8` payload, except those of unreachable entries.
    #[must_use]
    pub fn count(bytes: &[u8]) -> Self {
        // Four histograms are used in turn, because neighbouring bytes are often equal: repeated
        // additions to the same number would stall.
        let mut counts = [[0_u64; 256]; 4];
        let fours = bytes.chunks_exact(4);
        for &byte in fours.remainder() {
            counts[0][usize::from(byte)] += 1;
        }
        for four in fours {
            for (counts, &byte) in counts.iter_mut().zip(four) {
                counts[usize::from(byte)] += 1;
            }
        }
        let mut histogram = Histogram::default();
        for counts in counts {
            for (sum, count) in histogram.counts.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        histogram.counts[usize::from(UNREACHABLE)] = 0;
        histogram
    }

    /// Adds `entries` entries with this value.
    pub fn add(&mut self, value: u8, entries: u64) {
        self.counts[usize::from(value)] += entries;
    }

    /// Number of entries for each value, from 0 to the largest value.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts[..=usize::from(self.max())]
    }

    /// The largest value.
    #[must_use]
    pub fn max(&self) -> u8 {
        let last = self.counts.iter().rposition(|&count| count > 0);
        last.unwrap_or(0) as u8
    }

    /// Number of entries counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &n| sum.saturating_add(n))
    }
}

/// The header of a table file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Identity of the table.
    pub id: TableId,
    /// Encoding of the entries.
    pub encoding: Encoding,
    /// Number of entries.
    pub entries: u64,
    /// Histogram of the values of reachable entries.
    pub histogram: Histogram,
    /// SHA-256 of the payload.
    pub payload_sha256: [u8; 32],
}

impl Header {
    /// The header of a `u8` table with this payload.
    #[must_use]
    pub fn of_bytes(id: TableId, payload: &[u8]) -> Self {
        Header {
            id,
            encoding: Encoding::U8,
            entries: payload.len() as u64,
            histogram: Histogram::count(payload),
            payload_sha256: Sha256::digest(payload).into(),
        }
    }

    /// Number of reachable entries.
    #[must_use]
    pub fn reached(&self) -> u64 {
        self.histogram.total()
    }

    /// Length of the payload, in bytes.
    #[must_use]
    pub fn payload_length(&self) -> u64 {
        self.encoding.payload_length(self.entries)
    }

    /// Checks the length of the whole file.
    pub(crate) fn check_length(&self, found: u64) -> Result<(), TableError> {
        let expected = HEADER_LENGTH as u64 + self.payload_length();
        match found == expected {
            true => Ok(()),
            false => Err(TableError::Length { found, expected }),
        }
    }

    /// Checks that the number of entries matches the table's rows. Time: O(shapes).
    pub(crate) fn check_entries(&self) -> Result<(), TableError> {
        self.expect_entries(self.id.entries())
    }

    pub(crate) fn expect_entries(&self, expected: u64) -> Result<(), TableError> {
        let found = self.entries;
        if found != expected {
            return Err(TableError::Entries { found, expected });
        }
        usize::try_from(found).map_or(Err(TableError::TooLarge(found)), |_| Ok(()))
    }

    /// Version of the file: [`FORMAT_VERSION`] or [`LARGE_FORMAT_VERSION`], depending on the tray.
    #[must_use]
    pub fn version(&self) -> u32 {
        format_version(self.id.tray())
    }

    /// The encoded header page, including its SHA-256.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut histogram = [[0; 8]; 32];
        (histogram.as_flattened_mut()).copy_from_slice(&self.histogram.counts[..]);
        let fields = HeaderFields {
            prefix: Prefix::new(MAGIC, HEADER_LENGTH, self),
            reached: self.reached(),
            payload_length: self.payload_length(),
            max: u32::from(self.histogram.max()),
            reserved: 0,
            histogram,
            payload_sha256: sum_field(&self.payload_sha256),
            high: MaskHalves::new(self.id),
        };
        let mut page = vec![0; HEADER_LENGTH];
        // The fields have a fixed size smaller than the page, so encoding cannot fail.
        let to = &mut page[..SUM_START];
        let _ = bincode::serde::encode_into_slice(fields, to, layout::<SUM_START>());
        let sum = Sha256::digest(&page[..SUM_START]);
        page[SUM_START..].copy_from_slice(&sum);
        page
    }

    /// Reads and checks a header. A valid header determines the file's length.
    pub fn decode(bytes: &[u8]) -> Result<Self, TableError> {
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if start != MAGIC {
            return Err(if bytes.is_empty() {
                TableError::Empty
            } else if bytes.starts_with(b"\x89PDB\n") || bytes.starts_with(b"\x89PDB\r\r") {
                TableError::TextModeCopy
            } else if MAGIC.starts_with(start) {
                TableError::CutShort(bytes.len() as u64)
            } else {
                TableError::NotATable
            });
        }
        let page = bytes.get(..HEADER_LENGTH);
        let page = page.ok_or(TableError::CutShort(bytes.len() as u64))?;
        if Sha256::digest(&page[..SUM_START])[..] != page[SUM_START..] {
            return Err(TableError::HeaderSum);
        }
        let fields = &page[..SUM_START];
        let (fields, _): (HeaderFields, _) =
            bincode::serde::decode_from_slice(fields, layout::<SUM_START>())
                .map_err(|_| TableError::Field("layout"))?;
        let (found, newest) = (fields.prefix.version, LARGE_FORMAT_VERSION);
        if !(FORMAT_VERSION..=newest).contains(&found) {
            return Err(TableError::Version { found, newest });
        }
        Header::from_fields(&fields, page)
    }

    fn from_fields(fields: &HeaderFields, page: &[u8]) -> Result<Self, TableError> {
        let check = |holds: bool, field| holds.then_some(()).ok_or(TableError::Field(field));
        let prefix = &fields.prefix;
        let is_page = prefix.header_length as usize == HEADER_LENGTH;
        check(is_page, "header length")?;
        let (id, encoding) = prefix.table(fields.high)?;
        let (tiles, cells) = (id.tiles().len(), id.tray().cells());
        // The ranking counts the rows exactly, but it is built later. This check ensures that the
        // ranking will not be much larger than the file.
        let row = u64::from(factorial(tiles));
        let shapes = binomial(cells, tiles);
        let rows = prefix.entries / row;
        // No table has 2^32 rows or more.
        let max_rows = (shapes * (cells - tiles) as u64).min(u32::MAX.into());
        let has_rows = prefix.entries % row == 0 && (shapes..=max_rows).contains(&rows);
        check(has_rows, "entries")?;
        let mut histogram = Histogram::default();
        (histogram.counts).copy_from_slice(fields.histogram.as_flattened());
        check(histogram.counts[usize::from(UNREACHABLE)] == 0, "histogram")?;
        check(histogram.total() == fields.reached, "histogram")?;
        let is_reached = (1..=prefix.entries).contains(&fields.reached);
        check(is_reached, "reached entries")?;
        check(u32::from(histogram.max()) == fields.max, "largest value")?;
        let payload_length = encoding.payload_length(prefix.entries);
        check(fields.payload_length == payload_length, "payload length")?;
        let header = Header {
            id,
            encoding,
            entries: prefix.entries,
            histogram,
            payload_sha256: read_sum(&fields.payload_sha256),
        };
        // All other bytes must be zero, so that each table has exactly one valid header.
        check(header.encode() == page, "reserved bytes")?;
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::{Cell, Pattern};

    fn example() -> (Header, Vec<u8>) {
        let tray = Tray::new(3, 2).unwrap();
        let pattern = Pattern::new(tray, CellSet::from_bits(0b01_0010), Cell::new(0)).unwrap();
        let (id, _) = pattern.table(TableKind::BlankCompressed);
        let payload: Vec<u8> = (0..30).map(|e| e % 7).collect();
        (Header::of_bytes(id, &payload), payload)
    }

    #[test]
    fn every_byte_of_the_layout_is_pinned() {
        let (header, payload) = example();
        let page = header.encode();
        let mut expected = vec![0; HEADER_LENGTH];
        expected[..8].copy_from_slice(&[0x89, b'P', b'D', b'B', 13, 10, 26, 10]);
        expected[8] = 1; // version
        expected[12..14].copy_from_slice(&[0, 16]); // header length, 4096
        // width, height, kind, encoding, row order
        expected[16..21].copy_from_slice(&[3, 2, 1, 0, 1]);
        expected[24] = header.id.tiles().bits() as u8;
        expected[28] = header.id.blank().bits() as u8;
        expected[32] = 30; // entries
        expected[40] = 30; // reached
        expected[48] = 30; // payload length
        expected[56] = 6; // largest value
        for value in 0..7 {
            expected[64 + 8 * value] = if value < 2 { 5 } else { 4 };
        }
        expected[2112..2144].copy_from_slice(&Sha256::digest(&payload));
        let sum = Sha256::digest(&expected[..4064]);
        expected[4064..].copy_from_slice(&sum);
        assert_eq!(page, expected);
        assert_eq!(Header::decode(&page), Ok(header));
    }

    /// A table of two tiles on 8x8. The goal cell of one tile is the second-to-last cell.
    fn large_example() -> Header {
        let tray = Tray::new(8, 8).unwrap();
        let tiles = [27, 62].map(Cell::new).into_iter().collect();
        let blank = CellSet::all(tray).difference(tiles);
        let id = TableId::new(tray, TableKind::ZeroAware, tiles, blank).unwrap();
        // One row per shape, but two for the four shapes that cut off a corner.
        Header::of_bytes(id, &[1; 2 * (2016 + 4)])
    }

    #[test]
    fn masks_of_large_trays_have_high_halves() {
        let header = large_example();
        header.check_entries().unwrap();
        let page = header.encode();
        assert_eq!((page[8], header.version()), (2, LARGE_FORMAT_VERSION));
        let mask = |at: usize| u32::from_le_bytes(page[at..at + 4].try_into().unwrap());
        assert_eq!((mask(24), mask(2144)), (1 << 27, 1 << 30));
        assert_eq!((mask(28), mask(2148)), (!(1 << 27), !(1 << 30)));
        assert_eq!(Header::decode(&page), Ok(header));
        // Version 1 is valid only for trays of up to 25 cells, version 2 only for larger trays.
        for (page, version) in [(page, 1), (example().0.encode(), 2)] {
            let mut page = page;
            page[8] = version;
            let sum = Sha256::digest(&page[..SUM_START]);
            page[SUM_START..].copy_from_slice(&sum);
            let error = Header::decode(&page).unwrap_err();
            assert_eq!(error, TableError::Field("version for this size"));
        }
    }

    #[test]
    fn no_byte_of_a_header_can_change() {
        for header in [example().0, large_example()] {
            check_every_byte(&header);
        }
    }

    fn check_every_byte(header: &Header) {
        let page = header.encode();
        for at in 0..page.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = page.clone();
                damaged[at] ^= flip;
                assert!(Header::decode(&damaged).is_err(), "byte {at}");
            }
        }
    }

    #[test]
    fn wrong_fields_are_rejected_even_with_a_correct_checksum() {
        let (header, _) = example();
        // Each field in turn gets an impossible value; the checksum is correct.
        let wrong = [
            (8, 2, "version for this size"),
            (8, 3, "version"),
            (12, 1, "header length"),
            (16, 0, "size"),
            (16, 21, "size"),
            (17, 1, "tiles and blank"),
            (18, 4, "kind"),
            (19, 1, "encoding"),
            (19, 2, "encoding"),
            (19, 3, "encoding"),
            (20, 0, "row order"),
            (21, 1, "reserved bytes"),
            (24, 0, "tiles and blank"),
            (24, 0x7f, "tiles and blank"),
            (28, 0, "tiles and blank"),
            (32, 31, "entries"),
            (32, 0, "entries"),
            (39, 255, "entries"),
            (40, 29, "histogram"),
            (48, 29, "payload length"),
            (56, 7, "largest value"),
            (60, 1, "reserved bytes"),
            (64, 6, "histogram"),
            (64 + 7, 255, "histogram"),
            (3000, 1, "reserved bytes"),
        ];
        for (at, byte, field) in wrong {
            let mut page = header.encode();
            page[at] = byte;
            let sum = Sha256::digest(&page[..SUM_START]);
            page[SUM_START..].copy_from_slice(&sum);
            let error = Header::decode(&page).unwrap_err();
            assert!(error.to_string().contains(field), "byte {at}: {error}");
        }
    }

    #[test]
    fn numbers_of_entries_are_bounded_by_the_shapes() {
        // Two tiles on six cells occupy 15 shapes, so a table has 15 to 60 rows of two entries
        // each.
        let decoded = |entries: u64, reached: u64| {
            let mut header = example().0;
            header.entries = entries;
            header.histogram = Histogram::default();
            header.histogram.add(3, reached);
            Header::decode(&header.encode()).map(|found| found == header)
        };
        for entries in [30, 32, 118, 120] {
            assert_eq!(decoded(entries, 1), Ok(true), "{entries}");
            assert_eq!(decoded(entries, entries), Ok(true), "{entries}");
            let none = decoded(entries, 0);
            assert_eq!(none, Err(TableError::Field("reached entries")));
            assert_eq!(decoded(entries, entries + 1), none);
        }
        for entries in [0, 28, 29, 31, 33, 119, 121, 122, u64::MAX] {
            let refused = Err(TableError::Field("entries"));
            assert_eq!(decoded(entries, 1), refused, "{entries}");
        }
    }
}
