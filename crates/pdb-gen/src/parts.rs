//! A sweep divided among processes, without the network.
//!
//! The [`ShapePartition`] assigns shapes to parts; each part owns the rows of its shapes. A level
//! consists of three tasks, which the caller may split and interleave in any order:
//!
//! - [`PartSweep::pull`] moves the frontiers of the part's rows into neighbouring rows of the part;
//! - [`PartSweep::send`] encodes the part's rows that have neighbours in other parts as blocks of
//!   bytes;
//! - [`PartSweep::receive`] decodes a block of another part directly into the part's rows. Rows of
//!   other parts are never stored.
//!
//! A level is finished when all parts have finished all three tasks. The rows that a level reads
//! and those that it writes have different colours, so within a level no row is both read and
//! written.
//!
//! A row's frontier is settled two levels later, just before a pull or a received block writes the
//! row again.

mod row_code;
mod shape_partition;

use std::io::{self, Read, Write};

use pdb_table::{Encoding, Header, Histogram};
use puzzle::{TableId, TableKind};

use crate::build::each_row;
use crate::sweep::buffers::ZeroedPages;
use crate::sweep::kernel::read_frontier;
use crate::sweep::move_sweep::{MoveSweep, settles_to_one};
use crate::sweep::recorder::PlanesAlone;
use crate::sweep::row_graph::ColourClass;
use crate::sweep::scatter::{PlanePair, Word};
use crate::sweep::sweep_state::SweepState;
use row_code::{RowCode, take_row};
use shape_partition::PartGraph;
pub use shape_partition::ShapePartition;

/// Error of [`PartSweep::new`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// Only one-bit zero-aware tables are built in parts.
    #[error(
        "{kind} tables cannot be built in parts, only one-bit {} tables: use pdb-gen",
        TableKind::ZeroAware
    )]
    Kind {
        /// The table's kind.
        kind: TableKind,
    },
}

/// Error of [`PartSweep::receive`]: the block is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a block of part {from} at level {level} is damaged")]
pub struct BlockError {
    /// Sender of the block, according to the caller.
    pub from: usize,
    /// The current level.
    pub level: u8,
}

/// Amounts of data sent, over all levels.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Rows sent as bits. A row sent to two parts counts twice.
    pub as_bits: u64,
    /// Rows sent as positions.
    pub as_positions: u64,
    /// Bytes of all blocks sent.
    pub bytes: u64,
}

/// A block is sent as soon as it has this length, in bytes.
const BLOCK: usize = 64 << 10;
/// Spare bytes of a block: for a row's number and for data that the caller appends.
const ROOM: usize = 32;

/// One process's part of a sweep of a one-bit table.
pub struct PartSweep {
    id: TableId,
    shape_partition: ShapePartition,
    part: usize,
    graph: PartGraph,
    sweep: MoveSweep<u8>,
    /// For each row, the last level at which a block of another part reached the row; 0 if no block
    /// has reached it.
    received_at: [ZeroedPages<u8>; 2],
    /// The current level; between levels, the last finished one.
    level: u8,
    /// Number of entries found at this level.
    new: u64,
    /// Number of groups of this part's rows that were pulled at this level.
    pulled: usize,
    /// Number of this part's rows that `send` has processed at this level. All these rows are in
    /// the colour class that this level only reads.
    sent: usize,
    /// For each other part, the unfinished block and the number of the row that was last appended
    /// to it.
    blocks: Vec<(Vec<u8>, u32)>,
    code: RowCode,
    /// Temporary row: the row being sent or received.
    row: Vec<Word>,
    /// Temporary row: the entries that a move from the received row reaches in one of this part's
    /// rows.
    incoming: Vec<Word>,
    /// Temporary row for the scatter's intermediate result.
    between: Vec<Word>,
    sums: Sent,
}

impl PartSweep {
    /// Allocates the part's rows. If the goal's row is in this part, sets the goal's entry, which
    /// is the only entry of level 0.
    ///
    /// # Errors
    /// [`PartError`].
    pub fn new(id: TableId, parts: usize, part: usize) -> Result<Self, PartError> {
        let kind = id.kind();
        if kind != TableKind::ZeroAware {
            return Err(PartError::Kind { kind });
        }
        let shape_partition = ShapePartition::new(id.tray(), id.tiles().len(), parts);
        let graph = PartGraph::new(id, &shape_partition, part);
        let sweep = MoveSweep::new(&graph.own, &PlanesAlone);
        let row = || vec![0; sweep.halves[0].sizes.words];
        let mut part_sweep = PartSweep {
            id,
            part,
            received_at: no_levels(&graph),
            blocks: vec![(Vec::new(), 0); shape_partition.parts()],
            shape_partition,
            level: 0,
            new: graph.own.goal.index.map_or(0, |_| 1),
            pulled: 0,
            sent: 0,
            code: RowCode::default(),
            row: row(),
            incoming: row(),
            between: row(),
            sums: Sent::default(),
            sweep,
            graph,
        };
        let PartSweep { sweep, graph, .. } = &mut part_sweep;
        // This cannot fail: only recorders that compare entries with a table return errors.
        let _ = sweep.start(&graph.own, &PlanesAlone);
        Ok(part_sweep)
    }

    /// Identity of the table.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.id
    }

    /// Assignment of the shapes to the parts.
    #[must_use]
    pub fn shape_partition(&self) -> &ShapePartition {
        &self.shape_partition
    }

    /// The current level; between levels, the last finished one.
    #[must_use]
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Number of entries that the level has found in this part so far. The number is final when all
    /// rows of the part are pulled and all blocks are received.
    #[must_use]
    pub fn new_entries(&self) -> u64 {
        self.new
    }

    /// Number of entries of the table.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.graph.own.ranking.entries()
    }

    /// Number of entries of this part.
    #[must_use]
    pub fn own_entries(&self) -> u64 {
        let rows = self.graph.own.halves.iter().map(|half| half.rows().len());
        rows.sum::<usize>() as u64 * self.graph.own.ranking.row_entries() as u64
    }

    /// Amounts of data sent so far.
    #[must_use]
    pub fn sums(&self) -> Sent {
        self.sums
    }

    /// Begins the next level. All parts must have finished the previous one.
    pub fn begin_level(&mut self) {
        self.level += 1;
        (self.new, self.pulled, self.sent) = (0, 0, 0);
    }

    /// Pulls the next rows of this part: moves the frontiers of neighbouring rows of this part into
    /// these rows. Uses all threads. Processes rows of about `words` words in total. Returns
    /// whether rows remain.
    pub fn pull(&mut self, words: usize) -> bool {
        let written = self.graph.own.written_half(self.level);
        let own = &self.graph.own.halves[written];
        let received = &self.received_at[written];
        let (sources, target) = self.sweep.level(&self.graph.own, self.level, received);
        let rows = own.group_start(self.pulled);
        let count = (words / target.sizes.words).max(1);
        let end = own.group_of((rows + count).min(own.rows().len()).max(1) - 1) + 1;
        let end = end.min(own.groups());
        let groups = self.pulled..end;
        let slices = target.slices_of(groups.clone(), rows..own.group_start(end));
        // This cannot fail: only recorders that compare entries with a table return errors.
        self.new += sources.task(&PlanesAlone).run(groups, slices).unwrap_or(0);
        self.pulled = end;
        end < own.groups()
    }

    /// Encodes the next rows of this part as blocks for other parts. Passes each full block to
    /// `send`, with the number of the part that must receive it. Processes rows of about `words`
    /// words in total. Returns whether rows remain.
    pub fn send(&mut self, words: usize, send: &mut impl FnMut(usize, Vec<u8>)) -> bool {
        let source = self.graph.own.written_half(self.level + 1);
        let (links, planes) = (&self.graph.links[source], &self.sweep.halves[source]);
        let rows = planes.state.len();
        let row_words = planes.sizes.words;
        let entries = self.graph.own.ranking.row_entries();
        let mut left = (words / row_words).max(1);
        while self.sent < rows && left > 0 {
            let row = self.sent;
            self.sent += 1;
            let (set, to) = (planes.state[row].frontier, links.destinations(row));
            if set == 0 || to.is_empty() {
                continue;
            }
            left -= 1;
            let bits = row * row_words..(row + 1) * row_words;
            let (ones, zeros) = (&planes.ones[bits.clone()], &planes.zeros[bits]);
            read_frontier(ones, zeros, &mut self.row);
            self.code.encode(&self.row, entries, set);
            for destination in to {
                let part = destination.part as usize;
                let (block, last) = &mut self.blocks[part];
                if block.is_empty() {
                    // Reserve space for the whole block, including the bytes that the caller
                    // appends.
                    block.reserve(BLOCK + entries.div_ceil(8) + ROOM);
                    block.push(self.level);
                    *last = 0;
                }
                self.code.append(destination.number - *last, block);
                *last = destination.number;
                match self.code.is_positions {
                    true => self.sums.as_positions += 1,
                    false => self.sums.as_bits += 1,
                }
                if block.len() >= BLOCK {
                    self.sums.bytes += block.len() as u64;
                    send(part, std::mem::take(block));
                }
            }
        }
        if self.sent < rows {
            return true;
        }
        for (part, (block, _)) in self.blocks.iter_mut().enumerate() {
            if !block.is_empty() {
                self.sums.bytes += block.len() as u64;
                send(part, std::mem::take(block));
            }
        }
        false
    }

    /// Maximum length of a block, in bytes.
    #[must_use]
    pub fn longest_block(&self) -> usize {
        BLOCK + self.graph.own.ranking.row_entries().div_ceil(8) + ROOM
    }

    /// Adds the entries of a block of another part.
    ///
    /// # Errors
    /// [`BlockError`]; the sweep cannot continue.
    pub fn receive(&mut self, from: usize, block: &[u8]) -> Result<(), BlockError> {
        let damaged = BlockError {
            from,
            level: self.level,
        };
        let written = self.graph.own.written_half(self.level);
        let arrivals = self.graph.links[written].arrivals.get(from);
        let arrivals = arrivals.ok_or(damaged)?;
        let entries = self.graph.own.ranking.row_entries();
        let pulled = self.graph.own.halves[written].group_start(self.pulled);
        let received_at = &mut self.received_at[written];
        let MoveSweep { scatter, halves } = &mut self.sweep;
        let rows = &mut halves[written];
        let (&level, mut rest) = block.split_first().ok_or(damaged)?;
        if level != self.level {
            return Err(damaged);
        }
        let mut number = 0_usize;
        while !rest.is_empty() {
            let row = take_row(&mut rest, entries, &mut self.row);
            let (step, set) = row.ok_or(damaged)?;
            number += step as usize;
            for edge in arrivals.get(number).ok_or(damaged)? {
                let index = edge.row();
                let mut target = rows.row(index);
                if target.state.visited as usize == entries {
                    continue;
                }
                self.incoming.fill(0);
                // A pair is read as the AND of its two planes. Here both planes are the received
                // row.
                let row = PlanePair(&self.row, &self.row);
                let (pair, between) = (edge.positions(), &mut self.between);
                let incoming = &mut self.incoming;
                scatter.or_into(pair, row, set, incoming, between);
                let is_written = index < pulled || received_at[index] == level;
                received_at[index] = level;
                let new = target.add(is_written, settles_to_one(level), incoming);
                self.new += u64::from(new);
            }
        }
        Ok(())
    }

    /// Settles the last frontiers. Must be called after the level in which no part found an entry.
    pub fn finish(&mut self) {
        // This cannot fail: only recorders that compare entries with a table return errors.
        let _ = self
            .sweep
            .settle_last(&self.graph.own, self.level, &PlanesAlone);
    }

    /// Visits this part's rows of the finished table's payload in file order. `visit` receives the
    /// byte offset and the bytes of each row.
    ///
    /// # Errors
    /// Errors of `visit`.
    pub fn each_row<E>(&self, visit: impl FnMut(u64, &[u8]) -> Result<(), E>) -> Result<(), E> {
        let bits = self.graph.own.ranking.row_entries();
        let set = |half: usize| {
            let numbers = self.graph.own.halves[half].rows();
            (numbers, bytemuck::cast_slice(&self.sweep.halves[half].ones))
        };
        each_row([set(0), set(1)], bits, visit)
    }

    /// Header of the finished table.
    #[must_use]
    pub fn header(&self, histogram: &Histogram, payload_sha256: [u8; 32]) -> Header {
        Header {
            id: self.id,
            encoding: Encoding::OneBit,
            entries: self.entries(),
            histogram: histogram.clone(),
            payload_sha256,
        }
    }

    /// Number of bytes that [`Self::save`] writes.
    #[must_use]
    pub fn saved_bytes(&mut self) -> u64 {
        self.state().saved_bytes()
    }

    /// Writes the state between two levels. A later process can resume from this state. Checkpoints
    /// of builds in one process store the state in the same layout.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn save(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.state().save(|piece| to.write_all(piece))
    }

    /// Restores the state that [`Self::save`] wrote after `level`; returns the number of entries
    /// that the part had found. After an error the sweep is unusable until another `restore`.
    ///
    /// # Errors
    /// Errors of the reader, and [`io::ErrorKind::InvalidData`].
    pub fn restore(&mut self, level: u8, from: &mut dyn Read) -> io::Result<u64> {
        self.level = level;
        self.received_at = no_levels(&self.graph);
        self.sweep = MoveSweep::new(&self.graph.own, &PlanesAlone);
        self.state().restore(|piece| from.read_exact(piece))
    }

    fn state(&mut self) -> SweepState<'_> {
        self.sweep.state(&self.graph.own)
    }
}

/// Initial value of `received_at`: 0 for each row of the part.
fn no_levels(graph: &PartGraph) -> [ZeroedPages<u8>; 2] {
    let levels = |half: &ColourClass| ZeroedPages::zeros(half.rows().len());
    graph.own.halves.each_ref().map(levels)
}

impl std::fmt::Debug for PartSweep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartSweep")
            .field("id", &self.id)
            .field("parts", &self.shape_partition.parts())
            .field("part", &self.part)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}
