//! Beam search: breadth-first search that keeps the most promising boards of each layer.
//!
//! # The plain search
//!
//! ```text
//! layer = [root]
//! loop:
//!     children = {}                                  # by board: the first of duplicates is kept
//!     for node in layer:
//!         for child one move away, except moves back:
//!             if child is the goal: return its path
//!             if depth + 1 + bound(child) <= max_length: children.insert(child)
//!     layer = the `width` children with the best scores
//! ```
//!
//! # Differences from the plain search
//!
//! - **Blocks.** The children of [`BLOCK`] nodes are scored together, so that many look-ups wait
//!   for the memory at the same time (`table_guide.rs`).
//! - **Records.** A child takes only 16 bytes until selection (`layer.rs`), because most children
//!   are never selected.
//! - **Partitions.** Children are partitioned by the high bits of their hashes, so equal boards are
//!   in the same partition. A partition fits in the second-level cache while its duplicates are
//!   removed. Each node stores the moves that lead back to the previous layer. The search omits
//!   these moves, so no board occurs again two layers later.
//! - **Threads** share nodes, partitions and the next layer. Among children with equal scores, the
//!   hashes decide, so the result does not depend on the number of threads.

#[cfg(any(test, feature = "train"))]
pub(super) mod sampling;

use puzzle::State;

use super::layer::{BeamChild, BeamNode, Duplicates, Keys, Record};
use super::table_guide::{Scratch, TableGuide};
use crate::boards::{Grid, NO_CELL, PackedBoard, PairWeights, mix};
use crate::machine::prefetch;
use crate::threads::{ThreadPermits, run_all};

/// Number of nodes expanded together.
const BLOCK: usize = 64;
/// Number of blocks between two checks whether to stop: about a millisecond of work.
const CHECK: usize = 64;
/// Minimum number of nodes per thread in a layer.
const NODES_PER_THREAD: usize = 2_000;
/// Number of children per partition. It is small enough for their hashes to fit the second-level
/// cache.
pub(super) const PARTITION: usize = 16_384;
const MAX_PARTITIONS: usize = 1 << 12;
const MAX_THREADS: usize = 256;

/// Status of a beam search after a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerStatus {
    /// Moves from the root.
    pub(crate) depth: u32,
    pub(crate) nodes: usize,
    /// Children generated so far in all layers.
    pub(crate) generated: u64,
    /// The smallest bound of the layer.
    pub(crate) bound: u32,
}

pub(crate) enum BeamEnd {
    /// A solution was found. The list contains the blank's directions to the goal.
    Solved(Vec<u8>),
    /// No board is left that could lead to a solution within the length limit. If no board was
    /// dropped to keep the width, this proves that there is no such solution.
    Exhausted { is_proof: bool },
    /// The caller stopped the search.
    Stopped,
}

/// Input of a beam search.
pub(crate) struct BeamTask<'a> {
    pub(crate) seed: u64,
    /// The heuristic's value of the state.
    pub(crate) h0: u32,
    pub(crate) max_length: u32,
    pub(crate) permits: &'a ThreadPermits,
    /// Learned weights of the score.
    pub(crate) weights: &'a PairWeights,
    /// Additional cost of a move in another direction than the move before, in single moves; 0 in
    /// the single-tile metric.
    pub(crate) turn: u16,
    /// Receives samples of the layers.
    #[cfg(any(test, feature = "train"))]
    pub(crate) samples: Option<&'a std::sync::Mutex<Vec<sampling::SampledLayer>>>,
    /// Returns whether to stop immediately.
    pub(crate) is_over: &'a (dyn Fn() -> bool + Sync),
}

/// Returns the maximum number of nodes of the next layer.
pub(crate) type Width<'a> = &'a mut dyn FnMut(&LayerStatus) -> usize;

pub(crate) struct Beam<'a, const P: usize> {
    pub(crate) task: &'a BeamTask<'a>,
    pub(crate) guide: &'a TableGuide<'a, P>,
    pub(crate) goal_blank: u16,
    pub(crate) keys: Keys,
    pub(crate) grid: Grid,
}

/// The children that one thread has generated, by partition. The memory is reused.
#[derive(Default)]
struct Expander {
    partitions: Vec<Vec<Record>>,
    children: Vec<BeamChild>,
    scratch: Scratch,
    generated: u64,
    goal: Option<(u32, u8)>,
    best_bound: u16,
}

impl<const P: usize> Beam<'_, P> {
    pub(crate) fn run<B: PackedBoard>(
        &self,
        state: &State,
        values: [u8; P],
        width: Width,
    ) -> BeamEnd {
        let BeamTask {
            h0: bound,
            max_length,
            permits,
            is_over,
            ..
        } = *self.task;
        if state.is_goal() {
            return BeamEnd::Solved(Vec::new());
        }
        let root = self.root::<B>(state, values);
        let (mut layer, mut next) = (vec![root], Vec::new());
        let mut trails: Vec<Vec<u32>> = Vec::new();
        let (mut expanders, mut unique) = (Vec::new(), Vec::new());
        let mut is_proof = true;
        let mut status = LayerStatus {
            depth: 0,
            nodes: 1,
            generated: 0,
            bound,
        };
        loop {
            let width = width(&status);
            if status.depth >= max_length {
                return BeamEnd::Exhausted { is_proof };
            }
            let most = u16::try_from(max_length - status.depth - 1).unwrap_or(u16::MAX);
            let wanted = (layer.len() / NODES_PER_THREAD).min(MAX_THREADS);
            let helpers = permits.take_up_to(wanted.saturating_sub(1));
            let threads = 1 + helpers.len();
            self.expand_layer(&layer, most, threads, &mut expanders);
            if is_over() {
                return BeamEnd::Stopped;
            }
            status.generated += expanders.iter().map(|e| e.generated).sum::<u64>();
            if let Some((parent, direction)) = expanders.iter().find_map(|e| e.goal) {
                let path = path(&trails, parent, direction);
                #[cfg(any(test, feature = "train"))]
                self.sample_path(root, &path);
                return BeamEnd::Solved(path);
            }
            let bounds = expanders.iter().map(|expander| expander.best_bound);
            status.bound = bounds.min().unwrap_or(0).into();
            drop_duplicates(&expanders, threads, &mut unique);
            let choice = self.choose(&unique, width, u64::from(status.depth));
            is_proof &= choice.is_none();
            if let Some(choice) = &choice {
                let select = |(): &mut (), _, records: &mut Vec<Record>| {
                    records.retain(|record| choice.keeps(record));
                };
                each(&mut unique, threads, || (), select);
            }
            let total = unique.iter().map(Vec::len).sum();
            if total == 0 {
                return BeamEnd::Exhausted { is_proof };
            }
            // The fill value has no effect: every node is overwritten.
            next.resize(total, root);
            trails.push(self.advance(&layer, &unique, threads, &mut next));
            std::mem::swap(&mut layer, &mut next);
            #[cfg(any(test, feature = "train"))]
            self.sample_layer(&layer);
            status.depth += 1;
            status.nodes = layer.len();
        }
    }

    fn root<B: PackedBoard>(&self, state: &State, values: [u8; P]) -> BeamNode<B, P> {
        let pieces = || state.pieces().iter().map(|piece| piece.index() as u16);
        let hashes = (0..).zip(pieces());
        let hashes = hashes.map(|(cell, piece)| self.keys.of(piece, cell));
        BeamNode {
            board: B::new(pieces()),
            values,
            hash: hashes.fold(0, u64::wrapping_add),
            score: ROOT_SCORE,
            blank: state.blank().index() as u16,
            back: 0,
        }
    }

    /// Expands a layer on several threads. Each thread has its own expander.
    fn expand_layer<B: PackedBoard>(
        &self,
        layer: &[BeamNode<B, P>],
        most: u16,
        threads: usize,
        expanders: &mut Vec<Expander>,
    ) {
        // The number of partitions depends only on the layer, not on the threads.
        let partitions = (2 * layer.len() / PARTITION).next_power_of_two();
        let partitions = partitions.min(MAX_PARTITIONS);
        expanders.resize_with(threads, Expander::default);
        let share = layer.len().div_ceil(threads);
        let shares = layer.chunks(share).enumerate().zip(expanders);
        let tasks = shares.map(|((number, nodes), expander)| {
            let first = (number * share) as u32;
            move || self.expand(nodes, first, most, partitions, expander)
        });
        run_all(tasks, threads - 1);
    }

    fn expand<B: PackedBoard>(
        &self,
        nodes: &[BeamNode<B, P>],
        first: u32,
        most: u16,
        partitions: usize,
        expander: &mut Expander,
    ) {
        expander.partitions.resize_with(partitions, Vec::new);
        expander.partitions.iter_mut().for_each(Vec::clear);
        (expander.generated, expander.goal) = (0, None);
        expander.best_bound = u16::MAX;
        let shift = 64 - partitions.trailing_zeros();
        let turn = self.task.turn * self.guide.unit();
        for (number, block) in nodes.chunks(BLOCK).enumerate() {
            let children = &mut expander.children;
            children.clear();
            for (parent, node) in block.iter().enumerate() {
                for (direction, &from) in self.grid.neighbours(node.blank.into()).iter().enumerate()
                {
                    if from == NO_CELL || node.back >> direction & 1 == 1 {
                        continue;
                    }
                    children.push(BeamChild {
                        parent: parent as u16,
                        tile: node.board.get(from),
                        from,
                        hole: node.blank,
                        direction: direction as u8,
                        change: 0,
                        score: 0,
                        bound: 0,
                    });
                }
            }
            if number % CHECK == 0 && (self.task.is_over)() {
                return;
            }
            self.guide.score(block, children, &mut expander.scratch);
            expander.generated += children.len() as u64;
            for child in children.iter().filter(|child| child.bound <= most) {
                let parent = first + (number * BLOCK) as u32 + u32::from(child.parent);
                if child.bound == 0 {
                    expander.goal.get_or_insert((parent, child.direction));
                }
                let (keys, node) = (&self.keys, &block[usize::from(child.parent)]);
                let moved = keys
                    .of(child.tile, child.hole)
                    .wrapping_sub(keys.of(child.tile, child.from));
                let blank = self.goal_blank;
                let hole = keys
                    .of(blank, child.from)
                    .wrapping_sub(keys.of(blank, child.hole));
                let hash = node.hash.wrapping_add(moved).wrapping_add(hole);
                // Directions 0 and 1 are opposite to each other, and so are 2 and 3.
                let back = 1 << (child.direction ^ 1);
                let turns = u16::from(node.back & back == 0);
                expander.best_bound = expander.best_bound.min(child.bound);
                let partition = if partitions == 1 {
                    0
                } else {
                    (hash >> shift) as usize
                };
                expander.partitions[partition].push(Record {
                    hash,
                    parent,
                    score: child.score.saturating_add(turns * turn).min(MAX_SCORE),
                    direction: child.direction,
                    change_and_back: child.change << 4 | back,
                });
            }
        }
    }

    /// Selects about `width` children to keep. Returns `None` if all are kept.
    fn choose(&self, unique: &[Vec<Record>], width: usize, depth: u64) -> Option<Choice> {
        if unique.iter().map(Vec::len).sum::<usize>() <= width {
            return None;
        }
        let scores = || unique.iter().flatten().map(|record| record.score);
        let (least, most) = (scores().min()?, scores().max()?);
        let mut counts = vec![0_usize; usize::from(most - least) + 1];
        scores().for_each(|score| counts[usize::from(score - least)] += 1);
        let mut left = width;
        for (score, count) in (least..).zip(counts) {
            if count > left {
                return Some(Choice {
                    score,
                    share: (left as f64 / count as f64 * u64::MAX as f64) as u64,
                    salt: mix(self.task.seed ^ depth << 32),
                });
            }
            left -= count;
        }
        None
    }

    /// Writes the selected children to the next layer. Returns one number for each child: the index
    /// of its parent and, in the lowest two bits, the direction in which the blank moved.
    fn advance<B: PackedBoard>(
        &self,
        layer: &[BeamNode<B, P>],
        chosen: &[Vec<Record>],
        threads: usize,
        next: &mut [BeamNode<B, P>],
    ) -> Vec<u32> {
        let make = |record: &Record| {
            let parent = &layer[record.parent as usize];
            let from = self.grid.neighbours(parent.blank.into())[usize::from(record.direction)];
            let tile = parent.board.get(from);
            let mut node = BeamNode {
                board: parent.board.slid(tile, from, parent.blank, self.goal_blank),
                values: parent.values,
                hash: record.hash,
                score: record.score,
                blank: from,
                back: record.change_and_back & 15,
            };
            self.guide
                .advance(&mut node.values, tile, record.change_and_back >> 4);
            node
        };
        let mut rest = next;
        let mut tasks = Vec::with_capacity(chosen.len());
        for records in chosen {
            let (nodes, others) = rest.split_at_mut(records.len());
            rest = others;
            tasks.push((records, nodes));
        }
        each(
            &mut tasks,
            threads,
            || (),
            |(), _, (records, nodes)| {
                for (at, (record, node)) in records.iter().zip(nodes.iter_mut()).enumerate() {
                    if let Some(soon) = records.get(at + AHEAD) {
                        prefetch(layer, soon.parent as usize);
                    }
                    *node = make(record);
                }
            },
        );
        let steps = chosen.iter().flatten();
        steps
            .map(|record| record.parent << 2 | u32::from(record.direction))
            .collect()
    }
}

/// Score of the root. Scores fall on the way to the goal and can rise temporarily. If they begin at
/// this value, they neither fall below zero nor exceed the maximum.
const ROOT_SCORE: u16 = u16::MAX / 4 * 3;
/// Highest score that a node keeps, so that no move from it exceeds 16 bits: the costs of turns add
/// up, and on long narrow trays a path has many.
const MAX_SCORE: u16 = u16::MAX - 1024;
/// Number of records between the prefetch of a parent and its use.
const AHEAD: usize = 8;

/// Selection of children. Children with a score below `score` are kept. Children with exactly this
/// score are kept if their hash, mixed with the salt, is below `share`.
struct Choice {
    score: u16,
    share: u64,
    salt: u64,
}

impl Choice {
    #[inline(always)]
    fn keeps(&self, record: &Record) -> bool {
        record.score < self.score
            || record.score == self.score && mix(record.hash ^ self.salt) < self.share
    }
}

/// The directions of the blank from the root to a node of the last layer, followed by `direction`.
fn path(trails: &[Vec<u32>], parent: u32, direction: u8) -> Vec<u8> {
    let mut directions = vec![direction];
    let mut at = parent;
    for trail in trails.iter().rev() {
        let step = trail[at as usize];
        directions.push(step as u8 & 3);
        at = step >> 2;
    }
    directions.reverse();
    directions
}

/// Collects the children of all expanders in `unique`, by partition and without duplicates.
fn drop_duplicates(expanders: &[Expander], threads: usize, unique: &mut Vec<Vec<Record>>) {
    let partitions = expanders.first().map_or(0, |first| first.partitions.len());
    unique.resize_with(partitions, Vec::new);
    each(
        unique,
        threads,
        Duplicates::default,
        |duplicates, number, unique| {
            let records = expanders.iter().map(|e| &e.partitions[number][..]);
            let count = records.clone().map(<[Record]>::len).sum();
            duplicates.remove(records, unique, count);
        },
    );
}

fn each<T: Send, S>(
    items: &mut [T],
    threads: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, &mut T) + Sync,
) {
    let share = items.len().div_ceil(threads).max(1);
    let tasks = items.chunks_mut(share).enumerate().map(|(part, items)| {
        let (work, scratch) = (&work, &scratch);
        move || {
            let mut scratch = scratch();
            for (at, item) in items.iter_mut().enumerate() {
                work(&mut scratch, part * share + at, item);
            }
        }
    });
    run_all(tasks, threads - 1);
}

#[cfg(test)]
mod tests {
    use puzzle::{Goal, Scrambler};

    use super::*;
    use crate::anytime::tile_terms::UNIT;
    use crate::boards::neighbour_pairs::pairs_of;
    use crate::boards::{LEARNED, PAIR_UNIT};

    /// Largest change of the learned term, in moves.
    const LEARNED_MOVES: f64 = 100.0;

    /// The worst case is four views of an 8x8 board with all tiles as far from their goal cells as
    /// possible. The distances are then 512 moves in total, and each move counts up to 1.2 units
    /// per view. Detours of the path may add 128 moves.
    #[test]
    fn scores_never_fall_below_zero() {
        let units = |moves: f64| 4.0 * (moves * 1.2 + LEARNED_MOVES) * UNIT;
        assert!(f64::from(ROOT_SCORE) > units(512.0));
        assert!(f64::from(u16::MAX - ROOT_SCORE) > units(128.0));
    }

    #[test]
    fn learned_terms_of_random_boards_are_small() {
        let goal = Goal::blank_last("8x8".parse().unwrap());
        let (tray, blank) = (goal.tray(), goal.blank());
        let moves = |state: &State| {
            let pieces = state.pieces().iter().map(|piece| piece.index() as u16);
            let pairs = pairs_of(tray, blank, &pieces.collect::<Vec<_>>()).into_iter();
            let sum: i32 = pairs.map(|pair| i32::from(LEARNED[pair] as i8)).sum();
            f64::from(sum) / f64::from(PAIR_UNIT)
        };
        let mut scrambler = Scrambler::new(1);
        let goal = moves(&State::goal(tray, blank));
        for _ in 0..300 {
            let change = moves(&scrambler.draw(tray, blank)) - goal;
            assert!(change.abs() < LEARNED_MOVES / 2.0, "{change}");
        }
    }

    #[test]
    fn equal_scores_are_kept_by_smallest_hashes() {
        let record = |score, hash| Record {
            hash,
            parent: 0,
            score,
            direction: 0,
            change_and_back: 0,
        };
        let choice = |share| Choice {
            score: 7,
            share,
            salt: 5,
        };
        for hash in [0, 9, u64::MAX] {
            let place = mix(hash ^ 5);
            assert!(choice(0).keeps(&record(6, hash)));
            assert!(!choice(place).keeps(&record(7, hash)));
            assert!(choice(place + 1).keeps(&record(7, hash)));
            assert!(!choice(u64::MAX).keeps(&record(8, hash)));
        }
    }
}
