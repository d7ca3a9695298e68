//! Sweep kernel: one level on a range of rows, in both metrics.
//!
//! A row gathers the entries that moves reach from the frontiers of the previous level
//! ([`Sources`]) and drops the entries already visited. The rest are the entries at the level's
//! distance; they are recorded ([`Recorder`]).
//!
//! Each row has two bit strings of k! bits, its planes `ones` and `zeros`:
//!
//! | entry | `ones` | `zeros` |
//! | --- | --- | --- |
//! | not reached | 0 | 0 |
//! | frontier: found at the row's last level | 1 | 1 |
//! | settled, bit 1 of the distance is 1 | 1 | 0 |
//! | settled, bit 1 of the distance is 0 | 0 | 1 |
//!
//! All frontier entries of a row have the same distance. After the neighbouring rows have read the
//! frontier, the frontier is settled: its bits are cleared in one of the planes, the same plane for
//! all entries. When all entries are settled, `ones` is the payload of the one-bit table, which
//! therefore needs no further memory. For tables with other encodings, it does not matter in which
//! plane the bits are cleared.
//!
//! In a sweep of several processes ([`PartSweep`](crate::PartSweep)), other parts also add entries
//! to a row's frontier, before or after the row is swept at the same level.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use puzzle::Ranking;

use crate::parallel::join;
use crate::sweep::scatter::{Word, words_of_row};

/// The rows that a level writes, and the moves into them.
pub(crate) trait Sources: Sync {
    /// Index of the first row of a group, or the number of rows if `group` is the number of groups.
    /// Rows of one group are recorded together.
    fn group_start(&self, group: usize) -> usize;

    /// Number of a row in the table.
    fn number(&self, row: usize) -> usize;

    /// Re-indexes the frontiers of the previous level by the moves into `row`, and writes their OR
    /// to `target`. If all these frontiers are empty, returns false and leaves `target` unchanged.
    fn gather(&self, row: usize, target: &mut [Word], scratch: &mut Scratch) -> bool;

    /// Whether entries of this level have already been added to the row. The first addition settles
    /// the row's previous frontier.
    #[inline]
    fn is_written(&self, _row: usize) -> bool {
        false
    }
}

/// Receives the entries that a sweep finds, and records them or compares them with a table.
pub(crate) trait Recorder: Sync {
    /// Element type of records. Each row and each group of rows has a record, initially zero.
    type Element: Pod + Send;

    /// Returns the number of elements in a row's record and in a group's record.
    fn sizes(&self) -> (usize, usize);

    /// Records the entries found in one row. `by_row` is the row's record; `by_group` is the record
    /// of the row's group.
    fn record(
        &self,
        found: &NewEntries<'_>,
        by_row: &mut [Self::Element],
        by_group: &mut [Self::Element],
    ) -> RecordResult;
}

/// Entries of a row that a level finds.
pub(crate) struct NewEntries<'a> {
    /// Distance of the entries.
    pub(crate) level: u8,
    pub(crate) row: usize,
    /// One bit per entry of the row.
    pub(crate) entries: &'a [Word],
}

/// Result of a recorder. Only a recorder that compares the entries with a table can fail.
pub(crate) type RecordResult = Result<(), Mismatch>;

/// An entry whose value in a table is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mismatch {
    pub(crate) entry: u64,
    /// The true distance; `None` for an unreachable entry.
    pub(crate) expected: Option<u8>,
}

/// Numbers of frontier entries and of visited entries of a row. The sweep uses these numbers to
/// skip rows.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RowState {
    pub(crate) frontier: u32,
    pub(crate) visited: u32,
}

/// Sizes of a row, of its record, and of its group's record.
#[derive(Clone, Copy)]
pub(crate) struct RowSizes {
    pub(crate) entries: u32,
    /// Words per plane of a row. Rows start at word boundaries, so a move that leaves the
    /// permutation unchanged is an OR of whole words.
    pub(crate) words: usize,
    /// Number of recorder elements per row.
    pub(crate) by_row: usize,
    /// Number of recorder elements per group.
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

/// Rows of one or more whole groups in memory, with one array per field.
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
    /// The two planes for settling a frontier: the plane that keeps the frontier's bits, and the
    /// plane in which these bits are cleared.
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

    /// Adds to the frontier the entries of `found` that were not reached before, and removes all
    /// others from `found`. Returns the number of new entries. If `is_written` is false, the row's
    /// frontier is still that of an earlier level and is settled first.
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
    /// Splits off the first `groups` groups, which have `rows` rows.
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

/// Splits off the first `count` elements.
fn take<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    first
}

/// Temporary bit rows of a task, allocated on first use.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Temporary row of [`Scatter::or_into`](crate::sweep::scatter::Scatter::or_into).
    pub(crate) between: Vec<Word>,
    /// Entries gathered along a line so far.
    pub(crate) gathered: Vec<Word>,
    /// The gathered entries, moved one step further along the line.
    pub(crate) carried: Vec<Word>,
}

/// The data of one level that all its tasks share and only read.
pub(crate) struct Level<'a, S, R> {
    pub(crate) level: u8,
    /// Bit 1 of the distance of the entries that this level settles.
    pub(crate) settles_to_one: bool,
    pub(crate) sources: &'a S,
    pub(crate) recorder: &'a R,
}

/// Minimum size of a task, in words of a plane.
const TASK_WORDS: usize = 1 << 13;

impl<S: Sources, R: Recorder> Level<'_, S, R> {
    /// Sweeps a range of groups, split into parallel halves; returns the number of new entries.
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

    /// Sweeps a range of groups on this thread; returns the number of new entries.
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

/// Reads the frontier of a row from its planes.
#[inline]
pub(crate) fn read_frontier(ones: &[Word], zeros: &[Word], frontier: &mut [Word]) {
    for ((frontier, ones), zeros) in frontier.iter_mut().zip(ones).zip(zeros) {
        *frontier = ones & zeros;
    }
}
