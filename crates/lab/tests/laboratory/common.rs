//! Boards and their distances from a goal, for comparison with the results of the tested crates.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use lab::{AnyHeuristic, HeuristicFactory, Position};
use puzzle::{Board, Cell, Goal, State, Tray};
use rustc_hash::FxHasher;

/// All boards up to some distance from a goal. A breadth-first search in this file computes
/// neighbours and distances, without the code of the tested crates.
pub(crate) struct Space {
    pub(crate) goal: Goal,
    width: usize,
    cells: usize,
    /// Each board in one word. For each cell, four bits store the goal cell of the piece on it.
    boards: Vec<u64>,
    distances: Vec<u8>,
    blanks: Vec<u8>,
    /// The boards after the blank moved up, left, right and down.
    neighbours: Vec<[u32; 4]>,
}

/// Marks a missing neighbour: the move is impossible, or the board is beyond the depth limit.
const NONE: u32 = u32::MAX;

impl Space {
    /// All solvable boards.
    pub(crate) fn whole(width: usize, height: usize, goal_blank: usize) -> Space {
        Space::within(width, height, goal_blank, u8::MAX)
    }

    /// All boards up to `depth` moves from the goal.
    pub(crate) fn within(width: usize, height: usize, goal_blank: usize, depth: u8) -> Space {
        let cells = width * height;
        let goal = (0..cells).fold(0, |board, cell| board | (cell as u64) << (4 * cell));
        let mut space = Space {
            goal: Goal::with_blank(Tray::new(width, height).unwrap(), Cell::new(goal_blank)),
            width,
            cells,
            boards: vec![goal],
            distances: vec![0],
            blanks: vec![goal_blank as u8],
            neighbours: Vec::new(),
        };
        let mut known: HashMap<u64, u32, BuildHasherDefault<FxHasher>> = HashMap::default();
        known.insert(goal, 0);
        let mut at = 0;
        while at < space.boards.len() {
            let (board, blank) = (space.boards[at], usize::from(space.blanks[at]));
            let distance = space.distances[at];
            let mut neighbours = [NONE; 4];
            for (own, cell) in neighbours.iter_mut().zip(space.blank_steps(blank)) {
                let Some(cell) = cell else { continue };
                let both = (board >> (4 * cell) ^ board >> (4 * blank)) & 15;
                let after = board ^ both << (4 * cell) ^ both << (4 * blank);
                *own = match known.get(&after) {
                    Some(&id) => id,
                    None if distance == depth => continue,
                    None => {
                        let id = space.boards.len() as u32;
                        known.insert(after, id);
                        space.boards.push(after);
                        space.distances.push(distance + 1);
                        space.blanks.push(cell as u8);
                        id
                    }
                };
            }
            space.neighbours.push(neighbours);
            at += 1;
        }
        space
    }

    /// Cells of the blank after moving up, left, right and down.
    fn blank_steps(&self, blank: usize) -> [Option<usize>; 4] {
        let column = blank % self.width;
        [
            blank.checked_sub(self.width),
            (column > 0).then(|| blank - 1),
            (column + 1 < self.width).then_some(blank + 1),
            Some(blank + self.width).filter(|&cell| cell < self.cells),
        ]
    }

    pub(crate) fn len(&self) -> usize {
        self.boards.len()
    }

    pub(crate) fn distance(&self, id: usize) -> u32 {
        self.distances[id].into()
    }

    /// For each cell, the goal cell of the piece on it.
    pub(crate) fn pieces(&self, id: usize) -> Vec<usize> {
        let piece = |cell| (self.boards[id] >> (4 * cell) & 15) as usize;
        (0..self.cells).map(piece).collect()
    }

    pub(crate) fn state(&self, id: usize) -> State {
        let pieces = self.pieces(id).into_iter().map(Cell::new);
        State::new(self.goal.tray(), self.goal.blank(), pieces.collect()).unwrap()
    }

    pub(crate) fn position(&self, id: usize) -> Position {
        Position::new(&self.state(id)).unwrap()
    }

    pub(crate) fn board(&self, id: usize) -> Board {
        self.goal.board_of(&self.state(id)).unwrap()
    }

    /// The neighbours of a board, each with the cell to which the blank moves.
    pub(crate) fn neighbours(&self, id: usize) -> impl Iterator<Item = (usize, u8)> {
        let known = self.neighbours[id].into_iter().filter(|&next| next != NONE);
        known.map(|next| (next as usize, self.blanks[next as usize]))
    }

    pub(crate) fn heuristic(
        &self,
        factory: &HeuristicFactory,
        name: &str,
    ) -> Box<dyn AnyHeuristic> {
        let choice = name.parse().unwrap();
        factory.heuristic(&choice, &self.goal).unwrap()
    }
}
