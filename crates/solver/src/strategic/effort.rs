//! How long a beam search may go on.

use puzzle::Tray;

use crate::calls::setters;

/// How long a beam search may go on, see [`improve`](super::improve).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Effort {
    /// Nodes of a layer that are kept by the first beam; each one after it is twice as wide.
    pub width: usize,
    /// The most nodes to generate. The beam that reaches it is given up.
    pub max_nodes: u64,
    /// Chooses among equal nodes.
    pub seed: u64,
}

impl Effort {
    /// The effort of [`short`](super::short) for a tray: some tens of milliseconds up to 10x10, a
    /// second for 20x20.
    #[must_use]
    pub fn short(tray: Tray) -> Effort {
        let cells = tray.cells() as f64;
        // As measured: a solution has about so many moves, and a node 2.3 children.
        let moves = 0.8 * cells * (tray.width() + tray.height()) as f64;
        let nodes = 600_000.0 * (cells / 100.0).powi(2).max(1.0);
        let width = (nodes / (2.3 * moves)).min(1500.0);
        Effort {
            width: width as usize,
            // Boards differ.
            max_nodes: 2 * nodes as u64,
            seed: 0,
        }
    }

    setters! {
        /// Beginning with beams of this width.
        width(width: usize) => width = width;
        /// Up to this number of nodes.
        max_nodes(max_nodes: u64) => max_nodes = max_nodes;
        /// With this seed.
        seed(seed: u64) => seed = seed;
    }
}
