//! Misplaced tiles.

use puzzle::Goal;

use super::{Heuristic, Term, listed};
use crate::position::{Position, Slide};

/// The number of tiles that are not on their goal cells, also called Hamming distance. Each of
/// these tiles must move at least once. The blank is not counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Misplaced;

impl Heuristic for Misplaced {
    type Carried = u32;

    fn name(&self) -> String {
        "misplaced".to_owned()
    }

    fn source(&self) -> &'static str {
        "J. E. Doran and D. Michie, Experiments with the Graph Traverser program, 1966"
    }

    fn carry(&self, position: &Position) -> u32 {
        position.tiles().filter(|(tile, cell)| tile != cell).count() as u32
    }

    #[inline]
    fn follow(&self, before: &u32, after: &mut u32, _position: &Position, slide: Slide) {
        let (was_home, is_home) = (slide.tile == slide.from, slide.tile == slide.to);
        *after = before + u32::from(was_home) - u32::from(is_home);
    }

    #[inline]
    fn value(&self, carried: &u32) -> u32 {
        *carried
    }

    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term> {
        let away = position.tiles().filter(|(tile, cell)| tile != cell);
        let tiles: Vec<u16> = away.map(|(tile, _)| goal.number_at(tile)).collect();
        if tiles.is_empty() {
            return Vec::new();
        }
        vec![Term {
            words: format!("not at home: {}", listed(&tiles)),
            value: tiles.len() as u32,
            tiles,
        }]
    }
}

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

    fn carry(&self, _position: &Position) {}

    fn follow(&self, (): &(), (): &mut (), _position: &Position, _slide: Slide) {}

    fn value(&self, (): &()) -> u32 {
        0
    }

    fn explain(&self, _position: &Position, _goal: &Goal) -> Vec<Term> {
        Vec::new()
    }
}
