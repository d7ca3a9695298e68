//! Zero.

use puzzle::Goal;

use super::lower_bound::{Heuristic, Term};
use crate::position::{Position, Slide};

/// The heuristic whose value is 0 for every board. With this heuristic A* is uniform-cost search
/// (Dijkstra's algorithm).
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl Heuristic for Zero {
    type Carried = ();

    fn name(&self) -> String {
        "zero".to_owned()
    }

    fn source(&self) -> &'static str {
        "E. W. Dijkstra, A note on two problems in connexion with graphs, 1959"
    }

    fn is_consistent(&self) -> bool {
        true
    }

    fn carry(&self, _position: &Position) {}

    fn follow(&self, (): &(), (): &mut (), _position: &Position, _slide: Slide) {}

    fn value(&self, (): &()) -> u32 {
        0
    }

    fn explain(&self, _position: &Position, _goal: &Goal) -> Vec<Term> {
        Vec::new()
    }
}
