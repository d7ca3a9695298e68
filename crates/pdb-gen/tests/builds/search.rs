//! Plain breadth-first search over placements, the reference of the tests.

use std::collections::VecDeque;

use puzzle::{Cell, Tray};

/// Distance of every placement from the goal; `u8::MAX` if unreachable.
pub(crate) struct Reference {
    cells: usize,
    distance: Vec<u8>,
}

impl Reference {
    /// Breadth-first search in which a move of the blank alone costs `blank_cost` (0 or 1). A state
    /// is a number in base `cells`. Its digits are the tiles' cells, followed by the blank's cell.
    pub(crate) fn new(tray: Tray, goal: &[usize], blank_cost: u8) -> Self {
        let cells = tray.cells();
        let mut distance = vec![u8::MAX; cells.pow(goal.len() as u32)];
        let number = |state: &[usize]| state.iter().fold(0, |n, cell| n * cells + cell);
        let mut queue = VecDeque::from([goal.to_vec()]);
        distance[number(goal)] = 0;
        while let Some(state) = queue.pop_front() {
            let here = distance[number(&state)];
            let (blank, tiles) = (state.len() - 1, &state[..state.len() - 1]);
            for next in tray.neighbours(Cell::new(state[blank])) {
                let mut moved = state.clone();
                let mut cost = blank_cost;
                if let Some(tile) = tiles.iter().position(|&cell| cell == next.index()) {
                    moved[tile] = state[blank];
                    cost = 1;
                }
                moved[blank] = next.index();
                let known = &mut distance[number(&moved)];
                if here + cost < *known {
                    *known = here + cost;
                    if cost == 0 {
                        queue.push_front(moved);
                    } else {
                        queue.push_back(moved);
                    }
                }
            }
        }
        Reference { cells, distance }
    }

    /// Distance of a placement. `state` contains the cells in the order of [`Self::new`].
    pub(crate) fn distance(&self, state: &[usize]) -> u8 {
        self.distance[state.iter().fold(0, |n, cell| n * self.cells + cell)]
    }
}
