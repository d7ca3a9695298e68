//! A sample of states on which heuristics are measured.

use puzzle::{Cell, Direction, Scrambler, State, Tray};

/// Uniformly random states for one goal.
///
/// The nodes of a search are asymptotically proportional to the mean of b^-h over all states, with
/// b the branching factor (Korf, Reid & Edelkamp 2001). But that mean is dominated by states near
/// the goal. A search of a random board never visits these states, and samples rarely contain them.
/// In measurements the mean of b^-h predicts the number of nodes badly; the plain mean of h
/// correlates better with this number (docs/experiments.md has the correlations).
pub(crate) struct Sample {
    pub(crate) tray: Tray,
    pub(crate) goal_blank: Cell,
    /// The cell of each piece, state by state.
    places: Vec<Cell>,
    /// b^-h for each value h, with the branching factor b.
    odds: [f64; 256],
}

/// Number of states whose values are summed at once. These values fit in the cache.
const CHUNK: usize = 1024;

impl Sample {
    /// Draws `count` states.
    pub(crate) fn draw(tray: Tray, goal_blank: Cell, seed: u64, count: usize) -> Self {
        let mut scrambler = Scrambler::new(seed);
        let states = (0..count).map(|_| scrambler.draw(tray, goal_blank));
        // Divisions have the same result on every machine; results of powers may differ.
        let branching = branching_factor(tray);
        let mut odds = [1.0; 256];
        for h in 1..odds.len() {
            odds[h] = odds[h - 1] / branching;
        }
        Sample {
            tray,
            goal_blank,
            places: states.flat_map(|state| places(&state)).collect(),
            odds,
        }
    }

    /// Number of states.
    pub(crate) fn len(&self) -> usize {
        self.places.len() / self.tray.cells()
    }

    /// The cell of each piece, for each state.
    pub(crate) fn places(&self) -> impl Iterator<Item = &[Cell]> {
        self.places.chunks(self.tray.cells())
    }

    /// The mean of h over the states. A state's h is the maximum of its values in all views, and of
    /// its value in `others` unless `others` is empty. The value of a view is the sum of the values
    /// of its parts. Takes O(states) time per part.
    pub(crate) fn mean(&self, views: &[Vec<&[u8]>], others: &[u8]) -> f64 {
        self.mean_of(views, others, f64::from)
    }

    /// The mean of b^-h over the states, where b is the branching factor.
    pub(crate) fn effort(&self, views: &[Vec<&[u8]>]) -> f64 {
        self.mean_of(views, &[], |h| self.odds[usize::from(h)])
    }

    /// For each state, the value h, which is the maximum over `views`.
    pub(crate) fn maxima(&self, views: &[Vec<&[u8]>]) -> Vec<u8> {
        let mut best = vec![0; self.len()];
        for (index, best) in best.chunks_mut(CHUNK).enumerate() {
            maximum(views, index * CHUNK, best);
        }
        best
    }

    fn mean_of(&self, views: &[Vec<&[u8]>], others: &[u8], value: impl Fn(u8) -> f64) -> f64 {
        let mut total = 0.0;
        for start in (0..self.len()).step_by(CHUNK) {
            let mut best = [0; CHUNK];
            let best = &mut best[..CHUNK.min(self.len() - start)];
            if !others.is_empty() {
                best.copy_from_slice(&others[start..][..best.len()]);
            }
            maximum(views, start, best);
            total += best.iter().map(|&h| value(h)).sum::<f64>();
        }
        total / self.len() as f64
    }
}

/// `best` contains one value for each of at most [`CHUNK`] states; `start` is the index of the
/// first state. Raises a state's value to its maximum over the views, if that maximum is larger.
/// The value of a view is the sum of the values of its parts.
fn maximum(views: &[Vec<&[u8]>], start: usize, best: &mut [u8]) {
    let mut sums = [0; CHUNK];
    let sums = &mut sums[..best.len()];
    for view in views {
        sums.fill(0);
        for part in view {
            for (sum, h) in sums.iter_mut().zip(&part[start..]) {
                *sum += h;
            }
        }
        for (best, sum) in best.iter_mut().zip(&*sums) {
            *best = (*best).max(*sum);
        }
    }
}

/// The cell of each piece.
pub(crate) fn places(state: &State) -> Vec<Cell> {
    let mut places = vec![Cell::new(0); state.pieces().len()];
    for (cell, piece) in state.tray().iter().zip(state.pieces()) {
        places[piece.index()] = cell;
    }
    places
}

/// Asymptotic factor by which the number of paths without reverse moves grows per move: 2.1304 for
/// 4x4, 2.3676 for 5x5 (Edelkamp & Korf 1998).
pub(crate) fn branching_factor(tray: Tray) -> f64 {
    /// Number of moves. It is more than enough for the precision that a ranking needs.
    const MOVES: i32 = 200;
    let mut paths = vec![[1.0_f64; 4]; tray.cells()];
    let (mut growth, mut before) = (1.0, 1.0);
    for _ in 0..MOVES {
        let mut next = vec![[0.0; 4]; tray.cells()];
        for (cell, by_last) in tray.iter().zip(&paths) {
            for (direction, slot) in Direction::ALL.into_iter().zip(0..) {
                if let Some(to) = tray.step(cell, direction) {
                    let last = Direction::ALL.into_iter().zip(by_last);
                    let ways = last.filter(|&(last, _)| last != direction.opposite());
                    next[to.index()][slot] = ways.map(|(_, paths)| paths).sum::<f64>();
                }
            }
        }
        let factor = next.iter().flatten().sum::<f64>();
        next.iter_mut().flatten().for_each(|paths| *paths /= factor);
        // After two moves the blank is on a cell of the same colour, so growth is measured over two
        // moves.
        growth = f64::sqrt(before * factor);
        (paths, before) = (next, factor);
    }
    growth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branching_factors_equal_published_ones() {
        for (size, expected) in [("3x3", 1.732), ("4x4", 2.130), ("5x5", 2.368)] {
            let found = branching_factor(size.parse().unwrap());
            assert!((found - expected).abs() < 0.001, "{size}: {found}");
        }
    }

    #[test]
    fn maxima_are_taken_over_views_of_sums_over_parts() {
        // The number of states is greater than CHUNK and not a multiple of it.
        let count = CHUNK + 3;
        let sample = Sample::draw("3x3".parse().unwrap(), Cell::new(8), 1, count);
        let values =
            |step: usize| -> Vec<u8> { (0..count).map(|at| (at * step % 50) as u8).collect() };
        let [a, b, c] = [values(7), values(11), values(31)];
        let maxima = sample.maxima(&[vec![&a, &b], vec![&c]]);
        let expected = |at: usize| (a[at] + b[at]).max(c[at]);
        assert_eq!(maxima, (0..count).map(expected).collect::<Vec<_>>());
        let mean = maxima.iter().copied().map(f64::from).sum::<f64>() / count as f64;
        assert_eq!(sample.mean(&[vec![&a, &b]], &c), mean);
    }
}
