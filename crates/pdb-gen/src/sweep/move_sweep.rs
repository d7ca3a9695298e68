//! Sweep in the single-tile metric: breadth-first search from the goal, one row at a time.
//!
//! All distances in the rows of a colour class have the same parity. So level r reads the frontiers
//! of one class and writes only the other class: there are no atomics or locks, and the result does
//! not depend on the number of threads. At level r every row of the written class
//!
//! 1. settles its own frontier of level r - 2, which has been read;
//! 2. ORs the re-indexed frontiers of its neighbours;
//! 3. drops the entries that it has visited. The rest are its new frontier, at distance r.
//!
//! Moves of cost 0 do not occur here: they keep the blank in the same region, and so lead to the
//! same entry.
//!
//! Memory: two bits per entry, plus the records of the [`Recorder`].

use bytemuck::Pod;
use pdb_table::{Control, Histogram};

use crate::event::{BuildEvent, LevelReport};
use crate::parallel;
use crate::sweep::buffers::Buffers;
use crate::sweep::kernel::{
    Level, Mismatch, RecordResult, Recorder, RowSizes, RowState, Scratch, Sources,
};
use crate::sweep::row_graph::{ColourClass, Moves, RowGraph, RowPlace};
use crate::sweep::scatter::{PlanePair, Scatter, Word};
use crate::sweep::sweep_state::{CheckpointError, CompleteRows, StateSaver, SweepState};

/// Reason for which a sweep ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Cancelled by the caller. If the [`StateSaver`] has saved the state, `saved` is the saved
    /// level.
    Cancelled {
        saved: Option<u8>,
    },
    /// The saved state cannot be restored.
    Restore(CheckpointError),
    Mismatch(Mismatch),
    /// A distance above 254, which no encoding can store.
    TooFar,
}

impl From<Mismatch> for Stop {
    fn from(mismatch: Mismatch) -> Self {
        Stop::Mismatch(mismatch)
    }
}

/// Rows of a sweep in memory, by colour class, and the tables that move entries between rows. Used
/// for sweeps in one process and in parts.
pub(crate) struct MoveSweep<K> {
    pub(crate) scatter: Scatter,
    pub(crate) halves: [Buffers<K>; 2],
}

impl<K: Pod + Send> MoveSweep<K> {
    /// Allocates rows without entries.
    pub(crate) fn new(graph: &RowGraph, recorder: &impl Recorder<Element = K>) -> Self {
        let ranking = &graph.ranking;
        let sizes = RowSizes::new(ranking, recorder);
        let buffers = |half: &ColourClass| Buffers::new(sizes, half.rows().len(), half.groups());
        MoveSweep {
            scatter: Scatter::new(ranking.tiles(), ranking.tray().width() - 1),
            halves: graph.halves.each_ref().map(buffers),
        }
    }

    /// Writes level 0, which is the goal alone, if the graph contains the goal's row.
    pub(crate) fn start(
        &mut self,
        graph: &RowGraph,
        recorder: &impl Recorder<Element = K>,
    ) -> RecordResult {
        let RowPlace { half, index } = graph.goal;
        index.map_or(Ok(()), |index| {
            let rows = &graph.halves[half];
            let goal = (index, rows.group_of(index), rows.rows()[index] as usize);
            self.halves[half].start(recorder, goal)
        })
    }

    /// The rows that a level writes, and the moves into them. `received` contains, per row, the
    /// last level at which entries of other parts arrived; it is empty in a sweep of one process.
    pub(crate) fn level<'a>(
        &'a mut self,
        graph: &'a RowGraph,
        level: u8,
        received: &'a [u8],
    ) -> (MoveSources<'a>, &'a mut Buffers<K>) {
        let written = graph.written_half(level);
        let [first, second] = &mut self.halves;
        let (target, source) = match written {
            0 => (first, second),
            _ => (second, first),
        };
        let sources = MoveSources {
            rows: &graph.halves[written],
            moves: &graph.moves[written],
            scatter: &self.scatter,
            words: source.sizes.words,
            ones: &source.ones,
            zeros: &source.zeros,
            state: &source.state,
            level,
            received,
        };
        (sources, target)
    }

    /// Settles the frontiers of level `level` - 1, by running level `level` + 1. Level `level` must
    /// have found no entries, so level `level` + 1 finds none.
    pub(crate) fn settle_last(
        &mut self,
        graph: &RowGraph,
        level: u8,
        recorder: &impl Recorder<Element = K>,
    ) -> RecordResult {
        let (sources, rows) = self.level(graph, level + 1, &[]);
        sources.run(recorder, rows).map(|_| ())
    }

    /// State of both colour classes, for saving or restoring.
    pub(crate) fn state<'a>(&'a mut self, graph: &'a RowGraph) -> SweepState<'a> {
        SweepState::new(
            &graph.halves,
            self.halves.each_mut().map(Buffers::byte_slices),
        )
    }
}

/// Sweeps the whole graph; returns the histogram and the rows.
pub(crate) fn sweep<R: Recorder>(
    graph: &RowGraph,
    recorder: &R,
    control: &Control<BuildEvent>,
    saver: &mut (dyn StateSaver + Send),
) -> Result<(Histogram, MoveSweep<R::Element>), Stop> {
    let mut sweep = MoveSweep::new(graph, recorder);
    let restored = saver.restore(&mut sweep.state(graph));
    let mut histogram = match restored.map_err(Stop::Restore)? {
        Some(histogram) => {
            let note = format!("resuming after level {}", histogram.max());
            control.report(&BuildEvent::Note(note));
            histogram
        }
        None => {
            sweep.start(graph, recorder)?;
            goal_alone()
        }
    };

    for level in histogram.max() + 1..u8::MAX {
        let (sources, buffers) = sweep.level(graph, level, &[]);
        let sizes = buffers.sizes;
        let mut run = || sources.run(recorder, buffers);
        let new = match saver.takes_rows() {
            true => {
                let colour = graph.written_half(level + 1);
                let complete = CompleteRows {
                    half: &graph.halves[colour],
                    sizes,
                    ones: sources.ones,
                    state: sources.state,
                };
                let take = |is_over: &_| saver.take_rows(colour, &complete, is_over);
                parallel::beside(take, run)
            }
            false => run(),
        }?;
        if new == 0 {
            sweep.settle_last(graph, level, recorder)?;
            return Ok((histogram, sweep));
        }
        histogram.add(level, new);
        let is_cancelled = report(control, &histogram, graph.ranking.entries());
        let saved = saver.save(&mut sweep.state(graph), &histogram, is_cancelled);
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

/// Bit 1 of `level` - 2, the distance of the entries that `level` settles.
pub(crate) fn settles_to_one(level: u8) -> bool {
    level & 2 == 0
}

/// Histogram of level 0.
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

/// Rows of one colour class, and the moves into them from the other class.
pub(crate) struct MoveSources<'a> {
    rows: &'a ColourClass,
    moves: &'a Moves,
    scatter: &'a Scatter,
    words: usize,
    ones: &'a [Word],
    zeros: &'a [Word],
    state: &'a [RowState],
    level: u8,
    received: &'a [u8],
}

impl MoveSources<'_> {
    /// Sweeps all rows; returns the number of new entries.
    fn run<R: Recorder>(
        &self,
        recorder: &R,
        rows: &mut Buffers<R::Element>,
    ) -> Result<u64, Mismatch> {
        let task = self.task(recorder);
        task.run(0..self.rows.groups(), rows.slices())
    }

    /// The data that the tasks of this level read.
    pub(crate) fn task<'a, R>(&'a self, recorder: &'a R) -> Level<'a, Self, R> {
        Level {
            level: self.level,
            settles_to_one: settles_to_one(self.level),
            sources: self,
            recorder,
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
        for edge in self.moves.edges(row) {
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
            let frontier = PlanePair(&self.ones[bits.clone()], &self.zeros[bits]);
            let (pair, between) = (edge.positions(), &mut scratch.between);
            self.scatter.or_into(pair, frontier, set, target, between);
        }
        is_live
    }

    #[inline]
    fn is_written(&self, row: usize) -> bool {
        self.received.get(row) == Some(&self.level)
    }
}
