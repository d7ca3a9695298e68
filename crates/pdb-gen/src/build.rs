//! From a table's identity to its bytes.

use std::fmt;
use std::io::{self, Write};

use bitvec::prelude::{BitVec, Lsb0};
use bitvec::view::BitView as _;
use pdb_table::{Control, Encoding, Header, Histogram, Table};
use puzzle::{Metric, Ranking, TableId, TableKind};
use sha2::{Digest, Sha256};

use crate::buffers::Recorded;
use crate::event::BuildEvent;
use crate::kernel::row_words;
use crate::multi_sweep::{BlankGraph, multi_sweep};
use crate::recorder::{Bytes, Codes, Minimum, OneBit};
use crate::row_graph::{ColourClass, RowGraph, is_minimum};
use crate::scatter::Word;
use crate::state_saver::{CheckpointError, StateSaver};
use crate::sweep::{Stop, sweep};
use crate::zeroed_pages::ZeroedPages;

/// Why a table was not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The build was cancelled.
    #[error("interrupted")]
    Cancelled {
        /// The level from which the build can go on, if it was saved.
        saved: Option<u8>,
    },
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(CheckpointError),
    /// The encoding cannot hold tables of this kind.
    #[error("{kind} tables cannot be encoded as {encoding}: use {}", Encoding::default_for(*kind))]
    Encoding {
        /// The table's kind.
        kind: TableKind,
        /// The encoding asked for.
        encoding: Encoding,
    },
    /// A distance does not fit a byte.
    #[error("distances above 254 occur, which no encoding holds")]
    TooFar,
}

/// A finished table in memory, not yet laid end to end.
pub struct Built {
    id: TableId,
    encoding: Encoding,
    histogram: Histogram,
    entries: Entries,
}

/// What a recorder recorded, by colour class.
type Halves<K> = [Recorded<K>; 2];

enum Entries {
    Bits(RowGraph, Halves<Word>),
    Bytes(RowGraph, Halves<u8>),
    /// Of the multi-tile metric, row by row.
    MultiCodes(Ranking, ZeroedPages<u16>),
    MultiBytes(Ranking, ZeroedPages<u8>),
}

/// Builds a table. Time and memory are about proportional to the entries swept: see
/// [`Forecast`](crate::Forecast). Levels are reported to `control`, which can stop the build after
/// each.
///
/// # Errors
/// [`BuildError`].
pub fn build(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
) -> Result<Built, BuildError> {
    build_saving(id, encoding, control, &mut ())
}

/// Builds a table, and has the state of the sweep saved. In the multi-tile metric it is never
/// saved: the largest tables that are of use take seconds.
pub(crate) fn build_saving(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
    saver: &mut dyn StateSaver,
) -> Result<Built, BuildError> {
    if !encoding.suits(id.kind()) {
        let kind = id.kind();
        return Err(BuildError::Encoding { kind, encoding });
    }
    let (histogram, entries) = match id.kind().metric() {
        Metric::Single => sweep_single(id, encoding, control, saver)?,
        Metric::Multi => sweep_multi(id, encoding, control)?,
    };
    Ok(Built {
        id,
        encoding,
        histogram,
        entries,
    })
}

fn sweep_single(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
    saver: &mut dyn StateSaver,
) -> Result<(Histogram, Entries), Stop> {
    let graph = RowGraph::new(id);
    let entries = graph.ranking().row_entries();
    if is_minimum(id.kind()) {
        let swept = sweep(&graph, &Minimum { entries }, control, saver)?;
        let halves = swept.halves.map(|half| half.recorded);
        // Entries are fewer than those found in rows: count what was recorded.
        let mut histogram = Histogram::default();
        for half in &halves {
            let counts = count_bytes(&half.by_group);
            for (value, &count) in (0..u8::MAX).zip(&counts[1..]) {
                histogram.add(value, count);
            }
        }
        return Ok((histogram, Entries::Bytes(graph, halves)));
    }
    if encoding == Encoding::OneBit {
        let words = row_words(graph.ranking());
        let swept = sweep(&graph, &OneBit { words }, control, saver)?;
        let halves = swept.halves.map(|half| half.recorded);
        return Ok((swept.histogram, Entries::Bits(graph, halves)));
    }
    let swept = sweep(&graph, &Bytes { entries }, control, saver)?;
    let halves = swept.halves.map(|half| half.recorded);
    Ok((swept.histogram, Entries::Bytes(graph, halves)))
}

fn sweep_multi(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
) -> Result<(Histogram, Entries), Stop> {
    let graph = BlankGraph::new(id);
    let entries = graph.ranking().row_entries();
    if encoding == Encoding::U8 {
        let (histogram, bytes) = multi_sweep(&graph, &Bytes { entries }, control)?;
        return Ok((histogram, Entries::MultiBytes(graph.into_ranking(), bytes)));
    }
    let (histogram, codes) = multi_sweep(&graph, &Codes { entries }, control)?;
    Ok((histogram, Entries::MultiCodes(graph.into_ranking(), codes)))
}

/// Bytes that are written at once.
const WRITTEN_AT_ONCE: usize = 1 << 16;

/// Writes recorded bytes as values: they are one more than the distance; 0, not found, becomes 255.
fn write_values(recorded: &[u8], values: &mut Vec<u8>, to: &mut dyn Write) -> io::Result<()> {
    values.clear();
    values.extend(recorded.iter().map(|found| found.wrapping_sub(1)));
    to.write_all(values)
}

/// Writes rows of codes, which begin on elements in memory and lie end to end in the file.
fn write_codes(row_entries: usize, codes: &[u16], to: &mut dyn Write) -> io::Result<()> {
    if row_entries % 8 == 0 {
        // Elements are little-endian like the rows' words, see scatter.rs.
        let bytes: &[u8] = bytemuck::cast_slice(codes);
        return to.write_all(bytes);
    }
    // Up to three tiles a row is one element.
    let mut packed: BitVec<u8, Lsb0> = BitVec::new();
    for row in codes {
        packed.extend_from_bitslice(&row.to_le_bytes().view_bits::<Lsb0>()[..2 * row_entries]);
    }
    packed.set_uninitialized(false);
    to.write_all(packed.as_raw_slice())
}

/// How often each byte occurs, counted in parallel halves.
fn count_bytes(bytes: &[u8]) -> [u64; 256] {
    /// Bytes that one task counts.
    const TASK: usize = 1 << 20;
    let mut counts = [0; 256];
    if bytes.len() > TASK {
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let (first, second) = crate::parallel::join(|| count_bytes(first), || count_bytes(second));
        for ((count, first), second) in counts.iter_mut().zip(first).zip(second) {
            *count = first + second;
        }
        return counts;
    }
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    counts
}

impl From<Stop> for BuildError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::TooFar => BuildError::TooFar,
            Stop::Restore(error) => BuildError::Checkpoint(error),
            Stop::Cancelled { saved } => BuildError::Cancelled { saved },
            // Recorders that record entries never find a mismatch.
            Stop::Mismatch(_) => BuildError::Cancelled { saved: None },
        }
    }
}

impl Built {
    /// What the table holds.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.id
    }

    /// Writes the payload in the order of the file.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_payload(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut values = Vec::new();
        match &self.entries {
            Entries::Bytes(graph, halves) => {
                let size = graph.ranking().row_entries();
                self.in_order(graph, |half, group, rows| {
                    let recorded = match is_minimum(self.id.kind()) {
                        true => &halves[half].by_group[group * size..][..size],
                        false => &halves[half].by_row[rows.start * size..rows.end * size],
                    };
                    write_values(recorded, &mut values, to)
                })
            }
            Entries::Bits(graph, halves) => self.write_bits(graph, halves, to),
            Entries::MultiBytes(_, recorded) => {
                for recorded in recorded.chunks(WRITTEN_AT_ONCE) {
                    write_values(recorded, &mut values, to)?;
                }
                Ok(())
            }
            Entries::MultiCodes(ranking, codes) => write_codes(ranking.row_entries(), codes, to),
        }
    }

    fn write_bits(
        &self,
        graph: &RowGraph,
        halves: &Halves<Word>,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let (words, bits) = (row_words(graph.ranking()), graph.ranking().row_entries());
        // Rows of fewer than four tiles do not end on bytes and are packed bit by bit.
        let mut packed: BitVec<u8, Lsb0> = BitVec::new();
        self.in_order(graph, |half, _, rows| {
            for index in rows {
                let row = &halves[half].by_row[index * words..][..words];
                let row: &[u8] = bytemuck::cast_slice(row);
                if bits % 8 == 0 {
                    to.write_all(&row[..bits / 8])?;
                } else {
                    packed.extend_from_bitslice(&row.view_bits::<Lsb0>()[..bits]);
                }
            }
            Ok(())
        })?;
        packed.set_uninitialized(false);
        to.write_all(packed.as_raw_slice())
    }

    /// Visits all groups in the order of the file: colour class, group, and the group's rows in the
    /// class. Where the blank's cell is part of an entry a shape's rows lie in both classes, so
    /// there each row is visited by itself.
    fn in_order(
        &self,
        graph: &RowGraph,
        mut visit: impl FnMut(usize, usize, std::ops::Range<usize>) -> io::Result<()>,
    ) -> io::Result<()> {
        let halves: [&ColourClass; 2] = [graph.half(0), graph.half(1)];
        let mut next = [0, 0];
        let mut group = [0, 0];
        while next[0] < halves[0].rows().len() || next[1] < halves[1].rows().len() {
            let row = |half: usize| halves[half].rows().get(next[half]);
            let half = match (row(0), row(1)) {
                (Some(first), Some(second)) => usize::from(second < first),
                (first, _) => usize::from(first.is_none()),
            };
            let start = next[half];
            let group_end = halves[half].group_start(group[half] + 1);
            let end = match self.id.kind().has_blank() {
                true => start + 1,
                false => group_end,
            };
            visit(half, group[half], start..end)?;
            next[half] = end;
            group[half] += usize::from(end == group_end);
        }
        Ok(())
    }

    /// The table's header, for a payload with this sum.
    #[must_use]
    pub fn header(&self, payload_sha256: [u8; 32]) -> Header {
        let ranking = match &self.entries {
            Entries::Bits(graph, _) | Entries::Bytes(graph, _) => graph.ranking(),
            Entries::MultiCodes(ranking, _) | Entries::MultiBytes(ranking, _) => ranking,
        };
        let entries = match is_minimum(self.id.kind()) {
            true => ranking.shapes().len() as u64 * ranking.row_entries() as u64,
            false => ranking.entries(),
        };
        Header {
            id: self.id,
            encoding: self.encoding,
            entries,
            histogram: self.histogram.clone(),
            payload_sha256,
        }
    }

    /// The table as the bytes of its file, in memory.
    #[must_use]
    #[expect(
        clippy::missing_panics_doc,
        reason = "only if the header's own checks were wrong"
    )]
    pub fn into_table(self) -> Table<Vec<u8>> {
        let length = pdb_table::HEADER_LENGTH as u64 + self.header([0; 32]).payload_length();
        let mut bytes = Vec::with_capacity(length as usize);
        bytes.resize(pdb_table::HEADER_LENGTH, 0);
        // Writing to memory does not fail.
        let _ = self.write_payload(&mut bytes);
        let sum = Sha256::digest(&bytes[pdb_table::HEADER_LENGTH..]);
        let header = self.header(sum.into()).encode();
        bytes[..header.len()].copy_from_slice(&header);
        #[expect(clippy::expect_used, reason = "a header just encoded decodes")]
        Table::new(bytes).expect("a built table is well-formed")
    }

    /// Writes the table's file, whole or not at all.
    ///
    /// # Errors
    /// [`pdb_table::FileError`] with the path.
    #[cfg(feature = "file")]
    pub fn write(
        &self,
        path: &std::path::Path,
        compression: pdb_table::Compression,
    ) -> Result<Header, pdb_table::FileError> {
        pdb_table::write_table(
            path,
            compression,
            |to| self.write_payload(to),
            |sum| self.header(sum),
        )
    }
}

impl fmt::Debug for Built {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Built")
            .field("id", &self.id)
            .field("encoding", &self.encoding)
            .finish_non_exhaustive()
    }
}
