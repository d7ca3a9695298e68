//! The sweep of single moves: breadth-first search from the goal, a whole row at a time.
//!
//! The rows of each colour class hold distances of one parity, so level r reads only the frontiers
//! of one class and writes only the other: no atomics, no locks, and the same result whatever the
//! number of threads. At level r every row of the written class settles its own frontier, of level
//! r - 2, which has been read; ORs its neighbours' frontiers, re-indexed; drops what it has
//! visited, and what is left is its new frontier, the entries at distance r. Moves of cost 0 never
//! appear: the blank's region has absorbed them.
//!
//! Memory: two bits an entry, plus what the [`Recorder`] records.

use bytemuck::Pod;
use pdb_table::{Control, Histogram};

use crate::event::{BuildEvent, LevelReport};
use crate::parallel;
use crate::sweep::buffers::Buffers;
use crate::sweep::kernel::{Level, Mismatch, Recorder, RowSizes, RowState, Scratch, Sources};
use crate::sweep::row_graph::{ColourClass, RowGraph, RowPlace};
use crate::sweep::scatter::{Both, Scatter, Word};
use crate::sweep::sweep_state::{CheckpointError, CompleteRows, HalfState, Halves, StateSaver};
use crate::sweep::zeroed_pages::ZeroedPages;

/// Why a sweep ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// By the caller; the level at which the [`StateSaver`] has saved the state.
    Cancelled {
        saved: Option<u8>,
    },
    /// The [`StateSaver`] has a state that cannot be restored.
    Restore(CheckpointError),
    Mismatch(Mismatch),
    /// A distance above 254, which no encoding holds.
    TooFar,
}

impl From<Mismatch> for Stop {
    fn from(mismatch: Mismatch) -> Self {
        Stop::Mismatch(mismatch)
    }
}

/// What a finished sweep leaves, by colour class.
pub(crate) struct Swept<K> {
    pub(crate) halves: [Buffers<K>; 2],
    pub(crate) histogram: Histogram,
}

impl<K: Pod + Send> Swept<K> {
    /// The histogram, and what is recorded of each colour class.
    pub(crate) fn into_recorded(self) -> (Histogram, [ZeroedPages<u8>; 2]) {
        (self.histogram, self.halves.map(Buffers::into_recorded))
    }
}

/// Runs over the whole graph.
pub(crate) fn sweep<R: Recorder>(
    graph: &RowGraph,
    recorder: &R,
    control: &Control<BuildEvent>,
    saver: &mut (dyn StateSaver + Send),
) -> Result<Swept<R::Recorded>, Stop> {
    let ranking = graph.ranking();
    let sizes = RowSizes::new(ranking, recorder);
    let scatter = Scatter::new(ranking.tiles(), ranking.tray().width() - 1);
    let mut halves = [0, 1].map(|colour| {
        let half = graph.half(colour);
        Buffers::new(sizes, half.rows().len(), half.groups())
    });
    let restored = saver.restore(&mut states(graph, &mut halves));
    let mut histogram = match restored.map_err(Stop::Restore)? {
        Some(histogram) => {
            let note = format!("going on from level {}", histogram.max());
            control.report(&BuildEvent::Note(note));
            histogram
        }
        None => {
            let RowPlace { half, index } = graph.goal();
            let rows = graph.half(half);
            let goal = (index, rows.group_of(index), rows.rows()[index] as usize);
            halves[half].start(recorder, goal)?;
            goal_alone()
        }
    };

    for level in histogram.max() + 1..u8::MAX {
        let written = (graph.goal().half + usize::from(level)) % 2;
        let [first, second] = &mut halves;
        let (buffers, source) = match written {
            0 => (first, second),
            _ => (second, first),
        };
        let sources = MoveSources::new(graph.half(written), &scatter, source);
        let task = Level {
            level,
            settles_to_one: settles_to_one(level),
            sources: &sources,
            recorder,
        };
        let mut run = || task.run(0..sources.rows.groups(), buffers.slices());
        let new = match saver.takes_rows() {
            true => {
                let complete = CompleteRows {
                    half: graph.half(1 - written),
                    sizes,
                    ones: &source.ones,
                    state: &source.state,
                };
                let take = |is_over: &_| saver.take_rows(1 - written, &complete, is_over);
                parallel::beside(take, run)
            }
            false => run(),
        }?;
        if new == 0 {
            settle_last(level, graph.half(1 - written), source, recorder)?;
            return Ok(Swept { halves, histogram });
        }
        histogram.add(level, new);
        let is_cancelled = report(control, &histogram, ranking.entries());
        let mut states = states(graph, &mut halves);
        let saved = saver.save(&mut states, &histogram, is_cancelled);
        let is_saved = saved.unwrap_or_else(|line| {
            control.report(&BuildEvent::Note(line));
            false
        });
        if is_cancelled {
            let saved = is_saved.then_some(level);
            return Err(Stop::Cancelled { saved });
        }
    }
    Err(Stop::TooFar)
}

/// Settles the frontiers of the last level, which are still there when a level has found nothing.
pub(crate) fn settle_last<R: Recorder>(
    level: u8,
    rows: &ColourClass,
    buffers: &mut Buffers<R::Recorded>,
    recorder: &R,
) -> Result<(), Mismatch> {
    let task = Level {
        level,
        settles_to_one: settles_to_one(level + 1),
        sources: &NoSources(rows),
        recorder,
    };
    task.run(0..rows.groups(), buffers.slices()).map(|_| ())
}

/// Whether bit 1 of the distance is 1 in the frontiers that a level settles, those of two levels
/// before.
pub(crate) fn settles_to_one(level: u8) -> bool {
    level & 2 == 0
}

/// The histogram of level 0.
pub(crate) fn goal_alone() -> Histogram {
    let mut histogram = Histogram::default();
    histogram.add(0, 1);
    histogram
}

/// Reports the last level of a histogram; returns whether the sweep must stop.
pub(crate) fn report(control: &Control<BuildEvent>, histogram: &Histogram, entries: u64) -> bool {
    control.report(&BuildEvent::Level(LevelReport {
        level: histogram.max(),
        new: histogram.counts().last().copied().unwrap_or(0),
        found: histogram.total(),
        entries,
    }));
    control.is_cancelled()
}

/// Everything of each colour class, for a [`StateSaver`].
fn states<'a, K: Pod + Send>(
    graph: &'a RowGraph,
    [first, second]: &'a mut [Buffers<K>; 2],
) -> Halves<'a> {
    [(0, first), (1, second)].map(|(colour, buffers)| HalfState {
        half: graph.half(colour),
        rows: buffers.byte_slices(),
    })
}

/// The rows of one colour class, and single moves into them from the other.
pub(crate) struct MoveSources<'a> {
    rows: &'a ColourClass,
    scatter: &'a Scatter,
    words: usize,
    ones: &'a [Word],
    zeros: &'a [Word],
    state: &'a [RowState],
}

impl<'a> MoveSources<'a> {
    /// Moves into rows from those of `source`.
    pub(crate) fn new<K: Pod + Send>(
        rows: &'a ColourClass,
        scatter: &'a Scatter,
        source: &'a Buffers<K>,
    ) -> Self {
        MoveSources {
            rows,
            scatter,
            words: source.sizes().words,
            ones: &source.ones,
            zeros: &source.zeros,
            state: &source.state,
        }
    }
}

impl Sources for MoveSources<'_> {
    fn group_start(&self, group: usize) -> usize {
        self.rows.group_start(group)
    }

    fn number(&self, row: usize) -> usize {
        self.rows.rows()[row] as usize
    }

    #[inline]
    fn gather(&self, row: usize, target: &mut [Word], scratch: &mut Scratch) -> bool {
        let mut is_live = false;
        for edge in self.rows.edges(row) {
            let source = edge.row();
            let set = self.state[source].frontier;
            if set == 0 {
                continue;
            }
            if !is_live {
                is_live = true;
                target.fill(0);
                scratch.between.resize(self.words, 0);
            }
            let bits = source * self.words..(source + 1) * self.words;
            let frontier = Both(&self.ones[bits.clone()], &self.zeros[bits]);
            let (pair, between) = (edge.positions(), &mut scratch.between);
            self.scatter.or_into(pair, frontier, set, target, between);
        }
        is_live
    }
}

/// Rows that nothing moves into.
struct NoSources<'a>(&'a ColourClass);

impl Sources for NoSources<'_> {
    fn group_start(&self, group: usize) -> usize {
        self.0.group_start(group)
    }

    fn number(&self, row: usize) -> usize {
        self.0.rows()[row] as usize
    }

    fn gather(&self, _: usize, _: &mut [Word], _: &mut Scratch) -> bool {
        false
    }
}
