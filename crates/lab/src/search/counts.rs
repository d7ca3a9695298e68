//! Node counts of a search.

/// Nodes of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// The heuristic's value of the start.
    pub h0: u32,
    /// Children of expanded nodes, without reverse moves. As in [`solver::SearchStats::generated`],
    /// a child is counted before it is compared with the bound or with stored nodes. The start is
    /// not counted.
    pub generated: u64,
    /// Number of expansions: a node is counted each time that its children are generated.
    pub expanded: u64,
    /// Nodes reached by a shorter path after their expansion.
    pub reopened: u64,
    /// Maximum number of nodes stored at once, open and closed; for IDA* the length of the longest
    /// path.
    pub peak: u64,
    /// Memory of the [`Self::peak`] nodes and their index, in bytes.
    pub peak_bytes: u64,
    /// The depth-first searches of IDA*; empty for other searches.
    pub iterations: Vec<Iteration>,
}

impl Counts {
    /// The effective branching factor. A uniform tree with this branching factor and the depth
    /// `length` has as many nodes as the search generated. `None` if `length` or the number of
    /// nodes is 0. S. Russell and P. Norvig, Artificial Intelligence, 3.6.1.
    #[must_use]
    pub fn branching_factor(&self, length: usize) -> Option<f64> {
        let (nodes, depth) = (self.generated as f64, length as i32);
        if length == 0 || self.generated == 0 {
            return None;
        }
        let tree = |b: f64| match (b - 1.0).abs() < 1e-9 {
            true => f64::from(depth),
            false => b * (b.powi(depth) - 1.0) / (b - 1.0),
        };
        // IDA* generates the same nodes again with every bound, so the result can exceed the true
        // branching factor.
        let (mut low, mut high) = (0.0, nodes.max(1.0));
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            match tree(middle) < nodes {
                true => low = middle,
                false => high = middle,
            }
        }
        Some((low + high) / 2.0)
    }
}

/// A depth-first search of IDA*.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RunIteration"))]
pub struct Iteration {
    /// Largest g + h of expanded nodes.
    pub bound: u32,
    /// Generated nodes of this depth-first search.
    pub generated: u64,
    /// Expanded nodes of this depth-first search.
    pub expanded: u64,
}
