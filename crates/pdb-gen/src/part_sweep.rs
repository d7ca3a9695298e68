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
//! Rows have the two planes of bits of [`sweep`](crate::sweep). A row's frontier is settled when
//! the row is first written again, two levels later: by a pull, or by what another part sends.

use std::io::{self, Read, Write};
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use pdb_table::{Encoding, Header, Histogram};
use puzzle::{TableId, TableKind};

use crate::deal::Deal;
use crate::kernel::{read_frontier, row_words, settle, settle_and_add};
use crate::parallel::join;
use crate::part_graph::{PartGraph, PartHalf};
use crate::row_code::{RowCode, take_row};
use crate::scatter::{Both, Scatter, Word};
use crate::zeroed_pages::ZeroedPages;

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

/// What is known of a row.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct PartRow {
    /// Entries found so far.
    visited: u32,
    /// Entries in the frontier.
    frontier: u32,
    /// The level at which the row was last written: the distance of its frontier.
    level: u32,
    /// 1 if other parts have brought entries that are in the frontier but not counted yet.
    pushed: u32,
}

/// The planes of one colour class.
struct Planes {
    ones: ZeroedPages<Word>,
    zeros: ZeroedPages<Word>,
    state: ZeroedPages<PartRow>,
}

impl Planes {
    fn new(rows: usize, words: usize) -> Self {
        Planes {
            ones: ZeroedPages::zeros(rows * words),
            zeros: ZeroedPages::zeros(rows * words),
            state: ZeroedPages::zeros(rows),
        }
    }

    fn row(&mut self, index: usize, words: usize) -> Row<'_> {
        let bits = index * words..(index + 1) * words;
        Row {
            ones: &mut self.ones[bits.clone()],
            zeros: &mut self.zeros[bits],
            state: &mut self.state[index],
        }
    }
}

/// One row of [`Planes`].
struct Row<'a> {
    ones: &'a mut [Word],
    zeros: &'a mut [Word],
    state: &'a mut PartRow,
}

impl Row<'_> {
    /// The planes in the order in which the row's frontier is settled: the one that keeps it, and
    /// the one that it leaves.
    #[inline]
    fn by_frontier(&mut self) -> (&mut [Word], &mut [Word]) {
        match self.state.level & 2 != 0 {
            true => (self.ones, self.zeros),
            false => (self.zeros, self.ones),
        }
    }

    /// Settles the frontier of an earlier level.
    #[inline]
    fn settle(&mut self, level: u32) {
        if self.state.level == level {
            return;
        }
        if self.state.frontier > 0 {
            let (kept, cleared) = self.by_frontier();
            settle(kept, cleared);
            self.state.frontier = 0;
        }
        self.state.level = level;
    }

    /// Puts those of the entries that are unreached into the frontier of a level, and settles that
    /// of an earlier one. They are counted later, once for all that comes from other parts.
    /// `entries` is cleared.
    #[inline]
    fn push(&mut self, level: u32, entries: &mut [Word]) {
        if self.state.level != level {
            let (kept, cleared) = self.by_frontier();
            for ((kept, cleared), entries) in kept.iter_mut().zip(cleared).zip(entries) {
                let found = std::mem::take(entries) & !(*kept | *cleared);
                *cleared = *cleared & !*kept | found;
                *kept |= found;
            }
            (self.state.level, self.state.frontier) = (level, 0);
        } else {
            for ((ones, zeros), entries) in self.ones.iter_mut().zip(&mut *self.zeros).zip(entries)
            {
                let found = std::mem::take(entries) & !(*ones | *zeros);
                *ones |= found;
                *zeros |= found;
            }
        }
        self.state.pushed = 1;
    }

    /// The same for what comes from own rows; returns how many entries of the frontier were not
    /// counted before. `entries` is changed.
    #[inline]
    fn add(&mut self, level: u32, entries: &mut [Word]) -> u32 {
        if self.state.level == level {
            // Other parts were sooner.
            self.push(level, entries);
            return self.count();
        }
        let (kept, cleared) = self.by_frontier();
        let new = settle_and_add(kept, cleared, entries);
        (self.state.level, self.state.frontier) = (level, new);
        self.state.visited += new;
        new
    }

    /// Counts what other parts have brought; returns how many entries are new.
    #[inline]
    fn count(&mut self) -> u32 {
        if std::mem::take(&mut self.state.pushed) == 0 {
            return 0;
        }
        let planes = self.ones.iter().zip(&*self.zeros);
        let frontier = planes
            .map(|(ones, zeros)| (ones & zeros).count_ones())
            .sum();
        let new = frontier - self.state.frontier;
        self.state.frontier = frontier;
        self.state.visited += new;
        new
    }
}

/// Rows of bits that a task works with.
struct Scratch {
    /// The frontier of a row.
    source: Vec<Word>,
    /// What moves bring into a row. Zeros between two blocks, and between two rows of one.
    incoming: Vec<Word>,
    /// For [`Scatter::or_into`].
    between: Vec<Word>,
}

impl Scratch {
    fn new(words: usize) -> Self {
        let row = || vec![0; words];
        Scratch {
            source: row(),
            incoming: row(),
            between: row(),
        }
    }
}

/// Words of a plane that one task should have at least.
const TASK_WORDS: usize = 1 << 13;

/// Own rows into own rows: what is only read.
struct Pull<'a> {
    level: u32,
    entries: u32,
    words: usize,
    half: &'a PartHalf,
    scatter: &'a Scatter,
    from: &'a Planes,
}

impl Pull<'_> {
    /// Sweeps some rows in parallel halves; returns the number of new entries.
    fn run(
        &self,
        rows: Range<usize>,
        ones: &mut [Word],
        zeros: &mut [Word],
        state: &mut [PartRow],
    ) -> u64 {
        if rows.len() <= 1 || ones.len() <= TASK_WORDS {
            return self.run_task(rows, ones, zeros, state);
        }
        let middle = usize::midpoint(rows.start, rows.end);
        let cut = middle - rows.start;
        let (first_ones, second_ones) = ones.split_at_mut(cut * self.words);
        let (first_zeros, second_zeros) = zeros.split_at_mut(cut * self.words);
        let (first_state, second_state) = state.split_at_mut(cut);
        let (first, second) = join(
            || self.run(rows.start..middle, first_ones, first_zeros, first_state),
            || self.run(middle..rows.end, second_ones, second_zeros, second_state),
        );
        first + second
    }

    fn run_task(
        &self,
        rows: Range<usize>,
        ones: &mut [Word],
        zeros: &mut [Word],
        state: &mut [PartRow],
    ) -> u64 {
        let mut scratch = Scratch::new(self.words);
        let planes = ones.chunks_exact_mut(self.words);
        let planes = planes.zip(zeros.chunks_exact_mut(self.words)).zip(state);
        let mut total = 0;
        for (index, ((ones, zeros), state)) in rows.zip(planes) {
            let mut row = Row { ones, zeros, state };
            if row.state.visited < self.entries && self.gather(index, &mut scratch) {
                total += u64::from(row.add(self.level, &mut scratch.incoming));
            } else {
                row.settle(self.level);
                total += u64::from(row.count());
            }
        }
        total
    }

    /// What moves bring into a row, if there is anything.
    #[inline]
    fn gather(&self, index: usize, scratch: &mut Scratch) -> bool {
        let mut is_live = false;
        for edge in self.half.edges(index) {
            let source = edge.row as usize;
            let set = self.from.state[source].frontier;
            if set == 0 {
                continue;
            }
            if !is_live {
                is_live = true;
                scratch.incoming.fill(0);
            }
            let bits = source * self.words..(source + 1) * self.words;
            let frontier = Both(&self.from.ones[bits.clone()], &self.from.zeros[bits]);
            let pair = (edge.from, edge.to);
            let (incoming, between) = (&mut scratch.incoming, &mut scratch.between);
            self.scatter.or_into(pair, frontier, set, incoming, between);
        }
        is_live
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
    words: usize,
    planes: [Planes; 2],
    /// The level that is being swept, or was last.
    level: u8,
    /// Entries found at it.
    new: u64,
    /// Own rows of the level that are pulled, and of the level before that are sent.
    pulled: usize,
    sent: usize,
    /// By part: the block that is being made, and the number of its last row.
    blocks: Vec<(Vec<u8>, u32)>,
    code: RowCode,
    scratch: Scratch,
    received: Vec<Word>,
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
        let words = row_words(ranking);
        let scatter = Scatter::new(ranking.tiles(), ranking.tray().width() - 1);
        let [first, second] = [0, 1].map(|half: usize| graph.halves[half].rows.len());
        let mut sweep = PartSweep {
            id,
            part,
            planes: [Planes::new(first, words), Planes::new(second, words)],
            blocks: vec![(Vec::new(), 0); deal.parts()],
            deal,
            graph,
            scatter,
            words,
            level: 0,
            new: 0,
            pulled: 0,
            sent: 0,
            code: RowCode::default(),
            scratch: Scratch::new(words),
            received: vec![0; words],
            sums: Sent::default(),
        };
        if let (half, Some(goal)) = sweep.graph.goal {
            let row = sweep.planes[half].row(goal, words);
            (row.ones[0], row.zeros[0]) = (1, 1);
            (row.state.visited, row.state.frontier) = (1, 1);
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

    /// The level is done: own rows are pulled and sent, and all blocks are received. Returns how
    /// many entries of this part it has found.
    pub fn end_level(&mut self) -> u64 {
        let written = self.written();
        let planes = &mut self.planes[written];
        for row in 0..planes.state.len() {
            if planes.state[row].pushed != 0 {
                self.new += u64::from(planes.row(row, self.words).count());
            }
        }
        self.new
    }

    /// Entries of this part that the last level has found.
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
        let rows: usize = self.graph.halves.iter().map(|half| half.rows.len()).sum();
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
        let [first, second] = &mut self.planes;
        let (to, from) = match written {
            0 => (first, second),
            _ => (second, first),
        };
        let half = &self.graph.halves[written];
        let count = (words / self.words).max(1);
        let end = (self.pulled + count).min(half.rows.len());
        let rows = self.pulled..end;
        let pull = Pull {
            level: self.level.into(),
            entries: self.graph.ranking.row_entries() as u32,
            words: self.words,
            half,
            scatter: &self.scatter,
            from,
        };
        let bits = rows.start * self.words..rows.end * self.words;
        let (ones, zeros) = (&mut to.ones[bits.clone()], &mut to.zeros[bits]);
        self.new += pull.run(rows.clone(), ones, zeros, &mut to.state[rows]);
        self.pulled = end;
        end < half.rows.len()
    }

    /// Makes blocks of some more own rows for other parts, and hands full ones to `send` with the
    /// number of the part. Returns whether there are more. `words` is about how many words of a
    /// plane to go through.
    pub fn send(&mut self, words: usize, send: &mut impl FnMut(usize, Vec<u8>)) -> bool {
        let source = 1 - self.written();
        let (half, planes) = (&self.graph.halves[source], &self.planes[source]);
        let entries = self.graph.ranking.row_entries();
        let mut left = (words / self.words).max(1);
        while self.sent < half.rows.len() && left > 0 {
            let row = self.sent;
            self.sent += 1;
            let (set, to) = (planes.state[row].frontier, half.destinations(row));
            if set == 0 || to.is_empty() {
                continue;
            }
            left -= 1;
            let bits = row * self.words..(row + 1) * self.words;
            let (ones, zeros) = (&planes.ones[bits.clone()], &planes.zeros[bits]);
            read_frontier(ones, zeros, &mut self.scratch.source);
            self.code.encode(&self.scratch.source, entries, set);
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
        if self.sent < half.rows.len() {
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
        let planes = &mut self.planes[written];
        let (&level, mut rest) = block.split_first().ok_or(damaged)?;
        if level != self.level {
            return Err(damaged);
        }
        let mut number = 0_usize;
        while !rest.is_empty() {
            let row = take_row(&mut rest, entries, &mut self.received);
            let (step, set) = row.ok_or(damaged)?;
            number += step as usize;
            for edge in arrivals.edges(number).ok_or(damaged)? {
                let mut target = planes.row(edge.row as usize, self.words);
                if target.state.visited as usize == entries {
                    continue;
                }
                // A plane by itself is what both have.
                let row = Both(&self.received, &self.received);
                let pair = (edge.from, edge.to);
                let (incoming, between) = (&mut self.scratch.incoming, &mut self.scratch.between);
                self.scatter.or_into(pair, row, set, incoming, between);
                target.push(self.level.into(), &mut self.scratch.incoming);
            }
        }
        Ok(())
    }

    /// Settles the last frontiers: for when a level has found nothing in any part.
    pub fn finish(&mut self) {
        for planes in &mut self.planes {
            for row in 0..planes.state.len() {
                // No level comes after it.
                planes.row(row, self.words).settle(u32::MAX);
            }
        }
    }

    /// Visits the part's bytes of the finished table's payload, in the order of the file: how many
    /// bytes of it come before, and a row.
    ///
    /// # Errors
    /// Those of `visit`.
    pub fn each_row<E>(&self, mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>) -> Result<(), E> {
        let bits = self.graph.ranking.row_entries();
        // Rows of fewer than four tiles need not end on bytes: they are all one part's.
        let mut joined = Vec::new();
        let mut length = 0;
        let mut rows = [0, 1].map(|half: usize| {
            let numbers = self.graph.halves[half].rows.iter();
            let bits = self.planes[half].ones.chunks_exact(self.words);
            numbers.zip(bits).peekable()
        });
        loop {
            let [first, second] = rows.each_mut().map(|rows| rows.peek().map(|row| *row.0));
            let next = match (first, second) {
                (None, None) => break,
                (Some(first), Some(second)) => usize::from(second < first),
                (first, _) => usize::from(first.is_none()),
            };
            let Some((&number, row)) = rows[next].next() else {
                break;
            };
            let bytes: &[u8] = bytemuck::cast_slice(row);
            if bits % 8 == 0 {
                visit(u64::from(number) * (bits / 8) as u64, &bytes[..bits / 8])?;
                continue;
            }
            for bit in 0..bits {
                if length % 8 == 0 {
                    joined.push(0);
                }
                if let Some(last) = joined.last_mut() {
                    *last |= (bytes[bit / 8] >> (bit % 8) & 1) << (length % 8);
                }
                length += 1;
            }
        }
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
    pub fn saved_bytes(&self) -> u64 {
        let entries = self.graph.ranking.row_entries() as u32;
        let mut words = 0;
        let mut states = 0;
        for planes in &self.planes {
            states += planes.state.len();
            for state in planes.state.iter().filter(|state| state.visited > 0) {
                words += if state.is_settled(entries) { 1 } else { 2 } * self.words;
            }
        }
        (states * size_of::<PartRow>() + words * size_of::<Word>()) as u64
    }

    /// Writes everything that a later process needs to go on from here, between two levels. Rows
    /// that are not reached are left out, and of settled rows only `ones` is written.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        let entries = self.graph.ranking.row_entries() as u32;
        for planes in &self.planes {
            to.write_all(bytemuck::cast_slice(&planes.state))?;
            let ones = planes.ones.chunks_exact(self.words);
            let rows = ones.zip(planes.zeros.chunks_exact(self.words));
            for ((ones, zeros), state) in rows.zip(planes.state.iter()) {
                if state.visited > 0 {
                    to.write_all(bytemuck::cast_slice(ones))?;
                    if !state.is_settled(entries) {
                        to.write_all(bytemuck::cast_slice(zeros))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads what [`Self::save`] has written after this level; returns how many entries the part
    /// had found. After an error only a new sweep can go on.
    ///
    /// # Errors
    /// Those of the reader, and [`io::ErrorKind::InvalidData`].
    pub fn restore(&mut self, level: u8, from: &mut dyn Read) -> io::Result<u64> {
        let entries = self.graph.ranking.row_entries() as u32;
        self.level = level;
        let mut found = 0;
        for planes in &mut self.planes {
            from.read_exact(bytemuck::cast_slice_mut(&mut planes.state))?;
            let is_sound = |state: &PartRow| {
                state.pushed == 0
                    && state.frontier <= state.visited
                    && state.visited <= entries
                    && state.level <= level.into()
            };
            if !planes.state.iter().all(is_sound) {
                return Err(io::ErrorKind::InvalidData.into());
            }
            for index in 0..planes.state.len() {
                let state = planes.state[index];
                found += u64::from(state.visited);
                let row = planes.row(index, self.words);
                // The goal of level 0 may be there, or what was read before. Pages that were never
                // written to stay out of memory.
                for plane in [&mut *row.ones, &mut *row.zeros] {
                    if plane.iter().any(|&word| word != 0) {
                        plane.fill(0);
                    }
                }
                if state.visited > 0 {
                    from.read_exact(bytemuck::cast_slice_mut(row.ones))?;
                    if !state.is_settled(entries) {
                        from.read_exact(bytemuck::cast_slice_mut(row.zeros))?;
                    }
                }
            }
        }
        Ok(found)
    }
}

impl PartRow {
    /// Whether all entries are found, and none is in the frontier: the plane of zeros says nothing
    /// then.
    fn is_settled(self, entries: u32) -> bool {
        self.visited == entries && self.frontier == 0
    }
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
