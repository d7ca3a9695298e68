//! Predicts the number of nodes that IDA* expands, from the distribution of a heuristic's values.
//!
//! R. E. Korf, M. Reid and S. Edelkamp, Time complexity of iterative-deepening-A*, Artificial
//! Intelligence 129, 2001, theorem 1: the number of nodes expanded with the bound d is a sum over
//! all depths i. Each term is the number of nodes of the brute-force tree at depth i, multiplied by
//! the share of states with a value of at most d - i. Here both factors are computed separately for
//! each cell of the blank. This makes the number of nodes of the tree exact. It also lets the share
//! of states account for parity: if each move changes the value by one, the blank's cell determines
//! whether values are even or odd.

use pdb_table::Cancel;
use puzzle::{Cell, Goal, Scrambler, Tray};

use crate::heuristic::AnyHeuristic;
use crate::position::{Position, TooLarge};
use crate::search::{DEFAULT_ORDER, Steps};

pub use crate::search::count_expanded;

/// For each cell of the blank, the distribution of a heuristic's values over all states, estimated
/// from a sample.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// For each cell of the blank and each value: the share of states whose value is at most this
    /// value.
    shares: Vec<Vec<f64>>,
    steps: Steps,
}

impl Distribution {
    /// Samples the heuristic's value on uniformly random solvable states, with one lookup per
    /// state. Only values far below the mean matter in a search, and only one state in a few
    /// thousand has such a value. Predictions from fewer than a million states are therefore rough.
    /// Cancelling ends the sample early.
    ///
    /// # Errors
    /// [`TooLarge`] for trays that are too large for a [`Position`].
    pub fn sample(
        heuristic: &dyn AnyHeuristic,
        goal: &Goal,
        states: u64,
        seed: u64,
        cancel: &Cancel,
    ) -> Result<Distribution, TooLarge> {
        let tray = goal.tray();
        let mut scrambler = Scrambler::new(seed);
        Position::new(&Scrambler::new(seed).draw(tray, goal.blank()))?;
        // States are drawn one by one: a list of millions of them would exhaust the memory.
        let states = (0..states).take_while(|number| number % 4096 > 0 || !cancel.is_cancelled());
        let values = states.filter_map(|_| {
            let state = scrambler.draw(tray, goal.blank());
            let position = Position::new(&state).ok()?;
            Some((state.blank(), heuristic.estimate(&position)))
        });
        Ok(Distribution::of(tray, values))
    }

    /// The distribution of `values`, which are pairs of a state's blank cell and the state's value.
    pub fn of(tray: Tray, values: impl IntoIterator<Item = (Cell, u32)>) -> Distribution {
        let mut counts: Vec<Vec<u64>> = vec![Vec::new(); tray.cells()];
        for (blank, value) in values {
            let (own, value) = (&mut counts[blank.index()], value as usize);
            if own.len() <= value {
                own.resize(value + 1, 0);
            }
            own[value] += 1;
        }
        let shares = counts.into_iter().map(|counts| {
            let all: u64 = counts.iter().sum();
            let mut sum = 0;
            let up_to = counts.into_iter().map(|count| {
                sum += count;
                sum as f64 / all as f64
            });
            up_to.collect()
        });
        Distribution {
            shares: shares.collect(),
            steps: Steps::new(tray, DEFAULT_ORDER),
        }
    }

    /// Expected number of nodes that a complete iteration of IDA* with this bound expands: the
    /// nodes with g + h of at most the bound. The start is a board with the blank on the cell
    /// `blank`. Takes O(bound * cells) time.
    #[must_use]
    pub fn expanded(&self, blank: Cell, bound: u32) -> f64 {
        // Number of the tree's nodes for each list of [`Steps`], that is, for each blank cell and
        // last move.
        let lists = 5 * self.shares.len();
        let mut level = vec![0.0; lists];
        level[usize::from(Steps::first(blank.index() as u8))] = 1.0;
        let mut sum = 0.0;
        for depth in 0..=bound {
            let mut next = vec![0.0; lists];
            for (list, &nodes) in (0_u16..).zip(&level).filter(|(_, nodes)| **nodes > 0.0) {
                sum += nodes * self.share(usize::from(list) / 5, bound - depth);
                for step in self.steps.list(list) {
                    next[usize::from(step.list)] += nodes;
                }
            }
            level = next;
        }
        sum
    }

    /// Among the states with the blank on the cell `blank`, the share of states whose value is at
    /// most `value`.
    fn share(&self, blank: usize, value: u32) -> f64 {
        let shares = &self.shares[blank];
        let at = shares.get(value as usize).or(shares.last());
        at.copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::{HeuristicChoice, HeuristicFactory, Zero};
    use crate::search::Limits;

    /// Without a heuristic, each node of the tree down to the bound is expanded.
    #[test]
    fn predictions_of_the_tree_are_exact() {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let distribution = Distribution::sample(&Zero, &goal, 1000, 1, &Cancel::default()).unwrap();
        // At the start, the blank has 2 moves in a corner. Later it has 2 on an edge, 3 in the
        // centre and 1 in a corner, because the reverse move is excluded.
        let expected = [1.0, 3.0, 7.0, 15.0, 31.0];
        for (bound, expected) in (0..).zip(expected) {
            assert_eq!(
                distribution.expanded(Cell::new(8), bound),
                expected,
                "{bound}"
            );
        }
    }

    /// A sequence of moves of the blank from one cell to another maps the states with the blank on
    /// the first cell one-to-one to those with the blank on the second. Summed over all start
    /// states, the prediction is therefore exact for consistent heuristics.
    #[test]
    fn predictions_over_all_states_are_exact() {
        let goal = Goal::blank_last("3x2".parse().unwrap());
        let tray = goal.tray();
        let factory = HeuristicFactory::default();
        for name in ["manhattan", "linear-conflict", "3-2"] {
            let choice: HeuristicChoice = name.parse().unwrap();
            let heuristic = &*factory.heuristic(&choice, &goal).unwrap();
            let states = (0..720).filter_map(|rank| {
                let mut pieces = [0; 6];
                puzzle::unrank_permutation(rank, &mut pieces);
                let pieces = pieces.iter().map(|&piece| Cell::new(piece.into()));
                let state = puzzle::State::new(tray, goal.blank(), pieces.collect())?;
                state.check_solvable().ok()?;
                Position::new(&state).ok()
            });
            let states: Vec<Position> = states.collect();
            assert_eq!(states.len(), 360);
            let blank = |position: &Position| Cell::new(position.blank().into());
            let values = states
                .iter()
                .map(|own| (blank(own), heuristic.estimate(own)));
            let distribution = Distribution::of(tray, values);
            let sample =
                Distribution::sample(heuristic, &goal, 20_000, 1, &Cancel::default()).unwrap();
            for (cell, value) in (0..6).flat_map(|cell| [3, 6, 9].map(|value| (cell, value))) {
                let error = sample.share(cell, value) - distribution.share(cell, value);
                assert!(error.abs() < 0.04, "{name} {cell} {value}: {error}");
            }
            for bound in [8, 15, 20] {
                let (mut expanded, mut predicted) = (0, 0.0);
                for start in &states {
                    predicted += distribution.expanded(blank(start), bound);
                    expanded +=
                        count_expanded(heuristic, start, bound, &Limits::default()).unwrap();
                }
                let ratio = predicted / expanded as f64;
                assert!((ratio - 1.0).abs() < 1e-9, "{name} {bound}: {ratio}");
            }
        }
    }
}
