//! Manhattan distance, misplaced tiles, and zero.

use puzzle::{Cell, Goal, Tray};

use super::{Heuristic, Term, ending, listed};
use crate::position::{Position, Slide};

/// The sum of the tiles' distances from their goal cells, in columns and rows. The sum is a lower
/// bound because a move brings one tile at most one cell nearer. The blank is not counted.
#[derive(Clone, Debug)]
pub struct Manhattan {
    /// For each tile: the distance of each cell from the tile's goal cell.
    distances: Box<[u16]>,
    cells: usize,
}

impl Manhattan {
    /// The distances on a tray. Takes O(cells^2) time.
    #[must_use]
    pub fn new(tray: Tray) -> Self {
        let homes = tray.iter();
        let distances = homes.flat_map(|home| tray.iter().map(move |cell| (home, cell)));
        Manhattan {
            distances: distances
                .map(|(home, cell)| tray.distance(home, cell) as u16)
                .collect(),
            cells: tray.cells(),
        }
    }

    /// The sum for a board.
    pub(crate) fn sum(&self, position: &Position) -> u32 {
        let distance = |(tile, cell): (Cell, Cell)| self.distance(tile.index(), cell.index());
        position.tiles().map(distance).sum()
    }

    /// The sum after a move.
    #[inline]
    pub(crate) fn after(&self, before: u32, slide: Slide) -> u32 {
        let home = &self.distances[usize::from(slide.tile) * self.cells..][..self.cells];
        let distance = |cell: u8| u32::from(home[usize::from(cell)]);
        before + distance(slide.to) - distance(slide.from)
    }

    fn distance(&self, tile: usize, cell: usize) -> u32 {
        self.distances[tile * self.cells + cell].into()
    }
}

impl Heuristic for Manhattan {
    type Carried = u32;

    fn name(&self) -> String {
        "manhattan".to_owned()
    }

    fn source(&self) -> &'static str {
        "J. E. Doran and D. Michie, Experiments with the Graph Traverser program, 1966"
    }

    fn carry(&self, position: &Position) -> u32 {
        self.sum(position)
    }

    #[inline]
    fn follow(&self, before: &u32, after: &mut u32, _position: &Position, slide: Slide) {
        *after = self.after(*before, slide);
    }

    #[inline]
    fn value(&self, carried: &u32) -> u32 {
        *carried
    }

    fn explain(&self, position: &Position, goal: &Goal) -> Vec<Term> {
        let term = |(tile, cell): (Cell, Cell)| {
            let value = self.distance(tile.index(), cell.index());
            let number = goal.number_at(tile);
            let words = format!("tile {number}: {value} move{} from home", ending(value));
            (value > 0).then_some(Term {
                words,
                tiles: vec![number],
                value,
            })
        };
        position.tiles().filter_map(term).collect()
    }
}

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
