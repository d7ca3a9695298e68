//! Which part of a sweep that is divided among processes a shape belongs to.

use puzzle::{Cell, CellSet, Tray, binomial};

/// Divides the shapes of a table among parts.
///
/// Borders, straight lines through the tray, each have a weight. A shape belongs to the part that
/// is the sum of the weights of all borders that its tiles are beyond, modulo the number of parts:
/// a tile that moves changes the part only where it crosses a border. Two borders through the
/// middle are enough for four parts. Parts of consecutive shapes would have fewer neighbours in
/// other parts, but be at work in turns: distances of shapes that are alike are alike.
///
/// Every process works the same deal out by itself.
#[derive(Clone, Debug)]
pub struct Deal {
    parts: usize,
    /// Addend of a tile on each cell, modulo the number of parts.
    weights: Vec<u16>,
}

/// The most that the largest part may have of what would be its fair share, where that can be had
/// with few borders.
const FAIR: f64 = 1.08;
/// Sets of weights that are tried with each number of borders.
const TRIALS: usize = 200;
/// Rows of patterns with fewer tiles do not begin on bytes of the file: all are one part's. They
/// are built in an instant.
const FEWEST_TILES: usize = 4;

impl Deal {
    /// The most parts that shapes are dealt out to.
    pub const MAX_PARTS: usize = 256;

    /// Divides the shapes of `tiles` tiles among `parts` parts, 1 to [`Self::MAX_PARTS`]: others
    /// count as the nearest of these. Some parts may be empty where there are few shapes.
    #[must_use]
    pub fn new(tray: Tray, tiles: usize, parts: usize) -> Self {
        let parts = parts.clamp(1, Deal::MAX_PARTS);
        let weights = vec![0; tray.cells()];
        if parts == 1 || tiles < FEWEST_TILES {
            return Deal { parts, weights };
        }
        let borders = borders(tray);
        let mut best = (f64::INFINITY, weights);
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        'counts: for count in 1..=borders.len() {
            for trial in 0..TRIALS {
                let mut weights = vec![0; tray.cells()];
                for (index, border) in borders[..count].iter().enumerate() {
                    // At first those that suit powers of two.
                    let weight = match trial {
                        0 => 1 << index.min(8),
                        _ => 1 + random.below(parts - 1),
                    };
                    for cell in border.iter() {
                        let total = &mut weights[cell.index()];
                        *total = ((usize::from(*total) + weight) % parts) as u16;
                    }
                }
                let largest = largest_share(&weights, tiles, parts);
                if largest < best.0 {
                    best = (largest, weights);
                }
                if best.0 <= FAIR {
                    break 'counts;
                }
            }
        }
        let weights = best.1;
        Deal { parts, weights }
    }

    /// The number of parts.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The part of a shape.
    #[must_use]
    pub fn part(&self, shape: CellSet) -> usize {
        let weights = shape
            .iter()
            .map(|cell| usize::from(self.weights[cell.index()]));
        weights.sum::<usize>() % self.parts
    }

    /// Identity of the assignment: equal weights mean equal assignments.
    #[must_use]
    pub fn weights(&self) -> &[u16] {
        &self.weights
    }
}

/// The cells beyond each border, those nearest to the middle first, columns and rows in turn.
fn borders(tray: Tray) -> Vec<CellSet> {
    let (width, height) = (tray.width(), tray.height());
    let columns = (1..width).map(|from| (from, width, false));
    let rows = (1..height).map(|from| (from, height, true));
    let mut all: Vec<_> = columns.chain(rows).collect();
    all.sort_by_key(|&(from, length, is_row)| {
        ((2 * from).abs_diff(length), from > length / 2, is_row)
    });
    let beyond = |(from, _, is_row)| {
        let place = |cell: &Cell| match is_row {
            true => cell.index() / width,
            false => cell.index() % width,
        };
        tray.iter().filter(|cell| place(cell) >= from).collect()
    };
    all.into_iter().map(beyond).collect()
}

/// The largest part's number of shapes as a multiple of its fair share.
fn largest_share(weights: &[u16], tiles: usize, parts: usize) -> f64 {
    // By number of tiles and part, over the cells so far.
    let mut counts = vec![0.0; (tiles + 1) * parts];
    counts[0] = 1.0;
    for &weight in weights {
        for placed in (0..tiles).rev() {
            for part in 0..parts {
                let count = counts[placed * parts + part];
                let to = (part + usize::from(weight)) % parts;
                counts[(placed + 1) * parts + to] += count;
            }
        }
    }
    let largest = counts[tiles * parts..].iter().copied().fold(0.0, f64::max);
    largest * parts as f64 / binomial(weights.len(), tiles) as f64
}

/// Xorshift: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % end as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_nearly_equal_and_few_moves_change_them() {
        for (size, tiles, parts, borders) in [
            ("4x4", 8, 2, 1),
            ("4x4", 8, 4, 2),
            ("5x5", 7, 4, 2),
            ("5x5", 8, 3, 3),
            ("5x5", 7, 8, 4),
            ("5x5", 8, 64, 8),
        ] {
            let tray: Tray = size.parse().unwrap();
            let deal = Deal::new(tray, tiles, parts);
            let mut counts = vec![0_usize; parts];
            for shape in CellSet::subsets(tray, tiles) {
                counts[deal.part(shape)] += 1;
            }
            let all: usize = counts.iter().sum();
            let share = counts.iter().max().unwrap() * parts * 100 / all;
            assert!(share <= 112, "{size} {tiles} tiles, {parts} parts: {share}");
            let differ = |a: usize, b: usize| deal.weights[a] != deal.weights[b];
            let width = tray.width();
            let columns = (1..width).filter(|&x| differ(x - 1, x)).count();
            let rows = (1..tray.height()).filter(|&y| differ((y - 1) * width, y * width));
            assert!(columns + rows.count() <= borders, "{size} {parts}");
        }
    }

    #[test]
    fn small_patterns_are_one_parts() {
        let tray = "5x5".parse().unwrap();
        let deal = Deal::new(tray, 3, 4);
        assert!(CellSet::subsets(tray, 3).all(|shape| deal.part(shape) == 0));
    }

    /// Parts of different versions work together only if they deal alike. The numbers are from
    /// another program; the last has as many parts as random weights are needed for.
    #[test]
    fn deals_stay_the_same() {
        let weights = |size: &str, tiles, parts| {
            let deal = Deal::new(size.parse().unwrap(), tiles, parts);
            deal.weights().to_vec()
        };
        let four = [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3];
        assert_eq!(weights("4x4", 8, 4), four);
        let seven = [0, 4, 5, 5, 0, 4, 5, 5, 2, 6, 0, 0, 2, 6, 0, 0];
        assert_eq!(weights("4x4", 8, 7), seven);
        let many = [0, 23, 56, 35, 59, 18, 51, 30, 22, 45, 14, 57];
        assert_eq!(weights("4x3", 5, 64), many);
    }
}
