//! Width of a beam, chosen so that the beam search ends within its limits.

use std::time::Duration;

use super::beam::LayerStatus;
use crate::machine::Instant;

/// Minimum width, also for the last layers of a beam that is behind schedule.
const MIN_WIDTH: usize = 256;
/// Safety factor on the expected number of layers of the first beam. Bounds fall more slowly
/// towards the end, and a beam that becomes narrow there is likely to get stuck with one tile far
/// from its goal cell. With 10 million nodes, solutions of 10 boards of 7x7 had 359 moves on
/// average without margin and reserve, and 336 with them.
const MARGIN: f64 = 1.1;
/// The first beam reserves nodes and time for additional layers: this factor times the root's
/// estimate, plus 4.
const RESERVE: f64 = 0.15;
/// The spare moves of a layer are the length limit minus the layer's depth and smallest bound. With
/// at most `NO_SLACK` spare moves, almost all children of the layer are pruned; with at least
/// `FULL_SLACK`, almost none.
const NO_SLACK: f64 = 4.0;
const FULL_SLACK: f64 = 9.0;
/// Additional layers that a beam may need, as a share of the previous beam's layers.
const LATE: f64 = 0.02;
/// Assumed number of children per node, without duplicates and moves back, until the first layer is
/// measured.
const CHILDREN: f64 = 2.1;
/// Minimum time of a measurement, so that interruptions and narrow layers have little weight.
const MEASURED: Duration = Duration::from_millis(4);

/// Computes the width of each layer of a beam from the beam's limits of nodes, time and memory.
#[derive(Clone, Debug)]
pub(crate) struct BeamWidth {
    pub(crate) nodes: u64,
    /// Deadline of the beam.
    pub(crate) until: Option<Instant>,
    /// Maximum number of nodes of a layer, limited by memory.
    pub(crate) max_width: usize,
    max_length: u32,
    /// Expected number of layers from a layer to the goal, divided by the smallest bound of that
    /// layer.
    layers_per_bound: f64,
    /// Number of layers added to the expected number as a reserve.
    reserve: f64,
    /// The smallest bound of each layer of the previous beam.
    before: Vec<u32>,
    /// The smallest bound of each layer of this beam.
    pub(crate) bounds: Vec<u32>,
    /// Seconds per node of a layer, as measured so far.
    pub(crate) node_seconds: Option<f64>,
    /// Start of the current measurement, and the number of nodes in the layers since then.
    since: Option<(Instant, usize)>,
    expanded: u64,
}

impl BeamWidth {
    /// `h0` is the root's estimate, `length` the expected length of the solution, and `before`
    /// contains the smallest bounds of the previous beam's layers.
    pub(crate) fn new(
        nodes: u64,
        until: Option<Instant>,
        max_width: usize,
        h0: u32,
        length: f64,
        max_length: u32,
        before: Vec<u32>,
    ) -> Self {
        let h0 = f64::from(h0.max(1));
        BeamWidth {
            nodes,
            until,
            max_width,
            max_length,
            layers_per_bound: MARGIN * length / h0,
            reserve: RESERVE * h0 + 4.0,
            before,
            bounds: Vec::new(),
            node_seconds: None,
            since: None,
            expanded: 0,
        }
    }

    /// Expected work from this layer to the goal, in units of a full layer.
    fn layers(&self, status: &LayerStatus) -> f64 {
        let depth = status.depth as usize;
        let known = self.before.get(depth);
        let Some(&known) = known else {
            let layers = f64::from(status.bound) * self.layers_per_bound + self.reserve;
            let most = self.max_length.saturating_sub(status.depth).max(1);
            return layers.min(most.into());
        };
        // Improvement over the previous beam's bound, in moves.
        let better = f64::from(known) - f64::from(status.bound);
        let ahead = self.before[depth..].iter().zip(status.depth..);
        let full = |(&bound, depth): (&u32, u32)| {
            let slack = f64::from(self.max_length) - f64::from(depth) - f64::from(bound) + better;
            ((slack - NO_SLACK) / (FULL_SLACK - NO_SLACK)).clamp(0.0, 1.0)
        };
        ahead.map(full).sum::<f64>() + LATE * self.before.len() as f64 + 1.0
    }

    /// The maximum number of nodes of the next layer.
    pub(super) fn next(&mut self, status: &LayerStatus) -> usize {
        self.measure(status);
        self.bounds.push(status.bound);
        let layers = self.layers(status);
        let children = match self.expanded {
            0 => CHILDREN,
            nodes => (status.generated as f64 / nodes as f64).max(1.0),
        };
        self.expanded += status.nodes as u64;
        let left = self.nodes.saturating_sub(status.generated) as f64;
        let mut width = left / (layers * children);
        if let (Some(until), Some(seconds)) = (self.until, self.node_seconds) {
            let left = until
                .saturating_duration_since(Instant::now())
                .as_secs_f64();
            width = width.min(left / (layers * seconds));
        }
        (width as usize).clamp(MIN_WIDTH, self.max_width.max(MIN_WIDTH))
    }

    /// Measures the time per node. Reads the clock only if there is a deadline.
    fn measure(&mut self, status: &LayerStatus) {
        if self.until.is_none() {
            return;
        }
        let now = Instant::now();
        let (since, nodes) = self.since.unwrap_or((now, 0));
        let time = now.duration_since(since);
        if time > MEASURED && nodes > 0 {
            let seconds = time.as_secs_f64() / nodes as f64;
            let before = self.node_seconds.unwrap_or(seconds);
            self.node_seconds = Some(0.8 * before + 0.2 * seconds);
            self.since = Some((now, status.nodes));
        } else {
            self.since = Some((since, nodes + status.nodes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H0: u32 = 90;
    const CHILDREN_OF_A_NODE: u64 = 2;

    /// The share of `nodes` that a beam of `length` layers generates if its bounds fall steadily.
    /// In layers with few spare moves most children are pruned.
    fn spent(nodes: u64, length: u32, max_length: u32, before: Vec<u32>) -> (f64, Vec<u32>) {
        let mut beam_width = BeamWidth::new(nodes, None, 1 << 28, H0, 110.0, max_length, before);
        let mut status = LayerStatus {
            depth: 0,
            nodes: 1,
            generated: 0,
            bound: H0,
        };
        while status.depth < length {
            let width = beam_width.next(&status);
            status.generated += status.nodes as u64 * CHILDREN_OF_A_NODE;
            status.depth += 1;
            status.bound = H0 - H0 * status.depth / length;
            let slack = f64::from(max_length) - f64::from(status.depth + status.bound);
            let kept = ((slack - 4.0) / 4.0).clamp(0.001, 1.0);
            let grown = status.nodes.saturating_mul(CHILDREN_OF_A_NODE as usize);
            status.nodes = width.min(grown).min((width as f64 * kept) as usize).max(1);
        }
        (status.generated as f64 / nodes as f64, beam_width.bounds)
    }

    #[test]
    fn layers_ahead_are_those_of_the_previous_beam_and_a_margin() {
        let before: Vec<u32> = (0..100).map(|depth| 100 - depth).collect();
        let layers = |depth: u32, bound, max_length| {
            let beam_width = BeamWidth::new(1, None, 1, 100, 100.0, max_length, before.clone());
            beam_width.layers(&LayerStatus {
                depth,
                nodes: 1,
                generated: 0,
                bound,
            })
        };
        // The sum of 60 layers left in the previous beam, 2 layers that may be needed in addition,
        // and the last layer.
        assert_eq!(layers(40, 60, 1000), 63.0);
        assert_eq!(layers(99, 1, 1000), 4.0);
        // In the previous beam, depth and bound add up to 100. With a limit of 106 moves, 6 moves
        // are spare, and layers are two fifths full: (6 - 4) / (9 - 4). If this beam's bound is
        // smaller by two, 8 moves are spare, and layers are four fifths full.
        assert!((layers(40, 60, 106) - 27.0).abs() < 1e-9);
        assert!((layers(40, 58, 106) - 51.0).abs() < 1e-9);
        // Without spare moves all layers are narrow.
        assert_eq!(layers(40, 60, 104), 3.0);
    }

    #[test]
    fn a_first_beam_keeps_a_reserve_and_its_limit() {
        let (spent, bounds) = spent(10_000_000, 110, 200, Vec::new());
        assert!((0.7..=1.02).contains(&spent), "{spent}");
        assert_eq!(bounds.len(), 110);
    }

    #[test]
    fn a_beam_with_cut_last_layers_spends_its_nodes_earlier() {
        let (first, bounds) = spent(10_000_000, 112, 200, Vec::new());
        let (cut, _) = spent(10_000_000, 110, 110, bounds);
        assert!((0.85..=1.02).contains(&cut), "{first} {cut}");
        // Without the previous beam's bounds, more than a quarter of the nodes remains unused.
        let (unaware, _) = spent(10_000_000, 110, 110, Vec::new());
        assert!(unaware < 0.75, "{unaware}");
    }
}
