//! From a table's identity to its bytes.

use std::io::{self, Write};

use bitvec::prelude::{BitVec, Lsb0};
use bitvec::view::BitView as _;
use pdb_table::{Control, Encoding, Header, Histogram, Table};
use puzzle::{Ranking, TableId, TableKind};
use sha2::{Digest, Sha256};

use crate::buffers::Recorded;
use crate::event::BuildEvent;
use crate::kernel::{Recorder, row_words};
use crate::multi_sweep::{BlankGraph, multi_sweep};
use crate::recorder::{Bytes, Codes, Minimum, OneBit};
use crate::row_graph::{ColourClass, RowGraph};
use crate::scatter::Word;
use crate::state_saver::{CheckpointError, StateSaver};
use crate::sweep::{Stop, sweep};
use crate::zeroed_pages::ZeroedPages;

/// Why a table was not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    values: Histogram,
    entries: Entries,
}

/// What a recorder kept of the rows' two halves.
type Halves<K> = [Recorded<K>; 2];

enum Entries {
    Bits(RowGraph, Halves<Word>),
    Bytes(RowGraph, Halves<u8>),
    /// Of the multi-tile metric, row by row.
    RunCodes(Ranking, ZeroedPages<u16>),
    RunBytes(Ranking, ZeroedPages<u8>),
}

/// Builds a table. Time and memory are about proportional to the entries swept: see
/// [`Forecast`](crate::Forecast).
///
/// # Errors
/// [`BuildError`].
pub fn build(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
) -> Result<Built, BuildError> {
    build_kept(id, encoding, control, &mut ())
}

/// Builds a table, and has the state of the sweep kept.
pub(crate) fn build_kept(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
    keeper: &mut dyn StateSaver,
) -> Result<Built, BuildError> {
    if !encoding.suits(id.kind()) {
        let kind = id.kind();
        return Err(BuildError::Encoding { kind, encoding });
    }
    if id.kind() == TableKind::MultiTile {
        return build_runs(id, encoding, control);
    }
    let graph = RowGraph::new(id);
    let entries = graph.ranking().row_entries();
    let words = row_words(graph.ranking());
    let (values, entries) = match (id.kind(), encoding) {
        (TableKind::BlankCompressed, _) => {
            let (_, kept) = run(&graph, &Minimum { entries }, control, keeper)?;
            // Entries are fewer than those found in rows: count what was kept.
            let mut values = Histogram::default();
            for half in &kept {
                let counts = count_bytes(&half.by_group);
                for (value, &count) in (0..u8::MAX).zip(&counts[1..]) {
                    values.add(value, count);
                }
            }
            (values, Entries::Bytes(graph, kept))
        }
        (_, Encoding::OneBit) => {
            let (values, kept) = run(&graph, &OneBit { words }, control, keeper)?;
            (values, Entries::Bits(graph, kept))
        }
        (_, Encoding::U8 | Encoding::Mod3) => {
            let (values, kept) = run(&graph, &Bytes { entries }, control, keeper)?;
            (values, Entries::Bytes(graph, kept))
        }
    };
    Ok(Built {
        id,
        encoding,
        values,
        entries,
    })
}

/// Builds a table in the multi-tile metric. It is never saved on the way: the largest that are of use take seconds.
fn build_runs(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
) -> Result<Built, BuildError> {
    let graph = BlankGraph::new(id);
    let entries = graph.ranking().row_entries();
    let (values, entries) = match encoding {
        Encoding::U8 => {
            let swept = multi_sweep(&graph, &Bytes { entries }, control);
            let (values, kept) = swept.map_err(BuildError::from)?;
            (values, Entries::RunBytes(graph.into_ranking(), kept))
        }
        _ => {
            let swept = multi_sweep(&graph, &Codes { entries }, control);
            let (values, kept) = swept.map_err(BuildError::from)?;
            (values, Entries::RunCodes(graph.into_ranking(), kept))
        }
    };
    Ok(Built {
        id,
        encoding,
        values,
        entries,
    })
}

/// Bytes that are written at once.
const WRITTEN_AT_ONCE: usize = 1 << 16;

/// Writes rows of codes, which begin on elements in memory and lie end to end in the file.
fn write_codes(row_entries: usize, kept: &[u16], to: &mut dyn Write) -> io::Result<()> {
    if row_entries % 8 == 0 {
        // Elements are little-endian like the rows' words, see scatter.rs.
        let bytes: &[u8] = bytemuck::cast_slice(kept);
        return to.write_all(bytes);
    }
    // Up to three tiles a row is one element.
    let mut packed: BitVec<u8, Lsb0> = BitVec::new();
    for row in kept {
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

fn run<R: Recorder>(
    graph: &RowGraph,
    recorder: &R,
    control: &Control<BuildEvent>,
    keeper: &mut dyn StateSaver,
) -> Result<(Histogram, Halves<R::Recorded>), BuildError> {
    let swept = sweep(graph, recorder, control, keeper)?;
    Ok((swept.histogram, swept.halves.map(|half| half.recorded)))
}

impl From<Stop> for BuildError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::TooFar => BuildError::TooFar,
            Stop::Restore(error) => BuildError::Checkpoint(error),
            Stop::Cancelled { saved } => BuildError::Cancelled { saved },
            // Recorders that keep entries never find a mismatch.
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
        match &self.entries {
            Entries::Bytes(graph, kept) => {
                let size = graph.ranking().row_entries();
                let mut values = Vec::new();
                self.in_order(graph, |half, group, rows| {
                    let found = match self.id.kind() {
                        TableKind::BlankCompressed => &kept[half].by_group[group * size..][..size],
                        _ => &kept[half].by_row[rows.start * size..rows.end * size],
                    };
                    // Recorded is one more than the distance; 0, not found, becomes 255.
                    values.clear();
                    values.extend(found.iter().map(|found| found.wrapping_sub(1)));
                    to.write_all(&values)
                })
            }
            Entries::Bits(graph, kept) => self.write_bits(graph, kept, to),
            Entries::RunBytes(_, kept) => {
                let mut values = Vec::new();
                for found in kept.chunks(WRITTEN_AT_ONCE) {
                    values.clear();
                    values.extend(found.iter().map(|found| found.wrapping_sub(1)));
                    to.write_all(&values)?;
                }
                Ok(())
            }
            Entries::RunCodes(ranking, kept) => write_codes(ranking.row_entries(), kept, to),
        }
    }

    fn write_bits(
        &self,
        graph: &RowGraph,
        kept: &Halves<Word>,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let (words, bits) = (row_words(graph.ranking()), graph.ranking().row_entries());
        // Rows of fewer than four tiles do not end on bytes and are packed bit by bit.
        let mut packed: BitVec<u8, Lsb0> = BitVec::new();
        self.in_order(graph, |half, _, rows| {
            for index in rows {
                let row = &kept[half].by_row[index * words..][..words];
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

    /// Visits all groups in the order of the file: half, group, and the group's rows in the half. In full-cost tables
    /// a shape's rows lie in both halves, so there each row is visited by itself.
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
            let end = match self.id.kind() {
                TableKind::FullCost => start + 1,
                _ => group_end,
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
            Entries::RunCodes(ranking, _) | Entries::RunBytes(ranking, _) => ranking,
        };
        let entries = match self.id.kind() {
            TableKind::BlankCompressed => {
                ranking.shapes().len() as u64 * ranking.row_entries() as u64
            }
            _ => ranking.entries(),
        };
        Header {
            id: self.id,
            encoding: self.encoding,
            entries,
            histogram: self.values.clone(),
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
        layer: pdb_table::Compression,
    ) -> Result<Header, pdb_table::FileError> {
        pdb_table::write_table(
            path,
            layer,
            |to| self.write_payload(to),
            |sum| self.header(sum),
        )
    }
}
