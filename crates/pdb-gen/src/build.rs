//! Builds a table in memory.

use std::fmt;
use std::io::{self, Write};

use pdb_table::{Code, Control, Encoding, Header, Histogram, Table, codes};
use puzzle::{Metric, TableId, TableKind, factorial};
use sha2::{Digest, Sha256};

use crate::event::BuildEvent;
use crate::parallel::map_range;
use crate::sweep::buffers::{Buffers, ZeroedPages};
use crate::sweep::kernel::Recorder;
use crate::sweep::move_sweep::{Stop, sweep};
use crate::sweep::multi_sweep::{BlankGraph, multi_sweep};
use crate::sweep::recorder::{Bytes, Codes, Minimum, PlanesAlone};
use crate::sweep::row_graph::RowGraph;
use crate::sweep::sweep_state::{CheckpointError, StateSaver};

/// Error of [`build`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The build was cancelled.
    #[error("interrupted")]
    Cancelled {
        /// The level at which the build was cancelled and its state was saved; a later build
        /// resumes from this level. `None` if the state was not saved.
        saved: Option<u8>,
    },
    /// The checkpoint is not usable.
    #[error(transparent)]
    Checkpoint(CheckpointError),
    /// Tables of this kind cannot be stored in this encoding.
    #[error("{kind} tables cannot be encoded as {encoding}: use {}", Encoding::default_for(*kind))]
    Encoding {
        /// The table's kind.
        kind: TableKind,
        /// The requested encoding.
        encoding: Encoding,
    },
    /// A distance is above 254.
    #[error("the table has distances above 254, which no encoding can store")]
    TooFar,
}

codes! { BuildError { BuildError::Cancelled { .. } => Code::Cancelled, _ => Code::Input } }

/// A finished table in memory, before its rows are joined into a payload.
pub struct Built {
    id: TableId,
    encoding: Encoding,
    histogram: Histogram,
    parts: Vec<RowSet>,
}

/// Records of one colour class, or of all rows in the multi-tile metric.
struct RowSet {
    /// Number of each row in the table, ascending.
    numbers: Vec<u32>,
    /// Records, row by row. Each row is padded to whole elements of the recorder.
    recorded: ZeroedPages<u8>,
}

/// Builds a table. Time and memory are roughly proportional to the number of entries: see
/// [`Forecast`](crate::Forecast). Each level is reported to `control`, which can cancel the build
/// after any level.
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

/// Builds a table; `saver` saves the state of the sweep. Sweeps in the multi-tile metric are never
/// saved, because even the largest useful tables take only seconds to build.
pub(crate) fn build_saving(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
    saver: &mut (dyn StateSaver + Send),
) -> Result<Built, BuildError> {
    if !encoding.suits(id.kind()) {
        let kind = id.kind();
        return Err(BuildError::Encoding { kind, encoding });
    }
    let (histogram, parts) = match id.kind().metric() {
        Metric::Single => sweep_single(id, encoding, control, saver)?,
        Metric::Multi => sweep_multi(id, encoding, control)?,
    };
    #[cfg(feature = "file")]
    check_found(id, &histogram)?;
    Ok(Built {
        id,
        encoding,
        histogram,
        parts,
    })
}

/// Checks that the number of entries found is between 1 and the table's number of entries. Other
/// numbers are possible only if the sweep resumed from a checkpoint whose counts contradict its
/// planes.
#[cfg(feature = "file")]
fn check_found(id: TableId, histogram: &Histogram) -> Result<(), BuildError> {
    let entries = id.entries();
    let found = histogram.total();
    if (1..=entries).contains(&found) {
        return Ok(());
    }
    let name = id.name();
    let line = format!("the checkpoint of {name} produces {found} of {entries} entries");
    Err(BuildError::Checkpoint(CheckpointError::Unusable(line)))
}

fn sweep_single(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
    saver: &mut (dyn StateSaver + Send),
) -> Result<(Histogram, Vec<RowSet>), Stop> {
    let graph = RowGraph::new(id);
    let entries = graph.ranking.row_entries();
    let (mut histogram, recorded) = match encoding {
        _ if id.kind().is_minimum() => record(&graph, &Minimum { entries }, control, saver)?,
        Encoding::OneBit => record(&graph, &PlanesAlone, control, saver)?,
        _ => record(&graph, &Bytes { entries }, control, saver)?,
    };
    if id.kind().is_minimum() {
        // The sweep has counted the entries of zero-aware rows. The table has fewer entries,
        // because its values are minima over these rows. Its histogram is counted from the recorded
        // bytes.
        histogram = Histogram::default();
        let count = |bytes: &[u8]| {
            let mut counts = [0; 256];
            bytes
                .iter()
                .for_each(|&byte| counts[usize::from(byte)] += 1);
            counts
        };
        for half in &recorded {
            let pieces: Vec<&[u8]> = half.chunks(1 << 20).collect();
            for counts in map_range(0..pieces.len(), &|piece| count(pieces[piece])) {
                for (value, &count) in (0..u8::MAX).zip(&counts[1..]) {
                    histogram.add(value, count);
                }
            }
        }
    }
    let parts = graph.into_numbers(id.kind()).into_iter().zip(recorded);
    let parts = parts.map(|(numbers, recorded)| RowSet { numbers, recorded });
    Ok((histogram, parts.collect()))
}

/// Runs the sweep; returns the histogram and the records of each colour class.
fn record<R: Recorder>(
    graph: &RowGraph,
    recorder: &R,
    control: &Control<BuildEvent>,
    saver: &mut (dyn StateSaver + Send),
) -> Result<(Histogram, [ZeroedPages<u8>; 2]), Stop> {
    let (histogram, swept) = sweep(graph, recorder, control, saver)?;
    Ok((histogram, swept.halves.map(Buffers::into_recorded)))
}

fn sweep_multi(
    id: TableId,
    encoding: Encoding,
    control: &Control<BuildEvent>,
) -> Result<(Histogram, Vec<RowSet>), Stop> {
    let graph = BlankGraph::new(id);
    let entries = graph.ranking.row_entries();
    let (histogram, recorded) = match encoding {
        Encoding::U8 => multi_sweep(&graph, &Bytes { entries }, control)?,
        _ => multi_sweep(&graph, &Codes { entries }, control)?,
    };
    let numbers = (0..graph.ranking.rows() as u32).collect();
    Ok((histogram, vec![RowSet { numbers, recorded }]))
}

impl From<Stop> for BuildError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::TooFar => BuildError::TooFar,
            Stop::Restore(error) => BuildError::Checkpoint(error),
            Stop::Cancelled { saved } => BuildError::Cancelled { saved },
            // Only recorders that compare entries with a table find mismatches, and builds do not
            // use them.
            Stop::Mismatch(_) => BuildError::Cancelled { saved: None },
        }
    }
}

impl Built {
    /// Identity of the table.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.id
    }

    /// Writes the payload in file order.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_payload(&self, to: &mut dyn Write) -> io::Result<()> {
        self.each_piece(|piece| to.write_all(piece))
    }

    /// Visits the payload piece by piece in file order.
    pub(crate) fn each_piece<E>(
        &self,
        mut visit: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.encoding != Encoding::U8 {
            let entries = factorial(self.id.tiles().len()) as usize;
            let bits = entries * self.encoding.entry_bits() as usize;
            return each_row(self.row_sets(), bits, |_, row| visit(row));
        }
        let mut values = Vec::new();
        self.rows_in_order().try_for_each(|(_, _, row)| {
            // A record is the distance plus 1. The record 0 (not found) becomes 255.
            values.clear();
            values.extend(row.iter().map(|found| found.wrapping_sub(1)));
            visit(&values)
        })
    }

    /// Iterates over the rows in file order. Each item contains an index in `parts`, the row's
    /// number, and the row's records.
    pub(crate) fn rows_in_order(&self) -> impl Iterator<Item = (usize, u32, &[u8])> {
        in_order(self.row_sets())
    }

    fn row_sets(&self) -> RowSets<'_> {
        [0, 1].map(|part| {
            let part = self.parts.get(part);
            part.map_or((&[][..], &[][..]), |part| (&*part.numbers, &*part.recorded))
        })
    }

    /// Header of the table, for a payload with this SHA-256.
    #[must_use]
    pub fn header(&self, payload_sha256: [u8; 32]) -> Header {
        Header {
            id: self.id,
            encoding: self.encoding,
            entries: self.id.entries(),
            histogram: self.histogram.clone(),
            payload_sha256,
        }
    }

    /// Encodes the table in memory, as an uncompressed table file.
    #[must_use]
    #[expect(
        clippy::missing_panics_doc,
        reason = "an encoded header always decodes"
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

    /// Writes the table file atomically.
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

/// Two sets of rows. Each set consists of the row numbers, ascending, and the bytes of the rows.
/// All rows of a set have the same length.
pub(crate) type RowSets<'a> = [(&'a [u32], &'a [u8]); 2];

/// Iterates over the rows by ascending number. Each item contains the index of the row's set, the
/// row's number, and the row's bytes.
pub(crate) fn in_order(sets: RowSets<'_>) -> impl Iterator<Item = (usize, u32, &[u8])> {
    let mut sets = sets.map(|(numbers, bytes)| {
        let length = bytes.len() / numbers.len().max(1);
        numbers.iter().zip(bytes.chunks(length.max(1))).peekable()
    });
    std::iter::from_fn(move || {
        let next = sets.iter_mut().enumerate();
        let next = next.filter_map(|(set, rows)| Some((*rows.peek()?.0, set)));
        let (number, set) = next.min()?;
        Some((set, number, sets[set].next()?.1))
    })
}

/// Visits the payload in file order. `bits` is the number of bits per row. If it is a multiple of
/// 8, `visit` receives the byte offset and the bytes of each row. Otherwise, rows have at most 12
/// bits, `sets` must contain all rows of the table, and `visit` receives the whole payload at once.
pub(crate) fn each_row<E>(
    sets: RowSets<'_>,
    bits: usize,
    mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut rows = in_order(sets);
    if bits % 8 == 0 {
        let bytes = bits / 8;
        return rows.try_for_each(|(_, number, row)| {
            visit(u64::from(number) * bytes as u64, &row[..bytes])
        });
    }
    let mut joined = Vec::new();
    let (mut carried, mut length) = (0_u32, 0);
    for (_, _, row) in rows {
        let row = u32::from(u16::from_le_bytes([row[0], row[1]]));
        carried |= (row & ((1 << bits) - 1)) << length;
        length += bits;
        while length >= 8 {
            joined.push(carried as u8);
            (carried, length) = (carried >> 8, length - 8);
        }
    }
    if length > 0 {
        joined.push(carried as u8);
    }
    match joined.is_empty() {
        true => Ok(()),
        false => visit(0, &joined),
    }
}

#[cfg(test)]
#[cfg(feature = "file")]
mod tests {
    use puzzle::Cell;

    use super::*;

    /// A table of 24 entries.
    fn small() -> TableId {
        let tiles = [0, 1].map(Cell::new).into_iter().collect();
        let blank = [3].map(Cell::new).into_iter().collect();
        TableId::new("2x2".parse().unwrap(), TableKind::FullCost, tiles, blank).unwrap()
    }

    #[test]
    fn the_number_of_entries_found_is_checked() {
        let found = |count: u64| {
            let mut histogram = Histogram::default();
            histogram.add(3, count);
            check_found(small(), &histogram).map_err(|error| error.to_string())
        };
        assert!(found(1).is_ok() && found(24).is_ok());
        for count in [0, 25] {
            let line = found(count).unwrap_err();
            assert!(
                line.contains(&format!("produces {count} of 24 entries")),
                "{line}"
            );
        }
    }
}
