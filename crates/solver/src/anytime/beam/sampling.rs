//! Boards of a beam's layers, from which the weights of neighbouring tiles are learned.

use std::sync::Mutex;

use puzzle::State;

use super::{Beam, BeamEnd, BeamTask, Expander};
use crate::anytime::layer::BeamNode;
use crate::boards::{PackedBoard, PairWeights, mix};
use crate::sides::Sides;
use crate::tables::DamagedTable;
use crate::threads::{ThreadPermits, lock};

/// Every second layer is sampled, because the boards of consecutive layers are similar.
const INTERVAL: usize = 2;
/// Number of random boards of a layer.
const OTHERS: u64 = 12;

/// Boards of a layer, as the piece on each cell, and their scores in moves. The first board is on
/// the path to the solution, the others are random. Only differences between scores of a beam
/// matter.
pub(crate) type SampledLayer = Vec<(Vec<u16>, f64)>;

impl<const P: usize> Beam<'_, P> {
    /// Samples the next layer.
    pub(super) fn sample_layer<B: PackedBoard>(&self, layer: &[BeamNode<B, P>]) {
        let Some(samples) = self.task.samples else {
            return;
        };
        let mut samples = lock(samples);
        let number = samples.len();
        let random = |place| mix(self.task.seed ^ (number as u64) << 8 ^ place) as usize;
        let count = if number % INTERVAL == 0 { OTHERS } else { 0 };
        let nodes = (0..count).map(|place| &layer[random(place) % layer.len()]);
        samples.push(nodes.map(|node| self.sample(node)).collect());
    }

    /// Adds the boards of the path to the layers.
    pub(super) fn sample_path<B: PackedBoard>(&self, mut node: BeamNode<B, P>, path: &[u8]) {
        let Some(samples) = self.task.samples else {
            return;
        };
        for (layer, &direction) in lock(samples).iter_mut().zip(path) {
            node = self.follow(node, direction);
            layer.insert(0, self.sample(&node));
        }
    }

    fn sample<B: PackedBoard>(&self, node: &BeamNode<B, P>) -> (Vec<u16>, f64) {
        let cells = 0..self.grid.cells() as u16;
        let pieces = cells.map(|cell| node.board.get(cell)).collect();
        (pieces, f64::from(node.score) / f64::from(self.guide.unit()))
    }

    /// The node after a move of the blank.
    fn follow<B: PackedBoard>(&self, node: BeamNode<B, P>, direction: u8) -> BeamNode<B, P> {
        let mut expander = Expander::default();
        let node = BeamNode { back: 0, ..node };
        self.expand(&[node], 0, u16::MAX, 1, &mut expander);
        let records = &mut expander.partitions;
        records[0].retain(|record| record.direction == direction);
        let mut next = [node];
        self.advance(&[node], records, 1, &mut next);
        next[0]
    }
}

/// Runs a beam of this width with these weights, and samples its layers. The result is empty if the
/// beam found no solution.
pub(crate) fn sample_beam(
    search: &Sides,
    state: &State,
    weights: &PairWeights,
    width: usize,
    seed: u64,
) -> Result<Vec<SampledLayer>, DamagedTable> {
    let samples = Mutex::default();
    let task = BeamTask {
        seed,
        h0: search.start.estimate(state)?,
        max_length: 10_000,
        permits: &ThreadPermits::default(),
        weights,
        turn: 0,
        samples: Some(&samples),
        is_over: &|| false,
    };
    let end = match search.start.slide_tables() {
        Some(tables) => task.run_by_tables(tables, state, &mut |_| width)?,
        None => None,
    };
    let mut layers: Vec<SampledLayer> = std::mem::take(&mut *lock(&samples));
    let is_solved = matches!(end, Some(BeamEnd::Solved(_)));
    layers.retain(|layer| is_solved && layer.len() > 1);
    Ok(layers)
}
