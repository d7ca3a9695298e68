//! Sweep in the multi-tile metric: a slide of one or more tiles of a line counts as one move. Such
//! a move is a chain of single steps of the blank along the line.
//!
//! Rows are those of full-cost tables: a shape and the blank's cell. A move can lead to a row of
//! either colour, so a level reads copies of all frontiers of the previous level. A row gathers
//! entries along four lines, one on each side of the blank's cell, from the edge of the tray
//! towards this cell. At each cell, the frontier of that cell's row joins the bits gathered so far,
//! and one step moves all of them to the next cell. So three steps in total are enough for all
//! moves of one, two or three tiles.
//!
//! Memory: three bits per entry, plus the records of the [`Recorder`].

use pdb_table::{Control, Histogram};
use puzzle::{Direction, Ranking, TableId, Tray};

use crate::event::BuildEvent;
use crate::parallel::each_task;
use crate::sweep::buffers::{Buffers, ZeroedPages};
use crate::sweep::kernel::{Level, Recorder, RowSizes, Scratch, Sources, read_frontier};
use crate::sweep::move_sweep::{Stop, goal_alone, report};
use crate::sweep::scatter::{PlanePair, Scatter, Word, or};

/// Rows of a table, and the single steps of the blank between them.
pub(crate) struct BlankGraph {
    pub(crate) ranking: Ranking,
    steps: Vec<[BlankStep; 4]>,
    goal_row: usize,
}

/// A step of the blank, from one row to another.
#[derive(Clone, Copy)]
pub(crate) struct BlankStep {
    /// Target row; [`NO_ROW`] if the blank cannot move because it is at the edge of the tray.
    row: u32,
    /// Positions of the moving tile in reading order, before and after the step. They are equal if
    /// the permutation does not change.
    from: u8,
    to: u8,
}

const NO_ROW: u32 = u32::MAX;

impl BlankStep {
    /// The step in a direction in which the blank is at the edge of the tray.
    const NONE: BlankStep = BlankStep {
        row: NO_ROW,
        from: 0,
        to: 0,
    };
}

impl BlankGraph {
    pub(crate) fn new(id: TableId) -> Self {
        let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind());
        let mut steps = Vec::with_capacity(ranking.rows());
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            let free = id.tray().iter().filter(|&cell| !shape.contains(cell));
            for blank in free {
                let step = |direction| {
                    let Some(next) = id.tray().step(blank, direction) else {
                        return BlankStep::NONE;
                    };
                    let (moved, from, to) = match shape.contains(next) {
                        true => {
                            let moved = shape.without(next).with(blank);
                            let to = moved.count_before(blank);
                            (ranking.shape_index(moved), shape.count_before(next), to)
                        }
                        false => (index, 0, 0),
                    };
                    BlankStep {
                        row: ranking.row(moved, next) as u32,
                        from: from as u8,
                        to: to as u8,
                    }
                };
                steps.push(Direction::ALL.map(step));
            }
        }
        BlankGraph {
            goal_row: ranking.goal_row(id),
            ranking,
            steps,
        }
    }
}

/// Sweeps the whole graph; returns the histogram and the records, row by row.
pub(crate) fn multi_sweep<R: Recorder>(
    graph: &BlankGraph,
    recorder: &R,
    control: &Control<BuildEvent>,
) -> Result<(Histogram, ZeroedPages<u8>), Stop> {
    let ranking = &graph.ranking;
    let rows = ranking.rows();
    let sizes = RowSizes::new(ranking, recorder);
    let scatter = Scatter::new(ranking.tiles(), ranking.tray().width() - 1);
    let mut buffers = Buffers::new(sizes, rows, rows);
    buffers.start(recorder, (graph.goal_row, graph.goal_row, graph.goal_row))?;
    let mut histogram = goal_alone();
    // Frontiers of the previous level.
    let mut source = ZeroedPages::zeros(rows * sizes.words);
    let mut source_counts = ZeroedPages::zeros(rows);
    for level in 1..u8::MAX {
        for (count, state) in source_counts.iter_mut().zip(&*buffers.state) {
            *count = state.frontier;
        }
        // Copy the frontiers that are not empty.
        let (ones, zeros, words) = (&*buffers.ones, &*buffers.zeros, sizes.words);
        let counts = &*source_counts;
        each_task(0..rows, &mut source, &|row| row * words, &|rows, copies| {
            let copies = copies.chunks_mut(words);
            for (row, copy) in rows.zip(copies).filter(|(row, _)| counts[*row] > 0) {
                let bits = row * words..(row + 1) * words;
                read_frontier(&ones[bits.clone()], &zeros[bits], copy);
            }
        });
        let sources = LineSources {
            graph,
            scatter: &scatter,
            words: sizes.words,
            frontier: &source,
            counts: &source_counts,
        };
        let task = Level {
            level,
            // This value does not affect the result, because no distance is read from the planes.
            settles_to_one: true,
            sources: &sources,
            recorder,
        };
        let new = task.run(0..rows, buffers.slices())?;
        if new == 0 {
            return Ok((histogram, buffers.into_recorded()));
        }
        histogram.add(level, new);
        if report(control, &histogram, ranking.entries()) {
            return Err(Stop::Cancelled { saved: None });
        }
    }
    Err(Stop::TooFar)
}

/// [`Sources`] of a level in the multi-tile metric. Each row is a separate group.
struct LineSources<'a> {
    graph: &'a BlankGraph,
    scatter: &'a Scatter,
    words: usize,
    frontier: &'a [Word],
    counts: &'a [u32],
}

impl Sources for LineSources<'_> {
    fn group_start(&self, group: usize) -> usize {
        group
    }

    fn number(&self, row: usize) -> usize {
        row
    }

    fn gather(&self, row: usize, target: &mut [Word], scratch: &mut Scratch) -> bool {
        let mut is_live = false;
        for side in 0..4 {
            is_live |= self.gather_line(row, side, target, !is_live, scratch);
        }
        is_live
    }
}

impl LineSources<'_> {
    /// Finds the entries of `row` that moves along the line on `side` reach. If all frontiers of
    /// the line are empty, there are no such entries, and the function returns false. Otherwise it
    /// ORs the entries into `target`, which it clears first if `is_first` is set.
    fn gather_line(
        &self,
        row: usize,
        side: usize,
        target: &mut [Word],
        is_first: bool,
        scratch: &mut Scratch,
    ) -> bool {
        let mut line = [BlankStep::NONE; Tray::MAX_SIDE];
        let mut length = 0;
        let mut step = self.graph.steps[row][side];
        let mut is_live = false;
        while step.row != NO_ROW {
            line[length] = step;
            length += 1;
            is_live |= self.counts[step.row as usize] > 0;
            step = self.graph.steps[step.row as usize][side];
        }
        if !is_live {
            return false;
        }
        let Scratch {
            between,
            gathered,
            carried,
            ..
        } = scratch;
        if is_first {
            target.fill(0);
            for bits in [&mut *between, gathered, carried] {
                bits.resize(self.words, 0);
            }
        }
        let mut set = 0;
        for (place, step) in line[..length].iter().enumerate().rev() {
            let from_here = self.counts[step.row as usize];
            if from_here > 0 {
                let source = &self.frontier[step.row as usize * self.words..][..self.words];
                if set == 0 {
                    gathered.copy_from_slice(source);
                } else {
                    or(gathered, source);
                }
                set += from_here;
            }
            if set == 0 {
                continue;
            }
            let is_last = place == 0;
            // `step` leads away from `row`. The entries move towards `row`, so the positions are
            // swapped.
            let (pair, source) = ((step.to, step.from), PlanePair::of_one(gathered));
            match (step.from == step.to, is_last) {
                (true, true) => or(target, gathered),
                (true, false) => {}
                (false, true) => self.scatter.or_into(pair, source, set, target, between),
                (false, false) => {
                    carried.fill(0);
                    self.scatter.or_into(pair, source, set, carried, between);
                    std::mem::swap(gathered, carried);
                }
            }
        }
        true
    }
}
