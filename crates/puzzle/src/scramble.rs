//! Uniformly random states, the same for the same seed on every machine and in every version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::solvability::is_line;
use crate::{Cell, State, Tray};

/// A stream of solvable states drawn uniformly, from ChaCha8 seeded with a number.
///
/// ```
/// use puzzle::{Cell, Scrambler, Tray};
/// let tray = Tray::new(4, 4)?;
/// let state = Scrambler::new(7).draw(tray, Cell::new(15));
/// assert!(state.check_solvable().is_ok());
/// # Ok::<(), puzzle::TrayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scrambler(ChaCha8Rng);

impl Scrambler {
    /// The stream with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Scrambler(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The next state for a goal with its blank on `goal_blank`. Half of all arrangements are
    /// solvable; the others are paired with them by a swap of two tiles, so a repair keeps the draw
    /// uniform.
    ///
    /// # Panics
    /// If `goal_blank` is not a cell of the tray.
    pub fn draw(&mut self, tray: Tray, goal_blank: Cell) -> State {
        let goal = State::goal(tray, goal_blank);
        let mut pieces = goal.pieces().to_vec();
        if is_line(tray) {
            // Only the blank's place is free.
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
        let Some((a, b)) = state
            .check_solvable()
            .err()
            .and_then(|_| first_tiles(&state))
        else {
            return state;
        };
        let mut pieces = state.pieces().to_vec();
        pieces.swap(a, b);
        State::new(tray, goal_blank, pieces).unwrap_or(goal)
    }

    /// Uniform below `bound`, by rejecting the incomplete last stretch of the generator's range.
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

/// The first two cells that hold tiles.
fn first_tiles(state: &State) -> Option<(usize, usize)> {
    let mut cells = (0..state.pieces().len()).filter(|&cell| cell != state.blank().index());
    Some((cells.next()?, cells.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;
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
            // Chi-squared with mean `states`: five standard deviations above is never met by a fair
            // stream.
            let excess: f64 = counts
                .values()
                .map(|&n| (f64::from(n) - 200.0).powi(2) / 200.0)
                .sum();
            let bound = states as f64 + 5.0 * (2.0 * states as f64).sqrt();
            assert!(excess < bound, "{excess} over {bound}");
        }
    }
}
