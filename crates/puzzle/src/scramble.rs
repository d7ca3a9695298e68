//! Uniformly random states. A seed gives the same states on every machine and in every version.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::board::Board;
use crate::goal::State;
use crate::solvability::is_line;
use crate::tray::{Cell, Direction, Tray};

/// A stream of uniformly random solvable states, from ChaCha8 with a seed.
///
/// ```
/// use puzzle::{Cell, Scrambler, Tray};
/// let tray = Tray::new(4, 4)?;
/// let state = Scrambler::new(7).draw(tray, Cell::new(15));
/// assert!(state.check_solvable().is_ok());
/// # Ok::<(), puzzle::TrayError>(())
/// ```
#[derive(Debug)]
pub struct Scrambler(ChaCha8Rng);

impl Scrambler {
    /// The stream of random states for this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Scrambler(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The next state for a goal with its blank on `goal_blank`. Half of all arrangements are
    /// solvable. If the random arrangement is unsolvable, two of its tiles are swapped. This maps
    /// the unsolvable arrangements one-to-one onto the solvable ones, so the distribution stays
    /// uniform.
    ///
    /// # Panics
    /// If `goal_blank` is not a cell of the tray.
    pub fn draw(&mut self, tray: Tray, goal_blank: Cell) -> State {
        let goal = State::goal(tray, goal_blank);
        let mut pieces = goal.pieces().to_vec();
        if is_line(tray) {
            // On a tray of one line, only the position of the blank is random.
            pieces.retain(|&piece| piece != goal_blank);
            pieces.insert(self.below(tray.cells()), goal_blank);
        } else {
            for last in (1..pieces.len()).rev() {
                pieces.swap(last, self.below(last + 1));
            }
        }
        let Some(state) = State::new(tray, goal_blank, pieces) else {
            return goal;
        };
        if state.check_solvable().is_ok() {
            return state;
        }
        let mut pieces = state.pieces().to_vec();
        // Swaps the first two tiles.
        let mut tiles = (0..pieces.len()).filter(|&cell| cell != state.blank().index());
        if let (Some(a), Some(b)) = (tiles.next(), tiles.next()) {
            pieces.swap(a, b);
        }
        State::new(tray, goal_blank, pieces).unwrap_or(goal)
    }

    /// The next `count` random moves from a board. Each move is chosen uniformly among the possible
    /// moves that do not undo the previous one. On a tray of one line the walk may end earlier. The
    /// boards reached are not equally likely; use [`Self::draw`] for uniform boards.
    ///
    /// ```
    /// use puzzle::{Goal, Scrambler, Tray};
    /// let goal = Goal::blank_last(Tray::new(4, 4)?);
    /// let moves = Scrambler::new(7).walk(goal.board(), 30);
    /// assert_eq!(moves.len(), 30);
    /// let board = goal.board().play(&moves)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walk(&mut self, board: &Board, count: usize) -> Vec<Direction> {
        let tray = board.tray();
        let mut blank = board.blank();
        let mut moves: Vec<Direction> = Vec::new();
        while moves.len() < count {
            let undone = moves.last().map(|last| last.opposite());
            let tiles = Direction::ALL
                .into_iter()
                .filter(|&tile| Some(tile) != undone);
            let slide = |tile: Direction| Some((tile, tray.step(blank, tile.opposite())?));
            let possible: Vec<(Direction, Cell)> = tiles.filter_map(slide).collect();
            if possible.is_empty() {
                break;
            }
            let (tile, from) = possible[self.below(possible.len())];
            moves.push(tile);
            blank = from;
        }
        moves
    }

    /// A uniformly random number below `bound`. Outputs of the generator after the last complete
    /// range of `bound` numbers are rejected, because they would make small results more likely.
    fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let draw = self.0.next_u64();
            if draw < limit {
                return (draw % bound) as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Notation};
    use std::collections::HashMap;

    #[test]
    fn the_stream_of_a_seed_is_pinned() {
        let tray = Tray::new(4, 4).unwrap();
        let mut scrambler = Scrambler::new(1);
        let draw = scrambler.draw(tray, Cell::new(15));
        let pieces: Vec<usize> = draw.pieces().iter().map(|p| p.index()).collect();
        assert_eq!(pieces, PINNED);
        assert_ne!(draw, scrambler.draw(tray, Cell::new(15)));
    }

    const PINNED: [usize; 16] = [13, 2, 6, 4, 7, 9, 8, 3, 12, 11, 10, 15, 0, 14, 5, 1];

    #[test]
    fn all_solvable_states_are_equally_likely() {
        for (width, height, states) in [(2, 2, 12), (3, 2, 360), (5, 1, 5)] {
            let tray = Tray::new(width, height).unwrap();
            let mut counts = HashMap::new();
            let mut scrambler = Scrambler::new(42);
            let draws = 200 * states;
            for _ in 0..draws {
                let state = scrambler.draw(tray, Cell::new(0));
                assert!(state.check_solvable().is_ok());
                *counts.entry(state).or_insert(0_u32) += 1;
            }
            assert_eq!(counts.len(), states);
            // `excess` is chi-squared with mean `states`; in a fair stream it is almost never more
            // than five standard deviations above the mean.
            let excess: f64 = counts
                .values()
                .map(|&n| (f64::from(n) - 200.0).powi(2) / 200.0)
                .sum();
            let bound = states as f64 + 5.0 * (2.0 * states as f64).sqrt();
            assert!(excess < bound, "{excess} over {bound}");
        }
    }

    #[test]
    fn walks_have_the_requested_length_and_undo_no_move() {
        for (width, height, longest) in [(4, 4, 1000), (2, 2, 1000), (3, 2, 1000), (6, 1, 5)] {
            let board = Goal::blank_last(Tray::new(width, height).unwrap())
                .board()
                .clone();
            for seed in 0..20 {
                for count in [0, 1, 5, longest] {
                    let moves = Scrambler::new(seed).walk(&board, count);
                    assert_eq!(moves.len(), count);
                    assert!(moves.windows(2).all(|pair| pair[0] != pair[1].opposite()));
                    assert!(board.play(&moves).is_ok());
                    assert_eq!(moves, Scrambler::new(seed).walk(&board, count));
                }
            }
            // On a tray of one line the walk ends at the edge.
            let moves = Scrambler::new(1).walk(&board, longest + 1).len();
            assert_eq!(moves, longest + usize::from(height > 1));
        }
    }

    #[test]
    fn the_walk_of_a_seed_is_pinned() {
        let board = Goal::blank_last(Tray::new(4, 4).unwrap()).board().clone();
        let moves = Scrambler::new(1).walk(&board, 20);
        let text = board.write_moves(&moves, Notation::Tile).unwrap();
        assert_eq!(text, "R3DLD2L2URDR2ULDRUL");
    }

    #[test]
    fn walks_choose_uniformly() {
        // The first move has two choices, and so does the second. The third move has three choices
        // if the blank is then in the middle, and one choice if it is in a corner.
        let board = Goal::blank_last(Tray::new(3, 3).unwrap()).board().clone();
        let mut counts = HashMap::new();
        let mut scrambler = Scrambler::new(3);
        for _ in 0..12_000 {
            *counts.entry(scrambler.walk(&board, 3)).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 2 * (3 + 1));
        for (moves, count) in counts {
            let is_straight = moves[0] == moves[1];
            let expected = if is_straight { 3000_u32 } else { 1000 };
            assert!(count.abs_diff(expected) < 200, "{moves:?}: {count}");
        }
    }
}
