//! One part of a sweep that is divided among processes, with everything but the network.
//!
//! Each part owns the rows of the shapes that the [`Deal`] gives it. A level of the sweep has three
//! pieces of work, in any order and as finely cut as the caller likes:
//!
//! - [`PartSweep::pull`] brings the frontiers of own rows into own rows;
//! - [`PartSweep::send`] makes blocks of bytes of the own rows that have neighbours in other parts;
//! - [`PartSweep::receive`] takes the blocks of other parts and pushes them into own rows at once,
//!   so that rows of others are never stored.
//!
//! When all three are done in all parts the level is done. The rows of a level's frontier and those
//! that it finds have different colours, so within a level nothing that is read is written.
//!
//! Rows, kernel and checkpoints are those of [`sweep`](crate::sweep::move_sweep). A row's frontier is settled
//! when the row is first written again, two levels later: by a pull, or by what another part sends.

use std::io::{self, Read, Write};

use pdb_table::{Encoding, Header, Histogram};
use puzzle::{TableId, TableKind};

use crate::parts::part_graph::PartGraph;
use crate::parts::row_code::{RowCode, take_row};
use crate::parts::shape_partition::Deal;
use crate::payload::{BitRows, in_order};
use crate::sweep::buffers::Buffers;
use crate::sweep::kernel::{Level, RowSizes, Scratch, Sources, read_frontier};
use crate::sweep::move_sweep::{MoveSources, settle_last, settles_to_one};
use crate::sweep::recorder::PlanesAlone;
use crate::sweep::scatter::{Both, Scatter, Word};
use crate::sweep::sweep_state::{HalfState, Halves};
use crate::sweep::zeroed_pages::ZeroedPages;

/// Why a table cannot be swept in parts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// Only tables of one bit an entry are.
    #[error(
        "{kind} tables are not built in parts, only {} ones of one bit an entry: use pdb-gen",
        TableKind::ZeroAware
    )]
    Kind {
        /// The table's kind.
        kind: TableKind,
    },
}

/// A block that no other part of the same sweep can have sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a block of part {from} at level {level} is damaged")]
pub struct BlockError {
    /// The part that the block was said to come from.
    pub from: usize,
    /// The level that is being swept.
    pub level: u8,
}

/// What was sent, over all levels.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Rows that went as bits. A row that goes to two parts counts twice.
    pub as_bits: u64,
    /// Rows that went as positions.
    pub as_positions: u64,
    /// Bytes of all blocks.
    pub bytes: u64,
}

/// Own rows, and moves into them from own rows.
struct PartSources<'a> {
    moves: MoveSources<'a>,
    /// By row: the level at which other parts have last brought something.
    received: &'a [u8],
    level: u8,
}

impl Sources for PartSources<'_> {
    fn group_start(&self, group: usize) -> usize {
        self.moves.group_start(group)
    }

    fn number(&self, row: usize) -> usize {
        self.moves.number(row)
    }

    #[inline]
    fn gather(&self, row: usize, target: &mut [Word], scratch: &mut Scratch) -> bool {
        self.moves.gather(row, target, scratch)
    }

    #[inline]
    fn is_written(&self, row: usize) -> bool {
        self.received[row] == self.level
    }
}

/// Bytes from which on a block is sent.
const BLOCK: usize = 64 << 10;
/// More than a row's number takes, and what its sender puts behind a block.
const ROOM: usize = 32;

/// The part of a sweep of a one-bit table that one process has.
pub struct PartSweep {
    id: TableId,
    deal: Deal,
    part: usize,
    graph: PartGraph,
    scatter: Scatter,
    sizes: RowSizes,
    rows: [Buffers<u8>; 2],
    /// By row: the level at which other parts have last brought something; 0 if they never have.
    received_at: [ZeroedPages<u8>; 2],
    /// The level that is being swept, or was last.
    level: u8,
    /// Entries found at it.
    new: u64,
    /// Groups of own rows of the level that are pulled, and own rows of the level before that are
    /// sent.
    pulled: usize,
    sent: usize,
    /// By part: the block that is being made, and the number of its last row.
    blocks: Vec<(Vec<u8>, u32)>,
    code: RowCode,
    /// A row that goes to other parts or comes from there, what it brings into one of ours, and
    /// what the scatter needs.
    row: Vec<Word>,
    incoming: Vec<Word>,
    between: Vec<Word>,
    sums: Sent,
}

impl PartSweep {
    /// Makes everything ready for level 0: the rows, and the goal in its part.
    ///
    /// # Errors
    /// [`PartError`].
    pub fn new(id: TableId, parts: usize, part: usize) -> Result<Self, PartError> {
        let kind = id.kind();
        if kind != TableKind::ZeroAware {
            return Err(PartError::Kind { kind });
        }
        let deal = Deal::new(id.tray(), id.tiles().len(), parts);
        let graph = PartGraph::new(id, &deal, part);
        let ranking = &graph.ranking;
        let sizes = RowSizes::new(ranking, &PlanesAlone);
        let scatter = Scatter::new(ranking.tiles(), ranking.tray().width() - 1);
        let row = || vec![0; sizes.words];
        let mut sweep = PartSweep {
            id,
            part,
            rows: new_rows(&graph, sizes),
            received_at: no_levels(&graph),
            blocks: vec![(Vec::new(), 0); deal.parts()],
            deal,
            scatter,
            sizes,
            level: 0,
            new: 0,
            pulled: 0,
            sent: 0,
            code: RowCode::default(),
            row: row(),
            incoming: row(),
            between: row(),
            sums: Sent::default(),
            graph,
        };
        if let (half, Some(goal)) = sweep.graph.goal {
            let own = &sweep.graph.halves[half].own;
            let place = (goal, own.group_of(goal), own.rows()[goal] as usize);
            // Only comparisons with a table fail.
            let _ = sweep.rows[half].start(&PlanesAlone, place);
            sweep.new = 1;
        }
        Ok(sweep)
    }

    /// The table.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.id
    }

    /// How the shapes are dealt out.
    #[must_use]
    pub fn deal(&self) -> &Deal {
        &self.deal
    }

    /// The level that is being swept, or was last.
    #[must_use]
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Entries of this part that the level has found: all of them when own rows are pulled and all
    /// blocks are received.
    #[must_use]
    pub fn new_entries(&self) -> u64 {
        self.new
    }

    /// Entries of the table.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.graph.ranking.entries()
    }

    /// Entries of this part.
    #[must_use]
    pub fn own_entries(&self) -> u64 {
        let rows: usize = self
            .graph
            .halves
            .iter()
            .map(|half| half.own.rows().len())
            .sum();
        rows as u64 * self.graph.ranking.row_entries() as u64
    }

    /// What was sent so far.
    #[must_use]
    pub fn sums(&self) -> Sent {
        self.sums
    }

    /// Begins the next level. The last one must be done in all parts.
    pub fn begin_level(&mut self) {
        self.level += 1;
        (self.new, self.pulled, self.sent) = (0, 0, 0);
    }

    /// The half whose rows the level writes.
    fn written(&self) -> usize {
        (self.graph.goal.0 + usize::from(self.level)) % 2
    }

    /// Brings the frontiers of own rows into some more own rows, on all threads; returns whether
    /// there are more. `words` is about how many words of a plane to go through.
    pub fn pull(&mut self, words: usize) -> bool {
        let written = self.written();
        let [first, second] = &mut self.rows;
        let (to, from) = match written {
            0 => (first, second),
            _ => (second, first),
        };
        let own = &self.graph.halves[written].own;
        let rows = own.group_start(self.pulled);
        let count = (words / self.sizes.words).max(1);
        let end = own.group_of((rows + count).min(own.rows().len()).max(1) - 1) + 1;
        let end = end.min(own.groups());
        let level = Level {
            level: self.level,
            settles_to_one: settles_to_one(self.level),
            sources: &PartSources {
                moves: MoveSources::new(own, &self.scatter, from),
                received: &self.received_at[written],
                level: self.level,
            },
            recorder: &PlanesAlone,
        };
        let groups = self.pulled..end;
        let slices = to.slices_of(groups.clone(), rows..own.group_start(end));
        // Only comparisons with a table fail.
        self.new += level.run(groups, slices).unwrap_or(0);
        self.pulled = end;
        end < own.groups()
    }

    /// Makes blocks of some more own rows for other parts, and hands full ones to `send` with the
    /// number of the part. Returns whether there are more. `words` is about how many words of a
    /// plane to go through.
    pub fn send(&mut self, words: usize, send: &mut impl FnMut(usize, Vec<u8>)) -> bool {
        let source = 1 - self.written();
        let (half, planes) = (&self.graph.halves[source], &self.rows[source]);
        let entries = self.graph.ranking.row_entries();
        let mut left = (words / self.sizes.words).max(1);
        while self.sent < half.own.rows().len() && left > 0 {
            let row = self.sent;
            self.sent += 1;
            let (set, to) = (planes.state[row].frontier, half.destinations(row));
            if set == 0 || to.is_empty() {
                continue;
            }
            left -= 1;
            let bits = row * self.sizes.words..(row + 1) * self.sizes.words;
            let (ones, zeros) = (&planes.ones[bits.clone()], &planes.zeros[bits]);
            read_frontier(ones, zeros, &mut self.row);
            self.code.encode(&self.row, entries, set);
            for destination in to {
                let part = destination.part as usize;
                let (block, last) = &mut self.blocks[part];
                if block.is_empty() {
                    // With some room for whoever sends it.
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
        if self.sent < half.own.rows().len() {
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

    /// The most bytes that a block has.
    #[must_use]
    pub fn longest_block(&self) -> usize {
        BLOCK + self.graph.ranking.row_entries().div_ceil(8) + ROOM
    }

    /// Takes a block of another part.
    ///
    /// # Errors
    /// [`BlockError`]; the sweep cannot go on then.
    pub fn receive(&mut self, from: usize, block: &[u8]) -> Result<(), BlockError> {
        let damaged = BlockError {
            from,
            level: self.level,
        };
        let written = self.written();
        let half = &self.graph.halves[written];
        let arrivals = half.arrivals.get(from).ok_or(damaged)?;
        let entries = self.graph.ranking.row_entries();
        let pulled = half.own.group_start(self.pulled);
        let received_at = &mut self.received_at[written];
        let rows = &mut self.rows[written];
        let (&level, mut rest) = block.split_first().ok_or(damaged)?;
        if level != self.level {
            return Err(damaged);
        }
        let mut number = 0_usize;
        while !rest.is_empty() {
            let row = take_row(&mut rest, entries, &mut self.row);
            let (step, set) = row.ok_or(damaged)?;
            number += step as usize;
            for edge in arrivals.edges(number).ok_or(damaged)? {
                let index = edge.row();
                let mut target = rows.row(index);
                if target.state.visited == self.sizes.entries {
                    continue;
                }
                self.incoming.fill(0);
                // A plane by itself is what both have.
                let row = Both(&self.row, &self.row);
                let (pair, between) = (edge.positions(), &mut self.between);
                let incoming = &mut self.incoming;
                self.scatter.or_into(pair, row, set, incoming, between);
                let is_written = index < pulled || received_at[index] == level;
                received_at[index] = level;
                let new = target.add(is_written, settles_to_one(level), incoming);
                self.new += u64::from(new);
            }
        }
        Ok(())
    }

    /// Settles the last frontiers: for when a level has found nothing in any part.
    pub fn finish(&mut self) {
        let other = 1 - self.written();
        let (own, rows) = (&self.graph.halves[other].own, &mut self.rows[other]);
        // Only comparisons with a table fail.
        let _ = settle_last(self.level, own, rows, &PlanesAlone);
    }

    /// Visits the part's bytes of the finished table's payload, in the order of the file: how many
    /// bytes of it come before, and a row.
    ///
    /// # Errors
    /// Those of `visit`.
    pub fn each_row<E>(&self, mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>) -> Result<(), E> {
        let bits = self.graph.ranking.row_entries();
        let set = |half: usize| {
            let numbers = self.graph.halves[half].own.rows();
            (numbers, bytemuck::cast_slice(&self.rows[half].ones))
        };
        let mut rows = BitRows::default();
        // Rows that do not end on bytes are all one part's.
        let mut joined = Vec::new();
        for (_, number, row) in in_order([set(0), set(1)]) {
            let bytes = rows.next(row, bits);
            match bits % 8 {
                0 => visit(u64::from(number) * (bits / 8) as u64, bytes)?,
                _ => joined.extend_from_slice(bytes),
            }
        }
        joined.extend_from_slice(rows.end().as_ref());
        match joined.is_empty() {
            true => Ok(()),
            false => visit(0, &joined),
        }
    }

    /// The header of the finished table.
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

    /// Bytes that [`Self::save`] writes.
    #[must_use]
    pub fn saved_bytes(&mut self) -> u64 {
        let halves = self.states();
        let states: usize = halves.iter().map(|half| half.states().len()).sum();
        states as u64 + halves.iter().map(HalfState::bytes).sum::<u64>()
    }

    /// Writes everything that a later process needs to go on from here, between two levels: as
    /// checkpoints of builds in one process have it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn save(&mut self, to: &mut dyn Write) -> io::Result<()> {
        for half in &mut self.states() {
            to.write_all(half.states())?;
            half.each_piece(|piece| to.write_all(piece))?;
        }
        Ok(())
    }

    /// Reads what [`Self::save`] has written after this level; returns how many entries the part
    /// had found. After an error the sweep can only be restored again.
    ///
    /// # Errors
    /// Those of the reader, and [`io::ErrorKind::InvalidData`].
    pub fn restore(&mut self, level: u8, mut from: &mut dyn Read) -> io::Result<u64> {
        self.level = level;
        self.received_at = no_levels(&self.graph);
        self.rows = new_rows(&self.graph, self.sizes);
        let mut found = 0;
        for half in &mut self.states() {
            half.read_states(&mut from)?;
            half.each_piece(|piece| from.read_exact(piece))?;
            if !half.has_its_entries() {
                return Err(io::ErrorKind::InvalidData.into());
            }
            found += half.visited_entries();
        }
        Ok(found)
    }

    fn states(&mut self) -> Halves<'_> {
        let [first, second] = &mut self.rows;
        [(0, first), (1, second)].map(|(half, rows): (usize, _)| HalfState {
            half: &self.graph.halves[half].own,
            rows: rows.byte_slices(),
        })
    }
}

/// A level for each row, at first 0.
fn no_levels(graph: &PartGraph) -> [ZeroedPages<u8>; 2] {
    [0, 1].map(|half: usize| ZeroedPages::zeros(graph.halves[half].own.rows().len()))
}

/// Rows without entries.
fn new_rows(graph: &PartGraph, sizes: RowSizes) -> [Buffers<u8>; 2] {
    [0, 1].map(|half: usize| {
        let own = &graph.halves[half].own;
        Buffers::new(sizes, own.rows().len(), own.groups())
    })
}

impl std::fmt::Debug for PartSweep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartSweep")
            .field("id", &self.id)
            .field("parts", &self.deal.parts())
            .field("part", &self.part)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}
