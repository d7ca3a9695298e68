//! The sweep: breadth-first search from the goal, a whole row at a time.
//!
//! Each row keeps two strings of k! bits: the entries visited so far, and the frontier, those found in the row's last
//! round. The rows of each half hold distances of one parity, so round r reads only the frontiers of one half and
//! writes only the other: no atomics, no locks, and the same result whatever the number of threads. In round r every
//! row of the written half ORs its neighbours' frontiers, re-indexed, drops what it has visited, and what is left is
//! its new frontier, the entries at distance r. Moves of cost 0 never appear: the blank's region has absorbed them.
//!
//! Memory: two bits an entry, plus what the [`Recorder`] keeps.

use std::ops::Range;

use bytemuck::Pod;
use pdb_table::{Control, Histogram};

use crate::event::{BuildEvent, LevelReport};
use crate::row_graph::{ColourClass, RowGraph, RowPlace};
use crate::scatter::{Scatter, WORD_BITS, Word};
use crate::state_saver::{HalfState, RowState, StateSaver};
use crate::zeroed_pages::ZeroedPages;

/// What is done with the entries found: kept in one way or another, or compared with a table.
pub(crate) trait Recorder: Sync {
    /// What is kept, in one array for each half; zeros at first.
    type Recorded: Pod + Send;

    /// How many of them there are for each row, and for each group of rows with one shape.
    fn sizes(&self) -> (usize, usize);

    /// Takes the entries of row `row` (numbered as in the table) that are at distance `level`. `row_kept` and
    /// `group_kept` are what is kept for the row and its group.
    fn record(
        &self,
        level: u8,
        row: usize,
        new: &[Word],
        row_kept: &mut [Self::Recorded],
        group_kept: &mut [Self::Recorded],
    ) -> Result<(), Mismatch>;
}

/// An entry that is not what a table says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mismatch {
    pub(crate) entry: u64,
    /// The true distance; `None` for an entry that no position can have.
    pub(crate) expected: Option<u8>,
}

/// Why a sweep ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// By the caller; the level at which the [`StateSaver`] has kept the state.
    Cancelled {
        saved: Option<u8>,
    },
    /// The [`StateSaver`] has a state that cannot be put back.
    StateSaver(String),
    Mismatch(Mismatch),
    /// A distance above 254, which no encoding holds.
    TooFar,
}

/// What a finished sweep leaves.
pub(crate) struct Swept<K> {
    /// What the recorder kept, by half: rows first to last, then groups.
    pub(crate) kept: [Recorded<K>; 2],
    pub(crate) visited: [ZeroedPages<Word>; 2],
    pub(crate) values: Histogram,
}

pub(crate) struct Recorded<K> {
    pub(crate) by_row: ZeroedPages<K>,
    pub(crate) by_group: ZeroedPages<K>,
}

/// Words of a row: rows begin on words in memory, so that moves which keep the permutation are ORs of words.
pub(crate) fn row_words(graph: &RowGraph) -> usize {
    graph.ranking().row_entries().div_ceil(WORD_BITS)
}

/// Runs over the whole graph.
pub(crate) fn sweep<R: Recorder>(
    graph: &RowGraph,
    recorder: &R,
    control: &Control<BuildEvent>,
    keeper: &mut dyn StateSaver,
) -> Result<Swept<R::Recorded>, Stop> {
    let words = row_words(graph);
    let scatter = Scatter::new(graph.ranking().tiles(), graph.ranking().tray().width() - 1);
    let (by_row, by_group) = recorder.sizes();
    let mut strings = Buffers::new(graph, recorder);
    let sizes = (by_row, by_group);
    let restored = keeper.restore(&mut strings.halves(graph, sizes));
    let mut values = match restored.map_err(Stop::StateSaver)? {
        Some(values) => {
            let note = format!("going on from level {}", values.max());
            control.report(&BuildEvent::Note(note));
            values
        }
        None => {
            strings.start(graph, recorder).map_err(Stop::Mismatch)?;
            let mut values = Histogram::default();
            values.add(0, 1);
            values
        }
    };
    let mut found = values.total();

    for level in values.max() + 1..u8::MAX {
        let written = (graph.goal().half + usize::from(level)) % 2;
        let half = graph.half(written);
        let [frontier, source] = pick(&mut strings.frontier, written);
        let [state, source_state] = pick(&mut strings.state, written);
        let kept = &mut strings.kept[written];
        let round = Round {
            half,
            scatter: &scatter,
            recorder,
            level,
            words,
            entries: graph.ranking().row_entries() as u32,
            by_row,
            by_group,
            source,
            source_state: &*source_state,
        };
        let rows = HalfSlices {
            frontier,
            visited: &mut strings.visited[written],
            state: &mut *state,
            by_row: &mut kept.by_row,
            by_group: &mut kept.by_group,
        };
        let new = round.run(0..half.groups(), rows).map_err(Stop::Mismatch)?;
        if new == 0 {
            return Ok(Swept {
                kept: strings.kept,
                visited: strings.visited,
                values,
            });
        }
        values.add(level, new);
        found += new;
        let entries = graph.ranking().entries();
        control.report(&BuildEvent::Level(LevelReport {
            level,
            new,
            found,
            entries,
        }));
        let is_cancelled = control.is_cancelled();
        let mut halves = strings.halves(graph, sizes);
        let kept = match is_cancelled {
            false => keeper.level(&mut halves, &values),
            true => keeper.stop(&mut halves, &values),
        };
        let is_kept = kept.unwrap_or_else(|line| {
            control.report(&BuildEvent::Note(line));
            false
        });
        if is_cancelled {
            let saved = is_kept.then_some(level);
            return Err(Stop::Cancelled { saved });
        }
    }
    Err(Stop::TooFar)
}

/// All that a sweep keeps, by half.
struct Buffers<K> {
    frontier: [ZeroedPages<Word>; 2],
    visited: [ZeroedPages<Word>; 2],
    state: [ZeroedPages<RowState>; 2],
    kept: [Recorded<K>; 2],
}

impl<K: Pod + Send> Buffers<K> {
    fn new<R: Recorder<Recorded = K>>(graph: &RowGraph, recorder: &R) -> Self {
        let words = row_words(graph);
        let (by_row, by_group) = recorder.sizes();
        let halves = [graph.half(0), graph.half(1)];
        let bits = |half: &ColourClass| ZeroedPages::zeros(half.rows().len() * words);
        Buffers {
            frontier: halves.map(bits),
            visited: halves.map(bits),
            state: halves.map(|half| ZeroedPages::zeros(half.rows().len())),
            kept: halves.map(|half| Recorded {
                by_row: ZeroedPages::zeros(half.rows().len() * by_row),
                by_group: ZeroedPages::zeros(half.groups() * by_group),
            }),
        }
    }

    /// Level 0: the goal alone.
    fn start<R: Recorder<Recorded = K>>(
        &mut self,
        graph: &RowGraph,
        recorder: &R,
    ) -> Result<(), Mismatch> {
        let RowPlace { half, index } = graph.goal();
        let words = row_words(graph);
        let first = index * words;
        self.frontier[half][first] = 1;
        self.visited[half][first] = 1;
        self.state[half][index] = RowState {
            frontier: 1,
            visited: 1,
        };
        let (by_row, by_group) = recorder.sizes();
        let row = graph.half(half).rows()[index] as usize;
        let group = graph.half(half).group_of(index);
        let kept = &mut self.kept[half];
        recorder.record(
            0,
            row,
            &self.frontier[half][first..first + words],
            &mut kept.by_row[index * by_row..][..by_row],
            &mut kept.by_group[group * by_group..][..by_group],
        )
    }

    /// Everything of each half, for a [`StateSaver`].
    fn halves<'a>(
        &'a mut self,
        graph: &'a RowGraph,
        (by_row, by_group): (usize, usize),
    ) -> [HalfState<'a>; 2] {
        let words = row_words(graph);
        let entries = graph.ranking().row_entries() as u32;
        let [frontier, frontier_2] = &mut self.frontier;
        let [visited, visited_2] = &mut self.visited;
        let [state, state_2] = &mut self.state;
        let [kept, kept_2] = &mut self.kept;
        let strings = [
            (frontier, visited, state, kept),
            (frontier_2, visited_2, state_2, kept_2),
        ];
        let mut number = 0..;
        strings.map(|(frontier, visited, state, kept)| HalfState {
            half: graph.half(number.next().unwrap_or_default()),
            words,
            entries,
            row_bytes: by_row * size_of::<K>(),
            group_bytes: by_group * size_of::<K>(),
            state,
            frontier,
            visited,
            by_row: bytemuck::cast_slice_mut(&mut kept.by_row),
            by_group: bytemuck::cast_slice_mut(&mut kept.by_group),
        })
    }
}

/// The one that is written first, then the one that is read.
fn pick<T>(pair: &mut [T; 2], written: usize) -> [&mut T; 2] {
    let [first, second] = pair;
    if written == 0 {
        [first, second]
    } else {
        [second, first]
    }
}

/// The part of the written half that one task works on.
struct HalfSlices<'a, K> {
    frontier: &'a mut [Word],
    visited: &'a mut [Word],
    state: &'a mut [RowState],
    by_row: &'a mut [K],
    by_group: &'a mut [K],
}

/// One round: everything that is only read.
struct Round<'a, R> {
    half: &'a ColourClass,
    scatter: &'a Scatter,
    recorder: &'a R,
    level: u8,
    words: usize,
    entries: u32,
    by_row: usize,
    by_group: usize,
    source: &'a [Word],
    source_state: &'a [RowState],
}

/// Words of visited bits that one task should have at least.
const TASK_WORDS: usize = 1 << 13;

impl<R: Recorder> Round<'_, R> {
    /// Works on some groups, in parallel halves, and returns the number of new entries.
    fn run(
        &self,
        groups: Range<usize>,
        rows: HalfSlices<'_, R::Recorded>,
    ) -> Result<u64, Mismatch> {
        if groups.len() <= 1 || rows.visited.len() <= TASK_WORDS {
            return self.run_task(groups, rows);
        }
        let middle = usize::midpoint(groups.start, groups.end);
        let cut = self.half.group_start(middle) - self.half.group_start(groups.start);
        let (frontier, frontier_2) = rows.frontier.split_at_mut(cut * self.words);
        let (visited, visited_2) = rows.visited.split_at_mut(cut * self.words);
        let (state, state_2) = rows.state.split_at_mut(cut);
        let (by_row, by_row_2) = rows.by_row.split_at_mut(cut * self.by_row);
        let group_cut = (middle - groups.start) * self.by_group;
        let (by_group, by_group_2) = rows.by_group.split_at_mut(group_cut);
        let first = HalfSlices {
            frontier,
            visited,
            state,
            by_row,
            by_group,
        };
        let second = HalfSlices {
            frontier: frontier_2,
            visited: visited_2,
            state: state_2,
            by_row: by_row_2,
            by_group: by_group_2,
        };
        let (first, second) = crate::parallel::join(
            || self.run(groups.start..middle, first),
            || self.run(middle..groups.end, second),
        );
        Ok(first? + second?)
    }

    fn run_task(
        &self,
        groups: Range<usize>,
        rows: HalfSlices<'_, R::Recorded>,
    ) -> Result<u64, Mismatch> {
        let HalfSlices {
            mut frontier,
            mut visited,
            mut state,
            mut by_row,
            mut by_group,
        } = rows;
        let entries = self.entries;
        let mut scratch = vec![0; self.words];
        let mut total = 0;
        for group in groups {
            let group_kept = take(&mut by_group, self.by_group);
            for index in self.half.group_start(group)..self.half.group_start(group + 1) {
                let frontier = take(&mut frontier, self.words);
                let visited = take(&mut visited, self.words);
                let row_kept = take(&mut by_row, self.by_row);
                let state = &mut take(&mut state, 1)[0];
                state.frontier = 0;
                if state.visited == entries {
                    continue;
                }
                let new = self.expand(index, frontier, visited, &mut scratch);
                if new == 0 {
                    continue;
                }
                state.frontier = new;
                state.visited += new;
                total += u64::from(new);
                let row = self.half.rows()[index] as usize;
                self.recorder
                    .record(self.level, row, frontier, row_kept, group_kept)?;
            }
        }
        Ok(total)
    }

    /// Finds the new frontier of a row; returns the number of its entries.
    #[inline]
    fn expand(
        &self,
        index: usize,
        frontier: &mut [Word],
        visited: &mut [Word],
        scratch: &mut [Word],
    ) -> u32 {
        let mut is_live = false;
        for edge in self.half.edges(index) {
            let set = self.source_state[edge.source as usize].frontier;
            if set == 0 {
                continue;
            }
            if !is_live {
                is_live = true;
                frontier.fill(0);
            }
            let source = &self.source[edge.source as usize * self.words..][..self.words];
            let pair = (edge.from, edge.to);
            self.scatter.or_into(pair, source, set, frontier, scratch);
        }
        if !is_live {
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
}

/// Cuts the first `count` elements off.
fn take<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    first
}
