//! Counts the nodes of the best candidates in rounds: those that IDA* generates, for all orders of
//! the blank's moves at once.
//!
//! Only the last depth-first search of IDA* depends on the order, because that search ends at the
//! first solution. The tree of the last bound is therefore traversed once, completely. A subtree
//! without a solution has the same number of nodes in every order. A subtree with solutions has one
//! count per order, computed from the counts of its children. This is not a solver: it stores no
//! solution, and it takes longer than a search for one solution, because it traverses the complete
//! last tree.

use std::array;
use std::collections::HashMap;
use std::ops::Range;

use puzzle::{Cell, Direction, State, Tray};
use solver::{PatternLookup, PatternState};

use super::measurements::{each, is_large};
use super::partitions::Parts;
use super::report::{Candidate, Stage, TuneError};
use super::tuning::{TuneControl, Tuning};

/// Number of sets in the first round, as a multiple of the number of reported sets.
const CONTENDERS: usize = 6;

/// A candidate whose nodes are counted, with its summed node count for each move order.
struct Racer {
    sums: [u64; ORDERS],
    is_counted: bool,
    candidate: Candidate,
}

impl Tuning<'_> {
    /// Counts the nodes of the candidates in rounds, and sorts the counted candidates by their
    /// nodes. The first rounds may use only some of the states. Also returns the number of states
    /// searched. If the time limit ends the counting early, the last complete round decides the
    /// order. After an incomplete first round, the counted candidates come first, and the others
    /// follow in the order of their means.
    pub(super) fn race(
        &mut self,
        candidates: Vec<Candidate>,
    ) -> Result<(Vec<Candidate>, usize), TuneError> {
        let (finalists, all) = (self.options.finalists, self.options.searched.len());
        let racer = |candidate| Racer {
            sums: [0; ORDERS],
            is_counted: false,
            candidate,
        };
        let mut racers: Vec<Racer> = candidates.into_iter().map(racer).collect();
        // Building large tables takes most of the time, so there are fewer rounds with large
        // tables.
        let largest = self.sizes.first().copied().unwrap_or(1);
        let rounds: &[(usize, usize)] = match is_large(self.options.tray, largest) {
            true => &[(1, CONTENDERS), (1, 1)],
            false => &[(4, CONTENDERS), (2, 2), (1, 1)],
        };
        let mut from = 0;
        let mut is_late = false;
        for &(share, contenders) in rounds {
            let mut others = 0;
            racers.retain(|racer| {
                others += usize::from(!racer.candidate.is_known);
                racer.candidate.is_known || others <= contenders * finalists
            });
            let (to, total) = (all.div_ceil(share), racers.len() as u64);
            if from == to || is_late {
                continue;
            }
            let before: Vec<_> = racers.iter().map(|racer| racer.sums).collect();
            let mut done = 0;
            for racer in &mut racers {
                is_late = !self.count(&racer.candidate.partitions, from..to, &mut racer.sums)?;
                if is_late {
                    break;
                }
                done += 1;
                self.control.report(Stage::Search, done as u64, total);
            }
            if is_late && (from > 0 || done == 0) {
                // Node counts are comparable only over the same states, so an incomplete round is
                // ignored.
                let all = racers.iter_mut().zip(before);
                all.for_each(|(racer, sums)| racer.sums = sums);
                continue;
            }
            let counted = racers.iter_mut().take(done);
            counted.for_each(|racer| racer.is_counted = true);
            // The counts are summed over all orders, because the choice of the best of 24 orders
            // depends partly on chance. After an incomplete first round, candidates without counts
            // follow in the order of their means.
            racers.sort_by_key(|racer| (!racer.is_counted, racer.sums.iter().sum::<u64>()));
            from = to;
        }
        for racer in racers.iter_mut().filter(|racer| racer.is_counted) {
            let means = racer.sums.map(|sum| sum as f64 / from as f64);
            let nodes = &mut racer.candidate.nodes;
            *nodes = orders().into_iter().zip(means).collect();
            nodes.sort_by(|a, b| a.1.total_cmp(&b.1));
        }
        let nodes = |c: &Candidate| c.nodes.first().map_or(f64::INFINITY, |&(_, nodes)| nodes);
        let mut candidates: Vec<Candidate> = racers.into_iter().map(|r| r.candidate).collect();
        candidates.sort_by(|a, b| nodes(a).total_cmp(&nodes(b)));
        Ok((candidates, from))
    }

    /// Counts the nodes generated with a set of partitions for a range of the states. Adds the
    /// count of each move order to `sums`. If the time limit ends the count, adds nothing and
    /// returns `false`.
    fn count(
        &mut self,
        set: &[Parts],
        range: Range<usize>,
        sums: &mut [u64; ORDERS],
    ) -> Result<bool, TuneError> {
        let (tray, goal_blank) = (self.options.tray, self.options.goal_blank);
        let mut tables = HashMap::new();
        let mut views = Vec::new();
        for view in self.views(set) {
            let mut counted = CountedView {
                parts: Vec::new(),
                part_of_tile: vec![0; tray.cells()],
            };
            for tiles in view {
                for tile in tiles.iter() {
                    counted.part_of_tile[tile.index()] = counted.parts.len();
                }
                self.control.check()?;
                if self.is_over(1.0) {
                    return Ok(false);
                }
                let part = self.measurements.lookup(tiles, &mut tables)?;
                counted.parts.push(part);
            }
            views.push(counted);
        }
        let counts = each(&self.options.searched[range], |state| {
            Counter::new(tray, goal_blank, &views, self.control).count(state)
        });
        let Some(counts) = counts.into_iter().collect::<Option<Vec<_>>>() else {
            self.control.check()?;
            return match self.is_over(1.0) {
                true => Ok(false),
                false => Err(TuneError::Cancelled),
            };
        };
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum += counts.iter().map(|counts| counts[index]).sum::<u64>();
        }
        Ok(true)
    }
}

/// Number of orders of the four moves.
const ORDERS: usize = 24;

/// The orders, numbered as in [`Counter::count`].
fn orders() -> [[Direction; 4]; ORDERS] {
    array::from_fn(|number| {
        let mut order = [0; 4];
        puzzle::unrank_permutation(number as u32, &mut order);
        order.map(|index| Direction::ALL[usize::from(index)])
    })
}

/// A view: parts that cover all tiles, and the part of each tile.
struct CountedView {
    parts: Vec<PatternLookup>,
    part_of_tile: Vec<usize>,
}

/// Counts nodes for one state after another.
struct Counter<'a> {
    views: &'a [CountedView],
    goal_blank: Cell,
    /// Destinations of the blank from each cell, by the index of the direction in
    /// [`Direction::ALL`].
    steps: Vec<[Option<Cell>; 4]>,
    orders: [[usize; 4]; ORDERS],
    control: &'a TuneControl<'a>,

    pieces: Vec<Cell>,
    /// The states of each view's parts.
    places: Vec<Vec<PatternState>>,
    /// For each view, the sum of the values of its parts.
    sums: Vec<i32>,
    /// The pattern states and sums before the moves of the path, for undoing these moves.
    replaced: Vec<(PatternState, i32)>,
    /// The smallest excess of an estimate over the bound.
    least_over: i32,
    generated: u64,
    next_check: u64,
    is_stopped: bool,
}

/// Counts of a depth-first search below a node.
#[derive(Default)]
struct Tree {
    /// Number of nodes below this node, if neither it nor one of them is a solution.
    nodes: u64,
    /// For each move order, the number of nodes generated up to the first solution; `None` if there
    /// is no solution at or below this node.
    to_solution: Option<Box<[u64; ORDERS]>>,
}

/// Nodes between two checks of cancellation and time.
const NODES_PER_CHECK: u64 = 1 << 16;

impl<'a> Counter<'a> {
    fn new(
        tray: Tray,
        goal_blank: Cell,
        views: &'a [CountedView],
        control: &'a TuneControl<'a>,
    ) -> Self {
        let index = |d: Direction| Direction::ALL.iter().position(|&other| other == d);
        Counter {
            views,
            goal_blank,
            steps: tray
                .iter()
                .map(|cell| Direction::ALL.map(|direction| tray.step(cell, direction)))
                .collect(),
            orders: orders().map(|order| order.map(|direction| index(direction).unwrap_or(0))),
            control,
            pieces: Vec::new(),
            places: Vec::new(),
            sums: Vec::new(),
            replaced: Vec::new(),
            least_over: 0,
            generated: 0,
            next_check: NODES_PER_CHECK,
            is_stopped: false,
        }
    }

    /// For each move order, the number of nodes generated until a shortest solution of a solvable
    /// state is found. Nodes are counted as in [`solver::SearchStats::generated`] with
    /// [`solver::DuplicatePruning::ParentOnly`]. `None` if cancelled or out of time.
    fn count(&mut self, state: &State) -> Option<[u64; ORDERS]> {
        if self.must_stop() {
            return None;
        }
        if state.is_goal() {
            return Some([0; ORDERS]);
        }
        self.pieces = state.pieces().to_vec();
        self.places.clear();
        for view in self.views {
            let places: Option<_> = view.parts.iter().map(|part| part.root(state)).collect();
            self.places.push(places?);
        }
        let sum = |places: &Vec<PatternState>| places.iter().map(|at| i32::from(at.value())).sum();
        self.sums = self.places.iter().map(sum).collect();
        let mut bound = self.sums.iter().copied().max()?;
        let mut before = 0;
        loop {
            self.least_over = i32::MAX;
            let tree = self.expand(state.blank(), None, bound);
            if self.is_stopped {
                return None;
            }
            if let Some(counts) = tree.to_solution {
                return Some(counts.map(|count| before + count));
            }
            before += tree.nodes;
            // If no node was pruned, the complete tree has no solution, so the state is unsolvable.
            bound = (self.least_over < i32::MAX).then(|| bound + self.least_over)?;
        }
    }

    fn must_stop(&self) -> bool {
        self.control.check().is_err() || self.control.is_over(1.0)
    }

    /// Searches the tree below a node, with `left` moves remaining.
    fn expand(&mut self, blank: Cell, undo: Option<usize>, left: i32) -> Tree {
        // A move that does not exist, and the reverse move, have no child.
        let mut children = [const { None }; 4];
        let mut tree = Tree::default();
        for (by, child) in children.iter_mut().enumerate() {
            let from = self.steps[blank.index()][by];
            let Some(from) = from.filter(|_| undo != Some(by)) else {
                continue;
            };
            tree.nodes += 1 + child.insert(self.visit(blank, from, by, left - 1)).nodes;
            if self.is_stopped {
                return tree;
            }
        }
        let is_solved = |child: &Tree| child.to_solution.is_some();
        if children.iter().flatten().any(is_solved) {
            let counts = array::from_fn(|order| self.in_order(order, &children));
            tree.to_solution = Some(Box::new(counts));
        }
        tree
    }

    /// For a node with a solution below it: number of nodes that a search in this move order
    /// generates below the node, up to the first solution.
    fn in_order(&self, order: usize, children: &[Option<Tree>; 4]) -> u64 {
        let mut nodes = 0;
        for child in self.orders[order]
            .iter()
            .filter_map(|&by| children[by].as_ref())
        {
            nodes += 1;
            match &child.to_solution {
                Some(counts) => return nodes + counts[order],
                None => nodes += child.nodes,
            }
        }
        nodes
    }

    /// Moves the tile on `from` into the blank, visits the child, and moves the tile back.
    fn visit(&mut self, hole: Cell, from: Cell, by: usize, left: i32) -> Tree {
        self.generated += 1;
        if self.generated >= self.next_check {
            self.next_check += NODES_PER_CHECK;
            self.is_stopped |= self.must_stop();
        }
        let tile = self.pieces[from.index()];
        // The child is pruned unless all views allow it.
        let mut child = Tree::default();
        let mut moved = 0;
        for (number, view) in self.views.iter().enumerate() {
            let part = view.part_of_tile[tile.index()];
            let old = self.places[number][part];
            let new = view.parts[part].after(old, from, hole);
            let sum = self.sums[number] + i32::from(new.value()) - i32::from(old.value());
            if sum > left {
                self.least_over = self.least_over.min(sum - left);
                break;
            }
            self.replaced.push((old, self.sums[number]));
            (self.places[number][part], self.sums[number]) = (new, sum);
            moved += 1;
        }
        if moved == self.views.len() {
            self.pieces[hole.index()] = tile;
            self.pieces[from.index()] = self.goal_blank;
            // The parts cover all tiles, so the sum of their values is 0 only at the goal.
            match self.sums[0] {
                0 => child.to_solution = Some(Box::new([0; ORDERS])),
                // `by ^ 1` is the opposite direction: opposite directions are adjacent in
                // `Direction::ALL`.
                _ => child = self.expand(from, Some(by ^ 1), left),
            }
            self.pieces[from.index()] = tile;
            self.pieces[hole.index()] = self.goal_blank;
        }
        for number in (0..moved).rev() {
            let part = self.views[number].part_of_tile[tile.index()];
            if let Some((old, sum)) = self.replaced.pop() {
                (self.places[number][part], self.sums[number]) = (old, sum);
            }
        }
        child
    }
}
