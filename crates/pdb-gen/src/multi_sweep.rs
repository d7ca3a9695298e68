//! The sweep in the multi-tile metric: breadth-first search in which a run of tiles, which is a chain of single
//! steps of the blank in one line, costs 1.
//!
//! Rows are those of full-cost tables: a shape and the blank's cell. A run leads to a row of either colour, so there
//! are no halves: a round reads all frontiers of the round before and writes a second set. A row takes what reaches it
//! line by line: from each of the four sides the frontiers of the rows up to the frame are gathered from the outside
//! in, each step carrying all that has come so far, so a run of three costs no more than the three steps.
//!
//! Memory: three bits an entry, plus what the [`Recorder`] keeps.

use std::ops::Range;

use pdb_table::{Control, Histogram};
use puzzle::{Direction, Ranking, TableId};

use crate::event::{BuildEvent, LevelReport};
use crate::recorder::Recorder;
use crate::scatter::{Scatter, WORD_BITS, Word};
use crate::sweep::{Mismatch, Stop};
use crate::zeroed_pages::ZeroedPages;

/// The rows of a table and the single steps of the blank between them.
pub(crate) struct RunGraph {
    ranking: Ranking,
    steps: Vec<[Step; 4]>,
    goal_row: usize,
}

/// A step of the blank, from one row to another.
#[derive(Clone, Copy)]
struct Step {
    /// [`NO_ROW`] at the frame.
    row: u32,
    /// Reading positions of the tile that moves; equal where the permutation stays.
    from: u8,
    to: u8,
}

const NO_ROW: u32 = u32::MAX;

/// Rows that one task works on, at least.
const TASK_ROWS: usize = 64;

impl RunGraph {
    /// The graph of this table. O(rows).
    pub(crate) fn new(id: TableId) -> Self {
        let ranking = Ranking::new(id.tray(), id.tiles().len(), id.kind());
        let mut steps = Vec::with_capacity(ranking.rows());
        for (index, &shape) in ranking.shapes().iter().enumerate() {
            let free = id.tray().iter().filter(|&cell| !shape.contains(cell));
            for blank in free {
                let step = |direction| {
                    let Some(next) = id.tray().step(blank, direction) else {
                        return Step {
                            row: NO_ROW,
                            from: 0,
                            to: 0,
                        };
                    };
                    let (moved, from, to) = match shape.contains(next) {
                        true => {
                            let moved = shape.without(next).with(blank);
                            let to = moved.count_before(blank);
                            (ranking.shape_index(moved), shape.count_before(next), to)
                        }
                        false => (index, 0, 0),
                    };
                    Step {
                        row: ranking.row(moved, next) as u32,
                        from: from as u8,
                        to: to as u8,
                    }
                };
                steps.push(Direction::ALL.map(step));
            }
        }
        RunGraph {
            goal_row: ranking.goal_row(id),
            ranking,
            steps,
        }
    }

    /// The numbering of the rows.
    pub(crate) fn into_ranking(self) -> Ranking {
        self.ranking
    }

    /// The numbering of the rows.
    pub(crate) fn ranking(&self) -> &Ranking {
        &self.ranking
    }
}

/// How many bits of a row are set.
type Count = u32;

/// Runs over the whole graph; gives what the recorder kept, row by row, and how many entries have each value.
pub(crate) fn sweep_runs<R: Recorder>(
    graph: &RunGraph,
    recorder: &R,
    control: &Control<BuildEvent>,
) -> Result<(Histogram, ZeroedPages<R::Recorded>), Stop> {
    let ranking = &graph.ranking;
    let (rows, entries) = (ranking.rows(), ranking.row_entries());
    let words = entries.div_ceil(WORD_BITS);
    let (by_row, _) = recorder.sizes();
    let bits = || ZeroedPages::<Word>::zeros(rows * words);
    let (mut source, mut target, mut visited) = (bits(), bits(), bits());
    let counts = || ZeroedPages::<Count>::zeros(rows);
    let (mut source_set, mut target_set, mut found) = (counts(), counts(), counts());
    let mut kept = ZeroedPages::<R::Recorded>::zeros(rows * by_row);
    let goal = graph.goal_row;
    source[goal * words] = 1;
    visited[goal * words] = 1;
    (source_set[goal], found[goal]) = (1, 1);
    recorder
        .record(
            0,
            goal,
            &source[goal * words..][..words],
            &mut kept[goal * by_row..][..by_row],
            &mut [],
        )
        .map_err(Stop::Mismatch)?;
    let mut values = Histogram::default();
    values.add(0, 1);
    let mut total = 1;
    let scatter = Scatter::new(ranking.tiles(), ranking.tray().width() - 1);
    for level in 1..u8::MAX {
        let round = Round {
            graph,
            scatter: &scatter,
            recorder,
            level,
            words,
            entries: entries as Count,
            by_row,
            source: &source,
            source_set: &source_set,
        };
        let part = Part {
            target: &mut target,
            target_set: &mut target_set,
            visited: &mut visited,
            found: &mut found,
            kept: &mut kept,
        };
        let new = round.run(0..rows, part).map_err(Stop::Mismatch)?;
        if new == 0 {
            return Ok((values, kept));
        }
        values.add(level, new);
        total += new;
        control.report(&BuildEvent::Level(LevelReport {
            level,
            new,
            found: total,
            entries: ranking.entries(),
        }));
        if control.is_cancelled() {
            return Err(Stop::Cancelled { saved: None });
        }
        std::mem::swap(&mut source, &mut target);
        std::mem::swap(&mut source_set, &mut target_set);
    }
    Err(Stop::TooFar)
}

/// The rows that one task writes.
struct Part<'a, K> {
    target: &'a mut [Word],
    target_set: &'a mut [Count],
    visited: &'a mut [Word],
    found: &'a mut [Count],
    kept: &'a mut [K],
}

/// One round: everything that is only read.
struct Round<'a, R> {
    graph: &'a RunGraph,
    scatter: &'a Scatter,
    recorder: &'a R,
    level: u8,
    words: usize,
    entries: Count,
    by_row: usize,
    source: &'a [Word],
    source_set: &'a [Count],
}

/// Rows of bits that a task works with.
struct Room {
    /// What has come in from one side so far.
    gathered: Vec<Word>,
    carried: Vec<Word>,
    /// Zeros, for [`Scatter::or_into`].
    zeros: Vec<Word>,
}

impl<R: Recorder> Round<'_, R> {
    /// Works on some rows, in parallel halves, and returns the number of new entries.
    fn run(&self, rows: Range<usize>, part: Part<'_, R::Recorded>) -> Result<u64, Mismatch> {
        if rows.len() <= TASK_ROWS {
            return self.run_task(rows, part);
        }
        let middle = usize::midpoint(rows.start, rows.end);
        let cut = middle - rows.start;
        let (target, target_2) = part.target.split_at_mut(cut * self.words);
        let (target_set, target_set_2) = part.target_set.split_at_mut(cut);
        let (visited, visited_2) = part.visited.split_at_mut(cut * self.words);
        let (found, found_2) = part.found.split_at_mut(cut);
        let (kept, kept_2) = part.kept.split_at_mut(cut * self.by_row);
        let first = Part {
            target,
            target_set,
            visited,
            found,
            kept,
        };
        let second = Part {
            target: target_2,
            target_set: target_set_2,
            visited: visited_2,
            found: found_2,
            kept: kept_2,
        };
        let (first, second) = crate::parallel::join(
            || self.run(rows.start..middle, first),
            || self.run(middle..rows.end, second),
        );
        Ok(first? + second?)
    }

    fn run_task(&self, rows: Range<usize>, part: Part<'_, R::Recorded>) -> Result<u64, Mismatch> {
        let mut room = Room {
            gathered: vec![0; self.words],
            carried: vec![0; self.words],
            zeros: vec![0; self.words],
        };
        let mut total = 0;
        for (index, row) in rows.enumerate() {
            part.target_set[index] = 0;
            if part.found[index] == self.entries {
                continue;
            }
            let target = &mut part.target[index * self.words..][..self.words];
            let visited = &mut part.visited[index * self.words..][..self.words];
            let new = self.expand(row, target, visited, &mut room);
            if new == 0 {
                continue;
            }
            part.target_set[index] = new;
            part.found[index] += new;
            total += u64::from(new);
            let kept = &mut part.kept[index * self.by_row..][..self.by_row];
            self.recorder
                .record(self.level, row, target, kept, &mut [])?;
        }
        Ok(total)
    }

    /// Finds the new frontier of a row; returns the number of its entries.
    fn expand(
        &self,
        row: usize,
        target: &mut [Word],
        visited: &mut [Word],
        room: &mut Room,
    ) -> Count {
        let mut is_live = false;
        for side in 0..4 {
            is_live |= self.gather(row, side, target, !is_live, room);
        }
        if !is_live {
            return 0;
        }
        let mut new = 0;
        for (target, visited) in target.iter_mut().zip(visited) {
            *target &= !*visited;
            *visited |= *target;
            new += target.count_ones();
        }
        new
    }

    /// ORs what comes to a row from one side into `target`, which is cleared before if `is_first`. Whether there was
    /// anything; if not the target is left as it is.
    fn gather(
        &self,
        row: usize,
        side: usize,
        target: &mut [Word],
        is_first: bool,
        room: &mut Room,
    ) -> bool {
        let mut line = [Step {
            row: NO_ROW,
            from: 0,
            to: 0,
        }; puzzle::Tray::MAX_SIDE];
        let mut length = 0;
        let mut step = self.graph.steps[row][side];
        let mut is_live = false;
        while step.row != NO_ROW {
            line[length] = step;
            length += 1;
            is_live |= self.source_set[step.row as usize] > 0;
            step = self.graph.steps[step.row as usize][side];
        }
        if !is_live {
            return false;
        }
        if is_first {
            target.fill(0);
        }
        let mut set = 0;
        for (place, step) in line[..length].iter().enumerate().rev() {
            let from_here = self.source_set[step.row as usize];
            if from_here > 0 {
                let source = &self.source[step.row as usize * self.words..][..self.words];
                if set == 0 {
                    room.gathered.copy_from_slice(source);
                } else {
                    or(&mut room.gathered, source);
                }
                set += from_here;
            }
            if set == 0 {
                continue;
            }
            let is_last = place == 0;
            // The run comes in, so the step is made backwards.
            let pair = (step.to, step.from);
            match (step.from == step.to, is_last) {
                (true, true) => or(target, &room.gathered),
                (true, false) => {}
                (false, true) => {
                    let Room {
                        gathered, zeros, ..
                    } = room;
                    self.scatter.or_into(pair, gathered, set, target, zeros);
                }
                (false, false) => {
                    room.carried.fill(0);
                    let Room {
                        gathered,
                        carried,
                        zeros,
                    } = room;
                    self.scatter.or_into(pair, gathered, set, carried, zeros);
                    std::mem::swap(gathered, carried);
                }
            }
        }
        true
    }
}

fn or(target: &mut [Word], source: &[Word]) {
    for (target, source) in target.iter_mut().zip(source) {
        *target |= source;
    }
}
