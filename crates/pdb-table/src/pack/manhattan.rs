//! Manhattan distances of all entries of a row.

use puzzle::{Cell, CellSet, TableId, Tray, factorial};

/// Largest number of tiles whose permutations are precomputed.
const MAX_TABLED: usize = 4;
/// Number of permutations of [`MAX_TABLED`] tiles.
const TABLED_ORDERS: usize = 24;
/// Size of a list of [`TABLED_ORDERS`] sums, in bytes. Six sums at a time are written as a word of
/// eight bytes, so the last word ends two bytes after the last sum.
const TAIL: usize = 32;

/// Factor whose product with a byte is a word of eight copies of this byte.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// Sums of the tiles' distances to their goal cells.
pub(crate) struct ManhattanRows {
    tray: Tray,
    goals: Vec<Cell>,
    /// Distances from the cells of the current shape to the tiles' goal cells, indexed by cell and
    /// tile.
    steps: Vec<u8>,
    /// Lists of distance sums, indexed by the bit mask of a set of tiles. The list of a set of at
    /// most [`MAX_TABLED`] tiles has one sum per permutation of these tiles on the shape's last
    /// cells.
    tails: Vec<[u8; TAIL]>,
}

impl ManhattanRows {
    /// Sums for the pattern of table `id`.
    pub(crate) fn new(id: TableId) -> Self {
        let goals: Vec<Cell> = id.tiles().iter().collect();
        let tiles = goals.len();
        ManhattanRows {
            tray: id.tray(),
            goals,
            steps: vec![0; tiles * tiles],
            tails: vec![[0; TAIL]; 1 << tiles],
        }
    }

    /// Writes the Manhattan distances of the permutations of the tiles on the cells of `shape`, in
    /// lexicographic order. Includes only permutations that begin with `prefix`. Takes about one
    /// addition per permutation.
    pub(crate) fn write(&mut self, shape: CellSet, prefix: &[usize], out: &mut [u8]) {
        let tiles = self.goals.len();
        for (cell, steps) in shape.iter().zip(self.steps.chunks_exact_mut(tiles)) {
            for (&goal, steps) in self.goals.iter().zip(steps) {
                *steps = self.tray.distance(cell, goal) as u8;
            }
        }
        let mut rest = self.tails.len() - 1;
        let mut before = 0;
        for (position, &tile) in prefix.iter().enumerate() {
            rest &= !(1 << tile);
            before += self.steps[position * tiles + tile];
        }
        self.table_tails(rest);
        self.fill(prefix.len(), rest, before, out);
    }

    /// Fills `tails` for all subsets of `tiles` with at most [`MAX_TABLED`] tiles.
    fn table_tails(&mut self, tiles: usize) {
        let all = self.goals.len();
        // Subsets are bit masks. They are visited in ascending order, so that each subset is
        // visited after all of its own subsets.
        let mut set = 0_usize;
        loop {
            set = set.wrapping_sub(tiles) & tiles;
            if set == 0 {
                return;
            }
            let size = set.count_ones() as usize;
            if size > MAX_TABLED {
                continue;
            }
            let steps = &self.steps[(all - size) * all..];
            let mut tail = [0; TAIL];
            let part = factorial(size - 1) as usize;
            for (index, tile) in bits(set).enumerate() {
                // `tail` has one part for each tile that can be first. A part has at most six sums
                // and is written as a word of eight bytes. The next part overwrites the unused end
                // of the word. All sums are far below 256, so no byte carries.
                let Some(rest) = self.tails[set & !(1 << tile)].first_chunk() else {
                    continue;
                };
                let sums =
                    u64::from_le_bytes(*rest).wrapping_add(u64::from(steps[tile]) * EACH_BYTE);
                tail[index * part..][..8].copy_from_slice(&sums.to_le_bytes());
            }
            self.tails[set] = tail;
        }
    }

    /// Writes to `out` one distance sum per permutation of the tiles of `set` on the shape's cells
    /// from number `position` to the last. `before` is the sum for the tiles on earlier cells and
    /// is added to each sum.
    fn fill(&self, position: usize, set: usize, before: u8, out: &mut [u8]) {
        let left = self.goals.len() - position;
        if let Some(out) = out
            .first_chunk_mut::<TABLED_ORDERS>()
            .filter(|_| left == MAX_TABLED)
        {
            for (sum, tail) in out.iter_mut().zip(&self.tails[set]) {
                *sum = before + tail;
            }
            return;
        }
        if left <= MAX_TABLED {
            for (sum, tail) in out.iter_mut().zip(&self.tails[set]) {
                *sum = before + tail;
            }
            return;
        }
        let part = out.len() / left;
        for (tile, out) in bits(set).zip(out.chunks_exact_mut(part)) {
            let step = self.steps[position * self.goals.len() + tile];
            self.fill(position + 1, set & !(1 << tile), before + step, out);
        }
    }
}

/// The indices of the 1 bits, ascending.
fn bits(set: usize) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::{Pattern, TableKind, unrank_permutation};

    #[test]
    fn sums_equal_those_of_each_permutation() {
        for (tiles, shape) in [(0b110, 0b1001), (0b1110_1010, 0b1_0101_1100), (0xfe, 0x17f)] {
            let tray = Tray::new(3, 3).unwrap();
            let pattern = Pattern::new(tray, CellSet::from_bits(tiles), Cell::new(0)).unwrap();
            let (id, _) = pattern.table(TableKind::ZeroAware);
            let shape = CellSet::from_bits(shape);
            let goals: Vec<Cell> = id.tiles().iter().collect();
            let k = goals.len();
            let cells: Vec<Cell> = shape.iter().collect();
            let mut order = vec![0; k];
            let expected: Vec<u8> = (0..factorial(k))
                .map(|rank| {
                    unrank_permutation(rank, &mut order);
                    let places = cells.iter().zip(&order);
                    let distance = |(&cell, &tile): (&Cell, &u8)| {
                        let goal = goals[usize::from(tile)];
                        let columns = tray.column(cell).abs_diff(tray.column(goal));
                        (columns + tray.row(cell).abs_diff(tray.row(goal))) as u8
                    };
                    places.map(distance).sum()
                })
                .collect();
            let mut distances = ManhattanRows::new(id);
            let mut all = vec![0; expected.len()];
            distances.write(shape, &[], &mut all);
            assert_eq!(all, expected);
            let part = expected.len() / k;
            for first in 0..k {
                let mut some = vec![0; part];
                distances.write(shape, &[first], &mut some);
                assert_eq!(some, expected[first * part..][..part]);
            }
        }
    }
}
