//! Counts the regions of all shapes of one size without enumerating the shapes.
//!
//! By Euler's formula, the number of regions of a set of cells is: cells - pairs of neighbours +
//! squares of four cells + holes. The first three terms need no enumeration: each cell, pair or
//! square is counted once for every shape that does not overlap it. A hole is a cluster of cells of
//! the shape, connected by sides or corners, with no cell at the edge of the tray. A cluster is
//! counted once for every choice of the shape's other cells among the cells that do not touch the
//! cluster.

use crate::cell_set::CellSet;
use crate::ranking::binomial;
use crate::tray::{Cell, Tray};

/// Number of regions outside a shape, summed over all shapes of `tiles` cells. The time grows with
/// the number of possible holes, which are clusters of at most `tiles` cells: about 10^5 for six
/// tiles on 8x8.
pub(crate) fn count_regions(tray: Tray, tiles: usize) -> u64 {
    let (cells, width, height) = (tray.cells(), tray.width(), tray.height());
    let shapes_outside = |taken: usize| binomial(cells.saturating_sub(taken), tiles) as i64;
    let pairs = (width - 1) * height + width * (height - 1);
    let squares = (width - 1) * (height - 1);
    let free = binomial(cells, tiles) as i64 * (cells - tiles) as i64;
    let solid = free - pairs as i64 * shapes_outside(2)
        + match cells < 4 {
            true => 0,
            false => squares as i64 * shapes_outside(4),
        };
    let is_inner = |&cell: &Cell| {
        (1..width.max(2) - 1).contains(&tray.column(cell))
            && (1..height.max(2) - 1).contains(&tray.row(cell))
    };
    let near = tray.iter().map(|cell| {
        let is_near = |other: &Cell| {
            tray.column(cell).abs_diff(tray.column(*other)) <= 1
                && tray.row(cell).abs_diff(tray.row(*other)) <= 1
        };
        tray.iter().filter(is_near).collect()
    });
    let mut clusters = ClusterCount {
        near: near.collect(),
        tiles,
        cells,
        shapes: 0,
    };
    let mut later: CellSet = tray.iter().filter(is_inner).collect();
    while let Some(first) = later.lowest() {
        // Clusters whose first cell is `first`.
        let start = CellSet::EMPTY.with(first);
        clusters.extend(CellSet::EMPTY, CellSet::EMPTY, start, start, later);
        later = later.without(first);
    }
    (solid + clusters.shapes as i64) as u64
}

/// Counts the holes of all shapes, cluster by cluster.
struct ClusterCount {
    /// Each cell together with the cells adjacent to it by sides or corners.
    near: Vec<CellSet>,
    tiles: usize,
    cells: usize,
    shapes: u64,
}

impl ClusterCount {
    /// Extends a cluster by every non-empty set of further cells, once per set (Redelmeier 1981).
    /// `around`: the cluster and all cells that touch it. `untried`: the cells to add next. `met`:
    /// all cells that have been in `untried` so far. `allowed`: all cells that may be added.
    fn extend(
        &mut self,
        cluster: CellSet,
        around: CellSet,
        mut untried: CellSet,
        met: CellSet,
        allowed: CellSet,
    ) {
        while let Some(cell) = untried.lowest() {
            untried = untried.without(cell);
            let near = self.near[cell.index()];
            let (cluster, around) = (cluster.with(cell), around.union(near));
            let left = self.tiles - cluster.len();
            self.shapes += binomial(self.cells - around.len(), left);
            if left > 0 {
                let new = near.intersection(allowed).difference(met);
                self.extend(cluster, around, untried.union(new), met.union(new), allowed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlankClasses, TableKind};

    #[test]
    fn the_sum_equals_enumeration_of_all_shapes() {
        let small = (1..=20).flat_map(|width| (1..=20).map(move |height| (width, height)));
        let small = small.filter(|(width, height)| (2..=12).contains(&(width * height)));
        let large = [
            (4, 4, 8),
            (5, 5, 6),
            (5, 3, 14),
            (6, 6, 4),
            (7, 7, 3),
            (8, 8, 3),
            (10, 6, 3),
        ];
        let trays = small.map(|(width, height)| (width, height, width * height - 1));
        for (width, height, most) in trays.chain(large) {
            let tray = Tray::new(width, height).unwrap();
            let classes = BlankClasses::new(tray, TableKind::ZeroAware);
            for tiles in 1..=most {
                let shapes = CellSet::subsets(tray, tiles);
                let counts = shapes.map(|shape| classes.of(shape).count() as u64);
                assert_eq!(
                    count_regions(tray, tiles),
                    counts.sum::<u64>(),
                    "{tray} {tiles}"
                );
            }
        }
    }
}
