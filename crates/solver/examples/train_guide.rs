//! Learns the weights of neighbouring tiles from the solver's own beams, and writes them to a file:
//!
//! ```sh
//! cargo run --release -p sliding-tile-pdb-solver --features train --example train_guide -- FILE
//! ```
//!
//! The weights of the solver are `crates/solver/src/boards/neighbour_pairs.i8`. All boards are
//! random, and all seeds are fixed, so two runs on the same type of machine write the same bytes.
//! docs/experiments.md, "Learned weights", describes what is learned and from what.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::error::Error;

use puzzle::{Goal, HeuristicSpec, Scrambler};
use solver::training::{PAIR_UNIT, PAIR_WEIGHTS, pair_index, pairs_of, sample_beam};
use solver::{Solver, ThreadPermits, number_of_threads, ordered_map};

/// Size and partition of the beams. The learned weights serve good and poor tables alike.
const GUIDES: [(&str, &str); 4] = [
    ("6x6", "6-6-6-6-6-5"),
    ("6x6", "4-4-4-4-4-4-4-4-3"),
    ("7x7", "5-5-5-5-5-5-5-5-5-3"),
    ("7x7", "3-3-3-3-3-3-3-3-3-3-3-3-3-3-3-3"),
];
/// Number of boards and width of the beams, by round and guide. The beams of a round use the
/// weights learned from all earlier rounds; those of the first round have no weights.
const ROUNDS: [[(usize, usize); 4]; 3] = [
    [(400, 500), (0, 0), (0, 0), (0, 0)],
    [(600, 500), (300, 500), (400, 800), (200, 800)],
    [(600, 700), (300, 700), (600, 1000), (300, 1000)],
];

/// Passes over all samples, and the step size of AdaGrad in moves.
const PASSES: usize = 3;
const STEP: f32 = 0.06;

type Failure = Box<dyn Error + Send + Sync>;

/// A board: its score without the learned weights, in moves, and its pairs of neighbours.
struct Sample {
    score: f32,
    pairs: Vec<u16>,
}

/// The board on the path to the solution, then other boards of the same layer.
type Group = Vec<Sample>;

fn main() -> Result<(), Failure> {
    let file = std::env::args().nth(1).ok_or("usage: train_guide FILE")?;
    let guides = GUIDES.map(|(size, partition)| {
        let goal = Goal::blank_last(size.parse()?);
        let spec = HeuristicSpec::parse(partition, &goal)?;
        Ok(Solver::build_one_side(goal, spec)?)
    });
    let guides: Vec<Solver> = guides.into_iter().collect::<Result<_, Failure>>()?;
    let mut learner = Learner::new();
    let mut groups = Vec::new();
    for (round, beams) in (1..).zip(ROUNDS) {
        let weights = learner.weights();
        for (number, (guide, (boards, width))) in (0..).zip(guides.iter().zip(beams)) {
            groups.extend(sample(
                guide,
                boards,
                width,
                1000 * round + 100_000 * number,
                &weights,
            )?);
        }
        let before = Learner::new().share_in_order(&groups);
        learner.learn(&groups);
        let after = learner.share_in_order(&groups);
        let layers = groups.len();
        println!("round {round}: {layers} layers; in the right order {before:.3}, then {after:.3}");
    }
    Ok(std::fs::write(file, learner.weights())?)
}

/// Runs one beam per random board.
fn sample(
    guide: &Solver,
    boards: usize,
    width: usize,
    seed: u64,
    weights: &[u8; PAIR_WEIGHTS],
) -> Result<Vec<Group>, Failure> {
    let goal = guide.goal();
    let mut scrambler = Scrambler::new(seed);
    let states = (0..boards).map(|_| scrambler.draw(goal.tray(), goal.blank()));
    let learned = |pair: usize| f64::from(weights[pair] as i8) / f64::from(PAIR_UNIT);
    let beam = |(number, state)| {
        let layers = sample_beam(guide, &state, weights, width, seed + number)?;
        let sample = |(pieces, score): (Vec<u16>, f64)| {
            let pairs = pairs_of(&state, &pieces);
            let score = score - pairs.iter().map(|&pair| learned(pair)).sum::<f64>();
            Sample {
                score: score as f32,
                pairs: pairs.iter().map(|&pair| pair as u16).collect(),
            }
        };
        let groups = layers.into_iter();
        Ok(groups
            .map(|layer| layer.into_iter().map(sample).collect())
            .collect())
    };
    let mut results: Vec<Result<Vec<Group>, Failure>> = Vec::new();
    let (threads, permits) = (number_of_threads(0), ThreadPermits::default());
    ordered_map((0..).zip(states), threads, &permits, beam, |_, groups| {
        results.push(groups);
    });
    let results: Result<Vec<_>, _> = results.into_iter().collect();
    Ok(results?.into_iter().flatten().collect())
}

/// Learns by ranking: the board on the path should have a smaller score than the other boards of
/// its layer. The loss of a pair of boards is log(1 + exp(score of the path's board - score of the
/// other board)), with scores in moves.
///
/// The weight of a pair of neighbours is the sum of five numbers. Four of them are shared by many
/// pairs, so that rare pairs have sensible weights.
struct Learner {
    /// Indices of the numbers of a weight, and their factors.
    terms: Vec<[(u16, f32); 5]>,
    /// The numbers, in moves.
    numbers: Vec<f32>,
    /// Sums of the squares of gradients, for AdaGrad (Duchi, Hazan & Singer 2011).
    squares: Vec<f32>,
}

impl Learner {
    fn new() -> Learner {
        let index = pair_index();
        let mut known = BTreeMap::new();
        let mut number = |kind: u8, key: [usize; 4]| {
            let next = known.len() as u16;
            *known.entry((kind, key)).or_insert(next)
        };
        let offsets =
            || (0..=10_usize).flat_map(|column| (0..=10_usize).map(move |row| (column, row)));
        let mut terms = vec![[(0, 0.0); 5]; PAIR_WEIGHTS];
        for a in offsets() {
            for b in offsets() {
                // Goal cells further apart have the index of another pair.
                if b.0 > a.0 + 4 || a.0 > b.0 + 6 || a.1.abs_diff(b.1) > 5 {
                    continue;
                }
                let reflected = |at: usize| 10 - at;
                let reflections = [
                    [a.0, a.1, b.0, b.1],
                    [reflected(b.0), b.1, reflected(a.0), a.1],
                    [a.0, reflected(a.1), b.0, reflected(b.1)],
                    [b.0, b.1, a.0, a.1].map(reflected),
                ];
                let reflection = reflections.into_iter().min().unwrap_or_default();
                let alone =
                    |(column, row): (usize, usize)| [column.max(row), column.min(row), 0, 0];
                terms[index(a, b)] = [
                    (number(0, [a.0, a.1, b.0, b.1]), 1.0),
                    (
                        number(1, [a.0, a.1, b.0, b.1].map(|at| at.clamp(3, 7))),
                        1.0,
                    ),
                    (number(2, reflection), 1.0),
                    (number(3, alone(a)), 0.25),
                    (number(3, alone(b)), 0.25),
                ];
            }
        }
        Learner {
            terms,
            numbers: vec![0.0; known.len()],
            squares: vec![0.01; known.len()],
        }
    }

    fn weight(&self, pair: u16) -> f32 {
        let terms = self.terms[usize::from(pair)].iter();
        terms
            .map(|&(number, factor)| factor * self.numbers[usize::from(number)])
            .sum()
    }

    fn score(&self, sample: &Sample) -> f32 {
        sample.score
            + sample
                .pairs
                .iter()
                .map(|&pair| self.weight(pair))
                .sum::<f32>()
    }

    /// Share of the boards that have a larger score than the path's board of their layer.
    fn share_in_order(&self, groups: &[Group]) -> f64 {
        let (mut right, mut count) = (0, 0);
        for group in groups {
            let path = self.score(&group[0]);
            right += group[1..]
                .iter()
                .filter(|other| self.score(other) > path)
                .count();
            count += group.len() - 1;
        }
        f64::from(right as u32) / f64::from(count as u32)
    }

    /// Learns all numbers from zero.
    fn learn(&mut self, groups: &[Group]) {
        *self = Learner::new();
        let mut gradient = vec![0.0; self.numbers.len()];
        let mut touched = Vec::new();
        let mut order: Vec<usize> = (0..groups.len()).collect();
        for pass in 0..PASSES {
            shuffle(&mut order, pass as u64);
            for group in order.iter().map(|&number| &groups[number]) {
                let path = self.score(&group[0]);
                let mut total = 0.0;
                for (number, other) in group.iter().enumerate().skip(1).chain([(0, &group[0])]) {
                    let slope = match number {
                        0 => total,
                        _ => -1.0 / (1.0 + (self.score(other) - path).exp()),
                    };
                    total -= slope;
                    for &pair in &other.pairs {
                        for (number, factor) in self.terms[usize::from(pair)] {
                            gradient[usize::from(number)] += factor * slope;
                            touched.push(usize::from(number));
                        }
                    }
                }
                for number in touched.drain(..) {
                    let slope: f32 = std::mem::take(&mut gradient[number]);
                    self.squares[number] += slope * slope;
                    self.numbers[number] -= STEP * slope / self.squares[number].sqrt();
                }
            }
        }
    }

    /// The weights as signed bytes.
    fn weights(&self) -> [u8; PAIR_WEIGHTS] {
        let weight =
            |pair: usize| (self.weight(pair as u16) * PAIR_UNIT as f32).round() as i8 as u8;
        std::array::from_fn(weight)
    }
}

/// A pseudo-random order.
fn shuffle(order: &mut [usize], seed: u64) {
    let mut random = seed;
    for last in (1..order.len()).rev() {
        // A linear congruential generator (Knuth's MMIX).
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, (random >> 33) as usize % (last + 1));
    }
}
