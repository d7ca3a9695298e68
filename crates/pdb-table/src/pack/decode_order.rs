//! The decode order: the rows of a table in the order of packing, with their neighbours.

use std::ops::Range;

use bitvec::prelude::{BitSlice, bitvec};

use puzzle::{BlankClasses, CellSet, Ranking, Reindex, RowMove, TableId, ValueStep, factorial};

/// The rows of a table, divided into stretches. The entries of a stretch belong to one row and have
/// the same tiles on the first `fixed` cells of the shape. A frame contains one stretch of every
/// row.
#[derive(Debug)]
pub(crate) struct DecodeOrder {
    pub(crate) id: TableId,
    pub(crate) ranking: Ranking,
    /// Number of fixed tiles: in all entries of a stretch, the same tiles are on the first `fixed`
    /// cells of the shape.
    pub(crate) fixed: usize,
    /// Mappings between stretches, indexed by the moved tile's position among the tiles in reading
    /// order, before and after the move. A mapping is empty if no such move exists, or if the move
    /// does not change the permutation.
    copies: Vec<RowCopy>,
    /// The rows in decode order.
    pub(crate) rows: Vec<RowStep>,
    /// Neighbours of all rows, in one range per row.
    neighbours: Vec<RowMove>,
}

/// Maximum memory of the order, and of the temporary lists in [`DecodeOrder::find`], in bytes.
pub(crate) fn memory(id: TableId, entries: u64) -> (u64, u64) {
    let (cells, tiles) = (id.tray().cells() as u64, id.tiles().len());
    let rows = entries / u64::from(factorial(tiles));
    let tiles = tiles as u64;
    // A tray has at most 2 * cells pairs of adjacent cells. A move exchanges the contents of such a
    // pair: a tile's cell and a free cell. On average, a shape has at most 4 * tiles * (cells -
    // tiles) / (cells - 1) moves. Each of them belongs to only one row of the shape. In kinds whose
    // rows have a single blank cell, a row has at most four moves.
    let moves = match id.kind().has_blank() {
        true => 4,
        false => (4 * tiles * (cells - tiles)).div_ceil(cells - 1),
    };
    let neighbour = size_of::<RowMove>() as u64;
    // A growing list has up to twice the needed capacity. `neighbours` stores at most half of the
    // moves, because only one of two neighbouring rows is decoded before the other.
    let kept = 2 * size_of::<RowStep>() as u64 + neighbour * moves + 16;
    let finding = 2 * neighbour * moves + 40;
    (rows.saturating_mul(kept), rows.saturating_mul(finding))
}

/// A row of the decode order.
#[derive(Clone, Debug)]
pub(crate) struct RowStep {
    /// Number of the row in the table.
    pub(crate) row: usize,
    pub(crate) shape: CellSet,
    /// Parity of the values of all entries of the row: 0 or 1.
    pub(crate) parity: u8,
    /// Number of the row's neighbours whose stretch is decoded later or is in another frame.
    pub(crate) left: usize,
    /// Range in the order's `neighbours`: the row's neighbours whose stretch is in the same frame
    /// and is decoded earlier.
    read: Range<usize>,
    /// Row with the highest number among those of this shape and parity that are decoded before
    /// this row.
    pub(crate) sibling: Option<usize>,
}

impl DecodeOrder {
    /// The decode order of a valid table, for this number of fixed tiles. Time: O(rows).
    pub(crate) fn new(id: TableId, fixed: usize) -> Self {
        let tiles = id.tiles().len();
        let reindex = Reindex::for_tray(id.tray(), tiles);
        let pairs = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let copies = pairs.map(|(from, to)| {
            let is_within = from.min(to) >= fixed && from.abs_diff(to) < id.tray().width();
            match is_within && from != to {
                true => RowCopy::new(&reindex, tiles, from, to),
                false => RowCopy::default(),
            }
        });
        let mut order = DecodeOrder {
            id,
            ranking: Ranking::new(id.tray(), tiles, id.kind()),
            fixed,
            copies: copies.collect(),
            rows: Vec::new(),
            neighbours: Vec::new(),
        };
        order.find();
        order
    }

    /// Entries per stretch.
    pub(crate) fn stretch(&self) -> usize {
        factorial(self.ranking.tiles() - self.fixed) as usize
    }

    /// The neighbours of this row that are decoded before it.
    pub(crate) fn read_before(&self, row: &RowStep) -> &[RowMove] {
        &self.neighbours[row.read.clone()]
    }

    /// Whether every move changes values by exactly one.
    pub(crate) fn is_consistent(&self) -> bool {
        self.id.kind().value_step() == ValueStep::One
    }

    /// Whether entries can be unreachable.
    pub(crate) fn has_unreachable(&self) -> bool {
        self.ranking.tiles() + 2 >= self.id.tray().cells()
    }

    /// Copies values from `source`, the neighbour's stretch, to the stretch `target`. Each entry of
    /// `target` receives the value of the entry of `source` at the other end of the move.
    #[inline]
    pub(crate) fn copy(&self, neighbour: RowMove, source: &[u8], target: &mut [u8]) {
        self.copies[neighbour.from * self.ranking.tiles() + neighbour.to].copy(source, target);
    }

    /// Finds the order by breadth-first searches. The first search begins at row 0, and each
    /// further search at the lowest row that no search has visited. Except for the rows at which
    /// searches begin, every row thus has a neighbour that is decoded earlier. Within a level of a
    /// search, row numbers ascend.
    fn find(&mut self) {
        let count = self.ranking.rows();
        let classes = BlankClasses::new(self.id.tray(), self.id.kind());
        let shapes = self.ranking.shapes().iter();
        let places = shapes.flat_map(|&shape| classes.of(shape).map(move |blank| (shape, blank)));
        let places: Vec<(CellSet, CellSet)> = places.collect();
        let (moves, starts) = self.moves(&places);
        let mut met = bitvec![0; count];
        let mut read = bitvec![0; count];
        for first in 0..count {
            let mut level = Vec::new();
            if !met.replace(first, true) {
                level.push(first);
            }
            while !level.is_empty() {
                let mut next = Vec::new();
                for row in level {
                    let out = &moves[starts[row]..starts[row + 1]];
                    for neighbour in out.iter().filter(|out| self.is_inside(out)) {
                        if !met.replace(neighbour.row, true) {
                            next.push(neighbour.row);
                        }
                    }
                    self.add(row, &places, out, &read);
                    read.set(row, true);
                }
                next.sort_unstable();
                level = next;
            }
        }
    }

    /// All moves from all rows, and the index at which each row's moves begin.
    fn moves(&self, places: &[(CellSet, CellSet)]) -> (Vec<RowMove>, Vec<usize>) {
        let mut moves = Vec::new();
        let mut starts = vec![0];
        for &(shape, blank) in places {
            moves.extend(self.ranking.row_moves(shape, blank));
            starts.push(moves.len());
        }
        (moves, starts)
    }

    /// Whether a move stays within a frame: it does not change the first `fixed` tiles.
    fn is_inside(&self, out: &RowMove) -> bool {
        out.from == out.to || out.from.min(out.to) >= self.fixed
    }

    /// Adds a row to the order. `out` contains the moves from the row.
    fn add(&mut self, row: usize, places: &[(CellSet, CellSet)], out: &[RowMove], read: &BitSlice) {
        let (shape, blank) = places[row];
        let start = self.neighbours.len();
        for neighbour in out {
            if self.is_inside(neighbour) && read[neighbour.row] {
                self.neighbours.push(*neighbour);
            }
        }
        let parity = self.id.parity(shape, blank);
        // The rows of a shape are contiguous.
        let same_shape = |other: &usize| places.get(*other).is_some_and(|place| place.0 == shape);
        let last = (row..).take_while(same_shape).last().unwrap_or(row);
        let siblings = (0..=last).rev().take_while(same_shape);
        let sibling = siblings
            .filter(|&sibling| read[sibling])
            .find(|&sibling| self.id.parity(shape, places[sibling].1) == parity);
        self.rows.push(RowStep {
            row,
            shape,
            parity,
            left: out.len() - (self.neighbours.len() - start),
            read: start..self.neighbours.len(),
            sibling,
        });
    }
}

/// Mapping of a neighbour's stretch to the stretch of a row. Both stretches are divided into blocks
/// of `places.len()` pieces, and a piece has `run` entries. Piece i of the row's block is a copy of
/// piece `places[i]` of the neighbour's block. `places` is empty if the mapping is the identity.
#[derive(Clone, Debug, Default)]
struct RowCopy {
    places: Box<[u32]>,
    run: usize,
}

/// Pieces of fewer entries than this are copied entry by entry.
const SHORT_RUN: u32 = 24;

impl RowCopy {
    fn new(reindex: &Reindex, tiles: usize, from: usize, to: usize) -> Self {
        let block = factorial(tiles - from.min(to));
        let run = match factorial(tiles - 1 - from.max(to)) {
            run if run < SHORT_RUN => 1,
            run => run,
        };
        let places = (0..block / run).map(|i| reindex.apply(from, to, i * run) / run);
        RowCopy {
            places: places.collect(),
            run: run as usize,
        }
    }

    fn copy(&self, source: &[u8], target: &mut [u8]) {
        if self.places.is_empty() {
            target.copy_from_slice(source);
            return;
        }
        let block = self.places.len() * self.run;
        let targets = target.chunks_exact_mut(block);
        for (source, target) in source.chunks_exact(block).zip(targets) {
            if self.run == 1 {
                for (to, &place) in target.iter_mut().zip(&self.places) {
                    *to = source[place as usize];
                }
            } else {
                let runs = target.chunks_exact_mut(self.run).zip(&self.places);
                for (run, &place) in runs {
                    run.copy_from_slice(&source[place as usize * self.run..][..self.run]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::{Cell, Pattern, TableKind, Tray};

    fn order(tiles: u64, kind: TableKind, fixed: usize) -> DecodeOrder {
        let tray = Tray::new(3, 3).unwrap();
        let pattern = Pattern::new(tray, CellSet::from_bits(tiles), Cell::new(0)).unwrap();
        DecodeOrder::new(pattern.table(kind).0, fixed)
    }

    #[test]
    fn every_row_is_in_the_order_once_and_moves_are_counted() {
        for (tiles, fixed) in [
            (0b110, 0),
            (0b11_0110, 0),
            (0b1_0111_0110, 1),
            (0b1_0111_0110, 2),
        ] {
            for kind in TableKind::ALL {
                let order = order(tiles, kind, fixed);
                let mut read = vec![false; order.ranking.rows()];
                for row in &order.rows {
                    let (shape, blank) = order.ranking.row_shape(row.row);
                    assert_eq!(shape, row.shape);
                    let before = order.read_before(row);
                    assert!(before.iter().all(|neighbour| read[neighbour.row]));
                    assert!(fixed > 0 || row.row == 0 || !before.is_empty());
                    let all = order.ranking.row_moves(shape, blank).count();
                    assert_eq!(before.len() + row.left, all);
                    assert!(row.sibling.is_none_or(|sibling| read[sibling]));
                    assert!(!std::mem::replace(&mut read[row.row], true));
                }
                assert!(read.iter().all(|&read| read));
            }
        }
    }

    #[test]
    fn entries_are_copied_as_their_ranks_change() {
        let (tiles, fixed) = (7, 2);
        let order = order(0b1_1011_1110, TableKind::ZeroAware, fixed);
        let reindex = Reindex::for_tray(order.id.tray(), tiles);
        let source: Vec<u8> = (0..order.stretch()).map(|entry| entry as u8).collect();
        for from in 0..tiles {
            for to in (0..tiles).filter(|to| from.abs_diff(*to) < 3) {
                let row = 0;
                let neighbour = RowMove { row, from, to };
                if !order.is_inside(&neighbour) {
                    continue;
                }
                let mut target = vec![0; source.len()];
                order.copy(neighbour, &source, &mut target);
                for (rank, &found) in target.iter().enumerate() {
                    assert_eq!(found, reindex.apply(from, to, rank as u32) as u8);
                }
            }
        }
    }
}
