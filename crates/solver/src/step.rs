//! The hot path's tables: what one move does to a pattern, in two loads.
//!
//! A move along an edge of the tray takes a shape to another and its row to a row, whatever tiles stand there. So
//! (shape, edge) gives the new shape, the new row and the pair of reading positions that the moved tile leaves and
//! takes; (pair, rank) gives the new rank. Against working both out from bit masks at every node (colexicographic
//! rank, region and population counts) this made searches 1.5 times as fast: docs/design.md.

use puzzle::{Cell, CellSet, Kind, Ranking, Reindex, Tray, factorial};

/// Moves of a search from any cell: four from each of at most 25.
pub(crate) const MOVES: usize = 4 * CellSet::MAX_CELLS;

/// What a move along an edge does to a shape.
#[derive(Clone, Copy, Default)]
pub(crate) struct Step {
    /// The new row.
    row: u32,
    /// The new shape's number, and in the low byte the pair of reading positions.
    shape_and_pair: u32,
}

/// Steps by shape and edge, and new ranks by pair and rank, for all tables of one tray, kind and number of tiles.
pub(crate) struct StepTable {
    steps: Box<[Step]>,
    edges: Edges,
    /// New ranks, k! for each pair; empty where ranks are re-indexed by calculation.
    ranks: Box<[u16]>,
    pairs: Vec<(u8, u8)>,
    reindex: Reindex,
    row_entries: usize,
}

/// Up to this many tiles new ranks are looked up: 300 KB at most. Above, the calculation is faster than the cache.
const RANKED_TILES: usize = 7;

impl StepTable {
    pub(crate) fn new(ranking: &Ranking) -> Self {
        let tray = ranking.tray();
        let edges = Edges::new(tray, ranking.kind() == Kind::Full);
        let jump = tray.width() - 1;
        let tiles = ranking.tiles();
        // The identity first, then all pairs that a move may need.
        let mut pairs = vec![(0, 0)];
        for from in 0..tiles {
            for to in (0..tiles).filter(|&to| to != from && to.abs_diff(from) <= jump) {
                pairs.push((from as u8, to as u8));
            }
        }
        let mut pair_of = vec![0_u8; tiles * tiles];
        for (index, &(from, to)) in pairs.iter().enumerate() {
            pair_of[usize::from(from) * tiles + usize::from(to)] = index as u8;
        }
        let step = |index: usize, shape: CellSet, from: Cell, hole: Cell| -> Option<Step> {
            if shape.contains(hole) {
                return None;
            }
            let (moved, pair) = if shape.contains(from) {
                let moved = shape.without(from).with(hole);
                let (i, j) = (shape.position(from), moved.position(hole));
                let pair = if i == j { 0 } else { pair_of[i * tiles + j] };
                (ranking.shape_index(moved), pair)
            } else if ranking.kind() == Kind::Full {
                (index, 0)
            } else {
                return None;
            };
            Some(Step {
                row: ranking.row(moved, from) as u32,
                shape_and_pair: (moved as u32) << 8 | u32::from(pair),
            })
        };
        let mut steps = vec![Step::default(); ranking.shapes().len() * edges.count];
        for (index, (&shape, row)) in ranking
            .shapes()
            .iter()
            .zip(steps.chunks_mut(edges.count))
            .enumerate()
        {
            for &(from, hole, edge) in &edges.moves {
                if let Some(step) = step(index, shape, from, hole) {
                    row[edge] = step;
                }
            }
        }
        let reindex = Reindex::for_tray(tray, tiles);
        let ranks = if tiles <= RANKED_TILES {
            let all = |&(from, to): &(u8, u8)| {
                let (from, to) = (usize::from(from), usize::from(to));
                let apply = |rank| reindex.apply(from, to, rank) as u16;
                (0..factorial(tiles)).map(apply).collect::<Vec<u16>>()
            };
            pairs.iter().flat_map(all).collect()
        } else {
            Box::default()
        };
        StepTable {
            steps: steps.into(),
            edges,
            ranks,
            pairs,
            reindex,
            row_entries: ranking.row_entries(),
        }
    }

    /// Which edge a tile takes from one cell to a touching one.
    pub(crate) fn edge(&self, from: Cell, hole: Cell) -> u8 {
        let moves = self.edges.moves.iter();
        let found = moves.filter(|&&(f, h, _)| (f, h) == (from, hole));
        found.map(|&(_, _, edge)| edge as u8).next().unwrap_or(0)
    }

    /// The re-indexing that tables of this shape use.
    pub(crate) fn reindex(&self) -> &Reindex {
        &self.reindex
    }

    /// New shape, new rank and entry after a move along an edge.
    #[inline(always)]
    pub(crate) fn step(&self, shape: u32, rank: u32, edge: u8) -> (u32, u32, usize) {
        let Step {
            row,
            shape_and_pair,
        } = self.steps[shape as usize * self.edges.count + usize::from(edge)];
        let pair = (shape_and_pair & 0xff) as usize;
        let rank = if self.ranks.is_empty() {
            let (from, to) = self.pairs[pair];
            self.reindex.apply(usize::from(from), usize::from(to), rank)
        } else {
            u32::from(self.ranks[pair * self.row_entries + rank as usize])
        };
        let entry = row as usize * self.row_entries + rank as usize;
        (shape_and_pair >> 8, rank, entry)
    }
}

/// The edges of a tray. Additive tables need one number for both directions, since a step has a tile of the pattern on
/// one end and none on the other; in full-cost tables the blank may come from either end.
struct Edges {
    count: usize,
    /// The tile's cell, the hole's cell, the edge's number.
    moves: Vec<(Cell, Cell, usize)>,
}

impl Edges {
    fn new(tray: Tray, directed: bool) -> Self {
        let mut moves: Vec<(Cell, Cell, usize)> = Vec::new();
        let mut count = 0;
        for from in tray.iter() {
            for hole in tray.neighbours(from) {
                let back = moves.iter().find(|&&(f, h, _)| (f, h) == (hole, from));
                let edge = match back {
                    Some(&(_, _, edge)) if !directed => edge,
                    _ => {
                        count += 1;
                        count - 1
                    }
                };
                moves.push((from, hole, edge));
            }
        }
        Edges { count, moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row, move and rank of small tables, against the row graph's description of moves.
    #[test]
    fn steps_are_the_moves_of_the_ranking() {
        for (width, height, most) in [(3, 3, 5), (4, 2, 4), (2, 4, 4), (5, 2, 3)] {
            let tray = Tray::new(width, height).unwrap();
            for tiles in 1..=most {
                for kind in [Kind::ZeroAware, Kind::Full] {
                    let ranking = Ranking::new(tray, tiles, kind);
                    let table = StepTable::new(&ranking);
                    for row in 0..ranking.rows() {
                        check_row(&ranking, &table, row);
                    }
                }
            }
        }
    }

    fn check_row(ranking: &Ranking, table: &StepTable, row: usize) {
        let (shape, blank) = ranking.row_shape(row);
        let index = ranking.shape_index(shape) as u32;
        let mut found = Vec::new();
        for hole in blank.iter() {
            for from in ranking.tray().neighbours(hole) {
                if ranking.kind() == Kind::Full || shape.contains(from) {
                    let edge = table.edge(from, hole);
                    let ranks = (0..ranking.row_entries() as u32).step_by(7);
                    found.push(
                        ranks
                            .map(|r| table.step(index, r, edge).2)
                            .collect::<Vec<_>>(),
                    );
                }
            }
        }
        let moves = ranking.row_moves(shape, blank);
        let mut expected: Vec<Vec<usize>> = moves
            .map(|out| {
                let ranks = (0..ranking.row_entries() as u32).step_by(7);
                let entry = |rank| {
                    let rank = table.reindex().apply(out.from, out.to, rank);
                    out.row * ranking.row_entries() + rank as usize
                };
                ranks.map(entry).collect()
            })
            .collect();
        // The order of the moves is nobody's concern.
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
