//! How wide a beam may be so that it ends in time.

use std::time::{Duration, Instant};

use super::beam::LayerStatus;

/// The narrowest beam: the last layers of one that is late still have so many nodes.
const MIN_WIDTH: usize = 256;
/// Bounds fall more slowly towards the end, and a beam that grows narrow there is likely to get
/// stuck with one tile far from home: 10 boards of 7x7 took 359 moves in the mean without margin
/// and reserve and 336 with them, for 10 million nodes.
const MARGIN: f64 = 1.1;
const RESERVE: f64 = 0.15;
/// Children of a node that are neither dropped as duplicates nor lead back, as measured before the
/// first layer says more.
const CHILDREN: f64 = 2.1;

/// The work that a beam may do, and its width from layer to layer.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    /// The most children to make.
    pub(crate) nodes: u64,
    /// When to have ended.
    pub(crate) until: Option<Instant>,
    /// The most nodes of a layer that the memory has room for.
    pub(crate) max_width: usize,
    /// Layers to the goal for each unit of the smallest bound of a layer.
    layers_per_bound: f64,
    /// Layers that are kept in reserve.
    reserve: f64,
    /// Seconds for each node of a layer, as measured so far.
    pub(crate) node_seconds: Option<f64>,
    /// When the last layer began, and its nodes.
    last: Option<(Instant, usize)>,
    expanded: u64,
}

impl Pace {
    /// For a beam from a root whose estimate is `h0`, where `length` is what a beam is expected to
    /// come to.
    pub(crate) fn new(
        nodes: u64,
        until: Option<Instant>,
        max_width: usize,
        h0: u32,
        length: f64,
    ) -> Self {
        let h0 = f64::from(h0.max(1));
        Pace {
            nodes,
            until,
            max_width,
            layers_per_bound: MARGIN * length / h0,
            reserve: RESERVE * h0 + 4.0,
            node_seconds: None,
            last: None,
            expanded: 0,
        }
    }

    /// The most nodes of the next layer.
    pub(crate) fn width(&mut self, status: &LayerStatus) -> usize {
        self.measure(status);
        let layers = f64::from(status.bound) * self.layers_per_bound + self.reserve;
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

    /// Layers of some milliseconds tell how long a node takes; the clock is read only if it counts.
    fn measure(&mut self, status: &LayerStatus) {
        if self.until.is_none() {
            return;
        }
        let now = Instant::now();
        if let Some((last, nodes)) = self.last {
            let time = now.duration_since(last);
            if time > Duration::from_millis(2) {
                let seconds = time.as_secs_f64() / nodes as f64;
                let before = self.node_seconds.unwrap_or(seconds);
                self.node_seconds = Some(0.8 * before + 0.2 * seconds);
            }
        }
        self.last = Some((now, status.nodes));
    }
}
