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

    /// The next state for a goal with its blank on `goal_blank`. Half of all arrangements are solvable; the
    /// others are paired with them by a swap of two tiles, so mending keeps the draw uniform.
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

    /// `count` solvable states, each drawn with a probability proportional to `base` to the minus its Manhattan
    /// distance, for a `base` of at least 1: among such states those that cost a search most are common, which among
    /// uniform ones are too rare to be met. A Markov chain (Metropolis et al. 1953) that starts at the goal and swaps
    /// pieces; states that follow each other are not quite independent. O(cells * count) time.
    ///
    /// # Panics
    /// If `goal_blank` is not a cell of the tray, or the tray is a single line.
    pub fn draw_near(
        &mut self,
        tray: Tray,
        goal_blank: Cell,
        base: f64,
        count: usize,
    ) -> Vec<State> {
        assert!(!is_line(tray), "pieces of a line cannot be swapped");
        let mut pieces = State::goal(tray, goal_blank).pieces().to_vec();
        let mut states = Vec::with_capacity(count);
        // The chain forgets the goal before the first state is taken.
        for _ in 0..STEPS_BEFORE * tray.cells() {
            self.step_near(tray, goal_blank, base, &mut pieces);
        }
        while states.len() < count {
            for _ in 0..STEPS_BETWEEN * tray.cells() {
                self.step_near(tray, goal_blank, base, &mut pieces);
            }
            states.extend(State::new(tray, goal_blank, pieces.clone()));
        }
        states
    }

    /// One step of the chain: the blank changes places with a tile an odd distance away, or two pairs of tiles change
    /// places. Either keeps a state solvable and is as likely as the way back.
    fn step_near(&mut self, tray: Tray, goal_blank: Cell, base: f64, pieces: &mut [Cell]) {
        let away = |pieces: &[Cell], cell: usize| match pieces[cell] {
            blank if blank == goal_blank => 0,
            piece => tray.distance(piece, Cell::new(cell)) as i32,
        };
        let mut pair = || (self.below(pieces.len()), self.below(pieces.len()));
        let (first, second) = (pair(), pair());
        let has_blank = |(a, b): (usize, usize)| [pieces[a], pieces[b]].contains(&goal_blank);
        let is_odd = |(a, b): (usize, usize)| tray.distance(Cell::new(a), Cell::new(b)) % 2 == 1;
        let swaps: &[(usize, usize)] = match (has_blank(first), has_blank(second)) {
            (true, _) if is_odd(first) => &[first],
            (false, false) if first.0 != first.1 && second.0 != second.1 => &[first, second],
            _ => return,
        };
        let mut change = 0;
        for &(a, b) in swaps {
            change -= away(pieces, a) + away(pieces, b);
            pieces.swap(a, b);
            change += away(pieces, a) + away(pieces, b);
        }
        // Divisions are the same on every machine; powers need not be.
        let accepted = change <= 0 || self.unit() < (0..change).fold(1.0, |odds, _| odds / base);
        if !accepted {
            for &(a, b) in swaps.iter().rev() {
                pieces.swap(a, b);
            }
        }
    }

    /// Uniform from 0 to below 1.
    fn unit(&mut self) -> f64 {
        const STEPS: u64 = 1 << 53;
        (self.0.next_u64() >> 11) as f64 / STEPS as f64
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

/// Steps of the chain of [`Scrambler::draw_near`] for each cell of the tray, before the first state and between two.
const STEPS_BEFORE: usize = 500;
const STEPS_BETWEEN: usize = 10;

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
            // Chi-squared with mean `states`: five standard deviations above is never met by a fair stream.
            let excess: f64 = counts
                .values()
                .map(|&n| (f64::from(n) - 200.0).powi(2) / 200.0)
                .sum();
            let bound = states as f64 + 5.0 * (2.0 * states as f64).sqrt();
            assert!(excess < bound, "{excess} over {bound}");
        }
    }

    #[test]
    fn near_states_have_the_weights_asked_for() {
        let (tray, blank, base) = (Tray::new(3, 2).unwrap(), Cell::new(4), 1.5_f64);
        let states = Scrambler::new(3).draw_near(tray, blank, base, 60_000);
        let mut counts = HashMap::new();
        for state in states {
            assert!(state.check_solvable().is_ok());
            *counts.entry(state).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 360);
        let weight = |state: &State| base.powi(-(state.manhattan() as i32));
        let all: f64 = counts.keys().map(weight).sum();
        // By Manhattan distance the counts are what the weights ask for, within a few hundredths.
        for distance in 0..8 {
            let of = |state: &&State| state.manhattan() == distance;
            let found: u32 = counts.iter().filter(|(s, _)| of(s)).map(|(_, n)| n).sum();
            let expected = 60_000.0 * counts.keys().filter(of).map(weight).sum::<f64>() / all;
            let ratio = f64::from(found) / expected;
            assert!(
                (ratio - 1.0).abs() < 0.1,
                "{distance}: {found} for {expected}"
            );
        }
    }
}
