//! The sweep kernel: what one level does to some rows, in both metrics.
//!
//! A row is expanded by taking what moves bring into it from the frontiers of the level before
//! ([`Sources`]), dropping what it has visited, and recording what is left, the entries at the
//! level's distance ([`Recorder`]). Everything else of a sweep has an owner of its own:
//!
//! - memory: [`Buffers`](crate::buffers::Buffers), of which tasks get [`RowSlices`];
//! - threads: [`Level::run`] divides rows among them with [`parallel`](crate::parallel);
//! - the loop over levels: [`sweep`](crate::sweep) and [`multi_sweep`](crate::multi_sweep).
//!
//! A builder that keeps rows on disk or in other processes brings these three and calls
//! [`Level::run_task`] with whatever rows it holds.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use puzzle::Ranking;

use crate::parallel::join;
use crate::scatter::{WORD_BITS, Word};

/// The rows that a level writes, and what moves bring into them.
pub(crate) trait Sources: Sync {
    /// The rows before a group; of the group after the last, all rows. Rows of one group are
    /// recorded together.
    fn group_start(&self, group: usize) -> usize;

    /// Number of a row in the table.
    fn number(&self, row: usize) -> usize;

    /// ORs the frontiers of the level before, re-indexed by the moves into `row`, into `frontier`,
    /// which is cleared first. Returns whether there were any; if not, `frontier` stays as it is.
    fn gather(&self, row: usize, frontier: &mut [Word], scratch: &mut Scratch) -> bool;
}

/// What is done with the entries found: recorded in one way or another, or compared with a table.
pub(crate) trait Recorder: Sync {
    /// What is recorded, in one array for rows and one for groups; zeros at first.
    type Recorded: Pod + Send;

    /// How many of them there are for each row, and for each group of rows with one shape.
    fn sizes(&self) -> (usize, usize);

    /// Takes entries that are found. `by_row` and `by_group` are what is recorded for their row and
    /// for its group.
    fn record(
        &self,
        found: &Found<'_>,
        by_row: &mut [Self::Recorded],
        by_group: &mut [Self::Recorded],
    ) -> Recording;
}

/// The entries of a row that a level finds.
pub(crate) struct Found<'a> {
    /// Their distance.
    pub(crate) level: u8,
    /// Number of the row in the table.
    pub(crate) row: usize,
    /// A bit for each entry of the row.
    pub(crate) entries: &'a [Word],
}

/// Only a comparison with a table fails.
pub(crate) type Recording = Result<(), Mismatch>;

/// An entry that is not what a table says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mismatch {
    pub(crate) entry: u64,
    /// The true distance; `None` for an unreachable entry.
    pub(crate) expected: Option<u8>,
}

/// What lets rows be skipped.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RowState {
    /// Entries in the frontier; the frontier's bits mean nothing where this is 0.
    pub(crate) frontier: u32,
    /// Entries visited so far.
    pub(crate) visited: u32,
}

/// How long each part of a row is.
#[derive(Clone, Copy)]
pub(crate) struct RowSizes {
    /// Entries of a row.
    pub(crate) entries: u32,
    /// Words of a row's bits: rows begin on words in memory, so that moves that leave the
    /// permutation unchanged are ORs of words.
    pub(crate) words: usize,
    /// Elements recorded for each row, and for each group.
    pub(crate) by_row: usize,
    pub(crate) by_group: usize,
}

impl RowSizes {
    pub(crate) fn new(ranking: &Ranking, recorder: &impl Recorder) -> Self {
        let (by_row, by_group) = recorder.sizes();
        RowSizes {
            entries: ranking.row_entries() as u32,
            words: row_words(ranking),
            by_row,
            by_group,
        }
    }
}

/// Words of a row's bits.
pub(crate) fn row_words(ranking: &Ranking) -> usize {
    ranking.row_entries().div_ceil(WORD_BITS)
}

/// Rows in memory, whole groups of them, each part of a row in an array of its own.
pub(crate) struct RowSlices<'a, K> {
    pub(crate) sizes: RowSizes,
    pub(crate) frontier: &'a mut [Word],
    pub(crate) visited: &'a mut [Word],
    pub(crate) state: &'a mut [RowState],
    pub(crate) by_row: &'a mut [K],
    pub(crate) by_group: &'a mut [K],
}

/// One row of [`RowSlices`].
pub(crate) struct Row<'a, K> {
    pub(crate) frontier: &'a mut [Word],
    pub(crate) visited: &'a mut [Word],
    pub(crate) state: &'a mut RowState,
    pub(crate) recorded: &'a mut [K],
}

impl<'a, K> RowSlices<'a, K> {
    /// The first `groups` groups, which have `rows` rows, and the rest.
    fn split_at_group(mut self, groups: usize, rows: usize) -> [Self; 2] {
        let first = RowSlices {
            sizes: self.sizes,
            frontier: take(&mut self.frontier, rows * self.sizes.words),
            visited: take(&mut self.visited, rows * self.sizes.words),
            state: take(&mut self.state, rows),
            by_row: take(&mut self.by_row, rows * self.sizes.by_row),
            by_group: take(&mut self.by_group, groups * self.sizes.by_group),
        };
        [first, self]
    }

    /// Cuts off what is recorded for the next group.
    fn next_group(&mut self) -> &'a mut [K] {
        take(&mut self.by_group, self.sizes.by_group)
    }

    /// Cuts off the next row.
    #[inline]
    fn next_row(&mut self) -> Row<'a, K> {
        Row {
            frontier: take(&mut self.frontier, self.sizes.words),
            visited: take(&mut self.visited, self.sizes.words),
            state: &mut take(&mut self.state, 1)[0],
            recorded: take(&mut self.by_row, self.sizes.by_row),
        }
    }
}

/// Cuts off the first `count` elements.
fn take<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    first
}

/// Rows of bits that a task works with, made when the first row needs them.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Zeros, for [`Scatter::or_into`](crate::scatter::Scatter::or_into).
    pub(crate) zeros: Vec<Word>,
    /// What has come in along a line so far, before and after the next step of the line.
    pub(crate) gathered: Vec<Word>,
    pub(crate) carried: Vec<Word>,
}

/// One level: everything that is only read.
pub(crate) struct Level<'a, S, R> {
    pub(crate) level: u8,
    pub(crate) sources: &'a S,
    pub(crate) recorder: &'a R,
}

/// Words of visited bits that one task should have at least.
const TASK_WORDS: usize = 1 << 13;

impl<S: Sources, R: Recorder> Level<'_, S, R> {
    /// Sweeps some groups in parallel halves; returns the number of new entries.
    pub(crate) fn run(
        &self,
        groups: Range<usize>,
        rows: RowSlices<'_, R::Recorded>,
    ) -> Result<u64, Mismatch> {
        if groups.len() <= 1 || rows.visited.len() <= TASK_WORDS {
            return self.run_task(groups, rows);
        }
        let middle = usize::midpoint(groups.start, groups.end);
        let cut = self.sources.group_start(middle) - self.sources.group_start(groups.start);
        let [first, second] = rows.split_at_group(middle - groups.start, cut);
        let (first, second) = join(
            || self.run(groups.start..middle, first),
            || self.run(middle..groups.end, second),
        );
        Ok(first? + second?)
    }

    /// Sweeps some groups in this thread; returns the number of new entries.
    pub(crate) fn run_task(
        &self,
        groups: Range<usize>,
        mut rows: RowSlices<'_, R::Recorded>,
    ) -> Result<u64, Mismatch> {
        let entries = rows.sizes.entries;
        let mut scratch = Scratch::default();
        let mut total = 0;
        for group in groups {
            let by_group = rows.next_group();
            for index in self.sources.group_start(group)..self.sources.group_start(group + 1) {
                let row = rows.next_row();
                row.state.frontier = 0;
                if row.state.visited == entries {
                    continue;
                }
                let new = expand(self.sources, index, row.frontier, row.visited, &mut scratch);
                if new == 0 {
                    continue;
                }
                row.state.frontier = new;
                row.state.visited += new;
                total += u64::from(new);
                let found = Found {
                    level: self.level,
                    row: self.sources.number(index),
                    entries: row.frontier,
                };
                self.recorder.record(&found, row.recorded, by_group)?;
            }
        }
        Ok(total)
    }
}

/// Finds the new frontier of a row; returns the number of its entries.
#[inline]
fn expand(
    sources: &impl Sources,
    row: usize,
    frontier: &mut [Word],
    visited: &mut [Word],
    scratch: &mut Scratch,
) -> u32 {
    if !sources.gather(row, frontier, scratch) {
        return 0;
    }
    let mut new = 0;
    for (frontier, visited) in frontier.iter_mut().zip(visited) {
        *frontier &= !*visited;
        *visited |= *frontier;
        new += frontier.count_ones();
    }
    new
}
