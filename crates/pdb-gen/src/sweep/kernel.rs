//! The sweep kernel: what one level does to some rows, in both metrics.
//!
//! A row is expanded by taking what moves bring into it from the frontiers of the level before
//! ([`Sources`]), dropping what it has visited, and recording what is left, the entries at the
//! level's distance ([`Recorder`]).
//!
//! Each row has two strings of k! bits, its planes `ones` and `zeros`:
//!
//! | entry | `ones` | `zeros` |
//! | --- | --- | --- |
//! | unreached | 0 | 0 |
//! | frontier: found at the row's last level, h | 1 | 1 |
//! | settled, bit 1 of h is 1 | 1 | 0 |
//! | settled, bit 1 of h is 0 | 0 | 1 |
//!
//! All frontier entries of a row have the same distance. So once the rows that neighbour it have
//! read its frontier, that is settled by clearing it in one of the planes, the same for all its
//! entries; and when everything is settled `ones` is the payload of the one-bit table, which needs
//! no memory of its own. In tables of bytes the bit means nothing.
//!
//! In a sweep of several processes ([`PartSweep`](crate::PartSweep)) other parts also put entries
//! into a row's frontier, before or after the row is swept at their level.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use puzzle::Ranking;

use crate::parallel::join;
use crate::sweep::scatter::{Word, words_of_row};

/// The rows that a level writes, and what moves bring into them.
pub(crate) trait Sources: Sync {
    /// The rows before a group; of the group after the last, all rows. Rows of one group are
    /// recorded together.
    fn group_start(&self, group: usize) -> usize;

    /// Number of a row in the table.
    fn number(&self, row: usize) -> usize;

    /// ORs the frontiers of the level before, re-indexed by the moves into `row`, into `target`,
    /// which is cleared first. Returns whether there were any; if not, `target` stays as it is.
    fn gather(&self, row: usize, target: &mut [Word], scratch: &mut Scratch) -> bool;

    /// Whether the row has entries of this level already, and none of an earlier frontier.
    #[inline]
    fn is_written(&self, _row: usize) -> bool {
        false
    }
}

/// Destination of the entries found: recorded in one way or another, or compared with a table.
pub(crate) trait Recorder: Sync {
    /// Element of the record, in one array for rows and one for groups; zeros at first.
    type Element: Pod + Send;

    /// Number of elements for each row, and for each group of rows with one shape.
    fn sizes(&self) -> (usize, usize);

    /// Takes entries that are found. `by_row` and `by_group` are what is recorded for their row and
    /// for its group.
    fn record(
        &self,
        found: &NewEntries<'_>,
        by_row: &mut [Self::Element],
        by_group: &mut [Self::Element],
    ) -> RecordResult;
}

/// The entries of a row that a level finds.
pub(crate) struct NewEntries<'a> {
    /// Their distance.
    pub(crate) level: u8,
    pub(crate) row: usize,
    /// A bit for each entry of the row.
    pub(crate) entries: &'a [Word],
}

/// Only a comparison with a table fails.
pub(crate) type RecordResult = Result<(), Mismatch>;

/// An entry that is not what a table says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mismatch {
    pub(crate) entry: u64,
    /// The true distance; `None` for an unreachable entry.
    pub(crate) expected: Option<u8>,
}

/// State by which rows are skipped.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RowState {
    pub(crate) frontier: u32,
    pub(crate) visited: u32,
}

/// Length of each part of a row.
#[derive(Clone, Copy)]
pub(crate) struct RowSizes {
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
            words: words_of_row(ranking.row_entries()),
            by_row,
            by_group,
        }
    }
}

/// Rows in memory, whole groups of them, each part of a row in an array of its own.
pub(crate) struct RowSlices<'a, K> {
    pub(crate) sizes: RowSizes,
    pub(crate) ones: &'a mut [Word],
    pub(crate) zeros: &'a mut [Word],
    pub(crate) state: &'a mut [RowState],
    pub(crate) by_row: &'a mut [K],
    pub(crate) by_group: &'a mut [K],
}

/// One row of [`RowSlices`].
pub(crate) struct Row<'a, K> {
    pub(crate) ones: &'a mut [Word],
    pub(crate) zeros: &'a mut [Word],
    pub(crate) state: &'a mut RowState,
    pub(crate) recorded: &'a mut [K],
}

impl<K> Row<'_, K> {
    /// The planes in the order in which a frontier is settled: the one that keeps it, and the one
    /// that it leaves.
    #[inline]
    fn planes(&mut self, settles_to_one: bool) -> (&mut [Word], &mut [Word]) {
        match settles_to_one {
            true => (self.ones, self.zeros),
            false => (self.zeros, self.ones),
        }
    }

    /// Settles the frontier of an earlier level.
    #[inline]
    fn settle(&mut self, settles_to_one: bool) {
        if std::mem::take(&mut self.state.frontier) > 0 {
            let (kept, cleared) = self.planes(settles_to_one);
            for (cleared, kept) in cleared.iter_mut().zip(kept) {
                *cleared &= !*kept;
            }
        }
    }

    /// Puts the entries of `found` that are unreached into the frontier, after settling that of an
    /// earlier level unless the row `is_written` at this one already. `found` is then those alone;
    /// returns their number.
    #[inline]
    pub(crate) fn add(
        &mut self,
        is_written: bool,
        settles_to_one: bool,
        found: &mut [Word],
    ) -> u32 {
        if !is_written {
            self.state.frontier = 0;
        }
        let (kept, cleared) = self.planes(settles_to_one);
        let planes = kept.iter_mut().zip(cleared).zip(found);
        let mut new = 0;
        if is_written {
            for ((kept, cleared), found) in planes {
                *found &= !(*kept | *cleared);
                *cleared |= *found;
                *kept |= *found;
                new += found.count_ones();
            }
        } else {
            for ((kept, cleared), found) in planes {
                *found &= !(*kept | *cleared);
                *cleared = *cleared & !*kept | *found;
                *kept |= *found;
                new += found.count_ones();
            }
        }
        self.state.frontier += new;
        self.state.visited += new;
        new
    }
}

impl<'a, K> RowSlices<'a, K> {
    /// The first `groups` groups, which have `rows` rows, and the rest.
    fn split_at_group(mut self, groups: usize, rows: usize) -> [Self; 2] {
        let first = RowSlices {
            sizes: self.sizes,
            ones: take(&mut self.ones, rows * self.sizes.words),
            zeros: take(&mut self.zeros, rows * self.sizes.words),
            state: take(&mut self.state, rows),
            by_row: take(&mut self.by_row, rows * self.sizes.by_row),
            by_group: take(&mut self.by_group, groups * self.sizes.by_group),
        };
        [first, self]
    }

    fn next_group(&mut self) -> &'a mut [K] {
        take(&mut self.by_group, self.sizes.by_group)
    }

    #[inline]
    fn next_row(&mut self) -> Row<'a, K> {
        Row {
            ones: take(&mut self.ones, self.sizes.words),
            zeros: take(&mut self.zeros, self.sizes.words),
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
    /// For [`Scatter::or_into`](crate::sweep::scatter::Scatter::or_into).
    pub(crate) between: Vec<Word>,
    /// Entries gathered along a line until now, before and after the next step of the line.
    pub(crate) gathered: Vec<Word>,
    pub(crate) carried: Vec<Word>,
}

/// One level: everything that is only read.
pub(crate) struct Level<'a, S, R> {
    pub(crate) level: u8,
    /// Whether bit 1 of the distance is 1 in the frontiers that the rows still have from before.
    pub(crate) settles_to_one: bool,
    pub(crate) sources: &'a S,
    pub(crate) recorder: &'a R,
}

/// Words of a plane that one task should have at least.
const TASK_WORDS: usize = 1 << 13;

impl<S: Sources, R: Recorder> Level<'_, S, R> {
    /// Sweeps some groups in parallel halves; returns the number of new entries.
    pub(crate) fn run(
        &self,
        groups: Range<usize>,
        rows: RowSlices<'_, R::Element>,
    ) -> Result<u64, Mismatch> {
        if groups.len() <= 1 || rows.ones.len() <= TASK_WORDS {
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
    fn run_task(
        &self,
        groups: Range<usize>,
        mut rows: RowSlices<'_, R::Element>,
    ) -> Result<u64, Mismatch> {
        let entries = rows.sizes.entries;
        let mut scratch = Scratch::default();
        let mut found = vec![0; rows.sizes.words];
        let mut total = 0;
        for group in groups {
            let by_group = rows.next_group();
            for index in self.sources.group_start(group)..self.sources.group_start(group + 1) {
                let mut row = rows.next_row();
                let is_complete = row.state.visited == entries;
                let is_written = self.sources.is_written(index);
                if is_complete || !self.sources.gather(index, &mut found, &mut scratch) {
                    if !is_written {
                        row.settle(self.settles_to_one);
                    }
                    continue;
                }
                let new = row.add(is_written, self.settles_to_one, &mut found);
                if new == 0 {
                    continue;
                }
                total += u64::from(new);
                let found = NewEntries {
                    level: self.level,
                    row: self.sources.number(index),
                    entries: &found,
                };
                self.recorder.record(&found, row.recorded, by_group)?;
            }
        }
        Ok(total)
    }
}

/// The frontier of a row with these planes.
#[inline]
pub(crate) fn read_frontier(ones: &[Word], zeros: &[Word], frontier: &mut [Word]) {
    for ((frontier, ones), zeros) in frontier.iter_mut().zip(ones).zip(zeros) {
        *frontier = ones & zeros;
    }
}
